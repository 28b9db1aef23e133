"""Batches: streams of deals over threads, processes and clusters; typed files that can be resumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mizerka_solver.support.lazy import on_first_use

if TYPE_CHECKING:
    from mizerka_solver.batches.backends import Backend
    from mizerka_solver.batches.many import contract_many, exchange_many, read_deals, review_many, solve_each

__all__ = ["Backend", "contract_many", "exchange_many", "read_deals", "review_many", "solve_each"]

HOMES = {
    "batches.backends": "Backend",
    "batches.many": "contract_many exchange_many read_deals review_many solve_each",
}
__getattr__ = on_first_use(__name__, HOMES)
