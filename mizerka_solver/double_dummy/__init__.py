"""All cards open: queries, the solver and what it finds, equilibria, the exchange, batches of questions."""

from __future__ import annotations

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
