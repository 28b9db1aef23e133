"""Reviews of game records and their summary, as tables for people."""

from __future__ import annotations

from rich.text import Text

from mizerka_solver.cli.common import Output
from mizerka_solver.cli.hidden import grouped
from mizerka_solver.cli.tables import (
    BEST,
    HEAD,
    WARN,
    TextTable,
    no_points,
    print_line_to_paste,
    signed,
    spaced,
    tricks_cells,
)
from mizerka_solver.game.rules import Seat
from mizerka_solver.review.account import TERMS
from mizerka_solver.review.analysis import RecordReview
from mizerka_solver.review.steps import EQUIVALENT, FORCED, CardReview, ContractReview, ExchangeReview

TERM_NAMES = {
    "cards": "cards dealt",
    "contract": "own contract",
    "others_contract": "others' contract",
    "exchange": "own exchange",
    "others_exchange": "others' exchanges",
    "play": "own cards",
    "others_play": "others' cards",
    "forfeit": "own forfeit",
    "others_forfeit": "others' forfeit",
    "claim": "claim",
    "points": "points",
}
ALWAYS = ("cards", "play", "others_play")
SCREEN = 80  # columns


def print_review(output: Output, review: RecordReview, label: str) -> None:
    """Print a record card by card, and how its points come about."""
    table = TextTable(output)
    record = review.record
    players = ", ".join(f"{seat} {name}" for seat, name in zip(Seat, record.players, strict=True))
    table.put(f"{label}: {record.contract.long_name}, {players}", HEAD, wrap=True)
    if review.contract is not None and review.has_points:
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
    print_line_to_paste(table, record.marked_deal)


def print_card(table: TextTable, card: CardReview) -> None:
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
        room = (SCREEN - row.cell_len - 3) // 3  # of two columns and a blank each, with the sign for more
        shown = [table.card(better) for better, _ in card.better[:room]]
        more = [Text("…" if not table.ascii else "+")] if len(card.better) > room else []
        row.append("  ").append_text(spaced([*shown, *more]))
    table.put(row)


def print_exchange(table: TextTable, exchange: ExchangeReview) -> None:
    """Print what a seat laid down and drew, and what that did to all."""
    change = " ".join(f"{seat}{signed(n)}" for seat, n in zip(Seat, exchange.transfer, strict=True) if n) or "no change"
    row = Text(f"{exchange.seat} exchanged {len(exchange.discards)}")
    if exchange.discards:
        row.append(": ").append_text(grouped(table, exchange.discards))
        row.append(" for ").append_text(grouped(table, exchange.drawn))
    row.append(f"; guaranteed points {change}")
    if exchange.cost is not None and exchange.best is not None:
        row.append(f"; cost {exchange.cost}", WARN if exchange.cost else "")
        if exchange.cost:
            row.append(", best ").append_text(grouped(table, exchange.best[1]))
    table.put(row, wrap=True)


def print_contract(table: TextTable, contract: ContractReview) -> None:
    """Print what each contract was worth to forehand."""
    known = contract.known
    more = "" if known is None else ", promised"
    table.put(f"Contract, as dealt, nobody exchanging; points of F: guaranteed, par{more}", HEAD)
    for wanted, value in contract.values.items():
        marks = ("named " if wanted is contract.named else "") + ("best" if wanted is contract.best else "")
        row = f"  {table.contract(wanted):<14}{signed(value.points[0]):>4}{signed(value.par[0], '.2f'):>8}"
        row += "" if known is None else f"{signed(known.totals[wanted], '.2f'):>8}"
        table.put(f"{row}  {marks}", BEST if wanted is contract.best else "")
    if known is not None:
        how = f"{known.samples} deals drawn" if known.samples else "fitted weights"
        text = (
            f"promised: points now and later, by the six cards F saw, {known.preview} ({how}); by these {known.named}"
        )
        text += f" cost {known.cost:.2f} against {known.best}" if known.cost else " was the best"
        table.put(text, "dim", wrap=True)


def print_balance(table: TextTable, review: RecordReview) -> None:
    """Print how the points at the end come about from those at the start."""
    rows = [
        *([("guaranteed at the start", review.start.points)] if review.has_points else []),
        ("own cards", tuple(-cost for cost in review.costs)),
        ("the others' cards", review.gifts),
    ]
    if any(review.claim):
        seat = review.forfeiter
        rows.append(("claim" if seat is None else f"{seat} forfeits", review.claim))
    table.put()
    unit = "sure points" if review.has_points else "change     "
    table.put(f"{unit}{'':16}" + "".join(f"{seat:>5}" for seat in Seat), HEAD)
    for name, triple in rows:
        table.put(f"  {name:<25}" + "".join(f"{signed(n):>5}" for n in triple))
    problems = review.problems()
    if review.has_points:
        name, end = ("unfinished: guaranteed", review.end.points) if review.final is None else ("final", review.final)
        table.put(f"  {name:<25}" + "".join(f"{signed(n):>5}" for n in end) + ("" if problems else "   adds up"), HEAD)
    else:
        table.put(no_points(review.start), "dim")
    for problem in problems:
        table.put(f"  does not add up: {problem}", WARN)
    if review.has_points:
        print_account(table, review)


def print_account(table: TextTable, review: RecordReview) -> None:
    """Print the same in par, from the cards as dealt: what each seat's points are made of."""
    accounts = [account._asdict() for account in review.accounts]
    begins = "" if review.reaches_the_deal else " (as played)"
    table.put()
    table.put(f"par points{begins:<17}" + "".join(f"{seat:>7}" for seat in Seat), HEAD)
    for term in TERMS:
        thirds = [account[term] for account in accounts]
        if any(thirds) or term in ALWAYS:
            cells = "".join(f"{signed(n / 3, '.2f'):>7}" for n in thirds)
            table.put(f"  {TERM_NAMES[term]:<25}{cells}")
    name = "unfinished: par" if review.final is None else "final"
    cells = "".join(f"{signed(sum(account) / 3, '.2f'):>7}" for account in review.accounts)
    table.put(f"  {name:<25}{cells}", HEAD)
