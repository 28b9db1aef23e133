"""Double-dummy solver for Mizerka, the three-player trick-taking game with a talon.

>>> from mizerka_solver import Deal, solve
>>> deal = Deal("F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-")
>>> solve(deal, "N")["N"].guaranteed
(2, 0, 0)
"""

from __future__ import annotations

from mizerka_solver.cards import Card, Hand, Suit
from mizerka_solver.deal import Deal
from mizerka_solver.equilibria import EquilibriumTable
from mizerka_solver.errors import (
    IllegalCardError,
    IllegalExchangeError,
    InvalidCardError,
    InvalidContractError,
    InvalidDealError,
    InvalidHandError,
    InvalidPositionError,
    MemoryLimitError,
    MizerkaError,
    RecordError,
)
from mizerka_solver.policy import choose_contract, choose_discards
from mizerka_solver.position import Position
from mizerka_solver.race import best_exchange
from mizerka_solver.records import GameRecord
from mizerka_solver.rules import MIZERKA, Contract, Game, Seat, Variant
from mizerka_solver.sampling import Sampling, forecast_contracts
from mizerka_solver.solver import SearchStopped, Solver, cards, solve, solve_many, value
from mizerka_solver.values import CardEquilibria, CardValue, Equilibria, Solution, Value
from mizerka_solver.worlds import Situation

__all__ = [
    "MIZERKA",
    "Card",
    "CardEquilibria",
    "CardValue",
    "Contract",
    "Deal",
    "Equilibria",
    "EquilibriumTable",
    "Game",
    "GameRecord",
    "Hand",
    "IllegalCardError",
    "IllegalExchangeError",
    "InvalidCardError",
    "InvalidContractError",
    "InvalidDealError",
    "InvalidHandError",
    "InvalidPositionError",
    "MemoryLimitError",
    "MizerkaError",
    "Position",
    "RecordError",
    "Sampling",
    "SearchStopped",
    "Seat",
    "Situation",
    "Solution",
    "Solver",
    "Suit",
    "Value",
    "Variant",
    "best_exchange",
    "cards",
    "choose_contract",
    "choose_discards",
    "forecast_contracts",
    "solve",
    "solve_many",
    "value",
]


def __getattr__(name: str) -> str:
    """`__version__`, looked up when asked for: reading the installed metadata takes longer than everything else."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mizerka-solver")
    except PackageNotFoundError:  # a source tree that was never installed
        return "0+unknown"
