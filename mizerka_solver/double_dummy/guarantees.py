"""What seats are guaranteed in one position: null-window searches of one engine, made into tricks and values.

The engine knows masks and numbers only; what these mean for seats, contracts and tricks already won is said here.
"""

from __future__ import annotations

from mizerka_solver.core import Engine
from mizerka_solver.double_dummy.call import Call
from mizerka_solver.double_dummy.values import Value
from mizerka_solver.game.cards import Card
from mizerka_solver.game.position import Position, equivalent_cards
from mizerka_solver.game.rules import Seat, Triple, Variant


def question(position: Position) -> tuple[Triple, tuple[int, ...], int, int]:
    """Return the engine's arguments: masks, bits of the trick, leader, contract."""
    trick = tuple(card.bit for card in position.trick)
    return position.masks, trick, int(position.leader), int(position.contract)


def guaranteed_value(
    engine: Engine, position: Position, call: Call, variant: Variant, node_limit: int | None = None
) -> Value:
    """Return the value of a position, by three searches; with proven bounds where a limit is hit.

    node_limit: for each of them if not the call's, 0 for none.
    """
    left, won = position.tricks_left, position.tricks_won
    lower, upper = [0, 0, 0], [left, left, left]
    nodes = 0
    if left:
        asked = question(position)
        most = call.nodes if node_limit is None else node_limit
        mizerka = position.contract.is_mizerka
        for seat in range(3):
            call.check()
            others = [i for i in range(3) if i != seat]
            # The bounds of the seats before help: guarantees cannot exceed the constant sum.
            low, high = 0, left
            if mizerka:
                low = max(0, left - sum(upper[i] for i in others))
            else:
                high = left - sum(lower[i] for i in others)
            if call.time_is_up:  # a search would look at the clock only after some milliseconds
                lower[seat], upper[seat] = low, high
                continue
            limits = most, call.seconds_left
            lower[seat], upper[seat], searched = engine.solve(*asked, seat, (low, high, None), limits)
            nodes += searched
        call.check()
    f, m, r = (won[i] + lower[i] for i in range(3))
    F, M, R = (won[i] + upper[i] for i in range(3))
    return Value(position.contract, (f, m, r), (F, M, R), position.hand_size, nodes, variant)


def guaranteed_tricks(engine: Engine, position: Position, seat: Seat, call: Call, guess: int | None = None) -> int:
    """Return the tricks of `seat` against the others, those won included; raises SearchStopped where a limit is hit."""
    won = position.tricks_won[seat]
    if position.is_over:
        return won
    call.check()
    if call.time_is_up:
        raise call.limit_hit()
    left = position.tricks_left
    guess = None if guess is None else min(max(guess - won, 0), left)
    lower, upper, _ = engine.solve(*question(position), seat, (0, left, guess), (call.nodes, call.seconds_left))
    call.check()
    if lower < upper:
        raise call.limit_hit()
    return won + lower


def guaranteed_line(engine: Engine, position: Position, seat: Seat, call: Call) -> tuple[Card, ...]:
    """Return best play to the end by `seat` alone against the two others; raises SearchStopped where a limit is hit.

    Among equally good cards the lowest is played.
    """
    line: list[Card] = []
    value = guaranteed_tricks(engine, position, seat, call)
    while not position.is_over:
        for group in sorted(equivalent_cards(position), key=lambda group: (group[-1].rank, group[-1].suit)):
            after = position.play_unchecked(group[-1])
            if guaranteed_tricks(engine, after, seat, call, value) == value:
                break
        line.append(group[-1])
        position = after
    return tuple(line)
