"""`mizerka advise`: what the sampling bot would do, with numbers, for one decision with hidden cards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import click
from click.exceptions import Exit

from mizerka_solver.bots import Sampler, Table, View, advise, view_from_dict
from mizerka_solver.bots.sampling import Option
from mizerka_solver.cli.common import (
    Bar,
    Failures,
    Output,
    OutputOptions,
    json_option,
    option_group,
    path_option,
    progress_option,
    samples_option,
    seat_option,
    seed_option,
    threads_option,
    time_limit_option,
)
from mizerka_solver.cli.hidden import numbers_of
from mizerka_solver.cli.options import Whole
from mizerka_solver.cli.sources import Inputs, Record
from mizerka_solver.game.convert import as_contract, as_contracts, as_hand
from mizerka_solver.game.notation import decoded_lines
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import MIZERKA, Seat
from mizerka_solver.hidden.view import CONTRACT, EXCHANGE, PLAY
from mizerka_solver.support.errors import MizerkaError, read_field
from mizerka_solver.support.statistics import Tally, rounded, signed

NAMES = {CONTRACT: "contract", EXCHANGE: "discard", PLAY: "card"}


@dataclass(frozen=True, slots=True)
class HandQuestion:
    """A decision before play, put by options: six cards and the contracts left, or a hand that is to exchange."""

    hand: str | None
    contract: str | None
    seat: str | None
    remaining: str | None
    exchanged: str | None

    @property
    def is_asked(self) -> bool:
        """Whether there is a hand."""
        return self.hand is not None

    def view(self) -> View:
        """Return what the player knows; raises MizerkaError."""
        hand, exchanged = read_field("--hand", as_hand, self.hand or ""), numbers_of(self.exchanged)
        left = read_field("--remaining", as_contracts, "SHDCNM" if self.remaining is None else self.remaining)
        if self.contract is None:
            if exchanged or self.seat not in (None, "F"):
                raise click.UsageError("--hand for an exchange needs -c CONTRACT")
            return View(CONTRACT, Seat.F, hand, left)
        contract = read_field("-c", as_contract, self.contract)
        return View(EXCHANGE, self.seat or "F", hand, left, contract, exchanged)


question_options = option_group(
    "question",
    HandQuestion,
    click.option("--hand", metavar="HAND", help="Instead of a record: the six cards seen, or, with -c, 13 cards."),
    click.option("-c", "--contract", metavar="CONTRACT", help="With --hand: the contract, S H D C N M."),
    click.option("--seat", metavar="F|M|R", help="With --hand and -c: your seat; default F."),
    click.option("--remaining", metavar="LETTERS", help="With --hand: contracts forehand has, or had, yet to name."),
    click.option("--exchanged", metavar="N[,N]", help="With --hand: cards that F, or F and M, exchanged before you."),
)


@click.command(short_help="What to do with hidden cards: the sampling bot's answer, with numbers.")
@click.argument("record", metavar="[RECORD|VIEW|FILE|-]", required=False)
@click.option("--at", type=Whole(0), metavar="N", help="Advise after N cards of the record; default: after all.")
@seat_option("--exchange", "exchanging", "Advise this seat's exchange instead of a card.")
@question_options
@samples_option("Number of samples of the hidden cards.")
@time_limit_option("Time limit in seconds; then the samples done so far count.")
@seed_option("Random seed of the samples.", 0)
@threads_option
@option_group("options", OutputOptions, json_option, path_option, progress_option)
def command(
    record: str | None,
    at: int | None,
    exchanging: Seat | None,
    question: HandQuestion,
    threads: int,
    options: OutputOptions,
    **sampled: Any,
) -> None:
    """Advise the player to act, who sees only one hand.

    Takes a game record (JSON) that stops before the decision, or the decision that --at or --exchange points to; the
    other hands in it are ignored. Or takes what a bot sees (a view, see docs/bots.md). A file may hold many, one a
    line; a faulty one is reported in its place. Before play, --hand is enough.
    The hidden cards are sampled, consistent with what is known, and each choice is tried in each sample. Points are
    means over the samples. "behind" is the difference from the best choice.

    \b
    Examples:
      mizerka advise --hand AKQ9.A.-.4 --remaining SHN --samples 20
      mizerka advise --hand AK2.AQ43.9.QJ982 -c N --samples 20
      mizerka advise '{"type":"exchange","seat":"F","contract":"N","hand":"AK2.AQ43.9.QJ982"}' --samples 20
    """
    if (record is None) == (question.hand is None):
        raise click.UsageError("give a record, a view, a file, - for standard input, or --hand")
    if question.is_asked and (at is not None or exchanging is not None):
        raise click.UsageError("--at and --exchange are for records")
    decisions = (
        [Record("--hand", 1, question.view())]
        if record is None
        else list(Inputs((record,), partial(read_views, at=at, seat=exchanging), "record"))
    )
    only = decisions[0].value if len(decisions) == 1 else None
    if isinstance(only, MizerkaError):
        raise only
    sampler = Sampler(sampled["samples"], sampled["time_limit"], threads)
    with Output(options, [record] if record else [], whole=only is not None) as output:
        failures = Failures(output, as_json=options.as_json)
        with Bar(output, sampler.samples * len(decisions), "draws", str) as bar:
            sampler.progress = bar.advance
            for decision in decisions:
                if isinstance(decision.value, MizerkaError):
                    bar.pause()
                    failures.report(decision.value, decision.line)
                    continue
                found = advise(sampler, decision.value, sampled["seed"])
                bar.pause()
                print_answer(output, decision.value, found, "" if only else decision.where)
    raise Exit(failures.exit_code)


def read_views(
    lines: Iterable[str | bytes], source: str, at: int | None, seat: Seat | None
) -> Iterator[tuple[int, View | MizerkaError]]:
    """Yield what is asked about, line by line: views, and records looked at where they stop, or as at and seat say."""
    for number, text in decoded_lines(lines, source):
        if isinstance(text, MizerkaError):
            yield number, text
        elif text:
            try:
                thing = read_thing(text)
                yield number, thing if isinstance(thing, View) and at is seat is None else view_of(thing, at, seat)
            except MizerkaError as error:
                yield number, error.at(where=f"{source}:{number}")


def view_of(thing: GameRecord | View, at: int | None, seat: Seat | None) -> View:
    """Return what the seat that is to act in a record knows; raises MizerkaError."""
    if isinstance(thing, View):
        raise MizerkaError("a view: --at and --exchange are for records")
    if thing.deal.hand_size != MIZERKA.hand_size:
        rule = f"advice is for deals of {MIZERKA.hand_size} cards a hand, here {thing.deal.hand_size}"
        raise MizerkaError(rule, field="deal")
    table = Table(thing.deal)
    table.name(thing.contract)
    for discards in thing.exchange[:seat]:
        table.exchange(discards)
    if seat is not None:
        return table.view()
    if at is not None and at > len(thing.play):
        raise MizerkaError(f"the record has {len(thing.play)} cards", field="--at", token=str(at))
    for card in thing.play[:at]:
        table.play(card)
    if table.is_over:
        raise MizerkaError("the deal is over, there is nothing to decide; --at N goes back")
    return table.view()


def read_thing(text: str) -> GameRecord | View:
    """Return the record or view of one line, told apart by the field "type"; raises MizerkaError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return GameRecord.from_json(text)  # which says what is wrong
    return view_from_dict(data) if isinstance(data, dict) and "type" in data else GameRecord.from_json(text)


