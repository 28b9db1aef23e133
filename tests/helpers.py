"""What several test modules share: case files, builds of the core, plain questions to an engine, small deals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module, util
from pathlib import Path
from types import ModuleType
from typing import Any

from mizerka_solver import Contract, Deal, Hand, Position, Seat
from mizerka_solver.core import load_engine
from mizerka_solver.game.rules import shuffled

CASES = Path(__file__).parent / "cases"


def builds(name: str) -> list[ModuleType]:
    """The builds of a compiled module that this machine can run, the portable one first."""
    found = ["_portable"]
    engine = import_module("mizerka_solver.core._portable._engine")
    if util.find_spec(f"mizerka_solver.core._v3.{name}") and engine.cpu_is_v3():
        found.append("_v3")
    if name == "_engine":
        return [load_engine(build) for build in found]
    return [import_module(f"mizerka_solver.core.{build}.{name}") for build in found]


def lines(name: str) -> Iterator[dict[str, Any]]:
    """The records of a case file."""
    for line in (CASES / name).read_text().splitlines():
        yield json.loads(line)


def solved_positions(name: str) -> Iterator[tuple[Position, dict[str, Any]]]:
    """(position, answers) for each contract of small.jsonl or full.jsonl.

    20 lines of small.jsonl give one hand too many cards for the tricks they answer for; they are no positions.
    """
    for record in lines(name):
        hands = [Hand(record["hands"][seat.name]) for seat in Seat]
        if len({len(hand) for hand in hands}) > 1:
            continue
        for letter, answers in record["values"].items():
            yield Position.from_hands(hands, Contract.parse(letter), Seat.parse(record["leader"])), answers


def question(position: Position) -> tuple[Any, ...]:
    """An Engine's arguments for a position, but for the seat."""
    trick = tuple(card.bit for card in position.trick)
    return position.masks, trick, int(position.leader), int(position.contract)


def triple(engine: Any, position: Position) -> tuple[int, ...]:
    """Guaranteed tricks of each seat from the current trick on."""
    return tuple(engine.solve(*question(position), seat)[0] for seat in range(3))


def small_deal(seed: int, n_cards: int, n_talon: int) -> Deal:
    """A deal of few cards; odd seeds take them from the top of two suits, so that suits are long and talons matter."""
    pack = list(shuffled(seed))
    if seed % 2:
        pack = [card for card in pack if card.suit < 2 and card.rank > 4][:16] + [c for c in pack if c.suit >= 2]
    hands = [Hand.from_cards(pack[n_cards * i : n_cards * i + n_cards]) for i in range(3)]
    return Deal.from_hands(hands, pack[3 * n_cards : 3 * n_cards + n_talon])
