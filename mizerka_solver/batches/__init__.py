"""Batches: streams of deals over threads, processes and clusters; typed files that can be resumed."""

from __future__ import annotations

from mizerka_solver.batches.backends import Backend
from mizerka_solver.batches.many import contract_many, exchange_many, read_deals, review_many, solve_each

__all__ = ["Backend", "contract_many", "exchange_many", "read_deals", "review_many", "solve_each"]
