"""Where a batch is worked on: threads, processes of this machine (loky), or a Dask cluster; each with its own tables.

A job is a callable `job(solver, item)`; for the last two it and its results are pickled. Whoever does the work keeps
one Solver for all the chunks it is given, so tables are made once. `Backend` is the choice, `run` the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from queue import SimpleQueue
from threading import local
from typing import Any, TypeVar

from mizerka_solver.batches.streaming import Done, Event, Workers, stream
from mizerka_solver.double_dummy.equilibria import TABLE_SHARE
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.limits import MIN_MEMORY, parse_memory, parse_threads
from mizerka_solver.support.pool import WorkerPool

Item = TypeVar("Item")
Result = TypeVar("Result")
Job = Callable[[Solver, Item], Result]

KINDS = ("threads", "loky", "dask")
NEEDS = {"loky": "joblib", "dask": "distributed"}
CHUNK = 8  # items sent to a process at once: half a second's work and more, against a millisecond of sending


@dataclass(frozen=True, slots=True)
class Shares:
    """Bytes for the tables of one worker, as a Solver takes them."""

    memory: int
    table_memory: int


@dataclass(frozen=True, slots=True)
class Backend:
    """What works on a batch. Raises MizerkaError, TypeError for bad arguments and packages that are missing.

    kind: "threads" of this process, "loky", processes of this machine, or "dask", workers of a Dask cluster. threads:
    how many there are. address: of a cluster's scheduler, "tcp://host:8786"; without it a local cluster is started.
    memory, table_memory: of all of them together, as a Solver takes them (1M each is the least); with an address, where
    nobody knows how many will come, of each. solvers: filled with those that run as threads, for whoever watches them.
    """

    kind: str = "threads"
    threads: int = 1
    memory: int | str = "256M"
    table_memory: int | str | None = None
    address: str | None = None
    solvers: list[Solver] = field(default_factory=list, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise MizerkaError("a backend is one of threads, loky and dask", token=self.kind)
        if self.address is not None and self.kind != "dask":
            raise MizerkaError("an address is that of a Dask scheduler", token=self.address)
        parse_threads(self.threads), parse_memory(self.memory)
        needed = NEEDS.get(self.kind)
        if needed and not find_spec(needed):
            rule = f"needs the package {needed}, which is not installed (pip install 'mizerka-solver[cluster]')"
            raise MizerkaError(rule, field="backend", token=self.kind)

    @property
    def n_workers(self) -> int:
        """How many there are: fewer than `threads` where memory has no room for so many tables."""
        return min(self.threads, self._all.memory // MIN_MEMORY, self._all.table_memory // MIN_MEMORY)

    @property
    def _all(self) -> Shares:
        table = TABLE_SHARE * self.threads if self.table_memory is None else parse_memory(self.table_memory)
        return Shares(parse_memory(self.memory), table)

    @property
    def shares(self) -> Shares:
        """What each worker may take."""
        n = 1 if self.address else self.n_workers
        return Shares(self._all.memory // n, self._all.table_memory // n)

    def run(
        self, job: Job[Item, Result], items: Iterable[Item], *, ordered: bool = True, alone: bool = False
    ) -> Generator[Result, None, None]:
        """Return an iterator of job(solver, item) for each item, in their order or as they come.

        Items are read as they go, a few a worker ahead, in a thread of their own. alone: there is one item, on which
        all threads work together. Closing the iterator, or an exception in it, ends all work.

        >>> from mizerka_solver import Deal
        >>> deals = [Deal.random(seed) for seed in (1, 2, 3)]
        >>> list(Backend(threads=2).run(lambda solver, deal: deal.hand_size, deals))
        [13, 13, 13]
        """
        return self._run(job, items, ordered, alone)

    def _run(
        self, job: Job[Item, Result], items: Iterable[Item], ordered: bool, alone: bool
    ) -> Generator[Result, None, None]:
        # One item, or one thread, is worked on in a thread too: this one stays free to be interrupted.
        n, everything, share = self.n_workers, self._all, self.shares
        workers: Workers[Item, Result]
        if alone or (self.kind == "threads" and n == 1):
            self.solvers[:] = [Solver(n, everything.memory, everything.table_memory)]
            yield from stream(Threads(job, self.solvers), items, ordered=ordered, ahead=0)
            return
        if self.kind == "threads":
            self.solvers[:] = [Solver(1, share.memory, share.table_memory) for _ in range(n)]
            workers = Threads(job, self.solvers)
        elif self.kind == "loky":
            from mizerka_solver.batches.processes import Processes

            workers = Processes(job, n, share)
        else:
            from mizerka_solver.batches.cluster import Cluster

            workers = Cluster(job, n, share, self.address)
        yield from stream(workers, items, ordered=ordered)


class Threads:
    """Threads of this process, one a solver; a chunk is one item, so that results come as early as they can."""

    chunk_size = 1

    def __init__(self, job: Job[Any, Any], solvers: Sequence[Solver]) -> None:
        self.solvers = solvers
        self.n_workers = len(solvers)
        self.events: SimpleQueue[Event] = SimpleQueue()
        self._job = job
        self._pool: WorkerPool[Solver, tuple[int, Any], None] = WorkerPool(self._work, solvers)

    def _work(self, solver: Solver, item: tuple[int, Any]) -> None:
        ticket, value = item
        try:
            self.events.put(Done(ticket, (self._job(solver, value), None)))
        except BaseException as error:
            self.events.put(Done(ticket, (None, error)))

    def submit(self, ticket: int, chunk: Sequence[Any]) -> None:
        """Queue an item."""
        self._pool.submit((ticket, chunk[0]))

    def results(self, done: Done) -> Sequence[Any]:
        """Return the one result, or raise the exception."""
        result, error = done.results
        if error is not None:
            raise error
        return [result]

    def stop(self) -> None:
        """Cancel all searches."""
        self._pool.stop()

    def close(self) -> None:
        """Let the threads end."""
        self._pool.close()


class _Kept(local):
    """The Solver of each thread of a worker process, kept between chunks."""

    def __init__(self) -> None:
        self.shares: Shares | None = None
        self.solver: Solver | None = None

    def get(self, shares: Shares) -> Solver:
        """Return a Solver with these tables."""
        if self.solver is None or self.shares != shares:
            self.shares, self.solver = shares, Solver(1, shares.memory, shares.table_memory)
        return self.solver


_kept = _Kept()


def work(job: Job[Item, Result], shares: Shares, chunk: Sequence[Item]) -> list[Result]:
    """Return the results of a chunk; called in worker processes."""
    solver = _kept.get(shares)
    return [job(solver, item) for item in chunk]
