"""What seats are guaranteed in one position: null-window searches of one engine, made into tricks and values.

The engine knows masks and numbers only; what these mean for seats, contracts and tricks already won is said here.
"""

from __future__ import annotations

import time

from mizerka_solver.core import Engine, SearchStopped
from mizerka_solver.double_dummy.values import Value
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import Seat, Triple, Variant
from mizerka_solver.support.limits import Limits


def question(position: Position) -> tuple[Triple, tuple[int, ...], int, int]:
    """Return the engine's arguments: masks, bits of the trick, leader, contract."""
    trick = tuple(card.bit for card in position.trick)
    return position.masks, trick, int(position.leader), int(position.contract)


def guaranteed_value(engine: Engine, position: Position, limits: Limits, variant: Variant) -> Value:
    """Return the value of a position, by three searches; with proven bounds where a limit is hit."""
    left, won = position.tricks_left, position.tricks_won
    lower, upper = [0, 0, 0], [left, left, left]
    nodes = 0
    if left:
        asked = question(position)
        mizerka = position.contract.is_mizerka
        for seat in range(3):
            others = [i for i in range(3) if i != seat]
            # The bounds of the seats before help: guarantees cannot exceed the constant sum.
            low, high = 0, left
            if mizerka:
                low = max(0, left - sum(upper[i] for i in others))
            else:
                high = left - sum(lower[i] for i in others)
            lower[seat], upper[seat], searched = engine.solve(
                *asked, seat, low, high, None, limits.nodes, limits.seconds_left
            )
            nodes += searched
    f, m, r = (won[i] + lower[i] for i in range(3))
    F, M, R = (won[i] + upper[i] for i in range(3))
    return Value(position.contract, (f, m, r), (F, M, R), position.hand_size, nodes, variant)


def guaranteed_tricks(engine: Engine, position: Position, seat: Seat, limits: Limits, guess: int | None = None) -> int:
    """Return the tricks of `seat` against the others, those won included; raises SearchStopped where a limit is hit."""
    won = position.tricks_won[seat]
    if position.is_over:
        return won
    left = position.tricks_left
    guess = None if guess is None else min(max(guess - won, 0), left)
    lower, upper, _ = engine.solve(*question(position), seat, 0, left, guess, limits.nodes, limits.seconds_left)
    if lower < upper:
        raise SearchStopped("time" if limits.deadline and time.monotonic() > limits.deadline else "nodes")
    return won + lower
