"""What is done with each record of a batch, and how its answer is written. Tasks are pickled: workers get copies.

A task knows one kind of question. What comes in and goes out in which order is streaming.py's, what is a file text.py's
and columns.py's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from mizerka_solver.batches.schema import Row, Schema, contract_schema, exchange_schema, review_schema, solve_schema
from mizerka_solver.double_dummy.query import ExchangeQuery, SolveQuery, Subject, as_deal
from mizerka_solver.double_dummy.solution import Answer
from mizerka_solver.double_dummy.solver import SearchStopped, Solver
from mizerka_solver.game.notation import Led
from mizerka_solver.support.errors import MizerkaError

if TYPE_CHECKING:  # each task imports its part of the library when it works, so that a command loads only its own
    from mizerka_solver.double_dummy.exchange_values import ExchangeLine, ExchangeSolution
    from mizerka_solver.game.records import GameRecord
    from mizerka_solver.hidden.contracts import ContractReport
    from mizerka_solver.hidden.samples import Sampling
    from mizerka_solver.hidden.view import View
    from mizerka_solver.review.analysis import RecordReview
    from mizerka_solver.review.query import ReviewQuery

Thing = TypeVar("Thing", contravariant=True)
Found = TypeVar("Found")


class Place(Protocol):
    """Where in the input a record stands."""

    @property
    def source(self) -> str:
        """Its file."""

    @property
    def line(self) -> int:
        """Its line."""


class Task(Protocol[Thing, Found]):
    """One kind of question, put to each record."""

    @property
    def schema(self) -> Schema:
        """The columns of an answer."""

    @property
    def repeatable(self) -> bool:
        """Whether the answer is the same each time: no clock ends a search."""

    def __call__(self, solver: Solver, thing: Thing) -> Found:
        """Return the answer; raises MizerkaError."""

    def name(self, thing: Thing) -> str:
        """Return what an answer calls the deal or position; raises MizerkaError."""

    def data(self, found: Found, at: Place) -> dict[str, Any]:
        """Return the answer as the fields of a JSON object."""

    def rows(self, found: Found, at: Place) -> Iterable[Row]:
        """Return the answer as rows."""


@dataclass(frozen=True, slots=True)
class SolveTask:
    """What deals and positions are worth."""

    query: SolveQuery

    @property
    def schema(self) -> Schema:
        """See Task."""
        return solve_schema(cards=self.query.cards, equilibria=self.query.equilibria)

    @property
    def repeatable(self) -> bool:
        """See Task."""
        return self.query.limits.seconds is None

    def __call__(self, solver: Solver, thing: Subject | Led) -> Answer:
        """See Task; a search for equilibria that ran out of time is a MizerkaError."""
        query = self.query
        if isinstance(thing, Led):
            query, thing = replace(query, leader=thing.leader), thing.deal
        try:
            return query.ask(solver, thing)
        except SearchStopped as stopped:
            if stopped.reason != "time":
                raise
            limit = f"{self.query.limits.seconds:g} s"
            raise MizerkaError("time limit reached before all equilibria were found", token=limit) from None

    def name(self, thing: Subject | Led) -> str:
        """See Task."""
        return str(thing.deal if isinstance(thing, Led) else thing)

    def data(self, found: Answer, at: Place) -> dict[str, Any]:
        """See Task."""
        return found.as_dict()

    def rows(self, found: Answer, at: Place) -> Iterable[Row]:
        """See Task."""
        return found.solution.rows()


@dataclass(frozen=True, slots=True)
class ExchangeTask:
    """The best exchanges of a seat, or of all three in turn; `top` of them are written."""

    query: ExchangeQuery
    line: bool = False
    top: int = 10

    @property
    def schema(self) -> Schema:
        """See Task."""
        return exchange_schema()

    @property
    def repeatable(self) -> bool:
        """See Task."""
        return self.query.limits.seconds is None

    def __call__(self, solver: Solver, thing: Subject) -> ExchangeSolution | ExchangeLine:
        """See Task."""
        deal = as_deal(thing)
        return self.query.ask_line(solver, deal) if self.line else self.query.ask(solver, deal)

    def name(self, thing: Subject) -> str:
        """See Task."""
        deal = as_deal(thing)
        return str(deal if self.line else deal.after_exchange(self.query.exchanges))

    def data(self, found: ExchangeSolution | ExchangeLine, at: Place) -> dict[str, Any]:
        """See Task."""
        return found.as_dict(self.top)

    def rows(self, found: ExchangeSolution | ExchangeLine, at: Place) -> Iterable[Row]:
        """See Task: the best first; of a line the best of each seat."""
        from mizerka_solver.double_dummy.exchange_values import ExchangeLine

        return found.rows() if isinstance(found, ExchangeLine) else found.rows(self.top)


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """What every card of a game record cost."""

    query: ReviewQuery

    @property
    def schema(self) -> Schema:
        """See Task."""
        return review_schema(expected=bool(self.query.expected))

    @property
    def repeatable(self) -> bool:
        """See Task."""
        return self.query.seconds is None

    def __call__(self, solver: Solver, thing: GameRecord) -> RecordReview:
        """See Task."""
        from mizerka_solver.review.analysis import review

        return review(solver, thing, self.query)

    def name(self, thing: GameRecord) -> str:
        """See Task."""
        return str(thing.deal)

    def data(self, found: RecordReview, at: Place) -> dict[str, Any]:
        """See Task."""
        return {"source": at.source, "line": at.line, "deal": self.name(found.record), **found.as_dict()}

    def rows(self, found: RecordReview, at: Place) -> Iterable[Row]:
        """See Task: a row a card."""
        deal = self.name(found.record)
        for row in found.rows():
            yield {"source": at.source, "line": at.line, "deal": deal, **row}


@dataclass(frozen=True, slots=True)
class ContractTask:
    """What each contract promises forehand, who has seen six cards, by sampling; all with the same seed."""

    sampling: Sampling

    @property
    def schema(self) -> Schema:
        """See Task."""
        return contract_schema()

    @property
    def repeatable(self) -> bool:
        """See Task."""
        return self.sampling.seconds is None

    def __call__(self, solver: Solver, thing: View) -> ContractReport:
        """See Task."""
        from mizerka_solver.hidden.contracts import forecast_contracts

        return forecast_contracts(thing.hand, thing.remaining, self.sampling, thing.variant, solver)

    def name(self, thing: View) -> str:
        """See Task."""
        return str(thing.hand)

    def data(self, found: ContractReport, at: Place) -> dict[str, Any]:
        """See Task."""
        return found.as_dict()

    def rows(self, found: ContractReport, at: Place) -> Iterable[Row]:
        """See Task: a row a contract."""
        return found.rows()


def error_row(error: str) -> Mapping[str, Any]:
    """Return the one row of a record that failed."""
    return {"error": error}
