/**
 * What each playable card is worth: badges for the table, and <mz-cards>, which says who profits from a mistake.
 *
 * @typedef {import("../context.js").Context} Context
 * @typedef {import("./card.js").Worth} Worth
 * @typedef {import("../rules.js").Table} Table
 */

import { SEATS, positionText } from "../cards.js";
import { draw, h } from "../dom.js";
import { cardText, number, signed, t } from "../i18n.js";
import { button, meanwhile, grid, tr } from "./pieces.js";
import { only } from "./values.js";

const NOTHING = 0.0005; // what rounding may leave of a cost

/** @param {Context} context @param {Table} table */
export const cardsQuestion = ({ state }, table) => ({
  subject: positionText(table),
  cards: true,
  equilibria: state.notion === "expected",
});

/** @param {string} notion @param {any} card @returns {number | null} */
export function costOf(notion, card) {
  if (notion === "par") return card.par_cost;
  return notion === "expected" ? (card.expected_cost ?? null) : card.cost;
}

/** @param {string} notion @param {any} value @param {any} card @param {string} seat @returns {string} what the seat has after the card */
function worthText(notion, value, card, seat) {
  if (notion === "par")
    return card.par_cost === null || !value.points.par ? "?" : signed(value.points.par[seat] - card.par_cost, 1);
  if (notion === "expected") return card.expected ? number(card.expected[seat], 1) : "?";
  return String(card.guaranteed[seat]);
}

/** @param {number | null} cost @returns {"keeps"|"little"|"costs"} */
export const levelOf = (cost) => (cost === null || cost < NOTHING ? "keeps" : cost < 1 ? "little" : "costs");

/** @param {string} notion @param {number} cost */
export const costText = (notion, cost) => signed(-cost, notion === "guaranteed" ? 0 : 2);

/** @param {Context} context @param {Table} table @returns {Map<string, Worth>} */
export function worthOf(context, table) {
  const { notion } = context.state;
  const value = only(context.get("solve", cardsQuestion(context, table)).data);
  /** @type {Map<string, Worth>} */
  const found = new Map();
  for (const card of value?.cards ?? []) {
    const cost = costOf(notion, card);
    const text = worthText(notion, value, card, table.toMove);
    const label = [
      t(`worth.${notion}`, { worth: text }),
      cost === null
        ? ""
        : cost < NOTHING
          ? t("keeps")
          : t("costs", { cost: number(cost, notion === "guaranteed" ? 0 : 2) }),
    ].join(", ");
    found.set(card.card, { text, level: levelOf(cost), label });
  }
  return found;
}

/** @param {any[]} cards @param {string} notion @returns {any} the best card, the lowest of equals */
export function bestCard(cards, notion) {
  const low = (/** @type {any} */ card) => -"AKQJT98765432".indexOf(card.card[1]);
  return [...cards].sort((a, b) => (costOf(notion, a) ?? 0) - (costOf(notion, b) ?? 0) || low(a) - low(b))[0];
}

export class CardsElement extends HTMLElement {
  /** @param {Context} context @param {Table} at @param {(card: string) => void} play */
  update(context, at, play) {
    const { notion } = context.state;
    if (at.isOver) {
      draw(this);
      return;
    }
    const reply = context.get("solve", cardsQuestion(context, at));
    const value = only(reply.data);
    const seat = at.toMove;
    const others = SEATS.filter((other) => other !== seat);
    const caption = t("cards.caption", { seat: t(`seat.${seat}`) });
    if (!value) {
      draw(this, grid("cards", caption, [], []), meanwhile(reply));
      return;
    }
    const gains = others.map((other) =>
      h("th", { scope: "col", title: t("gains", { seat: t(`seat.${other}`) }) }, other),
    );
    const rows = grouped(value.cards, notion).map(({ cards, first, cost }) =>
      tr(levelOf(cost), [
        cards.map((/** @type {any} */ { card }) =>
          button(cardText(card), () => play(card), { class: `mini suit-${card[0]}`, "data-key": `mini-${card}` }),
        ),
        worthText(notion, value, first, seat),
        h("b", {}, cost === null ? "?" : Math.abs(cost) < NOTHING ? t("keeps-short") : costText(notion, cost)),
        ...others.map((other) => h("td", { class: "gain" }, gainText(notion, first, other))),
      ]),
    );
    draw(
      this,
      grid("cards", caption, [t("card-column"), t(`worth-column.${notion}`), t("cost"), ...gains], rows),
      h("p", { class: "note" }, t("gains.why", { seats: others.map((other) => t(`seat.${other}`)).join(", ") })),
    );
  }
}

/** @param {any[]} cards @param {string} notion cards that are worth the same, together; the best first */
function grouped(cards, notion) {
  /** @type {Map<string, {cards: any[], first: any, cost: number | null}>} */
  const groups = new Map();
  for (const card of cards) {
    const change =
      notion === "expected"
        ? card.expected_transfer
        : notion === "par"
          ? [card.par_cost, card.transfer]
          : card.transfer;
    const key = JSON.stringify([costOf(notion, card), change]);
    const group = groups.get(key);
    if (group) group.cards.push(card);
    else groups.set(key, { cards: [card], first: card, cost: costOf(notion, card) });
  }
  return [...groups.values()].sort((a, b) => (a.cost ?? 0) - (b.cost ?? 0));
}

/** @param {string} notion @param {any} card @param {string} seat what the card gives another seat, in points */
function gainText(notion, card, seat) {
  const given = notion === "expected" ? card.expected_transfer?.[seat] : card.transfer?.[seat];
  if (!given || Math.abs(given) < NOTHING) return "";
  return signed(given, notion === "expected" ? 2 : 0);
}

customElements.define("mz-cards", CardsElement);
