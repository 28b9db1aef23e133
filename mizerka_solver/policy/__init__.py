"""Decisions without search, from the cards a player holds: contract and discards by fitted weights, cards by rule."""

from __future__ import annotations

from mizerka_solver.policy.quick import choose_contract, choose_discards

__all__ = ["choose_contract", "choose_discards"]
