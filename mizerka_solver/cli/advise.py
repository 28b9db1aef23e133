"""`mizerka advise`: what the sampling bot would do, with numbers, for one decision with hidden cards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import click

from mizerka_solver.bots import Sampler, Table, View, advise, view_from_dict
from mizerka_solver.bots.sampling import Option
from mizerka_solver.cli.common import (
    Output,
    OutputOptions,
    json_option,
    option_group,
    path_option,
    samples_option,
    seat_option,
    seed_option,
    time_limit_option,
)
from mizerka_solver.cli.options import Whole
from mizerka_solver.cli.sources import Inputs
from mizerka_solver.game.notation import decoded_lines
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import Seat
from mizerka_solver.hidden.view import CONTRACT, EXCHANGE, PLAY
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.statistics import Tally

NAMES = {CONTRACT: "contract", EXCHANGE: "discard", PLAY: "card"}


@click.command(short_help="What to do with hidden cards: the sampling bot's answer, with numbers.")
@click.argument("record", metavar="[RECORD|VIEW|FILE|-]")
@click.option(
    "--at",
    type=Whole(0),
    metavar="N",
    help="After N cards of the record; if not given, after all it has.",
)
@seat_option("--exchange", "seat", "Advise this seat's exchange instead of a card.")
@samples_option("Draws of the hidden cards.")
@time_limit_option("Fewer draws after so many seconds.")
@seed_option("Random seed of the draws.", 0)
@option_group("options", OutputOptions, json_option, path_option)
def command(
    record: str,
    at: int | None,
    seat: Seat | None,
    samples: int,
    time_limit: float | None,
    seed: int,
    options: OutputOptions,
) -> None:
    """Advise the player who is to act, who sees its own hand only.

    Takes a game record (JSON) that breaks off before the decision, or with --at or --exchange is looked at there; the
    cards of the others in it are not looked at. Or takes what bots get to see (a view, see docs/bots.md), in which they
    are not: also for naming a contract. The hidden cards are drawn at random as they fit what is known; in each draw
    each choice is tried; points are means over the draws. "behind" is how much less a choice brings than the best.

    \b
    Examples:
      mizerka advise '{"type":"contract","seat":"F","hand":"AKQ9.A.-.4","remaining":"SHN"}' --samples 20
      mizerka advise '{"type":"exchange","seat":"F","contract":"N","hand":"AK2.AQ43.9.QJ982"}' --samples 20
    """
    view = read_view(record, at, seat)
    with Output(options, [record], whole=True) as output:
        found = advise(Sampler(samples, time_limit), view, seed)
        if options.as_json:
            choices = [option.as_dict(NAMES[view.phase], choice_json) for option in found]
            output.json({"seat": view.seat.name, "type": view.phase, "choices": choices})
        else:
            print_table(output, view, found)


def read_view(argument: str, at: int | None, seat: Seat | None) -> View:
    """Return the view that is asked about; raises MizerkaError, click.UsageError."""
    sources: Inputs[GameRecord | View] = Inputs((argument,), read_things, "record")
    things = list(sources)
    if len(things) > 1:
        raise click.UsageError(f"one decision at a time: {argument} has {len(things)} lines")
    thing = things[0].value
    if isinstance(thing, MizerkaError):
        raise thing
    if isinstance(thing, View):
        if at is not None or seat is not None:
            raise click.UsageError("--at and --exchange are for records")
        return thing
    table = Table(thing.deal)
    table.name(thing.contract)
    for discards in thing.exchange[:seat]:
        table.exchange(discards)
    if seat is not None:
        return table.view()
    if at is not None and at > len(thing.play):
        raise click.UsageError(f"--at {at}: the record has {len(thing.play)} cards")
    for card in thing.play[:at]:
        table.play(card)
    if table.is_over:
        raise click.UsageError("the deal is over, there is nothing to decide; --at N goes back")
    return table.view()


def read_things(lines: Iterable[str | bytes], source: str) -> Iterator[tuple[int, GameRecord | View | MizerkaError]]:
    """Yield the records and views of lines, told apart by the field "type"."""
    for number, text in decoded_lines(lines, source):
        if isinstance(text, MizerkaError):
            yield number, text
        elif text:
            try:
                yield number, read_thing(text)
            except MizerkaError as error:
                yield number, error.at(where=f"{source}:{number}")


def read_thing(text: str) -> GameRecord | View:
    """Return the record or view of one line; raises MizerkaError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return GameRecord.from_json(text)  # which says what is wrong
    return view_from_dict(data) if isinstance(data, dict) and "type" in data else GameRecord.from_json(text)


# Output


def choice_json(choice: Any) -> Any:
    """Return a contract's letter, or a list of cards."""
    return [str(card) for card in choice] if isinstance(choice, tuple) else choice.name


def choice_text(output: Output, view: View, choice: Any) -> str:
    """Return a choice as people read it."""
    if view.phase == CONTRACT:
        return str(choice.long_name)
    cards = " ".join(str(card) if output.is_ascii else card.pretty for card in choice)
    return f"{len(choice)}: {cards}" if view.phase == EXCHANGE else cards


def print_table(output: Output, view: View, found: list[Option[Any]]) -> None:
    """Print one row a choice."""
    sign = "+-" if output.is_ascii else "±"
    hand = str(view.hand) if output.is_ascii else view.hand.pretty
    what = {CONTRACT: "to name a contract", EXCHANGE: "to exchange", PLAY: "to play"}[view.phase]
    output.line(f"{view.seat.long_name} {what}, holds {hand}")
    output.line(f"points over {found[0].points.n} draws of the hidden cards {sign} standard error; behind the best")
    texts = [choice_text(output, view, option.choice) for option in found]
    width = max(map(len, texts))
    for text, option in zip(texts, found, strict=True):
        points = f"{option.points.mean:+.2f}{error(option.points, sign)}"
        behind = "" if option is found[0] else f"{-option.lead.mean:.2f}{error(option.lead, sign)}"
        later = f"{option.later:+.2f} later" if any(other.later for other in found) else ""
        output.line(f"  {text:<{width}}  {points:<13} {later:<12} {behind}".rstrip())


def error(tally: Tally, sign: str) -> str:
    """Return ' ±0.12', or nothing where it is not known."""
    return f" {sign}{tally.standard_error:.2f}" if tally.n > 1 else ""
