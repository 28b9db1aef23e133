"""What bots think of decisions, from what their players could see: hints, and what a record's decisions cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mizerka_solver.bots import Sampler, Searcher, Table, View, advise
from mizerka_solver.bots.search import advice_dict, search_advise
from mizerka_solver.core import RaceKind
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.game.cards import Hand
from mizerka_solver.game.records import GameRecord
from mizerka_solver.review import RecordReview
from mizerka_solver.review.steps import DECISION
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.statistics import Tally
from mizerka_solver.web.games import PoolSampler
from mizerka_solver.web.pool import Work

SEARCH = "search"


def table_at(record: GameRecord, at: int) -> Table:
    """Return the table after `at` cards of a record; raises MizerkaError where there is nothing to decide."""
    table = Table(record.deal)
    table.name(record.contract)
    for discards in record.exchange:
        table.exchange(discards)
    for card in record.play[:at]:
        table.play(card)
    if table.is_over or at > len(record.play):
        raise MizerkaError(f"the record has {len(record.play)} cards", field="at", token=str(at))
    return table


def advised(view: View, bot: str, samples: int, seconds: float, seed: int = 0) -> Work:
    """Return the work of advising: all choices, the best first, as `mizerka advise --json` has them."""
    at_work: list[Sampler | Searcher] = []

    def run(solver: Solver) -> dict[str, Any]:
        adviser = Searcher(samples, seconds) if bot == SEARCH else PoolSampler(samples, seconds, solver)
        at_work.append(adviser)
        if isinstance(adviser, Searcher):
            found = search_advise(adviser, view, seed)
            return advice_dict(view, found.options, found)
        return advice_dict(view, advise(adviser, view, seed))

    def cancel() -> None:
        for adviser in at_work:
            adviser.stop()

    return Work(run, cancel=cancel)


class Hindsight:
    """What the cards of a review cost by what their players could see: how far behind the best in the same worlds."""

    def __init__(self, worlds: int, seen: Callable[[int, int], object]) -> None:
        self._searcher = Searcher(worlds)
        self._seen = seen

    def stop(self) -> None:
        """End it, from another thread."""
        self._searcher.stop()

    def costs(self, reviewed: RecordReview) -> list[Tally | None]:
        """Return for each card the points behind, at most about 0; None where there was no choice."""
        record, found = reviewed.record, list[Tally | None]()
        for card in reviewed.cards:
            self._seen(card.index, len(reviewed.cards))
            found.append(self._cost(record, card.index) if card.kind == DECISION else None)
        return found

    def exchange_costs(self, record: GameRecord) -> list[Tally]:
        """Return how far F, M, R were behind the best exchange the search bot knows, in the same worlds."""
        table = Table(record.deal)
        table.name(record.contract)
        found = []
        for discards in record.exchange:
            view, made = table.view(), Hand.from_cards(discards).mask
            race = self._searcher.exchanges(view, seed=0)
            both = self._searcher.race(view, RaceKind.EXCHANGES, [race.choices[race.leader], made], [0, 0], 1)
            self._searcher.run_all(both, drop=False)
            found.append(Tally(*both.difference(1, 0)))
            table.exchange(discards)
        return found

    def _cost(self, record: GameRecord, index: int) -> Tally:
        options = search_advise(self._searcher, table_at(record, index).view(), seed=index).options
        return next(option.lead for option in options if record.play[index] in option.choice)


def with_hindsight(reviewed: RecordReview, hindsight: Hindsight) -> dict[str, Any]:
    """Return the fields of a review, and with each decision what it cost by what could be known."""
    told = reviewed.as_dict()
    for card, cost in zip(told["cards"], hindsight.costs(reviewed), strict=True):
        if cost is not None:
            card["known"] = cost.as_dict()
    if reviewed.exchanges:
        for exchange, cost in zip(told["exchange"], hindsight.exchange_costs(reviewed.record), strict=True):
            exchange["known"] = cost.as_dict()
    return told
