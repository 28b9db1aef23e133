"""A game record against open cards: what each card, the exchange and the contract cost, and that it adds up.

For each card of a record the value of the position before and after it is found; their difference is what the card did.
Guaranteed points tell a loss apart from luck: with g before and after,

    cost to the player     = g before - g after        >= 0, and 0 for at least one legal card
    transfer to the others = g after - g before        >= 0, since nobody else's card can break a guarantee

so a seat's final points are its guarantee at the start, minus what its own cards cost, plus what the others' cards gave
it. The account (account.py) tells the same in par, from the cards as dealt. `RecordReview.problems` checks both. Who
plays well on average is left to summary.py, printing to cli/.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mizerka_solver.core import SearchStopped
from mizerka_solver.double_dummy.solver import Solver, equivalent_cards
from mizerka_solver.double_dummy.values import Points, Value
from mizerka_solver.game.cards import Card
from mizerka_solver.game.position import Position
from mizerka_solver.game.records import ExchangeStep, GameRecord
from mizerka_solver.game.rules import Contract, Seat, Triple, by_column, by_seat, seat_points
from mizerka_solver.review.account import CLAIM, CONTRACT, EXCHANGE, FORFEIT, PLAY, Account, Step, accounts
from mizerka_solver.review.known import known_contract
from mizerka_solver.review.query import Clock, Expected, ReviewQuery, nameable
from mizerka_solver.review.steps import (
    DECISION,
    EQUIVALENT,
    FORCED,
    CardReview,
    Change,
    ContractReview,
    ExchangeReview,
    difference,
    thirds,
)
from mizerka_solver.support import markup
from mizerka_solver.support.frames import Framed
from mizerka_solver.support.statistics import signed

__all__ = [
    "DECISION",
    "EQUIVALENT",
    "FORCED",
    "Account",
    "CardReview",
    "Change",
    "ContractReview",
    "ExchangeReview",
    "RecordReview",
    "ReviewQuery",
    "nameable",
    "review",
]


@dataclass(frozen=True, slots=True)
class RecordReview(Framed):
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
    def has_points(self) -> bool:
        """Whether the deal has as many tricks as the targets are for; else only changes are told."""
        return self.start.has_points

    @property
    def final(self) -> Triple | None:
        """Points of F, M, R at the end, played or claimed, by the rules alone; None for an unfinished deal."""
        tricks = self.record.tricks
        if tricks is None:
            return None
        f, m, r = (seat_points(self.record.contract, seat, tricks[seat], self.start.variant) for seat in Seat)
        return f, m, r

    @property
    def forfeiter(self) -> Seat | None:
        """The seat that forfeited the deal, by the record's extra field "forfeit", which the arena writes."""
        told = json.loads(dict(self.record.extra).get("forfeit", "null"))
        name = told.get("seat") if isinstance(told, dict) else None
        return Seat[name] if name in ("F", "M", "R") else None

    @property
    def claim(self) -> Triple:
        """What a claim or forfeit changed against the guarantees it broke off at; zeros when all was played."""
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

    # The account

    @property
    def reaches_the_deal(self) -> bool:
        """Whether the account begins with the cards as dealt, not as played: exchanges were judged, or none made."""
        return bool(self.exchanges) or not any(self.record.exchange)

    @property
    def accounts(self) -> tuple[Account, Account, Account]:
        """How the points of F, M, R come about, in thirds of a point: account.py says what each term is."""
        return accounts(self._first(), self._steps())

    def _first(self) -> Triple:
        """Par in thirds where the account begins."""
        if not self.reaches_the_deal:
            return thirds(self.start)
        if self.contract is not None:
            return thirds(self.contract.values[self.contract.best])
        return thirds(self.exchanges[0].before if self.exchanges else self.start)

    def _steps(self) -> Iterator[Step]:
        if self.reaches_the_deal and self.contract is not None:
            values = self.contract.values
            change = difference(thirds(values[self.contract.named]), thirds(values[self.contract.best]))
            yield Step(CONTRACT, Seat.F, change)
        for exchange in self.exchanges:
            yield Step(EXCHANGE, exchange.seat, exchange.thirds)
        for card in self.cards:
            yield Step(PLAY, card.seat, card.thirds)
        if self.final is not None:
            f, m, r = self.final
            rest = difference((3 * f, 3 * m, 3 * r), thirds(self.end))
            yield Step(CLAIM, None, rest) if self.forfeiter is None else Step(FORFEIT, self.forfeiter, rest)

    # Checks

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
        found += self._par_problems()
        for card in self.cards:
            name = f"play[{card.index}] {card.card}"
            if card.cost < 0 or (card.cost and not card.is_decision):
                found.append(f"{name}: a {card.kind} card costs {card.cost}")
            if any(card.transfer[seat] < 0 for seat in Seat if seat is not card.seat):
                found.append(f"{name}: takes a guarantee from another seat")
        return found

    def _par_problems(self) -> list[str]:
        """The same for par, where a player's own card and contract can't gain it anything."""
        found = []
        par = [a + sum(card.thirds[i] for card in self.cards) for i, a in enumerate(thirds(self.start))]
        if par != list(thirds(self.end)):
            found.append(f"par: changes add up to {par} thirds, not {list(thirds(self.end))}")
        end = [3 * points for points in self.final] if self.final is not None else list(thirds(self.end))
        for seat, account in zip(Seat, self.accounts, strict=True):
            if sum(account) != end[seat]:
                found.append(f"{seat}: the account adds up to {sum(account)} thirds of a point, not {end[seat]}")
            if account.contract > 0 or account.play > 0:
                found.append(f"{seat}: gains by its own contract or cards: {account}")
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object of `mizerka analyse` for one record."""
        record = self.record
        data: dict[str, Any] = {} if record.id is None else {"id": record.id}
        data |= {"players": by_seat(record.players), "contract": record.contract.name}
        if self.contract is not None and self.has_points:  # contracts are compared by their targets
            data["contract_choice"] = self.contract.as_dict()
        if self.exchanges:
            data["exchange"] = [exchange.as_dict() for exchange in self.exchanges]
        start, final, account = None, None, None
        if self.has_points:
            start = {"points": by_seat(self.start.points), "par": by_seat(self.start.par)}
            final = None if self.final is None else by_seat(self.final)
            begins = "dealt" if self.reaches_the_deal else "played"
            account = {"begins": begins, "thirds": by_seat([account._asdict() for account in self.accounts])}
        data |= {"start": start, "costs": by_seat(self.costs), "gifts": by_seat(self.gifts)}
        data |= {"claim": by_seat(self.claim), "final": final, "account": account}
        data["adds_up"] = not self.problems()
        data["cards"] = [card.as_dict() for card in self.cards]
        return data

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one row a card, as `mizerka analyse --csv` has them."""
        for card in self.cards:
            yield {
                "player": self.record.players[card.seat],
                "contract": self.record.contract.name,
                "trick": card.trick,
                "place": card.place + 1,
                "seat": card.seat.name,
                "card": str(card.card),
                "kind": card.kind,
                "cost": card.cost,
                "par_cost": card.par_cost,
                **({} if card.expected_cost is None else {"expected_cost": card.expected_cost}),
                **by_column("before", card.before.guaranteed),
                **by_column("after", card.after.guaranteed),
                **by_column("par_before", card.before.shown_par),
                **by_column("par_after", card.after.shown_par),
                **by_column("transfer", card.transfer),
                "better": " ".join(str(better) for better, _ in card.better),
                "position": str(card.position),
            }

    def _repr_html_(self) -> str:
        start = [("start", *(signed(n, 0) for n in self.start.points))] if self.has_points else []
        totals: list[tuple[object, ...]] = [
            *start,
            ("own cards", *(signed(-n, 0) for n in self.costs)),
            ("gifts", *(signed(n, 0) for n in self.gifts)),
        ]
        if self.final is not None and self.has_points:
            totals.append(("result", *(signed(n, 0) for n in self.final)))
        head = ("points", *(f"{seat} {player}" for seat, player in zip(Seat, self.record.players, strict=True)))
        rows = [
            (card.trick, card.seat, card.card.pretty, *_judged(card), " ".join(c.pretty for c, _ in card.better))
            for card in self.cards
        ]
        cards = markup.table(rows, ("trick", "seat", "card", "cost", "par cost", "better"), "card by card")
        contract = self.record.contract
        return markup.together(markup.table(totals, head, f"{contract.symbol}: open-card review"), cards)


