"""Items worked on by a thread a worker, results in order; an interrupt at any moment ends it and leaves nothing locked.

Ctrl-C raises KeyboardInterrupt in the main thread between any two steps of Python code. If that is inside a
`threading.Condition`, of which the standard library's futures, events and queues are made, its lock may stay taken, and
the thread that is to set the result waits for ever. So the calling thread waits in `SimpleQueue.get` only, which is one
step.

Knows nothing of cards or searches.
"""

from __future__ import annotations

import time
from _thread import start_new_thread
from collections.abc import Callable, Generator, Iterable, Sequence
from queue import SimpleQueue
from typing import Any, Generic, Protocol, TypeVar, cast

POLL = 0.01  # seconds between looks at whether threads have ended


class Worker(Protocol):
    """What a thread works with; `cancel`, from any thread, ends the item at work in milliseconds by an exception."""

    def cancel(self) -> None:
        """Stop the item at work; no effect when there is none."""


AnyWorker = TypeVar("AnyWorker", bound=Worker)
Item = TypeVar("Item")
Result = TypeVar("Result")


class WorkerPool(Generic[AnyWorker, Item, Result]):
    """Threads, one a worker, that put items through function(worker, item)."""

    def __init__(self, function: Callable[[AnyWorker, Item], Result], workers: Sequence[AnyWorker]) -> None:
        self._function, self._workers = function, workers
        self._todo: SimpleQueue[tuple[int, Item] | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[int, Result | None, BaseException | None]] = SimpleQueue()
        self._ready: dict[int, tuple[Result | None, BaseException | None]] = {}
        self._stopping = False
        self._begun: list[int] = []  # one entry a thread that has begun, and one in `_ended` when it has ended
        self._ended: list[int] = []
        self.n_submitted = self.n_taken = 0
        for number, worker in enumerate(workers):
            start_new_thread(self._work, (number, worker))  # Thread.start waits in a condition

    def _work(self, number: int, worker: AnyWorker) -> None:
        self._begun.append(number)
        try:
            while (entry := self._todo.get()) is not None and not self._stopping:
                ticket, item = entry
                try:
                    self._done.put((ticket, self._function(worker, item), None))
                except BaseException as error:
                    self._done.put((ticket, None, error))
        finally:
            self._ended.append(number)

    def submit(self, item: Item) -> None:
        """Hand one item more to the threads."""
        self._todo.put((self.n_submitted, item))
        self.n_submitted += 1

    @property
    def n_waiting(self) -> int:
        """Items whose results were not taken yet."""
        return self.n_submitted - self.n_taken

    def is_ready(self) -> bool:
        """Whether the next result, in order of submission, is there."""
        while not self._done.empty():
            self._receive()
        return self.n_taken in self._ready

    def take(self) -> Result:
        """Return the next result, or raise its exception; waits for it."""
        while self.n_taken not in self._ready:
            self._receive()
        result, error = self._ready.pop(self.n_taken)
        self.n_taken += 1
        if error is not None:
            raise error
        return cast(Result, result)

    def _receive(self) -> None:
        ticket, result, error = self._done.get()
        self._ready[ticket] = result, error

    def stop(self) -> None:
        """End all threads: what waits is not begun, what runs is cancelled.

        Again and again, since an item that is only just starting may miss a cancellation.
        """
        self.close()
        while len(self._ended) < len(self._begun):
            for worker in self._workers:
                worker.cancel()
            time.sleep(POLL)

    def close(self) -> None:
        """Let all threads end, each after the item it is at."""
        self._stopping = True
        for _ in self._workers:
            self._todo.put(None)


def in_order(
    function: Callable[[AnyWorker, Item], Result],
    items: Iterable[Item],
    workers: Sequence[AnyWorker],
    ahead: int,
) -> Generator[Result, None, None]:
    """Yield function(worker, item) for each item, in their order, on a thread a worker.

    ahead: items taken beyond the one whose result is due. Closing the iterator, or an exception in it, cancels what
    runs.

    >>> class Adder:
    ...     def cancel(self) -> None: ...
    >>> list(in_order(lambda worker, item: item + 1, [1, 2, 3], [Adder(), Adder()], 2))
    [2, 3, 4]
    """
    pool = WorkerPool(function, workers)
    try:
        for item in items:
            pool.submit(item)
            while pool.n_waiting and (pool.is_ready() or pool.n_waiting > ahead):
                yield pool.take()
        while pool.n_waiting:
            yield pool.take()
    except BaseException:
        pool.stop()
        raise
    pool.close()


Job = tuple[Callable[..., Result], tuple[Any, ...]]


def run_jobs(
    jobs: Sequence[Job[Result]],
    workers: Sequence[AnyWorker],
    check: Callable[[], None],
    progress: Callable[[int], object] | None = None,
) -> list[Result]:
    """Run function(worker, *args) for each job on a thread a worker; return the results in order.

    check: called between jobs; what it raises ends all, as an exception of a job and Ctrl-C do. progress: called from
    this thread with the number of jobs done. One worker, or one job, runs in this thread, where Ctrl-C reaches it.
    """

    def run(worker: AnyWorker, job: Job[Result]) -> Result:
        check()
        function, args = job
        return function(worker, *args)

    alone = len(workers) == 1 or len(jobs) == 1
    answers = (run(workers[0], job) for job in jobs) if alone else in_order(run, jobs, workers, len(jobs))
    results: list[Result] = []
    for result in answers:
        results.append(result)
        check()
        if progress:
            progress(len(results))
    return results
