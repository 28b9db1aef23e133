"""Accounts of many deals added up: what each player's points a deal are made of, and what parts two players.

Deals of the same cards (the seatings of a board) are not independent, so errors go by the spread between boards: with
S_b the sum and n_b the number of a player's deals with the cards b, of B boards, n = Σ n_b and the mean m = Σ S_b / n,

    standard error² = B/(B−1) · Σ (S_b − n_b·m)² / n²

which is the usual one when each board has one deal. Keeps a row of numbers for each board and player.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from mizerka_solver.game.rules import Seat
from mizerka_solver.review.account import TERMS, Account
from mizerka_solver.review.analysis import RecordReview

Sums = tuple[int, ...]
TOTAL = "points"
N_TERMS = len(TERMS)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean in points a deal and its standard error (not a number below two boards)."""

    mean: float
    standard_error: float

    @classmethod
    def of(cls, boards: Iterable[tuple[int, int]]) -> Estimate:
        """Return the estimate from (number of deals, sum in thirds of a point) of each board.

        >>> Estimate.of([(1, 3), (1, 9)])
        Estimate(mean=2.0, standard_error=1.0)
        """
        rows = list(boards)
        n, total = sum(count for count, _ in rows), sum(thirds for _, thirds in rows)
        if len(rows) < 2:
            return cls(total / n / 3 if n else 0.0, math.nan)
        # n·S_b − n_b·S is n·(S_b − n_b·m), in whole numbers.
        squares = sum((n * thirds - count * total) ** 2 for count, thirds in rows)
        error = math.sqrt(squares * len(rows) / (len(rows) - 1)) / n**2 / 3
        return cls(total / n / 3, error)

    def as_dict(self) -> dict[str, float | None]:
        """Return {"mean": …, "se": …}, to four decimals; an unknown error is null."""
        error = None if math.isnan(self.standard_error) else round(self.standard_error, 4)
        return {"mean": round(self.mean, 4) + 0.0, "se": error}


class Balance:
    """The accounts of players, board by board."""

    def __init__(self) -> None:
        self._boards: dict[str, dict[int, Sums]] = {}
        self.n_unfinished = 0
        self.n_without_points = 0
        self.n_from_play = 0

    def add(self, review: RecordReview, seats: Iterable[Seat]) -> None:
        """Count what these seats' points of a record are made of, if it has any."""
        if not review.has_points:
            self.n_without_points += 1
            return
        self.n_unfinished += review.final is None
        self.n_from_play += not review.reaches_the_deal
        accounts, board = review.accounts, hash(review.record.deal)
        for seat in seats:
            boards = self._boards.setdefault(review.record.players[seat], {})
            old = boards.get(board, (0,) * (N_TERMS + 1))
            boards[board] = tuple(a + b for a, b in zip(old, (1, *accounts[seat]), strict=True))

    @property
    def players(self) -> list[str]:
        """Players, by points a deal, the best first."""
        return sorted(self._boards, key=lambda player: (-sum(self.total(player)[1]) / self.total(player)[0], player))

    def total(self, player: str) -> tuple[int, Account]:
        """Return a player's deals and the sum of its accounts, in thirds of a point, exactly."""
        n, *terms = (sum(column) for column in zip(*self._boards[player].values(), strict=True))
        return n, Account(*terms)

    def per_deal(self, player: str) -> dict[str, Estimate]:
        """Return the terms of a player's points a deal, and "points", their sum."""
        return _estimates(self._boards[player].values())

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield pairs of players that can be compared exactly: they had the same boards, each equally often."""
        for first, second in combinations(self.players, 2):
            one, other = self._boards[first], self._boards[second]
            if one.keys() == other.keys() and all(one[board][0] == other[board][0] for board in one):
                yield first, second

    def difference(self, first: str, second: str) -> dict[str, Estimate]:
        """Return what the first has more a deal than the second of a pair of `pairs`, term by term, and in all."""
        one, other = self._boards[first], self._boards[second]
        return _estimates(
            (mine[0], *(a - b for a, b in zip(mine[1:], other[board][1:], strict=True))) for board, mine in one.items()
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        players = {player: {"deals": self.total(player)[0], **_dict(self.per_deal(player))} for player in self.players}
        differences = [{"players": list(pair), **_dict(self.difference(*pair))} for pair in self.pairs()]
        return {"players": players, "differences": differences, "unfinished": self.n_unfinished}


def _estimates(boards: Iterable[Sums]) -> dict[str, Estimate]:
    rows = list(boards)
    found = {term: Estimate.of((row[0], row[i]) for row in rows) for i, term in enumerate(TERMS, start=1)}
    return found | {TOTAL: Estimate.of((row[0], sum(row[1:])) for row in rows)}


def _dict(estimates: Mapping[str, Estimate]) -> dict[str, Any]:
    return {term: estimate.as_dict() for term, estimate in estimates.items()}
