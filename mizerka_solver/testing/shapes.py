"""Suit lengths a hand may have, as text, and the lengths that are still possible for three hands of one pack.

Used by the strategies; knows no cards. A shape is four fields S.H.D.C, each one of

    5  exactly five     6+  six or more     2-4  two to four     0 or -  a void     x  any length
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mizerka_solver.game.cards import N_CARDS, N_RANKS, Suit
from mizerka_solver.game.rules import Seat
from mizerka_solver.support.errors import MizerkaError

_FIELD = re.compile(r"x|-|(\d+)(\+|-(\d+))?")
Range = tuple[int, int]


@dataclass(frozen=True)
class Shape:
    """Least and most cards in each suit, S H D C, from text such as '5.x.2-4.0'; raises MizerkaError.

    >>> Shape.parse("7+.x.-.2-4").ranges
    ((7, 13), (0, 13), (0, 0), (2, 4))
    """

    ranges: tuple[Range, Range, Range, Range]

    @classmethod
    def parse(cls, text: str) -> Shape:
        """Return the shape of a text; raises MizerkaError."""
        if not isinstance(text, str):
            raise MizerkaError("a shape must be text such as 5.x.x.x", token=str(text))
        fields = text.split(".")
        if len(fields) != 4:
            raise MizerkaError(f"a shape has 4 suits S.H.D.C separated by dots, here {len(fields)}", token=text)
        s, h, d, c = map(_range, fields)
        return cls((s, h, d, c))

    def fits(self, size: int) -> bool:
        """Tell whether a hand of `size` cards can have this shape."""
        return sum(low for low, _ in self.ranges) <= size <= sum(high for _, high in self.ranges)


def _range(field: str) -> Range:
    """Return least and most of one suit's field."""
    match = _FIELD.fullmatch(field)
    if match is None:
        raise MizerkaError("not a suit length, write 5, 6+, 2-4, 0 or x", token=field)
    if match[1] is None:
        return (0, N_RANKS) if field == "x" else (0, 0)
    low = int(match[1])
    high = N_RANKS if match[2] == "+" else int(match[3] or low)
    if not low <= high <= N_RANKS:
        raise MizerkaError(f"a suit has 0 to {N_RANKS} cards, the smaller number first", token=field)
    return low, high


ANY = Shape.parse("x.x.x.x")


def seat_shapes(shapes: Mapping[Seat, str] | Mapping[str, str] | None) -> tuple[Shape, Shape, Shape]:
    """Return the shapes of F, M, R from a mapping of seats, or their letters, to texts; raises MizerkaError."""
    if not isinstance(shapes, Mapping | None):
        raise MizerkaError('a mapping of seats to shapes, as in {"F": "5.x.x.x"}', field="shapes", token=str(shapes))
    found = dict.fromkeys(Seat, ANY)
    named = []
    for key, text in (shapes or {}).items():
        named.append(key if isinstance(key, Seat) else Seat.parse(str(key)))
        found[named[-1]] = Shape.parse(text)
    if len(set(named)) < len(named):
        raise MizerkaError("a seat has one shape", field="shapes", token=" ".join(map(str, named)))
    return found[Seat.F], found[Seat.M], found[Seat.R]


class Lengths:
    """The lengths three hands of one pack may still have while they are chosen one by one.

    Each hand takes `size` cards; a suit has 13. What is left over is the talon, of any shape.
    """

    def __init__(self, shapes: tuple[Shape, Shape, Shape], size: int) -> None:
        if not 1 <= size <= N_CARDS // 3:
            raise MizerkaError(f"a hand has 1 to {N_CARDS // 3} cards", token=str(size))
        self._ranges = [list(shape.ranges) for shape in shapes]
        self._size = size

    def is_possible(self) -> bool:
        """Tell whether some three hands have such lengths.

        With the least lengths taken out, cards have to flow from suits to hands: by max-flow min-cut they can exactly
        if no set of hands wants more than the suits can give to that set.
        """
        wanted = [self._size - sum(low for low, _ in hand) for hand in self._ranges]
        left = [N_RANKS - sum(hand[suit][0] for hand in self._ranges) for suit in Suit]
        if min(wanted) < 0 or min(left) < 0:
            return False
        for chosen in range(1, 8):
            hands = [seat for seat in range(3) if chosen >> seat & 1]
            room = [sum(self._ranges[seat][suit][1] - self._ranges[seat][suit][0] for seat in hands) for suit in Suit]
            if sum(wanted[seat] for seat in hands) > sum(map(min, left, room)):
                return False
        return True

    def choices(self, seat: Seat, suit: Suit) -> list[int]:
        """Return the lengths this suit of this hand may have, given what was fixed before."""
        low, high = self._ranges[seat][suit]
        possible = []
        for length in range(low, min(high, self._size) + 1):
            self.fix(seat, suit, length)
            if self.is_possible():
                possible.append(length)
        self._ranges[seat][suit] = (low, high)
        return possible

    def fix(self, seat: Seat, suit: Suit, length: int) -> None:
        """Decide on a length."""
        self._ranges[seat][suit] = (length, length)
