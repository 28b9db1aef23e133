/** What stands beside the table in a game: hints, what was exchanged, the score sheet; and the form a game begins with. */

import { SEATS } from "../cards.js";
import { h } from "../dom.js";
import { signed, t } from "../i18n.js";
import { button, mini, radios, grid, tr } from "./pieces.js";

const [MODES, MOST_HINTS] = [["deal", "game"], 6];
const OPPONENTS = ["search", "learned"]; // chosen at first

/**
 * @param {string[]} bots @param {boolean} busy @param {string} error
 * @param {(form: FormData) => void} start
 */
export function setupForm(bots, busy, error, start) {
  const bot = (/** @type {string} */ usual, /** @type {number} */ i) =>
    h(
      "label",
      {},
      h("span", {}, t("play.bot", { n: i + 1 })),
      h(
        "select",
        { name: `bot${i}`, "data-key": `bot${i}` },
        bots.map((name) => h("option", { value: name, selected: name === usual }, botName(name))),
      ),
    );
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    start(new FormData(/** @type {HTMLFormElement} */ (event.target)));
  };
  const mode = { name: "mode", label: t("play.mode"), values: MODES, chosen: "deal" };
  const seat = { name: "seat", label: t("play.seat"), values: SEATS, chosen: SEATS[0] };
  return h(
    "form",
    { class: "setup box", submit: send },
    h("h2", {}, t("play.title")),
    h("p", {}, t("play.intro")),
    h("p", { class: "legend", "aria-hidden": "true" }, t("play.mode")),
    radios({ ...mode, text: (one) => t(`play.mode.${one}`) }),
    h("p", { class: "legend", "aria-hidden": "true" }, t("play.seat")),
    radios({ ...seat, text: (one) => t(`seat.${one}`) }),
    h("div", { class: "fields" }, OPPONENTS.map(bot)),
    h(
      "p",
      { class: "buttons" },
      h("button", { type: "submit", class: "primary", disabled: busy, "data-key": "start" }, t("play.start")),
    ),
    error && h("p", { class: "error", role: "alert" }, error),
  );
}

/** @param {string} name */
function botName(name) {
  const known = t(`bot.${name}`);
  return known === `bot.${name}` ? name : known;
}

/** @param {any} hint the server's advice, if it was asked for @param {boolean} busy @param {() => void} ask */
export const hintBox = (hint, busy, ask) =>
  h(
    "div",
    { class: "box" },
    h("p", { class: "buttons" }, button(t("hint"), ask, { disabled: busy, "data-key": "hint" })),
    hint &&
      grid(
        "options",
        t("hint.caption"),
        [],
        hint.choices
          .slice(0, MOST_HINTS)
          .map((/** @type {any} */ choice) => [
            choiceText(choice),
            signed(choice.points.mean, 2),
            h("small", {}, choice.behind.mean < 0 ? signed(choice.behind.mean, 2) : t("hint.best")),
          ]),
      ),
  );

/** @param {any} choice */
function choiceText(choice) {
  if (choice.contract) return t(`contract.${choice.contract}`);
  const cards = choice.card ?? choice.discard;
  return cards.length ? cards.map(mini) : t("exchange.pat");
}

/** @param {any} view what was said aloud and laid down @param {Record<string, string>} players */
export const exchangedBox = (view, players) =>
  h(
    "div",
    { class: "box" },
    h("h2", {}, t("play.seen")),
    h(
      "p",
      {},
      SEATS.map((seat) =>
        h("span", { class: "part" }, `${players[seat]}: ${t("play.exchanged", { n: view.exchanged[seat] ?? 0 })}`),
      ),
    ),
    (view.discarded ?? []).length > 0 && h("p", {}, t("play.discarded"), " ", view.discarded.map(mini)),
  );

/** @param {any} game the server's last answer */
export function scoreSheet({ sheet, order, number }) {
  const rows = sheet.map((/** @type {any} */ row) => [
    row.deal,
    t(`contract.${row.contract}.sign`),
    ...row.points.map((/** @type {number} */ n) => signed(n)),
  ]);
  const totals = sheet.at(-1)?.totals.map((/** @type {number} */ n) => h("b", {}, signed(n)));
  if (totals) rows.push(tr("total", [t("play.total"), "", ...totals]));
  return grid("values sheet", t("play.sheet", { n: number }), ["#", t("contract"), ...order], rows);
}
