"""The steps of a deal and what each did: a card, an exchange, the naming of the contract. Values only, no searches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mizerka_solver.double_dummy.values import EXPECTED_DECIMALS, Points, Value, rounded
from mizerka_solver.game.cards import Card
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import Contract, Seat, Triple, by_seat, seat_points
from mizerka_solver.review.known import KnownContract

FORCED, EQUIVALENT, DECISION = "forced", "equivalent", "decision"


def thirds(value: Value) -> Triple:
    """Par times three: whole numbers, so that sums can be compared exactly."""
    f, m, r = (3 * points + value.slack for points in value.points)
    return f, m, r


def difference(after: Triple, before: Triple) -> Triple:
    """Return after - before, seat by seat."""
    f, m, r = (a - b for a, b in zip(after, before, strict=True))
    return f, m, r


def _par_by_seat(value: Value) -> dict[str, float] | None:
    return by_seat(value.par) if value.has_points else None


@dataclass(frozen=True, slots=True)
class Change:
    """A step of a deal and the values around it."""

    before: Value
    after: Value

    @property
    def transfer(self) -> Triple:
        """Change of guaranteed points of F, M, R."""
        return difference(self.after.points, self.before.points)

    @property
    def thirds(self) -> Triple:
        """Change of par of F, M, R, in thirds of a point."""
        return difference(thirds(self.after), thirds(self.before))

    @property
    def par_transfer(self) -> Points:
        """Change of par points of F, M, R."""
        f, m, r = (round(change / 3, 3) for change in self.thirds)
        return f, m, r

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        before, after = self.before, self.after
        return {
            "guaranteed": {"before": by_seat(before.guaranteed), "after": by_seat(after.guaranteed)},
            "par": {"before": _par_by_seat(before), "after": _par_by_seat(after)},
            "transfer": by_seat(self.transfer),
        }


@dataclass(frozen=True, slots=True)
class CardReview(Change):
    """One card: where it was played, what kind of choice it was, what it did.

    index: place in the record's play, from 0. kind: "forced" (one legal card), "equivalent" (all legal cards lead to
    the same play) or "decision". better: the cards that cost less, with their costs, best first.
    """

    index: int
    position: Position
    card: Card
    kind: str
    better: tuple[tuple[Card, int], ...] = ()
    expected: tuple[Points, Points] | None = None

    @property
    def seat(self) -> Seat:
        """Who played it."""
        return self.position.to_move

    @property
    def trick(self) -> int:
        """Number of the trick, from 1."""
        return self.index // 3 + 1

    @property
    def place(self) -> int:
        """Place in the trick: 0 led, 1 second, 2 last."""
        return self.index % 3

    @property
    def is_decision(self) -> bool:
        """Whether the choice of the card could matter."""
        return self.kind == DECISION

    @property
    def cost(self) -> int:
        """Guaranteed points (tricks) the card lost its player, at least 0."""
        return -self.transfer[self.seat]

    @property
    def par_cost(self) -> float:
        """Par points the card lost its player, at least 0: what it lost for sure, and a third of what it settled."""
        return -self.par_transfer[self.seat] + 0.0

    @property
    def expected_cost(self) -> float | None:
        """Expected points the card lost its player, at least 0; None where they were not asked for."""
        if self.expected is None:
            return None
        before, after = self.expected
        return round(before[self.seat] - after[self.seat], EXPECTED_DECIMALS) + 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        data: dict[str, Any] = {
            "seat": self.seat.name,
            "card": str(self.card),
            "trick": self.trick,
            "place": self.place + 1,
            "kind": self.kind,
            "cost": self.cost,
            "par_cost": self.par_cost,
            "better": [{"card": str(card), "cost": cost} for card, cost in self.better],
            **Change.as_dict(self),
            "position": str(self.position),
        }
        if self.expected is not None:
            before, after = self.expected
            data["expected"] = {"before": by_seat(rounded(before)), "after": by_seat(rounded(after))}
            data["expected_cost"] = self.expected_cost
        return data


@dataclass(frozen=True, slots=True)
class ExchangeReview(Change):
    """What one seat's exchange did, by open cards, the seats after it standing pat.

    best: guaranteed tricks of the best exchange there was and its discards; None when it was not searched for.
    """

    seat: Seat
    discards: tuple[Card, ...]
    drawn: tuple[Card, ...]
    best: tuple[int, tuple[Card, ...]] | None = None

    @property
    def cost(self) -> int | None:
        """Guaranteed points that the best exchange would have had more, at least 0; None when not searched for."""
        if self.best is None:
            return None
        best = seat_points(self.after.contract, self.seat, self.best[0], self.after.variant)
        return best - self.after.points[self.seat]

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        data: dict[str, Any] = {"seat": self.seat.name, "cost": self.cost}
        data |= {"discard": list(map(str, self.discards)), "draw": list(map(str, self.drawn))}
        if self.best is not None:
            data["best"] = {"guaranteed": self.best[0], "discard": list(map(str, self.best[1]))}
        return {**data, **Change.as_dict(self)}


@dataclass(frozen=True, slots=True)
class ContractReview:
    """The contract named against all others, by open cards, on the hands as dealt and with nobody exchanging.

    Before the exchange, because the discards were chosen for the contract named: after them every other contract would
    look worse than it was. values: those forehand could name. known: what they promised by the cards forehand saw,
    where the record tells them.
    """

    named: Contract
    values: Mapping[Contract, Value]
    known: KnownContract | None = None

    @property
    def best(self) -> Contract:
        """The contract with the most par for forehand, then the highest guarantee; the one named among equals."""
        return max(self.values, key=lambda c: (thirds(self.values[c])[0], self.values[c].points[0], c is self.named))

    @property
    def cost(self) -> int:
        """Guaranteed points of forehand that the most secure contract has more."""
        return max(value.points[0] for value in self.values.values()) - self.values[self.named].points[0]

    @property
    def par_cost(self) -> float:
        """Par points of forehand that the best contract has more."""
        return round((thirds(self.values[self.best])[0] - thirds(self.values[self.named])[0]) / 3, 3)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        worth = {
            contract.name: {"guaranteed": value.points[0], "par": value.par[0]}
            for contract, value in self.values.items()
        }
        fields = {"named": self.named.name, "best": self.best.name, "cost": self.cost, "par_cost": self.par_cost}
        known = {} if self.known is None else {"known": self.known.as_dict()}
        return {**fields, "points_of_F": worth, **known}
