"""What commands that answer for many records share: options, workers, and the way from a record to where it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import click

from mizerka_solver.batches.backends import KINDS, Backend
from mizerka_solver.batches.schema import COLUMNS, suffix_of
from mizerka_solver.batches.tasks import Task
from mizerka_solver.cli import process
from mizerka_solver.cli.common import (
    Bar,
    Failures,
    Output,
    OutputOptions,
    csv_option,
    json_option,
    json_progress_option,
    option_group,
    progress_option,
)
from mizerka_solver.cli.sources import Record
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.support.errors import MizerkaError, quoted

if TYPE_CHECKING:
    from mizerka_solver.cli.batch_file import Named

Found = TypeVar("Found")
Show = Callable[[Any, Record[Any]], None]


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """--backend, --dask, --resume and --unordered."""

    backend: str | None = None
    dask: str | None = None
    resume: bool = False
    unordered: bool = False

    def check(self, options: OutputOptions) -> None:
        """Raise click.UsageError for options that exclude each other."""
        if self.dask is not None and self.backend not in (None, "dask"):
            raise click.UsageError("--dask goes with --backend dask")
        if self.resume and self.unordered:
            raise click.UsageError("--resume needs the order of the input, without --unordered")
        if self.resume and (suffix_of(options.path) is None or options.as_csv):
            raise click.UsageError("--resume goes with -o FILE.jsonl, .csv, .npz or .parquet, without --csv")

    def workers(self, arguments: dict[str, int]) -> Backend:
        """Return what the batch is worked on by; arguments: threads, memory and table_memory; raises MizerkaError."""
        kind = "dask" if self.dask is not None else self.backend or "threads"
        return Backend(kind, address=self.dask, **arguments)  # type: ignore[arg-type]


backend_option = click.option("--backend", type=click.Choice(KINDS), help="Workers of a batch; extra cluster.")
dask_option = click.option("--dask", metavar="ADDRESS", help="Dask scheduler; by default a local cluster.")
resume_option = click.option("--resume", is_flag=True, help="With -o: keep what FILE has, do the rest.")
unordered_option = click.option("--unordered", is_flag=True, help="Write answers as they come.")
batch_options = option_group("batch", BatchOptions, backend_option, dask_option, resume_option, unordered_option)
batch_path_option = click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    help="Write to FILE once there is a result; as .jsonl, .csv, .npz or .parquet by its suffix.",
)
batch_output_options = option_group(
    "options",
    OutputOptions,
    json_option,
    csv_option,
    batch_path_option,
    progress_option,
    json_progress_option,
)


class Numbered(NamedTuple):
    """A record and its number in the input, from 1."""

    number: int
    record: Record[Any]


class Answered(NamedTuple):
    """An item and its answer, None where the record is faulty: its value then is the error."""

    item: Numbered
    found: Any


@dataclass(frozen=True, slots=True)
class Ask(Generic[Found]):
    """The job for each item: a faulty record passes through, and so does one the task has an error for.

    alone: there is but one record, whose error is the command's. fresh: begin each with empty tables, so that its
    answer does not tell, by the nodes it took, what the same worker did before: a file is the same for all backends.
    """

    task: Task[Any, Found]
    alone: bool = False
    fresh: bool = False

    def __call__(self, solver: Solver, item: Numbered) -> Answered:
        """Return the answer."""
        number, record = item
        if isinstance(record.value, MizerkaError):
            return Answered(item, None)
        if self.fresh:
            solver.clear()
        try:
            return Answered(item, self.task(solver, record.value))
        except MizerkaError as error:
            if self.alone:
                raise
            failed: Record[Any] = Record(record.source, record.line, error.at(where=record.where))
            return Answered(Numbered(number, failed), None)

    def named(self, item: Numbered) -> Named:
        """Return what the item's record is called in a file."""
        from mizerka_solver.cli.batch_file import Named

        record = item.record
        if isinstance(record.value, MizerkaError):
            return Named(str(record.value), True, record.where)
        try:
            return Named(self.task.name(record.value), False, record.where)
        except MizerkaError as error:
            return Named(str(error.at(where=record.where)), True, record.where)


