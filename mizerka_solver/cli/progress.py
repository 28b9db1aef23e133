"""How far a command is: a bar on stderr while somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from mizerka_solver.cli.output import MIN_COLUMNS, Output

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Bar:
    """A progress bar on stderr, from the second item on, when a person watches and results do not scroll by anyway.

    detail: for items that take long, text on how far the present one is; then the bar is there from the first item on,
    and `pause` clears it away before a result is printed.
    """

    def __init__(
        self, output: Output, total: int | None, unit: str = "deals", detail: Callable[[], str] | None = None
    ) -> None:
        shown_anyway = output.path is None and sys.stdout.isatty()
        self._wanted = sys.stderr.isatty() and not output.options.no_progress
        self._wanted &= detail is not None or not (shown_anyway or total == 1)
        self._total, self._unit, self._detail, self._done = total, unit, detail, 0
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def advance(self) -> None:
        """Count one item more."""
        self._done += 1
        if not self._wanted or (self._total is None and self._done < 2):
            return
        if self._progress is None:
            self._start()
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=self._done)
            if self._done != self._total:
                self._progress.start()  # again, after a pause

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

        detail = self._detail or str

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
