/**
 * Cards, hands and deals as the page holds them, and their text in the server's spelling.
 * What people type is read by the server; only its own spelling is read here.
 *
 * @typedef {string} Card  suit and rank, "SA", "HT"
 * @typedef {"F"|"M"|"R"} Seat
 * @typedef {"S"|"H"|"D"|"C"|"N"|"M"} Contract
 * @typedef {Record<Seat, Card[]>} Hands
 * @typedef {{hands: Hands, talon: Card[]}} Deal
 * @typedef {{hands: Hands, contract: Contract, leader: Seat, trick: Card[], won: Record<Seat, number>}} Position
 */

/** @type {Seat[]} */
export const SEATS = ["F", "M", "R"];
/** @type {Contract[]} */
export const CONTRACTS = ["S", "H", "D", "C", "N", "M"];
export const SUITS = ["S", "H", "D", "C"];
export const RANKS = "AKQJT98765432";
/** @type {Record<string, string>} */
export const SYMBOLS = { S: "♠", H: "♥", D: "♦", C: "♣" };
/** @type {Record<Seat, number>} */
const TARGETS = { F: 7, M: 5, R: 1 };
/** @type {Record<Seat, number>} */
const MIZERKA_TARGETS = { F: 1, M: 5, R: 7 };

/** @param {Seat} seat @returns {Seat} who plays after `seat` */
export const next = (seat) => SEATS[(SEATS.indexOf(seat) + 1) % 3];

/** @param {Contract} contract @param {Seat} seat */
export const target = (contract, seat) => (contract === "M" ? MIZERKA_TARGETS : TARGETS)[seat];

/** @param {Contract} contract @param {Seat} seat @param {number} tricks */
export const points = (contract, seat, tricks) =>
  contract === "M" ? target(contract, seat) - tricks : tricks - target(contract, seat);

/** @param {number[]} tricks of the three seats, expected or played @returns {boolean} whether targets are for so many */
export const isWhole = (tricks) => Math.round(tricks.reduce((sum, n) => sum + n, 0)) === 13;

/** @param {Card[]} cards @returns {Card[]} suits S H D C, high to low */
export const sorted = (cards) =>
  [...cards].sort((a, b) => SUITS.indexOf(a[0]) - SUITS.indexOf(b[0]) || RANKS.indexOf(a[1]) - RANKS.indexOf(b[1]));

/** @param {string} text a row of cards, "S4HKD2" @returns {Card[]} */
export const row = (text) => text.match(/../g) ?? [];

/** @param {string} text "AK.-.Q.-" @returns {Card[]} */
export function hand(text) {
  return text.split(".").flatMap((ranks, suit) => [...ranks.replace("-", "")].map((rank) => SUITS[suit] + rank));
}

/** @param {Card[]} cards */
function handText(cards) {
  return SUITS.map(
    (suit) =>
      sorted(cards)
        .filter((card) => card[0] === suit)
        .map((card) => card[1])
        .join("") || "-",
  ).join(".");
}

/** @param {string[]} fields @returns {Hands} */
function hands(fields) {
  return { F: hand(fields[0].slice(2)), M: hand(fields[1].slice(2)), R: hand(fields[2].slice(2)) };
}

/** @param {Hands} held */
const handsText = (held) => SEATS.map((seat) => `${seat}:${handText(held[seat])}`).join(" ");

/** @param {string} text @returns {boolean} whether a text is a position's: more than hands and a talon */
export const isPosition = (text) => text.split(" ").length === 7;

/** @param {string} text @returns {Deal} */
export function readDeal(text) {
  const fields = text.split(" ");
  return { hands: hands(fields), talon: row((fields[3] ?? "T:").slice(2)) };
}

/** @param {Deal} deal */
export function dealText(deal) {
  return handsText(deal.hands) + (deal.talon.length ? ` T:${deal.talon.join("")}` : "");
}

/** @param {string} text @returns {Position} */
export function readPosition(text) {
  const [f, m, r, contract, leader, trick, won] = text.split(" ");
  const [a, b, c] = won.split("-").map(Number);
  return {
    hands: hands([f, m, r]),
    contract: /** @type {Contract} */ (contract),
    leader: /** @type {Seat} */ (leader),
    trick: trick === "-" ? [] : trick.split(","),
    won: { F: a, M: b, R: c },
  };
}

/** @param {Position} at */
export function positionText(at) {
  const won = SEATS.map((seat) => at.won[seat]).join("-");
  return `${handsText(at.hands)} ${at.contract} ${at.leader} ${at.trick.join(",") || "-"} ${won}`;
}

/**
 * A deal after exchanges, in order.
 * @param {Deal} deal
 * @param {Partial<Record<Seat, Card[]>>} discards
 * @returns {Deal}
 */
export function exchanged(deal, discards) {
  const held = { ...deal.hands };
  let talon = deal.talon;
  for (const seat of SEATS) {
    const thrown = discards[seat] ?? [];
    held[seat] = sorted([...held[seat].filter((card) => !thrown.includes(card)), ...talon.slice(0, thrown.length)]);
    talon = talon.slice(thrown.length);
  }
  return { hands: held, talon };
}

/**
 * The deal with two cards in each other's places: the only change that leaves all hands as long as they were.
 * @param {Deal} deal @param {Card} a @param {Card} b @returns {Deal}
 */
export function swapped(deal, a, b) {
  const swap = (/** @type {Card} */ card) => (card === a ? b : card === b ? a : card);
  const held = { F: deal.hands.F.map(swap), M: deal.hands.M.map(swap), R: deal.hands.R.map(swap) };
  return { hands: { F: sorted(held.F), M: sorted(held.M), R: sorted(held.R) }, talon: deal.talon.map(swap) };
}
