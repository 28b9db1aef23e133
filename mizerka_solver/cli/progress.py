"""How far a command is, on stderr: a bar while somebody watches, or JSON Lines for a program."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from mizerka_solver.cli.output import MIN_COLUMNS, Output
from mizerka_solver.cli.process import say

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


SECONDS_A_LINE = 1.0  # of --json-progress


class Pace:
    """Items done since it was made, how many a second, and how long the rest will take."""

    def __init__(self, total: int | None, before: int = 0) -> None:
        self._total, self._before = total, before
        self._start = time.monotonic()

    def as_dict(self, done: int) -> dict[str, float | int | None]:
        """Return the fields of a line of --json-progress; null is what nobody knows."""
        seconds = time.monotonic() - self._start
        rate = (done - self._before) / seconds if seconds and done > self._before else None
        left = None if rate is None or self._total is None else max(self._total - done, 0) / rate
        return {
            "done": done,
            "total": self._total,
            "seconds": round(seconds, 3),
            "rate": None if rate is None else round(rate, 3),
            "seconds_left": None if left is None else round(left, 1),
        }

    def rate_text(self, done: int) -> str:
        """Return the rate as people read it."""
        rate = self.as_dict(done)["rate"]
        return "" if rate is None else f"{rate:,.1f}/s" if rate < 100 else f"{rate:,.0f}/s"


class Bar:
    """A progress bar on stderr, from the second item on, when a person watches and results do not scroll by anyway.

    With --json-progress, a line of JSON about once a second instead, and one at the end. done: items that were done
    before, and are not counted in the rate. detail: for items that take long, text on how far the present one is; then
    the bar is there from the first item on, and `pause` clears it away before a result is printed.
    """

    def __init__(
        self,
        output: Output,
        total: int | None,
        unit: str = "deals",
        detail: Callable[[], str] | None = None,
        done: int = 0,
    ) -> None:
        shown_anyway = output.path is None and sys.stdout.isatty()
        self._wanted = sys.stderr.isatty() and not output.options.no_progress
        self._wanted &= detail is not None or not (shown_anyway or total == 1)
        self._total, self._unit, self._detail, self._done = total, unit, detail, done
        self._pace = Pace(total, done)
        self._as_json = output.options.json_progress
        self._wanted &= not self._as_json
        self._next_line = time.monotonic() + SECONDS_A_LINE
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def advance(self) -> None:
        """Count one item more."""
        self._done += 1
        if self._as_json and time.monotonic() >= self._next_line:
            self._print_line()
        if not self._wanted or (self._total is None and self._done < 2):
            return
        if self._progress is None:
            self._start()
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=self._done)
            if self._done != self._total:
                self._progress.start()  # again, after a pause

    def _print_line(self) -> None:
        say(json.dumps({"unit": self._unit, **self._pace.as_dict(self._done)}))
        self._next_line = time.monotonic() + SECONDS_A_LINE

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            ProgressColumn,
            Task,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
        from rich.text import Text

        detail = self._detail or (lambda: self._pace.rate_text(self._done))

        class DetailColumn(ProgressColumn):
            def render(self, task: Task) -> Text:
                return Text(detail())

        columns = (
            TextColumn(self._unit),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            DetailColumn(),
        )
        # Not redirecting: rich would send what goes to stdout to this console, which is stderr.
        console = Console(stderr=True)
        if console.width < MIN_COLUMNS:
            console.width = 80
        self._progress = Progress(
            *columns, console=console, redirect_stdout=False, redirect_stderr=True, transient=True
        )
        self._task = self._progress.add_task(self._unit, total=self._total, completed=self._done)
        self._progress.start()

    def pause(self) -> None:
        """Clear the bar away, if it could be in the way of results; it comes back with `advance`."""
        if self._detail is not None and self._progress is not None:
            self._progress.stop()

    def __enter__(self) -> Bar:
        if self._wanted and self._detail is not None:
            self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()
        if self._as_json:
            self._print_line()
