"""Bots play each other: deals of a match (match.py), forfeits, records, results with confidence intervals.

Boards are what statistics count: the mean over a board's seatings is one number, since the seatings of one board have
the same cards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from mizerka_solver.arena.match import SEATINGS, Match, SeatedBoard
from mizerka_solver.bots import Bot, BotFailure, ExternalBot, Table, make_bot
from mizerka_solver.double_dummy.solver import SearchStopped
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import Contract, Game, Seat, Triple, points
from mizerka_solver.hidden.view import CONTRACT, EXCHANGE
from mizerka_solver.support import markup
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.frames import Framed
from mizerka_solver.support.pool import in_order
from mizerka_solver.support.statistics import Tally

SIGNED = "+.2f"
READ_AHEAD = 4  # tasks begun per thread beyond the one that is due
ALL_CONTRACTS = tuple(Contract)


class Interrupted(Exception):
    """The match was told to stop."""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A deal that a bot lost by not answering as it should."""

    record: str
    player: str
    reason: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A task's records, and what went wrong."""

    task: SeatedBoard
    records: tuple[GameRecord, ...]
    forfeits: tuple[Forfeit, ...] = ()


def forfeited(contract: Contract, won: Triple, n_left: int, seat: Seat) -> Triple:
    """Return the tricks of a deal that `seat` forfeits: it gets none of those left, in mizerka all of them.

    The two others share the tricks it does not get, the next in turn one more if they are odd.

    >>> forfeited(Contract.N, (1, 0, 2), 10, Seat.F), forfeited(Contract.M, (1, 0, 2), 10, Seat.F)
    ((1, 5, 7), (11, 0, 2))
    """
    tricks = list(won)
    if contract.is_mizerka:
        tricks[seat] += n_left
    else:
        tricks[seat.next] += (n_left + 1) // 2
        tricks[seat.next.next] += n_left // 2
    return tricks[0], tricks[1], tricks[2]


# Playing


