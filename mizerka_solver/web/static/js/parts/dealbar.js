/**
 * <mz-deal-bar>: where a deal comes from and goes to: typed, pasted, a file, at random; copied as text, record or link.
 *
 * @typedef {import("../state.js").State} State
 */

import { SEATS, dealText, isPosition, positionText } from "../cards.js";
import { ask } from "../api.js";
import { errorText } from "../context.js";
import { download, draw, h, say } from "../dom.js";
import { fromLetters, t } from "../i18n.js";
import { EMPTY, dealAfter, dealOf, tableOf } from "../state.js";
import { savePng, saveSvg, tablePicture } from "./picture.js";
import { button } from "./pieces.js";

/** @param {string} line a record @returns {Partial<State>} */
export function stateOfRecord(line) {
  const record = JSON.parse(line);
  const play = record.play ?? [];
  return {
    ...EMPTY,
    subject: record.deal,
    contract: record.contract,
    exchange: { ...EMPTY.exchange, ...record.exchange },
    play,
    at: 0,
    players: SEATS.map((seat) => record.players[seat]),
    view: "record",
  };
}

/** @param {State} state @returns {string} one line of JSON, as far as the deal was played */
export function recordOf(state) {
  const names = SEATS.map((seat, i) => [seat, state.players[i] ?? seat]);
  return JSON.stringify({
    format: "mizerka-game/1",
    players: Object.fromEntries(names),
    deal: state.subject,
    contract: state.contract,
    exchange: state.exchange,
    play: state.play,
  });
}

