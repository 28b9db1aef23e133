"""Double-dummy solver for Mizerka, the three-player trick-taking game with a talon.

>>> from mizerka_solver import Deal, solve
>>> deal = Deal("F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-")
>>> solve(deal, "N")["N"].guaranteed
(2, 0, 0)
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from mizerka_solver.cards import Card, Hand, Suit
from mizerka_solver.deal import Deal
from mizerka_solver.errors import (
    IllegalCardError,
    IllegalExchangeError,
    InvalidCardError,
    InvalidContractError,
    InvalidDealError,
    InvalidHandError,
    InvalidPositionError,
    MizerkaError,
    RecordError,
)
from mizerka_solver.position import Position
from mizerka_solver.records import GameRecord
from mizerka_solver.rules import MIZERKA, Contract, Game, Seat, Variant
from mizerka_solver.solver import SearchStopped, Solver, cards, solve, solve_many, value
from mizerka_solver.values import CardValue, Solution, Value

try:
    __version__ = version("mizerka-solver")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"

__all__ = [
    "MIZERKA",
    "Card",
    "CardValue",
    "Contract",
    "Deal",
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
    "MizerkaError",
    "Position",
    "RecordError",
    "SearchStopped",
    "Seat",
    "Solution",
    "Solver",
    "Suit",
    "Value",
    "Variant",
    "cards",
    "solve",
    "solve_many",
    "value",
]
