"""A game record against open cards: what each card, the exchange and the contract cost, and that it adds up.

For each card of a record the value of the position before and after it is found; their difference is what the card did.
Guaranteed points tell a loss apart from luck: with g before and after,

    cost to the player     = g before - g after        >= 0, and 0 for at least one legal card
    transfer to the others = g after - g before        >= 0, since nobody else's card can break a guarantee

so a seat's final points are its guarantee at the start, minus what its own cards cost, plus what the others' cards gave
it: `RecordReview.problems` checks just this. Who plays well on average is left to summary.py, printing to cli/.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mizerka_solver.double_dummy.solver import Solver, equivalent_cards
from mizerka_solver.double_dummy.values import EXPECTED_DECIMALS, Points, Value, rounded
from mizerka_solver.game.cards import Card
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import Contract, Seat, Triple, by_seat, seat_points

FORCED, EQUIVALENT, DECISION = "forced", "equivalent", "decision"

Expected = Callable[[Position], Points]
"""Expected points of F, M, R in a position; what `review` calls for the optional `expected` fields."""


def thirds(value: Value) -> Triple:
    """Par times three: whole numbers, so that sums can be compared exactly."""
    f, m, r = (3 * points + value.slack for points in value.points)
    return f, m, r


def difference(after: Triple, before: Triple) -> Triple:
    """Return after - before, seat by seat."""
    f, m, r = (a - b for a, b in zip(after, before, strict=True))
    return f, m, r


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
    def par_transfer(self) -> Points:
        """Change of par points of F, M, R."""
        f, m, r = (round(change / 3, 3) for change in difference(thirds(self.after), thirds(self.before)))
        return f, m, r

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        before, after = self.before, self.after
        return {
            "guaranteed": {"before": by_seat(before.guaranteed), "after": by_seat(after.guaranteed)},
            "par": {"before": by_seat(before.par), "after": by_seat(after.par)},
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
        """Par points the card lost its player; negative when it led the two others apart."""
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
        return seat_points(self.after.contract, self.seat, self.best[0]) - self.after.points[self.seat]

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
    look worse than it was. values: those forehand could name.
    """

    named: Contract
    values: Mapping[Contract, Value]

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
        return {**fields, "points_of_F": worth}


