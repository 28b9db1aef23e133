"""Counts of legal play sequences by length, chess's *perft*: numbers that two implementations of the rules can compare.

A file of them has a position and its counts a line, as in perft.txt, which tools/make_perft.py writes:

    F:A.2.-.- M:K3.-.-.- R:-.54.-.- N F - 0-0-0 ;D1 2 ;D2 4 ;D3 8      three cards can be played in 8 ways
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mizerka_solver.game.notation import COMMENT
from mizerka_solver.game.position import Position
from mizerka_solver.support.errors import MizerkaError


def perft(position: Position, depth: int) -> tuple[int, ...]:
    """Return how many ways there are to play 1, 2, … `depth` cards, as many as are left at most.

    >>> perft(Position("F:A.2.-.- M:K3.-.-.- R:-.54.-.- N F - 0-0-0"), 9)
    (2, 4, 8, 8, 8, 8)
    """
    if depth < 1:
        raise MizerkaError("a depth must be 1 or more", field="depth", token=str(depth))
    n = min(depth, sum(map(len, position.hands)))
    counts = [0] * n
    if n:
        _count(position, 0, counts)
    return tuple(counts)


def _count(position: Position, played: int, counts: list[int]) -> None:
    """Add the sequences that go on from a position after `played` cards. The last card is counted, not played."""
    legal = position.legal_cards()
    counts[played] += len(legal)
    if played + 1 < len(counts):
        for card in legal:
            _count(position.play_unchecked(card), played + 1, counts)


@dataclass(frozen=True)
class PerftCase:
    """A position and its counts for 1, 2, … cards; `str` gives the line of a file back."""

    position: Position
    counts: tuple[int, ...]

    @classmethod
    def parse(cls, line: str) -> PerftCase:
        """Return the case of a line; raises MizerkaError."""
        text, *fields = line.split(";")
        counts = []
        for depth, field in enumerate(fields, start=1):
            name, _, number = field.strip().partition(" ")
            if name != f"D{depth}" or not (number.isascii() and number.isdigit()):
                raise MizerkaError(f"expected D{depth} and a count", token=field.strip())
            counts.append(int(number))
        return cls(Position(text.strip()), tuple(counts))

    def __str__(self) -> str:
        return " ".join([str(self.position), *(f";D{depth} {n}" for depth, n in enumerate(self.counts, start=1))])


def read_cases(lines: Iterable[str]) -> Iterator[PerftCase]:
    """Yield the cases of a file; blank lines and what follows a `#` are skipped; raises MizerkaError."""
    for number, line in enumerate(lines, start=1):
        text = line.partition(COMMENT)[0].strip()
        if text:
            try:
                yield PerftCase.parse(text)
            except MizerkaError as error:
                raise error.at(where=f"line {number}") from None


def golden_cases() -> list[PerftCase]:
    """Return the cases that come with the package, counted by two implementations.

    >>> len(golden_cases()) >= 12
    True
    """
    return list(read_cases(golden_text().splitlines()))


def golden_text() -> str:
    """Return the text of the file with these cases."""
    from importlib.resources import files

    return (files("mizerka_solver.game") / "perft.txt").read_text(encoding="utf-8")
