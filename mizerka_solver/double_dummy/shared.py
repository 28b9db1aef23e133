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
    """`Solver.solve` on a shared Solver."""
    return shared_solver().solve(subject, contracts)


def value(position: SubjectLike, contract: ContractLike | None = None) -> Value:
    """`Solver.value` on a shared Solver."""
    return shared_solver().value(position, contract)


def cards(position: PositionLike) -> tuple[CardValue, ...]:
    """`Solver.cards` on a shared Solver."""
    return shared_solver().cards(position)


def solve_many(deals: Iterable[Deal | str], contracts: ContractsLike = None, *, threads: int = 1) -> NDArray[np.int8]:
    """`Solver.solve_many` on a shared Solver, or with more threads on one made for this call."""
    threads = parse_threads(threads)
    solver = shared_solver() if threads == 1 else Solver(threads)
    return solver.solve_many(deals, contracts)
