"""The answer of `mizerka solve` as tables for people, ending in the deal or position as one line to paste."""

from __future__ import annotations

from mizerka_solver.cli.common import Output
from mizerka_solver.cli.tables import (
    TextTable,
    print_card_costs,
    print_cards,
    print_line,
    print_line_to_paste,
    print_subject,
    print_values,
)
from mizerka_solver.double_dummy.solution import Answer
from mizerka_solver.game.rules import Seat

LEGEND = (
    "tricks: what the seat is sure of with all cards open, whatever the two others do together: ≥ at least, in mizerka"
    " ≤ at most. points: those tricks against the target. slack: tricks this leaves undecided. par: points + slack/3."
)


def print_answer(output: Output, answer: Answer, label: str = "") -> None:
    """Print cards, values and what else was asked, after `label` when it is not empty."""
    table = TextTable(output)
    solution = answer.solution
    print_subject(table, solution, label)
    table.put()
    print_values(table, solution)
    for contract, cards in (solution.cards or {}).items() if len(solution.values) == 1 else ():
        print_cards(table, solution, contract, cards)
    if solution.cards and len(solution.values) > 1:
        print_card_costs(table, solution)
    if solution.equilibria:
        from mizerka_solver.cli.equilibria_tables import print_card_equilibria, print_equilibria

        print_equilibria(table, solution)
        if solution.card_equilibria:
            print_card_equilibria(table, solution)
    for contract, lines in answer.lines.items():
        for seat, cards_played in lines.items():
            tricks = solution.values[contract].guaranteed[seat]
            others = " and ".join(other.name for other in Seat if other is not seat)
            print_line(table, solution, contract, f"{seat} alone against {others}: {tricks} for {seat}", cards_played)
    for contract, cards_played in answer.payoff_lines.items():
        payoff = "-".join(map(str, answer.payoff or ()))
        print_line(table, solution, contract, f"everyone for himself: {payoff}", cards_played)
    table.put()
    print_line_to_paste(table, solution.subject)


def print_legend(output: Output, equilibria: bool = False) -> None:
    """Say once what the columns mean."""
    TextTable(output).put(LEGEND, "dim", wrap=True)
    if equilibria:
        from mizerka_solver.cli.equilibria_tables import LEGEND as EQUILIBRIA_LEGEND

        TextTable(output).put(EQUILIBRIA_LEGEND, "dim", wrap=True)