def _judged(card: CardReview) -> tuple[str, str]:
    """Cost and par cost as a notebook shows them; of cards that were no choice, why."""
    return (str(card.cost), f"{card.par_cost:.2f}") if card.is_decision else (card.kind, "")


def review(
    solver: Solver,
    record: GameRecord,
    query: ReviewQuery | None = None,
    *,
    contracts: Sequence[Contract] = (),
    exchanges: bool = False,
    best_exchanges: bool = False,
    expected: Expected | None = None,
) -> RecordReview:
    """Return what each card of a record did, and what else the query asks. One table serves the whole record.

    The keywords are a query in short, and not used beside one: contracts the one named is judged against, each a search
    of a whole deal; exchanges, one such search each; best_exchanges, which take far longer; expected, called for every
    position. Raises SearchStopped when the solver is cancelled or a limit is hit.

    >>> from mizerka_solver.game.deal import Deal
    >>> from mizerka_solver import Card, Contract, Deal
    >>> record = GameRecord(("a", "b", "c"), Deal("F:A.2.-.- M:K.3.-.- R:-.54.-.-"), Contract.N,
    ...                     play=tuple(map(Card, ("H2", "H3", "H5", "H4", "SA", "SK"))))
    >>> [(str(card.card), card.kind, card.cost) for card in review(Solver(memory="1M"), record).cards[:2]]
    [('H2', 'decision', 1), ('H3', 'forced', 0)]
    """
    if query is None:
        query = ReviewQuery(tuple(contracts), exchanges, best_exchanges, expected or False)
    elif contracts or exchanges or best_exchanges or expected:
        raise TypeError("review() takes a query or keywords, not both")
    return Reviewer(solver, record, query).review()


