"""Double-dummy solver for Mizerka, the three-player trick-taking game.

What most programs need stands here; the rest is in the wings: `game`, `double_dummy`, `hidden`, `review`, `bots`,
`arena`, `testing`. Names are looked up when they are first used, so that importing the package takes no time.

>>> from mizerka_solver import Deal, solve
>>> deal = Deal("F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-")
>>> solve(deal, "N")["N"].guaranteed
(2, 0, 0)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mizerka_solver.batches.backends import Backend
    from mizerka_solver.batches.many import exchange_many, read_deals, review_many, solve_each
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
    "Backend",
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
    "exchange_many",
    "forecast_contracts",
    "forecast_exchange",
    "read_deals",
    "review_many",
    "solve",
    "solve_each",
    "solve_many",
    "to_frame",
    "value",
]

HOMES = {
    "batches.backends": "Backend",
    "batches.many": "exchange_many read_deals review_many solve_each",
    "double_dummy.equilibria": "EquilibriumTable",
    "double_dummy.exchange_phase": "exchange_line",
    "double_dummy.exchange_values": "ExchangeLine ExchangeSolution ExchangeValue",
    "double_dummy.query": "ExchangeQuery SolveQuery",
    "double_dummy.shared": "cards solve solve_many value",
    "double_dummy.solution": "Answer Solution to_frame",
    "double_dummy.solver": "SearchStopped Solver",
    "double_dummy.values": "CardEquilibria CardValue Equilibria Value",
    "game.cards": "Card Hand Suit",
    "game.deal": "Deal",
    "game.position": "Position",
    "game.records": "GameRecord",
    "game.rules": "MIZERKA Contract Game Seat Variant",
    "hidden.contracts": "ContractForecast ContractReport forecast_contracts",
    "hidden.discards": "ExchangeReport forecast_exchange",
    "hidden.samples": "Sampling",
    "hidden.situation": "Situation",
    "policy.quick": "choose_contract choose_discards",
    "review.analysis": "RecordReview",
    "support.errors": "IllegalCardError IllegalExchangeError InvalidCardError InvalidContractError InvalidDealError"
    " InvalidHandError InvalidPositionError MemoryLimitError MizerkaError RecordError",
    "support.limits": "Limits",
    "support.statistics": "Mean",
}
"""Module → the names it gives to this one, as the imports above have them for type checkers."""
RENAMED = {"best_exchange": "forecast_exchange"}  # it samples; the best exchange, exactly, is `Solver.exchange`


def __getattr__(name: str) -> object:
    """Public names and wings, imported when first asked for; `__version__`; names of earlier versions, which warn."""
    from importlib import import_module

    if name in RENAMED:
        import warnings

        warnings.warn(f"{name} is now {RENAMED[name]}", DeprecationWarning, stacklevel=2)
        return __getattr__(RENAMED[name])
    if name == "__version__":
        from mizerka_solver.support.version import version

        return version()
    home = next((module for module, names in HOMES.items() if name in names.split()), None)
    if home is not None:
        value: object = getattr(import_module(f"{__name__}.{home}"), name)
        globals()[name] = value
        return value
    try:
        if not name.startswith("_"):
            return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """All public names, also those that were not asked for yet."""
    return sorted({*globals(), *__all__})
