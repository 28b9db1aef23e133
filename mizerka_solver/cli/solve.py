"""`mizerka solve`: what deals and positions are worth with all cards open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import click
from click.exceptions import Exit

from mizerka_solver.batch import Answer, Question, run_in_order
from mizerka_solver.cli.common import (
    Bar,
    EngineOptions,
    Failures,
    Output,
    OutputOptions,
    csv_option,
    engine_options,
    json_option,
    option_group,
    path_option,
    progress_option,
)
from mizerka_solver.cli.deal import drawn_seed, random_deals
from mizerka_solver.cli.sources import Inputs, Record
from mizerka_solver.deal import Deal
from mizerka_solver.errors import MizerkaError
from mizerka_solver.notation import read_lines
from mizerka_solver.position import Position
from mizerka_solver.rules import Contract, Seat
from mizerka_solver.solver import Solver

Subject = Deal | Position


# Options


@dataclass(frozen=True, slots=True)
class RandomOptions:
    """--random, --seed and -n."""

    random: bool = False
    seed: int | None = None
    n_deals: int | None = None


@dataclass(frozen=True, slots=True)
class QuestionOptions:
    """What is asked of each deal."""

    contracts: tuple[Contract, ...] | None
    leader: Seat
    cards: bool
    lines: tuple[Seat, ...]
    node_limit: int | None
    time_limit: float | None

    @property
    def question(self) -> Question:
        """The question for the solver."""
        return Question(self.contracts, self.leader, self.cards, self.lines, self.node_limit, self.time_limit)


def parse_contracts(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[Contract, ...] | None:
    """Read contracts given one by one, by names or letters ('spades', 'S,N', 'SN'); None for none given."""
    wanted: list[Contract] = []
    for text in value:
        for part in text.split(","):
            letters = part.strip()
            is_letters = letters and all(letter in "SHDCNM" for letter in letters.upper())
            try:
                wanted += [Contract.parse(word) for word in (letters if is_letters else [letters])]
            except MizerkaError as error:
                raise click.BadParameter(str(error)) from None
    return tuple(dict.fromkeys(wanted)) or None


def parse_seat(ctx: click.Context, param: click.Parameter, value: str) -> Seat:
    """Read one seat."""
    return Seat[value]


def parse_lines(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[Seat, ...]:
    """Read the seats whose line is wanted."""
    return tuple(seat for seat in Seat if "all" in value or seat.name in value)


seats = [seat.name for seat in Seat]
question_options = option_group(
    "asked",
    QuestionOptions,
    click.option(
        "-c",
        "--contract",
        "contracts",
        multiple=True,
        callback=parse_contracts,
        metavar="CONTRACT",
        help="S H D C, N (no trump) or M (mizerka); all if not given. For deals; a position has its own.",
    ),
    click.option(
        "--leader",
        type=click.Choice(seats, case_sensitive=False),
        metavar="F|M|R",
        default="F",
        show_default=True,
        callback=parse_seat,
        help="Who leads to the first trick of a deal.",
    ),
    click.option("--cards", is_flag=True, help="Also what every legal card of the seat to play costs."),
    click.option(
        "--line",
        "lines",
        multiple=True,
        type=click.Choice([*seats, "all"], case_sensitive=False),
        metavar="F|M|R|all",
        callback=parse_lines,
        help="Also how play goes when the seat is alone against the two others, all at their best.",
    ),
    click.option("--node-limit", type=click.IntRange(1), metavar="N", help="Cards played for one value, then bounds."),
    click.option(
        "--time-limit", type=click.FloatRange(0.001), metavar="S", help="Seconds for one deal or position, then bounds."
    ),
)
random_options = option_group(
    "drawn",
    RandomOptions,
    click.option("--random", is_flag=True, help="Solve random deals, as `mizerka deal` deals them."),
    click.option("--seed", type=click.IntRange(0), help="With --random: the same deals again."),
    click.option("-n", "n_deals", type=click.IntRange(1), metavar="N", help="With --random: how many; 1 if not given."),
)
output_options = option_group("options", OutputOptions, json_option, csv_option, path_option, progress_option)


# The command


@click.command(short_help="Solve deals and positions with all cards open.")
@click.argument("inputs", nargs=-1, metavar="[DEAL|FILE|-]...")
@question_options
@random_options
@engine_options
@output_options
def command(
    inputs: tuple[str, ...],
    asked: QuestionOptions,
    drawn: RandomOptions,
    engine: EngineOptions,
    options: OutputOptions,
) -> None:
    """Solve deals, in all six contracts, and positions: guaranteed tricks and points, slack, par.

    A deal is 'F:<hand> M:<hand> R:<hand> T:<talon>' with hands like AKT9.QJ.-.98753 (spades, hearts, diamonds, clubs);
    a position has no talon but contract, leader, trick and tricks won: 'F:A... M:2... R:.3.. N F - 4-4-4'. Of a file or
    standard input each line is one of them. A faulty one is reported in place and the rest is done.

    \b
    Examples:
      mizerka solve --random --seed 7
      mizerka solve 'F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-' -c S --cards
      mizerka solve deals.txt --json -t 0 -o values.jsonl
    """
    records, total, paths = subjects(inputs, drawn)
    with Output(options, paths) as output, Bar(output, total) as bar:
        failures = Failures(output, as_json=options.as_json)
        with closing(run_in_order(asker(asked.question), records, **engine_arguments(engine))) as answers:
            for record, answer in answers:
                if isinstance(record.value, MizerkaError):
                    failures.report(record.value, record.line)
                elif answer is not None:
                    print_answer(output, answer, record.where if total != 1 else "")
                bar.advance()
        if output.is_table and output.is_used:
            from mizerka_solver.cli import tables

            tables.print_legend(output)
    raise Exit(failures.exit_code)


def engine_arguments(engine: EngineOptions) -> dict[str, int]:
    """Return the options as arguments of `run_in_order`."""
    return {"threads": engine.threads, "memory": engine.memory}


def subjects(inputs: tuple[str, ...], drawn: RandomOptions) -> tuple[Iterable[Record[Subject]], int | None, list[str]]:
    """Return what is to be solved, how many there are (None: nobody knows), and the files that are read."""
    if not drawn.random:
        if drawn.seed is not None or drawn.n_deals is not None:
            raise click.UsageError("--seed and -n go with --random")
        if not inputs:
            raise click.UsageError("give a deal, a position, a file, - for standard input, or --random")
        sources: Inputs[Subject] = Inputs(inputs, read_lines)
        return sources, sources.count(), sources.files
    if inputs:
        raise click.UsageError("--random takes no deals")
    return random_records(drawn), drawn.n_deals or 1, []


def random_records(drawn: RandomOptions) -> Iterator[Record[Subject]]:
    """Yield random deals as records."""
    for line, deal in enumerate(random_deals(drawn_seed(drawn.seed), drawn.n_deals or 1), start=1):
        yield Record("random", line, deal)


def asker(question: Question) -> Callable[[Solver, Record[Subject]], tuple[Record[Subject], Answer | None]]:
    """Return the job for each record; a faulty one passes through."""

    def ask(solver: Solver, record: Record[Subject]) -> tuple[Record[Subject], Answer | None]:
        return record, None if isinstance(record.value, MizerkaError) else question.ask(solver, record.value)

    return ask


# Output


def print_answer(output: Output, answer: Answer, label: str) -> None:
    """Print an answer in the form that was asked for; tables have a label."""
    if output.options.as_json:
        output.json(answer.as_dict())
    elif output.options.as_csv:
        for row in csv_rows(answer):
            output.csv(row)
    else:
        from mizerka_solver.cli import tables

        tables.print_answer(output, answer, label)


def csv_rows(answer: Answer) -> Iterator[dict[str, Any]]:
    """Yield one row a contract, or with --cards one row a contract and card."""
    solution = answer.solution
    for contract, value in solution.values.items():
        start = {"deal": str(solution.subject), "leader": solution.leader, "contract": contract}
        if solution.cards is None:
            points = by_column("points", value.points) | by_column("par", value.par)
            end = {"slack": value.slack, "nodes": value.nodes, "exact": int(value.exact)}
            yield {**start, **by_column("guaranteed", value.guaranteed), **points, **end}
            continue
        for worth in solution.cards[contract]:
            costs = {"cost": worth.cost, "par_cost": worth.par_cost, **by_column("transfer", worth.transfer)}
            guaranteed = by_column("guaranteed", worth.after.guaranteed)
            yield {**start, "card": worth.card, **guaranteed, **costs, "exact": int(worth.after.exact)}


def by_column(name: str, triple: tuple[Any, Any, Any]) -> dict[str, Any]:
    """Return a triple as three columns, 'name_F' and so on."""
    return {f"{name}_{seat.name}": value for seat, value in zip(Seat, triple, strict=True)}