class Players:
    """The three bots of one thread, and a way to stop them from another."""

    def __init__(self, match: Match, deal_done: Callable[[], object] | None = None) -> None:
        self.match = match
        self._deal_done = deal_done
        self.bots: list[Bot] = [make_bot(spec, match.seconds) for _, spec in match.players]
        self.stopped = False

    def stop(self) -> None:
        """Make the thread that plays raise Interrupted soon."""
        self.stopped = True
        for bot in self.bots:
            if isinstance(bot, ExternalBot):
                bot.close(0)  # somebody is waiting
            else:
                bot.close()

    def cancel(self) -> None:
        """Stop, as the pool asks of what its threads work with."""
        self.stop()

    def close(self) -> None:
        """End programs, in their own time."""
        for bot in self.bots:
            bot.close()

    def play(self, task: SeatedBoard) -> Played:
        """Play one seating of one board; raises Interrupted when stopped."""
        return self._game(task) if self.match.games else self._single(task)

    def _single(self, task: SeatedBoard) -> Played:
        contracts = self.match.contracts
        remaining = (contracts[task.board % len(contracts)],) if contracts else ALL_CONTRACTS
        seats = SEATINGS[task.seating]
        record, forfeit = self._deal(task, 0, seats, remaining)
        return Played(task, (record,), (forfeit,) if forfeit else ())

    def _game(self, task: SeatedBoard) -> Played:
        names = self.match.names
        order = SEATINGS[task.seating]
        # Whoever sits first is forehand first, so the last of the order deals first.
        game = Game(tuple(names[i] for i in order), 2)
        records, forfeits = [], []
        while not game.is_over:
            f, m, r = (names.index(name) for name in game.seats)
            record, forfeit = self._deal(task, len(game.sheet), (f, m, r), game.remaining(names[f]))
            assert record.tricks is not None
            game = game.record(record.contract, record.tricks)
            records.append(record)
            forfeits += [forfeit] if forfeit else []
        return Played(task, tuple(records), tuple(forfeits))

    def _deal(
        self, task: SeatedBoard, number: int, seats: tuple[int, int, int], remaining: Sequence[Contract]
    ) -> tuple[GameRecord, Forfeit | None]:
        match = self.match
        deal, previews = match.deal(task.board, number)
        table = Table(deal, previews[Seat.F], remaining)
        f, m, r = (match.names[i] for i in seats)
        ident = task.ident(number, match)
        extra = [("remaining", json.dumps("".join(contract.name for contract in remaining)))]
        if match.games:
            extra.append(("game", json.dumps(ident.rpartition(".")[0])))
        forfeit, tricks = None, None
        try:
            self._play_table(task, number, seats, table)
        except _Lost as lost:
            forfeit = Forfeit(ident, match.names[seats[lost.seat]], lost.reason, lost.words)
            if table.contract is None:
                table.contract = table.remaining[0]
            left = deal.hand_size - sum(table.tricks_won)
            tricks = forfeited(table.contract, table.tricks_won, left, lost.seat)
            extra.append(("forfeit", json.dumps({"seat": lost.seat.name, "reason": lost.reason})))
        record = table.record((f, m, r), ident, tuple(extra), tricks)
        self._tell_result(seats, record)
        if self._deal_done is not None:
            self._deal_done()
        return record, forfeit

    def _play_table(self, task: SeatedBoard, number: int, seats: Sequence[int], table: Table) -> None:
        """Play a deal out; raises _Lost when a bot fails, Interrupted when the match was stopped."""
        bots = [self.bots[i] for i in seats]
        seat = Seat.F
        try:
            for seat in Seat:
                bots[seat].new_deal(self.match.bot_seed(task.board, number, seats[seat]))
            while not table.is_over:
                if self.stopped:
                    raise Interrupted
                seat = table.to_act
                act(bots[seat], table)
        except SearchStopped:
            raise Interrupted from None
        except (BotFailure, MizerkaError) as error:
            if self.stopped:
                raise Interrupted from None
            # An illegal card of a program is told like its other failures, with its words, and it starts afresh.
            bot = bots[seat]
            if isinstance(error, MizerkaError) and isinstance(bot, ExternalBot):
                error = bot.failure(str(error))
            raise _Lost(seat, str(error), getattr(error, "words", ())) from None

    def _tell_result(self, seats: Sequence[int], record: GameRecord) -> None:
        assert record.tricks is not None
        for seat in Seat:
            try:
                self.bots[seats[seat]].deal_over(seat, record.tricks)
            except BotFailure:
                continue  # it is told at its next deal, which it then forfeits unless it starts again


def play_match(
    match: Match, tasks: Iterable[SeatedBoard], threads: int = 1, deal_done: Callable[[], object] | None = None
) -> Generator[Played, None, None]:
    """Yield the tasks played, in their order, on so many threads, each with bots of its own.

    deal_done: called after each deal, from the thread that played it. Closing the iterator, or an exception in it such
    as KeyboardInterrupt, stops bots within a moment and ends programs. Threads help bots that are programs or spend
    their time in the solver; Python's own thinking takes turns.
    """
    if threads == 1:
        yield from _play_here(Players(match, deal_done), tasks)
    else:
        yield from _play_in_threads([Players(match, deal_done) for _ in range(threads)], tasks)


def _play_here(crew: Players, tasks: Iterable[SeatedBoard]) -> Generator[Played, None, None]:
    """Play in the caller's thread, where Ctrl-C reaches the bots."""
    try:
        for task in tasks:
            yield crew.play(task)
    except BaseException:
        crew.stop()
        raise
    crew.close()


def _play_in_threads(crews: Sequence[Players], tasks: Iterable[SeatedBoard]) -> Generator[Played, None, None]:
    try:
        yield from in_order(Players.play, tasks, crews, READ_AHEAD * len(crews) - 1)
    except BaseException:
        _all_together(Players.stop, crews)
        raise
    _all_together(Players.close, crews)


def _all_together(end: Callable[[Players], None], crews: Sequence[Players]) -> None:
    """End all crews at the same time: each may take its half second."""
    for _ in in_order(lambda _, crew: end(crew), crews, crews, len(crews)):
        pass