@dataclass(frozen=True, slots=True)
class RecordReview:
    """A record's cards, and optionally its contract and exchanges.

    start: value of the hands played, after the exchange. end: value after the last card, which for a whole deal is
    what was won.
    """

    record: GameRecord
    cards: tuple[CardReview, ...]
    start: Value
    end: Value
    contract: ContractReview | None = None
    exchanges: tuple[ExchangeReview, ...] = ()

    @property
    def final(self) -> Triple | None:
        """Points of F, M, R at the end, played or claimed, by the rules alone; None for an unfinished deal."""
        tricks = self.record.tricks
        if tricks is None:
            return None
        f, m, r = (seat_points(self.record.contract, seat, tricks[seat]) for seat in Seat)
        return f, m, r

    @property
    def claim(self) -> Triple:
        """What a claim changed against the guarantees it broke off at; zeros when all was played or nothing claimed."""
        return (0, 0, 0) if self.final is None else difference(self.final, self.end.points)

    @property
    def costs(self) -> Triple:
        """Guaranteed points each seat's own cards cost it."""
        f, m, r = (sum(card.cost for card in self.cards if card.seat is seat) for seat in Seat)
        return f, m, r

    @property
    def gifts(self) -> Triple:
        """Guaranteed points the others' cards gave each seat."""
        f, m, r = (sum(card.transfer[seat] for card in self.cards if card.seat is not seat) for seat in Seat)
        return f, m, r

    def problems(self) -> list[str]:
        """Return what does not add up, one line each; [] is what theory demands."""
        found = []
        end = self.end.points if self.final is None else self.final
        for seat in Seat:
            total = self.start.points[seat] - self.costs[seat] + self.gifts[seat] + self.claim[seat]
            if total != end[seat]:
                found.append(f"{seat}: start, costs and gifts add up to {total} points, the deal gave {end[seat]}")
        if self.exchanges and self.exchanges[-1].after.guaranteed != self.start.guaranteed:
            found.append("the exchanges do not lead to the values at the start of play")
        par = [a + sum(round(3 * c.par_transfer[i]) for c in self.cards) for i, a in enumerate(thirds(self.start))]
        if par != list(thirds(self.end)):
            found.append(f"par: changes add up to {par} thirds, not {list(thirds(self.end))}")
        for card in self.cards:
            name = f"play[{card.index}] {card.card}"
            if card.cost < 0 or (card.cost and not card.is_decision):
                found.append(f"{name}: a {card.kind} card costs {card.cost}")
            if any(card.transfer[seat] < 0 for seat in Seat if seat is not card.seat):
                found.append(f"{name}: takes a guarantee from another seat")
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object of `mizerka analyse` for one record."""
        record = self.record
        data: dict[str, Any] = {} if record.id is None else {"id": record.id}
        data |= {"players": by_seat(record.players), "contract": record.contract.name}
        if self.contract is not None:
            data["contract_choice"] = self.contract.as_dict()
        if self.exchanges:
            data["exchange"] = [exchange.as_dict() for exchange in self.exchanges]
        data["start"] = {"points": by_seat(self.start.points), "par": by_seat(self.start.par)}
        data |= {"costs": by_seat(self.costs), "gifts": by_seat(self.gifts), "claim": by_seat(self.claim)}
        data["final"] = None if self.final is None else by_seat(self.final)
        data["adds_up"] = not self.problems()
        data["cards"] = [card.as_dict() for card in self.cards]
        return data


def review(
    solver: Solver,
    record: GameRecord,
    *,
    contracts: Sequence[Contract] = (),
    exchanges: bool = False,
    best_exchanges: bool = False,
    expected: Expected | None = None,
) -> RecordReview:
    """Return what each card of a record did. One table serves the whole record.

    contracts: also judge the contract named against these, which forehand could have named; each takes a search of a
    whole deal. exchanges: also judge what each seat exchanged, one such search each; best_exchanges: and search for the
    best there was, which takes far longer, so that each has a cost too. expected: called for every position, for the
    cards' `expected`. Raises SearchStopped when the solver is cancelled.

    >>> record = GameRecord(("a", "b", "c"), Deal("F:A.2.-.- M:K.3.-.- R:-.54.-.-"), Contract.N,
    ...                     play=tuple(map(Card, ("H2", "H3", "H5", "H4", "SA", "SK"))))
    >>> [(str(card.card), card.kind, card.cost) for card in review(Solver(memory="1M"), record).cards[:2]]
    [('H2', 'decision', 1), ('H3', 'forced', 0)]
    """
    positions = [*record.positions(), record.final_position]
    # Backwards: the small searches at the end fill the table with what the large ones at the start come to.
    values = [solver.value(position) for position in reversed(positions)][::-1]
    hopes = [expected(position) for position in positions] if expected else None
    cards = []
    for index, card in enumerate(record.play):
        position, before, after = positions[index], values[index], values[index + 1]
        groups = equivalent_cards(position)
        kind = DECISION if len(groups) > 1 else FORCED if len(groups[0]) == 1 else EQUIVALENT
        better = _better(solver, position, groups, before, after) if kind == DECISION else ()
        around = (hopes[index], hopes[index + 1]) if hopes else None
        cards.append(CardReview(before, after, index, position, card, kind, better, around))
    named = review_contract(solver, record.deal, record.contract, contracts) if contracts else None
    exchanged = review_exchanges(solver, record, values[0], best_exchanges) if exchanges or best_exchanges else ()
    return RecordReview(record, tuple(cards), values[0], values[-1], named, exchanged)


def _better(
    solver: Solver, position: Position, groups: Sequence[tuple[Card, ...]], before: Value, after: Value
) -> tuple[tuple[Card, int], ...]:
    """Return the cards that cost less than the one that led to `after`; none are looked for when that cost nothing."""
    seat = position.to_move
    lost = before.points[seat] - after.points[seat]
    found: list[tuple[Card, int]] = []
    for group in groups if lost else ():
        tricks = solver.guaranteed(position.play_unchecked(group[0]), seat, before.guaranteed[seat])
        cost = before.points[seat] - seat_points(position.contract, seat, tricks)
        found += [(card, cost) for card in group if cost < lost]
    return tuple(sorted(found, key=lambda pair: pair[1]))


def nameable(record: GameRecord) -> tuple[Contract, ...]:
    """Return what forehand could name: the record's extra field "remaining" ("SHN"), else all six contracts."""
    left = json.loads(dict(record.extra).get("remaining", "null"))
    is_letters = isinstance(left, str) and record.contract.name in left and set(left) <= set(Contract.__members__)
    return tuple(Contract[letter] for letter in left) if is_letters else tuple(Contract)


def review_contract(solver: Solver, deal: Deal, named: Contract, allowed: Sequence[Contract]) -> ContractReview:
    """Return the contract named against those allowed, on the hands as dealt."""
    wanted = tuple(contract for contract in Contract if contract in allowed or contract is named)
    return ContractReview(named, solver.solve(deal, wanted).values)


def review_exchanges(
    solver: Solver, record: GameRecord, end: Value, best_exchanges: bool = False
) -> tuple[ExchangeReview, ...]:
    """Return what each seat's exchange did, from the hands as dealt to `end`, the value of the hands played."""
    reviews: list[ExchangeReview] = []
    before = solver.value(record.deal, record.contract)
    for step in record.exchange_steps():
        best = None
        if best_exchanges:
            found = solver.exchange(step.before, record.contract, step.seat, ties=False, top=1).best
            best = found.guaranteed, found.discard
        after = end if step.seat is Seat.R else solver.value(step.after, record.contract) if step.discards else before
        reviews.append(ExchangeReview(before, after, step.seat, step.discards, step.drawn, best))
        before = after
    return tuple(reviews)
