"""The double-dummy solver: a `Solver` answers questions about deals and positions with all cards open.

It turns a question into null-window searches of the compiled engine, one for each seat that is to be held against the
two others, and their answers into values (values.py). A Solver owns one engine, with its transposition table, for
each of its threads; engines keep what they learn from deal to deal.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from mizerka_solver._core import Engine, SearchStopped, build_name
from mizerka_solver.cards import Card
from mizerka_solver.deal import Deal
from mizerka_solver.errors import MizerkaError
from mizerka_solver.limits import MIN_MEMORY, Limits, parse_memory
from mizerka_solver.position import Position, equivalent_cards
from mizerka_solver.rules import MIZERKA, Contract, Seat, Variant
from mizerka_solver.values import CardValue, Solution, Triple, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MIN_MEMORY", "SearchStopped", "Solver", "build_name", "equivalent_cards", "parse_memory", "shared_solver"]

ALL_CONTRACTS = tuple(Contract)
Result = TypeVar("Result")


def as_contracts(contracts: Contract | str | Iterable[Contract | str] | None) -> tuple[Contract, ...]:
    """Return contracts given one by one, as letters ("SN"), or None for all six; raises InvalidContractError."""
    if contracts is None:
        return ALL_CONTRACTS
    if isinstance(contracts, Contract):
        return (contracts,)
    return tuple(c if isinstance(c, Contract) else Contract.parse(c) for c in contracts)


class Solver:
    """Solves deals and positions with all cards open, exactly.

    threads: 1 or more; searches of one call are spread over them. memory: bytes or text ("256M") for all transposition
    tables together; when full they forget what is old, and answers stay exact. Raises MizerkaError for bad arguments.

    A Solver may be used from several threads, which then take turns; use several Solvers to search at once.

    >>> from mizerka_solver import Deal, Solver
    >>> solver = Solver(memory="16M")
    >>> deal = Deal("F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-")
    >>> solver.solve(deal, "N")["N"].guaranteed
    (2, 0, 0)
    """

    def __init__(self, threads: int = 1, memory: int | str = "256M") -> None:
        if not 1 <= threads <= 1024:
            raise MizerkaError("threads is a number from 1 to 1024", token=str(threads))
        per_engine = max(parse_memory(memory) // threads, MIN_MEMORY)
        self._engines = [Engine(per_engine) for _ in range(threads)]
        self._lock = Lock()
        self._cancelled = False

    def __repr__(self) -> str:
        return f"Solver(threads={self.threads}, memory={sum(engine.memory for engine in self._engines)})"

    @property
    def threads(self) -> int:
        """Number of searches run at once."""
        return len(self._engines)

    @property
    def stats(self) -> dict[str, int]:
        """Counters of all searches so far, added over the engines."""
        total: dict[str, int] = {}
        for engine in self._engines:
            for name, count in engine.stats.items():
                total[name] = total.get(name, 0) + count
        return total

    def clear(self) -> None:
        """Empty the transposition tables, so that the next search starts afresh."""
        with self._lock:
            for engine in self._engines:
                engine.clear()

    def cancel(self) -> None:
        """Stop the running call, from any thread; it raises SearchStopped within milliseconds."""
        self._cancelled = True
        for engine in self._engines:
            engine.cancel()

    # Questions

    def solve(
        self,
        subject: Deal | Position,
        contracts: Contract | str | Iterable[Contract | str] | None = None,
        leader: Seat = Seat.F,
        *,
        cards: bool = False,
        node_limit: int | None = None,
        seconds: float | None = None,
        variant: Variant = MIZERKA,
    ) -> Solution:
        """Return the values of a deal (in all six contracts, or those given) or of a position (in its own).

        leader: who leads to the first trick of a deal. cards: also the worth of every legal card.
        node_limit: cards played per seat and contract; seconds: for the whole call; where one is hit, the value is
        not `exact` and carries proven bounds. Raises SearchStopped when cancelled.
        """
        limits = Limits.of(node_limit, seconds)
        if isinstance(subject, Position):
            positions = [subject]
            leader = subject.leader
        else:
            positions = [subject.position(contract, leader) for contract in as_contracts(contracts)]
        values = self._values(positions, limits, variant)
        worth = None
        if cards:
            worth = {
                position.contract: self._cards(position, value, limits, variant)
                for position, value in zip(positions, values, strict=True)
            }
        return Solution(subject, leader, {value.contract: value for value in values}, worth)

    def value(
        self,
        position: Position | Deal,
        contract: Contract | str | None = None,
        *,
        node_limit: int | None = None,
        seconds: float | None = None,
        variant: Variant = MIZERKA,
    ) -> Value:
        """Return the value of a position, or of a deal (F leads) in `contract`; limits as in `solve`."""
        limits = Limits.of(node_limit, seconds)
        if isinstance(position, Deal) or contract is not None:
            if contract is None:
                raise MizerkaError("the value of a deal needs a contract")
            (wanted,) = as_contracts((contract,))
            if isinstance(position, Deal):
                position = position.position(wanted)
            elif wanted is not position.contract:
                trick, won = position.trick, position.tricks_won
                position = Position.from_hands(position.hands, wanted, position.leader, trick, won)
        return self._values([position], limits, variant)[0]

    def cards(
        self,
        position: Position,
        *,
        node_limit: int | None = None,
        seconds: float | None = None,
        variant: Variant = MIZERKA,
    ) -> tuple[CardValue, ...]:
        """Return the worth of every legal card of the seat to move, in the order of `legal_cards`."""
        limits = Limits.of(node_limit, seconds)
        (value,) = self._values([position], limits, variant)
        return self._cards(position, value, limits, variant)

    def guaranteed(self, position: Position, seat: Seat, guess: int | None = None) -> int:
        """Return one seat's guaranteed tricks (mizerka: the most that can be forced on it): a third of `value`'s work.

        guess: a likely answer; a good one saves time, a bad one costs some.
        """
        with self._lock:
            self._start()
            return self._lone(position, seat, Limits(), guess)

    def line(
        self,
        position: Position,
        seat: Seat | None = None,
        *,
        node_limit: int | None = None,
        seconds: float | None = None,
    ) -> tuple[Card, ...]:
        """Return a principal variation: best play to the end of the deal by `seat` alone against the two others.

        seat: the lone player, the seat to move if not given. Among equally good cards the lowest is played.
        Raises SearchStopped when a limit (as in `solve`) is hit, as half a proof makes no line.
        """
        seat = position.to_move if seat is None else seat
        limits = Limits.of(node_limit, seconds)
        line: list[Card] = []
        with self._lock:
            self._start()
            value = self._lone(position, seat, limits)
            while not position.is_over:
                for group in sorted(equivalent_cards(position), key=lambda group: (group[-1].rank, group[-1].suit)):
                    after = position.play_unchecked(group[-1])
                    if self._lone(after, seat, limits, value) == value:
                        break
                line.append(group[-1])
                position = after
        return tuple(line)

    def solve_many(
        self,
        deals: Sequence[Deal],
        contracts: Contract | str | Iterable[Contract | str] | None = None,
        leader: Seat = Seat.F,
        *,
        progress: Callable[[int], object] | None = None,
    ) -> NDArray[np.int8]:
        """Return guaranteed tricks, shape (n_deals, n_contracts, 3), int8; seats in order F, M, R.

        progress: called with the number of deals finished, from this thread.
        """
        import numpy as np

        wanted = as_contracts(contracts)
        tricks = np.zeros((len(deals), len(wanted), 3), dtype=np.int8)

        def job(engine: Engine, i: int) -> None:
            for j, contract in enumerate(wanted):
                tricks[i, j] = _value(engine, deals[i].position(contract, leader), Limits(), MIZERKA).guaranteed

        self._run([(job, (i,)) for i in range(len(deals))], progress)
        return tricks

    # How they are answered

    def _values(self, positions: Sequence[Position], limits: Limits, variant: Variant) -> list[Value]:
        return self._run([(_value, (position, limits, variant)) for position in positions])

    def _cards(self, position: Position, before: Value, limits: Limits, variant: Variant) -> tuple[CardValue, ...]:
        seat = position.to_move
        groups = equivalent_cards(position)
        afters = self._values([position.play_unchecked(group[0]) for group in groups], limits, variant)
        worth: list[CardValue] = []
        for group, after in zip(groups, afters, strict=True):
            f, m, r = (after.points[i] - before.points[i] for i in range(3))
            par_cost = round(before.par[seat] - after.par[seat], 3)
            cost = before.points[seat] - after.points[seat]
            exact = before.exact and after.exact
            worth += [CardValue(card, after, cost, par_cost + 0.0, (f, m, r), exact) for card in group]
        return tuple(worth)

    def _lone(self, position: Position, seat: Seat, limits: Limits, guess: int | None = None) -> int:
        """Tricks of `seat` against the others, those won included."""
        won = position.tricks_won[seat]
        if position.is_over:
            return won
        left = position.tricks_left
        guess = None if guess is None else min(max(guess - won, 0), left)
        question = _question(position)
        lower, upper, _ = self._engines[0].solve(*question, seat, 0, left, guess, limits.nodes, limits.seconds_left)
        if lower < upper:
            raise SearchStopped("time" if limits.deadline and time.monotonic() > limits.deadline else "nodes")
        return won + lower

    def _start(self) -> None:
        self._cancelled = False

    def _run(
        self,
        jobs: Sequence[tuple[Callable[..., Result], tuple[Any, ...]]],
        progress: Callable[[int], object] | None = None,
    ) -> list[Result]:
        """Run function(engine, *args) for each job, on all engines; results in order. Ctrl-C and cancel stop all."""
        with self._lock:
            self._start()
            if self.threads == 1 or len(jobs) == 1:
                results = []
                for function, args in jobs:
                    self._check_cancelled()
                    results.append(function(self._engines[0], *args))
                    if progress:
                        progress(len(results))
                return results
            return self._run_threads(jobs, progress)

    def _run_threads(
        self, jobs: Sequence[tuple[Callable[..., Result], tuple[Any, ...]]], progress: Callable[[int], object] | None
    ) -> list[Result]:
        free = list(self._engines)
        results: dict[int, Result] = {}
        pending: dict[Future[Result], tuple[int, Engine]] = {}
        todo = iter(enumerate(jobs))
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                while len(results) < len(jobs):
                    while free and (entry := next(todo, None)):
                        i, (function, args) = entry
                        engine = free.pop()
                        pending[pool.submit(function, engine, *args)] = (i, engine)
                    done, _ = wait(pending, return_when=FIRST_COMPLETED)
                    for future in done:
                        i, engine = pending.pop(future)
                        results[i] = future.result()
                        free.append(engine)
                    self._check_cancelled()
                    if progress:
                        progress(len(results))
            except BaseException:
                # Nobody waits for the rest; what has not begun yet sees no engine and must not start.
                for future in pending:
                    future.cancel()
                while any(not future.done() for future in pending):
                    for engine in self._engines:
                        engine.cancel()
                    wait(pending, timeout=0.02)
                raise
        return [results[i] for i in range(len(jobs))]

    def _check_cancelled(self) -> None:
        if self._cancelled:
            raise SearchStopped("cancelled")


def _question(position: Position) -> tuple[Triple, tuple[int, ...], int, int]:
    """The engine's arguments: masks, bits of the trick, leader, contract."""
    trick = tuple(card.bit for card in position.trick)
    return position.masks, trick, int(position.leader), int(position.contract)


