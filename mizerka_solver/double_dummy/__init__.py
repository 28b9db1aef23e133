"""All cards open: queries, the solver and what it finds, equilibria, the exchange, batches of questions."""

from __future__ import annotations

from mizerka_solver.double_dummy.batch import Answer, SolveQuery, run_in_order
from mizerka_solver.double_dummy.equilibria import EquilibriumTable
from mizerka_solver.double_dummy.exchange_phase import ExchangeLine, exchange_costs, exchange_line
from mizerka_solver.double_dummy.exchange_values import ExchangeSolution, ExchangeValue
from mizerka_solver.double_dummy.solver import SearchStopped, Solver, build_name
from mizerka_solver.double_dummy.values import CardEquilibria, CardValue, Equilibria, Solution, Value

__all__ = [
    "Answer",
    "CardEquilibria",
    "CardValue",
    "Equilibria",
    "EquilibriumTable",
    "ExchangeLine",
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
]
