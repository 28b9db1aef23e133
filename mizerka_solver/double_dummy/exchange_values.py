"""What a search for the best exchange finds, as values and as JSON fields. No searching is done here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mizerka_solver.double_dummy.values import Value
from mizerka_solver.game.cards import Card
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.rules import MIZERKA, Contract, Seat, Variant, seat_points
from mizerka_solver.support import markup
from mizerka_solver.support.frames import Framed
from mizerka_solver.support.statistics import signed

SHOWN = 8  # alternatives in a notebook


@dataclass(frozen=True, slots=True)
class ExchangeValue:
    """One exchange and what it is worth to the seat that makes it.

    discard, draw: the cards thrown and those drawn for them. lower, upper: proven bounds, in tricks, on what the seat
    is guaranteed afterwards (mizerka: on the most tricks that can be forced on it). twins: discards with the same
    effect, this one counted. after: the Value of the deal if the later seats stand pat, which par is taken from; None
    if it was not asked for or not found within the limits.
    """

    discard: tuple[Card, ...]
    draw: tuple[Card, ...]
    seat: Seat
    contract: Contract
    lower: int
    upper: int
    twins: int = 1
    after: Value | None = None
    variant: Variant = MIZERKA

    @property
    def exact(self) -> bool:
        """Whether the two bounds agree."""
        return self.lower == self.upper

    @property
    def guaranteed(self) -> int:
        """Tricks the seat is sure of; mizerka: the most that can be forced on it; the worse bound where not exact."""
        return self.upper if self.contract.is_mizerka else self.lower

    @property
    def points(self) -> int:
        """Those tricks against the seat's target."""
        return seat_points(self.contract, self.seat, self.guaranteed, self.variant)

    @property
    def par(self) -> float | None:
        """The seat's par points in the deal after this exchange if the later seats stand pat; None if not known."""
        return None if self.after is None else self.after.par[self.seat]

    def as_dict(self, points: bool = True) -> dict[str, Any]:
        """Return the fields of the JSON output; points: whether the deal has as many tricks as the targets are for."""
        fields: dict[str, Any] = {
            "discard": [str(card) for card in self.discard],
            "draw": [str(card) for card in self.draw],
            "guaranteed": self.guaranteed,
            "points": self.points if points else None,
            "par": self.par if points else None,
            "twins": self.twins,
        }
        if not self.exact:
            fields["bounds"] = [self.lower, self.upper]
        return fields


