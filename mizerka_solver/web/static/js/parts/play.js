/**
 * <mz-play>: a game against bots: one seat is yours, the others' cards are hidden; hints, score sheet, and the review after.
 *
 * The server holds nothing of the game: its token is kept here, and in the browser's storage, so that a reload goes on.
 *
 * @typedef {import("../cards.js").Seat} Seat
 * @typedef {import("../cards.js").Contract} Contract
 * @typedef {import("../state.js").State} State
 */

import { CONTRACTS, SEATS, hand, sorted } from "../cards.js";
import { ask } from "../api.js";
import { errorText } from "../context.js";
import { download, draw, h, say } from "../dom.js";
import { cardName, signed, t } from "../i18n.js";
import { seatAt, table as tableAt, winnerOf } from "../rules.js";
import { exchangedBox, hintBox, scoreSheet, setupForm } from "./beside.js";
import { stateOfRecord } from "./dealbar.js";

const KEY = "mizerka.game";
const [STEP, TRICK_END] = [420, 1000]; // milliseconds a card, and a full trick, are looked at

export class PlayElement extends HTMLElement {
  constructor() {
    super();
    /** @type {any} the server's last answer */
    this.game = null;
    /** @type {string[]} */
    this.records = [];
    this.shown = 0;
    /** @type {Set<string>} */
    this.marked = new Set();
    /** @type {any} */
    this.hint = null;
    this.busy = false;
    this.error = "";
    /** @type {string[]} */
    this.bots = ["search", "learned", "sampling", "rule", "random"];
    this.timer = 0;
    /** @type {((change: Partial<State>) => void) | null} */
    this.go = null;
    this.#restore();
  }

  /** @param {(change: Partial<State>) => void} go */
  update(go) {
    if (!this.go)
      ask("about", null)
        .then((about) => ((this.bots = about.bots), this.#draw()))
        .catch(() => {});
    this.go = go;
    this.#draw();
  }

  #restore() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
      if (!kept) return;
      this.game = kept.game;
      this.records = kept.records;
      this.shown = this.#play().length;
    } catch {
      localStorage.removeItem(KEY);
    }
  }

