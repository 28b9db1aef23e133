"""What --equilibria adds to the tables of `mizerka solve`."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from mizerka_solver.cli.tables import BEST, HEAD, TextTable, has_points, mover_of, signed
from mizerka_solver.double_dummy.solution import Solution
from mizerka_solver.double_dummy.values import CardEquilibria, Equilibria, Points
from mizerka_solver.game.rules import Seat

LEGEND = (
    "equilibria: tricks F-M-R that play can end in when each card is best for its player; range: the least and the most"
    " of them. expected: the mean when a player who does not care picks evenly among its best cards."
)
MAX_LISTED = 40
SEATS = "".join(f"{seat:>6}" for seat in Seat)
WIDE_SEATS = "".join(f"{seat:>7}" for seat in Seat)
NO_COST = 5e-7  # expected points; what the engine's rounding may leave of nothing


def print_equilibria(table: TextTable, solution: Solution) -> None:
    """Print one row a contract: how many equilibria, the tricks they give each seat, expected tricks and points."""
    found = solution.equilibria or {}
    points = has_points(solution)
    head = f"{'':17}{'equi-':>5}{'range of tricks':>18}{'expected tricks':>18}"
    seats = f"{'':16}{'libria':>6}{SEATS}{SEATS}"
    table.put()
    table.put(f"{head}{'expected points':>21}" if points else head, HEAD)
    table.put(f"{seats}{WIDE_SEATS}" if points else seats, HEAD)
    for contract, equilibria in found.items():
        mean = "".join(f"{tricks:>6.2f}" for tricks in equilibria.expected_tricks or ())
        row = f"  {table.contract(contract):<15}{len(equilibria.vectors):>5}{range_cells(equilibria)}{mean}"
        table.put(row + points_cells(equilibria.expected_points) if points else row)
    if sum(len(equilibria.vectors) for equilibria in found.values()) <= MAX_LISTED:
        for equilibria in found.values():
            vectors = "  ".join("-".join(map(str, vector)) for vector in equilibria.vectors)
            table.put(f"Equilibria in {equilibria.position.contract.long_name}, F-M-R: {vectors}", wrap=True)


def range_cells(found: Equilibria) -> str:
    """Return '2–5', or '4' where every equilibrium gives as many, for each seat."""
    pairs = zip(found.least, found.most, strict=True)
    return "".join(f"{str(low) if low == high else f'{low}–{high}':>6}" for low, high in pairs)


def points_cells(points: Points) -> str:
    """Return points of each seat to two decimals."""
    return "".join(f"{signed(round(n, 2) + 0.0, '.2f'):>7}" for n in points)


def print_card_equilibria(table: TextTable, solution: Solution) -> None:
    """Print what each card of the seat to play costs in expected points: in full for one contract, else in columns."""
    worth = solution.card_equilibria or {}
    table.put()
    if len(worth) != 1:
        print_expected_costs(table, solution)
        return
    (cards,) = worth.values()
    if not cards:
        return
    groups = f"{'expected':>10}{'equi-':>8}{'range of tricks':>18}   {'change of expected':>21}"
    table.put(f"Cards of {mover_of(solution)}{groups}", HEAD)
    table.put(f"{'cost':>20}{'libria':>8}{SEATS}   {WIDE_SEATS}", HEAD)
    for card in sorted(cards, key=lambda card: round(card.expected_cost, 6)):
        row = Text("  ").append_text(table.card(card.card))
        row.append(" " * (9 - row.cell_len))
        row.append(f"{card.expected_cost + 0.0:>11.2f}{len(card.after.vectors):>8}", style_of(card))
        row.append(f"{range_cells(card.after)}   {points_cells(card.expected_transfer)}", style_of(card))
        table.put(row)


def print_expected_costs(table: TextTable, solution: Solution) -> None:
    """Print a row a card and a column a contract: expected points the card costs its player."""
    worth = solution.card_equilibria or {}
    table.put(f"What each card of {mover_of(solution)} costs, in expected points", HEAD)
    table.put(f"      {''.join(f'{contract.name:>6}' for contract in worth)}", HEAD)
    for same_card in zip(*worth.values(), strict=True):
        row = Text("  ").append_text(table.card(same_card[0].card)).append("  ")
        for cell in cost_cells(same_card):
            row.append_text(cell)
        table.put(row)


def cost_cells(cards: tuple[CardEquilibria, ...]) -> Iterator[Text]:
    """Yield the cost of one card in each contract."""
    for card in cards:
        yield Text(f"{card.expected_cost + 0.0:>6.2f}", style_of(card))


def style_of(card: CardEquilibria) -> str:
    """Return the style of a card that costs nothing, or none."""
    return BEST if card.expected_cost < NO_COST else ""
