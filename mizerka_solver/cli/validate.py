"""`mizerka validate`: are these deals, positions and game records sound, and how are they understood?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import click
from click.exceptions import Exit

from mizerka_solver.cli.common import EXIT_SOME_FAILED, Output, OutputOptions, json_option, option_group, path_option
from mizerka_solver.cli.rows import Thing, noun_of
from mizerka_solver.cli.sources import Inputs, Record
from mizerka_solver.cli.words import counted
from mizerka_solver.game.notation import blocks, read_block, subject_text
from mizerka_solver.reading.explain import Explanation, explain
from mizerka_solver.support.errors import MizerkaError


@dataclass(frozen=True)
class Examined:
    """What a block of lines holds, or what is wrong with it, and how it was understood."""

    found: Thing | MizerkaError
    text: str = ""

    def explanation(self) -> Explanation | None:
        """Return how it is understood; None when that can't be said, and the error says why."""
        try:
            return explain(subject_text(self.text))
        except MizerkaError:
            return None


def examined(lines: Iterable[str | bytes], source: str) -> Iterator[tuple[int, Examined | MizerkaError]]:
    """Yield what stands in each block of lines."""
    for number, text in blocks(lines, source):
        if isinstance(text, MizerkaError):
            yield number, Examined(text)
            continue
        try:
            yield number, Examined(read_block(text), text)
        except MizerkaError as error:
            yield number, Examined(error.at(where=f"{source}:{number}"), text)


@click.command(short_help="Check deals, positions and game records.")
@click.argument("inputs", nargs=-1, required=True, metavar="[DEAL|RECORD|FILE|-]...")
@click.option(
    "--explain", is_flag=True, help="Show each deal as understood, with cards that are missing or given twice."
)
@option_group("options", OutputOptions, json_option, path_option)
def command(inputs: tuple[str, ...], explain: bool, options: OutputOptions) -> None:
    """Check deals, positions and game records (JSON Lines), line by line.

    Every fault is one line with source, line, field, token and the rule it breaks; the last line is a count. With
    --json every record gives an object, with "kind" if it is sound and "error" if not. --explain shows how each deal
    is understood: its standard spelling, the cards of each hand, and which are missing or given twice.

    \b
    Examples:
      mizerka validate games.jsonl deals.txt
      mizerka validate 'F:K.-.-.- M:Q2.-.-.- R:-.AK.-.- S F SA 0-0-0'
      mizerka validate --explain 'F: ♠AK ♥3  M: ♠Q2 ♣A  R: ♥AK4'
    """
    sources: Inputs[Examined] = Inputs(inputs, examined, "record")
    kinds: Counter[str] = Counter()
    n_faulty = 0
    with Output(options, sources.files) as output:
        for record in sources:
            value = record.value
            if isinstance(value, MizerkaError):  # a file that can't be read
                value = Examined(value)
            if isinstance(value.found, MizerkaError):
                n_faulty += 1
                if sources.is_one_literal and not explain:
                    raise without_place(value.found)
            else:
                kinds[noun_of(value.found)] += 1
            if options.as_json:
                output.json(record_json(record, value, explain))
            else:
                for line in told(record, value, explain):
                    output.line(line)
        if not options.as_json:
            output.line(summary(kinds, n_faulty))
    raise Exit(EXIT_SOME_FAILED if n_faulty else 0)


def without_place(error: MizerkaError) -> MizerkaError:
    """Return an error that says what is wrong, but not where."""
    return type(error)(error.rule, token=error.token, field=error.field)


def told(record: Record[Examined], value: Examined, explain: bool) -> Iterator[str]:
    """Yield the lines about one record: its fault, and with --explain how it is understood."""
    if isinstance(value.found, MizerkaError):
        yield str(value.found)
    elif explain:
        yield f"{record.where}: {noun_of(value.found)}, sound"
    explanation = value.explanation() if explain else None
    if explanation is not None:
        yield from (f"  {line}" for line in explanation.lines())


def record_json(record: Record[Examined], value: Examined, explain: bool) -> dict[str, object]:
    """Return the object of one record."""
    data: dict[str, object] = {"source": record.source, "line": record.line}
    found = value.found
    if isinstance(found, MizerkaError):
        data |= {"error": str(found), "field": found.field, "token": found.token, "rule": found.rule}
    else:
        data["kind"] = noun_of(found)
    explanation = value.explanation() if explain else None
    return data if explanation is None else {**data, "understood": explanation.as_dict()}


def summary(kinds: Counter[str], n_faulty: int) -> str:
    """Return '3 deals, 1 position: sound; 2 records: faulty'."""
    sound = ", ".join(counted(n, kind) for kind, n in kinds.items())
    parts = [f"{sound}: sound"] if sound else []
    if n_faulty:
        parts.append(f"{counted(n_faulty, 'record')}: faulty")
    return "; ".join(parts)
