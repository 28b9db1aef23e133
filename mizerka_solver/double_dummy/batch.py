"""Many questions over several solvers: answers in the order they were asked, each as soon as it is there.

One deal is spread over all threads by its Solver; of many deals each is solved by one thread. What is asked of a deal
or position is a `SolveQuery`, what comes back an `Answer`. Reads no files and prints nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain, islice
from typing import TypeVar

from mizerka_solver.double_dummy.equilibria import TABLE_SHARE
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.support.limits import MIN_MEMORY, parse_memory, parse_threads
from mizerka_solver.support.pool import in_order

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
    # One solver works on a thread of its own too: this one stays free to be interrupted.
    yield from in_order(function, chain(first, items), solvers, READ_AHEAD * threads if many else 0)
