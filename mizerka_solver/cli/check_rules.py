"""`mizerka check-rules`: another program's rules against ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.exceptions import Exit

from mizerka_solver.cli.common import (
    Output,
    OutputOptions,
    count_option,
    json_option,
    option_group,
    path_option,
    seed_option,
    time_limit_option,
)
from mizerka_solver.cli.options import SECONDS
from mizerka_solver.cli.output import files_named
from mizerka_solver.cli.status import status_line

if TYPE_CHECKING:
    from mizerka_solver.testing import RulesReport

EXIT_DIFFERS = 1


@click.command(short_help="Check the rules of another program.")
@click.argument("program", metavar="cmd:PROGRAM")
@count_option("--examples", "examples", "Number of random games.", 100)
@seed_option("Random seed; another seed gives other games.", 0)
@time_limit_option("Time limit in seconds for the whole check.", 120.0)
@click.option(
    "--answer-limit",
    type=SECONDS,
    metavar="S",
    default=10.0,
    show_default=True,
    help="Time limit in seconds for one answer.",
)
@option_group("options", OutputOptions, json_option, path_option)
def command(
    program: str, examples: int, seed: int, time_limit: float, answer_limit: float, options: OutputOptions
) -> None:
    """Implemented Mizerka in another language? Check its rules.

    The program reads JSON objects, one per line, and answers each with one; docs/property-testing.md has the protocol
    and an example. It is asked for legal cards, winners and points in random games, and offered illegal cards and
    exchanges. The first difference is reduced to the shortest record that reproduces it, and reported with the rule it
    breaks. A crash or a hang is a difference too; nothing is left running. Exit code 0: no difference, 1: a difference.

    \b
    Example:
      mizerka check-rules 'cmd:python3 my_mizerka.py' --examples 500
    """
    if not program.startswith("cmd:"):
        raise click.UsageError(f"{program}: a program is given as cmd:PROGRAM, as in 'cmd:python3 my_mizerka.py'")
    from mizerka_solver.testing import ProgramAdapter, check_rules

    with Output(options, files_named(program), whole=True) as output:
        with ProgramAdapter(program, answer_limit) as adapter, status_line("asking") as tell:
            report = check_rules(adapter, examples=examples, seed=seed, time_limit=time_limit, progress=tell)
        if options.as_json:
            output.json(report_json(report))
        else:
            for line in str(report).splitlines():
                output.line(line)
    raise Exit(0 if report.conforms else EXIT_DIFFERS)


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
