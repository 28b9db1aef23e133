"""All cards open: queries, the solver and what it finds, equilibria, the exchange, batches of questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mizerka_solver.support.lazy import on_first_use

if TYPE_CHECKING:
    from mizerka_solver.double_dummy.batch import run_in_order
    from mizerka_solver.double_dummy.equilibria import EquilibriumTable
    from mizerka_solver.double_dummy.exchange_phase import exchange_costs, exchange_line
    from mizerka_solver.double_dummy.exchange_values import ExchangeLine, ExchangeSolution, ExchangeValue
    from mizerka_solver.double_dummy.query import ExchangeQuery, SolveQuery
    from mizerka_solver.double_dummy.solution import Answer, Solution, to_frame
    from mizerka_solver.double_dummy.solver import SearchStopped, Solver, build_name
    from mizerka_solver.double_dummy.values import CardEquilibria, CardValue, Equilibria, Value

__all__ = [
    "Answer",
    "CardEquilibria",
    "CardValue",
    "Equilibria",
    "EquilibriumTable",
    "ExchangeLine",
    "ExchangeQuery",
    "ExchangeSolution",
    "ExchangeValue",
    "SearchStopped",
    "Solution",
    "SolveQuery",
    "Solver",
    "Value",
    "build_name",
    "exchange_costs",
    "exchange_line",
    "run_in_order",
    "to_frame",
]

HOMES = {
    "double_dummy.batch": "run_in_order",
    "double_dummy.equilibria": "EquilibriumTable",
    "double_dummy.exchange_phase": "exchange_costs exchange_line",
    "double_dummy.exchange_values": "ExchangeLine ExchangeSolution ExchangeValue",
    "double_dummy.query": "ExchangeQuery SolveQuery",
    "double_dummy.solution": "Answer Solution to_frame",
    "double_dummy.solver": "SearchStopped Solver build_name",
    "double_dummy.values": "CardEquilibria CardValue Equilibria Value",
}
__getattr__ = on_first_use(__name__, HOMES)
