/**
 * <mz-table>: three hands around a table, the trick in the middle, tricks won against targets, and the talon.
 *
 * Which cards can be chosen, and what then happens, is up to its owner.
 *
 * @typedef {import("../cards.js").Seat} Seat
 * @typedef {import("./card.js").Worth} Worth
 * @typedef {object} Shown
 * @property {import("../rules.js").Table} table
 * @property {string[]} talon
 * @property {Seat} bottom  the seat drawn nearest
 * @property {Partial<Record<Seat, string>>} names
 * @property {Partial<Record<Seat, number>>} [hidden]  seats whose cards are not seen, and how many they hold
 * @property {(card: string, seat: Seat | "T") => (() => void) | null} choice  what choosing a card does, if it can be chosen
 * @property {Map<string, Worth>} [worth]
 * @property {Set<string>} [marked]  pressed cards; all that can be chosen are then buttons that stay down
 * @property {((a: string, b: string) => void) | null} [swap]  cards may be dragged onto each other
 * @property {boolean} [starting]  before play: no turn, no trick
 * @property {boolean} [unnamed]  there is no contract yet
 */

import { next, target } from "../cards.js";
import { draw, h } from "../dom.js";
import { t } from "../i18n.js";
import { seatAt } from "../rules.js";
import { cardBack, cardElement } from "./card.js";

