/**
 * <mz-record>: a played deal judged: what each card, the exchanges and the contract cost, and the three values as a graph.
 *
 * @typedef {import("../context.js").Context} Context
 */

import { SEATS, isPosition, points } from "../cards.js";
import { draw, h, spoken, svg } from "../dom.js";
import { cardName, cardText, signed, t } from "../i18n.js";
import { recordOf } from "./dealbar.js";
import { savePng, saveSvg } from "./equilibria.js";

const [WIDTH, HEIGHT, MARGIN] = [340, 170, 30];

export class RecordElement extends HTMLElement {
  constructor() {
    super();
    this.wantsAdvice = false;
  }

  /** @param {Context} context */
  update(context) {
    const { state, get } = context;
    if (isPosition(state.subject) || state.play.length === 0) {
      draw(this, h("p", { class: "note" }, t("record.empty")));
      return;
    }
    const reply = get("review", {
      record: recordOf(state),
      contracts: true,
      exchanges: true,
      equilibria: state.notion === "expected",
    });
    const review = reply.data;
    if (!review) {
      draw(
        this,
        h("p", { class: reply.waiting ? "note busy" : "error", role: "status" }, reply.error ?? t("record.judging")),
      );
      return;
    }
    const picture = graph(review, state);
    draw(
      this,
      h(
        "figure",
        {},
        picture,
        h(
          "figcaption",
          { class: "key" },
          SEATS.map((seat) =>
            h(
              "span",
              { class: `line-${seat}` },
              review.players[seat] === seat ? t(`seat.${seat}`) : review.players[seat],
            ),
          ),
        ),
      ),
      this.#totals(review),
      this.#choices(review),
      this.#advice(context, review),
      this.#cards(context, review),
      h(
        "p",
        { class: "buttons" },
        h("button", { type: "button", "data-key": "save-svg", click: () => saveSvg(picture) }, t("save.svg")),
        h("button", { type: "button", "data-key": "save-png", click: () => savePng(picture) }, t("save.png")),
      ),
      h("p", { class: "note" }, t("record.why")),
    );
  }

  /** @param {any} review */
  #totals(review) {
    const line = (/** @type {string} */ key, /** @type {(seat: string) => string} */ text) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, t(key)),
        SEATS.map((seat) => h("td", {}, text(seat))),
      );
    return h(
      "table",
      { class: "values" },
      h("caption", {}, t("record.totals")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, t("points")),
          SEATS.map((seat) => h("th", { scope: "col" }, seat)),
        ),
      ),
      h(
        "tbody",
        {},
        line("record.start", (seat) => signed(review.start.points[seat])),
        line("record.own", (seat) => signed(-review.costs[seat])),
        line("record.gifts", (seat) => signed(review.gifts[seat])),
        review.final && line("record.final", (seat) => signed(review.final[seat])),
      ),
    );
  }

  /** @param {any} review contract and exchanges */
  #choices(review) {
    const choice = review.contract_choice;
    return h(
      "ul",
      { class: "choices" },
      choice &&
        h(
          "li",
          {},
          t(choice.best === choice.named ? "record.contract.best" : "record.contract", {
            named: t(`contract.${choice.named}`),
            best: t(`contract.${choice.best}`),
          }),
          " ",
          h(
            "b",
            { class: choice.par_cost > 0 ? "costs" : "keeps" },
            choice.par_cost > 0 ? signed(-choice.par_cost, 2) : t("keeps-short"),
          ),
        ),
      choice?.known &&
        h(
          "li",
          {},
          t("record.known", { best: t(`contract.${choice.known.best}`) }),
          " ",
          h(
            "b",
            { class: choice.known.cost > 0 ? "costs" : "keeps" },
            choice.known.cost > 0 ? signed(-choice.known.cost, 2) : t("keeps-short"),
          ),
        ),
      (review.exchange ?? []).map((/** @type {any} */ step) =>
        h(
          "li",
          {},
          `${t(`seat.${step.seat}`)}: ${t("record.exchanged", { n: step.discard.length })} `,
          h("b", {}, SEATS.map((seat) => `${seat} ${signed(step.transfer[seat])}`).join("  ")),
        ),
      ),
    );
  }

  /** The next card by what its player could see. @param {Context} context @param {any} review */
  #advice(context, review) {
    const { state, get } = context;
    const card = review.cards[state.at];
    if (!card || card.kind !== "decision") return null;
    const toggle = () => {
      this.wantsAdvice = !this.wantsAdvice;
      this.update(context);
    };
    const reply = this.wantsAdvice ? get("advise", { record: recordOf(state), at: state.at, samples: 60 }) : null;
    const choices = reply?.data?.choices ?? [];
    return h(
      "div",
      { class: "box" },
      h(
        "button",
        { type: "button", "aria-expanded": String(this.wantsAdvice), "data-key": "advice", click: toggle },
        t("record.advice", { card: cardText(card.card) }),
      ),
      reply?.waiting && h("p", { class: "note busy", role: "status" }, t("searching")),
      reply?.error && h("p", { class: "error", role: "alert" }, reply.error),
      choices.length > 0 &&
        h(
          "table",
          { class: "options" },
          h("caption", {}, t("hint.caption")),
          h(
            "tbody",
            {},
            choices.map((/** @type {any} */ choice) =>
              h(
                "tr",
                { class: choice.card.includes(card.card) ? "chosen" : "" },
                h(
                  "td",
                  {},
                  choice.card.map((/** @type {string} */ one) =>
                    h("span", { class: `mini suit-${one[0]}` }, cardText(one)),
                  ),
                ),
                h("td", {}, signed(choice.points.mean, 2)),
                h("td", {}, h("small", {}, choice.behind.mean < 0 ? signed(choice.behind.mean, 2) : t("hint.best"))),
              ),
            ),
          ),
        ),
    );
  }

  /** @param {Context} context @param {any} review */
  #cards({ state, go }, review) {
    return h(
      "table",
      { class: "cards record" },
      h("caption", {}, t("record.cards")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, t("trick")),
          h("th", { scope: "col" }, t("record.player")),
          h("th", { scope: "col" }, t("card-column")),
          h("th", { scope: "col" }, t("cost")),
          h("th", { scope: "col" }, t("record.better")),
        ),
      ),
      h(
        "tbody",
        {},
        review.cards.map((/** @type {any} */ card, /** @type {number} */ index) =>
          h(
            "tr",
            {
              class: `${card.cost > 0 ? "costs" : card.kind === "decision" ? "keeps" : "no-choice"} ${state.at === index ? "now" : ""}`,
            },
            h("td", {}, card.place === 1 ? card.trick : ""),
            h("td", {}, card.seat),
            h(
              "td",
              {},
              h(
                "button",
                {
                  type: "button",
                  class: `mini suit-${card.card[0]}`,
                  "data-key": `review-${index}`,
                  click: () => go({ at: index }),
                },
                spoken(cardText(card.card), t("record.before", { card: cardName(card.card) })),
              ),
            ),
            h(
              "td",
              {},
              card.kind === "decision"
                ? h("b", {}, card.cost > 0 ? signed(-card.cost) : t("keeps-short"))
                : h("small", {}, t(`record.${card.kind}`)),
            ),
            h(
              "td",
              {},
              card.better
                .slice(0, 3)
                .map((/** @type {any} */ better) =>
                  h("span", { class: `mini suit-${better.card[0]}` }, cardText(better.card)),
                ),
            ),
          ),
        ),
      ),
    );
  }
}

