"""The double-dummy solver: a `Solver` answers questions about deals and positions with all cards open.

What seats are guaranteed comes from searches of the compiled engine (guarantees.py). A Solver owns one engine, with its
transposition table, for each of its threads; engines keep what they learn from deal to deal. What only an exhaustive
search can tell comes from equilibria.py, which a Solver asks and whose last table it keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from mizerka_solver.core import Engine, SearchStopped, build_name
from mizerka_solver.double_dummy.equilibria import TABLE_MEMORY, EquilibriumTable, TableMaker
from mizerka_solver.double_dummy.exchange_query import ExchangeQuery
from mizerka_solver.double_dummy.exchange_search import Progress, find_exchange
from mizerka_solver.double_dummy.exchange_values import ExchangeSolution
from mizerka_solver.double_dummy.guarantees import guaranteed_tricks, guaranteed_value
from mizerka_solver.double_dummy.values import CardEquilibria, CardValue, Equilibria, Solution, Value
from mizerka_solver.game.cards import Card
from mizerka_solver.game.convert import as_contract, as_contracts
from mizerka_solver.game.deal import Deal, in_contract
from mizerka_solver.game.position import Position, equivalent_cards
from mizerka_solver.game.rules import MIZERKA, Contract, Seat, Variant
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.jobs import Job, Worker, run_jobs
from mizerka_solver.support.limits import MIN_MEMORY, Limits, parse_memory

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SearchStopped", "Solver", "build_name", "equivalent_cards", "parse_memory", "shared_solver"]

Result = TypeVar("Result")


class Solver:
    """Solves deals and positions with all cards open, exactly.

    threads: 1 or more; searches of one call are spread over them. memory: bytes or text ("256M") for all transposition
    tables together; when full they forget what is old, and answers stay exact. table_memory: the limit for what
    `equilibria` keeps, which can't forget; taken as needed. Raises MizerkaError for bad arguments.

    A Solver may be used from several threads, which then take turns; use several Solvers to search at once.

    >>> from mizerka_solver import Deal, Solver
    >>> solver = Solver(memory="16M")
    >>> deal = Deal("F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-")
    >>> solver.solve(deal, "N")["N"].guaranteed
    (2, 0, 0)
    """

    def __init__(self, threads: int = 1, memory: int | str = "256M", table_memory: int | str = TABLE_MEMORY) -> None:
        if not 1 <= threads <= 1024:
            raise MizerkaError("threads is a number from 1 to 1024", token=str(threads))
        per_engine = max(parse_memory(memory) // threads, MIN_MEMORY)
        self._engines = [Engine(per_engine) for _ in range(threads)]
        self._makers = [TableMaker() for _ in range(threads)]
        self._table_memory = parse_memory(table_memory)
        self._table: EquilibriumTable | None = None
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
        """Empty all tables, so that the next search starts afresh."""
        with self._lock:
            self._table = None
            for engine in self._engines:
                engine.clear()

    def cancel(self) -> None:
        """Stop the running call, from any thread; it raises SearchStopped within milliseconds."""
        self._cancelled = True
        workers: list[Worker] = [*self._engines, *self._makers]
        for worker in workers:
            worker.cancel()

    @property
    def equilibrium_states(self) -> int:
        """States found so far by the running searches for equilibria; may be read from any thread."""
        return sum(maker.progress for maker in self._makers)

    # Questions

    def solve(
        self,
        subject: Deal | Position,
        contracts: Contract | str | Iterable[Contract | str] | None = None,
        leader: Seat = Seat.F,
        *,
        cards: bool = False,
        equilibria: bool = False,
        node_limit: int | None = None,
        seconds: float | None = None,
        variant: Variant = MIZERKA,
    ) -> Solution:
        """Return the values of a deal (in all six contracts, or those given) or of a position (in its own).

        leader: who leads to the first trick of a deal. cards: also the worth of every legal card. equilibria: also all
        equilibria and the expected tricks, by an exhaustive search that takes a second or two a contract.
        node_limit: cards played per seat and contract; seconds: for the whole call; where one is hit, the value is
        not `exact` and carries proven bounds, but equilibria have no bounds: they take no node_limit, and end in
        SearchStopped. Raises SearchStopped when cancelled, and what `equilibria` raises.
        """
        limits = Limits.of(node_limit, seconds)
        if isinstance(subject, Position):
            positions = [subject]
            leader = subject.leader
        else:
            positions = [subject.position(contract, leader) for contract in as_contracts(contracts)]
        if equilibria:
            return self._solve_equilibria(subject, leader, positions, cards, limits, variant)
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
        position = in_contract(position, contract)
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

    def equilibria(
        self,
        position: Position | Deal,
        contract: Contract | str | None = None,
        *,
        seconds: float | None = None,
        memory: int | str | None = None,
        variant: Variant = MIZERKA,
    ) -> Equilibria:
        """Return all equilibria and the expected tricks of a position, or of a deal (F leads) in `contract`.

        The table of the last deal and contract is kept: its positions are answered without another search, so ask for
        the start of a deal first. memory: limit for the table if not the Solver's `table_memory`. Raises
        MemoryLimitError when it is too small, SearchStopped when cancelled or after `seconds`.
        """
        position = in_contract(position, contract)
        return self.equilibrium_table(position, seconds=seconds, memory=memory).at(position, variant)

    def equilibrium_table(
        self, position: Position, *, seconds: float | None = None, memory: int | str | None = None
    ) -> EquilibriumTable:
        """Return the table that answers for a position, its cards and lines: the last one, or one made for it.

        A table that somebody holds keeps its memory. Arguments and errors as in `equilibria`.
        """
        wanted = (position, memory or self._table_memory, Limits.of(None, seconds))
        return self._run([(self._kept_table, wanted)], workers=self._makers)[0]

    def guaranteed(self, position: Position, seat: Seat, guess: int | None = None) -> int:
        """Return one seat's guaranteed tricks (mizerka: the most that can be forced on it): a third of `value`'s work.

        guess: a likely answer; a good one saves time, a bad one costs some.
        """
        with self._lock:
            self._start()
            return guaranteed_tricks(self._engines[0], position, seat, Limits(), guess)

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
            value = guaranteed_tricks(self._engines[0], position, seat, limits)
            while not position.is_over:
                for group in sorted(equivalent_cards(position), key=lambda group: (group[-1].rank, group[-1].suit)):
                    after = position.play_unchecked(group[-1])
                    if guaranteed_tricks(self._engines[0], after, seat, limits, value) == value:
                        break
                line.append(group[-1])
                position = after
        return tuple(line)

    def exchange(
        self,
        deal: Deal,
        contract: Contract | str,
        seat: Seat = Seat.F,
        others: str = "stand",
        exchanges: Mapping[Seat, Sequence[Card]] | None = None,
        *,
        made: Sequence[Card] | None = None,
        top: int = 16,
        ties: bool = True,
        node_limit: int | None = None,
        seconds: float | None = None,
        progress: Progress | None = None,
        variant: Variant = MIZERKA,
    ) -> ExchangeSolution:
        """Return the best exchanges of `seat` with all cards open, after the `exchanges` of earlier seats.

        others: "stand", the later seats stand pat; "reply", they exchange too, in turn, jointly against the seat. made:
        a discard to value beside the best. top: of how many of the best, those of the fewest cards, par is found.
        node_limit, seconds: for the whole call; what is found by then is proven, and `exact` and `complete` say whether
        it is all. progress: called about ten times a second with discards done, discards of this step, and proven
        bounds in tricks. One thread is used. Raises MizerkaError, IllegalExchangeError; SearchStopped when cancelled.
        """
        wanted = as_contract(contract)
        limits = Limits.of(node_limit, seconds)
        question = ExchangeQuery.of(deal, wanted, seat, others, exchanges or {}, made, top, ties, variant)

        def job(engine: Engine) -> ExchangeSolution:
            def value(after: Deal, limits: Limits) -> Value:
                self._check_cancelled()
                return guaranteed_value(engine, after.position(wanted), limits, variant)

            return find_exchange(question, engine, value, limits, self._check_cancelled, progress)

        return self._run([(job, ())])[0]

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
                tricks[i, j] = guaranteed_value(
                    engine, deals[i].position(contract, leader), Limits(), MIZERKA
                ).guaranteed

        self._run([(job, (i,)) for i in range(len(deals))], progress)
        return tricks

    # How they are answered

    def _values(self, positions: Sequence[Position], limits: Limits, variant: Variant) -> list[Value]:
        return self._run([(guaranteed_value, (position, limits, variant)) for position in positions])

    def _solve_equilibria(
        self,
        subject: Deal | Position,
        leader: Seat,
        positions: Sequence[Position],
        cards: bool,
        limits: Limits,
        variant: Variant,
    ) -> Solution:
        """`solve` with equilibria: one table a contract, which knows what is guaranteed as well."""
        if limits.nodes:
            raise MizerkaError("equilibria have no bounds to show where a search ends early", field="node_limit")
        share = max(self._table_memory // min(self.threads, len(positions)), MIN_MEMORY)

        def job(maker: TableMaker, position: Position) -> tuple[Equilibria, tuple[CardEquilibria, ...]]:
            if len(positions) == 1:
                table = self._kept_table(maker, position, share, limits)
            else:
                self._table = None
                table = maker.make(position, share, limits.seconds_left)
            return table.at(position, variant), table.cards(position, variant) if cards else ()

        answers = self._run([(job, (position,)) for position in positions], workers=self._makers)
        found = {answer.position.contract: answer for answer, _ in answers}
        values = {contract: answer.value for contract, answer in found.items()}
        if not cards:
            return Solution(subject, leader, values, None, found)
        worth = {answer.position.contract: worth for answer, worth in answers}
        old = {contract: tuple(card.value for card in cards) for contract, cards in worth.items()}
        return Solution(subject, leader, values, old, found, worth)

    def _kept_table(self, maker: TableMaker, position: Position, memory: int | str, limits: Limits) -> EquilibriumTable:
        if self._table is None or not self._table.covers(position):
            self._table = None  # its memory is free before the next one is filled
            self._table = maker.make(position, memory, limits.seconds_left)
        return self._table

    def _cards(self, position: Position, before: Value, limits: Limits, variant: Variant) -> tuple[CardValue, ...]:
        seat = position.to_move
        groups = equivalent_cards(position)
        afters = self._values([position.play_unchecked(group[0]) for group in groups], limits, variant)
        worth: list[CardValue] = []
        for group, after in zip(groups, afters, strict=True):
            worth += [CardValue.between(card, seat, before, after) for card in group]
        return tuple(worth)

    def _start(self) -> None:
        self._cancelled = False

    def _run(
        self,
        jobs: Sequence[Job[Result]],
        progress: Callable[[int], object] | None = None,
        workers: Sequence[Engine] | Sequence[TableMaker] | None = None,
    ) -> list[Result]:
        """Run function(worker, *args) for each job; workers: the engines, if not the makers of tables."""
        with self._lock:
            self._start()
            shared: Sequence[Worker] = workers or self._engines
            return run_jobs(jobs, shared, self._check_cancelled, progress)

    def _check_cancelled(self) -> None:
        if self._cancelled:
            raise SearchStopped("cancelled")


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
