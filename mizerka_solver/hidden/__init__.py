"""What one seat knows: its view, worlds drawn to fit it, the quick policy, forecasts by sampling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mizerka_solver.support.lazy import on_first_use

if TYPE_CHECKING:
    from mizerka_solver.hidden.contracts import ContractForecast, ContractReport, forecast_contracts
    from mizerka_solver.hidden.discards import Candidate, ExchangeReport, forecast_exchange
    from mizerka_solver.hidden.draws import World
    from mizerka_solver.hidden.samples import Sampling
    from mizerka_solver.hidden.situation import Situation
    from mizerka_solver.hidden.table import Table
    from mizerka_solver.hidden.view import View, view_from_dict
    from mizerka_solver.support.statistics import Mean

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

HOMES = {
    "hidden.contracts": "ContractForecast ContractReport forecast_contracts",
    "hidden.discards": "Candidate ExchangeReport forecast_exchange",
    "hidden.draws": "World",
    "hidden.samples": "Sampling",
    "hidden.situation": "Situation",
    "hidden.table": "Table",
    "hidden.view": "View view_from_dict",
    "support.statistics": "Mean",
}
__getattr__ = on_first_use(__name__, HOMES)
