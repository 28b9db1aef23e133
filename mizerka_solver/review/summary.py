"""Who plays how well: reviews of many records, added up by player, seat, contract, place in the trick, trick number.

Only decisions count: cards that were forced, and choices between cards that lead to the same play, say nothing of a
player. Keeps sums and the few worst cards, not the reviews, so any number of records can go through.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from mizerka_solver.game.rules import Seat
from mizerka_solver.review.analysis import CardReview, ContractReview, ExchangeReview, RecordReview
from mizerka_solver.support.statistics import Tally

Keys = Callable[[RecordReview, CardReview], object]

GROUPS: dict[str, Keys] = {
    "player": lambda review, card: review.record.players[card.seat],
    "seat": lambda review, card: card.seat.name,
    "contract": lambda review, card: review.record.contract.name,
    "place": lambda review, card: card.place + 1,
    "trick": lambda review, card: card.trick,
}
N_WORST = 5


@dataclass(slots=True)
class Line:
    """Sums of one group. Costs are in guaranteed points, one a trick; par costs in par points.

    deals: costs of one player's cards of the group in one deal, and points won with them where the deal was finished.
    """

    errors: int = 0
    cost: Tally = field(default_factory=Tally)
    par_cost: Tally = field(default_factory=Tally)
    deal_cost: Tally = field(default_factory=Tally)
    deal_par_cost: Tally = field(default_factory=Tally)
    deal_points: Tally = field(default_factory=Tally)

    @property
    def decisions(self) -> int:
        """Choices that could matter."""
        return self.cost.n

    @property
    def error_rate(self) -> float:
        """Share of decisions that cost a guaranteed point or more."""
        return self.errors / self.decisions if self.decisions else 0.0

    def add(self, card: CardReview) -> None:
        """Count one decision."""
        self.errors += card.cost > 0
        self.cost.add(card.cost)
        self.par_cost.add(card.par_cost)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        return {
            "deals": self.deal_cost.n,
            "decisions": self.decisions,
            "errors": self.errors,
            "error_rate": round(self.error_rate, 4),
            "cost_per_decision": self.cost.as_dict(),
            "par_cost_per_decision": self.par_cost.as_dict(),
            "cost_per_deal": self.deal_cost.as_dict(),
            "par_cost_per_deal": self.deal_par_cost.as_dict(),
            "points_per_deal": self.deal_points.as_dict(),
        }


@dataclass(slots=True)
class Choices:
    """What a player's contracts cost, and what its exchanges gained it, or cost where that is known.

    All in guaranteed points, but for contract_par_cost.
    """

    contract_cost: Tally = field(default_factory=Tally)
    contract_par_cost: Tally = field(default_factory=Tally)
    exchange_gain: Tally = field(default_factory=Tally)
    exchange_cost: Tally = field(default_factory=Tally)

    def add_contract(self, contract: ContractReview) -> None:
        """Count one contract named."""
        self.contract_cost.add(contract.cost)
        self.contract_par_cost.add(contract.par_cost)

    def add_exchange(self, exchange: ExchangeReview) -> None:
        """Count one exchange."""
        self.exchange_gain.add(exchange.transfer[exchange.seat])
        if exchange.cost is not None:
            self.exchange_cost.add(exchange.cost)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output; what was not judged is left out."""
        data: dict[str, Any] = {}
        if self.contract_cost.n:
            data["contracts"] = self.contract_cost.n
            data["contract_cost"] = self.contract_cost.as_dict()
            data["contract_par_cost"] = self.contract_par_cost.as_dict()
        if self.exchange_gain.n:
            data["exchanges"] = self.exchange_gain.n
            data["exchange_gain"] = self.exchange_gain.as_dict()
        return data | ({"exchange_cost": self.exchange_cost.as_dict()} if self.exchange_cost.n else {})


@dataclass(frozen=True, slots=True, order=True)
class Worst:
    """A card among the worst: compared by what it cost, then by par, then the earlier one counts as worse."""

    cost: int
    par_cost: float
    order: int
    where: str = field(compare=False)
    player: str = field(compare=False)
    card: CardReview = field(compare=False)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        return {
            "where": self.where,
            "player": self.player,
            "card": str(self.card.card),
            "cost": self.cost,
            "par_cost": self.par_cost,
            "better": [str(card) for card, _ in self.card.better],
            "position": str(self.card.position),
        }


