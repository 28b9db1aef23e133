"""Game records against open cards: what each card, exchange and contract cost, and summaries by player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mizerka_solver.support.lazy import on_first_use

if TYPE_CHECKING:
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

HOMES = {
    "review.account": "Account",
    "review.analysis": "RecordReview review",
    "review.known": "KnownContract",
    "review.query": "ReviewQuery",
    "review.steps": "CardReview ContractReview ExchangeReview",
    "review.summary": "Summary",
}
__getattr__ = on_first_use(__name__, HOMES)
