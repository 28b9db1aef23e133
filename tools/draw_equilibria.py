"""Draw docs/equilibria.svg, the picture of docs/equilibria.md; a test fails when its numbers are stale."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from mizerka_solver import Deal, Solution, Solver, plot  # noqa: E402 - the tree this file is in, not an installed one

TARGET = ROOT / "docs" / "equilibria.svg"


def solution() -> Solution:
    """Return what is drawn."""
    return Solver().solve(Deal.random(7), "N", equilibria=True)


if __name__ == "__main__":
    plot.save(solution(), str(TARGET))
