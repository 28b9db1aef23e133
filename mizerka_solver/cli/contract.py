"""`mizerka contract`: which contract to name from six cards."""

from __future__ import annotations

import re
from functools import partial

import click
from click.exceptions import Exit

from mizerka_solver.batches.tasks import ContractTask
from mizerka_solver.cli.batches import (
    Batch,
    BatchOptions,
    batch_bar,
    batch_options,
    batch_output,
    batch_output_options,
)
from mizerka_solver.cli.common import Bar, EngineOptions, Output, OutputOptions, engine_arguments, engine_options
from mizerka_solver.cli.hidden import (
    CONTRACT_LEGEND,
    SamplingOptions,
    finish,
    print_contracts,
    print_note,
    sampling_options,
)
from mizerka_solver.cli.sources import Inputs, Record
from mizerka_solver.game.cards import Hand
from mizerka_solver.game.convert import as_contracts, as_hand
from mizerka_solver.game.rules import Contract
from mizerka_solver.hidden.contracts import ContractReport, check_preview_size, forecast_contracts
from mizerka_solver.hidden.previews import read_previews
from mizerka_solver.hidden.view import View
from mizerka_solver.support.errors import read_field

LITERAL = re.compile(
    r".*[\s:{♠♥♦♣,]|([^.]*\.){3}|(10|[^.]{2}){6}$", re.DOTALL
)  # what is cards rather than a file's name


@click.command(short_help="The best contract to name from six cards, by sampling.")
@click.argument("inputs", nargs=-1, metavar="[CARDS|DEAL|FILE|-]...")
@click.option("--hand", metavar="SIX", help="The six cards seen, 'AKQ9.A.-.4' or SASKSQS9HAC4.")
@click.option(
    "--remaining",
    default="SHDCNM",
    show_default=True,
    metavar="LETTERS",
    help="Contracts you have yet to name in this game.",
)
@sampling_options
@engine_options
@batch_options
@batch_output_options
def command(
    inputs: tuple[str, ...],
    hand: str | None,
    remaining: str,
    sampled: SamplingOptions,
    engine: EngineOptions,
    batch: BatchOptions,
    options: OutputOptions,
) -> None:
    """Estimate what each contract promises forehand, who has seen six cards, and what naming it now costs later.

    The unseen cards are sampled, all three exchange by a quick policy, and the deal is solved with open cards. Each
    contract can be named once in a game, so one that is worth more in later deals must promise more now. The same seed
    gives the same answer on any number of threads.

    A file has one preview per line: six cards, a deal or record that marks them (P:), or JSON with the fields hand and
    remaining. A faulty line is reported in its place; the others are answered.

    \b
    Examples:
      mizerka contract --hand AKQ9.A.-.4 --samples 4 --seed 1
      mizerka contract --hand SASKSQS9HAC4 --remaining SN --samples 8 --seed 1 --json
      mizerka contract six.txt --samples 50 --seed 1 -o contracts.csv
    """
    contracts = read_field("--remaining", as_contracts, remaining)
    if hand is not None:
        if inputs:
            raise click.UsageError("--hand excludes other cards and files")
        preview = read_field("--hand", as_hand, hand)
        check_preview_size(preview)
        with Output(options, whole=True) as output:
            answer_one(preview, contracts, sampled, engine, output)
        return
    if not inputs:
        raise click.UsageError("give six cards, a file, - for standard input, or --hand")
    answer_many(inputs, contracts, sampled, engine, batch, options)


def answer_one(
    preview: Hand, contracts: tuple[Contract, ...], sampled: SamplingOptions, engine: EngineOptions, output: Output
) -> None:
    """Answer for one hand, on all threads, with progress by world."""
    with Bar(output, sampled.n_samples, "worlds", str) as bar:
        report = forecast_contracts(preview, contracts, sampled.sampling(engine, bar))
    finish(output, report.stopped, partial(print_report, output, report))
    if output.is_table:
        print_note(output, CONTRACT_LEGEND)


def answer_many(
    inputs: tuple[str, ...],
    contracts: tuple[Contract, ...],
    sampled: SamplingOptions,
    engine: EngineOptions,
    batch: BatchOptions,
    options: OutputOptions,
) -> None:
    """Answer for each preview of the inputs, one a worker; leaves with the exit status of a batch."""
    workers = batch.workers(engine_arguments(engine))
    sources: Inputs[View] = Inputs(inputs, partial(read_previews, remaining=contracts), "hand", LITERAL)
    task, total = ContractTask(sampled.plain()), sources.count()
    with batch_output(task, batch, options, sources.files) as output, batch_bar(output, total, "previews") as bar:
        job = Batch(task, workers, batch, output, total, bar)

        def show(found: ContractReport, record: Record[View]) -> None:
            if output.is_table:
                print_contracts(output, found, job.label(record))

        job.run(sources, show)
        if output.is_table and output.is_used:
            print_note(output, CONTRACT_LEGEND)
    raise Exit(job.failures.exit_code)


def print_report(output: Output, report: ContractReport) -> None:
    """Print a report in the form that was asked for."""
    if output.options.as_json:
        output.json(report.as_dict())
    elif output.options.as_csv:
        for row in report.rows():
            output.csv(row)
    else:
        print_contracts(output, report)
