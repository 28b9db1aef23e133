"""Where a player loses most and so should look first: its own terms of the balance, the largest loss first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mizerka_solver.review.account import EXCHANGE, OWN, PLAY
from mizerka_solver.review.balance import Balance, Estimate
from mizerka_solver.support.statistics import Tally

N_IMPROVEMENTS = 3


@dataclass(frozen=True, slots=True)
class Improvement:
    """One term a player loses by: points a deal, and against whom (None: against the best with open cards).

    group, key: for cards, the contract and place in which most of it is lost.
    """

    term: str
    loss: Estimate
    against: str | None = None
    where: tuple[str, ...] = ()

    @property
    def is_sure(self) -> bool:
        """Whether the loss is more than two standard errors."""
        return self.loss.mean > 2 * self.loss.standard_error

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        return {"term": self.term, "against": self.against, "loss": self.loss.as_dict(), "where": list(self.where)}


def improvements(
    balance: Balance, player: str, exchange_cost: Tally | None, where: tuple[str, ...] = ()
) -> list[Improvement]:
    """Return up to three terms, the most lost first.

    Where others had the same boards each term is compared with the best of them; a player behind none, or alone, is
    compared with the best there was with open cards, known of exchanges only where searched for (`exchange_cost`).
    """
    rivals = [pair for pair in balance.pairs() if player in pair]
    found = [each for term in OWN for each in _behind(balance, rivals, player, term)]
    found = found or _absolute(balance, player, exchange_cost)
    lost = sorted((each for each in found if each.loss.mean > 0), key=lambda each: -each.loss.mean)[:N_IMPROVEMENTS]
    return [Improvement(a.term, a.loss, a.against, where) if a.term == PLAY else a for a in lost]


def _behind(balance: Balance, rivals: Sequence[tuple[str, str]], player: str, term: str) -> list[Improvement]:
    """Return how far a player is behind the best of its rivals in a term, if it is."""
    losses = [(_loss(balance, pair, player, term), pair[pair[0] == player]) for pair in rivals]
    loss, rival = max(losses, key=lambda each: each[0].mean, default=(Estimate(0.0, 0.0), ""))
    return [Improvement(term, loss, rival)] if loss.mean > 0 else []


def _absolute(balance: Balance, player: str, exchange_cost: Tally | None) -> list[Improvement]:
    """Return what a player lost against the best there was with open cards."""
    terms = balance.per_deal(player)
    found = [Improvement(term, _negated(terms[term])) for term in OWN if term != EXCHANGE]
    if exchange_cost is not None and exchange_cost.n:
        found.append(Improvement(EXCHANGE, Estimate(exchange_cost.mean, exchange_cost.standard_error)))
    return found


def _loss(balance: Balance, pair: tuple[str, str], player: str, term: str) -> Estimate:
    """Return how much less than the other of a pair the player has of a term."""
    more: Mapping[str, Estimate] = balance.difference(*pair)
    return _negated(more[term]) if pair[0] == player else more[term]


def _negated(estimate: Estimate) -> Estimate:
    return Estimate(0.0 - estimate.mean, estimate.standard_error)
