"""Batches in Python: each function takes any number of things, as they come, and yields their answers as they are done.

The things are values, texts, or a path: that of a file as the commands read it, which may be compressed. Nothing is
held but what is on its way. A thing that is faulty raises its error in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from os import PathLike, fspath
from typing import Any, TypeVar

from mizerka_solver.batches.backends import Backend
from mizerka_solver.batches.tasks import ContractTask, ExchangeTask, ReviewTask, SolveTask, Task
from mizerka_solver.double_dummy.exchange_values import ExchangeSolution
from mizerka_solver.double_dummy.query import ExchangeQuery, SolveQuery, Subject, SubjectLike, as_deal, as_subject
from mizerka_solver.double_dummy.solution import Answer
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.game.convert import ContractsLike, HandLike, as_hand
from mizerka_solver.game.notation import bounded_lines, read_lines
from mizerka_solver.game.records import GameRecord, read_records
from mizerka_solver.game.rules import Seat
from mizerka_solver.hidden.contracts import ContractReport
from mizerka_solver.hidden.previews import read_previews
from mizerka_solver.hidden.samples import Sampling
from mizerka_solver.hidden.view import CONTRACT, View
from mizerka_solver.review.analysis import RecordReview
from mizerka_solver.review.query import ReviewQuery
from mizerka_solver.support.compressed import decompressed
from mizerka_solver.support.errors import MizerkaError

Value = TypeVar("Value")
Reader = Callable[[Iterable[str | bytes], str], Iterator[tuple[int, Value | MizerkaError]]]
Path = PathLike[str]


def read_file(path: Path, reader: Reader[Value]) -> Iterator[Value]:
    """Yield the values of a file, which may be compressed, as they are read; raises MizerkaError, OSError."""
    name = fspath(path)
    with open(name, "rb") as stream:
        for _, value in reader(bounded_lines(decompressed(stream, name)), name):
            if isinstance(value, MizerkaError):
                raise value
            yield value


def read_deals(path: Path) -> Iterator[Subject]:
    """Yield the deals and positions of a file in any form that the commands read, compressed or not.

    Raises MizerkaError, which names the line, and OSError.
    """
    return read_file(path, read_lines)


def solve_each(
    subjects: Iterable[SubjectLike] | Path,
    query: SolveQuery | None = None,
    backend: Backend | None = None,
    *,
    ordered: bool = True,
) -> Iterator[Answer]:
    """Yield the Answer for each deal or position, in their order or, with ordered=False, as they come.

    query: what is asked; all contracts, F leads, if not given. backend: threads of this process, one, if not given.
    Raises what reading them and `SolveQuery.ask` raise, and MizerkaError where the time of `seconds` was too short.

    >>> answers = solve_each(["F:AK... M:Q2... R:.AK..", "F:A... M:K... R:Q..."], SolveQuery("N"))
    >>> [answer.solution["N"].guaranteed for answer in answers]
    [(2, 0, 0), (1, 0, 0)]
    """
    things = read_deals(subjects) if isinstance(subjects, PathLike) else map(as_subject, subjects)
    return _answers(SolveTask(query or SolveQuery()), things, backend, ordered)


def exchange_many(
    deals: Iterable[SubjectLike] | Path, query: ExchangeQuery, backend: Backend | None = None, *, ordered: bool = True
) -> Iterator[ExchangeSolution]:
    """Yield the best exchanges in each deal; arguments and errors as in `solve_each` and `ExchangeQuery.ask`.

    >>> found = exchange_many(["F:A2.-.-.- M:K3.-.-.- R:Q4.-.-.- T:HA"], ExchangeQuery("N"))
    >>> [solution.best.discard for solution in found]
    [(Card('S2'),)]
    """
    things: Iterable[Any] = read_deals(deals) if isinstance(deals, PathLike) else map(as_deal, deals)
    task: Task[Any, Any] = ExchangeTask(query)  # of one seat, so that the answer is no line
    return _answers(task, things, backend, ordered)


def contract_many(
    previews: Iterable[HandLike | View] | Path,
    sampling: Sampling | None = None,
    backend: Backend | None = None,
    *,
    remaining: ContractsLike = None,
    ordered: bool = True,
) -> Iterator[ContractReport]:
    """Yield what each contract promises forehand, for each six cards seen; arguments and errors as in `solve_each`.

    sampling: 200 samples with seed 0 if not given; its threads and memory are those of the backend. remaining: the
    contracts left where a preview does not say: all six if not given. A path is that of a file of previews.

    >>> found = contract_many(["AKQ9.A.-.4"], Sampling(2), remaining="SN")
    >>> [(report.best.contract, report.samples) for report in found]
    [(Contract.S, 2)]
    """
    things: Iterable[View]
    if isinstance(previews, PathLike):
        things = read_file(previews, partial(read_previews, remaining=remaining))
    else:
        things = (
            each if isinstance(each, View) else View(CONTRACT, Seat.F, as_hand(each), remaining) for each in previews
        )
    return _answers(ContractTask(sampling or Sampling()), things, backend, ordered)


def review_many(
    records: Iterable[GameRecord] | Path,
    query: ReviewQuery | None = None,
    backend: Backend | None = None,
    *,
    ordered: bool = True,
) -> Iterator[RecordReview]:
    """Yield the review of each game record; arguments and errors as in `solve_each` and `review`.

    >>> from mizerka_solver import Card, Contract, Deal
    >>> record = GameRecord(("a", "b", "c"), Deal("F:A... M:K... R:Q..."), Contract.N, play=(Card("SA"),))
    >>> [review.costs for review in review_many([record])]
    [(0, 0, 0)]
    """
    things = read_file(records, read_records) if isinstance(records, PathLike) else records
    return _answers(ReviewTask(query or ReviewQuery()), things, backend, ordered)


def _answers(task: Task[Any, Value], things: Iterable[Any], backend: Backend | None, ordered: bool) -> Iterator[Value]:
    job: Callable[[Solver, Any], Value] = task
    return (backend or Backend()).run(job, things, ordered=ordered)
