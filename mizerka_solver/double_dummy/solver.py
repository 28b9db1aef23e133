"""The double-dummy solver: a `Solver` answers questions about deals and positions with all cards open.

Its methods build the question objects of query.py, and `answer` and its sisters answer them. What seats are guaranteed
comes from searches of the compiled engine (guarantees.py), the best exchange from exchange_search.py. A Solver owns one
engine, with its transposition table, for each of its threads; the table is about one deal, with all its contracts,
seats, play and exchanges, and is emptied, at no cost, when another is asked about. What only an exhaustive search can
tell comes from equilibria.py, whose last table a Solver keeps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import islice
from threading import Lock, get_ident
from typing import TYPE_CHECKING, Any

from mizerka_solver.core import Engine, SearchStopped, build_name
from mizerka_solver.double_dummy.answering import Answering, Tools
from mizerka_solver.double_dummy.call import NO_LIMITS, Call
from mizerka_solver.double_dummy.equilibria import TABLE_SHARE, EquilibriumTable, TableMaker
from mizerka_solver.double_dummy.guarantees import guaranteed_line, guaranteed_tricks, guaranteed_value
from mizerka_solver.double_dummy.query import (
    ExchangeQuery,
    Progress,
    SolveQuery,
    SubjectLike,
    as_deal,
    as_position,
    as_subject,
    as_variant,
)
from mizerka_solver.double_dummy.solution import Answer, Solution
from mizerka_solver.double_dummy.values import CardValue, Equilibria, Value
from mizerka_solver.game.cards import Card
from mizerka_solver.game.convert import (
    CardsLike,
    ContractLike,
    ContractsLike,
    SeatLike,
    as_cards,
    as_contract,
    as_contracts,
    as_discards,
    as_seat,
)
from mizerka_solver.game.deal import Deal, in_contract
from mizerka_solver.game.position import Position, equivalent_cards
from mizerka_solver.game.rules import MIZERKA, Seat, Variant
from mizerka_solver.support.arguments import whole_number
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.forks import tell_after_fork
from mizerka_solver.support.limits import MIN_MEMORY, Limits, parse_memory, parse_threads
from mizerka_solver.support.pool import Worker, run_jobs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mizerka_solver.double_dummy.exchange_values import ExchangeLine, ExchangeSolution

__all__ = ["SearchStopped", "Solver", "build_name", "equivalent_cards", "parse_memory"]

PositionLike = Position | str
BLOCK = 4096  # deals that `solve_many` holds at once


class Solver:
    """Solves deals and positions with all cards open, exactly.

    threads: 1 or more; searches of one call are spread over them. memory: bytes or text ("256M") for all transposition
    tables together; when full they forget what is old, and answers stay exact. table_memory: the limit for what
    `equilibria` keeps, which can't forget (None: 1G a thread); taken as needed. Raises MizerkaError, TypeError for bad
    arguments, here and in every method; deals, positions, contracts, seats and cards may be given as text.

    A Solver may be used from several threads, which then take turns; use several Solvers to search at once. In the
    child of a fork that came while another thread was using it, a Solver starts afresh, with empty tables.

    >>> from mizerka_solver import Deal, Solver
    >>> solver = Solver(memory="16M")
    >>> deal = Deal("F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-")
    >>> solver.solve(deal, "N")["N"].guaranteed
    (2, 0, 0)
    """

    def __init__(self, threads: int = 1, memory: int | str = "256M", table_memory: int | str | None = None) -> None:
        threads = parse_threads(threads)
        self._engine_memory = max(parse_memory(memory) // threads, MIN_MEMORY)
        self._table_memory = TABLE_SHARE * threads if table_memory is None else parse_memory(table_memory)
        self._set_up(threads)
        tell_after_fork(self)

    def _set_up(self, threads: int) -> None:
        self._engines = [Engine(self._engine_memory) for _ in range(threads)]
        self._makers = [TableMaker() for _ in range(threads)]
        self._tools = Tools(self._engines, self._makers, self._table_memory)
        self._lock = Lock()
        self._user: int | None = None  # the thread whose call is running
        self._call = Call()
        self._end = math.inf

    def __repr__(self) -> str:
        return f"Solver(threads={self.threads}, memory={self._engine_memory * self.threads})"

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
        with self._calling(NO_LIMITS):
            self._tools.kept.forget()
            for engine in self._engines:
                engine.clear()

    def cancel(self) -> None:
        """Stop the running call, from any thread; it raises SearchStopped within milliseconds."""
        self._call.cancelled = True
        workers: list[Worker] = [*self._engines, *self._makers]
        for worker in workers:
            worker.cancel()

    @contextmanager
    def ending_by(self, end: float) -> Iterator[None]:
        """Let every call within the block end by a time of time.monotonic(), as by a limit of seconds of its own."""
        before, self._end = self._end, end
        try:
            yield
        finally:
            self._end = before

    @property
    def equilibrium_states(self) -> int:
        """States found so far by the running searches for equilibria; may be read from any thread."""
        return sum(maker.progress for maker in self._makers)

    # Questions

    def solve(
        self,
        subject: SubjectLike,
        contracts: ContractsLike = None,
        leader: SeatLike = Seat.F,
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
        query = SolveQuery(
            as_contracts(contracts),
            as_seat(leader),
            cards,
            equilibria=equilibria,
            limits=Limits(node_limit, seconds),
            variant=variant,
        )
        return self.answer(query, subject).solution

    def value(
        self,
        position: SubjectLike,
        contract: ContractLike | None = None,
        *,
        node_limit: int | None = None,
        seconds: float | None = None,
        variant: Variant = MIZERKA,
    ) -> Value:
        """Return the value of a position, or of a deal (F leads) in `contract`; limits as in `solve`."""
        position = in_contract(as_subject(position), contract)
        variant = as_variant(variant)
        with self._calling(Limits(node_limit, seconds)) as call:
            return guaranteed_value(self._engines[0], position, call, variant)

    def cards(
        self,
        position: PositionLike,
        *,
        node_limit: int | None = None,
        seconds: float | None = None,
        variant: Variant = MIZERKA,
    ) -> tuple[CardValue, ...]:
        """Return the worth of every legal card of the seat to move, in the order of `legal_cards`.

        Raises MizerkaError and TypeError for bad arguments, SearchStopped when cancelled; a limit leaves bounds.
        """
        query = SolveQuery(cards=True, limits=Limits(node_limit, seconds), variant=variant)
        (found,) = (self.answer(query, as_position(position)).solution.cards or {}).values()
        return found

    def equilibria(
        self,
        position: SubjectLike,
        contract: ContractLike | None = None,
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
        position = in_contract(as_subject(position), contract)
        return self.equilibrium_table(position, seconds=seconds, memory=memory).at(position, variant)

    def equilibrium_table(
        self, position: PositionLike, *, seconds: float | None = None, memory: int | str | None = None
    ) -> EquilibriumTable:
        """Return the table that answers for a position, its cards and lines: the last one, or one made for it.

        A table that somebody holds keeps its memory. Arguments and errors as in `equilibria`.
        """
        position = as_position(position)
        n_bytes = self._table_memory if memory is None else parse_memory(memory)
        with self._calling(Limits(seconds=seconds)) as call:
            return self._tools.kept.table(self._makers[0], position, n_bytes, call)

    def guaranteed(self, position: PositionLike, seat: SeatLike, guess: int | None = None) -> int:
        """Return one seat's guaranteed tricks (mizerka: the most that can be forced on it): a third of `value`'s work.

        guess: a likely answer; a good one saves time, a bad one costs some.
        """
        position, seat = as_position(position), as_seat(seat)
        guess = None if guess is None else whole_number(guess, "guess", 0)
        with self._calling(NO_LIMITS) as call:
            return guaranteed_tricks(self._engines[0], position, seat, call, guess)

    def line(
        self,
        position: PositionLike,
        seat: SeatLike | None = None,
        *,
        node_limit: int | None = None,
        seconds: float | None = None,
    ) -> tuple[Card, ...]:
        """Return a principal variation: best play to the end of the deal by `seat` alone against the two others.

        seat: the lone player, the seat to move if not given. Among equally good cards the lowest is played.
        Raises SearchStopped when a limit (as in `solve`) is hit, as half a proof makes no line.
        """
        position = as_position(position)
        seat = position.to_move if seat is None else as_seat(seat)
        with self._calling(Limits(node_limit, seconds)) as call:
            return guaranteed_line(self._engines[0], position, seat, call)

    def exchange(
        self,
        deal: Deal | str,
        contract: ContractLike,
        seat: SeatLike = Seat.F,
        others: str = "stand",
        exchanges: Mapping[Any, CardsLike] | None = None,
        *,
        made: CardsLike | None = None,
        top: int = 16,
        ties: bool = True,
        node_limit: int | None = None,
        seconds: float | None = None,
        progress: Progress | None = None,
        variant: Variant = MIZERKA,
    ) -> ExchangeSolution:
        """Return the best exchanges of `seat` with all cards open, after the `exchanges` of earlier seats.

        others: "stand", the later seats stand pat; "reply", they exchange too, in turn, jointly against the seat. made:
        a discard to value as well. top: par is computed for so many of the best, those of the fewest cards.
        node_limit, seconds: for the whole call; what is found by then is proven, and `exact` and `complete` say whether
        it is all. progress: called about ten times a second with discards done, discards of this step, and proven
        bounds in tricks; it must not ask this Solver. One thread is used. Raises MizerkaError, IllegalExchangeError;
        SearchStopped when cancelled.
        """
        query = ExchangeQuery(
            as_contract(contract),
            as_seat(seat),
            others,
            {} if exchanges is None else as_discards(exchanges),
            None if made is None else as_cards(made),
            top,
            ties,
            Limits(node_limit, seconds),
            variant,
            progress,
        )
        return self.answer_exchange(query, deal)

    def solve_many(
        self,
        deals: Iterable[Deal | str],
        contracts: ContractsLike = None,
        leader: SeatLike = Seat.F,
        *,
        progress: Callable[[int], object] | None = None,
        variant: Variant = MIZERKA,
    ) -> NDArray[np.int8]:
        """Return guaranteed tricks, shape (n_deals, n_contracts, 3), int8; seats in order F, M, R.

        deals: any iterable, of any length, read as it goes. progress: called with the number of deals finished, from
        this thread; neither of them may ask this Solver. variant: changes points only, and no points are returned.
        """
        import numpy as np

        if isinstance(deals, (str, Deal, Position)):
            raise TypeError(f"deals must be an iterable of deals, not one {type(deals).__name__}")
        query = SolveQuery(as_contracts(contracts), as_seat(leader), variant=variant)
        with self._calling(NO_LIMITS) as call:
            stream = iter(deals)
            blocks: list[NDArray[np.int8]] = []
            while len(blocks) == 0 or len(blocks[-1]) == BLOCK:
                done = BLOCK * len(blocks)
                told = None if progress is None else partial(_add_and_tell, progress, done)
                blocks.append(self._block(query, islice(stream, BLOCK), call, told))
        return np.concatenate(blocks)

    def _block(
        self, query: SolveQuery, deals: Iterable[Deal | str], call: Call, progress: Callable[[int], object] | None
    ) -> NDArray[np.int8]:
        """Return the guaranteed tricks of some deals, which are held all at once."""
        import numpy as np

        subjects: list[Deal] = []
        for deal in deals:
            call.check()
            subjects.append(as_deal(deal))
        tricks = np.zeros((len(subjects), len(query.contracts or ()), 3), dtype=np.int8)

        def job(engine: Engine, i: int) -> None:
            for j, position in enumerate(query.positions(subjects[i])):
                tricks[i, j] = guaranteed_value(engine, position, call, query.variant).guaranteed

        run_jobs([(job, (i,)) for i in range(len(subjects))], self._engines, call.check, progress)
        return tricks

    # How they are answered

    def answer(self, query: SolveQuery, subject: SubjectLike) -> Answer:
        """Return the answer to a question about a deal or position: `SolveQuery.ask`."""
        if not isinstance(query, SolveQuery):
            raise TypeError(f"query must be a SolveQuery, not {type(query).__name__}")
        subject = as_subject(subject)
        with self._calling(query.limits) as call:
            return Answering(self._tools, query, call).answer(subject)

    def answer_exchange(self, query: ExchangeQuery, deal: Deal | str) -> ExchangeSolution:
        """Return the best exchanges of the question's seat: `ExchangeQuery.ask`."""
        deal = as_deal(deal)
        with self._calling(query.limits) as call:
            from mizerka_solver.double_dummy.exchange_search import find_exchange

            return find_exchange(query, deal, self._engines[0], call)

    def answer_exchange_line(self, query: ExchangeQuery, deal: Deal | str) -> ExchangeLine:
        """Return the whole exchange, each seat in turn making its best: `ExchangeQuery.ask_line`."""
        deal = as_deal(deal)
        with self._calling(query.limits) as call:
            from mizerka_solver.double_dummy.exchange_search import find_line

            return find_line(query, deal, self._engines[0], call)

    @contextmanager
    def _calling(self, limits: Limits) -> Iterator[Call]:
        """One call at a time; `cancel` reaches the one that is running."""
        if self._user == get_ident():
            raise MizerkaError("this Solver is busy: use another Solver in callbacks such as progress")
        call = Call(limits)  # time runs while it waits for its turn
        call.end_by(self._end)
        with self._lock:
            self._user = get_ident()
            self._call = call
            # After `_call`: a cancellation that is forgotten here was for the call before, or is noted in this one.
            for engine in self._engines:
                engine.ready()
            try:
                yield call
            finally:
                self._user = None

    def after_fork(self) -> None:
        """In the child of a fork: start afresh if another thread was at work, as tables may be half written."""
        if self._user is not None and self._user != get_ident():
            self._set_up(self.threads)


def _add_and_tell(progress: Callable[[int], object], done: int, more: int) -> None:
    """Report progress of a block behind others."""
    progress(done + more)