@dataclass(frozen=True, slots=True)
class ExchangeSolution(Framed):
    """The best exchanges of one seat, with all cards open.

    deal: as it lies when it is the seat's turn, the exchanges of earlier seats made. others: "stand", the later seats
    stand pat, or "reply", they exchange too, jointly against the seat. stand: standing pat; against replies only as
    exact as twenty million nodes make it, unless it is also `made`. lower, upper: proven bounds,
    in tricks, on the value of the best exchange. alternatives: relatively different discards proven to reach the best
    value, those of known par (`after`) first, by par and then by fewest cards, the others by fewest cards; never empty.
    complete: whether they are all there are. made: the exchange that was asked about, if any. nodes: cards played.
    """

    deal: Deal
    contract: Contract
    seat: Seat
    others: str
    stand: ExchangeValue
    lower: int
    upper: int
    alternatives: tuple[ExchangeValue, ...]
    complete: bool
    made: ExchangeValue | None = None
    nodes: int = 0

    @property
    def exact(self) -> bool:
        """Whether the value of the best exchange is known; otherwise `best` has the best value that was proven."""
        return self.lower == self.upper

    @property
    def best(self) -> ExchangeValue:
        """The first of the alternatives."""
        return self.alternatives[0]

    @property
    def cost(self) -> int | None:
        """Guaranteed points the exchange made loses its seat against the best, at least 0; None if not known."""
        if self.made is None or not (self.exact and self.made.exact):
            return None
        return self.best.points - self.made.points

    @property
    def after(self) -> Deal:
        """The deal after the best exchange."""
        return self.deal.after_exchange({self.seat: self.best.discard})

    @property
    def has_points(self) -> bool:
        """Whether the deal has as many tricks as the targets are for; else points say nothing, and are not shown."""
        return self.deal.hand_size == self.stand.variant.hand_size

    def as_dict(self, top: int | None = None) -> dict[str, Any]:
        """Return the JSON object of `mizerka exchange`, with `top` alternatives at most."""
        points = self.has_points
        fields: dict[str, Any] = {
            "deal": str(self.deal),
            "seat": self.seat.name,
            "contract": self.contract.name,
            "others": self.others,
            "stand": self.stand.as_dict(points),
            "best": self.best.as_dict(points),
            "exact": self.exact,
            "complete": self.complete,
            "n_alternatives": len(self.alternatives),
            "alternatives": [option.as_dict(points) for option in self.alternatives[:top]],
            "nodes": self.nodes,
        }
        if not self.exact:
            fields["bounds"] = [self.lower, self.upper]
        if self.made is not None:
            fields["made"] = {**self.made.as_dict(points), "cost": self.cost}
        return fields

    def rows(self, top: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield the rows of `mizerka exchange --csv`: one an alternative, `top` at most, the best first."""
        for option in self.alternatives[:top]:
            yield {
                "deal": str(self.deal),
                "contract": self.contract.name,
                "seat": self.seat.name,
                "others": self.others,
                "stand": self.stand.guaranteed,
                "discard": "".join(map(str, option.discard)),
                "draw": "".join(map(str, option.draw)),
                "guaranteed": option.guaranteed,
                "points": option.points if self.has_points else None,
                "par": option.par if self.has_points else None,
                "twins": option.twins,
                "exact": int(self.exact),
                "complete": int(self.complete),
            }

    def _repr_html_(self) -> str:
        named = [("stand pat", self.stand)]
        named += [(f"best {place}", option) for place, option in enumerate(self.alternatives[:SHOWN], start=1)]
        if self.made is not None:
            named.append(("made", self.made))
        rows = [(name, *_cells(option, self.has_points)) for name, option in named]
        later = "stand pat" if self.others == "stand" else "reply"
        caption = f"{self.contract.symbol}: exchange of {self.seat.long_name}, later seats {later}"
        return markup.table(rows, ("", "discard", "draw", "tricks", "points", "par"), caption)


def _cells(option: ExchangeValue, points: bool) -> tuple[str, ...]:
    """What a notebook shows of an exchange."""
    discard, draw = (" ".join(card.pretty for card in cards) for cards in (option.discard, option.draw))
    sign = "≤" if option.contract.is_mizerka else "≥"
    par = "" if option.par is None or not points else signed(option.par)
    return discard, draw, f"{sign} {option.guaranteed}", signed(option.points, 0) if points else "", par


@dataclass(frozen=True, slots=True)
class ExchangeLine(Framed):
    """Each seat's best exchange after those of the seats before it; `value` is that of the deal they lead to."""

    steps: tuple[ExchangeSolution, ExchangeSolution, ExchangeSolution]
    value: Value

    @property
    def deal(self) -> Deal:
        """The deal before the exchange."""
        return self.steps[0].deal

    @property
    def after(self) -> Deal:
        """The deal after all three exchanges."""
        return self.steps[2].after

    @property
    def exact(self) -> bool:
        """Whether every step is a proven best exchange, and the value exact."""
        return self.value.exact and all(step.exact for step in self.steps)

    def as_dict(self, top: int | None = None) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        return {
            "deal": str(self.deal),
            "contract": self.steps[0].contract.name,
            "others": self.steps[0].others,
            "line": [step.as_dict(top) for step in self.steps],
            "after": str(self.after),
            "value": self.value.as_dict(),
            "exact": self.exact,
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one row a seat: its best exchange."""
        for step in self.steps:
            yield from step.rows(1)

    def _repr_html_(self) -> str:
        rows = [(step.seat.long_name, *_cells(step.best, step.has_points)) for step in self.steps]
        caption = f"{self.steps[0].contract.symbol}: each seat's best exchange in turn"
        table = markup.table(rows, ("", "discard", "draw", "tricks", "points", "par"), caption)
        return markup.together(table, self.after._repr_html_())
