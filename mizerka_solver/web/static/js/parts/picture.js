/** Pictures as files: charts as they are seen, and the cards on the table drawn anew, plain, for documents. */

import { SEATS, SUITS, SYMBOLS } from "../cards.js";
import { download, h, svg } from "../dom.js";
import { cardText, rankText, t } from "../i18n.js";

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight"];
const [WIDTH, HEIGHT] = [640, 430];
/** Top left of each hand: F nearest, then clockwise. @type {Record<string, [number, number]>} */
const PLACES = { M: [24, 40], R: [424, 40], F: [224, 284] };
const RED = "#b3261e";

/** @param {Element} picture @returns {string} with its colours inside, as a file has no style sheet */
function standalone(picture) {
  const copy = /** @type {Element} */ (picture.cloneNode(true));
  const [from, to] = [
    [picture, ...picture.querySelectorAll("*")],
    [copy, ...copy.querySelectorAll("*")],
  ];
  if (picture.isConnected)
    from.forEach((element, i) => {
      const style = getComputedStyle(element);
      for (const name of STYLES) to[i].setAttribute(name, style.getPropertyValue(name));
    });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

/** @param {Element} picture */
export const saveSvg = (picture) => download("mizerka.svg", standalone(picture), "image/svg+xml");

/** @param {Element} picture */
export async function savePng(picture) {
  const [, , width, height] = (picture.getAttribute("viewBox") ?? "0 0 400 300").split(" ").map(Number);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(standalone(picture))}`;
  image.width = width;
  image.height = height;
  await image.decode();
  const canvas = h("canvas", { width: 2 * width, height: 2 * height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, 2 * width, 2 * height);
  const link = h("a", { href: canvas.toDataURL("image/png"), download: "mizerka.png" });
  link.click();
}

/** Buttons that save a picture. @param {() => Element} picture */
export const saveButtons = (picture) => [
  h("button", { type: "button", "data-key": "save-svg", click: () => saveSvg(picture()) }, t("save.svg")),
  h("button", { type: "button", "data-key": "save-png", click: () => savePng(picture()) }, t("save.png")),
];

/** @param {string} text @param {number} x @param {number} y @param {Record<string, unknown>} [more] */
const line = (text, x, y, more = {}) =>
  svg("text", { x, y, "font-family": "sans-serif", "font-size": 18, fill: "#1b1b1b", ...more }, text);

/**
 * The cards on the table, for a document: three hands, the trick, tricks won, the talon.
 * @param {import("../rules.js").Table} table @param {string[]} talon @param {Record<string, string>} names
 */
export function tablePicture(table, talon, names) {
  const hands = SEATS.flatMap((seat) => {
    const [x, y] = PLACES[seat];
    const rows = SUITS.map((suit, i) => {
      const ranks = table.hands[seat].filter((card) => card[0] === suit).map((card) => rankText(card[1]));
      const colour = suit === "H" || suit === "D" ? RED : "#1b1b1b";
      return [
        line(SYMBOLS[suit], x, y + 28 + 24 * i, { fill: colour }),
        line(ranks.join(" ") || "–", x + 24, y + 28 + 24 * i),
      ];
    });
    return [line(`${names[seat] ?? t(`seat.${seat}`)} (${table.won[seat]})`, x, y, { "font-weight": "bold" }), ...rows];
  });
  const middle = { "text-anchor": "middle", "font-size": 22 };
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" },
    svg("rect", { width: WIDTH, height: HEIGHT, fill: "#fff" }),
    hands.flat(),
    line(t(`contract.${table.contract}`), WIDTH / 2, 190, { ...middle, "font-weight": "bold" }),
    line(table.trick.map(cardText).join("  "), WIDTH / 2, 226, middle),
    talon.length > 0 && line(`${t("talon")}: ${talon.map(cardText).join(" ")}`, 24, HEIGHT - 12, { "font-size": 14 }),
  );
}
