/**
 * Just enough of the rules to move cards on the page without asking the server: who may play what, who wins a trick.
 * The library has the rules; a test plays deals here and there and compares.
 *
 * @typedef {import("./cards.js").Card} Card
 * @typedef {import("./cards.js").Seat} Seat
 * @typedef {import("./cards.js").Contract} Contract
 * @typedef {import("./cards.js").Position} Position
 * @typedef {{leader: Seat, cards: Card[], winner: Seat | null}} Trick
 * @typedef {Position & {toMove: Seat, legal: Card[], tricks: Trick[], isOver: boolean}} Table
 */

import { RANKS, SEATS, next } from "./cards.js";

/** @param {Card[]} held @param {Card[]} trick @returns {Card[]} follow suit, else any card */
export function legalCards(held, trick) {
  const following = trick.length ? held.filter((card) => card[0] === trick[0][0]) : [];
  return following.length ? following : held;
}

/** @param {Card[]} trick @param {Contract} contract @returns {number} the place of the winning card */
export function winnerOf(trick, contract) {
  let best = 0;
  for (let place = 1; place < trick.length; place++) {
    const [card, top] = [trick[place], trick[best]];
    if (card[0] === top[0]) {
      if (RANKS.indexOf(card[1]) < RANKS.indexOf(top[1])) best = place;
    } else if (card[0] === contract) best = place;
  }
  return best;
}

/** @param {Position} start @returns {Table} */
export function table(start) {
  const toMove = SEATS[(SEATS.indexOf(start.leader) + start.trick.length) % 3];
  const legal = legalCards(start.hands[toMove], start.trick);
  const tricks = start.trick.length ? [{ leader: start.leader, cards: start.trick, winner: null }] : [];
  return { ...start, toMove, legal, tricks, isOver: legal.length === 0 };
}

/** @param {Table} at @param {Card} card @returns {Table} */
export function played(at, card) {
  const hands = { ...at.hands, [at.toMove]: at.hands[at.toMove].filter((other) => other !== card) };
  const trick = [...at.trick, card];
  const before = at.trick.length ? at.tricks.slice(0, -1) : at.tricks;
  if (trick.length < 3) {
    const now = table({ ...at, hands, trick });
    return { ...now, tricks: [...before, { leader: at.leader, cards: trick, winner: null }] };
  }
  const winner = SEATS[(SEATS.indexOf(at.leader) + winnerOf(trick, at.contract)) % 3];
  const won = { ...at.won, [winner]: at.won[winner] + 1 };
  const now = table({ ...at, hands, trick: [], leader: winner, won });
  return { ...now, tricks: [...before, { leader: at.leader, cards: trick, winner }] };
}

/** @param {Position} start @param {Card[]} cards @returns {Table} */
export function replay(start, cards) {
  return cards.reduce(played, table(start));
}

/** @param {Trick} trick @param {number} place @returns {Seat} who played the card at `place` */
export const seatAt = (trick, place) =>
  place === 0 ? trick.leader : next(place === 1 ? trick.leader : next(trick.leader));