  #keep() {
    localStorage.setItem(KEY, JSON.stringify({ game: this.game, records: this.records }));
  }

  /** @returns {string[]} all cards played */
  #play() {
    if (!this.game) return [];
    return this.game.view ? (this.game.view.play ?? []) : this.game.record ? JSON.parse(this.game.record).play : [];
  }

  /** @returns {Contract | null} */
  #contract() {
    return this.game?.view
      ? (this.game.view.contract ?? null)
      : this.game?.record
        ? JSON.parse(this.game.record).contract
        : null;
  }

  // Asking

  /** @param {string} path @param {object} body */
  async #ask(path, body) {
    this.busy = true;
    this.error = "";
    this.hint = null;
    this.#draw();
    const [before, number] = [this.shown, this.game?.number];
    try {
      this.game = await ask(path, body);
      this.marked = new Set();
      if (this.game.record && !this.records.includes(this.game.record)) this.records.push(this.game.record);
      this.shown = this.game.number === number ? before : 0;
      this.#keep();
    } catch (error) {
      this.error = errorText(error);
    }
    this.busy = false;
    this.#draw();
    this.#advance(0);
  }

  /** @param {object} decision */
  #move(decision) {
    this.#ask("game/move", { token: this.game.token, ...decision });
  }

  /** Show the cards that were played since, one after the other. @param {number} delay */
  #advance(delay) {
    clearTimeout(this.timer);
    const play = this.#play();
    if (this.shown >= play.length) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.timer = window.setTimeout(
      () => {
        this.shown = still ? play.length : this.shown + 1;
        if (!still) say(cardName(play[this.shown - 1]));
        this.#draw();
        this.#advance(this.shown % 3 ? STEP : TRICK_END);
      },
      still ? 0 : delay,
    );
  }

  // Drawing

  #draw() {
    if (!this.go) return;
    if (!this.game) {
      draw(
        this,
        setupForm(this.bots, this.busy, this.error, (form) => this.#start(form)),
      );
      return;
    }
    const shown = this.#table();
    let element = /** @type {import("./table.js").TableElement | null} */ (this.querySelector("mz-table"));
    if (!element) {
      draw(
        this,
        h(
          "div",
          { class: "layout" },
          h("div", { class: "stage" }, h("mz-table", {}), h("div", { class: "prompt" })),
          h("aside", { class: "panel" }),
        ),
      );
      element = /** @type {import("./table.js").TableElement} */ (this.querySelector("mz-table"));
    }
    element.update(shown);
    draw(/** @type {Element} */ (this.querySelector(".prompt")), this.#prompt());
    draw(/** @type {Element} */ (this.querySelector(".panel")), this.#panel());
  }

  /** @param {FormData} form */
  #start(form) {
    this.records = [];
    this.game = null;
    this.#ask("game", {
      bots: [form.get("bot0"), form.get("bot1")],
      mode: form.get("mode"),
      seat: form.get("seat"),
      name: t("play.you"),
    });
  }

  /** @returns {import("./table.js").Shown} */
  #table() {
    const { game } = this;
    /** @type {Seat} */
    const you = game.you;
    const contract = this.#contract() ?? "N";
    const play = this.#play().slice(0, this.shown);
    const held = { F: 13, M: 13, R: 13 };
    const won = { F: 0, M: 0, R: 0 };
    /** @type {import("../rules.js").Trick[]} */
    const tricks = [];
    let leader = /** @type {Seat} */ ("F");
    for (let start = 0; start < play.length; start += 3) {
      const cards = play.slice(start, start + 3);
      cards.forEach((_, place) => (held[seatAt({ leader, cards, winner: null }, place)] -= 1));
      const winner = cards.length === 3 ? SEATS[(SEATS.indexOf(leader) + winnerOf(cards, contract)) % 3] : null;
      tricks.push({ leader, cards, winner });
      if (winner) {
        won[winner] += 1;
        leader = winner;
      }
    }
    const mine = game.view ? sorted(hand(game.view.hand)) : [];
    const trick = tricks.at(-1)?.winner ? [] : (tricks.at(-1)?.cards ?? []);
    const at = tableAt({ hands: { F: [], M: [], R: [], [you]: mine }, contract, leader, trick, won });
    const isNaming = game.view?.type === "contract";
    const starting = game.view ? game.view.type !== "play" : false;
    const others = SEATS.filter((seat) => seat !== you);
    return {
      table: { ...at, tricks, isOver: !game.view && this.shown === this.#play().length },
      talon: [],
      bottom: you,
      names: game.players,
      hidden: Object.fromEntries(others.map((seat) => [seat, isNaming ? 6 : held[seat]])),
      choice: (card, seat) => this.#choice(card, seat),
      marked: game.view?.type === "exchange" ? this.marked : undefined,
      worth: this.#hintBadges(),
      starting,
      unnamed: isNaming,
    };
  }

  /** @param {string} card @param {string} seat */
  #choice(card, seat) {
    const { view, you } = this.game;
    if (!view || seat !== you || this.busy || this.shown < this.#play().length) return null;
    if (view.type === "play" && view.legal.includes(card)) return () => this.#playCard(card);
    if (view.type !== "exchange") return null;
    if (!this.marked.has(card) && this.marked.size >= view.available) return null;
    return () => {
      if (!this.marked.delete(card)) this.marked.add(card);
      this.#draw();
    };
  }

  /** @param {string} card */
  #playCard(card) {
    this.#move({ card });
  }

  #hintBadges() {
    if (!this.hint || this.hint.type !== "play") return undefined;
    /** @type {Map<string, import("./card.js").Worth>} */
    const found = new Map();
    for (const choice of this.hint.choices) {
      for (const card of choice.card) {
        const behind = -choice.behind.mean;
        found.set(card, {
          text: signed(choice.points.mean, 1),
          level: behind < 0.005 ? "keeps" : behind < 0.5 ? "little" : "costs",
          label: t("hint.worth", { points: signed(choice.points.mean, 2) }),
        });
      }
    }
    return found;
  }

  /** What is to be done now. */
  #prompt() {
    const { game } = this;
    const view = game.view;
    const catchingUp = this.shown < this.#play().length;
    if (this.error) return h("p", { class: "error", role: "alert" }, this.error);
    if (this.busy || catchingUp)
      return h("p", { class: `note ${this.busy ? "busy" : ""}`, role: "status" }, this.busy ? t("play.thinking") : " ");
    if (!view) return this.#result();
    if (view.type === "contract") {
      return [
        h("p", { role: "status" }, t("play.name")),
        h(
          "p",
          { class: "buttons" },
          CONTRACTS.map((contract) =>
            h(
              "button",
              {
                type: "button",
                disabled: !view.remaining.includes(contract),
                "data-key": `name-${contract}`,
                click: () => this.#move({ contract }),
              },
              h("b", { class: `suit-${contract}`, "aria-hidden": "true" }, t(`contract.${contract}.sign`)),
              " ",
              t(`contract.${contract}`),
            ),
          ),
        ),
      ];
    }
    if (view.type === "exchange") {
      return [
        h("p", { role: "status" }, t("play.exchange", { n: view.available })),
        h(
          "p",
          { class: "buttons" },
          h(
            "button",
            {
              type: "button",
              class: "primary",
              "data-key": "exchange",
              click: () => this.#move({ discard: [...this.marked] }),
            },
            this.marked.size ? t("play.exchange-n", { n: this.marked.size }) : t("exchange.pat"),
          ),
        ),
      ];
    }
    return h("p", { role: "status" }, t("play.card"));
  }

  #result() {
    const record = JSON.parse(this.game.record);
    const mine = record.points[this.game.you];
    const again = this.game.mode === "game" && !this.game.is_over;
    return [
      h("h2", { role: "status" }, t("play.over", { points: signed(mine) })),
      h(
        "p",
        {},
        SEATS.map((seat) =>
          h(
            "span",
            { class: "part" },
            `${record.players[seat]}: ${t("play.tricks", { n: record.tricks[seat] })}, ${signed(record.points[seat])}`,
          ),
        ),
      ),
      h(
        "p",
        { class: "buttons" },
        again &&
          h(
            "button",
            { type: "button", class: "primary", "data-key": "next", click: () => this.#move({ next_deal: true }) },
            t("play.next"),
          ),
        h(
          "button",
          {
            type: "button",
            class: again ? "" : "primary",
            "data-key": "review",
            click: () => this.go?.(stateOfRecord(this.game.record)),
          },
          t("play.review"),
        ),
      ),
    ];
  }

  #panel() {
    const { game } = this;
    const view = game.view;
    return [
      view && hintBox(this.hint, this.busy, () => this.#askHint()),
      view?.type === "play" && exchangedBox(view, game.players),
      game.mode === "game" && scoreSheet(game),
      h(
        "p",
        { class: "buttons" },
        this.records.length > 0 &&
          h(
            "button",
            {
              type: "button",
              "data-key": "download",
              click: () =>
                download("mizerka-games.jsonl", this.records.map((line) => `${line}\n`).join(""), "application/jsonl"),
            },
            t("play.download", { n: this.records.length }),
          ),
        h(
          "button",
          { type: "button", "data-key": "new", click: () => this.#end() },
          t(game.is_over ? "play.again" : "play.new"),
        ),
      ),
    ];
  }

  #end() {
    clearTimeout(this.timer);
    this.game = null;
    this.error = "";
    localStorage.removeItem(KEY);
    this.replaceChildren();
    this.#draw();
  }

  async #askHint() {
    try {
      this.busy = true;
      this.#draw();
      this.hint = await ask("game/hint", { token: this.game.token, samples: 500 });
    } catch (error) {
      this.error = errorText(error);
    }
    this.busy = false;
    this.#draw();
  }
}

customElements.define("mz-play", PlayElement);
