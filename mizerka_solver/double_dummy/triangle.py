"""The triangle of one position's equilibria as SVG text: small, static, drawn without any library.

For notebooks; plot.py draws larger ones, of several contracts, for print.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from xml.sax.saxutils import escape

from mizerka_solver.double_dummy.plot import DOT, EXPECTED, GREY, REGION, Spread, guaranteed_region, placed
from mizerka_solver.double_dummy.values import Equilibria
from mizerka_solver.game.rules import Seat

SIDE = 280
WIDTH, HEIGHT = SIDE + 100, 312
LEFT, TOP = 50, 30
CORNER_LABELS = ((0, -10), (0, 20), (0, 20))


def svg(found: Equilibria) -> str:
    """Return the picture: the guaranteed region, a dot an equilibrium, a ring at the expected tricks."""
    spread = Spread(found.position.hand_size)
    label = f"{len(found.vectors)} equilibria, tricks F-M-R: " + ", ".join(map(_split, found.vectors))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" aria-label="{escape(label)}" font-family="sans-serif" font-size="13">',
        *_grid(spread),
        f'<polygon points="{_points(spread, guaranteed_region(found))}" fill="{REGION}" fill-opacity="0.35"/>',
    ]
    for vector in found.vectors:
        x, y = _at(spread, vector)
        parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="{DOT}"><title>{_split(vector)}</title></circle>')
    if found.expected_tricks is not None:
        x, y = _at(spread, found.expected_tricks)
        title = _split([f"{tricks:.2f}" for tricks in found.expected_tricks])
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="9" fill="none" stroke="{EXPECTED}" stroke-width="3">'
            f"<title>expected {title}</title></circle>"
        )
    return "".join((*parts, "</svg>"))


def _grid(spread: Spread) -> Iterable[str]:
    """The frame, a faint line for each number of tricks of each seat, and the corners' names."""
    n = spread.n
    for seat in Seat:
        others = Seat((seat + 1) % 3), Seat((seat + 2) % 3)
        for k in range(1, n):
            (x1, y1), (x2, y2) = (_at(spread, placed(seat, k, other, n - k)) for other in others)
            yield f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{GREY}" stroke-opacity="0.25"/>'
    corners = [placed(seat, n, seat, n) for seat in Seat]
    yield f'<polygon points="{_points(spread, corners)}" fill="none" stroke="{GREY}"/>'
    for seat, corner, (dx, dy) in zip(Seat, corners, CORNER_LABELS, strict=True):
        x, y = _at(spread, corner)
        yield f'<text x="{x + dx}" y="{y + dy}" text-anchor="middle" fill="{GREY}">{seat.long_name}</text>'


def _at(spread: Spread, split: Sequence[float]) -> tuple[float, float]:
    x, y = spread(split)
    return round(LEFT + SIDE * x, 1), round(TOP + SIDE * (sqrt(3) / 2 - y), 1)


def _points(spread: Spread, splits: Iterable[Sequence[float]]) -> str:
    return " ".join("{},{}".format(*_at(spread, split)) for split in splits)


def _split(numbers: Sequence[object]) -> str:
    return "-".join(map(str, numbers))
