"""The triangle of trick splits as a picture: what is guaranteed, all equilibria, par and expected, a panel a contract.

A corner of the triangle is a seat that takes every trick; a point inside splits them, and the nearer it lies to a
corner the more tricks that seat has (barycentric coordinates). Draws what a Solution with equilibria holds and searches
nothing. matplotlib, the extra `plot`, is imported when a picture is asked for.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from mizerka_solver.double_dummy.solution import Solution
from mizerka_solver.double_dummy.values import Equilibria, Points
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import Seat
from mizerka_solver.support.errors import MizerkaError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Side(NamedTuple):
    """A side of the triangle: the direction away from it, and how text along it is turned."""

    outwards: tuple[float, float]
    degrees: float


SUFFIXES = (".svg", ".png", ".pdf")
CORNERS = ((0.5, sqrt(3) / 2), (1.0, 0.0), (0.0, 0.0))
"""Where F, M, R take all tricks: F on top, M right, R left."""
SIDES = (Side((sqrt(3) / 2, 0.5), -60), Side((0.0, -1.0), 0), Side((-sqrt(3) / 2, 0.5), 60))
"""The sides that carry the numbers of F, M, R: from the seat's corner to the next seat's."""
# From the palette of Okabe and Ito, told apart with any colour vision; shapes differ as well.
REGION, DOT, PAR, EXPECTED, FAINT, GREY = "#56B4E9", "#0072B2", "#E69F00", "#D55E00", "#DDDDDD", "#666666"
PANEL_INCHES = 3.6
SINGLE_INCHES = 5.6
MAX_COLUMNS = 3
PNG_DPI = 150


def check(path: str) -> None:
    """Raise MizerkaError when no picture can be drawn into this file, for its suffix or for want of matplotlib."""
    if os.path.splitext(path)[1].lower() not in SUFFIXES:
        raise MizerkaError(f"a picture must end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}", token=path)
    if find_spec("matplotlib") is None:
        raise MizerkaError("drawing needs matplotlib: pip install 'mizerka-solver[plot]'", token=path)


def save(solution: Solution, path: str) -> None:
    """Draw a Solution with equilibria into a file, by its suffix; raises MizerkaError as `check` does, and OSError.

    The file's description holds the numbers drawn (`described`) as JSON.
    """
    check(path)
    import matplotlib

    picture = figure(solution)
    text = json.dumps(described(solution), separators=(",", ":"))
    title = "Equilibria of a Mizerka deal"
    metadata: dict[str, dict[str, str | None]] = {
        ".svg": {"Title": title, "Description": text, "Creator": "mizerka-solver", "Date": None},
        ".png": {"Title": title, "Description": text, "Software": "mizerka-solver"},
        ".pdf": {"Title": title, "Subject": text, "Creator": "mizerka-solver", "CreationDate": None},
    }
    suffix = os.path.splitext(path)[1].lower()
    # The same numbers give the same file: no date, and names inside that do not depend on chance.
    with matplotlib.rc_context({"svg.hashsalt": "mizerka-solver", "font.family": "DejaVu Sans"}):
        picture.savefig(path, format=suffix[1:], metadata=metadata[suffix], dpi=PNG_DPI)


def described(solution: Solution) -> dict[str, Any]:
    """Return the numbers of a picture: subject, and for each contract guaranteed, equilibria, expected; in tricks."""
    data = solution.as_dict()
    kept = ("guaranteed", "equilibria", "expected")
    data["contracts"] = {name: {key: fields[key] for key in kept} for name, fields in data["contracts"].items()}
    return data


def figure(solution: Solution) -> Figure:
    """Return the picture as a matplotlib Figure; raises MizerkaError when the equilibria were not asked for."""
    from matplotlib.figure import Figure

    found = list((solution.equilibria or {}).values())
    if not found:
        raise MizerkaError("there are no equilibria to draw: ask for them (equilibria=True)")
    columns = min(len(found), MAX_COLUMNS)
    rows = ceil(len(found) / columns)
    side = SINGLE_INCHES if len(found) == 1 else PANEL_INCHES
    picture = Figure(figsize=(side * columns, side * rows + 0.9), layout="constrained")
    axes = picture.subplots(rows, columns, squeeze=False)
    for place, ax in enumerate(axes.flat):
        ax.set_axis_off()
        if place < len(found):
            draw_panel(ax, found[place], large=len(found) == 1)
    picture.suptitle(heading(solution), fontsize=10, family="DejaVu Sans Mono", linespacing=1.4)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    picture.legend(
        handles, labels, loc="outside lower center", ncols=2 if columns == 1 else 4, frameon=False, fontsize=9
    )
    return picture


def heading(solution: Solution) -> str:
    """Return the hands, one a line, and who leads or plays."""
    subject = solution.subject
    lines = [f"{seat}  {hand.pretty}" for seat, hand in zip(Seat, subject.hands, strict=True)]
    width = max(map(len, lines))
    if isinstance(subject, Position):
        trick = " ".join(card.pretty for card in subject.trick)
        won = "-".join(map(str, subject.tricks_won))
        lines.append(
            f"{subject.leader} led {trick}, tricks won {won}" if trick else f"{subject.leader} leads, won {won}"
        )
    else:
        lines.append(f"{solution.leader} leads")
    return "\n".join(line.ljust(width) for line in lines)


def draw_panel(ax: Axes, found: Equilibria, *, large: bool) -> None:
    """Draw the triangle of one contract."""
    spread = Spread(found.position.hand_size)
    draw_grid(ax, spread, large)
    draw_corners(ax, large)
    region: dict[str, Any] = {"facecolor": REGION, "edgecolor": DOT, "alpha": 0.35, "linewidth": 1.2}
    ax.fill(*spread.columns(guaranteed_region(found)), zorder=1, label="guaranteed region", **region)
    size = 34 if large else 17
    ax.scatter(*spread.columns(found.vectors), s=size, color=DOT, zorder=3, label="an equilibrium")
    par: dict[str, Any] = {"marker": "D", "facecolor": "none", "edgecolor": PAR, "linewidth": 2.2}
    ax.scatter(*spread.columns([par_tricks(found)]), s=3 * size, zorder=4, label="par", **par)
    mean: dict[str, Any] = {"marker": "*", "facecolor": EXPECTED, "edgecolor": "white", "linewidth": 0.8}
    expected = found.expected_tricks or (0.0, 0.0, 0.0)
    ax.scatter(*spread.columns([expected]), s=5 * size, zorder=5, label="expected", **mean)
    contract = found.position.contract
    sign = f"{contract.symbol} " if contract.trump is not None else ""
    ax.set_title(f"{sign}{contract.long_name}", fontsize=13 if large else 11, fontweight="bold")
    below: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": 9 if large else 7.5}
    ax.text(0.5, -0.18 if large else -0.13, caption(found), **below)
    ax.set_xlim(-0.12, 1.12)
    ax.set_ylim(-0.32, 0.98)
    ax.set_aspect("equal")


def caption(found: Equilibria) -> str:
    """Return the numbers below a triangle."""
    sign = "≤" if found.position.contract.is_mizerka else "≥"
    sure = "  ".join(f"{seat} {sign} {tricks}" for seat, tricks in zip(Seat, found.guaranteed, strict=True))
    mean = "  ".join(f"{seat} {tricks:.2f}" for seat, tricks in zip(Seat, found.expected_tricks or (), strict=False))
    n = len(found.vectors)
    equilibria = "1 equilibrium" if n == 1 else f"{n} equilibria"
    return f"guaranteed  {sure}\nexpected  {mean}\nslack {found.value.slack},  {equilibria}"


def draw_grid(ax: Axes, spread: Spread, large: bool) -> None:
    """Draw the triangle, and a line for each number of tricks of each seat.

    The numbers of a seat stand on the side from its corner to the next seat's; in a small panel some, with its letter.
    """
    n = spread.n
    for seat in Seat:
        next_seat, last_seat = Seat((seat + 1) % 3), Seat((seat + 2) % 3)
        dx, dy = SIDES[seat].outwards
        for k in range(1, n):
            ends = [placed(seat, k, other, n - k) for other in (next_seat, last_seat)]
            ax.plot(*spread.columns(ends), color=FAINT, linewidth=0.7, zorder=0)
            if large or k % 3 == 0:
                x, y = spread(ends[0])
                text = str(k) if large else f"{seat}{k}"
                place: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8 if large else 6, "color": GREY}
                ax.text(x + 0.035 * dx, y + 0.035 * dy, text, **place)
        if large:
            x, y = spread(placed(seat, n / 2, next_seat, n / 2))
            turned: dict[str, Any] = {
                "ha": "center",
                "va": "center",
                "rotation": SIDES[seat].degrees,
                "fontsize": 9,
                "color": GREY,
            }
            ax.text(x + 0.11 * dx, y + 0.1 * dy, f"tricks of {seat}", **turned)
    corners = [placed(seat, n, seat, n) for seat in (*Seat, Seat.F)]
    ax.plot(*spread.columns(corners), color="black", linewidth=1.0, zorder=2)


def draw_corners(ax: Axes, large: bool) -> None:
    """Name the corners."""
    offsets = ((0.0, 0.05), (0.05, -0.05), (-0.05, -0.05))
    for seat, (x, y), (dx, dy) in zip(Seat, CORNERS, offsets, strict=True):
        name = f"{seat} {seat.long_name}" if large else str(seat)
        sideways = dx * (0.4 if large else 1.0)
        down = dy * (2.0 if large and dy < 0 else 1.0)
        ax.text(x + sideways, y + down, name, ha="center", va="center", fontsize=11, fontweight="bold")


def placed(seat: Seat, k: float, other: Seat, rest: float) -> Points:
    """Return the split in which `seat` has k tricks and `other` the rest."""
    split = [0.0, 0.0, 0.0]
    split[other] = rest
    split[seat] = k
    return split[0], split[1], split[2]


class Spread:
    """Splits of n tricks as points of the plane."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __call__(self, split: Sequence[float]) -> tuple[float, float]:
        """Return x and y."""
        x, y = (sum(share * corner[axis] for share, corner in zip(split, CORNERS, strict=True)) for axis in (0, 1))
        return x / self.n, y / self.n

    def columns(self, splits: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
        """Return the list of x and that of y."""
        points = [self(split) for split in splits]
        return [x for x, _ in points], [y for _, y in points]


def par_tricks(found: Equilibria) -> Points:
    """Return par in tricks: guaranteed, and a third of the slack more, or in mizerka less."""
    third = found.value.slack / (-3 if found.position.contract.is_mizerka else 3)
    f, m, r = (tricks + third for tricks in found.guaranteed)
    return f, m, r


def guaranteed_region(found: Equilibria) -> list[Points]:
    """Return the corners of all splits that give every seat what it is guaranteed."""
    n = float(found.position.hand_size)
    region: list[Points] = [(n, 0.0, 0.0), (0.0, n, 0.0), (0.0, 0.0, n)]
    sign = -1 if found.position.contract.is_mizerka else 1
    for seat, tricks in zip(Seat, found.guaranteed, strict=True):
        region = clipped(region, lambda split, seat=seat, tricks=tricks: sign * (split[seat] - tricks))  # type: ignore[misc]
    return region


def clipped(polygon: Sequence[Points], inside: Callable[[Points], float]) -> list[Points]:
    """Return the part of a convex polygon where a linear function is not negative (Sutherland and Hodgman)."""
    kept: list[Points] = []
    for here, there in zip(polygon, [*polygon[1:], *polygon[:1]], strict=True):
        a, b = inside(here), inside(there)
        if a >= 0:
            kept.append(here)
        if a * b < 0:
            f, m, r = (p + (q - p) * a / (a - b) for p, q in zip(here, there, strict=True))
            kept.append((f, m, r))
    return kept
