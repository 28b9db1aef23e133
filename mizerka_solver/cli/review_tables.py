"""Reviews of game records and their summary, as tables for people."""

from __future__ import annotations

import math

from rich.text import Text

from mizerka_solver.cli.common import Output
from mizerka_solver.cli.tables import BEST, HEAD, WARN, Table, signed, spaced, tricks_cells
from mizerka_solver.game.rules import Seat
from mizerka_solver.review.analysis import EQUIVALENT, FORCED, CardReview, ContractReview, ExchangeReview, RecordReview
from mizerka_solver.review.summary import Line, Summary
from mizerka_solver.support.statistics import Tally

LEGEND = (
    "cost: guaranteed points the player's own card took from it; par: the same in par points, which count what the two"
    " others may leave it. Open cards are not skill: a card that costs nothing here may be a blunder at the table."
)
NAMES = {"player": "by player", "seat": "by seat", "contract": "by contract", "place": "by place in the trick"}
POINTS = ("player", "seat", "contract")  # what a deal was won by can't be laid to one trick of it
MAX_BETTER = 6  # cards that fit on a line of 80 columns


def print_review(output: Output, review: RecordReview, label: str) -> None:
    """Print a record card by card, and how its points come about."""
    table = Table(output)
    record = review.record
    players = ", ".join(f"{seat} {name}" for seat, name in zip(Seat, record.players, strict=True))
    table.put(f"{label}: {record.contract.long_name}, {players}", HEAD)
    if review.contract is not None:
        print_contract(table, review.contract)
    for exchange in review.exchanges:
        print_exchange(table, exchange)
    if any(exchange.best is None for exchange in review.exchanges):
        table.put("what the best exchanges would have given: --best-exchanges", "dim")
    table.put()
    wide = any(card.expected_cost is not None for card in review.cards)
    table.put(f"                  tricks then      change of points           par{' expected' * wide}", HEAD)
    table.put(f"trick  card      F    M    R      F    M    R        cost    cost{'     cost' * wide}  better", HEAD)
    for card in review.cards:
        print_card(table, card)
    print_balance(table, review)
    table.put()


def print_card(table: Table, card: CardReview) -> None:
    """Print the row of one card."""
    row = Text(f"{card.trick:>2} " if card.place == 0 else "   ").append(f"  {card.seat} ")
    row.append_text(table.card(card.card))
    cells = "".join(f"{table.plain(cell):>5}" for cell in tricks_cells(card.after))
    row.append(" " * (11 - row.cell_len) + cells)
    row.append("  " + "".join(f"{signed(n):>5}" for n in card.transfer))
    if card.kind == FORCED:
        row.append("      forced", "dim")
    elif card.kind == EQUIVALENT:
        row.append("      all same", "dim")
    else:
        expected = "" if card.expected_cost is None else f"{card.expected_cost:>9.2f}"
        row.append(f"{card.cost:>12}{card.par_cost:>8.2f}{expected}", WARN if card.cost else "")
        shown = [table.card(better) for better, _ in card.better[:MAX_BETTER]]
        more = [Text("…" if not table.ascii else "...")] if len(card.better) > MAX_BETTER else []
        row.append("  ").append_text(spaced([*shown, *more]))
    table.put(row)


def print_exchange(table: Table, exchange: ExchangeReview) -> None:
    """Print what a seat laid down and drew, and what that did to all."""
    change = " ".join(f"{seat}{signed(n)}" for seat, n in zip(Seat, exchange.transfer, strict=True) if n) or "no change"
    row = Text(f"{exchange.seat} exchanged {len(exchange.discards)}")
    if exchange.discards:
        row.append(": ").append_text(spaced(map(table.card, exchange.discards)))
        row.append(" for ").append_text(spaced(map(table.card, exchange.drawn)))
    row.append(f"; guaranteed points {change}")
    if exchange.cost is not None and exchange.best is not None:
        row.append(f"; cost {exchange.cost}", WARN if exchange.cost else "")
        if exchange.cost:
            row.append(", best ").append_text(spaced(map(table.card, exchange.best[1])))
    table.put(row)


