"""Counts with their nouns, and names cut to fit a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from shutil import get_terminal_size

DOTS = "…"
SCREEN = 80  # columns that a table may always take


def counted(n: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "deal"), counted(2, "deal"), counted(0, "entry")
    ('1 deal', '2 deals', '0 entries')
    """
    if n == 1:
        return f"1 {noun}"
    return f"{n:,} {noun.removesuffix('y')}ies" if noun.endswith("ry") else f"{n:,} {noun}s"


def screen_width() -> int:
    """Return how many columns a table may take: those of the screen, 80 where it is not known or narrower."""
    return max(get_terminal_size((SCREEN, 24)).columns, SCREEN)


def fitted(names: Iterable[str], width: int, dots: str = DOTS) -> dict[str, str]:
    """Return names → names of at most `width` characters, which still differ where the names do.

    >>> fitted(["Anna", "Maximilian", "Maximiliane"], 7)
    {'Anna': 'Anna', 'Maximilian': 'Maximi…', 'Maximiliane': 'Maxim…e'}
    """
    found: dict[str, str] = {}
    wanted = list(dict.fromkeys(names))
    taken = {name for name in wanted if len(name) <= width}
    for name in wanted:
        if name not in taken:
            short = next(text for text in _shorter(name, width, dots) if text not in taken)
            taken.add(short)
            found[name] = short
    return {name: found.get(name, name) for name in wanted}


def _shorter(name: str, width: int, dots: str) -> Iterable[str]:
    """Yield the start of a name, then less of it with more of its end, then numbers."""
    room = max(width - len(dots), 1)
    for tail in range(room):
        yield name[: room - tail] + dots + (name[-tail:] if tail else "")
    number = 2
    while True:
        yield name[: max(room - len(str(number)), 0)] + dots + str(number)
        number += 1


def width_of(names: Sequence[str], least: int, most: int) -> int:
    """Return the width of a column for names, between two bounds."""
    return max(least, min(most, max(map(len, names), default=0)))
