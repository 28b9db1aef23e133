/**
 * The page's language: one small file each in lang/, texts by key, `{name}` replaced; and the letters of cards.
 *
 * A language's `ranks` has its letters for A K Q J T, read and shown. The address, copies and the server keep A K Q J T.
 */

import { SYMBOLS } from "./cards.js";

export const LANGUAGES = { en: "English", pl: "Polski", de: "Deutsch", ru: "Русский" };
const KEY = "mizerka.language";

/** @type {Record<string, any>} */
let texts = {};
export let language = "en";

/** @returns {string} the language chosen before, or the browser's first that there is */
export function preferred() {
  const wanted = [localStorage.getItem(KEY) ?? "", ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((tag) => tag in LANGUAGES) ?? "en";
}

/** @param {string} wanted */
export async function use(wanted) {
  const response = await fetch(`lang/${wanted}.json`);
  texts = await response.json();
  language = wanted;
  document.documentElement.lang = wanted;
}

/** @param {string} wanted remember it for the next visit */
export const remember = (wanted) => localStorage.setItem(KEY, wanted);

/** @param {string} key @param {Record<string, string | number>} [values] @returns {string} */
export function t(key, values = {}) {
  const text = texts[key];
  if (typeof text !== "string") return key;
  return text.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
}

/** @param {string} rank @returns {string} as the language writes it */
export function rankText(rank) {
  if (rank === "T" && texts.ten) return texts.ten;
  const place = "AKQJT".indexOf(rank);
  return place < 0 ? rank : (texts.ranks ?? "AKQJT")[place];
}

/** @param {string} card @returns {string} "♠A" */
export const cardText = (card) => SYMBOLS[card[0]] + rankText(card[1]);

/** @param {string} card @returns {string} "ace of spades" */
export const cardName = (card) => t("card", { rank: t(`rank.${card[1]}`), suit: t(`suit.${card[0]}.of`) });

/**
 * What was typed in the language's letters, in the server's: ranks in hands, and behind a suit in rows of cards.
 * @param {string} text
 */
export function fromLetters(text) {
  const letters = [.../** @type {string} */ (texts.ranks ?? "AKQJT")];
  const standard = (/** @type {string} */ char) => {
    const place = letters.indexOf(char.toUpperCase());
    return place < 0 ? char : "AKQJT"[place];
  };
  return text
    .split(/(\s+|_)/)
    .map((field) => {
      const [, seat, rest] = /^([FMRT]:)?(.*)$/i.exec(field) ?? ["", "", field];
      if (rest.includes(".")) return (seat ?? "") + [...rest].map(standard).join("");
      return (seat ?? "") + rest.replace(/([SHDC♠♥♦♣])(10|.)/gi, (_, suit, rank) => suit + standard(rank));
    })
    .join("");
}

/** @param {number} value @param {number} digits @returns {string} with a sign; as the language writes numbers */
export function signed(value, digits = 0) {
  const shown = Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value;
  const text = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    Math.abs(shown),
  );
  return (shown > 0 ? "+" : shown < 0 ? "−" : "") + text;
}

/** @param {number} value @param {number} digits */
export const number = (value, digits = 0) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
