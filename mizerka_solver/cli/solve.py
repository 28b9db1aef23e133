"""`mizerka solve`: what deals and positions are worth with all cards open."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import click
from click.core import ParameterSource
from click.exceptions import Exit

from mizerka_solver.batches.tasks import SolveTask
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
    Writer,
    contracts_option,
    converted,
    count_option,
    engine_arguments,
    engine_options,
    leader_option,
    limit_options,
    option_group,
    seed_option,
    table_arguments,
)
from mizerka_solver.cli.deal import drawn_seed, random_deals
from mizerka_solver.cli.sources import Inputs, Reader, Record
from mizerka_solver.double_dummy import plot
from mizerka_solver.double_dummy.query import SolveQuery, Subject
from mizerka_solver.double_dummy.solution import Answer
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.game.convert import as_seat
from mizerka_solver.game.notation import read_led, read_lines
from mizerka_solver.game.rules import Seat, Triple
from mizerka_solver.support.errors import MizerkaError

# Options


@dataclass(frozen=True, slots=True)
class RandomOptions:
    """--random, --seed and -n."""

    random: bool = False
    seed: int | None = None
    n_deals: int | None = None


def parse_payoff(ctx: click.Context, param: click.Parameter, value: str | None) -> Triple | None:
    """Read tricks of F, M and R, '3-5-5'."""
    if value is None:
        return None
    numbers = value.split("-")
    if len(numbers) != 3 or not all(number.isascii() and number.isdigit() for number in numbers):
        raise click.BadParameter(f"{value}: tricks of F, M and R, as in 3-5-5")
    f, m, r = map(int, numbers)
    return f, m, r


def read_seats(texts: tuple[str, ...]) -> tuple[Seat, ...]:
    """Return the seats whose line is wanted, in their order; raises MizerkaError."""
    wanted = set(Seat) if "all" in map(str.lower, texts) else set(map(as_seat, texts))
    return tuple(seat for seat in Seat if seat in wanted)


question_options = option_group(
    "query",
    SolveQuery,
    contracts_option("S H D C, N (no trump) or M (mizerka); default: all. For deals only; a position has its own."),
    leader_option,
    click.option("--cards", is_flag=True, help="Also print what each legal card of the seat to play costs."),
    click.option(
        "--line",
        "lines",
        multiple=True,
        metavar="F|M|R|all",
        callback=converted(read_seats),
        help="Also print the principal variation of the seat, alone against the two others.",
    ),
    click.option(
        "--equilibria",
        is_flag=True,
        help="Also find all equilibria, as tricks F-M-R, and the expected tricks.",
    ),
    click.option(
        "--payoff",
        metavar="F-M-R",
        callback=parse_payoff,
        help="Also print play that ends in this equilibrium, such as 3-5-5; implies --equilibria.",
    ),
    limit_options(
        "Node limit: cards played for one value; then bounds are printed.",
        "Time limit in seconds for one deal or position; then bounds are printed.",
    ),
)
random_options = option_group(
    "drawn",
    RandomOptions,
    click.option("--random", is_flag=True, help="Solve random deals, as `mizerka deal` deals them."),
    seed_option("With --random: random seed; the same seed gives the same deals."),
    count_option("-n", "n_deals", "With --random: number of deals; default: 1."),
)


# The command


@click.command(short_help="Solve deals and positions with all cards open.")
@click.argument("inputs", nargs=-1, metavar="[DEAL|FILE|-]...")
@question_options
@click.option(
    "--plot",
    "plot_path",
    metavar="FILE",
    help="Draw the equilibria of one deal or position as .svg, .png or .pdf (needs matplotlib).",
)
@random_options
@engine_options
@batch_options
@batch_output_options
def command(
    inputs: tuple[str, ...],
    query: SolveQuery,
    plot_path: str | None,
    drawn: RandomOptions,
    engine: EngineOptions,
    batch: BatchOptions,
    options: OutputOptions,
) -> None:
    """Solve deals (in all six contracts) and positions: guaranteed tricks and points, slack, par.

    A deal is 'F:<hand> M:<hand> R:<hand> T:<talon>' with hands like AKT9.QJ.-.98753 (spades, hearts, diamonds, clubs);
    a position has no talon but contract, leader, trick and tricks won: 'F:A... M:2... R:.3.. N F - 4-4-4'. Files and
    standard input have one per line. A faulty line is reported in its place; the others are solved.

    --equilibria searches a deal exhaustively, a second or two per contract; docs/equilibria.md explains what it finds.
    The search keeps every position in memory, at most 1G per thread. Most full deals need 20M to 250M, hands with voids
    up to 600M. --memory SIZE limits all threads together; a deal that does not fit in its share is an error.

    \b
    Examples:
      mizerka solve --random --seed 7
      mizerka solve 'F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-' -c S --cards
      mizerka solve 'F:A3.2.-.- M:Q2.3.-.- R:-.AKQ.-.-' -c N --equilibria --cards
      mizerka solve deals.txt --json -t 0 -o values.jsonl
    """
    query = replace(query, equilibria=query.equilibria or plot_path is not None)
    task = SolveTask(query)
    has_leader = click.get_current_context().get_parameter_source("leader") is ParameterSource.COMMANDLINE
    records, total, paths = subjects(inputs, drawn, read_lines if has_leader else read_led)
    arguments = table_arguments(engine, bool(query.lines)) if query.equilibria else engine_arguments(engine)
    workers = batch.workers(arguments)
    detail = partial(states_found, workers.solvers) if query.equilibria else None
    with (
        batch_output(task, batch, options, paths) as output,
        Plot(plot_path, total, paths) as plot,
        batch_bar(output, total, detail=detail) as bar,
    ):
        job = Batch(task, workers, batch, output, total, bar)

        def show(answer: Answer, record: Record[Subject]) -> None:
            if output.is_table:
                print_answer(output, answer, job.label(record))
            plot.draw(answer)

        job.run(records, show)
        if output.is_table and output.is_used:
            from mizerka_solver.cli import solve_tables

            solve_tables.print_legend(output, query.equilibria)
    raise Exit(job.failures.exit_code)


def states_found(solvers: Collection[Solver]) -> str:
    """Return how far the searches for equilibria are."""
    return f"{sum(solver.equilibrium_states for solver in tuple(solvers)):,} states"


class Plot:
    """--plot: the picture of the one deal or position; what is wrong with it is said before any work."""

    def __init__(self, path: str | None, total: int | None, inputs: list[str]) -> None:
        self._path = path
        self._writer: Writer | None = None
        self._drawn = False
        if path is not None:
            self._check_single(total in (None, 1))
            self._writer = Writer("--plot", path, inputs, whole=True)
            try:
                plot.check(path)
            except MizerkaError:
                self._writer.close()
                raise

    def draw(self, answer: Answer) -> None:
        """Write the picture; raises click.UsageError for a second one."""
        if self._writer is not None:
            self._check_single(not self._drawn)
            self._writer.save(partial(plot.save, answer.solution))
            self._drawn = True

    @staticmethod
    def _check_single(single: bool) -> None:
        if not single:
            raise click.UsageError("--plot draws one deal or position, not several")

    def __enter__(self) -> Plot:
        return self

    def __exit__(self, *error: object) -> None:
        if self._writer is not None:
            self._writer.close()


def subjects(
    inputs: tuple[str, ...], drawn: RandomOptions, reader: Reader[Any]
) -> tuple[Iterable[Record[Any]], int | None, list[str]]:
    """Return what is to be solved, how many there are (None: nobody knows), and the files that are read."""
    if not drawn.random:
        if drawn.seed is not None or drawn.n_deals is not None:
            raise click.UsageError("--seed and -n need --random")
        if not inputs:
            raise click.UsageError("give a deal, a position, a file, - for standard input, or --random")
        sources: Inputs[Any] = Inputs(inputs, reader)
        return sources, sources.count(), sources.files
    if inputs:
        raise click.UsageError("--random takes no deals")
    return random_records(drawn), drawn.n_deals or 1, []


def random_records(drawn: RandomOptions) -> Iterator[Record[Subject]]:
    """Yield random deals as records."""
    for line, deal in enumerate(random_deals(drawn_seed(drawn.seed), drawn.n_deals or 1), start=1):
        yield Record("random", line, deal)


# Output


def print_answer(output: Output, answer: Answer, label: str) -> None:
    """Print an answer as a table with a label."""
    from mizerka_solver.cli import solve_tables

    solve_tables.print_answer(output, answer, label)
