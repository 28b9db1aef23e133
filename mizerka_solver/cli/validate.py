"""`mizerka validate`: are these deals, positions and game records sound?"""

from __future__ import annotations

from collections import Counter

import click
from click.exceptions import Exit

from mizerka_solver.cli.common import EXIT_SOME_FAILED, Output, OutputOptions, json_option, option_group, path_option
from mizerka_solver.cli.rows import Thing, noun_of, read_any
from mizerka_solver.cli.sources import Inputs, Record
from mizerka_solver.support.errors import MizerkaError


@click.command(short_help="Check deals, positions and game records.")
@click.argument("inputs", nargs=-1, required=True, metavar="[DEAL|RECORD|FILE|-]...")
@option_group("options", OutputOptions, json_option, path_option)
def command(inputs: tuple[str, ...], options: OutputOptions) -> None:
    """Check deals, positions and game records (JSON Lines), line by line.

    Every fault is one line with source, line, field, token and the rule it breaks; a count comes last. With --json
    every record gives an object, with "kind" when it is sound and "error" when not.

    \b
    Examples:
      mizerka validate games.jsonl deals.txt
      mizerka validate 'F:K.-.-.- M:Q2.-.-.- R:-.AK.-.- S F SA 0-0-0'
    """
    sources: Inputs[Thing] = Inputs(inputs, read_any, "record")
    kinds: Counter[str] = Counter()
    n_faulty = 0
    with Output(options, sources.files) as output:
        for record in sources:
            if isinstance(record.value, MizerkaError):
                n_faulty += 1
            else:
                kinds[noun_of(record.value)] += 1
            if options.as_json:
                output.json(record_json(record))
            elif isinstance(record.value, MizerkaError):
                output.line(str(record.value))
        if not options.as_json:
            output.line(summary(kinds, n_faulty))
    raise Exit(EXIT_SOME_FAILED if n_faulty else 0)


def record_json(record: Record[Thing]) -> dict[str, object]:
    """Return the object of one record."""
    where = {"source": record.source, "line": record.line}
    error = record.value
    if not isinstance(error, MizerkaError):
        return {**where, "kind": noun_of(error)}
    return {**where, "error": str(error), "field": error.field, "token": error.token, "rule": error.rule}


def summary(kinds: Counter[str], n_faulty: int) -> str:
    """Return '3 deals, 1 position: sound; 2 records: faulty'."""
    sound = ", ".join(counted(n, kind) for kind, n in kinds.items())
    parts = [f"{sound}: sound"] if sound else []
    if n_faulty:
        parts.append(f"{counted(n_faulty, 'record')}: faulty")
    return "; ".join(parts)


def counted(n: int, noun: str) -> str:
    """Return '1 deal', '2 deals'."""
    return f"{n} {noun}{'' if n == 1 else 's'}"