@dataclass
class Batch:
    """Records on their way: from the input over workers to a file, or to whatever shows them.

    only_shown: answers are not written here, but only shown. raises: the error of the only record is the command's.
    """

    task: Task[Any, Any]
    workers: Backend
    asked: BatchOptions
    output: Output
    total: int | None
    bar: Bar
    only_shown: bool = False
    raises: bool = True
    failures: Failures = field(init=False)

    def __post_init__(self) -> None:
        self.file = self.output.file
        self.failures = Failures(self.output, as_json=self.output.options.as_json)
        if self.file is not None:
            self.failures.count = self.file.n_failed

    def label(self, record: Record[Any]) -> str:
        """Return what stands above a table: the record's place, or nothing where there is but one."""
        return record.where if self.total != 1 else ""

    def run(self, records: Iterable[Record[Any]], show: Show) -> None:
        """Answer all records; show: given each answer and its record, prints a table if that is wanted."""
        ask = Ask(self.task, self.raises and self.total == 1, fresh=self.file is not None)
        items: Iterable[Numbered] = (Numbered(number, record) for number, record in enumerate(records, start=1))
        if self.file is not None:
            items = self.file.remaining(items, ask.named)
        results = self.workers.run(ask, items, ordered=not self.asked.unordered, alone=self.total == 1)
        with closing(results) as answers:
            for answered in answers:
                if process.stop.number is not None:  # told in a callback of a library, which swallowed the exception
                    raise KeyboardInterrupt
                self.bar.pause()
                self._put(answered, show)
                if self.file is None or answered.item.number > self.file.n_kept:
                    self.bar.advance()

    def _put(self, answered: Answered, show: Show) -> None:
        (number, record), found = answered
        if isinstance(record.value, MizerkaError):
            self._fail(number, record.value, record.line)
            return
        if not self.only_shown:
            self._write(number, record, found)
        if self.file is None or number > self.file.n_kept:
            show(found, record)

    def _write(self, number: int, record: Record[Any], found: Any) -> None:
        if self.file is not None:
            # A record without rows (a game without a card) has one that names it, or it would be done again and again.
            rows = list(self.task.rows(found, record)) or [{self.task.schema.subject: self.task.name(record.value)}]
            self.file.put(number, self.task.data(found, record), rows)
        elif self.output.options.as_json:
            self.output.json(self.task.data(found, record))
        elif self.output.options.as_csv:
            for row in self.task.rows(found, record):
                self.output.csv(dict(row))

    def _fail(self, number: int, error: MizerkaError, line: int) -> None:
        if self.file is None:
            self.failures.report(error, line)
        elif number > self.file.n_kept:
            self.failures.say(error)
            self.file.fail(number, str(error), line)


def batch_output(
    task: Task[Any, Any], asked: BatchOptions, options: OutputOptions, inputs: list[str], *, only_shown: bool = False
) -> Output:
    """Return where answers go: a batch's file, if the suffix of -o is that of one, or what --json and --csv say.

    only_shown: there will be no records, but what sums them up; text is written as --json and --csv write it.
    """
    asked.check(options)
    suffix = suffix_of(options.path)
    is_told = options.as_json or options.as_csv
    if is_told and suffix in COLUMNS:
        raise click.UsageError(f"-o {quoted(options.path or '', 200)}: a {suffix} file is no place for --json or --csv")
    if suffix is None or options.path is None or options.as_csv or (options.as_json and suffix != ".jsonl"):
        return Output(options, inputs)
    if only_shown and suffix in COLUMNS:
        raise click.UsageError(
            f"-o {quoted(options.path, 200)}: a {suffix} file is for records, which --summary has not"
        )
    if only_shown:
        return Output(replace(options, as_json=suffix == ".jsonl", as_csv=suffix == ".csv"), inputs)
    from mizerka_solver.cli.batch_file import BatchFile

    file = BatchFile(options.path, inputs, task.schema, resume=asked.resume, repeatable=task.repeatable)
    return Output(options, inputs, file=file)


def batch_bar(output: Output, total: int | None, unit: str = "deals", detail: Callable[[], str] | None = None) -> Bar:
    """Return the progress of a batch; what its file has already is done."""
    return Bar(output, total, unit, detail, done=0 if output.file is None else output.file.n_kept)
