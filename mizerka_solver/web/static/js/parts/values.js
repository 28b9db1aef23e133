/**
 * <mz-values>: what each contract is worth to each seat, the 6 × 3 table; a row chooses its contract.
 *
 * @typedef {import("../context.js").Context} Context
 */

import { CONTRACTS, SEATS, isPosition } from "../cards.js";
import { waitingText } from "../context.js";
import { draw, h } from "../dom.js";
import { number, signed, t } from "../i18n.js";
import { NOTIONS, legalPart, startOf } from "../state.js";
import { positionText } from "../cards.js";

/** @param {Context} context @param {import("../cards.js").Contract} contract the question about one contract's start */
export function startQuestion({ state }, contract, equilibria = false) {
  if (isPosition(state.subject)) return { subject: state.subject, equilibria };
  const text = positionText(startOf({ ...state, contract }));
  return { subject: text, equilibria };
}

/** @param {any} data a reply's data @returns {any} the value of its only contract */
export const only = (data) => data && Object.values(data.contracts)[0];

export class ValuesElement extends HTMLElement {
  /** @param {Context} context */
  update(context) {
    const { state, go } = context;
    const isOne = isPosition(state.subject);
    const contracts = isOne ? [startOf(state).contract] : CONTRACTS;
    draw(
      this,
      h(
        "div",
        { class: "choice notions", role: "radiogroup", "aria-label": t("notion") },
        NOTIONS.map((notion) =>
          h(
            "label",
            { class: "radio", title: t(`notion.${notion}.why`) },
            h("input", {
              type: "radio",
              name: "notion",
              checked: state.notion === notion,
              "data-key": `notion-${notion}`,
              change: () => go({ notion }, true),
            }),
            h("span", {}, t(`notion.${notion}`)),
          ),
        ),
      ),
      h(
        "table",
        { class: "values" },
        h("caption", {}, t(`values.caption.${state.notion}`)),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, t("contract")),
            SEATS.map((seat) => h("th", { scope: "col", title: t(`seat.${seat}`) }, seat)),
          ),
        ),
        h(
          "tbody",
          {},
          contracts.map((contract) => this.#row(context, contract)),
        ),
      ),
      this.#note(context),
    );
  }

  /** @param {Context} context @param {import("../cards.js").Contract} contract */
  #row(context, contract) {
    const { state, go } = context;
    const chosen = isPosition(state.subject) || contract === state.contract;
    // Exhaustive searches take seconds: only for the contract that is looked at.
    const reply =
      state.notion === "expected"
        ? chosen
          ? context.get("solve", startQuestion(context, contract, true))
          : { waiting: false }
        : context.get("solve", startQuestion(context, contract));
    const value = only(reply.data);
    const choose = () => go(legalPart({ ...state, contract }));
    return h(
      "tr",
      { class: chosen ? "chosen" : "" },
      h(
        "th",
        { scope: "row" },
        h(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-pressed": String(chosen),
            "data-key": `contract-${contract}`,
            click: choose,
          },
          h("b", { class: `sign suit-${contract}`, "aria-hidden": "true" }, t(`contract.${contract}.sign`)),
          h("span", {}, t(`contract.${contract}`)),
        ),
      ),
      SEATS.map((seat) =>
        h(
          "td",
          { class: reply.waiting ? "waiting" : "" },
          reply.waiting ? "·" : this.#cell(state.notion, contract, value, seat),
        ),
      ),
    );
  }

  /** @param {string} notion @param {string} contract @param {any} value @param {string} seat */
  #cell(notion, contract, value, seat) {
    if (!value) return h("span", { class: "later" }, "–");
    if (notion === "guaranteed") {
      const points = value.points.guaranteed[seat];
      return [
        h("b", {}, `${contract === "M" ? "≤" : "≥"}${value.guaranteed[seat]}`),
        " ",
        h("small", {}, signed(points)),
      ];
    }
    if (notion === "par") return value.points.par ? signed(value.points.par[seat], 2) : "?";
    return value.expected ? number(value.expected[seat], 2) : "?";
  }

  /** @param {Context} context */
  #note(context) {
    const { state } = context;
    const expected = state.notion === "expected";
    const reply = context.get("solve", startQuestion(context, startOf(state).contract, expected));
    if (reply.error) return h("p", { class: "error", role: "alert" }, reply.error);
    if (reply.waiting && expected)
      return h("p", { class: "note busy", role: "status" }, waitingText(reply, t("searching")));
    return h("p", { class: "note" }, t(`notion.${state.notion}.why`));
  }
}

customElements.define("mz-values", ValuesElement);