def print_contract(table: Table, contract: ContractReview) -> None:
    """Print what each contract was worth to forehand."""
    table.put("Contract, as dealt, nobody exchanging; points of F: guaranteed, par", HEAD)
    for wanted, value in contract.values.items():
        marks = ("named " if wanted is contract.named else "") + ("best" if wanted is contract.best else "")
        row = f"  {table.contract(wanted):<14}{signed(value.points[0]):>4}{signed(value.par[0], '.2f'):>8}  {marks}"
        table.put(row, BEST if wanted is contract.best else "")


def print_balance(table: Table, review: RecordReview) -> None:
    """Print how the points at the end come about from those at the start."""
    rows = [
        ("guaranteed at the start", review.start.points),
        ("own cards", tuple(-cost for cost in review.costs)),
        ("the others' cards", review.gifts),
    ]
    if any(review.claim):
        rows.append(("claim", review.claim))
    table.put()
    table.put(f"points{'':21}" + "".join(f"{seat:>5}" for seat in Seat), HEAD)
    for name, triple in rows:
        table.put(f"  {name:<25}" + "".join(f"{signed(n):>5}" for n in triple))
    name, end = ("unfinished: guaranteed", review.end.points) if review.final is None else ("final", review.final)
    problems = review.problems()
    table.put(f"  {name:<25}" + "".join(f"{signed(n):>5}" for n in end) + ("" if problems else "   adds up"), HEAD)
    for problem in problems:
        table.put(f"  does not add up: {problem}", WARN)


# Summary


def print_summary(output: Output, summary: Summary) -> None:
    """Print the groups (of a single record only the players), the worst cards, and what the columns mean."""
    table = Table(output)
    lines = [line for line in summary.sorted_lines() if summary.n_records > 1 or line[0] == "player"]
    width = max([len(str(key)) for _, key, _ in lines] + [8]) + 2
    table.put(f"{'':{width}}       deci-  error  cost a      par cost    cost        points", HEAD)
    table.put(f"{'':{width}} deals sions   rate  decision    a decision  a deal      a deal", HEAD)
    group = ""
    for name, key, line in lines:
        if name != group:
            table.put(NAMES.get(name, "by trick"), HEAD)
            group = name
        table.put(f"  {key!s:<{width - 2}}{line_cells(table, line, name in POINTS)}")
    print_choices(table, summary, width)
    if summary.worst:
        table.put("worst cards, to paste into `mizerka solve --cards`", HEAD)
    for worst in summary.worst:
        row = Text(f"  {worst.where} {worst.player} ").append_text(table.card(worst.card.card))
        table.put(row.append(f" cost {worst.cost}"))
        table.put(f"    '{worst.card.position}'")
    if summary.faulty:
        table.put(f"records that do not add up: {len(summary.faulty)}", WARN)
    else:
        table.put(f"records whose changes add up to the points: {summary.n_records}, all")
    table.put(LEGEND, "dim", wrap=True)


def print_choices(table: Table, summary: Summary, width: int) -> None:
    """Print what the players' contracts and exchanges did, where they were judged."""
    if not summary.choices:
        return
    table.put(f"{'':{width}}  con- cost per     par cost       ex- points       cost per", HEAD)
    table.put(f"{'by player':{width}}tracts contract     per contract changes gained      exchange", HEAD)
    for player, choices in sorted(summary.choices.items()):
        contracts = (mean(table, choices.contract_cost), mean(table, choices.contract_par_cost))
        exchanges = (mean(table, choices.exchange_gain), mean(table, choices.exchange_cost))
        named = f"{choices.contract_cost.n:>6} {contracts[0]:<13}{contracts[1]:<13}"
        table.put(
            f"  {player:<{width - 2}}{named}{choices.exchange_gain.n:>7} {exchanges[0]:<13}{exchanges[1]}".rstrip()
        )


def line_cells(table: Table, line: Line, points: bool) -> str:
    """Return the cells of one group."""
    numbers = f"{line.deal_cost.n:>6}{line.decisions:>6}{line.error_rate:>7.1%}"
    parts = (line.cost, line.par_cost, line.deal_cost, *([line.deal_points] if points else []))
    return (numbers + " " + "".join(f" {mean(table, part):<11}" for part in parts)).rstrip()


def mean(table: Table, tally: Tally) -> str:
    """Return '0.12 ±0.03': mean and standard error."""
    if not tally.n:
        return "-"
    sign = "+-" if table.ascii else "±"
    error = "" if math.isnan(tally.standard_error) else f" {sign}{tally.standard_error:.2f}"
    return f"{tally.mean:.2f}{error}"
