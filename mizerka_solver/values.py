"""What a search finds, as values: guaranteed tricks and points, slack, par, the worth of a card; and as JSON fields.

The notions are those of the documentation: *guaranteed* is what a seat gets whatever the two others do together,
*slack* how many tricks that leaves undecided, *par* guaranteed points plus a third of the slack. Trick numbers count
the tricks already won. No searching is done here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mizerka_solver.cards import Card
from mizerka_solver.deal import Deal
from mizerka_solver.position import Position
from mizerka_solver.rules import MIZERKA, Contract, Seat, Variant, seat_points

Triple = tuple[int, int, int]
Points = tuple[float, float, float]


def by_seat(values: tuple[Any, Any, Any]) -> dict[str, Any]:
    """Return a triple as {"F": …, "M": …, "R": …}."""
    return {seat.name: value for seat, value in zip(Seat, values, strict=True)}


@dataclass(frozen=True, slots=True)
class Value:
    """What open cards are worth in one contract; triples in seat order F, M, R.

    lower, upper: proven bounds, in tricks, on what each seat is guaranteed (mizerka: on the most tricks that can be
    forced on it), tricks won included. They are equal unless a limit ended the search.
    n_tricks: tricks of the whole deal, won and left. nodes: cards played by the search.

    >>> value = Value(Contract.N, (3, 0, 0), (3, 0, 0), 13)
    >>> value.points, value.slack, value.par
    ((-4, -5, -1), 10, (-0.667, -1.667, 2.333))
    """

    contract: Contract
    lower: Triple
    upper: Triple
    n_tricks: int
    nodes: int = 0
    variant: Variant = MIZERKA

    @property
    def exact(self) -> bool:
        """Whether the search was finished; otherwise `guaranteed` is the proven bound that is worse for the seat."""
        return self.lower == self.upper

    @property
    def guaranteed(self) -> Triple:
        """Tricks each seat gets whatever the others do; in mizerka the most that can be forced on it."""
        return self.upper if self.contract.is_mizerka else self.lower

    @property
    def points(self) -> Triple:
        """Guaranteed points: tricks minus target, in mizerka target minus tricks."""
        f, m, r = (seat_points(self.contract, seat, self.guaranteed[seat], self.variant) for seat in Seat)
        return f, m, r

    @property
    def slack(self) -> int:
        """Tricks, at least 0, that the three guarantees leave undecided (of an inexact value: at most these)."""
        undecided = self.n_tricks - sum(self.guaranteed)
        return -undecided if self.contract.is_mizerka else undecided

    @property
    def par(self) -> Points:
        """Guaranteed points plus a third of the slack, to three decimals."""
        f, m, r = (round(points + self.slack / 3, 3) for points in self.points)
        return f, m, r

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        fields: dict[str, Any] = {
            "guaranteed": by_seat(self.guaranteed),
            "points": {"guaranteed": by_seat(self.points), "par": by_seat(self.par)},
            "slack": self.slack,
            "nodes": self.nodes,
        }
        if not self.exact:  # bounds are proven; what would only be computed from them is left open
            fields["points"]["par"] = fields["slack"] = None
            fields["exact"] = False
            fields["bounds"] = by_seat(tuple([low, high] for low, high in zip(self.lower, self.upper, strict=True)))  # type: ignore[arg-type]
        return fields


@dataclass(frozen=True, slots=True)
class CardValue:
    """What one legal card is worth to the seat that may play it.

    after: the Value of the position the card leads to. cost: guaranteed points it loses its player, at least 0, and 0
    for at least one legal card. par_cost: par points it loses its player; may be negative. others: what it gives the
    two others in guaranteed points, by seat. exact: whether no limit ended a search; otherwise the costs mean nothing.
    """

    card: Card
    after: Value
    cost: int
    par_cost: float
    transfer: Triple
    exact: bool = True

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        fields: dict[str, Any] = {
            "card": str(self.card),
            "guaranteed": by_seat(self.after.guaranteed),
            "cost": self.cost,
            "par_cost": self.par_cost,
            "transfer": by_seat(self.transfer),
        }
        if not self.exact:
            fields |= {"cost": None, "par_cost": None, "transfer": None, "exact": False}
        return fields


@dataclass(frozen=True, slots=True)
class Solution:
    """The values of a deal in several contracts, or of a position in its own.

    subject: the Deal or Position. values: Contract → Value. cards: Contract → the worth of each legal card, if asked.
    """

    subject: Deal | Position
    leader: Seat
    values: Mapping[Contract, Value]
    cards: Mapping[Contract, tuple[CardValue, ...]] | None = None

    def __getitem__(self, contract: Contract | str) -> Value:
        return self.values[Contract.parse(contract) if isinstance(contract, str) else contract]

    @property
    def best_contract(self) -> Contract | None:
        """The contract with the most par points for forehand, who names it (then guaranteed points, then order).

        None if a limit left a value inexact: the best is not known then.
        """
        if not self.exact:
            return None
        return max(self.values, key=lambda c: (self.values[c].par[0], self.values[c].points[0], -c))

    @property
    def nodes(self) -> int:
        """Cards played by all searches together."""
        return sum(value.nodes for value in self.values.values())

    @property
    def exact(self) -> bool:
        """Whether every value is exact."""
        return all(value.exact for value in self.values.values())

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object of `mizerka solve`."""
        name = "deal" if isinstance(self.subject, Deal) else "position"
        contracts = {contract.name: value.as_dict() for contract, value in self.values.items()}
        for contract, cards in (self.cards or {}).items():
            contracts[contract.name]["cards"] = [card.as_dict() for card in cards]
        return {name: str(self.subject), "leader": self.leader.name, "contracts": contracts}