def _value(engine: Engine, position: Position, limits: Limits, variant: Variant) -> Value:
    """Three searches. The bounds of the first two help the third: guarantees of a constant sum cannot exceed it."""
    left, won = position.tricks_left, position.tricks_won
    lower, upper = [0, 0, 0], [left, left, left]
    nodes = 0
    if left:
        question = _question(position)
        mizerka = position.contract.is_mizerka
        for seat in range(3):
            others = [i for i in range(3) if i != seat]
            low, high = 0, left
            if mizerka:
                low = max(0, left - sum(upper[i] for i in others))
            else:
                high = left - sum(lower[i] for i in others)
            lower[seat], upper[seat], searched = engine.solve(
                *question, seat, low, high, None, limits.nodes, limits.seconds_left
            )
            nodes += searched
    f, m, r = (won[i] + lower[i] for i in range(3))
    F, M, R = (won[i] + upper[i] for i in range(3))
    return Value(position.contract, (f, m, r), (F, M, R), position.hand_size, nodes, variant)


@lru_cache(maxsize=1)
def shared_solver() -> Solver:
    """Return the Solver that the module-level helpers share."""
    return Solver()


def solve(subject: Deal | Position, contracts: Contract | str | Iterable[Contract | str] | None = None) -> Solution:
    """`Solver.solve` on a shared Solver."""
    return shared_solver().solve(subject, contracts)


def value(position: Position | Deal, contract: Contract | str | None = None) -> Value:
    """`Solver.value` on a shared Solver."""
    return shared_solver().value(position, contract)


def cards(position: Position) -> tuple[CardValue, ...]:
    """`Solver.cards` on a shared Solver."""
    return shared_solver().cards(position)


def solve_many(deals: Sequence[Deal], contracts: str | Iterable[Contract | str] | None = None) -> NDArray[np.int8]:
    """`Solver.solve_many` on a shared Solver."""
    return shared_solver().solve_many(deals, contracts)
