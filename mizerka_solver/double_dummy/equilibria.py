"""The three-player answer: all equilibria of a position, the expected tricks, and what every card is worth by them.

An `EquilibriumTable` solves a deal in one contract exhaustively and then answers for each of its positions without
searching again. The notions are those of docs/equilibria.md: an *equilibrium* is play in which every card is best for
the one who plays it; the *equilibria* of a position are all trick counts such play can end in; *expected* is the mean
when a player who does not care picks evenly among its best cards. Left to others: the search (cext/_equilibrium.pyx),
values of one seat alone (solver.py), drawing (plot.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import TIMEOUT_MAX, Event, Lock, Timer

from mizerka_solver.core import (
    Equilibrium,
    EquilibriumAnswer,
    EquilibriumCancelledError,
    EquilibriumMemoryError,
    SearchStopped,
)
from mizerka_solver.double_dummy.call import Call
from mizerka_solver.double_dummy.query import as_payoff, as_position, as_variant
from mizerka_solver.double_dummy.values import CardEquilibria, Equilibria
from mizerka_solver.game.cards import Card
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import MIZERKA, Triple, Variant
from mizerka_solver.support.arguments import flag
from mizerka_solver.support.errors import MemoryLimitError, MizerkaError
from mizerka_solver.support.forks import tell_after_fork
from mizerka_solver.support.limits import Limits, memory_text, parse_memory

__all__ = ["TABLE_MEMORY", "TABLE_SHARE", "CardEquilibria", "Equilibria", "EquilibriumTable", "TableMaker"]

TABLE_MEMORY = "1G"
"""The limit for one table if nobody gives one; memory is taken as states are found."""
TABLE_SHARE = 1 << 30
"""The same where several tables are made at once, each on its thread. Most full deals take 20 to 250 MB; one with a
void hand and long suits (deal 5 of seed 7, 10.5 million states) took 552 MB in no trump."""


class EquilibriumTable:
    """All positions of one deal and contract, solved once, when the table is made.

    position: where play starts; in mid-trick too. memory: bytes or text ("1G"), a limit: 20 to 250 MB are taken
    for a full deal. expected, payoffs: leave a part out to save time. Raises MemoryLimitError when the limit is too
    small, SearchStopped ("time") after `seconds`. May be used from several threads, which then take turns.

    >>> from mizerka_solver import Contract, Deal
    >>> table = EquilibriumTable(Deal("F:A3.2.-.- M:Q2.3.-.- R:-.AKQ.-.-").position(Contract.N), "1M")
    >>> table.at(table.root).vectors
    ((1, 0, 2), (1, 1, 1), (2, 0, 1))
    >>> table.line(table.root, (1, 1, 1))[:2]
    (Card('S3'), Card('SQ'))
    """

    def __init__(
        self,
        position: Position | str,
        memory: int | str = TABLE_MEMORY,
        *,
        expected: bool = True,
        payoffs: bool = True,
        seconds: float | None = None,
    ) -> None:
        limits = Limits(seconds=seconds)
        wanted = flag(expected, "expected"), flag(payoffs, "payoffs")
        self._set(as_position(position), wanted, Equilibrium(parse_memory(memory)))
        self._solve(Call(limits))

    def _set(self, position: Position, wanted: tuple[bool, bool], engine: Equilibrium) -> None:
        self._root = position
        self._wanted = wanted  # expected, payoffs
        self._engine = engine
        self._nodes = 0
        self.after_fork()
        tell_after_fork(self)

    def after_fork(self) -> None:
        """Make a lock: the thread that held the old one is not there in the child of a fork."""
        self._lock = Lock()

    def _solve(self, call: Call) -> None:
        root = self._root
        if root.is_over:
            return
        if call.time_is_up:
            raise SearchStopped("time")
        with _cancelled_at(self._engine, call) as expired:
            try:
                self._engine.solve(*_question(root), int(root.contract), *self._wanted)
            except EquilibriumCancelledError:
                raise SearchStopped("time" if expired.is_set() else "cancelled") from None
            except EquilibriumMemoryError as error:
                raise _memory_error(error, self._engine.memory_bytes) from None
        self._nodes = self._engine.nodes  # taken now: looking into a trick counts more of them

    def __repr__(self) -> str:
        return f"<EquilibriumTable of {self._root}: {self.states} states>"

    # Questions

    @property
    def root(self) -> Position:
        """The position that was solved."""
        return self._root

    def covers(self, position: Position | str) -> bool:
        """Whether the table answers for `position`: the same contract, and the cards of the root or some of them."""
        root, position = self._root, as_position(position)
        if position.contract is not root.contract or position.tricks_left > root.tricks_left:
            return False
        mine, theirs = _all_masks(root), _all_masks(position)
        return not any(cards & ~own for cards, own in zip(theirs, mine, strict=True))

    def at(self, position: Position | str, variant: Variant = MIZERKA) -> Equilibria:
        """Return the equilibria of a position of this deal; raises MizerkaError for any other."""
        position, variant = as_position(position), as_variant(variant)
        self._check(position)
        if position.is_over:
            return self._equilibria(position, None, variant)
        with self._lock:
            return self._equilibria(position, self._engine.lookup(*_question(position)), variant)

    def cards(self, position: Position | str, variant: Variant = MIZERKA) -> tuple[CardEquilibria, ...]:
        """Return the worth of every legal card of the seat to move, in the order of `legal_cards`."""
        position = as_position(position)
        before = self.at(position, variant)
        if position.is_over:
            return ()
        with self._lock:
            answers = dict(self._engine.children(*_question(position)))
        worth = []
        for card in position.legal_cards():
            # The engine counts a trick that this card completes as still to come: its winner is in the answer.
            after = self._equilibria(position.play_unchecked(card), answers[card.bit], variant, position.tricks_won)
            worth.append(CardEquilibria(card, before, after))
        return tuple(worth)

    def line(self, position: Position | str, payoff: Triple) -> tuple[Card, ...]:
        """Return play to the end that supports one of the equilibria: at each card, its player would lose by another.

        Lose, that is, where play after the other card is the equilibrium worst for the player. Raises MizerkaError
        when `payoff`, in tricks with those won, is no equilibrium of the position.
        """
        position, payoff = as_position(position), as_payoff(payoff)
        found = self.at(position)
        if payoff not in found.vectors_or_error():
            raise MizerkaError("not the tricks of an equilibrium here", token="-".join(map(str, payoff)))
        if position.is_over:
            return ()
        f, m, r = (n - won for n, won in zip(payoff, position.tricks_won, strict=True))
        with self._lock:
            return tuple(map(Card.from_bit, self._engine.line(*_question(position), (f, m, r))))

    # Figures

    @property
    def states(self) -> int:
        """Positions at the start of a trick that the table holds, those that differ only in cards out of play once."""
        return self._engine.states

    @property
    def nodes(self) -> int:
        """Ways to play a trick that were examined to make the table."""
        return self._nodes

    @property
    def bytes_used(self) -> int:
        """Bytes the table takes."""
        return self._engine.bytes_used

    # Inside

    def _check(self, position: Position) -> None:
        if not self.covers(position):
            raise MizerkaError("not a position of the deal and contract of this table", token=str(position))

    def _equilibria(
        self, position: Position, answer: EquilibriumAnswer | None, variant: Variant, won: Triple | None = None
    ) -> Equilibria:
        """Count the tricks won; without an answer play is over and they are all there is."""
        won = position.tricks_won if won is None else won
        expected, payoffs = self._wanted
        if answer is None:
            mean = (float(won[0]), float(won[1]), float(won[2])) if expected else None
            return Equilibria(position, won, (won,) if payoffs else (), mean, self.nodes, variant)
        mean = None
        if answer.expected is not None:
            f, m, r = (have + more for have, more in zip(won, answer.expected, strict=True))
            mean = f, m, r
        vectors = tuple((won[0] + f, won[1] + m, won[2] + r) for f, m, r in answer.payoffs or ())
        g = answer.guaranteed
        guaranteed = won[0] + g[0], won[1] + g[1], won[2] + g[2]
        return Equilibria(position, guaranteed, vectors, mean, self.nodes, variant)


class TableMaker:
    """Makes tables one after the other; the one in the making can be watched and stopped from another thread."""

    def __init__(self) -> None:
        self._engine: Equilibrium | None = None

    def make(self, position: Position, memory: int, call: Call) -> EquilibriumTable:
        """Return the table of a position; raises the errors of EquilibriumTable."""
        table = EquilibriumTable.__new__(EquilibriumTable)
        engine = Equilibrium(memory)
        table._set(position, (True, True), engine)
        self._engine = engine
        try:
            call.check()  # from here on a cancellation reaches the engine
            table._solve(call)
        finally:
            self._engine = None
        return table

    def cancel(self) -> None:
        """Stop the search that is running, if one is; it raises SearchStopped("cancelled")."""
        if (engine := self._engine) is not None:
            engine.cancel()

    @property
    def progress(self) -> int:
        """States found so far by the running search."""
        return 0 if (engine := self._engine) is None else engine.progress


class KeptTable:
    """The last table that was made, which answers for the positions of its deal."""

    def __init__(self) -> None:
        self._table: EquilibriumTable | None = None

    def table(self, maker: TableMaker, position: Position, memory: int, call: Call) -> EquilibriumTable:
        """Return the table for a position: the kept one, or one made now, and then kept."""
        if self._table is None or not self._table.covers(position):
            self._table = None  # its memory is free before the next one is filled
            self._table = maker.make(position, memory, call)
        return self._table

    def forget(self) -> None:
        """Keep none."""
        self._table = None


def _question(position: Position) -> tuple[Triple, tuple[int, ...], int]:
    """The engine's arguments: masks, bits of the trick, leader."""
    return position.masks, tuple(card.bit for card in position.trick), int(position.leader)


def _all_masks(position: Position) -> list[int]:
    """The cards of each seat at the start of the current trick."""
    masks = list(position.masks)
    for place, card in enumerate(position.trick):
        masks[(position.leader + place) % 3] |= card.mask
    return masks


@contextmanager
def _cancelled_at(engine: Equilibrium, call: Call) -> Iterator[Event]:
    """Cancel the engine at the call's deadline, if it has one; the event tells whether that happened."""
    expired = Event()
    if not call.deadline:
        yield expired
        return

    def expire() -> None:
        expired.set()
        engine.cancel()

    timer = Timer(min(call.seconds_left, TIMEOUT_MAX), expire)
    timer.daemon = True
    timer.start()
    try:
        yield expired
    finally:
        timer.cancel()
        timer.join()


def _memory_error(error: EquilibriumMemoryError, limit: int) -> MemoryLimitError:
    """Say in one line how far the limit reached, which is all that is known; the core's message has the states."""
    reached = re.search(r"(\d+) states", str(error))
    states = f" for more than the {int(reached[1]):,} states found so far" if reached else ""
    rule = f"too little memory for all equilibria: no room{states}"
    return MemoryLimitError(rule, token=memory_text(limit))
