/** One card: a button where it can be chosen, else a picture; with a badge that says what it is worth. */

import { h } from "../dom.js";
import { SYMBOLS } from "../cards.js";
import { cardName, rankText } from "../i18n.js";

/**
 * @typedef {{text: string, level: "keeps"|"little"|"costs", label: string}} Worth
 * @typedef {object} Options
 * @property {Worth} [worth]
 * @property {(() => void) | null} [choose]  makes it a button
 * @property {boolean} [pressed]  a button that stays down
 * @property {string} [note]  said after the card's name
 * @property {string} [style]  further classes
 * @property {boolean} [draggable]
 */

/** @param {string} card @param {Options} options */
export function cardElement(card, { worth, choose, pressed, note, style = "", draggable = false } = {}) {
  const label = [cardName(card), worth?.label, note].filter(Boolean).join(", ");
  const classes = `card suit-${card[0]} ${worth?.level ?? ""} ${pressed ? "marked" : ""} ${style}`;
  const face = [
    h(
      "span",
      { class: "corner", "aria-hidden": "true" },
      h("b", { class: rankText(card[1]).length > 1 ? "two" : "" }, rankText(card[1])),
      h("i", {}, SYMBOLS[card[0]]),
    ),
    worth && h("span", { class: worth.text.length > 2 ? "worth long" : "worth", "aria-hidden": "true" }, worth.text),
  ];
  if (!choose)
    return h("span", { class: classes, role: "img", "aria-label": label, "data-card": card, draggable }, face);
  return h(
    "button",
    {
      type: "button",
      class: classes,
      "aria-pressed": pressed === undefined ? null : String(pressed),
      "data-key": `card-${card}`,
      "data-card": card,
      draggable: draggable ? "true" : null,
      click: choose,
    },
    face,
    h("span", { class: "unseen" }, label),
  );
}

/** @param {string} label */
export const cardBack = (label = "") => h("span", { class: "card back", role: "img", "aria-label": label });
