"""`mizerka exchange`: the best exchange with open cards, or, from one hand, by sampling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import click
from click.exceptions import Exit

from mizerka_solver.cli.common import (
    Bar,
    EngineOptions,
    Failures,
    Output,
    OutputOptions,
    contract_option,
    converted,
    count_option,
    engine_options,
    limit_options,
    option_group,
    output_options,
    seat_option,
    seed_option,
)
from mizerka_solver.cli.hidden import (
    HandOptions,
    SamplingOptions,
    exchange_hand,
    hand_options,
    worlds_option,
)
from mizerka_solver.cli.sources import Inputs, Record
from mizerka_solver.double_dummy.batch import run_in_order
from mizerka_solver.double_dummy.exchange_phase import read_exchanges
from mizerka_solver.double_dummy.exchange_values import ExchangeLine, ExchangeSolution
from mizerka_solver.double_dummy.query import ExchangeQuery, Subject, as_deal
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.game.cards import Card
from mizerka_solver.game.notation import read_lines
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.limits import Limits

Answer = ExchangeSolution | ExchangeLine
PAR_OF = 16  # best exchanges of which par is found, unless more are shown


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """What is asked of each deal, beside contract, seat and limits."""

    others: str
    line: bool
    made: Mapping[Seat, Sequence[Card]]
    one: bool

    def query(self, seat: Seat, top: int, **rest: Any) -> ExchangeQuery:
        """Return the question; raises MizerkaError for exchanges that don't fit."""
        if self.line and self.made:
            raise click.UsageError("--line makes its own exchanges, without --made")
        if late := [str(other) for other in self.made if other > seat]:
            raise click.UsageError(f"--made {late[0]}: later than --seat {seat}")
        return ExchangeQuery(
            seat=seat,
            others=self.others,
            exchanges={other: tuple(cards) for other, cards in self.made.items() if other < seat},
            made=tuple(self.made[seat]) if seat in self.made else None,
            top=top if self.line else max(top, PAR_OF),
            ties=not self.one,
            **rest,
        )


class Watch:
    """How far the exchange that reported last is."""

    def __init__(self) -> None:
        self._seen = (0, 0, 0, 0)

    def __call__(self, done: int, total: int, lower: int, upper: int) -> None:
        """Take a report: see `Solver.exchange`."""
        self._seen = (done, total, lower, upper)

    def __str__(self) -> str:
        done, total, lower, upper = self._seen
        return f"{done}/{total} discards, best {lower} to {upper}" if total else ""


open_options = option_group(
    "opened",
    OpenOptions,
    click.option(
        "--others",
        type=click.Choice(["stand", "reply"]),
        default="stand",
        show_default=True,
        help="Later seats stand pat, or exchange jointly against the seat.",
    ),
    click.option("--line", is_flag=True, help="Show the whole exchange: each seat in turn makes its best one."),
    click.option(
        "--made",
        default="",
        callback=converted(read_exchanges),
        metavar="'F:S2,H4 M:D5'",
        help="Exchanges made: those before --seat come first, that of --seat is compared with the best.",
    ),
    click.option("--one", is_flag=True, help="Stop at one best exchange; faster, and much faster with --others reply."),
)


@click.command(short_help="The best exchange, with open cards or by sampling from one hand.")
@click.argument("inputs", nargs=-1, metavar="[DEAL|FILE|-]...")
@contract_option
@seat_option("--seat", "seat", "Seat that exchanges.", "F")
@open_options
@hand_options
@worlds_option
@seed_option()
@count_option("--top", "top", "Number of best exchanges to show.", 10)
@limit_options(
    "Node limit: cards played for one seat; then bounds are printed.",
    "Time limit in seconds for one answer; then bounds are printed.",
)
@engine_options
@output_options
def command(
    inputs: tuple[str, ...],
    contract: Contract,
    seat: Seat,
    opened: OpenOptions,
    known: HandOptions,
    samples: int | None,
    seed: int | None,
    top: int,
    limits: Limits,
    engine: EngineOptions,
    options: OutputOptions,
) -> None:
    """Find the best exchange of a seat: with all cards open, exactly; or with --hand from 13 cards, by sampling.

    With open cards, all cards and the order of the talon are known, as to a clairvoyant. Exchanges with the same
    guaranteed tricks are ordered by par after them if the later seats stand pat, then by fewest cards.

    \b
    Examples:
      mizerka exchange 'F:AK2.-.-.- M:QJ3.-.-.- R:-.AK4.-.- T:S9HQD2' -c N
      mizerka exchange 'F:AK2.-.-.- M:QJ3.-.-.- R:-.AK4.-.- T:S9HQD2' -c M --others reply --line
      mizerka exchange 'F:AK2.-.-.- M:QJ3.-.-.- R:-.AK4.-.- T:S9HQD2' -c S --seat M --made 'F:S2 M:S3' --json
      mizerka exchange --hand AKT973.A4.52.Q63 -c S --margin 0.3 --samples 8 --seed 1
    """
    if known.hand is not None:
        if inputs or opened.line or opened.made or opened.others != "stand":
            raise click.UsageError("--hand takes no deal, and no --line, --made or --others")
        sampled = SamplingOptions(samples, seed, limits.seconds)
        exchange_hand(known, contract, seat, sampled, engine, options, top)
        return
    if not inputs:
        raise click.UsageError("give a deal, a file, - for standard input, or --hand")
    watch = Watch()
    query = opened.query(seat, top, contract=contract, limits=limits, progress=watch)
    sources: Inputs[Subject] = Inputs(inputs, read_lines)
    total = sources.count()
    with Output(options, sources.files) as output, Bar(output, total, detail=watch.__str__) as bar:
        failures = Failures(output, as_json=options.as_json)

        def ask(solver: Solver, record: Record[Subject]) -> tuple[Record[Subject], Answer | MizerkaError]:
            return record, answer(query, solver, record, line=opened.line, alone=sources.is_one_literal)

        with closing(run_in_order(ask, sources, threads=engine.threads, memory=engine.memory)) as answers:
            for record, found in answers:
                bar.pause()
                if isinstance(found, MizerkaError):
                    failures.report(found, record.line)
                else:
                    print_answer(output, found, top, record.where if total != 1 else "")
                bar.advance()
        if output.is_table and output.is_used:
            from mizerka_solver.cli import exchange_tables

            exchange_tables.print_legend(output)
    raise Exit(failures.exit_code)


def answer(
    query: ExchangeQuery, solver: Solver, record: Record[Subject], *, line: bool, alone: bool
) -> Answer | MizerkaError:
    """Return the answer or what is wrong with the record; for a sole literal that is raised instead."""
    try:
        if isinstance(record.value, MizerkaError):
            return record.value
        deal = as_deal(record.value)
        return query.ask_line(solver, deal) if line else query.ask(solver, deal)
    except MizerkaError as error:
        if alone:
            raise
        return error.at(where=record.where)


def print_answer(output: Output, found: Answer, top: int, label: str) -> None:
    """Print an answer in the form that was asked for; tables have a label."""
    if output.options.as_json:
        output.json(found.as_dict(top))
    elif output.options.as_csv:
        for row in found.rows() if isinstance(found, ExchangeLine) else found.rows(top):
            output.csv(row)
    else:
        from mizerka_solver.cli import exchange_tables

        exchange_tables.print_answer(output, found, top, label)
