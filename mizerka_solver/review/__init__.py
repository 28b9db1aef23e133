"""Game records against open cards: what each card, exchange and contract cost, and summaries by player."""

from __future__ import annotations

from mizerka_solver.review.analysis import CardReview, ContractReview, ExchangeReview, RecordReview, review
from mizerka_solver.review.summary import Summary

__all__ = [
    "CardReview",
    "ContractReview",
    "ExchangeReview",
    "RecordReview",
    "Summary",
    "review",
]
