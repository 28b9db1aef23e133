"""`mizerka exchange`: the best exchange with open cards, or, from one hand, by sampling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click
from click.exceptions import Exit

from mizerka_solver.batches.tasks import ExchangeTask
from mizerka_solver.cli.batches import (
    Batch,
    BatchOptions,
    batch_bar,
    batch_options,
    batch_output,
    batch_output_options,
)
from mizerka_solver.cli.common import (
    EngineOptions,
    Output,
    OutputOptions,
    contract_option,
    converted,
    count_option,
    engine_arguments,
    engine_options,
    limit_options,
    option_group,
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
from mizerka_solver.double_dummy.exchange_phase import read_exchanges
from mizerka_solver.double_dummy.exchange_values import ExchangeLine, ExchangeSolution
from mizerka_solver.double_dummy.query import ExchangeQuery, Subject
from mizerka_solver.game.cards import Card
from mizerka_solver.game.notation import read_lines
from mizerka_solver.game.rules import Contract, Seat
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
            raise click.UsageError("--line and --made exclude each other")
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
        help="Exchanges made: those of earlier seats are carried out, that of --seat is compared with the best.",
    ),
    click.option("--one", is_flag=True, help="Stop at one best exchange; much faster with --others reply."),
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
@batch_options
@batch_output_options
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
    batch: BatchOptions,
    options: OutputOptions,
) -> None:
    """Find a seat's best exchange: exactly, with all cards open; or, with --hand, from its 13 cards, by sampling.

    With open cards, the search knows all hands and the order of the talon, like a clairvoyant. Exchanges that guarantee
    the same tricks are ordered by par if the later seats stand pat, then by fewest cards.

    \b
    Examples:
      mizerka exchange 'F:AK2.-.-.- M:QJ3.-.-.- R:-.AK4.-.- T:S9HQD2' -c N
      mizerka exchange 'F:AK2.-.-.- M:QJ3.-.-.- R:-.AK4.-.- T:S9HQD2' -c M --others reply --line
      mizerka exchange 'F:AK2.-.-.- M:QJ3.-.-.- R:-.AK4.-.- T:S9HQD2' -c S --seat M --made 'F:S2 M:S3' --json
      mizerka exchange --hand AKT973.A4.52.Q63 -c S --margin 0.3 --samples 8 --seed 1
    """
    if known.hand is not None:
        if inputs or opened.line or opened.made or opened.others != "stand":
            raise click.UsageError("--hand excludes a deal, --line, --made and --others")
        sampled = SamplingOptions(samples, seed, limits.seconds)
        exchange_hand(known, contract, seat, sampled, engine, options, top)
        return
    if not inputs:
        raise click.UsageError("give a deal, a file, - for standard input, or --hand")
    watch, workers = Watch(), batch.workers(engine_arguments(engine))
    query = opened.query(
        seat, top, contract=contract, limits=limits, progress=watch if workers.kind == "threads" else None
    )
    task = ExchangeTask(query, opened.line, top)
    sources: Inputs[Subject] = Inputs(inputs, read_lines)
    total = sources.count()
    with (
        batch_output(task, batch, options, sources.files) as output,
        batch_bar(output, total, detail=watch.__str__) as bar,
    ):
        job = Batch(task, workers, batch, output, total, bar)

        def show(found: Answer, record: Record[Subject]) -> None:
            if output.is_table:
                print_answer(output, found, top, job.label(record))

        job.run(sources, show)
        if output.is_table and output.is_used:
            from mizerka_solver.cli import exchange_tables

            exchange_tables.print_legend(output)
    raise Exit(job.failures.exit_code)


def print_answer(output: Output, found: Answer, top: int, label: str) -> None:
    """Print an answer as a table with a label."""
    from mizerka_solver.cli import exchange_tables

    exchange_tables.print_answer(output, found, top, label)
