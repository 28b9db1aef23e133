"""What the commands share: options, where input comes from and output goes to, progress, exit codes.

Nothing here knows cards or searches, and nothing slow is imported before it is needed.
"""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click
from click.core import ParameterSource

from mizerka_solver.double_dummy.solver import parse_memory
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.limits import MIN_MEMORY

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from rich.console import Console
    from rich.progress import Progress, TaskID

LINE_MEMORY = 16 << 20  # bytes a thread
EXIT_OVER = 1
EXIT_USAGE = 2
EXIT_SOME_FAILED = 3
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141  # as a shell reports a program that SIGPIPE ended

Function = TypeVar("Function", bound=Callable[..., Any])


# Options


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """-t and --memory."""

    threads: int
    memory: int


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """--json, --csv, -o and --no-progress."""

    as_json: bool = False
    as_csv: bool = False
    path: str | None = None
    no_progress: bool = False


def option_group(
    parameter: str, group: Callable[..., DataclassInstance], *options: Callable[[Function], Function]
) -> Callable[[Function], Function]:
    """Add click options whose values reach the command as one value of the dataclass `group`."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def wrapper(**values: Any) -> Any:
            names = [f.name for f in fields(group)]  # type: ignore[arg-type]
            values[parameter] = group(**{name: values.pop(name) for name in names if name in values})
            return function(**values)

        decorated: Any = wrapper
        for option in reversed(options):
            decorated = option(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate


def _memory(ctx: click.Context, param: click.Parameter, value: str) -> int:
    try:
        return parse_memory(value)
    except MizerkaError as error:
        raise click.BadParameter(str(error)) from None


def _threads(ctx: click.Context, param: click.Parameter, value: int) -> int:
    return value or len(getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))(0))


memory_option = click.option(
    "--memory",
    default="256M",
    show_default=True,
    callback=_memory,
    metavar="SIZE",
    help="For the transposition tables.",
)
threads_option = click.option(
    "-t",
    "--threads",
    type=click.IntRange(0, 1024),
    metavar="N",
    default=1,
    show_default=True,
    callback=_threads,
    help="Searches at once; 0 is one per processor.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="JSON Lines, one object a line.")
csv_option = click.option("--csv", "as_csv", is_flag=True, help="CSV with a header line.")
path_option = click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    help="Write there; replaced at the first result, then written as results come. '-' is standard output.",
)
progress_option = click.option("--no-progress", is_flag=True, help="No progress bar on a terminal.")

engine_options = option_group("engine", EngineOptions, threads_option, memory_option)
output_options = option_group("options", OutputOptions, json_option, csv_option, path_option, progress_option)
inputs_argument = click.argument("inputs", nargs=-1, metavar="[DEAL|FILE|-]...")


def engine_arguments(engine: EngineOptions) -> dict[str, int]:
    """Return the options as arguments of `run_in_order`."""
    return {"threads": engine.threads, "memory": engine.memory}


def table_arguments(engine: EngineOptions, lines: bool) -> dict[str, int]:
    """Return them for equilibria: --memory, if given, is for the tables, but for a little that --line works with."""
    memory = min(engine.memory // 4, LINE_MEMORY * engine.threads) if lines else 0
    arguments = {"threads": engine.threads, "memory": max(memory, MIN_MEMORY)}
    if click.get_current_context().get_parameter_source("memory") is not ParameterSource.DEFAULT:
        arguments["table_memory"] = max(engine.memory - memory, MIN_MEMORY)
    return arguments


# Output


class Output:
    """Where results go: standard output, or a file that is opened when there is something to write.

    Every record is flushed. A path that can't be written, and one that is also read from, is refused before any work.
    """

    def __init__(self, options: OutputOptions, inputs: Iterable[str] = ()) -> None:
        if options.as_json and options.as_csv:
            raise click.UsageError("--json and --csv exclude each other")
        self.options = options
        self.path = None if options.path in (None, "-") else options.path
        self._file: TextIO | None = None
        self._console: Console | None = None
        self._csv_header: list[str] | None = None
        self._used = False
        if self.path is not None:
            self.check_path("-o", self.path, inputs)

    @staticmethod
    def check_path(option: str, path: str, inputs: Iterable[str]) -> None:
        """Raise click.UsageError when a file can't be written there, or is also an input."""
        folder = os.path.dirname(path) or "."
        if os.path.isdir(path) or not os.path.basename(path):
            raise click.UsageError(f"{option} {path}: is a directory")
        if not os.path.isdir(folder):
            raise click.UsageError(f"{option} {path}: there is no directory {folder}")
        if not os.access(path if os.path.exists(path) else folder, os.W_OK):
            raise click.UsageError(f"{option} {path}: may not be written")
        for name in inputs:
            if os.path.isfile(path) and os.path.isfile(name) and os.path.samefile(path, name):
                raise click.UsageError(f"{option} {path}: is also an input")

    @property
    def is_table(self) -> bool:
        """Whether people read it: neither JSON nor CSV."""
        return not (self.options.as_json or self.options.as_csv)

    @property
    def stream(self) -> TextIO:
        """The open stream; opening replaces the file."""
        if self.path is None:
            return sys.stdout
        if self._file is None:
            self._file = open(self.path, "w", encoding="utf-8")  # noqa: SIM115 - closed by __exit__
        return self._file

    @property
    def console(self) -> Console:
        """A rich console on the stream: colour only on a terminal."""
        if self._console is None:
            from rich.console import Console

            self._console = Console(file=self.stream, highlight=False, emoji=False, markup=False)
        return self._console

    @property
    def is_used(self) -> bool:
        """Whether anything was written."""
        return self._used

    @property
    def is_ascii(self) -> bool:
        """Whether the stream can't hold suit signs."""
        try:
            "♠♥♦♣≥≤–·".encode(self.stream.encoding or "utf-8")
        except UnicodeEncodeError:
            return True
        return False

    def line(self, text: str) -> None:
        """Write one line of text; characters the stream can't hold are escaped."""
        stream = self.stream
        self._used = True
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        stream.flush()

    def json(self, data: dict[str, Any]) -> None:
        """Write one object as a line of JSON."""
        self.line(json.dumps(data, separators=(",", ":")))

    def csv(self, row: dict[str, Any]) -> None:
        """Write one row of CSV; the first brings the header with it."""
        rows = [list(row.values())]
        if self._csv_header is None:
            self._csv_header = list(row)
            rows.insert(0, self._csv_header)
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerows(rows)
        self.line(buffer.getvalue().removesuffix("\n"))

    def __enter__(self) -> Output:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()


# Progress and reports


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


class Failures:
    """Reports faulty records in place and remembers how many there were."""

    def __init__(self, output: Output, *, as_json: bool) -> None:
        self._output = output
        self._as_json = as_json
        self.count = 0

    def report(self, error: MizerkaError, line: int) -> None:
        """Say what is wrong with a record, on stderr and, where output is JSON, in its place."""
        self.count += 1
        print(error, file=sys.stderr, flush=True)
        if self._as_json:
            self._output.json({"error": str(error), "line": line})

    @property
    def exit_code(self) -> int:
        """0, or 3 when something failed."""
        return EXIT_SOME_FAILED if self.count else 0
