"""The module-level helpers, which share a Solver."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from mizerka_solver.double_dummy.query import SubjectLike
from mizerka_solver.double_dummy.solution import Solution
from mizerka_solver.double_dummy.solver import PositionLike, Solver
from mizerka_solver.double_dummy.values import CardValue, Value
from mizerka_solver.game.convert import ContractLike, ContractsLike
from mizerka_solver.game.deal import Deal
from mizerka_solver.support.limits import parse_threads

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@lru_cache(maxsize=1)
def shared_solver() -> Solver:
    """Return the Solver that the module-level helpers share."""
    return Solver()


def solve(subject: SubjectLike, contracts: ContractsLike = None) -> Solution:
    """Return what a deal or position is worth in each contract, by `Solver.solve` on a shared Solver.

    contracts: of a deal, all six if not given; a position has its own. Forehand leads. Raises MizerkaError, TypeError.

    >>> solve("F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-", "SN")["N"].guaranteed
    (2, 0, 0)
    """
    return shared_solver().solve(subject, contracts)


def value(position: SubjectLike, contract: ContractLike | None = None) -> Value:
    """Return guaranteed tricks, slack and par of a position, or of a deal in a contract, by `Solver.value`.

    Tricks are those of the whole deal, won and to come. Raises MizerkaError, TypeError.

    >>> value("F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.- N F - 0-0-0").guaranteed
    (2, 0, 0)
    """
    return shared_solver().value(position, contract)


def cards(position: PositionLike) -> tuple[CardValue, ...]:
    """Return what each legal card of the seat to play costs it and gives the others, by `Solver.cards`.

    In the order of `Position.legal_cards`, costs in guaranteed points, 0 or more. Raises MizerkaError, TypeError.

    >>> [(str(card.card), card.cost) for card in cards("F:A.2.-.- M:K.3.-.- R:-.54.-.- N F - 0-0-0")]
    [('SA', 0), ('H2', 1)]
    """
    return shared_solver().cards(position)


def solve_many(deals: Iterable[Deal | str], contracts: ContractsLike = None, *, threads: int = 1) -> NDArray[np.int8]:
    """Return guaranteed tricks of many deals, int8 of shape (n_deals, n_contracts, 3), seats F M R.

    `Solver.solve_many` on a shared Solver, or with more threads on one made for this call. Raises MizerkaError,
    TypeError.

    >>> solve_many(["F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-"], "N").tolist()
    [[[2, 0, 0]]]
    """
    threads = parse_threads(threads)
    solver = shared_solver() if threads == 1 else Solver(threads)
    return solver.solve_many(deals, contracts)
