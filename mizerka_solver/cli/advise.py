"""`mizerka advise`: what a bot would do, with numbers, in decisions with hidden cards."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import click
from click.exceptions import Exit

from mizerka_solver.bots import Sampler, Searcher, Table, View, advise, view_from_dict
from mizerka_solver.bots.sampling import N_SAMPLES, Option
from mizerka_solver.bots.search import N_WORLDS, Advice, advice_dict, search_advise
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
from mizerka_solver.cli.options import WholeNumber
from mizerka_solver.cli.sources import Inputs, Record
from mizerka_solver.game.convert import as_contract, as_contracts, as_hand
from mizerka_solver.game.notation import decoded_lines
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import MIZERKA, Seat
from mizerka_solver.hidden.view import CONTRACT, EXCHANGE, PLAY
from mizerka_solver.support.errors import MizerkaError, read_field
from mizerka_solver.support.statistics import Tally, rounded, signed

SEARCH, SAMPLING = "search", "sampling"
SHOWN = 12  # choices of a table; JSON has all
N_HONOURS = 5  # of a seat, likewise


@dataclass(frozen=True, slots=True)
class Advised:
    """The choices, the best first. best: in which share of the samples each is the best; others: what they hold."""

    options: list[Option[Any]]
    best: list[float] | None = None
    others: Advice | None = None


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


@click.command(short_help="What to do with hidden cards: a bot's answer, with numbers.")
@click.argument("record", metavar="[RECORD|VIEW|FILE|-]", required=False)
@click.option("--at", type=WholeNumber(0), metavar="N", help="Advise after N cards of the record; default: after all.")
@seat_option("--exchange", "exchanging", "Advise this seat's exchange instead of a card.")
@question_options
@click.option(
    "--bot", type=click.Choice([SEARCH, SAMPLING]), default=SEARCH, show_default=True, help="The bot that is asked."
)
@samples_option(f"Number of samples of the hidden cards; default {N_WORLDS}, of the sampling bot {N_SAMPLES}.", None)
@time_limit_option("Time limit in seconds; then the samples done so far count.")
@seed_option("Random seed of the samples.", 0)
@threads_option
@option_group("options", OutputOptions, json_option, path_option, progress_option)
def command(
    record: str | None,
    at: int | None,
    exchanging: Seat | None,
    question: HandQuestion,
    bot: str,
    threads: int,
    options: OutputOptions,
    **sampled: Any,
) -> None:
    """Advise the player to act, who sees only one hand.

    Takes a game record (JSON) that stops before the decision, or the decision that --at or --exchange points to; the
    other hands in it are ignored. Or takes what a bot sees (a view, see docs/bots.md). A file may hold many, one a
    line; a faulty one is reported in its place. Before play, --hand is enough.
    The hidden cards are sampled, consistent with what is known, and each choice is tried in each sample. Points are
    means over the samples. "behind" is the difference from the best choice, "best" how often the choice is best. What
    the others probably hold is shown below. The sampling bot is slower and weaker; threads (-t) help it alone.

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
    adviser = Adviser(bot, sampled["samples"], sampled["time_limit"], threads)
    with Output(options, [record] if record else [], whole=only is not None) as output:
        failures = Failures(output, as_json=options.as_json)
        with Bar(output, adviser.steps * len(decisions), adviser.unit, str) as bar:
            adviser.progress = bar.advance
            for decision in decisions:
                if isinstance(decision.value, MizerkaError):
                    bar.pause()
                    failures.report(decision.value, decision.line)
                    continue
                found = adviser.advise(decision.value, sampled["seed"])
                bar.pause()
                print_answer(output, decision.value, found, "" if only else decision.where)
    raise Exit(failures.exit_code)


