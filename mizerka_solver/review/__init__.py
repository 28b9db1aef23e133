"""Game records against open cards: what each card, exchange and contract cost, and summaries by player."""

from __future__ import annotations

from mizerka_solver.review.account import Account
from mizerka_solver.review.analysis import RecordReview, review
from mizerka_solver.review.known import KnownContract
from mizerka_solver.review.query import ReviewQuery
from mizerka_solver.review.steps import CardReview, ContractReview, ExchangeReview
from mizerka_solver.review.summary import Summary

__all__ = [
    "Account",
    "CardReview",
    "ContractReview",
    "ExchangeReview",
    "KnownContract",
    "RecordReview",
    "ReviewQuery",
    "Summary",
    "review",
]
