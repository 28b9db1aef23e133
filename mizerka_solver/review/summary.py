"""Who plays how well: reviews of many records, added up by player, seat, contract, place in the trick, trick number.

Only decisions count: cards that were forced, and choices between cards that lead to the same play, say nothing of a
player. Keeps sums and the few worst cards, not the reviews, so any number of records can go through.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from mizerka_solver.game.rules import Seat
from mizerka_solver.review.analysis import RecordReview
from mizerka_solver.review.balance import Balance
from mizerka_solver.review.improvements import Improvement, improvements
from mizerka_solver.review.steps import CardReview, ContractReview, ExchangeReview
from mizerka_solver.support import markup
from mizerka_solver.support.frames import Framed
from mizerka_solver.support.statistics import Tally

Keys = Callable[[RecordReview, CardReview], object]

GROUPS: dict[str, Keys] = {
    "player": lambda review, card: review.record.players[card.seat],
    "seat": lambda review, card: card.seat.name,
    "contract": lambda review, card: review.record.contract.name,
    "place": lambda review, card: card.place + 1,
    "trick": lambda review, card: card.trick,
}
WHOLE_DEAL = ("player", "seat", "contract")
"""Groups in which a deal counts even when it held no decision."""
OF_A_PLAYER = ("seat", "contract", "place")
"""Groups that are also kept for each player."""
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

    def add_deal(self, cards: Sequence[CardReview], points: int | None) -> None:
        """Count a player's decisions in one deal, and its points, where they are known."""
        for card in cards:
            self.errors += card.cost > 0
            self.cost.add(card.cost)
            self.par_cost.add(card.par_cost)
        self.deal_cost.add(sum(card.cost for card in cards))
        self.deal_par_cost.add(sum(card.par_cost for card in cards))
        if points is not None:
            self.deal_points.add(points)

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
            "points_per_deal": self.deal_points.as_dict() if self.deal_points.n else {"mean": None, "se": None},
        }


@dataclass(slots=True)
class Choices:
    """What a player's contracts cost, and what its exchanges gained it, or cost where that is known.

    All in guaranteed points, but for contract_par_cost, and contract_known_cost: what could be known (known.py).
    """

    contract_cost: Tally = field(default_factory=Tally)
    contract_par_cost: Tally = field(default_factory=Tally)
    contract_known_cost: Tally = field(default_factory=Tally)
    exchange_gain: Tally = field(default_factory=Tally)
    exchange_cost: Tally = field(default_factory=Tally)

    def add_contract(self, contract: ContractReview) -> None:
        """Count one contract named."""
        self.contract_cost.add(contract.cost)
        self.contract_par_cost.add(contract.par_cost)
        if contract.known is not None:
            self.contract_known_cost.add(contract.known.cost)

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
        if self.contract_known_cost.n:
            data["contract_known_cost"] = self.contract_known_cost.as_dict()
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