class Adviser:
    """One of the bots, asked decision by decision. progress: called for each of the `steps` of a decision."""

    def __init__(self, bot: str, samples: int | None, seconds: float | None, threads: int) -> None:
        self.progress: Callable[[], object] = lambda: None
        self._searcher, self._sampler = None, None
        if bot == SEARCH:
            self.steps, self.unit = 1, "decisions"
            self._searcher = Searcher(samples, seconds)
        else:
            self.steps, self.unit = samples or N_SAMPLES, "draws"
            self._sampler = Sampler(self.steps, seconds, threads)

    def advise(self, view: View, seed: int) -> Advised:
        """Return the answer to one decision; raises MizerkaError."""
        if self._sampler is not None:
            self._sampler.progress = self.progress
            return Advised(advise(self._sampler, view, seed))
        assert self._searcher is not None
        found = search_advise(self._searcher, view, seed)
        self.progress()
        return Advised(found.options, found.best, found)


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


def print_answer(output: Output, view: View, found: Advised, label: str) -> None:
    """Print the answer to one decision; a table among several has a label."""
    if output.options.as_json:
        output.json(advice_dict(view, found.options, found.others))
        return
    if label and output.is_used:
        output.line("")
    print_table(output, view, found, label)


def others_of(view: View) -> list[Seat]:
    """Return the two seats whose cards are hidden."""
    return [seat for seat in Seat if seat is not view.seat]


def choice_text(output: Output, view: View, choice: Any) -> str:
    """Return a choice as people read it."""
    if view.phase == CONTRACT:
        return str(choice.long_name)
    cards = " ".join(str(card) if output.is_ascii else card.pretty for card in choice)
    return f"{len(choice)}: {cards}" if view.phase == EXCHANGE else cards


def print_table(output: Output, view: View, found: Advised, label: str) -> None:
    """Print one row a choice, and what the others probably hold."""
    sign = "+-" if output.is_ascii else "±"
    hand = str(view.hand) if output.is_ascii else view.hand.pretty
    what = {CONTRACT: "to name a contract", EXCHANGE: "to exchange", PLAY: "to play"}[view.phase]
    where = f"{label}: " if label else ""
    options = found.options[:SHOWN]
    best = "" if found.best is None else "; how often best"
    output.line(f"{where}{view.seat.long_name} {what}, holds {hand}")
    output.line(f"points over {options[0].points.n} draws {sign} standard error; behind the best{best}")
    texts = [choice_text(output, view, option.choice) for option in options]
    width = max(map(len, texts))
    has_later = any(option.later for option in options)
    for i, (text, option) in enumerate(zip(texts, options, strict=True)):
        points = f"{signed(option.points.mean)}{error(option.points, sign)}"
        behind = "" if i == 0 else f"{rounded(-option.lead.mean, 2):.2f}{error(option.lead, sign)}"
        later = f"{signed(option.later)} later  " if has_later else ""
        share = "" if found.best is None else f"{found.best[i]:>4.0%}"
        output.line(f"  {text:<{width}}  {points:<13} {later}{behind:<11} {share}".rstrip())
    if len(found.options) > SHOWN:
        output.line(f"  and {len(found.options) - SHOWN} more")
    if found.others is not None:
        print_others(output, view, found.others)


def print_others(output: Output, view: View, advice: Advice) -> None:
    """Print what the two others hold on average, and the likeliest honours."""
    suits = "SHDC" if output.is_ascii else "♠♥♦♣"
    for seat in others_of(view):
        lengths = " ".join(f"{suit} {n:.1f}" for suit, n in zip(suits, advice.suit_lengths(seat), strict=True))
        likely = [
            f"{card if output.is_ascii else card.pretty} {share:.0%}"
            for card, share in advice.honours(seat)[:N_HONOURS]
        ]
        output.line(f"{seat.long_name:<10} about {lengths}; {' '.join(likely)}".rstrip("; "))


def error(tally: Tally, sign: str) -> str:
    """Return ' ±0.12', or nothing where it is not known."""
    return f" {sign}{tally.standard_error:.2f}" if tally.n > 1 else ""