export class DealBarElement extends HTMLElement {
  constructor() {
    super();
    /** @type {{go: (change: Partial<State>, quietly?: boolean) => void, state: State, editing: boolean, edit: () => void} | null} */
    this.owner = null;
    this.error = "";
    this.typed = ""; // what could not be read stays, to be put right
    /** @type {{line: number, deal?: string, position?: string, record?: string, error?: string}[]} */
    this.items = [];
    this.drawn = "";
    this.addEventListener("dragover", (event) => event.preventDefault());
    this.addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) file.text().then((text) => this.open(text));
    });
  }

  /** @param {NonNullable<DealBarElement["owner"]>} owner */
  update(owner) {
    this.owner = owner;
    const { subject, seed, players } = owner.state;
    // What somebody is typing stays until another deal is opened.
    const drawn = JSON.stringify([
      subject,
      seed,
      players,
      owner.editing,
      this.error,
      this.items.length,
      document.documentElement.lang,
    ]);
    if (drawn !== this.drawn) this.#draw(owner);
    this.drawn = drawn;
  }

  /** @param {NonNullable<DealBarElement["owner"]>} owner */
  #draw({ state, editing, edit }) {
    const text = h("input", {
      id: "deal-text",
      type: "text",
      value: this.error ? this.typed : state.subject,
      autocomplete: "off",
      spellcheck: "false",
      placeholder: t("deal.placeholder"),
      "data-key": "deal-text",
      "aria-describedby": "deal-error",
    });
    const seed = h("input", {
      id: "seed",
      type: "text",
      inputmode: "numeric",
      pattern: "[0-9]*",
      value: state.seed,
      placeholder: "#",
      "data-key": "seed",
    });
    const file = h("input", {
      type: "file",
      hidden: true,
      id: "file",
      accept: ".jsonl,.json,.txt,.csv",
      change: () => file.files?.[0]?.text().then((content) => this.open(content)),
    });
    draw(
      this,
      h(
        "form",
        { class: "deal-bar", submit: (/** @type {Event} */ event) => (event.preventDefault(), this.open(text.value)) },
        h("label", { for: "deal-text", class: "unseen" }, t("deal")),
        text,
        h("button", { type: "submit", "data-key": "open" }, t("open")),
        h("button", { type: "button", "data-key": "file", click: () => file.click() }, t("open-file")),
        file,
        h(
          "span",
          { class: "random" },
          h(
            "button",
            { type: "button", class: "primary", "data-key": "random", click: () => this.random("") },
            t("random"),
          ),
          h("label", { for: "seed" }, t("seed")),
          seed,
        ),
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(editing),
            disabled: !state.subject,
            "data-key": "edit",
            click: edit,
          },
          t("edit"),
        ),
        this.#menu(state),
      ),
      h("p", { id: "deal-error", class: "error", role: "alert" }, this.error),
      this.items.length > 1 && this.#list(),
    );
    seed.addEventListener("change", () => this.random(seed.value.trim()));
    seed.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        this.random(seed.value.trim());
      }
    });
  }

  /** @param {State} state */
  #menu(state) {
    const isDeal = Boolean(state.subject) && !isPosition(state.subject);
    const entry = (/** @type {string} */ key, /** @type {() => string} */ text, off = false) =>
      h(
        "button",
        { type: "button", disabled: !state.subject || off, "data-key": key, click: () => this.#copy(text()) },
        t(key),
      );
    const picture = (/** @type {string} */ key, /** @type {(picture: Element) => unknown} */ save) =>
      button(t(key), () => save(this.#picture()), { disabled: !state.subject, "data-key": key });
    return h(
      "details",
      { class: "menu" },
      h("summary", { "data-key": "copy" }, t("copy")),
      h(
        "div",
        {},
        entry("copy.position", () => positionText(tableOf(this.#now()))),
        entry("copy.deal", () => dealText(dealOf(this.#now())), !isDeal),
        entry("copy.record", () => recordOf(this.#now()), !isDeal),
        entry("copy.link", () => location.href),
        h(
          "button",
          {
            type: "button",
            disabled: !isDeal,
            "data-key": "save.record",
            click: () => download("mizerka.jsonl", `${recordOf(this.#now())}\n`, "application/jsonl"),
          },
          t("save.record"),
        ),
        picture("save.table-svg", saveSvg),
        picture("save.table-png", savePng),
      ),
    );
  }

  #picture() {
    const state = this.#now();
    const names = Object.fromEntries(state.players.map((name, i) => [SEATS[i], name]));
    return tablePicture(tableOf(state), state.at ? [] : dealAfter(state).talon, names);
  }

  #now() {
    if (!this.owner) throw new Error("not drawn yet");
    return this.owner.state;
  }

  /** @param {string} text */
  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      say(t("copied"));
    } catch {
      window.prompt(t("copy"), text);
    }
    this.querySelector("details")?.removeAttribute("open");
  }

  #list() {
    return h(
      "ol",
      { class: "items" },
      this.items.map((item) =>
        h(
          "li",
          {},
          item.error
            ? h("span", { class: "error" }, item.error)
            : h(
                "button",
                { type: "button", class: "plain", click: () => this.#take(item) },
                `${item.line}: ${itemText(item)}`,
              ),
        ),
      ),
    );
  }

  /** @param {string} text anything the server reads, in the language's card letters too */
  async open(text) {
    if (!text.trim()) return this.random("");
    this.typed = text;
    try {
      let { items } = await ask("read", { text });
      const translated = fromLetters(text);
      if (items.some((/** @type {any} */ item) => item.error) && translated !== text) {
        const again = (await ask("read", { text: translated })).items;
        if (again.every((/** @type {any} */ item) => !item.error)) items = again;
      }
      this.items = items.length > 1 ? items : [];
      const good = items.find((/** @type {any} */ item) => !item.error);
      this.error = good ? "" : (items[0]?.error ?? t("error.nothing")).replace(/^line:\d+: /, "");
      this.drawn = ""; // what was typed gives way to the standard spelling
      if (good) this.#take(good);
    } catch (error) {
      this.error = errorText(error);
    }
    if (this.owner) this.update(this.owner);
  }

  /** @param {{deal?: string, position?: string, record?: string}} item */
  #take(item) {
    const { view, notion } = this.#now();
    const kept = { view: view === "play" ? "analyse" : view, notion };
    if (item.record) this.owner?.go({ ...stateOfRecord(item.record), notion });
    else
      this.owner?.go(
        /** @type {Partial<State>} */ ({
          ...EMPTY,
          ...kept,
          contract: this.#now().contract,
          subject: item.deal ?? item.position ?? "",
        }),
      );
  }

  /** @param {string} seed @param {boolean} [quietly] */
  async random(seed, quietly = false) {
    try {
      const headers = seed ? `deal?seed=${encodeURIComponent(seed)}` : "deal";
      const dealt = await ask(headers, null);
      // On the first visit: who has begun to type meanwhile is not interrupted.
      const field = /** @type {HTMLInputElement | null} */ (this.querySelector("#deal-text"));
      if (quietly && (field?.value || field === document.activeElement)) return;
      this.error = "";
      this.items = [];
      const { view, notion, contract } = this.#now();
      this.owner?.go(
        {
          ...EMPTY,
          view: view === "play" || view === "record" ? "analyse" : view,
          notion,
          contract,
          subject: dealt.deal,
          seed: String(dealt.seed),
        },
        quietly,
      );
    } catch (error) {
      this.error = errorText(error);
      if (this.owner) this.update(this.owner);
    }
  }
}

/** @param {{deal?: string, position?: string, record?: string}} item */
function itemText(item) {
  if (!item.record) return item.deal ?? item.position ?? "";
  const record = JSON.parse(item.record);
  return `${record.id ?? ""} ${Object.values(record.players).join(", ")} · ${t(`contract.${record.contract}`)}`.trim();
}

customElements.define("mz-deal-bar", DealBarElement);
