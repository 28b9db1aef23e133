"""Jobs shared out among workers that one thread each may use, such as engines; any ending but the last stops them all.

Knows nothing of cards or searches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol, TypeVar


class Worker(Protocol):
    """What a job works with; `cancel`, from any thread, ends the job within milliseconds by an exception."""

    def cancel(self) -> None:
        """Stop the running job; no effect when there is none."""


Result = TypeVar("Result")
AnyWorker = TypeVar("AnyWorker", bound=Worker)
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
    if len(workers) == 1 or len(jobs) == 1:
        results = []
        for function, args in jobs:
            check()
            results.append(function(workers[0], *args))
            if progress:
                progress(len(results))
        return results
    return _run_threads(jobs, workers, check, progress)


def _run_threads(
    jobs: Sequence[Job[Result]],
    workers: Sequence[AnyWorker],
    check: Callable[[], None],
    progress: Callable[[int], object] | None,
) -> list[Result]:
    free = list(workers)
    results: dict[int, Result] = {}
    pending: dict[Future[Result], tuple[int, AnyWorker]] = {}
    todo = iter(enumerate(jobs))
    with ThreadPoolExecutor(len(workers)) as pool:
        try:
            while len(results) < len(jobs):
                while free and (entry := next(todo, None)):
                    i, (function, args) = entry
                    worker = free.pop()
                    pending[pool.submit(function, worker, *args)] = (i, worker)
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    i, worker = pending.pop(future)
                    results[i] = future.result()
                    free.append(worker)
                check()
                if progress:
                    progress(len(results))
        except BaseException:
            # Nobody waits for the rest; what has not begun yet sees no worker and must not start.
            for future in pending:
                future.cancel()
            while any(not future.done() for future in pending):
                for worker in workers:
                    worker.cancel()
                wait(pending, timeout=0.02)
            raise
    return [results[i] for i in range(len(jobs))]