class Summary(Framed):
    """Adds up reviews; seats and players, if given, leave out what others did.

    lines: group name → group key → Line, keys in the order of first appearance (`sorted_lines` sorts them). of_player:
    the same for each player. balance: what points a deal are made of. names: all players met, counted or not.
    """

    def __init__(self, players: Iterable[str] = (), seats: Iterable[Seat] = (), n_worst: int = N_WORST) -> None:
        self.lines: dict[str, dict[Any, Line]] = {name: {} for name in GROUPS}
        self.n_records = 0
        self.faulty: list[str] = []
        self.choices: dict[str, Choices] = {}
        self.of_player: dict[str, dict[str, dict[Any, Line]]] = {}
        self.balance = Balance()
        self.names: dict[str, None] = {}
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
        self.names |= dict.fromkeys(review.record.players)
        seats = [seat for seat in Seat if self.wants(review, seat)]
        self.balance.add(review, seats)
        for seat in seats:
            self._add_seat(review, seat, where)
        if review.contract is not None and review.has_points and self.wants(review, Seat.F):
            self._choices(review, Seat.F).add_contract(review.contract)
        for exchange in review.exchanges:
            if self.wants(review, exchange.seat):
                self._choices(review, exchange.seat).add_exchange(exchange)

    def _choices(self, review: RecordReview, seat: Seat) -> Choices:
        return self.choices.setdefault(review.record.players[seat], Choices())

    def _add_seat(self, review: RecordReview, seat: Seat, where: str) -> None:
        player = review.record.players[seat]
        cards = [card for card in review.cards if card.seat is seat]
        decided = [card for card in cards if card.is_decision]
        mine = self.of_player.setdefault(player, {name: {} for name in OF_A_PLAYER})
        for name, key_of in GROUPS.items():
            by_key: dict[Any, list[CardReview]] = {}
            if cards and name in WHOLE_DEAL:
                by_key[key_of(review, cards[0])] = []
            for card in decided:
                by_key.setdefault(key_of(review, card), []).append(card)
            for key, group in by_key.items():
                points = review.final[seat] if review.final is not None and review.has_points else None
                self.lines[name].setdefault(key, Line()).add_deal(group, points)
                if name in mine:
                    mine[name].setdefault(key, Line()).add_deal(group, points)
        for card in decided:
            self._keep(Worst(card.cost, card.par_cost, next(self._order), where, player, card))

    def _keep(self, worst: Worst) -> None:
        if worst.cost > 0 and self._n_worst:
            push = heapq.heappush if len(self._worst) < self._n_worst else heapq.heappushpop
            push(self._worst, worst)

    @property
    def worst(self) -> list[Worst]:
        """The cards that cost most, the worst first."""
        return sorted(self._worst, reverse=True)

    def unmatched(self) -> str:
        """Return what was asked to be counted and never came up, as an error's text; empty if all did."""
        missing = sorted(self._players - self.names.keys())
        if missing:
            names = "players here" + (": " + ", ".join(sorted(self.names)[:10]) if len(self.names) <= 10 else " differ")
            return f"{', '.join(missing)}: no such player in these records; {names}"
        if self.of_player or not (self._players or self._seats):
            return ""
        who = [*sorted(self._players), *(seat.name for seat in sorted(self._seats))]
        return f"{', '.join(who)}: nobody in these records is meant by that, so nothing is counted"

    def advice(self, player: str) -> list[Improvement]:
        """Return where a player should improve first."""
        if player not in self.balance.players:
            return []  # no deal of theirs has points
        choices, lines = self.choices.get(player), self.of_player[player]

        def worst(group: str) -> Any:
            found = lines[group]
            return max(found, key=lambda key: found[key].deal_par_cost.total) if found else ""

        where = (str(worst("contract")), str(worst("place")))
        return improvements(self.balance, player, choices.exchange_cost if choices else None, where)

    def sorted_lines(self) -> Iterator[tuple[str, Any, Line]]:
        """Yield (group, key, line): players by cost per deal, seats and contracts in their order, others by number."""
        for name, lines in self.lines.items():
            for key in sorted(lines, key=self._order_of(name)):
                yield name, key, lines[key]

    def _order_of(self, name: str) -> Callable[[Any], Any] | None:
        orders: dict[str, Callable[[Any], Any]] = {
            "player": lambda key: (self.lines["player"][key].deal_cost.mean, key),
            "seat": "FMR".index,
            "contract": "SHDCNM".index,
        }
        return orders.get(name)

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
        players = sorted(self.of_player)
        data["account"] = self.balance.as_dict()
        data["of_player"] = {player: self._groups_of(player) for player in players}
        data["improve"] = {player: [each.as_dict() for each in self.advice(player)] for player in players}
        data["worst"] = [worst.as_dict() for worst in self.worst]
        return data

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one row a line of every group, as `mizerka analyse --summary --csv` has them."""
        for group, key, line in self.sorted_lines():
            row: dict[str, Any] = {"group": group, "key": str(key)}
            for name, value in line.as_dict().items():
                row |= {f"{name}_{part}": n for part, n in value.items()} if isinstance(value, dict) else {name: value}
            yield row

    def _repr_html_(self) -> str:
        rows = [
            (key, group, line.decisions, f"{line.error_rate:.1%}", line.deal_cost.shown(), line.deal_par_cost.shown())
            for group, key, line in self.sorted_lines()
        ]
        head = ("", "", "decisions", "errors", "cost a deal", "par cost a deal")
        return markup.table(rows, head, f"{self.n_records} records with open cards; ± 95 % confidence")

    def _groups_of(self, player: str) -> dict[str, Any]:
        return {
            name: {str(key): lines[key].as_dict() for key in sorted(lines, key=self._order_of(name))}
            for name, lines in self.of_player[player].items()
        }
