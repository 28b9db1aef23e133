/**
 * <mz-record>: a played deal judged: what each card, the exchanges and the contract cost, and the three values as a graph.
 *
 * @typedef {import("../context.js").Context} Context
 * @typedef {import("../cards.js").Seat} Seat
 */

import { SEATS, isPosition, points } from "../cards.js";
import { draw, h, spoken, svg } from "../dom.js";
import { cardName, cardText, signed, t } from "../i18n.js";
import { recordOf } from "./dealbar.js";
import { saveButtons } from "./picture.js";
import { meanwhile, mini, grid, tr } from "./pieces.js";

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
    const question = { record: recordOf(state), contracts: true, exchanges: true };
    const reply = get("review", { ...question, equilibria: state.notion === "expected" });
    const review = reply.data;
    if (!review) {
      draw(this, meanwhile(reply, t("record.judging")));
      return;
    }
    // By what could be known: the cards are drawn hundreds of times for each decision, so it comes a second later.
    const known = get("review", { record: recordOf(state), exchanges: true, known: true });
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
      this.#totals(review, known),
      this.#choices(review, known.data),
      this.#advice(context, review),
      this.#cards(context, review, known.data),
      h(
        "p",
        { class: "buttons" },
        saveButtons(() => picture),
      ),
      h("p", { class: "note" }, t("record.why")),
    );
  }

  /** @param {any} review @param {import("../context.js").Reply} known */
  #totals(review, known) {
    const line = (/** @type {string} */ key, /** @type {(seat: Seat) => string} */ text) => [
      t(key),
      ...SEATS.map(text),
    ];
    const behind = (/** @type {Seat} */ seat) =>
      known.data.cards
        .filter((/** @type {any} */ card) => card.seat === seat && card.known)
        .reduce((/** @type {number} */ sum, /** @type {any} */ card) => sum + card.known.mean, 0);
    const rows = [
      ...(review.start ? [line("record.start", (seat) => signed(review.start.points[seat]))] : []),
      line("record.own", (seat) => signed(-review.costs[seat])),
      line("record.gifts", (seat) => signed(review.gifts[seat])),
    ];
    if (review.final) rows.push(line("record.final", (seat) => signed(review.final[seat])));
    if (known.data) rows.push(line("record.known-total", (seat) => signed(behind(seat), 1)));
    return [grid("values", t("record.totals"), [t("points"), ...SEATS], rows), meanwhile(known, t("record.judging"))];
  }

  /** @param {any} review contract and exchanges @param {any} known the same by what could be known, once it is there */
  #choices(review, known) {
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
      (review.exchange ?? []).map((/** @type {any} */ step, /** @type {number} */ i) => {
        const behind = known?.exchange?.[i]?.known?.mean;
        return h(
          "li",
          {},
          `${t(`seat.${step.seat}`)}: ${t("record.exchanged", { n: step.discard.length })} `,
          h("b", {}, SEATS.map((seat) => `${seat} ${signed(step.transfer[seat])}`).join("  ")),
          behind !== undefined &&
            h(
              "span",
              {},
              "; ",
              t("record.known-exchange"),
              " ",
              h("b", {}, behind < 0 ? signed(behind, 2) : t("hint.best")),
            ),
        );
      }),
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
    const reply = this.wantsAdvice ? get("advise", { record: recordOf(state), at: state.at, samples: 400 }) : null;
    const choices = reply?.data?.choices ?? [];
    return h(
      "div",
      { class: "box" },
      h(
        "button",
        { type: "button", "aria-expanded": String(this.wantsAdvice), "data-key": "advice", click: toggle },
        t("record.advice", { card: cardText(card.card) }),
      ),
      reply && meanwhile(reply),
      choices.length > 0 &&
        grid(
          "options",
          t("hint.caption"),
          [],
          choices.map((/** @type {any} */ choice) =>
            tr(choice.card.includes(card.card) ? "chosen" : "", [
              choice.card.map(mini),
              signed(choice.points.mean, 2),
              h("small", {}, choice.behind.mean < 0 ? signed(choice.behind.mean, 2) : t("hint.best")),
            ]),
          ),
        ),
    );
  }

  /** @param {Context} context @param {any} review @param {any} known the same by what could be known, once it is there */
  #cards({ state, go }, review, known) {
    const rows = review.cards.map((/** @type {any} */ card, /** @type {number} */ index) => {
      const level = card.cost > 0 ? "costs" : card.kind === "decision" ? "keeps" : "no-choice";
      const behind = known?.cards[index].known?.mean;
      return tr(`${level} ${state.at === index ? "now" : ""}`, [
        card.place === 1 ? card.trick : "",
        card.seat,
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
        card.kind === "decision"
          ? h("b", {}, card.cost > 0 ? signed(-card.cost) : t("keeps-short"))
          : h("small", {}, t(`record.${card.kind}`)),
        behind === undefined ? "" : h("small", {}, behind < 0 ? signed(behind, 2) : t("hint.best")),
        card.better.slice(0, 3).map((/** @type {any} */ better) => mini(better.card)),
      ]);
    });
    const head = [
      t("trick"),
      t("record.player"),
      t("card-column"),
      t("cost"),
      t("record.known-column"),
      t("record.better"),
    ];
    return grid("cards record", t("record.cards"), head, rows);
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
    notion === "par" && card.par[when]
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
