"""A match of three players: which deals, who sits where, what comes from which seed, what a file of records has of it.

It is made of *boards*, a board of *seatings*. A board is one deal, or one whole game of 18 deals; in duplicate it is
played in all six seatings of the players, so that everybody holds everybody's cards twice and luck of the deal cancels.

Everything random comes from the match's seed, the number of the board and the place of the deal in it, so results do
not depend on threads, nor on whether a match was interrupted and resumed. How it is played is left to arena.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from mizerka_solver.game.deal import SeededDeal, deal_seeded
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import Contract
from mizerka_solver.support.errors import MizerkaError, RecordError

SEATINGS: tuple[tuple[int, int, int], ...] = tuple(permutations((0, 1, 2)))  # type: ignore[arg-type]
DEALS_A_GAME = 18


@lru_cache(maxsize=256)
def dealt(seed: int) -> SeededDeal:
    """Return the deal of a seed; the six seatings of a board ask for the same ones."""
    return deal_seeded(seed)


@dataclass(frozen=True, slots=True)
class Match:
    """What is played. players: (name, bot text) of three, in the order of the first seating.

    n_boards: deals, or games of 18 deals when `games`. contracts: of single deals, in turn; None: forehand names any.
    seconds: for one decision of a program.
    """

    players: tuple[tuple[str, str], ...]
    n_boards: int
    seed: int = 0
    games: bool = False
    duplicate: bool = True
    contracts: tuple[Contract, ...] | None = None
    seconds: float = 5.0

    def __post_init__(self) -> None:
        names = self.names
        if len(names) != 3 or len(set(names)) != 3 or not all(name and name.isprintable() for name in names):
            raise MizerkaError("three players must have different names", token=",".join(names))
        if self.seed < 0:
            raise MizerkaError("a seed must be 0 or more", token=str(self.seed))

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return tuple(name for name, _ in self.players)

    @property
    def deals_a_table(self) -> int:
        """Deals played in one seating of one board."""
        return DEALS_A_GAME if self.games else 1

    @property
    def n_tasks(self) -> int:
        """Seatings of all boards that are played."""
        return self.n_boards * (len(SEATINGS) if self.duplicate else 1)

    def tasks(self) -> Iterator[SeatedBoard]:
        """Yield what is to be played, in order."""
        for board in range(self.n_boards):
            # Without duplicate everybody gets each seat equally often.
            seatings = range(len(SEATINGS)) if self.duplicate else [board % len(SEATINGS)]
            for seating in seatings:
                yield SeatedBoard(board, seating)

    def deal(self, board: int, number: int) -> SeededDeal:
        """Return deal `number` (from 0) of a board: the same in every seating."""
        return dealt((self.seed << 64) + (board << 8) + number)

    def bot_seed(self, board: int, number: int, player: int) -> int:
        """Return the seed of a player in a deal: the same in every seating."""
        return (self.seed << 64) + (board << 8) + number + ((player + 1) << 200)


@dataclass(frozen=True, slots=True)
class SeatedBoard:
    """One seating of one board."""

    board: int
    seating: int

    def ident(self, number: int, match: Match) -> str:
        """Return the id of the record of deal `number` (from 0): 'board.seating' from 1, or 'game.seating.deal'."""
        name = f"{self.board + 1}.{self.seating + 1}"
        return f"{name}.{number + 1}" if match.games else name


def replay(
    match: Match, records: Iterable[tuple[str, GameRecord]]
) -> Iterator[tuple[SeatedBoard, tuple[GameRecord, ...]]]:
    """Yield the tasks that a file of (place, record) has complete, in order; raises RecordError for another match's."""
    tasks, found = match.tasks(), list[GameRecord]()
    task = next(tasks, None)
    for n_sound, (place, record) in enumerate(records):
        if task is None:
            raise RecordError(f"more than this match; {_way_out(n_sound)}", where=place)
        number = len(found)
        wanted = task.ident(number, match)
        names = sorted(match.names)
        if record.id != wanted or sorted(record.players) != names:
            rule = f"not of this match: expected {wanted} of {', '.join(names)}; {_way_out(n_sound)}"
            raise RecordError(rule, field="id", token=str(record.id), where=place)
        if record.deal != match.deal(task.board, number).deal:
            rule = f"not of this match: another seed dealt it; {_way_out(n_sound)}"
            raise RecordError(rule, field="deal", where=place)
        found.append(record)
        if len(found) == match.deals_a_table:
            yield task, tuple(found)
            found, task = [], next(tasks, None)


def _way_out(n_sound: int) -> str:
    """What to do about a file that holds something else, perhaps besides what is right."""
    if not n_sound:
        return "write to another file, or leave out --resume to replace this one"
    return f"the {n_sound} before it are: copy them to a file of their own (head -n {n_sound}) and resume that"