# Output


def print_answer(output: Output, view: View, found: list[Option[Any]], label: str) -> None:
    """Print the answer to one decision; a table among several has a label."""
    if output.options.as_json:
        choices = [option.as_dict(NAMES[view.phase], choice_json) for option in found]
        output.json({"seat": view.seat.name, "type": view.phase, "choices": choices})
        return
    if label and output.is_used:
        output.line("")
    print_table(output, view, found, label)


def choice_json(choice: Any) -> Any:
    """Return a contract's letter, or a list of cards."""
    return [str(card) for card in choice] if isinstance(choice, tuple) else choice.name


def choice_text(output: Output, view: View, choice: Any) -> str:
    """Return a choice as people read it."""
    if view.phase == CONTRACT:
        return str(choice.long_name)
    cards = " ".join(str(card) if output.is_ascii else card.pretty for card in choice)
    return f"{len(choice)}: {cards}" if view.phase == EXCHANGE else cards


def print_table(output: Output, view: View, found: list[Option[Any]], label: str) -> None:
    """Print one row a choice."""
    sign = "+-" if output.is_ascii else "±"
    hand = str(view.hand) if output.is_ascii else view.hand.pretty
    what = {CONTRACT: "to name a contract", EXCHANGE: "to exchange", PLAY: "to play"}[view.phase]
    where = f"{label}: " if label else ""
    output.line(f"{where}{view.seat.long_name} {what}, holds {hand}")
    output.line(f"points over {found[0].points.n} draws of the hidden cards {sign} standard error; behind the best")
    texts = [choice_text(output, view, option.choice) for option in found]
    width = max(map(len, texts))
    for text, option in zip(texts, found, strict=True):
        points = f"{signed(option.points.mean)}{error(option.points, sign)}"
        behind = "" if option is found[0] else f"{rounded(-option.lead.mean, 2):.2f}{error(option.lead, sign)}"
        later = f"{signed(option.later)} later" if any(other.later for other in found) else ""
        output.line(f"  {text:<{width}}  {points:<13} {later:<12} {behind}".rstrip())


def error(tally: Tally, sign: str) -> str:
    """Return ' ±0.12', or nothing where it is not known."""
    return f" {sign}{tally.standard_error:.2f}" if tally.n > 1 else ""
