"""Processes of this machine, by joblib's loky: a process that dies is replaced, and its chunks are done again."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future
from functools import partial
from queue import SimpleQueue
from typing import Any

from mizerka_solver.batches.backends import CHUNK, Job, Shares, work
from mizerka_solver.batches.streaming import Done, Event
from mizerka_solver.support.errors import MizerkaError

MAX_LOST = 3  # times a chunk may lose its process: the chunk itself may be what kills it


def ignore_interrupts() -> None:
    """Leave Ctrl-C, which a terminal sends to all processes, to the one that started us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Processes:
    """Worker processes of loky; see `Workers`."""

    chunk_size = CHUNK

    def __init__(self, job: Job[Any, Any], n_workers: int, shares: Shares) -> None:
        self.n_workers = n_workers
        self.events: SimpleQueue[Event] = SimpleQueue()
        self._work: Callable[[Sequence[Any]], list[Any]] = partial(work, job, shares)
        self._chunks: dict[int, Sequence[Any]] = {}  # those on the way
        self._lost: dict[int, int] = {}
        self._executor = self._started()

    def _started(self) -> Any:
        from joblib.externals.loky import ProcessPoolExecutor

        return ProcessPoolExecutor(self.n_workers, initializer=ignore_interrupts)

    def submit(self, ticket: int, chunk: Sequence[Any]) -> None:
        """Send a chunk to the processes."""
        self._chunks[ticket] = chunk
        try:
            future = self._executor.submit(self._work, chunk)
        except BrokenExecutor:  # a process died, and the executor with it; what it was at comes back as lost
            self._executor = self._started()
            future = self._executor.submit(self._work, chunk)
        future.add_done_callback(partial(self._report, ticket))

    def _report(self, ticket: int, future: Future[list[Any]]) -> None:
        self.events.put(Done(ticket, future))

    def results(self, done: Done) -> Sequence[Any] | None:
        """Return the results; send the chunk again if its process died."""
        try:
            found: list[Any] = done.results.result()
        except BrokenExecutor:
            self._lost[done.ticket] = self._lost.get(done.ticket, 0) + 1
            if self._lost[done.ticket] > MAX_LOST:
                raise MizerkaError(f"a worker process ended {MAX_LOST + 1} times at the same records") from None
            self.submit(done.ticket, self._chunks[done.ticket])
            return None
        del self._chunks[done.ticket]
        self._lost.pop(done.ticket, None)
        return found

    def stop(self) -> None:
        """Kill the processes."""
        self._executor.shutdown(wait=False, kill_workers=True)

    def close(self) -> None:
        """Let the processes end."""
        self._executor.shutdown(wait=True)