/** @param {any} review @param {import("../state.js").State} state @returns {SVGElement} points of the three seats, card by card */
function graph(review, state) {
  const { notion, contract } = state;
  const cards = review.cards;
  const valueAt = (
    /** @type {any} */ card,
    /** @type {string} */ when,
    /** @type {import("../cards.js").Seat} */ seat,
  ) =>
    notion === "par"
      ? card.par[when][seat]
      : notion === "expected" && card.expected
        ? card.expected[when][seat]
        : points(contract, seat, card.guaranteed[when][seat]);
  const rows = SEATS.map((seat) => [
    ...cards.map((/** @type {any} */ card) => valueAt(card, "before", seat)),
    valueAt(cards.at(-1), "after", seat),
  ]);
  const [low, high] = [Math.min(-1, ...rows.flat()), Math.max(1, ...rows.flat())];
  const x = (/** @type {number} */ i) => MARGIN + (i / cards.length) * (WIDTH - 2 * MARGIN);
  const y = (/** @type {number} */ value) => 12 + ((high - value) / (high - low)) * (HEIGHT - 32);
  const ticks = [];
  const step = high - low > 12 ? 5 : high - low > 6 ? 2 : 1;
  for (let n = Math.ceil(low / step) * step; n <= high; n += step) {
    ticks.push(
      svg("line", { x1: MARGIN, x2: WIDTH - MARGIN, y1: y(n), y2: y(n), class: n ? "grid" : "grid five" }),
      svg("text", { x: MARGIN - 6, y: y(n) + 4, "text-anchor": "end", class: "tick" }, signed(n)),
    );
  }
  const path = (/** @type {number[]} */ values) =>
    values.map((value, i) => (i ? `H${x(i).toFixed(1)}V${y(value).toFixed(1)}` : `M${x(0)},${y(value)}`)).join("");
  const label = t("record.graph", {
    list: SEATS.map((seat, i) => `${t(`seat.${seat}`)} ${signed(rows[i][0])} … ${signed(rows[i].at(-1))}`).join("; "),
  });
  return /** @type {SVGElement} */ (
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, class: "chart" },
      ticks,
      svg("line", { x1: x(state.at), x2: x(state.at), y1: 8, y2: HEIGHT - 18, class: "cursor" }),
      SEATS.map((seat, i) => svg("path", { d: path(rows[i]), class: `series line-${seat}` })),
      SEATS.map((seat, i) =>
        svg("text", { x: WIDTH - MARGIN + 5, y: y(rows[i].at(-1)) + 4, class: `tick line-${seat}` }, seat),
      ),
      [1, 4, 7, 10, 13].map(
        (trick) =>
          trick * 3 - 3 <= cards.length &&
          svg("text", { x: x(trick * 3 - 3), y: HEIGHT - 4, "text-anchor": "middle", class: "tick" }, trick),
      ),
    )
  );
}

customElements.define("mz-record", RecordElement);
