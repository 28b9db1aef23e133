"""`mizerka perft`: counts of legal play sequences, to compare with another program's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click
from click.exceptions import Exit

from mizerka_solver.cli.common import (
    Failures,
    Output,
    OutputOptions,
    count_option,
    json_option,
    option_group,
    path_option,
)
from mizerka_solver.cli.sources import Inputs
from mizerka_solver.cli.words import counted
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.notation import parse_line, read_each
from mizerka_solver.game.perft import PerftCase, golden_text, perft
from mizerka_solver.support.errors import InvalidPositionError, MizerkaError


@click.command(short_help="Count legal play sequences.")
@click.argument("inputs", nargs=-1, metavar="[POSITION|FILE|-]...")
@count_option("--depth", "depth", "Number of cards to play, with one count for each.", 3)
@click.option("--golden", is_flag=True, help="Print the positions and counts that come with the package.")
@option_group("options", OutputOptions, json_option, path_option)
def command(inputs: tuple[str, ...], depth: int, golden: bool, options: OutputOptions) -> None:
    """Count the ways to play 1, 2, … cards from a position, as chess's perft does.

    Two programs with the same counts agree on legal cards and on who wins a trick. The time grows with the last count,
    some hundred thousand a second. A position may be followed by the counts of another program, as in the output of
    --golden: it is counted to the same depth, and the first count that differs is an error.

    \b
    Examples:
      mizerka perft 'F:A.2.-.- M:K3.-.-.- R:-.54.-.- N F - 0-0-0' --depth 6
      mizerka perft 'F:A.2.-.- M:K3.-.-.- R:-.54.-.- N F - 0-0-0 ;D1 2 ;D2 4 ;D3 8'
      mizerka perft --golden -o perft.txt
    """
    if golden:
        print_golden(inputs, options)
        return
    if not inputs:
        raise click.UsageError("Missing argument '[POSITION|FILE|-]...'.")
    sources: Inputs[PerftCase] = Inputs(inputs, read_questions, "position")
    with Output(options, sources.files) as output:
        failures = Failures(output, as_json=options.as_json)
        for record in sources:
            value = record.value
            if not isinstance(value, MizerkaError):
                value = answer(value, depth, "" if sources.is_one_literal else record.where)
                if sources.is_one_literal and isinstance(value, MizerkaError):
                    raise value
            if isinstance(value, MizerkaError):
                failures.report(value, record.line)
            elif options.as_json:
                output.json({"position": str(value.position), "counts": value.counts})
            else:
                output.line(str(value))
    raise Exit(failures.exit_code)


def print_golden(inputs: tuple[str, ...], options: OutputOptions) -> None:
    """Print the golden file."""
    if inputs or options.as_json:
        raise click.UsageError("--golden excludes positions and --json")
    with Output(options, whole=True) as output:
        for line in golden_text().splitlines():
            output.line(line)


def read_questions(lines: Iterable[str | bytes], source: str) -> Iterator[tuple[int, PerftCase | MizerkaError]]:
    """Yield (line number, position with the counts it comes with, or the located error) of lines."""
    return read_each(read_question, lines, source)


def read_question(text: str) -> PerftCase:
    """Return the position of a line with the counts it comes with; raises MizerkaError."""
    if isinstance(parse_line(text.partition(";")[0]), Deal):
        raise InvalidPositionError(
            "a deal has no contract: write a position, with contract, leader, trick and tricks won"
        )
    return PerftCase.parse(text)


def answer(asked: PerftCase, depth: int, where: str) -> PerftCase | MizerkaError:
    """Return the position with our counts, or what is wrong with those it came with."""
    counts = perft(asked.position, len(asked.counts) or depth)
    for number, (ours, theirs) in enumerate(zip(counts, asked.counts, strict=False), start=1):
        if ours != theirs:
            rule = f"{counted(number, 'card')} can be played in {counted(ours, 'way')}"
            return MizerkaError(rule, field=f"D{number}", token=str(theirs), where=where)
    return PerftCase(asked.position, counts)
