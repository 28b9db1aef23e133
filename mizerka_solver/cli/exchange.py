"""`mizerka exchange`: the best exchange with open cards, or, from one hand, by sampling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    count_option,
    engine_options,
    node_limit_option,
    option_group,
    output_options,
    samples_option,
    seat_option,
    seed_option,
    time_limit_option,
)
from mizerka_solver.cli.hidden import (
    HandOptions,
    SamplingOptions,
    exchange_hand,
    hand_options,
)
from mizerka_solver.cli.sources import Inputs, Record
from mizerka_solver.double_dummy.batch import run_in_order
from mizerka_solver.double_dummy.exchange_phase import ExchangeLine, exchange_line, read_exchanges
from mizerka_solver.double_dummy.exchange_search import Progress
from mizerka_solver.double_dummy.exchange_values import ExchangeSolution
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.game.cards import Card
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.notation import read_lines
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.support.errors import MizerkaError, read_field

Answer = ExchangeSolution | ExchangeLine
Subject = Deal | Position
PAR_OF = 16  # best exchanges of which par is found, unless more are shown


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """What is asked of each deal."""

    others: str
    line: bool
    made: str
    one: bool
    node_limit: int | None

    def asked(self, contract: Contract, seat: Seat, top: int, seconds: float | None) -> OpenQuestion:
        """Return the question for the solver; raises MizerkaError for exchanges that can't be read or don't fit."""
        exchanges = read_field("--made", read_exchanges, self.made) if self.made else {}
        if self.line and exchanges:
            raise click.UsageError("--line makes its own exchanges, without --made")
        if late := [str(other) for other in exchanges if other > seat]:
            raise click.UsageError(f"--made {late[0]}: later than --seat {seat}")
        earlier = {other: cards for other, cards in exchanges.items() if other < seat}
        return OpenQuestion(self, contract, seat, top, seconds, earlier, exchanges.get(seat))


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question about one deal with open cards. earlier: exchanges made before; made: the one to value."""

    options: OpenOptions
    contract: Contract
    seat: Seat
    top: int
    seconds: float | None
    earlier: Mapping[Seat, Sequence[Card]]
    made: Sequence[Card] | None

    def ask(self, solver: Solver, deal: Deal, progress: Progress) -> Answer:
        """Return the answer; raises MizerkaError."""
        asked = self.options
        ties, limits = not asked.one, {"node_limit": asked.node_limit, "seconds": self.seconds, "progress": progress}
        if asked.line:
            return exchange_line(solver, deal, self.contract, asked.others, ties=ties, **limits)  # type: ignore[arg-type]
        return solver.exchange(
            deal,
            self.contract,
            self.seat,
            asked.others,
            self.earlier,
            made=self.made,
            top=max(self.top, PAR_OF),
            ties=ties,
            **limits,  # type: ignore[arg-type]
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
        help="Later seats stand pat, or exchange too, in turn, jointly against the seat.",
    ),
    click.option("--line", is_flag=True, help="The whole exchange: each seat in turn makes its best."),
    click.option(
        "--made",
        default="",
        metavar="'F:S2,H4 M:D5'",
        help="Exchanges made: those before --seat come first, that of --seat is valued beside the best.",
    ),
    click.option("--one", is_flag=True, help="One best exchange, not all; quicker, much quicker with --others reply."),
    node_limit_option("Cards played for a seat, then bounds."),
)


@click.command(short_help="The best exchange, with open cards or by sampling from one hand.")
@click.argument("inputs", nargs=-1, metavar="[DEAL|FILE|-]...")
@contract_option
@seat_option("--seat", "seat", "Whose exchange.", "F")
@open_options
@hand_options
@samples_option("With --hand: worlds to sample.")
@seed_option()
@count_option("--top", "top", "Best ones to show.", 10)
@time_limit_option("Seconds for one answer, then bounds.")
@engine_options
@output_options
def command(
    inputs: tuple[str, ...],
    contract: Contract,
    seat: Seat,
    opened: OpenOptions,
    known: HandOptions,
    samples: int,
    seed: int | None,
    top: int,
    time_limit: float | None,
    engine: EngineOptions,
    options: OutputOptions,
) -> None:
    """Find the best exchange of a seat: with all cards open, exactly; or with --hand from 13 cards, by sampling.

    With open cards the answer is what a seer would do: all cards and the order of the talon are known. Exchanges with
    the same guaranteed tricks are ordered by par after them if the later seats stand pat, then by fewest cards.

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
        sampled = SamplingOptions(samples, seed, time_limit)
        exchange_hand(known, contract, seat, sampled, engine, options, top)
        return
    if not inputs:
        raise click.UsageError("give a deal, a file, - for standard input, or --hand")
    question = opened.asked(contract, seat, top, time_limit)
    sources: Inputs[Subject] = Inputs(inputs, read_lines)
    total = sources.count()
    watch = Watch()
    with Output(options, sources.files) as output, Bar(output, total, detail=watch.__str__) as bar:
        failures = Failures(output, as_json=options.as_json)

        def ask(solver: Solver, record: Record[Subject]) -> tuple[Record[Subject], Answer | MizerkaError]:
            return record, answer(question, solver, record, watch, alone=sources.is_one_literal)

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
    question: OpenQuestion, solver: Solver, record: Record[Subject], progress: Progress, *, alone: bool
) -> Answer | MizerkaError:
    """Return the answer or what is wrong with the record; for a sole literal that is raised instead."""
    try:
        if isinstance(record.value, MizerkaError):
            return record.value
        if isinstance(record.value, Position):
            raise MizerkaError("a position has no exchange, give a deal")
        return question.ask(solver, record.value, progress)
    except MizerkaError as error:
        if alone:
            raise
        return error.at(where=record.where)


def print_answer(output: Output, found: Answer, top: int, label: str) -> None:
    """Print an answer in the form that was asked for; tables have a label."""
    if output.options.as_json:
        output.json(found.as_dict(top))
    elif output.options.as_csv:
        for row in csv_rows(found, top):
            output.csv(row)
    else:
        from mizerka_solver.cli import exchange_tables

        exchange_tables.print_answer(output, found, top, label)


def csv_rows(found: Answer, top: int) -> Iterator[dict[str, Any]]:
    """Yield one row an exchange, the best first; of a line the best of each seat."""
    for step in found.steps if isinstance(found, ExchangeLine) else (found,):
        shown = step.alternatives[: 1 if isinstance(found, ExchangeLine) else top]
        for option in shown:
            yield {
                "deal": str(step.deal),
                "contract": step.contract,
                "seat": step.seat,
                "others": step.others,
                "stand": step.stand.guaranteed,
                "discard": "".join(map(str, option.discard)),
                "draw": "".join(map(str, option.draw)),
                "guaranteed": option.guaranteed,
                "points": option.points,
                "par": option.par,
                "twins": option.twins,
                "exact": int(step.exact),
                "complete": int(step.complete),
            }
