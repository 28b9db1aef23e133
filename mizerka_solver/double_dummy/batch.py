"""Many questions over several solvers: answers in the order they were asked, each as soon as it is there.

One deal is spread over all threads by its Solver; of many deals each is solved by one thread. What is asked of a deal
or position is a `SolveQuery`, what comes back an `Answer`. Reads no files and prints nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import chain, islice
from queue import SimpleQueue
from typing import Any, TypeVar

from mizerka_solver.double_dummy.equilibria import TABLE_SHARE
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.support.limits import MIN_MEMORY, parse_memory, parse_threads

READ_AHEAD = 4  # items taken per thread beyond the one whose answer is due, so that a slow deal stops nobody

Item = TypeVar("Item")
Result = TypeVar("Result")


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
    or an exception in it such as KeyboardInterrupt, stops all searches within milliseconds. memory, table_memory (1G
    a thread if not given): as for a Solver, for all solvers together. Raises MizerkaError for bad arguments.

    >>> from mizerka_solver import Deal
    >>> deals = [Deal.random(seed) for seed in (1, 2, 3)]
    >>> [str(deal) for deal in run_in_order(lambda solver, deal: deal, deals, threads=2)] == list(map(str, deals))
    True
    """
    n_bytes = parse_memory(memory)
    threads = parse_threads(threads)
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
