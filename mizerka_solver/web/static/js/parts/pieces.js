/** Pieces that several parts are made of: a choice of one, a table, small cards in text, what is to be said meanwhile. */

import { waitingText } from "../context.js";
import { h } from "../dom.js";
import { cardText, signed, t } from "../i18n.js";

/** @typedef {import("../dom.js").Child} Child */

/**
 * @template {string} Value
 * @typedef {object} Choice  one of several, as radio buttons
 * @property {string} name  of the group; the focus is kept by it
 * @property {string} label
 * @property {readonly Value[]} values
 * @property {Value} chosen
 * @property {(value: Value) => Child | Child[]} text
 * @property {(value: Value) => string} [why]  a tooltip
 * @property {(value: Value) => void} [choose]  none in a form, which is asked when it is sent
 * @property {boolean} [disabled]
 * @property {string} [style]
 */

/** @template {string} Value @param {Choice<Value>} choice */
export function radios({ name, label, values, chosen, text, why, choose, disabled = false, style = "" }) {
  return h(
    "div",
    { class: `choice ${style}`, role: "radiogroup", "aria-label": label },
    values.map((value) =>
      h(
        "label",
        { class: "radio", title: why?.(value) },
        h("input", {
          type: "radio",
          name,
          value,
          disabled,
          checked: value === chosen,
          "data-key": `${name}-${value}`,
          change: choose && (() => choose(value)),
        }),
        h("span", {}, text(value)),
      ),
    ),
  );
}

/** @param {string} text @param {() => void} click @param {Record<string, unknown>} attributes */
export const button = (text, click, attributes = {}) => h("button", { type: "button", click, ...attributes }, text);

/** @param {string} card as in running text */
export const mini = (card) => h("span", { class: `mini suit-${card[0]}` }, cardText(card));

/**
 * A table: names of the columns, and rows. A row is its cells, the first of them its name, or an element of its own.
 * @param {string} style
 * @param {string} caption
 * @param {Child[]} head
 * @param {(Child[] | HTMLElement)[]} rows
 */
export const grid = (style, caption, head, rows) =>
  h(
    "table",
    { class: style },
    caption && h("caption", {}, caption),
    head.length > 0 &&
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          head.map((name) => (name instanceof HTMLElement ? name : h("th", { scope: "col" }, name))),
        ),
      ),
    h(
      "tbody",
      {},
      rows.map((row) => (Array.isArray(row) ? tr("", row) : row)),
    ),
  );

/** @param {string} style @param {(Child | Child[])[]} cells the first is the row's name */
export const tr = (style, [name, ...cells]) =>
  h(
    "tr",
    { class: style },
    h("th", { scope: "row" }, name),
    cells.map((cell) => (cell instanceof HTMLElement && cell.localName === "td" ? cell : h("td", {}, cell))),
  );

/** @param {import("../context.js").Reply} reply @param {string} [usual] @returns {Child} how far it is, or what is wrong */
export function meanwhile(reply, usual = t("searching")) {
  if (reply.error) return h("p", { class: "error", role: "alert" }, reply.error);
  return reply.waiting && h("p", { class: "note busy", role: "status" }, waitingText(reply, usual));
}

/** @param {any} points of the seats; null where the deal has other than 13 tricks @param {string} seat @param {number} [digits] */
export const pointsOf = (points, seat, digits = 0) => (points ? signed(points[seat], digits) : "");

/** @param {string} contract @param {number} tricks what is sure: at least, in mizerka at most */
export const sure = (contract, tricks) => (contract === "M" ? "≤" : "≥") + tricks;