class _Lost(Exception):
    def __init__(self, seat: Seat, reason: str, words: tuple[str, ...]) -> None:
        super().__init__(reason)
        self.seat, self.reason, self.words = seat, reason, words


def act(bot: Bot, table: Table) -> None:
    """Let a bot take the table's next decision; raises what the rules raise, and BotFailure."""
    phase, view = table.phase, table.view()
    if phase == CONTRACT:
        table.name(bot.name_contract(view))
    elif phase == EXCHANGE:
        table.exchange(bot.exchange(view))
    else:
        table.play(bot.play(view))


# Results


@dataclass
class Results(Framed):
    """Points of a match so far; boards are counted when all their seatings are there.

    per_deal: player → points a deal, a number a board. pairs: (a, b) → points a deal that a has more than b, a number a
    board. by_seat: player → seat → points, a number a deal.
    """

    match: Match
    per_deal: dict[str, Tally] = field(default_factory=dict)
    pairs: dict[tuple[str, str], Tally] = field(default_factory=dict)
    by_seat: dict[str, list[Tally]] = field(default_factory=dict)
    forfeits: dict[str, int] = field(default_factory=dict)
    n_deals: int = 0
    _board: list[dict[str, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        names = self.match.names
        self.per_deal = {name: Tally() for name in names}
        self.pairs = {pair: Tally() for pair in combinations(names, 2)}
        self.by_seat = {name: [Tally(), Tally(), Tally()] for name in names}
        self.forfeits = dict.fromkeys(names, 0)

    def add(self, records: Iterable[GameRecord]) -> None:
        """Count the records of one task; tasks come in order."""
        total = dict.fromkeys(self.match.names, 0.0)
        n = 0
        for record in records:
            assert record.tricks is not None
            won = points(record.contract, record.tricks)
            n += 1
            for seat in Seat:
                total[record.players[seat]] += won[seat]
                self.by_seat[record.players[seat]][seat].add(won[seat])
            lost = dict(record.extra).get("forfeit")
            if lost is not None:
                self.forfeits[record.players[Seat[json.loads(lost)["seat"]]]] += 1
        self.n_deals += n
        self._board.append({name: sum_ / n for name, sum_ in total.items()})
        if len(self._board) == (len(SEATINGS) if self.match.duplicate else 1):
            self._close_board()

    def _close_board(self) -> None:
        means = {name: sum(row[name] for row in self._board) / len(self._board) for name in self.match.names}
        self._board.clear()
        for name, mean in means.items():
            self.per_deal[name].add(mean)
        for (a, b), tally in self.pairs.items():
            tally.add(means[a] - means[b])

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one row a player: points a deal, their standard error, points by seat, forfeits."""
        for name, spec in self.match.players:
            tally = self.per_deal[name]
            yield {
                "player": name,
                "bot": spec,
                **{f"points_per_deal_{part}": n for part, n in tally.as_dict().items()},
                **{f"mean_{seat}": self.by_seat[name][seat].mean for seat in Seat},
                "forfeits": self.forfeits[name],
            }

    def _repr_html_(self) -> str:
        names = sorted(self.match.names, key=lambda name: -self.per_deal[name].mean)
        rows = [
            (name, self.per_deal[name].shown(SIGNED), *(f"{of_seat.mean:{SIGNED}}" for of_seat in self.by_seat[name]))
            for name in names
        ]
        caption = f"{self.n_deals} deals, seed {self.match.seed}; points a deal, ± 95 % confidence"
        table = markup.table(rows, ("", "points", *(f"as {seat}" for seat in Seat)), caption)
        pairs = [(f"{a} – {b}", tally.shown(SIGNED)) for (a, b), tally in self.pairs.items()]
        return markup.together(table, markup.table(pairs, ("", "difference"), "pairs"))

    @property
    def n_boards(self) -> int:
        """Boards that are complete."""
        return next(iter(self.per_deal.values())).n
