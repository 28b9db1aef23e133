/**
 * <mz-equilibria>: all results that play can end in when each plays for himself, as points of a triangle: the nearer a
 * point is to a seat's corner, the more tricks the seat has.
 *
 * @typedef {import("../context.js").Context} Context
 */

import { SEATS, points, positionText } from "../cards.js";
import { waitingText } from "../context.js";
import { download, draw, h, svg } from "../dom.js";
import { number, signed, t } from "../i18n.js";
import { only } from "./values.js";

const SIDE = 300;
const HEIGHT = (SIDE * Math.sqrt(3)) / 2;
const [LEFT, TOP] = [56, 26];

/** @param {number[]} tricks F, M, R @param {number} total @returns {[number, number]} F on top, M left, R right as at the table */
function place([f, , r], total) {
  return [LEFT + ((f / 2 + r) / total) * SIDE, TOP + (1 - f / total) * HEIGHT];
}

export class EquilibriaElement extends HTMLElement {
  /** @param {Context} context @param {import("../rules.js").Table} table */
  update(context, table) {
    const question = { subject: positionText(table), cards: true, equilibria: true };
    const reply = context.get("solve", question);
    const value = only(reply.data);
    if (!value) {
      draw(
        this,
        h(
          "p",
          { class: reply.waiting ? "note busy" : "error", role: "status" },
          reply.error ?? waitingText(reply, t("equilibria.searching")),
        ),
      );
      return;
    }
    const total = table.won.F + table.won.M + table.won.R + table.hands[table.toMove].length;
    const expected = SEATS.map((seat) => value.expected[seat]);
    const picture = triangle(value, total);
    draw(
      this,
      h(
        "figure",
        { class: "triangle" },
        picture,
        h("figcaption", {}, t("equilibria.n", { n: value.equilibria.length })),
      ),
      h(
        "table",
        { class: "values" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, t("tricks")),
            SEATS.map((seat) => h("th", { scope: "col" }, seat)),
          ),
        ),
        h(
          "tbody",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "row" }, t("equilibria.range")),
            SEATS.map((_, i) => h("td", {}, rangeText(value.equilibria.map((/** @type {number[]} */ v) => v[i])))),
          ),
          h(
            "tr",
            {},
            h("th", { scope: "row" }, t("notion.expected")),
            expected.map((n) => h("td", {}, number(n, 2))),
          ),
          h(
            "tr",
            {},
            h("th", { scope: "row" }, t("equilibria.points")),
            SEATS.map((seat, i) => h("td", {}, signed(points(table.contract, seat, expected[i]), 2))),
          ),
          h(
            "tr",
            {},
            h("th", { scope: "row" }, t("notion.guaranteed")),
            SEATS.map((seat) => h("td", {}, (table.contract === "M" ? "≤" : "≥") + value.guaranteed[seat])),
          ),
        ),
      ),
      h(
        "p",
        { class: "vectors" },
        value.equilibria.slice(0, 60).map((/** @type {number[]} */ v) => h("span", {}, v.join("–"))),
      ),
      h(
        "p",
        { class: "buttons" },
        h("button", { type: "button", "data-key": "save-svg", click: () => saveSvg(picture) }, t("save.svg")),
        h("button", { type: "button", "data-key": "save-png", click: () => savePng(picture) }, t("save.png")),
      ),
      h("p", { class: "note" }, t("equilibria.why")),
    );
  }
}

/** @param {number[]} numbers */
function rangeText(numbers) {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? String(least) : `${least}–${most}`;
}

/** @param {any} value @param {number} total @returns {SVGElement} */
function triangle(value, total) {
  const corners = [
    [total, 0, 0],
    [0, total, 0],
    [0, 0, total],
  ].map((corner) => place(corner, total));
  const label = t("equilibria.label", {
    n: value.equilibria.length,
    list: value.equilibria
      .slice(0, 20)
      .map((/** @type {number[]} */ v) => v.join("-"))
      .join(", "),
  });
  const lines = [];
  for (let n = 1; n < total; n++) {
    const rest = total - n;
    for (const [a, b] of [
      [
        [n, rest, 0],
        [n, 0, rest],
      ],
      [
        [rest, n, 0],
        [0, n, rest],
      ],
      [
        [rest, 0, n],
        [0, rest, n],
      ],
    ]) {
      const [[x1, y1], [x2, y2]] = [place(a, total), place(b, total)];
      lines.push(svg("line", { x1, y1, x2, y2, class: n % 5 ? "grid" : "grid five" }));
    }
  }
  const expected = place(
    SEATS.map((seat) => value.expected[seat]),
    total,
  );
  return /** @type {SVGElement} */ (
    svg(
      "svg",
      { viewBox: `0 0 ${SIDE + 2 * LEFT} ${HEIGHT + TOP + 30}`, role: "img", "aria-label": label, class: "chart" },
      svg("polygon", { points: corners.join(" "), class: "frame" }),
      lines,
      value.equilibria.map((/** @type {number[]} */ v) => {
        const [cx, cy] = place(v, total);
        return svg("circle", { cx, cy, r: 6, class: "point" }, svg("title", {}, v.join("–")));
      }),
      svg(
        "circle",
        { cx: expected[0], cy: expected[1], r: 10, class: "expected" },
        svg("title", {}, t("notion.expected")),
      ),
      SEATS.map((seat, i) =>
        svg(
          "text",
          { x: corners[i][0], y: corners[i][1] + (i ? 22 : -9), "text-anchor": "middle", class: "corner-name" },
          t(`seat.${seat}`),
        ),
      ),
    )
  );
}

/** @param {Element} picture @returns {string} with its colours inside, as a file has no style sheet */
function standalone(picture) {
  const copy = /** @type {Element} */ (picture.cloneNode(true));
  const [from, to] = [
    [picture, ...picture.querySelectorAll("*")],
    [copy, ...copy.querySelectorAll("*")],
  ];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of [
      "fill",
      "stroke",
      "stroke-width",
      "stroke-dasharray",
      "font-family",
      "font-size",
      "font-weight",
    ])
      to[i].setAttribute(name, style.getPropertyValue(name));
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

customElements.define("mz-equilibria", EquilibriaElement);
