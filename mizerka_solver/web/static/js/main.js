/**
 * The page: one state, drawn anew whenever it changes or an answer comes. The address after `#` is that state.
 *
 * @typedef {import("./state.js").State} State
 */

import { isPosition, swapped, dealText, positionText, readPosition } from "./cards.js";
import { Answers } from "./context.js";
import { draw, h, say } from "./dom.js";
import { LANGUAGES, cardName, language, preferred, remember, t, use } from "./i18n.js";
import { played } from "./rules.js";
import { EMPTY, VIEWS, dealAfter, dealOf, hashOf, legalPart, readHash, tableOf } from "./state.js";
import { beforeExchange } from "./parts/exchange.js";
import { worthOf } from "./parts/worth.js";
import "./parts/dealbar.js";
import "./parts/equilibria.js";
import "./parts/history.js";
import "./parts/play.js";
import "./parts/record.js";
import "./parts/table.js";
import "./parts/values.js";

/** @typedef {import("./parts/table.js").TableElement} TableElement */

/** Answers that come while a button is pressed or a card dragged wait: what is under the pointer must not be replaced. */
class Pointer {
  constructor() {
    this.pressed = false;
    this.dragging = false;
    /** @type {(() => void) | null} */
    this.waiting = null;
    const set = (/** @type {"pressed" | "dragging"} */ name, /** @type {boolean} */ value) => () => {
      this[name] = value;
      setTimeout(() => this.when(this.waiting));
    };
    addEventListener("pointerdown", set("pressed", true), true);
    addEventListener("pointerup", set("pressed", false), true);
    addEventListener("pointercancel", set("pressed", false), true);
    addEventListener("dragstart", set("dragging", true), true);
    addEventListener("dragend", set("dragging", false), true);
    addEventListener("drop", set("dragging", false), true);
  }

  /** Do something now, or when the hand is free. @param {(() => void) | null} action */
  when(action) {
    this.waiting = this.pressed || this.dragging ? action : null;
    if (!this.waiting) action?.();
  }
}

class Page {
  constructor() {
    this.state = fromAddress();
    const hand = new Pointer();
    this.drawsSoon = false;
    this.answers = new Answers(() => this.#soon(hand));
    this.editing = false;
    /** @type {string | null} the card picked first when two change places */
    this.picked = null;
    this.begun = false;
  }

  /** Draw before the next frame: answers often come several at a time. @param {Pointer} hand */
  #soon(hand) {
    if (this.drawsSoon) return;
    this.drawsSoon = true;
    requestAnimationFrame(() => {
      this.drawsSoon = false;
      hand.when(() => this.draw());
    });
  }

  // Changing

  /** @param {Partial<State>} change @param {boolean} [quietly] no new step in the browser's history */
  go(change, quietly = false) {
    this.state = { ...this.state, ...change };
    if (!this.state.subject || isPosition(this.state.subject))
      this.editing = this.editing && Boolean(this.state.subject);
    const hash = hashOf(this.state);
    if (hash !== location.hash) history[quietly ? "replaceState" : "pushState"](null, "", hash);
    this.draw();
  }

  /** @param {string} card */
  play(card) {
    const { state } = this;
    const table = tableOf(state);
    const seat = t(`seat.${table.toMove}`);
    const same = state.play[state.at] === card;
    const play = same ? state.play : [...state.play.slice(0, state.at), card];
    const after = played(table, card);
    const turn = after.isOver ? t("over") : t("turn-of", { seat: t(`seat.${after.toMove}`) });
    say(`${t("played", { seat, card: cardName(card) })} ${turn}`);
    this.go({ play, at: state.at + 1 });
    // The card is gone: the keyboard goes on with the next seat's.
    /** @type {HTMLElement | null} */ (document.querySelector("mz-table button.card.playable"))?.focus({
      preventScroll: true,
    });
  }

  /** @param {string} a @param {string} b two cards change places */
  swap(a, b) {
    this.picked = null;
    const { state } = this;
    let subject;
    if (isPosition(state.subject)) {
      const at = readPosition(state.subject);
      subject = positionText({ ...at, hands: swapped({ hands: at.hands, talon: [] }, a, b).hands });
    } else subject = dealText(swapped(dealOf(state), a, b));
    say(t("swapped", { a: cardName(a), b: cardName(b) }));
    this.go({
      ...EMPTY,
      view: state.view,
      notion: state.notion,
      contract: state.contract,
      leader: state.leader,
      subject,
    });
  }

