"""Exchanges with open cards as tables for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from mizerka_solver.cli.common import Output
from mizerka_solver.cli.hidden import grouped
from mizerka_solver.cli.tables import (
    BEST,
    HEAD,
    WARN,
    TextTable,
    print_line_to_paste,
    print_subject,
    print_values,
    signed,
    spaced,
)
from mizerka_solver.double_dummy.exchange_values import ExchangeLine, ExchangeSolution, ExchangeValue
from mizerka_solver.double_dummy.solution import Solution
from mizerka_solver.game.cards import Card
from mizerka_solver.game.rules import Seat

LEGEND = (
    "tricks: what the seat is sure of after the exchange with all cards open, whatever the two others do together:"
    " ≥ at least, in mizerka ≤ at most. points: those tricks against the target. par: the seat's par points after the"
    " exchange if the later seats stand pat. twins: exchanges with the same effect."
)
WIDTH = 34


def print_answer(output: Output, found: ExchangeSolution | ExchangeLine, top: int, label: str) -> None:
    """Print the deal and the best exchanges; of a line, the best one of each seat and where it leads.

    Each deal shown ends in one line to paste.
    """
    table = TextTable(output)
    deal = found.deal
    contract = found.steps[0].contract if isinstance(found, ExchangeLine) else found.contract
    print_subject(table, Solution(deal, Seat.F, {}), label)
    table.put()
    if isinstance(found, ExchangeSolution):
        print_exchange(table, found, top)
    else:
        for step in found.steps:
            print_exchange(table, step, 1)
        print_line_to_paste(table, deal)
        print_subject(table, Solution(found.after, Seat.F, {}), "After the exchange")
        table.put()
        print_values(table, Solution(found.after, Seat.F, {contract: found.value}))
        table.put()
    print_line_to_paste(table, found.after if isinstance(found, ExchangeLine) else deal)


def print_legend(output: Output) -> None:
    """Say once what the columns mean."""
    TextTable(output).put(LEGEND, "dim", wrap=True)


def print_exchange(table: TextTable, found: ExchangeSolution, top: int) -> None:
    """Print one seat's best exchanges, standing pat and the exchange made."""
    later = {Seat.F: "M and R", Seat.M: "R", Seat.R: ""}[found.seat]
    assumed = {"stand": f", {later} standing pat", "reply": f", {later} replying"}[found.others] if later else ""
    table.put(f"Exchange of {found.seat.long_name} in {found.contract.long_name}{assumed}", HEAD)
    points = found.has_points
    columns = f"{'points':>8}{'par':>8}" if points else ""
    table.put(f"  {'discard':<{WIDTH}}{'tricks':>8}{columns}{'twins':>7}", HEAD)
    for option in found.alternatives[:top]:
        print_row(table, found, option, points, ">", BEST if found.exact else WARN)
        if option.draw and option is found.best:
            table.put(Text("    draws ").append_text(spaced(map(table.card, option.draw))))
    more = len(found.alternatives) - top
    if more > 0 and top > 1:
        table.put(f"  and {more} more", "dim")
    if found.made is not None:
        print_row(table, found, found.made, points, "made", "")
        cost = "not known" if found.cost is None else f"{found.cost} points"
        table.put(f"  The exchange made costs {cost}.")
    if found.best.discard:
        print_row(table, found, found.stand, points, "stand", "")
    if not found.exact:
        low, high = found.lower, found.upper
        table.put(
            f"  A limit was reached: the best exchange gives {low} to {high} tricks, and here is what is proven.", WARN
        )
    elif not found.complete:
        table.put("  There may be others as good.", "dim")
    table.put()


def print_row(
    table: TextTable, found: ExchangeSolution, option: ExchangeValue, points: bool, mark: str, style: str
) -> None:
    """Print one exchange."""
    row = Text(f"{mark} " if len(mark) == 1 else "  ")
    row.append_text(named(table, option.discard, mark))
    row.append(" " * max(1, WIDTH + 2 - row.cell_len))
    sign = "≤" if found.contract.is_mizerka else "≥"
    tricks = f"{sign}{option.guaranteed}" if option.exact else f"{option.lower}–{option.upper}"
    row.append(f"{table.plain(tricks):>8}", style)
    if points:
        row.append(f"{signed(option.points):>8}", style)
        row.append(f"{'' if option.par is None else signed(option.par, '.2f'):>8}", style)
    row.append(f"{option.twins:>7}" if len(mark) == 1 else "", style)
    table.put(row)


def named(table: TextTable, cards: Sequence[Card], mark: str) -> Text:
    """Return the cards thrown, with what makes the row special."""
    if mark == "stand":
        return Text("stand pat")
    text = grouped(table, tuple(cards))
    return text.append(" (made)") if mark == "made" else text
