"""What one seat knows: its view, worlds drawn to fit it, the quick policy, forecasts by sampling."""

from __future__ import annotations

from mizerka_solver.hidden.contracts import ContractForecast, ContractReport, forecast_contracts
from mizerka_solver.hidden.discards import Candidate, ExchangeReport, forecast_exchange
from mizerka_solver.hidden.samples import Mean, Sampling
from mizerka_solver.hidden.view import Table, View, view_from_dict
from mizerka_solver.hidden.worlds import Situation, World

__all__ = [
    "Candidate",
    "ContractForecast",
    "ContractReport",
    "ExchangeReport",
    "Mean",
    "Sampling",
    "Situation",
    "Table",
    "View",
    "World",
    "forecast_contracts",
    "forecast_exchange",
    "view_from_dict",
]