export class TableElement extends HTMLElement {
  constructor() {
    super();
    this.addEventListener("keydown", (event) => this.#walk(event));
    this.addEventListener("dragstart", (event) => this.#drag(event));
    this.addEventListener("dragover", (event) => this.#over(event));
    this.addEventListener("drop", (event) => this.#drop(event));
    /** @type {Shown | null} */
    this.shown = null;
  }

  /** @param {Shown} shown */
  update(shown) {
    this.shown = shown;
    const left = next(shown.bottom);
    draw(
      this,
      h(
        "div",
        { class: "felt" },
        this.#seat(shown, left, "left"),
        this.#seat(shown, next(left), "right"),
        this.#middle(shown, left),
        this.#seat(shown, shown.bottom, "bottom"),
      ),
      shown.talon.length > 0 && this.#talon(shown),
    );
  }

  /** @param {Shown} shown @param {Seat} seat @param {string} place */
  #seat(shown, seat, place) {
    const { table, hidden, names } = shown;
    const isTurn = !shown.starting && !table.isOver && table.toMove === seat;
    const name = names[seat];
    const cards = table.hands[seat];
    const n = hidden?.[seat];
    return h(
      "section",
      { class: `seat ${place} ${isTurn ? "turn" : ""}`, "aria-label": t(`seat.${seat}`) },
      h(
        "header",
        {},
        h("span", { class: "letter", "aria-hidden": "true" }, seat),
        h("span", { class: "name" }, name ?? t(`seat.${seat}`)),
        isTurn && h("span", { class: "to-play" }, t("to-play")),
        !shown.unnamed && this.#score(table, seat),
      ),
      h(
        "div",
        { class: "hand", role: "group", "aria-label": t("hand-of", { seat: t(`seat.${seat}`) }) },
        n === undefined
          ? cards.map((card) => h("span", { class: "slot" }, this.#card(shown, card, seat, isTurn)))
          : Array.from({ length: n }, () => h("span", { class: "slot" }, cardBack(t("hidden-card")))),
      ),
    );
  }

  /** @param {Shown} shown @param {string} card @param {Seat | "T"} seat @param {boolean} isTurn */
  #card(shown, card, seat, isTurn) {
    const choose = shown.choice(card, seat);
    const pressed = shown.marked && choose ? shown.marked.has(card) : shown.marked?.has(card) || undefined;
    const style = isTurn && choose ? "playable" : isTurn && !choose && !shown.starting ? "barred" : "";
    return cardElement(card, {
      worth: shown.worth?.get(card),
      choose,
      pressed,
      style,
      draggable: Boolean(shown.swap && choose),
    });
  }

  /** @param {import("../rules.js").Table} table @param {Seat} seat */
  #score(table, seat) {
    const [won, wanted] = [table.won[seat], target(table.contract, seat)];
    const pips = Array.from({ length: Math.max(won, wanted) }, (_, i) =>
      h("i", { class: i < won ? (i < wanted ? "won" : "over") : "open" }),
    );
    return h(
      "span",
      { class: "score", title: t("score", { won, target: wanted }) },
      h("span", { class: "pips", "aria-hidden": "true" }, pips),
      h(
        "span",
        { class: "count" },
        h("span", { "aria-hidden": "true" }, `${won}/${wanted}`),
        h("span", { class: "unseen" }, t("score", { won, target: wanted })),
      ),
    );
  }

  /** @param {Shown} shown @param {Seat} left */
  #middle(shown, left) {
    const { table } = shown;
    const last = table.tricks.at(-1);
    const isOpen = table.trick.length > 0;
    const done = table.won.F + table.won.M + table.won.R;
    const total = done + table.hands[table.toMove].length;
    const n = Math.min(done + 1, total);
    const cards = (shown.starting ? [] : (last?.cards ?? [])).map((card, place) => {
      const seat = last ? seatAt(last, place) : "F";
      const where = seat === shown.bottom ? "bottom" : seat === left ? "left" : "right";
      return h(
        "span",
        { class: `laid ${where} ${last?.winner === seat ? "winner" : ""}` },
        cardElement(card, { note: t(`seat.${seat}`) }),
      );
    });
    return h(
      "div",
      { class: `trick ${isOpen ? "" : "done"}`, role: "group", "aria-label": t("trick") },
      !shown.unnamed &&
        h(
          "p",
          { class: "contract-mark" },
          h("b", { class: `suit-${table.contract}` }, t(`contract.${table.contract}.sign`)),
          h("span", {}, t(`contract.${table.contract}`)),
          !shown.starting && h("small", {}, table.isOver ? t("over") : t("trick-n", { n, total })),
        ),
      h("div", { class: "laid-cards" }, cards),
    );
  }

  /** @param {Shown} shown */
  #talon(shown) {
    return h(
      "section",
      { class: "talon", "aria-label": t("talon") },
      h("header", {}, h("span", { class: "name" }, t("talon")), h("small", {}, t("talon-order"))),
      h(
        "div",
        { class: "hand", role: "group", "aria-label": t("talon") },
        shown.talon.map((card) => h("span", { class: "slot" }, this.#card(shown, card, "T", false))),
      ),
    );
  }

  /** Arrow keys walk through the cards that can be chosen. @param {KeyboardEvent} event */
  #walk(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const here = /** @type {HTMLElement} */ (event.target);
    if (!step || !here.matches("button.card")) return;
    const cards = /** @type {HTMLElement[]} */ ([...this.querySelectorAll("button.card")]);
    cards[(cards.indexOf(here) + step + cards.length) % cards.length].focus();
    event.preventDefault();
  }

  /** @param {Event} event @returns {string | undefined} */
  #cardAt(event) {
    return /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-card]"))?.dataset
      .card;
  }

  /** @param {DragEvent} event */
  #drag(event) {
    const card = this.#cardAt(event);
    if (card && this.shown?.swap) event.dataTransfer?.setData("text/x-card", card);
  }

  /** @param {DragEvent} event */
  #over(event) {
    if (this.shown?.swap && this.#cardAt(event)) event.preventDefault();
  }

  /** @param {DragEvent} event */
  #drop(event) {
    const [from, to] = [event.dataTransfer?.getData("text/x-card"), this.#cardAt(event)];
    if (from && to && from !== to) this.shown?.swap?.(from, to);
    event.preventDefault();
  }
}

customElements.define("mz-table", TableElement);
