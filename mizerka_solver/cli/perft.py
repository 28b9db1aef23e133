"""`mizerka perft`: counts of legal play sequences, to compare with another program's."""

from __future__ import annotations

import click
from click.exceptions import Exit

from mizerka_solver.cli.common import (
    Failures,
    Output,
    OutputOptions,
    json_option,
    option_group,
    path_option,
)
from mizerka_solver.cli.sources import Inputs
from mizerka_solver.deal import Deal
from mizerka_solver.errors import InvalidPositionError, MizerkaError
from mizerka_solver.notation import read_lines
from mizerka_solver.perft import PerftCase, perft
from mizerka_solver.position import Position


@click.command(short_help="Count legal play sequences.")
@click.argument("inputs", nargs=-1, required=True, metavar="[POSITION|FILE|-]...")
@click.option("--depth", type=click.IntRange(1), default=3, show_default=True, help="Cards to play; a count each.")
@option_group("options", OutputOptions, json_option, path_option)
def command(inputs: tuple[str, ...], depth: int, options: OutputOptions) -> None:
    """Count in how many ways 1, 2, … cards can be played from a position: chess's perft.

    Two programs whose counts agree agree on legal cards and on who leads, that is, on who wins a trick. The time grows
    with the last count, some hundred thousand a second.

    \b
    Example:
      mizerka perft 'F:A.2.-.- M:K3.-.-.- R:-.54.-.- N F - 0-0-0' --depth 6
    """
    sources: Inputs[Deal | Position] = Inputs(inputs, read_lines, "position")
    with Output(options, sources.files) as output:
        failures = Failures(output, as_json=options.as_json)
        for record in sources:
            value = record.value
            if isinstance(value, Deal):
                rule = "a deal has no contract: write a position, with contract, leader, trick and tricks won"
                value = InvalidPositionError(rule, where="" if sources.is_one_literal else record.where)
                if sources.is_one_literal:
                    raise value
            if isinstance(value, MizerkaError):
                failures.report(value, record.line)
                continue
            case = PerftCase(value, perft(value, depth))
            if options.as_json:
                output.json({"position": str(value), "counts": case.counts})
            else:
                output.line(str(case))
    raise Exit(failures.exit_code)
