"""For testing programs that play or handle Mizerka: Hypothesis strategies, and a check of their rules against ours.

Imports Hypothesis; nothing else in the package does.

>>> smallest(positions(min_left=2, mid_trick=True), lambda position: position.contract.is_mizerka)
Position('F:5.-.-.- M:63.-.-.- R:74.-.-.- M F S2 0-0-0')
"""

from __future__ import annotations

try:
    import hypothesis  # noqa: F401 - to say what is missing rather than where
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "mizerka_solver.testing needs Hypothesis, which is installed with the package: pip install hypothesis",
        name="hypothesis",
    ) from error

from mizerka_solver.testing.adapter import ProgramAdapter, Refused, RulesAdapter
from mizerka_solver.testing.conformance import RulesCheck, RulesReport, check_rules
from mizerka_solver.testing.referee import Difference
from mizerka_solver.testing.strategies import (
    cards,
    contracts,
    deals,
    exchanges,
    hands,
    names,
    plays,
    positions,
    records,
    seats,
    smallest,
    suits,
    tricks,
)
from mizerka_solver.testing.whole_games import game_records, games

Report = RulesReport  # the former name

__all__ = [
    "Difference",
    "ProgramAdapter",
    "Refused",
    "RulesAdapter",
    "RulesCheck",
    "RulesReport",
    "cards",
    "check_rules",
    "contracts",
    "deals",
    "exchanges",
    "game_records",
    "games",
    "hands",
    "names",
    "plays",
    "positions",
    "records",
    "seats",
    "smallest",
    "suits",
    "tricks",
]