class Summary:
    """Adds up reviews; seats and players, if given, leave out what others did.

    lines: group name → group key → Line, keys in the order of first appearance (`sorted_lines` sorts them).
    """

    def __init__(self, players: Iterable[str] = (), seats: Iterable[Seat] = (), n_worst: int = N_WORST) -> None:
        self.lines: dict[str, dict[Any, Line]] = {name: {} for name in GROUPS}
        self.n_records = 0
        self.faulty: list[str] = []
        self.choices: dict[str, Choices] = {}
        self._players, self._seats, self._n_worst = frozenset(players), frozenset(seats), n_worst
        self._worst: list[Worst] = []
        self._order = count(0, -1)

    def wants(self, review: RecordReview, seat: Seat) -> bool:
        """Whether what `seat` did in a record is counted."""
        is_player = not self._players or review.record.players[seat] in self._players
        return is_player and (not self._seats or seat in self._seats)

    def add(self, review: RecordReview, where: str = "") -> None:
        """Count one record; `where` names it among the worst cards."""
        self.n_records += 1
        self.faulty += [f"{where}: {problem}" for problem in review.problems()]
        for seat in filter(lambda seat: self.wants(review, seat), Seat):
            self._add_seat(review, seat, where)
        if review.contract is not None and self.wants(review, Seat.F):
            self._choices(review, Seat.F).add_contract(review.contract)
        for exchange in review.exchanges:
            if self.wants(review, exchange.seat):
                self._choices(review, exchange.seat).add_exchange(exchange)

    def _choices(self, review: RecordReview, seat: Seat) -> Choices:
        return self.choices.setdefault(review.record.players[seat], Choices())

    def _add_seat(self, review: RecordReview, seat: Seat, where: str) -> None:
        costs: dict[tuple[str, Any], list[float]] = {}
        cards = [card for card in review.cards if card.seat is seat]
        for name in ("player", "seat", "contract"):  # a deal counts there even when it held no decision
            if cards:
                costs[name, GROUPS[name](review, cards[0])] = [0, 0]
        for card in cards:
            if not card.is_decision:
                continue
            for name, key_of in GROUPS.items():
                key = key_of(review, card)
                self._line(name, key).add(card)
                sums = costs.setdefault((name, key), [0, 0])
                sums[0] += card.cost
                sums[1] += card.par_cost
            self._keep(Worst(card.cost, card.par_cost, next(self._order), where, review.record.players[seat], card))
        for (name, key), (cost, par_cost) in costs.items():
            line = self._line(name, key)
            line.deal_cost.add(cost)
            line.deal_par_cost.add(par_cost)
            if review.final is not None:
                line.deal_points.add(review.final[seat])

    def _line(self, name: str, key: Any) -> Line:
        return self.lines[name].setdefault(key, Line())

    def _keep(self, worst: Worst) -> None:
        if worst.cost > 0 and self._n_worst:
            push = heapq.heappush if len(self._worst) < self._n_worst else heapq.heappushpop
            push(self._worst, worst)

    @property
    def worst(self) -> list[Worst]:
        """The cards that cost most, the worst first."""
        return sorted(self._worst, reverse=True)

    def sorted_lines(self) -> Iterator[tuple[str, Any, Line]]:
        """Yield (group, key, line): players by cost per deal, seats and contracts in their order, others by number."""
        orders: dict[str, Callable[[Any], Any]] = {
            "player": lambda key: (self.lines["player"][key].deal_cost.mean, key),
            "seat": "FMR".index,
            "contract": "SHDCNM".index,
        }
        for name, lines in self.lines.items():
            for key in sorted(lines, key=orders.get(name)):
                yield name, key, lines[key]

    def over(self, threshold: float) -> list[tuple[str, float]]:
        """Return players who lose more guaranteed points a deal than `threshold`, and how many."""
        costs = [(player, line.deal_cost.mean) for player, line in self.lines["player"].items()]
        return [(player, cost) for player, cost in costs if cost > threshold]

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object of the summary."""
        groups: dict[str, dict[str, Any]] = {name: {} for name in GROUPS}
        for name, key, line in self.sorted_lines():
            groups[name][str(key)] = line.as_dict()
        data: dict[str, Any] = {"records": self.n_records, "adds_up": not self.faulty, **groups}
        if self.choices:
            data["choices"] = {player: choices.as_dict() for player, choices in sorted(self.choices.items())}
        data["worst"] = [worst.as_dict() for worst in self.worst]
        return data
