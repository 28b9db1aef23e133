"""What the commands share, from one place: exit codes, options, output, progress, reports of faulty records.

Options are in options.py, where results go in output.py, the bar in progress.py. Nothing slow is imported before it is
needed.
"""

from __future__ import annotations

from mizerka_solver.cli.options import (
    EngineOptions,
    OutputOptions,
    contract_option,
    contracts_option,
    converted,
    count_option,
    csv_option,
    engine_arguments,
    engine_options,
    inputs_argument,
    json_option,
    json_progress_option,
    leader_option,
    limit_options,
    memory_option,
    option_group,
    output_options,
    path_option,
    progress_option,
    samples_option,
    seat_option,
    seed_option,
    table_arguments,
    threads_option,
    time_limit_option,
)
from mizerka_solver.cli.output import Output, Writer
from mizerka_solver.cli.process import EXIT_INTERRUPTED, say
from mizerka_solver.cli.progress import Bar
from mizerka_solver.support.errors import MizerkaError

EXIT_OVER = 1
EXIT_USAGE = 2
EXIT_SOME_FAILED = 3
EXIT_BROKEN_PIPE = 141  # as a shell reports a program that SIGPIPE ended

__all__ = [
    "EXIT_BROKEN_PIPE",
    "EXIT_INTERRUPTED",
    "EXIT_OVER",
    "EXIT_SOME_FAILED",
    "EXIT_USAGE",
    "Bar",
    "EngineOptions",
    "Failures",
    "Output",
    "OutputOptions",
    "Writer",
    "contract_option",
    "contracts_option",
    "converted",
    "count_option",
    "csv_option",
    "engine_arguments",
    "engine_options",
    "inputs_argument",
    "json_option",
    "json_progress_option",
    "leader_option",
    "limit_options",
    "memory_option",
    "option_group",
    "output_options",
    "path_option",
    "progress_option",
    "samples_option",
    "say",
    "seat_option",
    "seed_option",
    "table_arguments",
    "threads_option",
    "time_limit_option",
]


class Failures:
    """Reports faulty records in place and remembers how many there were."""

    def __init__(self, output: Output, *, as_json: bool) -> None:
        self._output = output
        self._as_json = as_json
        self.count = 0

    def report(self, error: MizerkaError, line: int) -> None:
        """Say what is wrong with a record, on stderr and, where output is JSON, in its place."""
        self.say(error)
        if self._as_json:
            self._output.json({"error": str(error), "line": line})

    def say(self, error: MizerkaError) -> None:
        """Say what is wrong with a record on stderr only."""
        self.count += 1
        say(str(error))

    @property
    def exit_code(self) -> int:
        """0, or 3 when something failed."""
        return EXIT_SOME_FAILED if self.count else 0
