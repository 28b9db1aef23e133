/**
 * What is looked at, as one immutable value, and the same as the address after `#`: a link reproduces the view, and the
 * browser's back and forward walk through it.
 *
 *     #analyse?d=F:…_M:…_R:…_T:…&c=N&n=par&l=F&x=F.S2H4&p=SAS3S9&i=2
 *
 * @typedef {import("./cards.js").Card} Card
 * @typedef {import("./cards.js").Seat} Seat
 * @typedef {import("./cards.js").Contract} Contract
 * @typedef {"analyse"|"exchange"|"equilibria"|"record"|"play"} View
 * @typedef {"guaranteed"|"par"|"expected"} Notion
 *
 * @typedef {object} State
 * @property {View} view
 * @property {string} subject  a deal before the exchange, or a position; "" before anything was opened
 * @property {Contract} contract
 * @property {Seat} leader  to the first trick of a deal
 * @property {Notion} notion
 * @property {Record<Seat, Card[]>} exchange  what was laid down
 * @property {Card[]} play  cards from the start on, those taken back too
 * @property {number} at  how many of them lie on the table
 * @property {Seat} seat  whose exchange is looked at
 * @property {"stand"|"reply"} others
 * @property {Card[]} marked  cards marked for laying down
 * @property {string} seed  of a random deal
 * @property {string[]} players  names, of a record
 */

import { CONTRACTS, SEATS, exchanged, isPosition, readDeal, readPosition, row } from "./cards.js";
import { replay } from "./rules.js";

/** @type {View[]} */
export const VIEWS = ["analyse", "exchange", "equilibria", "record", "play"];
/** @type {Notion[]} */
export const NOTIONS = ["guaranteed", "par", "expected"];

/** @type {State} */
export const EMPTY = {
  view: "analyse",
  subject: "",
  contract: "N",
  leader: "F",
  notion: "guaranteed",
  exchange: { F: [], M: [], R: [] },
  play: [],
  at: 0,
  seat: "F",
  others: "stand",
  marked: [],
  seed: "",
  players: [],
};

/** @template T @param {readonly T[]} all @param {unknown} wanted @param {T} other @returns {T} */
const oneOf = (all, wanted, other) => (all.includes(/** @type {T} */ (wanted)) ? /** @type {T} */ (wanted) : other);

/** @param {string} hash @returns {State} what is not understood is left at its beginning */
export function readHash(hash) {
  const [view, query] = hash.replace(/^#/, "").split("?");
  const given = new URLSearchParams(query ?? "");
  const get = (/** @type {string} */ name) => given.get(name) ?? "";
  const exchange = { F: /** @type {Card[]} */ ([]), M: /** @type {Card[]} */ ([]), R: /** @type {Card[]} */ ([]) };
  for (const part of get("x")
    .split(" ")
    .flatMap((text) => text.split("_"))) {
    const seat = SEATS.find((one) => part.startsWith(`${one}.`));
    if (seat) exchange[seat] = row(part.slice(2));
  }
  const play = row(get("p"));
  return {
    view: oneOf(VIEWS, view, "analyse"),
    subject: get("d").replaceAll("_", " "),
    contract: oneOf(CONTRACTS, get("c"), EMPTY.contract),
    leader: oneOf(SEATS, get("l"), EMPTY.leader),
    notion: oneOf(NOTIONS, get("n"), EMPTY.notion),
    exchange,
    play,
    at: given.has("i") ? Math.min(Number(get("i")) || 0, play.length) : play.length,
    seat: oneOf(SEATS, get("e"), EMPTY.seat),
    others: get("o") === "reply" ? "reply" : "stand",
    marked: row(get("m")),
    seed: get("s"),
    players: get("w") ? get("w").split("|") : [],
  };
}

/** @param {State} state @returns {string} */
export function hashOf(state) {
  /** @type {string[]} */
  const fields = [];
  const put = (/** @type {string} */ name, /** @type {string} */ value, usual = "") => {
    if (value !== usual)
      fields.push(`${name}=${encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%7C", "|")}`);
  };
  put("d", state.subject.replaceAll(" ", "_"));
  put("c", state.contract, EMPTY.contract);
  put("l", state.leader, EMPTY.leader);
  put("n", state.notion, EMPTY.notion);
  put(
    "x",
    SEATS.filter((seat) => state.exchange[seat].length)
      .map((seat) => `${seat}.${state.exchange[seat].join("")}`)
      .join("_"),
  );
  put("p", state.play.join(""));
  if (state.at !== state.play.length) put("i", String(state.at));
  put("e", state.seat, EMPTY.seat);
  put("o", state.others, EMPTY.others);
  put("m", state.marked.join(""));
  put("s", state.seed);
  put("w", state.players.join("|"));
  return `#${state.view}${fields.length ? `?${fields.join("&")}` : ""}`;
}

/** @param {State} state @returns {import("./cards.js").Position} where play starts */
export function startOf(state) {
  if (isPosition(state.subject)) return readPosition(state.subject);
  const { hands } = exchanged(readDeal(state.subject), state.exchange);
  return { hands, contract: state.contract, leader: state.leader, trick: [], won: { F: 0, M: 0, R: 0 } };
}

/** @param {State} state @returns {import("./rules.js").Table} what lies on the table */
export const tableOf = (state) => replay(startOf(state), state.play.slice(0, state.at));

/** @param {State} state @returns {import("./cards.js").Deal} what was dealt; a position has no talon */
export const dealOf = (state) =>
  isPosition(state.subject) ? { hands: readPosition(state.subject).hands, talon: [] } : readDeal(state.subject);

/** @param {State} state @returns {import("./cards.js").Deal} with what is left of the talon */
export const dealAfter = (state) => {
  const deal = dealOf(state);
  return { ...deal, talon: deal.talon.slice(SEATS.reduce((n, seat) => n + state.exchange[seat].length, 0)) };
};

/** @param {State} state @param {Card[]} line @returns {Partial<State>} play laid out behind the cards on the table; forward walks through it */
export const continued = (state, line) => ({ play: [...state.play.slice(0, state.at), ...line], at: state.at + 1 });

/** @param {State} state @returns {State} with as much of the play as the rules allow from its start */
export function legalPart(state) {
  if (!state.subject) return state;
  let at = replay(startOf(state), []);
  let n = 0;
  for (const card of state.play) {
    if (!at.legal.includes(card)) break;
    at = replay(at, [card]);
    n += 1;
  }
  return { ...state, play: state.play.slice(0, n), at: Math.min(state.at, n) };
}
