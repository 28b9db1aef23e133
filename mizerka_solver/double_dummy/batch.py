"""Many questions over several solvers: answers in the order they were asked, each as soon as it is there.

One deal is spread over all threads by its Solver; of many deals each is solved by one thread. What is asked of a deal
or position is a `SolveQuery`, what comes back an `Answer`. Reads no files and prints nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import chain, islice
from queue import SimpleQueue
from typing import Any, TypeVar

from mizerka_solver.double_dummy.equilibria import TABLE_SHARE
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.double_dummy.values import Solution
from mizerka_solver.game.cards import Card
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import Contract, Seat, Triple
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.limits import MIN_MEMORY, parse_memory

READ_AHEAD = 4  # items taken per thread beyond the one whose answer is due, so that a slow deal stops nobody

Item = TypeVar("Item")
Result = TypeVar("Result")
Lines = Mapping[Seat, tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class Answer:
    """A Solution and what was asked beside it: for each contract, the lines of play by seat, and, where `payoff` is an
    equilibrium of the contract, play that ends in it."""

    solution: Solution
    lines: Mapping[Contract, Lines] = field(default_factory=dict)
    payoff: Triple | None = None
    payoff_lines: Mapping[Contract, tuple[Card, ...]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object of `mizerka solve`: the fields of the Solution, and the lines where asked."""
        data = self.solution.as_dict()
        for contract, lines in self.lines.items():
            data["contracts"][contract.name]["lines"] = {
                seat.name: [str(card) for card in cards] for seat, cards in lines.items()
            }
        for contract, played in self.payoff_lines.items():
            data["contracts"][contract.name]["payoff_line"] = [str(card) for card in played]
        return data


@dataclass(frozen=True, slots=True)
class SolveQuery:
    """What is asked of every deal or position; arguments as in `Solver.solve`.

    contracts, leader: for deals only, a position has its own. lines: the seats whose line of play is wanted; a value
    that a limit left inexact has none. equilibria: also all equilibria and expected tricks, which take no node_limit.
    payoff: with equilibria, tricks of one of them for which a line of play is wanted.

    >>> deal = Deal("F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-")
    >>> answer = SolveQuery((Contract.N,), lines=(Seat.F,)).ask(Solver(memory="1M"), deal)
    >>> answer.solution["N"].guaranteed, answer.lines[Contract.N][Seat.F][0]
    ((2, 0, 0), Card('SK'))
    """

    contracts: Sequence[Contract] | None = None
    leader: Seat = Seat.F
    cards: bool = False
    lines: Sequence[Seat] = ()
    node_limit: int | None = None
    seconds: float | None = None
    equilibria: bool = False
    payoff: Triple | None = None

    def ask(self, solver: Solver, subject: Deal | Position) -> Answer:
        """Return the answer for one deal or position; raises what `Solver.solve` raises, and MizerkaError where
        `payoff` is no equilibrium in any contract."""
        solution = solver.solve(
            subject,
            self.contracts,
            self.leader,
            cards=self.cards,
            equilibria=self.equilibria,
            node_limit=self.node_limit,
            seconds=self.seconds,
        )
        lines = {}
        for contract, value in solution.values.items() if self.lines else ():
            position = subject if isinstance(subject, Position) else subject.position(contract, self.leader)
            lines[contract] = {seat: solver.line(position, seat) for seat in self.lines if value.exact}
        return Answer(solution, lines, self.payoff, self._payoff_lines(solver, solution))

    def _payoff_lines(self, solver: Solver, solution: Solution) -> dict[Contract, tuple[Card, ...]]:
        if self.payoff is None or solution.equilibria is None:
            return {}
        lines = {}
        for contract, found in solution.equilibria.items():
            if self.payoff in found.vectors:
                # Of one contract the solver still has the table; of several they are made again.
                table = solver.equilibrium_table(found.position, seconds=self.seconds)
                lines[contract] = table.line(found.position, self.payoff)
        if not lines:
            raise MizerkaError("not the tricks of an equilibrium here", token="-".join(map(str, self.payoff)))
        return lines


def run_in_order(
    function: Callable[[Solver, Item], Result],
    items: Iterable[Item],
    *,
    threads: int = 1,
    memory: int | str = "256M",
    table_memory: int | str | None = None,
) -> Generator[Result, None, None]:
    """Return an iterator of function(solver, item) for each item, in their order, computed on `threads` threads.

    With one thread an item is read when its turn comes; with more, a few items are read ahead. Closing the iterator,
    or an exception in it such as KeyboardInterrupt, stops all searches within milliseconds. memory, table_memory (512M
    a thread if not given): as for a Solver, for all solvers together. Raises MizerkaError for bad arguments.

    >>> deals = [Deal.random(seed) for seed in (1, 2, 3)]
    >>> [str(deal) for deal in run_in_order(lambda solver, deal: deal, deals, threads=2)] == list(map(str, deals))
    True
    """
    n_bytes = parse_memory(memory)
    if not 1 <= threads <= 1024:
        raise MizerkaError("threads is a number from 1 to 1024", token=str(threads))
    table_bytes = TABLE_SHARE * threads if table_memory is None else parse_memory(table_memory)
    return _run(function, iter(items), threads, n_bytes, table_bytes)


def _run(
    function: Callable[[Solver, Item], Result], items: Iterator[Item], threads: int, memory: int, table_memory: int
) -> Generator[Result, None, None]:
    first = list(islice(items, 1 if threads == 1 else 2))
    many = len(first) > 1
    if many:
        shares = max(memory // threads, MIN_MEMORY), max(table_memory // threads, MIN_MEMORY)
        solvers = [Solver(1, *shares) for _ in range(threads)]
    else:
        solvers = [Solver(threads, memory, table_memory)]
    ahead = READ_AHEAD * threads if many else 0
    idle: SimpleQueue[Solver] = SimpleQueue()
    for solver in solvers:
        idle.put(solver)

    def job(item: Item) -> Result:
        solver = idle.get()  # never waits: there are as many solvers as threads
        try:
            return function(solver, item)
        finally:
            idle.put(solver)

    pending: deque[Future[Result]] = deque()
    # One solver works on a thread of its own too: this one stays free to be interrupted.
    with ThreadPoolExecutor(len(solvers)) as pool:
        try:
            for item in chain(first, items):
                pending.append(pool.submit(job, item))
                while pending and (pending[0].done() or len(pending) > ahead):
                    yield _next(pending)
            while pending:
                yield _next(pending)
        finally:
            _stop(pending, solvers)


def _next(pending: deque[Future[Result]]) -> Result:
    """Wait for the first future and take it off only then, so that an interrupted wait leaves it to be stopped."""
    result = pending[0].result()
    pending.popleft()
    return result


def _stop(pending: Iterable[Future[Any]], solvers: Iterable[Solver]) -> None:
    """Make running searches end. Again and again: a search that is only just starting may miss a cancellation."""
    running = [future for future in pending if not future.cancel()]
    while any(not future.done() for future in running):
        for solver in solvers:
            solver.cancel()
        wait(running, timeout=0.02)
