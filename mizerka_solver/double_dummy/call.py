"""One call of a Solver while it runs: how long it may take, and whether it was cancelled.

A call makes many searches. Each looks at the call before it starts; the one that runs is stopped through its engine,
which keeps a cancellation until it has acted on it. So none is lost between two searches.
"""

from __future__ import annotations

import math
import time

from mizerka_solver.core import SearchStopped
from mizerka_solver.support.limits import Limits

NO_LIMITS = Limits()


class Call:
    """The limits of a call, counted from now; `nodes` 0 and `deadline` 0.0 (of time.monotonic) are none."""

    __slots__ = ("cancelled", "deadline", "nodes")

    def __init__(self, limits: Limits = NO_LIMITS) -> None:
        self.nodes = limits.node_limit or 0
        self.deadline = time.monotonic() + limits.seconds if limits.seconds else 0.0
        self.cancelled = False

    def end_by(self, end: float) -> None:
        """Bring the deadline forward to a time of time.monotonic()."""
        if end < (self.deadline or math.inf):
            self.deadline = end

    def check(self) -> None:
        """Raise SearchStopped if the call was cancelled."""
        if self.cancelled:
            raise SearchStopped("cancelled")

    @property
    def time_is_up(self) -> bool:
        """Whether the deadline has passed."""
        return bool(self.deadline) and time.monotonic() >= self.deadline

    @property
    def seconds_left(self) -> float:
        """What an engine is told: at least a microsecond, as 0 means no limit."""
        return max(self.deadline - time.monotonic(), 1e-6) if self.deadline else 0.0

    def limit_hit(self) -> SearchStopped:
        """Return the exception for a search that ended before its answer."""
        return SearchStopped("time" if self.time_is_up else "nodes")
