"""`mizerka analyse`: every card of game records against open cards, and who plays how well."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

import click
from click.exceptions import Exit

from mizerka_solver.cli.common import (
    EXIT_OVER,
    Bar,
    EngineOptions,
    Failures,
    Output,
    OutputOptions,
    engine_arguments,
    engine_options,
    option_group,
    output_options,
    say,
    table_arguments,
)
from mizerka_solver.cli.options import SEAT, Decimal, Whole
from mizerka_solver.cli.sources import Inputs, Record
from mizerka_solver.double_dummy.batch import run_in_order
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.game.records import GameRecord, read_records
from mizerka_solver.game.rules import Seat
from mizerka_solver.review.analysis import RecordReview, review
from mizerka_solver.review.query import ReviewQuery
from mizerka_solver.review.summary import N_WORST, Summary
from mizerka_solver.support.errors import MemoryLimitError, MizerkaError

Reviewed = tuple[Record[GameRecord], RecordReview | None]


@dataclass(frozen=True, slots=True)
class Asked:
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
    Asked,
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
        help="Judge the contract named, by whole-deal searches; by default where a record has the talon.",
    ),
    click.option(
        "--exchanges/--no-exchanges",
        default=None,
        help="Judge what each seat's exchange did; by default where a record has the talon.",
    ),
    click.option(
        "--best-exchanges",
        is_flag=True,
        help="Also search for the best exchange, so that the one made has a cost; takes seconds in mizerka.",
    ),
    click.option(
        "--contract-samples",
        type=Whole(0, 10_000),
        metavar="N",
        default=0,
        show_default=True,
        help="Deals to draw for what each contract promised by the six cards seen; 0: fitted weights, no searches.",
    ),
    click.option(
        "--equilibria",
        is_flag=True,
        help="Also what cards cost in expected points, as `mizerka solve --equilibria` has them; --memory as there.",
    ),
    click.option("--cards", is_flag=True, help="Print the table of cards of every record, even for many."),
    click.option(
        "--summary", "only_summary", is_flag=True, help="Print only the summary; with --csv, one row per line of it."
    ),
    click.option(
        "--worst",
        "n_worst",
        type=Whole(0, 1000),
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
@output_options
def command(inputs: tuple[str, ...], asked: Asked, engine: EngineOptions, options: OutputOptions) -> None:
    """Judge every card of game records (JSON Lines, see docs/analyse.md), contract and exchange with all cards open.

    A card's cost is what it takes from its player's guaranteed points; what it gives the others comes beside it.
    Forced cards, and choices between cards that lead to the same play, are no decisions and are not counted. The
    summary goes by player, seat, contract, place in the trick and trick number, with standard errors, says what each
    player's points are made of and what parts the players, and lists the worst cards as positions for `mizerka solve
    --cards`. One record is shown card by card, many only as a summary. Open cards are not skill: a player sees only one
    hand.

    \b
    Examples:
      mizerka analyse games.jsonl
      mizerka analyse games.jsonl --player b --fail-over 2.5 --summary --json
    """
    sources: Inputs[GameRecord] = Inputs(inputs, read_records, "record")
    summary = Summary(asked.players, asked.seats, asked.n_worst)
    total = sources.count()
    with Output(options, sources.files) as output:
        failures = Failures(output, as_json=options.as_json)
        try:
            jobs = run_in_order(judge(asked.query), sources, **arguments(engine, asked))
            with Bar(output, total, "records") as bar, closing(jobs) as results:
                for record, reviewed in results:
                    if reviewed is not None:
                        print_review(output, asked, record, reviewed, total == 1)
                        summary.add(reviewed, record.where)
                    elif isinstance(record.value, MizerkaError):
                        failures.report(record.value, record.line)
                    bar.advance()
        finally:  # of an interrupted run too: what is done is written
            if summary.n_records and not summary.unmatched():
                print_summary(output, asked, summary)
        if summary.n_records and summary.unmatched():
            raise click.UsageError(summary.unmatched())
    raise Exit(exit_code(summary, asked.fail_over, failures))


def judge(query: ReviewQuery) -> Callable[[Solver, Record[GameRecord]], Reviewed]:
    """Return the job for each record; a faulty one passes through, and so does one that memory is too small for."""

    def run(solver: Solver, record: Record[GameRecord]) -> Reviewed:
        if isinstance(record.value, MizerkaError):
            return record, None
        try:
            return record, review(solver, record.value, query)
        except MemoryLimitError as error:
            return Record(record.source, record.line, error.at(where=record.where)), None

    return run


def arguments(engine: EngineOptions, asked: Asked) -> dict[str, int]:
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
    output: Output, asked: Asked, record: Record[GameRecord], reviewed: RecordReview, is_only: bool
) -> None:
    """Print one record in the form that was asked for."""
    if asked.only_summary:
        return
    if output.options.as_json:
        output.json({"source": record.source, "line": record.line, **reviewed.as_dict()})
    elif output.options.as_csv:
        for row in reviewed.rows():
            output.csv({"source": record.source, "line": record.line, **row})
    elif is_only or asked.cards:
        from mizerka_solver.cli import review_tables

        review_tables.print_review(output, reviewed, record.where)


def print_summary(output: Output, asked: Asked, summary: Summary) -> None:
    """Print the summary in the form that was asked for; CSV holds it only where it is all that was asked for."""
    if output.options.as_json:
        output.json({"summary": summary.as_dict()})
    elif output.options.as_csv:
        for row in summary.rows() if asked.only_summary else ():
            output.csv(row)
    else:
        from mizerka_solver.cli import summary_tables

        summary_tables.print_summary(output, summary)