class Reviewer:
    """One question about one record while it is answered."""

    def __init__(self, solver: Solver, record: GameRecord, query: ReviewQuery) -> None:
        self._solver, self._record, self._query = solver, record, query
        self._clock: Clock = query.clock()

    def review(self) -> RecordReview:
        """Return the answer."""
        positions = [*self._record.positions(), self._record.final_position]
        # Backwards: the small searches at the end fill the table with what the large ones at the start come to.
        values = [self._told(position, n, len(positions)) for n, position in enumerate(reversed(positions))][::-1]
        cards = self._cards(positions, values)
        contract = self._contract(self._query.contracts_of(self._record))
        exchanges = tuple(self._exchanges(values[0])) if self._query.judges_exchanges(self._record) else ()
        return RecordReview(self._record, cards, values[0], values[-1], contract, exchanges)

    def _told(self, position: Position, n_done: int, n_all: int) -> Value:
        if self._query.progress is not None:
            self._query.progress(n_done, n_all)
        return self._value(position)

    def _value(self, position: Position) -> Value:
        query, seconds = self._query, self._clock.seconds
        value = self._solver.value(position, node_limit=query.node_limit, seconds=seconds, variant=query.variant)
        return self._whole(value)

    def _whole(self, value: Value) -> Value:
        """Return a value; raises SearchStopped where it is not exact, since bounds are no basis for a cost."""
        if not value.exact:
            raise self._stopped()
        return value

    def _stopped(self) -> SearchStopped:
        return SearchStopped("nodes" if self._query.seconds is None else "time")

    def _cards(self, positions: Sequence[Position], values: Sequence[Value]) -> tuple[CardReview, ...]:
        hopes = self._hopes(positions)
        cards = []
        for index, card in enumerate(self._record.play):
            groups = equivalent_cards(positions[index])
            kind = DECISION if len(groups) > 1 else FORCED if len(groups[0]) == 1 else EQUIVALENT
            around = (hopes[index], hopes[index + 1]) if hopes else None
            found = CardReview(values[index], values[index + 1], index, positions[index], card, kind, (), around)
            if kind == DECISION and found.cost:
                found = replace(found, better=self._better(found, groups))
            cards.append(found)
        return tuple(cards)

    def _hopes(self, positions: Sequence[Position]) -> list[Points] | None:
        """Return the expected points of each position, if they were asked for."""
        expected = self._query.expected
        if not expected:
            return None
        # The start of play is asked first, so one exhaustive search answers for the whole record.
        function = self._expected_points if expected is True else expected
        return [function(position) for position in positions]

    def _expected_points(self, position: Position) -> Points:
        found = self._solver.equilibria(position, seconds=self._clock.seconds, variant=self._query.variant)
        return found.expected_points

    def _better(self, played: CardReview, groups: Sequence[tuple[Card, ...]]) -> tuple[tuple[Card, int], ...]:
        """Return the cards that cost less than the one played, best first."""
        position, before, seat = played.position, played.before, played.seat
        found: list[tuple[Card, int]] = []
        for group in groups:
            tricks = self._solver.guaranteed(position.play_unchecked(group[0]), seat, before.guaranteed[seat])
            cost = before.points[seat] - seat_points(position.contract, seat, tricks, self._query.variant)
            found += [(card, cost) for card in group if cost < played.cost]
        return tuple(sorted(found, key=lambda pair: pair[1]))

    def _contract(self, allowed: Sequence[Contract]) -> ContractReview | None:
        """Return the contract named against those allowed, on the hands as dealt."""
        if not allowed:
            return None
        record, query = self._record, self._query
        wanted = tuple(contract for contract in Contract if contract in allowed or contract is record.contract)
        limit, seconds = query.node_limit, self._clock.seconds
        solution = self._solver.solve(record.deal, wanted, node_limit=limit, seconds=seconds, variant=query.variant)
        values = {contract: self._whole(value) for contract, value in solution.values.items()}
        known = known_contract(record, wanted, query.contract_samples, query.variant)
        return ContractReview(record.contract, values, known)

    def _exchanges(self, end: Value) -> Iterator[ExchangeReview]:
        """Yield what each seat's exchange did, from the hands as dealt to `end`, the value of the hands played."""
        contract = self._record.contract
        before = self._value(self._record.deal.position(contract))
        for step in self._record.exchange_steps():
            best = self._best_exchange(step) if self._query.best_exchanges else None
            after = end if step.seat is Seat.R else before
            if step.discards and step.seat is not Seat.R:
                after = self._value(step.after.position(contract))
            yield ExchangeReview(before, after, step.seat, step.discards, step.drawn, best)
            before = after

    def _best_exchange(self, step: ExchangeStep) -> tuple[int, tuple[Card, ...]]:
        """Return guaranteed tricks and discards of the best exchange a seat had."""
        query, seconds = self._query, self._clock.seconds
        options = {"node_limit": query.node_limit, "seconds": seconds, "variant": query.variant}
        contract = self._record.contract
        found = self._solver.exchange(step.before, contract, step.seat, ties=False, top=1, **options)  # type: ignore[arg-type]
        if not found.exact:
            raise self._stopped()
        return found.best.guaranteed, found.best.discard
