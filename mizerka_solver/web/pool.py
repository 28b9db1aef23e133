"""Solvers shared by all visitors: searches run in threads, wait in one queue, and end when nobody waits for them.

    a request  →  too many of this client?  429      queue full?  503      →  a solver  →  a thread
                  visitor gone, or time over: the search is cancelled, and its solver is free within milliseconds

Long work (equilibria of a whole deal, exchanges with replies) never holds the last solver where there are two or more,
so a click is answered though somebody else's search is long.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from mizerka_solver.double_dummy.solver import SearchStopped, Solver
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position
from mizerka_solver.web.settings import Settings

Result = TypeVar("Result")
AGAIN = 0.02  # seconds after which a search that was just about to start is cancelled once more


class RequestRefused(Exception):
    """Work that is not done: HTTP status, one line for the visitor, and seconds after which to try again."""

    def __init__(self, status: int, reason: str, retry_after: int | None = None) -> None:
        super().__init__(reason)
        self.status, self.reason, self.retry_after = status, reason, retry_after


class Gone(Exception):
    """The visitor left; there is nobody to answer."""


@dataclass(frozen=True)
class Work:
    """What is asked of a solver: run(solver) in a thread.

    about: the deal or position, if any: a solver that has just searched that deal is preferred. is_long: takes seconds.
    cancel: called beside the solver's own, for work that has other searches. progress: how far it is, from any thread.
    """

    run: Callable[[Solver], object]
    about: Deal | Position | None = None
    is_long: bool = False
    cancel: Callable[[], object] = lambda: None
    progress: Callable[[], dict[str, int]] | None = None


@dataclass(eq=False)
class WarmSolver:
    """A solver, and the position it last worked on."""

    solver: Solver
    last: Deal | Position | None = None

    def knows(self, subject: Deal | Position | None) -> bool:
        """Whether each hand holds only cards it had in what the solver worked on last."""
        if subject is None or self.last is None:
            return False
        return all(not mine & ~theirs for mine, theirs in zip(subject.masks, self.last.masks, strict=True))


class SolverPool:
    """The solvers of a process; made when first needed, all used from the event loop they were made in."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._idle: list[WarmSolver] = []
        self._busy: set[WarmSolver] = set()
        self._n_inside = 0
        self._clients: Counter[str] = Counter()
        self._free = asyncio.Semaphore(settings.solvers)
        self._free_for_long = asyncio.Semaphore(max(settings.solvers - 1, 1))
        self._ending = asyncio.Event()
        self._threads = ThreadPoolExecutor(settings.solvers, "solver")

    async def run(self, work: Work, client: str, gone: Callable[[], Awaitable[object]]) -> object:
        """Return the work's result; raises RequestRefused, Gone, and what the work raises.

        gone: returns when nobody waits.
        """
        limits = self._settings
        if self._clients[client] >= limits.per_client:
            raise RequestRefused(429, f"one visitor may ask {limits.per_client} things at once", 1)
        if self._n_inside >= limits.solvers + limits.queue:
            raise RequestRefused(503, "the server is busy, please try again", 2)
        self._n_inside += 1
        self._clients[client] += 1
        left = asyncio.ensure_future(self._nobody_waits(gone()))
        try:
            return await self._in_turn(work, left)
        finally:
            left.cancel()
            self._n_inside -= 1
            self._clients[client] -= 1
            self._clients += Counter()  # drops the zeros

    async def _nobody_waits(self, gone: Awaitable[object]) -> None:
        """Return when the visitor is gone or the server ends."""
        tasks = [asyncio.ensure_future(gone), asyncio.ensure_future(self._ending.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()

    async def _in_turn(self, work: Work, left: asyncio.Future[None]) -> object:
        deadline = asyncio.get_running_loop().time() + self._settings.seconds
        gates = (self._free_for_long, self._free) if work.is_long else (self._free,)
        held: list[asyncio.Semaphore] = []
        try:
            for gate in gates:
                await self._first_of(gate.acquire(), left, deadline)
                held.append(gate)
            return await self._at_desk(work, left, deadline)
        finally:
            for gate in held:
                gate.release()

    async def _at_desk(self, work: Work, left: asyncio.Future[None], deadline: float) -> object:
        desk = self._take(work.about)
        loop = asyncio.get_running_loop()
        job = loop.run_in_executor(self._threads, work.run, desk.solver)
        try:
            return await self._first_of(job, left, deadline)
        except SearchStopped as stopped:
            raise RequestRefused(503, "the time for one answer is over") from stopped
        finally:
            while not job.done():
                desk.solver.cancel()
                work.cancel()
                await asyncio.wait([job], timeout=AGAIN)
            job.cancelled() or job.exception()  # seen, so that nobody reports it
            self._busy.discard(desk)
            self._idle.append(desk)

    async def _first_of(self, wanted: Awaitable[Result], left: asyncio.Future[None], deadline: float) -> Result:
        """Return what is wanted; raises Gone when the visitor leaves first, RequestRefused when the time is over."""
        task: asyncio.Future[Result] = asyncio.ensure_future(wanted)
        seconds = max(deadline - asyncio.get_running_loop().time(), 0)
        # A thread that runs can't be cancelled from here: `_at_desk` does that, and waits for it.
        both: set[asyncio.Future[Any]] = {task, left}
        await asyncio.wait(both, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        if isinstance(task, asyncio.Task):
            task.cancel()
        if self._ending.is_set():
            raise RequestRefused(503, "the server is being stopped")
        if left.done():
            raise Gone
        raise RequestRefused(503, f"no answer within {self._settings.seconds:g} s", 5)

    def _take(self, about: Deal | Position | None) -> WarmSolver:
        for desk in reversed(self._idle):
            if desk.knows(about):
                break
        else:
            if len(self._idle) + len(self._busy) < self._settings.solvers:
                limits = self._settings
                desk = WarmSolver(Solver(memory=limits.search_memory, table_memory=limits.equilibria_memory))
                self._idle.append(desk)
            else:
                desk = self._idle[0]  # idle for longest
            desk.last = about
        self._idle.remove(desk)
        self._busy.add(desk)
        return desk

    def end(self) -> None:
        """Cancel all searches and refuse what waits; called from the event loop."""
        self._ending.set()

    def close(self) -> None:
        """Let the threads end."""
        self.end()
        self._threads.shutdown(wait=False, cancel_futures=True)
