/**
 * <mz-exchange>: cards marked for laying down, what that brings with the others standing pat or replying, and the best.
 *
 * @typedef {import("../context.js").Context} Context
 * @typedef {import("../cards.js").Seat} Seat
 */

import { SEATS, exchanged, isPosition, positionText, readDeal } from "../cards.js";
import { draw, h, spoken } from "../dom.js";
import { signed, t } from "../i18n.js";
import { legalPart } from "../state.js";
import { meanwhile, mini, pointsOf, radios, sure, grid, tr } from "./pieces.js";
import { only } from "./values.js";

/** @param {import("../state.js").State} state @returns {Partial<Record<Seat, string[]>>} exchanges made before the seat's turn */
function earlier(state) {
  return Object.fromEntries(
    SEATS.slice(0, SEATS.indexOf(state.seat))
      .filter((seat) => state.exchange[seat].length)
      .map((seat) => [seat, state.exchange[seat]]),
  );
}

/** @param {import("../state.js").State} state @returns {import("../cards.js").Deal} as it lies when it is the seat's turn */
export const beforeExchange = (state) => exchanged(readDeal(state.subject), earlier(state));

/** @param {Context} context */
const bestQuestion = ({ state }) => ({
  deal: state.subject,
  contract: state.contract,
  seat: state.seat,
  others: state.others,
  exchanges: earlier(state),
  top: 8,
  ties: state.others === "stand",
});

export class ExchangeElement extends HTMLElement {
  /** @param {Context} context */
  update(context) {
    const { state } = context;
    if (isPosition(state.subject)) {
      draw(this, h("p", { class: "note" }, t("exchange.no-talon")));
      return;
    }
    const reply = context.get("exchange", bestQuestion(context));
    draw(
      this,
      this.#choices(context),
      h("div", { class: "box" }, this.#marked(context)),
      meanwhile(reply),
      reply.data && this.#best(context, reply.data),
      h("p", { class: "note" }, t(`exchange.${state.others}.why`)),
    );
  }

  /** @param {Context} context */
  #choices({ state, go }) {
    return [
      radios({
        name: "seat",
        label: t("exchange.seat"),
        values: SEATS,
        chosen: state.seat,
        text: (seat) => t(`seat.${seat}`),
        choose: (seat) => go({ seat, marked: state.exchange[seat] }),
      }),
      radios({
        name: "others",
        label: t("exchange.others"),
        values: /** @type {const} */ (["stand", "reply"]),
        chosen: state.others,
        text: (others) => t(`exchange.${others}`),
        choose: (others) => go({ others }),
      }),
    ];
  }

  /** @param {Context} context */
  #marked(context) {
    const { state, go } = context;
    const deal = beforeExchange(state);
    const drawn = deal.talon.slice(0, state.marked.length);
    const after = exchanged(deal, { [state.seat]: state.marked });
    const isMade = state.exchange[state.seat].join() === state.marked.join();
    return [
      h("h2", {}, state.marked.length ? t("exchange.marked", { n: state.marked.length }) : t("exchange.pat")),
      h(
        "p",
        { class: "swap" },
        state.marked.map(mini),
        state.marked.length > 0 && spoken(" → ", t("exchange.draws")),
        drawn.map(mini),
      ),
      h("p", { class: "result" }, this.#value(context, after)),
      h(
        "p",
        { class: "buttons" },
        h(
          "button",
          {
            type: "button",
            class: "primary",
            disabled: isMade,
            "data-key": "make",
            click: () => go(make(state, state.marked)),
          },
          t("exchange.make"),
        ),
        h(
          "button",
          { type: "button", disabled: state.marked.length === 0, "data-key": "clear", click: () => go({ marked: [] }) },
          t("exchange.clear"),
        ),
      ),
    ];
  }

  /** What the marked exchange brings. @param {Context} context @param {import("../cards.js").Deal} after */
  #value(context, after) {
    const { state, get } = context;
    if (state.others === "reply" && state.seat !== "R") {
      const reply = get("exchange", { ...bestQuestion(context), made: state.marked, ties: false, top: 1 });
      const made = reply.data?.made;
      if (!made) return h("span", { class: "busy" }, reply.error ?? t("searching"));
      return [
        h("b", {}, sure(state.contract, made.guaranteed)),
        made.points === null ? "" : ` ${signed(made.points)}`,
        made.cost ? h("span", { class: "costs" }, ` ${t("costs", { cost: made.cost })}`) : "",
      ];
    }
    const start = {
      hands: after.hands,
      contract: state.contract,
      leader: state.leader,
      trick: [],
      won: { F: 0, M: 0, R: 0 },
    };
    const reply = get("solve", { subject: positionText(start), equilibria: false });
    const value = only(reply.data);
    if (!value) return h("span", { class: "busy" }, reply.error ?? t("searching"));
    const best = get("exchange", bestQuestion(context)).data?.best;
    const mine = value.guaranteed[state.seat];
    const cost = best ? (best.guaranteed - mine) * (state.contract === "M" ? -1 : 1) : 0;
    return [
      h("b", {}, sure(state.contract, mine)),
      value.points.par &&
        ` ${pointsOf(value.points.guaranteed, state.seat)} · ${t("notion.par")} ${pointsOf(value.points.par, state.seat, 2)}`,
      cost > 0 ? h("span", { class: "costs" }, ` ${t("costs", { cost })}`) : "",
    ];
  }

  /** @param {Context} context @param {any} found */
  #best({ state, go }, found) {
    const more = found.n_alternatives - found.alternatives.length;
    const rows = found.alternatives.map((/** @type {any} */ option, /** @type {number} */ i) =>
      tr(option.discard.join() === state.marked.join() ? "chosen" : "", [
        h(
          "button",
          { type: "button", class: "plain", "data-key": `option-${i}`, click: () => go({ marked: option.discard }) },
          option.discard.length ? option.discard.map(mini) : t("exchange.pat"),
        ),
        sure(state.contract, option.guaranteed),
        option.points === null ? "" : signed(option.points),
        option.par === null ? "" : signed(option.par, 2),
      ]),
    );
    return [
      grid(
        "options",
        found.exact ? t("exchange.best") : t("exchange.best-so-far"),
        [t("exchange.discard"), t("tricks"), t("points"), t("notion.par")],
        rows,
      ),
      more > 0 && h("p", { class: "note" }, t("exchange.more", { n: more })),
    ];
  }
}

/** Make an exchange, and go on to the next seat's. @param {import("../state.js").State} state @param {string[]} discard @returns {Partial<import("../state.js").State>} */
function make(state, discard) {
  const later = SEATS.slice(SEATS.indexOf(state.seat) + 1);
  // What later seats laid down may not be theirs any more.
  const cleared = Object.fromEntries(later.map((seat) => [seat, []]));
  const exchange = { ...state.exchange, ...cleared, [state.seat]: discard };
  return legalPart({ ...state, exchange, seat: later[0] ?? state.seat, marked: later.length ? [] : discard });
}

customElements.define("mz-exchange", ExchangeElement);
