/**
 * <mz-values>: what each contract is worth to each seat, the 6 × 3 table; a row chooses its contract.
 *
 * @typedef {import("../context.js").Context} Context
 * @typedef {import("../context.js").Reply} Reply
 * @typedef {import("../cards.js").Contract} Contract
 * @typedef {import("../cards.js").Seat} Seat
 */

import { CONTRACTS, SEATS, isPosition, isWhole, points, positionText } from "../cards.js";
import { draw, h, spoken } from "../dom.js";
import { number, signed, t } from "../i18n.js";
import { NOTIONS, legalPart, startOf } from "../state.js";
import { meanwhile, pointsOf, radios, sure, grid, tr } from "./pieces.js";

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
    /** @type {Contract[]} */
    const contracts = isOne ? [startOf(state).contract] : CONTRACTS;
    const replies = this.#replies(context, contracts);
    const head = SEATS.map((seat) => h("th", { scope: "col", title: t(`seat.${seat}`) }, seat));
    draw(
      this,
      radios({
        name: "notion",
        label: t("notion"),
        values: NOTIONS,
        chosen: state.notion,
        text: (notion) => t(`notion.${notion}`),
        why: (notion) => t(`notion.${notion}.why`),
        choose: (notion) => go({ notion }, true),
        style: "notions",
      }),
      grid(
        "values",
        t(`values.caption.${state.notion}`),
        [t("contract"), ...head],
        contracts.map((contract) => this.#row(context, contract, /** @type {Reply} */ (replies.get(contract)))),
      ),
      !isOne &&
        h(
          "div",
          { class: "leader" },
          h("span", { "aria-hidden": "true" }, t("leads")),
          radios({
            name: "leader",
            label: t("leads"),
            values: SEATS,
            chosen: state.leader,
            text: (seat) => spoken(seat, t(`seat.${seat}`)),
            why: (seat) => t(`seat.${seat}`),
            choose: (leader) => go(legalPart({ ...state, leader })),
          }),
        ),
      this.#note(context, [...replies.values()]),
    );
  }

  /**
   * What is known of each contract. Exhaustive searches take seconds: the contract that is looked at comes first, then one
   * after the other, so that a click never waits behind all of them.
   * @param {Context} context @param {Contract[]} contracts @returns {Map<Contract, Reply>}
   */
  #replies(context, contracts) {
    const { notion, contract: chosen } = context.state;
    const expected = notion === "expected";
    const order = expected ? [...contracts].sort((a, b) => Number(b === chosen) - Number(a === chosen)) : contracts;
    /** @type {Map<Contract, Reply>} */
    const found = new Map();
    for (const contract of order) {
      const isNext = !expected || [...found.values()].every((reply) => !reply.waiting);
      const question = startQuestion(context, contract, expected);
      found.set(contract, isNext ? context.get("solve", question) : { waiting: true });
    }
    return found;
  }

  /** @param {Context} context @param {Contract} contract @param {Reply} reply */
  #row({ state, go }, contract, reply) {
    const chosen = isPosition(state.subject) || contract === state.contract;
    const value = only(reply.data);
    const choose = () => go(legalPart({ ...state, contract }));
    const name = h(
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
    );
    const cells = SEATS.map((seat) =>
      reply.waiting ? h("td", { class: "waiting" }, "·") : h("td", {}, this.#cell(state.notion, contract, value, seat)),
    );
    return tr(chosen ? "chosen" : "", [name, ...cells]);
  }

  /** @param {string} notion @param {Contract} contract @param {any} value @param {Seat} seat */
  #cell(notion, contract, value, seat) {
    if (!value) return h("span", { class: "later" }, "–");
    if (notion === "guaranteed")
      return [
        h("b", {}, sure(contract, value.guaranteed[seat])),
        " ",
        h("small", {}, pointsOf(value.points.guaranteed, seat)),
      ];
    if (notion === "par") return pointsOf(value.points.par, seat, 2) || "?";
    if (!value.expected) return "?";
    const tricks = value.expected[seat];
    const worth = isWhole(Object.values(value.expected)) ? signed(points(contract, seat, tricks), 1) : "";
    return [h("b", {}, number(tricks, 2)), " ", h("small", {}, worth)];
  }

  /** @param {Context} context @param {Reply[]} replies */
  #note({ state }, replies) {
    const failed = replies.find((reply) => reply.error);
    if (failed) return meanwhile(failed);
    const waiting = replies.find((reply) => reply.waiting);
    if (waiting && state.notion === "expected") return meanwhile(waiting);
    return h("p", { class: "note" }, t(`notion.${state.notion}.why`));
  }
}

customElements.define("mz-values", ValuesElement);

/** <mz-contract>: one of six contracts, where the table of values has no room. */
class ContractElement extends HTMLElement {
  /** @param {Context} context */
  update({ state, go }) {
    const fixed = isPosition(state.subject);
    draw(
      this,
      radios({
        name: "contract",
        label: t("contract"),
        values: CONTRACTS,
        chosen: fixed ? startOf(state).contract : state.contract,
        text: (contract) =>
          spoken(h("span", { class: `suit-${contract}` }, t(`contract.${contract}.sign`)), t(`contract.${contract}`)),
        why: (contract) => t(`contract.${contract}`),
        choose: (contract) => go(legalPart({ ...state, contract })),
        disabled: fixed,
        style: "contracts",
      }),
    );
  }
}

customElements.define("mz-contract", ContractElement);
