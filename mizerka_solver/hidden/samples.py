"""How to sample: worlds one after the other until they are done, time is up or Ctrl-C.

Sampled worlds (draws.py) are solved with all cards open, and the values averaged: perfect-information Monte Carlo. It
takes the play after the exchange to be with open cards, which nobody at a table has, so values are on the optimistic
side for plans that need to know where a card is (strategy fusion); for choosing before play begins it is what there is.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import TypeVar

from mizerka_solver.double_dummy.batch import run_in_order
from mizerka_solver.double_dummy.solver import SearchStopped, Solver
from mizerka_solver.support.errors import MizerkaError

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to sample: 1 or more worlds, a seed ≥ 0, seconds at most (None: no limit), threads, memory of their tables.

    progress: called with the number of worlds finished, from the calling thread. Neither threads nor memory change
    a result. Raises MizerkaError for numbers out of range.
    """

    samples: int = 200
    seed: int = 0
    threads: int = 1
    memory: int | str = "256M"
    seconds: float | None = None
    progress: Callable[[int], object] | None = None

    def __post_init__(self) -> None:
        for name, least in (("samples", 1), ("seed", 0)):
            if getattr(self, name) < least:
                raise MizerkaError(f"at least {least}", field=name, token=str(getattr(self, name)))
        if self.seconds is not None and not self.seconds > 0:
            raise MizerkaError("more than 0", field="seconds", token=str(self.seconds))


class SampleLoop:
    """Runs jobs in order until Ctrl-C or the time limit; what was finished before, without a gap, counts.

    solver: whose work it is, one job after the other; by default threads of its own do it. When it is cancelled,
    nothing counts: SearchStopped is raised.
    """

    def __init__(self, sampling: Sampling, solver: Solver | None = None) -> None:
        self._sampling = sampling
        self._solver = solver
        self._deadline = time.monotonic() + sampling.seconds if sampling.seconds else math.inf
        self._done = 0
        self.stopped: str | None = None

    def results(self, job: Callable[[Solver, Item], Result], items: Iterable[Item]) -> Iterable[Result]:
        """Yield job(solver, item) in order, the first ones only when stopped."""
        how = self._sampling
        done: list[Result] = []

        def timed(solver: Solver, item: Item) -> Result:
            with solver.ending_by(self._deadline):
                found = job(solver, item)
            if time.monotonic() > self._deadline:  # what came of cut searches may be bounds
                raise SearchStopped("time")
            return found

        try:
            with closing(self._answers(timed, items)) as answers:
                for answer in answers:
                    done.append(answer)
                    if how.progress:
                        how.progress(self._done + len(done))
                    if time.monotonic() > self._deadline:
                        raise SearchStopped("time")
        except SearchStopped as stopped:
            if stopped.reason == "cancelled":
                raise
            self.stopped = "time"
        except KeyboardInterrupt:
            if not self._done and not done:
                raise
            self.stopped = "interrupted"
        self._done += len(done)
        return done

    def _answers(self, job: Callable[[Solver, Item], Result], items: Iterable[Item]) -> Generator[Result, None, None]:
        if self._solver is None:
            return run_in_order(job, items, threads=self._sampling.threads, memory=self._sampling.memory)
        solver = self._solver
        return (job(solver, item) for item in items)
