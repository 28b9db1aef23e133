/**
 * <mz-history>: the tricks so far, and those taken back; every card leads to the moment after it. Undo, redo, best play.
 *
 * @typedef {import("../context.js").Context} Context
 */

import { SEATS, positionText } from "../cards.js";
import { draw, h, spoken } from "../dom.js";
import { cardName, cardText, t } from "../i18n.js";
import { replay, seatAt } from "../rules.js";
import { continued, startOf } from "../state.js";
import { bestCard, cardsQuestion } from "./worth.js";
import { only } from "./values.js";

export class ControlsElement extends HTMLElement {
  /** @param {Context} context @param {import("../rules.js").Table} table @param {(card: string) => void} play */
  update(context, table, play) {
    const { state, go, get } = context;
    const jump = (/** @type {number} */ at) => () => go({ at: Math.max(0, Math.min(at, state.play.length)) });
    const button = (
      /** @type {string} */ key,
      /** @type {string} */ sign,
      /** @type {boolean} */ off,
      /** @type {() => void} */ click,
    ) =>
      h(
        "button",
        { type: "button", class: "icon", title: t(key), "aria-label": t(key), disabled: off, "data-key": key, click },
        sign,
      );
    const value = table.isOver ? null : only(get("solve", cardsQuestion(context, table)).data);
    const best = value?.cards?.length ? bestCard(value.cards, state.notion) : null;
    draw(
      this,
      h(
        "div",
        { class: "controls", role: "toolbar", "aria-label": t("controls") },
        button("to-start", "«", state.at === 0, jump(0)),
        button("undo", "‹", state.at === 0, jump(state.at - 1)),
        button("redo", "›", state.at === state.play.length, jump(state.at + 1)),
        button("to-end", "»", state.at === state.play.length, jump(state.play.length)),
        h(
          "button",
          { type: "button", disabled: !best, "data-key": "best", click: () => best && play(best.card) },
          t("best"),
        ),
        h(
          "button",
          { type: "button", disabled: table.isOver, "data-key": "line", click: () => this.#line(context, table) },
          t("line"),
        ),
      ),
    );
  }

  /** Put best play to the end behind the cards on the table: redo then walks through it. @param {Context} context @param {import("../rules.js").Table} table */
  async #line({ state, go }, table) {
    const { ask } = await import("../api.js");
    const answer = await ask("solve", { subject: positionText(table), lines: [table.toMove] }).catch(() => null);
    const line = only(answer)?.lines?.[table.toMove];
    if (line) go(continued(state, line));
  }
}

export class HistoryElement extends HTMLElement {
  /** @param {Context} context */
  update({ state, go }) {
    const { tricks } = replay(startOf(state), state.play);
    const before = startOf(state).trick.length;
    if (tricks.length === 0) {
      draw(this);
      return;
    }
    draw(
      this,
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          { class: "history" },
          h("caption", {}, t("tricks")),
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "col" }, h("span", { class: "unseen" }, t("record.player"))),
              tricks.map((_, i) => h("th", { scope: "col" }, i + 1)),
            ),
          ),
          h(
            "tbody",
            {},
            SEATS.map((seat) =>
              h(
                "tr",
                {},
                h("th", { scope: "row", title: t(`seat.${seat}`) }, seat),
                tricks.map((trick, i) => h("td", {}, this.#step(state, go, trick, seat, 3 * i - before))),
              ),
            ),
          ),
        ),
      ),
    );
    // Sideways only: the page itself must not jump.
    const [scroll, now] = [
      this.querySelector(".scroll"),
      /** @type {HTMLElement | null} */ (this.querySelector(".now")),
    ];
    if (scroll && now) scroll.scrollLeft = now.offsetLeft - scroll.clientWidth / 2;
  }

  /** @param {import("../state.js").State} state @param {Context["go"]} go @param {import("../rules.js").Trick} trick @param {import("../cards.js").Seat} seat @param {number} before cards before the trick */
  #step(state, go, trick, seat, before) {
    const place = [0, 1, 2].findIndex((n) => seatAt(trick, n) === seat);
    const card = trick.cards[place];
    if (!card) return "";
    const at = before + place + 1;
    const classes = `mini suit-${card[0]} ${trick.winner === seat ? "won" : ""} ${at > state.at ? "undone" : ""} ${at === state.at ? "now" : ""}`;
    return h(
      "button",
      {
        type: "button",
        class: classes,
        disabled: at < 1,
        "aria-current": at === state.at ? "step" : null,
        "data-key": `step-${at}`,
        click: () => go({ at }),
      },
      spoken([place === 0 && h("i", { class: "lead" }, "›"), cardText(card)], t("jump", { card: cardName(card) })),
    );
  }
}

customElements.define("mz-controls", ControlsElement);
customElements.define("mz-history", HistoryElement);
