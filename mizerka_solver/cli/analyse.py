"""`mizerka analyse`: every card of game records against open cards, and who plays how well."""

from __future__ import annotations

from dataclasses import dataclass

import click
from click.exceptions import Exit

from mizerka_solver.batches.tasks import ReviewTask
from mizerka_solver.cli.batches import (
    Batch,
    BatchOptions,
    batch_bar,
    batch_options,
    batch_output,
    batch_output_options,
)
from mizerka_solver.cli.common import (
    EXIT_OVER,
    EngineOptions,
    Failures,
    Output,
    OutputOptions,
    engine_arguments,
    engine_options,
    option_group,
    say,
    table_arguments,
)
from mizerka_solver.cli.options import SEAT, Decimal, WholeNumber
from mizerka_solver.cli.sources import Inputs, Record
from mizerka_solver.game.notation import read_played
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import Seat
from mizerka_solver.review.analysis import RecordReview
from mizerka_solver.review.query import ReviewQuery
from mizerka_solver.review.summary import N_WORST, Summary


@dataclass(frozen=True, slots=True)
class AnalyseRequest:
    """What is judged, whom it is counted for, and how much is shown."""

    players: tuple[str, ...]
    seats: tuple[Seat, ...]
    contracts: bool | None
    exchanges: bool | None
    best_exchanges: bool
    contract_samples: int
    equilibria: bool
    cards: bool
    only_summary: bool
    n_worst: int
    fail_over: float | None

    @property
    def query(self) -> ReviewQuery:
        """What is asked of each record."""
        return ReviewQuery(
            self.contracts,
            self.exchanges,
            self.best_exchanges,
            expected=self.equilibria,
            contract_samples=self.contract_samples,
        )


asked_options = option_group(
    "asked",
    AnalyseRequest,
    click.option("--player", "players", multiple=True, metavar="NAME", help="Include only this player's cards."),
    click.option(
        "--seat",
        "seats",
        multiple=True,
        type=SEAT,
        metavar="F|M|R",
        help="Include only this seat's cards.",
    ),
    click.option(
        "--contracts/--no-contracts",
        default=None,
        help="Judge the contract named, by searching the whole deal. Default: if the record has the talon.",
    ),
    click.option(
        "--exchanges/--no-exchanges",
        default=None,
        help="Judge what each seat's exchange did. Default: if the record has the talon.",
    ),
    click.option(
        "--best-exchanges",
        is_flag=True,
        help="Also search for the best exchange, and show what the one made cost; takes seconds in mizerka.",
    ),
    click.option(
        "--contract-samples",
        type=WholeNumber(0, 10_000),
        metavar="N",
        default=0,
        show_default=True,
        help="Deals to sample for what each contract promised, given the six cards seen; 0: fitted weights, no search.",
    ),
    click.option(
        "--equilibria",
        is_flag=True,
        help="Also print what cards cost in expected points; see `mizerka solve --equilibria`, also for --memory.",
    ),
    click.option("--cards", is_flag=True, help="Print the table of cards for every record, even if there are several."),
    click.option(
        "--summary", "only_summary", is_flag=True, help="Print only the summary; with --csv, one row per line."
    ),
    click.option(
        "--worst",
        "n_worst",
        type=WholeNumber(0, 1000),
        metavar="N",
        default=N_WORST,
        show_default=True,
        help="Number of worst cards to list.",
    ),
    click.option(
        "--fail-over",
        type=Decimal(0),
        metavar="X",
        help="Exit with 1 if a player loses more than X guaranteed points a deal on average.",
    ),
)


@click.command(short_help="What each card of game records cost; who plays how well.")
@click.argument("inputs", nargs=-1, required=True, metavar="RECORDS...")
@asked_options
@engine_options
@batch_options
@batch_output_options
def command(
    inputs: tuple[str, ...], asked: AnalyseRequest, engine: EngineOptions, batch: BatchOptions, options: OutputOptions
) -> None:
    """Judge every card, contract and exchange of game records (JSON Lines, see docs/analyse.md), with all cards open.

    A card's cost is what it takes from its player's guaranteed points; its effect on the others is shown beside it.
    Forced cards, and choices between cards that lead to the same play, are not decisions and are not counted. The
    summary is by player, seat, contract, place in the trick and trick number, with standard errors. It shows where each
    player's points come from and what separates the players, and lists the worst cards as positions for `mizerka solve
    --cards`. One record is shown card by card, several only as a summary. Open cards are not skill: a player sees only
    one hand.

    \b
    Examples:
      mizerka analyse games.jsonl
      mizerka analyse games.jsonl --player b --fail-over 2.5 --summary --json
    """
    sources: Inputs[GameRecord] = Inputs(inputs, read_played, "record")
    summary = Summary(asked.players, asked.seats, asked.n_worst)
    total = sources.count()
    task, workers = ReviewTask(asked.query), batch.workers(arguments(engine, asked))
    if batch.resume and (asked.only_summary or asked.fail_over is not None):
        raise click.UsageError("--resume goes without --summary and --fail-over: what FILE has is not judged once more")
    with batch_output(task, batch, options, sources.files, only_shown=asked.only_summary) as output:
        try:
            with batch_bar(output, total, "records") as bar:
                job = Batch(task, workers, batch, output, total, bar, asked.only_summary, raises=False)

                def show(reviewed: RecordReview, record: Record[GameRecord]) -> None:
                    print_review(output, asked, record, reviewed, total == 1)
                    summary.add(reviewed, record.where)

                job.run(sources, show)
        finally:  # of an interrupted run too: what is done is written
            if summary.n_records and not summary.unmatched():
                print_summary(output, asked, summary)
            if output.file is not None and output.file.n_kept:
                say(f"Not in the summary: {output.file.n_kept} records that {options.path} had before.")
        if summary.n_records and summary.unmatched():
            raise click.UsageError(summary.unmatched())
    raise Exit(exit_code(summary, asked.fail_over, job.failures))


def arguments(engine: EngineOptions, asked: AnalyseRequest) -> dict[str, int]:
    """Return the options as arguments of `run_in_order`: with --equilibria, --memory is for both kinds of table."""
    return table_arguments(engine, lines=True) if asked.equilibria else engine_arguments(engine)


def exit_code(summary: Summary, threshold: float | None, failures: Failures) -> int:
    """Return the code, and say which player was over the threshold; a faulty record outweighs it."""
    over = [] if threshold is None else summary.over(threshold)
    for player, cost in over:
        say(f"{player}: {cost:.3f} guaranteed points lost a deal, more than {threshold:g}")
    for problem in summary.faulty:
        say(f"does not add up, please report it: {problem}")
    return failures.exit_code or (EXIT_OVER if over else 0)


# Output


def print_review(
    output: Output, asked: AnalyseRequest, record: Record[GameRecord], reviewed: RecordReview, is_only: bool
) -> None:
    """Print one record as a table, where one is wanted."""
    if output.is_table and not asked.only_summary and (is_only or asked.cards):
        from mizerka_solver.cli import review_tables

        review_tables.print_review(output, reviewed, record.where)


def print_summary(output: Output, asked: AnalyseRequest, summary: Summary) -> None:
    """Print the summary in the form that was asked for; CSV holds it only where it is all that was asked for.

    Where the cards went to a batch's file, the summary goes to standard output.
    """
    if output.options.as_json:
        output.json({"summary": summary.as_dict()})
    elif output.options.as_csv:
        for row in summary.rows() if asked.only_summary else ():
            output.csv(row)
    else:
        from mizerka_solver.cli import summary_tables

        summary_tables.print_summary(output, summary)