  // Drawing

  draw() {
    this.answers.begin();
    this.#header();
    const main = /** @type {HTMLElement} */ (document.getElementById("main"));
    const isPlay = this.state.view === "play";
    if (main.dataset.view !== this.state.view) {
      main.dataset.view = this.state.view;
      main.replaceChildren(...(isPlay ? [h("mz-play", {})] : [h("mz-deal-bar", {}), h("div", { class: "body" })]));
    }
    try {
      if (isPlay)
        /** @type {import("./parts/play.js").PlayElement} */ (main.querySelector("mz-play")).update((change) =>
          this.go(change),
        );
      else this.#analysis(main);
    } catch (error) {
      // Most likely a link that was cut off: say so rather than show nothing.
      if (!this.state.subject) throw error;
      draw(
        /** @type {Element} */ (main.querySelector(".body") ?? main),
        h("p", { class: "error", role: "alert" }, t("error.link")),
      );
    }
    this.answers.end();
  }

  #header() {
    const { state } = this;
    const header = /** @type {Element} */ (document.getElementById("header"));
    draw(
      header,
      h(
        "a",
        { class: "brand", href: "#analyse", "aria-label": "Mizerka", "data-key": "brand" },
        h("span", { "aria-hidden": "true" }, "♠"),
        h("b", {}, "Mizerka"),
      ),
      h("h1", { class: "unseen" }, `Mizerka – ${t(`view.${state.view}`)}`),
      h(
        "nav",
        { "aria-label": t("views") },
        VIEWS.map((view) =>
          h(
            "a",
            {
              href: hashOf({ ...state, view, marked: view === "exchange" ? state.exchange[state.seat] : [] }),
              "aria-current": view === state.view ? "page" : null,
              "data-key": `view-${view}`,
            },
            t(`view.${view}`),
          ),
        ),
      ),
      h("label", { class: "language" }, h("span", { class: "unseen" }, t("language")), this.#languages()),
    );
    document.title = `Mizerka – ${t(`view.${state.view}`)}`;
    /** @type {Element} */ (document.getElementById("skip")).textContent = t("skip");
  }

