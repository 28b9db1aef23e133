/**
 * <mz-equilibria>: all results that play can end in when each plays for himself, as points of a triangle: the nearer a
 * point is to a seat's corner, the more tricks the seat has.
 *
 * @typedef {import("../context.js").Context} Context
 */

import { SEATS, isWhole, points, positionText } from "../cards.js";
import { ask } from "../api.js";
import { draw, h, svg } from "../dom.js";
import { number, signed, t } from "../i18n.js";
import { continued } from "../state.js";
import { saveButtons } from "./picture.js";
import { button, grid, meanwhile, sure } from "./pieces.js";
import { only } from "./values.js";

const MOST_SHOWN = 60;
const SIDE = 300;
const HEIGHT = (SIDE * Math.sqrt(3)) / 2;
const [LEFT, TOP] = [56, 26];

/** @param {number[]} tricks F, M, R @param {number} total @returns {[number, number]} F on top, M left, R right as at the table */
function place([f, , r], total) {
  return [LEFT + ((f / 2 + r) / total) * SIDE, TOP + (1 - f / total) * HEIGHT];
}

export class EquilibriaElement extends HTMLElement {
  /** A button that lays out play in which every card is best for its player, and which ends in a result. */
  /** @param {Context} context @param {import("../rules.js").Table} table @param {number[]} payoff */
  #lineTo({ state, go }, table, payoff) {
    const result = payoff.join("–");
    const click = async () => {
      const answer = await ask("solve", { subject: positionText(table), payoff }).catch(() => null);
      const line = only(answer)?.payoff_line;
      if (line) go(continued(state, line));
    };
    const more = { "data-key": `payoff-${result}`, disabled: table.isOver, title: t("equilibria.line", { result }) };
    return button(result, click, more);
  }

  /** @param {Context} context @param {import("../rules.js").Table} table */
  update(context, table) {
    const question = { subject: positionText(table), cards: true, equilibria: true };
    const reply = context.get("solve", question);
    const value = only(reply.data);
    if (!value) {
      draw(this, meanwhile(reply, t("equilibria.searching")));
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
      grid(
        "values",
        "",
        [t("tricks"), ...SEATS],
        [
          [
            t("equilibria.range"),
            ...SEATS.map((_, i) => rangeText(value.equilibria.map((/** @type {number[]} */ v) => v[i]))),
          ],
          [t("notion.expected"), ...expected.map((n) => number(n, 2))],
          ...(isWhole(expected)
            ? [
                [
                  t("equilibria.points"),
                  ...SEATS.map((seat, i) => signed(points(table.contract, seat, expected[i]), 2)),
                ],
              ]
            : []),
          [t("notion.guaranteed"), ...SEATS.map((seat) => sure(table.contract, value.guaranteed[seat]))],
        ],
      ),
      h("p", { class: "note" }, t("equilibria.lines")),
      h(
        "p",
        { class: "vectors" },
        value.equilibria.slice(0, MOST_SHOWN).map((/** @type {number[]} */ v) => this.#lineTo(context, table, v)),
      ),
      h(
        "p",
        { class: "buttons" },
        saveButtons(() => picture),
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

customElements.define("mz-equilibria", EquilibriaElement);
