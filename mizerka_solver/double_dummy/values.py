"""What a search finds, as values: guaranteed tricks and points, slack, par, the worth of a card; and as JSON fields.

The notions are those of the documentation: *guaranteed* is what a seat gets whatever the two others do together,
*slack* how many tricks that leaves undecided, *par* guaranteed points plus a third of the slack. Trick numbers count
the tricks already won. No searching is done here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mizerka_solver.game.cards import Card
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import MIZERKA, Contract, Seat, Triple, Variant, by_column, by_seat, seat_points
from mizerka_solver.support import markup
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.frames import Framed
from mizerka_solver.support.statistics import signed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Points = tuple[float, float, float]
DECIMALS = 3  # of par
EXPECTED_DECIMALS = 6


def rounded(values: Points, decimals: int = EXPECTED_DECIMALS) -> Points:
    """Return a triple to some decimals, with no negative zero."""
    f, m, r = (round(value, decimals) + 0.0 for value in values)
    return f, m, r


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
    def has_points(self) -> bool:
        """Whether the deal has as many tricks as the targets are for; else points say nothing, and are not shown."""
        return self.n_tricks == self.variant.hand_size

    @property
    def shown_par(self) -> Points | tuple[None, None, None]:
        """Par as it is told: nothing for a seat where the deal has no points."""
        return self.par if self.has_points else (None, None, None)

    @property
    def slack(self) -> int:
        """Tricks, at least 0, that the three guarantees leave undecided (of an inexact value: at most these)."""
        undecided = self.n_tricks - sum(self.guaranteed)
        return -undecided if self.contract.is_mizerka else undecided

    @property
    def par(self) -> Points:
        """Guaranteed points plus a third of the slack, to three decimals."""
        f, m, r = (points + self.slack / 3 for points in self.points)
        return rounded((f, m, r), DECIMALS)

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
            fields["bounds"] = by_seat(tuple([low, high] for low, high in zip(self.lower, self.upper, strict=True)))
        if not self.has_points:
            fields["points"] = {"guaranteed": None, "par": None}
        return fields


@dataclass(frozen=True, slots=True)
class CardValue:
    """What one legal card is worth to the seat that may play it.

    after: the Value of the position the card leads to. cost: guaranteed points it loses its player, at least 0, and 0
    for at least one legal card. par_cost: par points it loses its player, at least 0, but every legal card may cost
    some. transfer: change of guaranteed points by seat, at most 0 for its player, at least 0 for the others. exact:
    whether no limit ended a search; otherwise the costs mean nothing.
    """

    card: Card
    after: Value
    cost: int
    par_cost: float
    transfer: Triple
    exact: bool = True

    @classmethod
    def between(cls, card: Card, seat: Seat, before: Value, after: Value) -> CardValue:
        """Return what `card` is worth to `seat`, which may play it, from the values before and after it."""
        f, m, r = (after.points[i] - before.points[i] for i in range(3))
        cost = before.points[seat] - after.points[seat]
        par_cost = round(cost + (before.slack - after.slack) / 3, DECIMALS) + 0.0
        return cls(card, after, cost, par_cost, (f, m, r), before.exact and after.exact)

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
class Equilibria(Framed):
    """What a position is worth to three players who each play for themselves; tricks, those won counted in.

    guaranteed: tricks each seat gets whatever the others do; in mizerka the most that can be forced on it.
    vectors: tricks of F, M, R in every equilibrium, sorted; empty when not asked for, else at least one.
    expected_tricks: mean tricks when indifferent players pick evenly; None when not asked for.
    nodes: ways to play a trick that the search of the whole deal examined.

    >>> last = Position("F:A.-.-.- M:K.-.-.- R:Q.-.-.- N R - 5-4-3")
    >>> found = Equilibria(last, (6, 4, 3), ((6, 4, 3),), (6.0, 4.0, 3.0))
    >>> found.payoff_points, found.expected_points, found.least
    (((-1, -1, 2),), (-1.0, -1.0, 2.0), (6, 4, 3))
    """

    position: Position
    guaranteed: Triple
    vectors: tuple[Triple, ...] = ()
    expected_tricks: Points | None = None
    nodes: int = 0
    variant: Variant = MIZERKA

    # Tricks

    @property
    def value(self) -> Value:
        """Guaranteed, slack and par, as `Solver.value` returns them."""
        contract, n_tricks = self.position.contract, self.position.hand_size
        return Value(contract, self.guaranteed, self.guaranteed, n_tricks, self.nodes, self.variant)

    @property
    def payoffs(self) -> NDArray[np.int8]:
        """The vectors as an array, int8, shape (n, 3)."""
        import numpy as np

        return np.array(self.vectors, dtype=np.int8).reshape(-1, 3)

    @property
    def expected(self) -> NDArray[np.float64]:
        """The expected tricks as an array, float64, shape (3,)."""
        import numpy as np

        return np.array(self._expected_tricks(), dtype=np.float64)

    @property
    def least(self) -> Triple:
        """The fewest tricks of each seat in any equilibrium."""
        f, m, r = (min(vector[seat] for vector in self.vectors_or_error()) for seat in Seat)
        return f, m, r

    @property
    def most(self) -> Triple:
        """The most tricks of each seat in any equilibrium."""
        f, m, r = (max(vector[seat] for vector in self.vectors_or_error()) for seat in Seat)
        return f, m, r

    # Points

    @property
    def has_points(self) -> bool:
        """Whether the deal has as many tricks as the targets are for; else points say nothing, and are not shown."""
        return self.value.has_points

    @property
    def payoff_points(self) -> tuple[Triple, ...]:
        """The vectors in points, in the same order."""
        return tuple(self._points(vector) for vector in self.vectors)

    @property
    def expected_points(self) -> Points:
        """The expected tricks in points."""
        f, m, r = (
            float(seat_points(self.position.contract, s, self._expected_tricks()[s], self.variant)) for s in Seat
        )
        return f, m, r

    def _points(self, tricks: Triple) -> Triple:
        f, m, r = (seat_points(self.position.contract, seat, tricks[seat], self.variant) for seat in Seat)
        return f, m, r

    def vectors_or_error(self) -> tuple[Triple, ...]:
        """Return the vectors; raises MizerkaError when they were not asked for."""
        if not self.vectors:
            raise MizerkaError("the equilibria were not asked for (payoffs=False)")
        return self.vectors

    def _expected_tricks(self) -> Points:
        if self.expected_tricks is None:
            raise MizerkaError("the expected tricks were not asked for (expected=False)")
        return self.expected_tricks

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output: "equilibria" and "expected", in tricks, as far as asked for."""
        fields: dict[str, Any] = {}
        if self.vectors:
            fields["equilibria"] = [list(vector) for vector in self.vectors]
        if self.expected_tricks is not None:
            fields["expected"] = by_seat(rounded(self.expected_tricks))
        return fields

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one row an equilibrium: tricks and points of F, M, R; no points for short deals."""
        shown = self.payoff_points if self.has_points else ((None,) * 3,) * len(self.vectors)
        for tricks, points in zip(self.vectors, shown, strict=True):
            yield {**by_column("tricks", tricks), **by_column("points", points)}

    def _repr_svg_(self) -> str | None:
        from mizerka_solver.double_dummy import triangle

        return triangle.svg(self) if self.vectors else None

    def _repr_html_(self) -> str:
        sign = "≤" if self.position.contract.is_mizerka else "≥"
        rows: list[tuple[object, ...]] = [("guaranteed", *(f"{sign} {tricks}" for tricks in self.guaranteed))]
        if self.vectors:
            ends = zip(self.least, self.most, strict=True)
            rows.append(("equilibria", *(str(low) if low == high else f"{low}–{high}" for low, high in ends)))
        if self.expected_tricks is not None:
            rows.append(("expected", *(f"{tricks:.2f}" for tricks in self.expected_tricks)))
            if self.has_points:
                rows.append(("expected points", *map(signed, self.expected_points)))
        caption = f"{self.position.contract.symbol}: {len(self.vectors)} equilibria, in tricks"
        return markup.together(markup.table(rows, ("", *Seat), caption), self._repr_svg_() or "")


@dataclass(frozen=True, slots=True)
class CardEquilibria:
    """What one legal card is worth to all three; before and after it.

    value: cost and transfer in guaranteed points. expected_cost: expected points the card loses its player, at least 0,
    and 0 for at least one legal card. expected_transfer: change of the expected points of F, M, R; what the player
    loses goes to the two others.
    """

    card: Card
    before: Equilibria
    after: Equilibria

    @property
    def value(self) -> CardValue:
        """Guaranteed and par points, as `Solver.cards` returns them."""
        return CardValue.between(self.card, self.before.position.to_move, self.before.value, self.after.value)

    @property
    def expected_cost(self) -> float:
        """Expected points the card loses its player."""
        return 0.0 - self.expected_transfer[self.before.position.to_move]

    @property
    def expected_transfer(self) -> Points:
        """Change of expected points of F, M, R, to nine decimals: the engine's numbers are good to about ten."""
        before, after = self.before.expected_points, self.after.expected_points
        f, m, r = (round(after[seat] - before[seat], 9) + 0.0 for seat in Seat)
        return f, m, r

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output, those of `CardValue.as_dict` among them."""
        fields = self.value.as_dict() | self.after.as_dict()
        if self.after.expected_tricks is not None:
            fields["expected_cost"] = round(self.expected_cost, EXPECTED_DECIMALS) + 0.0
            fields["expected_transfer"] = by_seat(rounded(self.expected_transfer))
        return fields
