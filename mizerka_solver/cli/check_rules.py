"""`mizerka check-rules`: does another program play by the rules?"""

from __future__ import annotations

import signal
from types import FrameType
from typing import TYPE_CHECKING, Any

import click
from click.exceptions import Exit

from mizerka_solver.cli.common import Output, OutputOptions, json_option, option_group, path_option
from mizerka_solver.cli.status import status_line

if TYPE_CHECKING:
    from mizerka_solver.testing import RulesReport

EXIT_DIFFERS = 1
EXIT_TERMINATED = 143


@click.command(short_help="Check the rules of another program.")
@click.argument("program", metavar="cmd:PROGRAM")
@click.option(
    "--examples", type=click.IntRange(1), metavar="N", default=100, show_default=True, help="Random games to begin."
)
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", default=0, show_default=True, help="Other games with another seed."
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    metavar="S",
    default=120.0,
    show_default=True,
    help="Seconds for all.",
)
@click.option(
    "--answer-limit",
    type=click.FloatRange(0, min_open=True),
    metavar="S",
    default=10.0,
    show_default=True,
    help="Seconds each.",
)
@option_group("options", OutputOptions, json_option, path_option)
def command(
    program: str, examples: int, seed: int, time_limit: float, answer_limit: float, options: OutputOptions
) -> None:
    """Check the rules of another program, written in any language, against ours.

    The program reads one JSON object a line and answers each with one; docs/property-testing.md has the protocol and
    an example. It is asked for legal cards, winners and points in random games, and tempted with what is forbidden.
    The first difference is cut down to the shortest record that shows it, and told with the rule that is broken. A
    program that crashes or hangs differs as well; nothing of it is left running. Exit code 0: no difference, 1: one.

    \b
    Example:
      mizerka check-rules 'cmd:python3 my_mizerka.py' --examples 500
    """
    if not program.startswith("cmd:"):
        raise click.UsageError(f"{program}: a program is given as cmd:PROGRAM, as in 'cmd:python3 my_mizerka.py'")
    from mizerka_solver.testing import ProgramAdapter, check_rules

    with Output(options) as output:
        try:
            with OnTermination(), ProgramAdapter(program, answer_limit) as adapter, status_line("asking") as tell:
                report = check_rules(adapter, examples=examples, seed=seed, time_limit=time_limit, progress=tell)
        except Terminated:
            raise Exit(EXIT_TERMINATED) from None
        if options.as_json:
            output.json(report_json(report))
        else:
            for line in str(report).splitlines():
                output.line(line)
    raise Exit(0 if report.conforms else EXIT_DIFFERS)


class Terminated(BaseException):
    """SIGTERM; no SystemExit, which Hypothesis takes for a failure of what it tests."""


class OnTermination:
    """While it lasts SIGTERM ends us as an exception does, so that the program under test is ended first."""

    def __enter__(self) -> None:
        self._before: Any = None
        try:
            self._before = signal.signal(signal.SIGTERM, self._stop)
        except ValueError:  # not the main thread, as in some test runners: then nothing is changed
            return

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGTERM, self._before)

    @staticmethod
    def _stop(number: int, frame: FrameType | None) -> None:
        raise Terminated


def report_json(report: RulesReport) -> dict[str, Any]:
    """Return the object of a report."""
    data: dict[str, Any] = {"conforms": report.conforms, "seed": report.seed}
    data |= {"games": report.n_games, "deals": report.n_deals, "questions": report.n_asked}
    data |= {"complete": report.is_complete, "not_offered": list(report.not_offered)}
    found = report.difference
    if found is not None:
        data |= {"rule": found.rule, "asked": found.asked, "expected": found.expected, "got": found.got}
        data["position"] = None if found.position is None else str(found.position)
        data["deal"] = None if found.deal is None else str(found.deal)
        data["records"] = [record.to_json() for record in found.records]
        data["steady"] = found.is_steady
    return data