  #languages() {
    const select = h(
      "select",
      { "data-key": "language", change: () => this.speak(select.value) },
      Object.entries(LANGUAGES).map(([tag, name]) =>
        h("option", { value: tag, selected: tag === language, lang: tag }, name),
      ),
    );
    return select;
  }

  /** @param {string} tag */
  async speak(tag) {
    await use(tag);
    remember(tag);
    const main = /** @type {HTMLElement} */ (document.getElementById("main"));
    main.dataset.view = "";
    this.draw();
  }

  /** @param {Element} main */
  #analysis(main) {
    const { state } = this;
    const bar = /** @type {import("./parts/dealbar.js").DealBarElement} */ (main.querySelector("mz-deal-bar"));
    const go = this.go.bind(this);
    bar.update({ state, go, editing: this.editing, edit: () => this.#edit() });
    const body = /** @type {Element} */ (main.querySelector(".body"));
    if (!state.subject) {
      draw(body, h("p", { class: "note welcome" }, t("welcome")));
      if (!this.begun) bar.random("", true);
      this.begun = true;
      return;
    }
    if (!body.querySelector(".layout")) {
      const stage = h(
        "div",
        { class: "stage" },
        h("p", { class: "hint-line" }),
        h("mz-table", {}),
        h("mz-controls", {}),
        h("mz-history", {}),
      );
      draw(body, h("div", { class: "layout" }, stage, h("aside", { class: "panel", "aria-label": t("panel") })));
    }
    const context = { state, go: this.go.bind(this), get: this.answers.get.bind(this.answers) };
    const table = tableOf(state);
    this.#stage(body, context, table);
    this.#panel(/** @type {Element} */ (body.querySelector(".panel")), context, table);
  }

  #edit() {
    this.editing = !this.editing;
    this.picked = null;
    this.draw();
  }

  /** @param {Element} body @param {import("./context.js").Context} context @param {import("./rules.js").Table} table */
  #stage(body, context, table) {
    const { state } = this;
    const isExchange = state.view === "exchange" && !isPosition(state.subject);
    const element = /** @type {TableElement} */ (body.querySelector("mz-table"));
    const names = Object.fromEntries(state.players.map((name, i) => ["FMR"[i], `${t(`seat.${"FMR"[i]}`)} · ${name}`]));
    const line = /** @type {Element} */ (body.querySelector(".hint-line"));
    const usual = { talon: [], bottom: /** @type {const} */ ("F"), names };
    line.textContent = this.editing ? t("edit.how") : isExchange ? t("exchange.how") : "";
    const controls = /** @type {import("./parts/history.js").ControlsElement} */ (body.querySelector("mz-controls"));
    const past = /** @type {import("./parts/history.js").HistoryElement} */ (body.querySelector("mz-history"));
    controls.hidden = past.hidden = this.editing || isExchange;
    if (this.editing) {
      const deal = dealOf(state);
      element.update({
        ...usual,
        table: { ...tableOf({ ...state, at: 0 }), hands: deal.hands },
        talon: deal.talon,
        starting: true,
        marked: new Set(this.picked ? [this.picked] : []),
        choice: (card) => () => this.#pick(card),
        swap: (a, b) => this.swap(a, b),
      });
    } else if (isExchange) {
      const deal = beforeExchange(state);
      const marked = new Set([...state.marked, ...deal.talon.slice(0, state.marked.length)]);
      const full = state.marked.length >= deal.talon.length;
      element.update({
        ...usual,
        table: { ...tableOf({ ...state, at: 0 }), hands: deal.hands },
        talon: deal.talon,
        starting: true,
        marked,
        choice: (card, seat) =>
          seat === state.seat && (!full || state.marked.includes(card)) ? () => this.#mark(card) : null,
      });
    } else {
      const worth =
        state.view === "equilibria"
          ? worthOf({ ...context, state: { ...state, notion: "expected" } }, table)
          : worthOf(context, table);
      const talon = isPosition(state.subject) || state.at > 0 ? [] : dealAfter(state).talon;
      element.update({
        ...usual,
        table,
        talon,
        worth,
        choice: (card, seat) => (seat === table.toMove && table.legal.includes(card) ? () => this.play(card) : null),
      });
      controls.update(context, table, (card) => this.play(card));
      past.update(context);
    }
  }

  /** @param {string} card */
  #pick(card) {
    if (this.picked && this.picked !== card) return this.swap(this.picked, card);
    this.picked = this.picked ? null : card;
    return this.draw();
  }

  /** @param {string} card */
  #mark(card) {
    const { marked } = this.state;
    this.go({ marked: marked.includes(card) ? marked.filter((other) => other !== card) : [...marked, card] }, true);
  }

  /** @param {Element} panel @param {import("./context.js").Context} context @param {import("./rules.js").Table} table */
  #panel(panel, context, table) {
    const { view } = this.state;
    const wanted = {
      analyse: ["mz-values", "mz-cards"],
      exchange: ["mz-contract", "mz-exchange"],
      equilibria: ["mz-contract", "mz-equilibria"],
      record: ["mz-record"],
      play: [],
    }[view];
    if ([...panel.children].map((child) => child.localName).join() !== wanted.join())
      panel.replaceChildren(...wanted.map((name) => document.createElement(name)));
    for (const child of panel.children) {
      const part = /** @type {any} */ (child);
      if (child.localName === "mz-cards") part.update(context, table, (/** @type {string} */ card) => this.play(card));
      else if (child.localName === "mz-equilibria") part.update(context, table);
      else part.update(context);
    }
  }
}

/** @returns {State} what the address says; of a link that plays an illegal card, the part before it */
function fromAddress() {
  const state = readHash(location.hash);
  try {
    return legalPart(state);
  } catch {
    return state;
  }
}

await use(preferred());
const page = new Page();
addEventListener("popstate", () => {
  page.state = fromAddress();
  page.draw();
});
document.getElementById("skip")?.addEventListener("click", (event) => {
  event.preventDefault(); // the address is the state's
  document.getElementById("main")?.focus();
});
addEventListener("keydown", (event) => {
  const undo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
  if (!undo || /** @type {Element} */ (event.target).matches("input, select")) return;
  const at = page.state.at + (event.shiftKey ? 1 : -1);
  if (at >= 0 && at <= page.state.play.length) page.go({ at });
  event.preventDefault();
});
page.draw();
