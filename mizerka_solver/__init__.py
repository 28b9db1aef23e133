"""Double-dummy solver for Mizerka, the three-player trick-taking game.

What most programs need stands here; the rest is in the wings: `game`, `double_dummy`, `hidden`, `review`, `bots`,
`arena`, `testing`.

>>> from mizerka_solver import Deal, solve
>>> deal = Deal("F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-")
>>> solve(deal, "N")["N"].guaranteed
(2, 0, 0)
"""

from __future__ import annotations

from mizerka_solver.double_dummy.equilibria import EquilibriumTable
from mizerka_solver.double_dummy.exchange_phase import exchange_line
from mizerka_solver.double_dummy.exchange_values import ExchangeLine, ExchangeSolution, ExchangeValue
from mizerka_solver.double_dummy.query import ExchangeQuery, SolveQuery
from mizerka_solver.double_dummy.shared import cards, solve, solve_many, value
from mizerka_solver.double_dummy.solution import Answer, Solution, to_frame
from mizerka_solver.double_dummy.solver import SearchStopped, Solver
from mizerka_solver.double_dummy.values import CardEquilibria, CardValue, Equilibria, Value
from mizerka_solver.game.cards import Card, Hand, Suit
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import MIZERKA, Contract, Game, Seat, Variant
from mizerka_solver.hidden.contracts import ContractForecast, ContractReport, forecast_contracts
from mizerka_solver.hidden.discards import ExchangeReport, forecast_exchange
from mizerka_solver.hidden.samples import Sampling
from mizerka_solver.hidden.situation import Situation
from mizerka_solver.policy.quick import choose_contract, choose_discards
from mizerka_solver.review.analysis import RecordReview
from mizerka_solver.support.errors import (
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
from mizerka_solver.support.limits import Limits
from mizerka_solver.support.statistics import Mean

__all__ = [
    "MIZERKA",
    "Answer",
    "Card",
    "CardEquilibria",
    "CardValue",
    "Contract",
    "ContractForecast",
    "ContractReport",
    "Deal",
    "Equilibria",
    "EquilibriumTable",
    "ExchangeLine",
    "ExchangeQuery",
    "ExchangeReport",
    "ExchangeSolution",
    "ExchangeValue",
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
    "Limits",
    "Mean",
    "MemoryLimitError",
    "MizerkaError",
    "Position",
    "RecordError",
    "RecordReview",
    "Sampling",
    "SearchStopped",
    "Seat",
    "Situation",
    "Solution",
    "SolveQuery",
    "Solver",
    "Suit",
    "Value",
    "Variant",
    "cards",
    "choose_contract",
    "choose_discards",
    "exchange_line",
    "forecast_contracts",
    "forecast_exchange",
    "solve",
    "solve_many",
    "to_frame",
    "value",
]

RENAMED = {"best_exchange": "forecast_exchange"}  # it samples; the best exchange, exactly, is `Solver.exchange`


def __getattr__(name: str) -> object:
    """`__version__`, looked up when asked for, and names of earlier versions, which warn."""
    if name == "__version__":
        from mizerka_solver.support.version import version

        return version()
    if name in RENAMED:
        import warnings

        warnings.warn(f"{name} is now {RENAMED[name]}", DeprecationWarning, stacklevel=2)
        return globals()[RENAMED[name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
