"""What the commands that sample hidden cards share: options, and tables of `exchange --hand` and `contract`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from mizerka_solver.cli.common import EXIT_INTERRUPTED, Bar, EngineOptions, Output, OutputOptions, option_group
from mizerka_solver.cli.deal import drawn_seed
from mizerka_solver.game.cards import Card, Hand, Suit
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.hidden.contracts import ContractForecast, ContractReport
from mizerka_solver.hidden.samples import Sampling
from mizerka_solver.support.errors import MizerkaError, read_field
from mizerka_solver.support.statistics import Mean

if TYPE_CHECKING:
    from rich.text import Text

    from mizerka_solver.cli.tables import Table
    from mizerka_solver.hidden.discards import Candidate, ExchangeReport

EXCHANGE_LEGEND = (
    "points: mean over worlds that fit what you know, all cards open after the exchange, the luck of your draw taken"
    " off. ±: standard error. target: worlds in which your target is certain. behind: points less than the best on the"
    " same worlds; x: ruled out, as chance does not explain it."
)
CONTRACT_LEGEND = (
    "par, guaranteed: mean points over deals that fit your cards, all cards open after the exchange. ±: standard error."
    " target: deals in which your target is certain. later: what naming it now costs in your later deals. total: par -"
    " later; the highest is best."
)


@dataclass(frozen=True, slots=True)
class SamplingOptions:
    """--samples, --seed and --time-limit."""

    samples: int
    seed: int | None
    time_limit: float | None

    def sampling(self, engine: EngineOptions, bar: Bar) -> Sampling:
        """Return how to sample; a seed that was not given is drawn and told on stderr."""
        seed = drawn_seed(self.seed)
        return Sampling(
            self.samples, seed, engine.threads, engine.memory, self.time_limit, progress=lambda _: bar.advance()
        )


samples_option = click.option(
    "--samples", type=click.IntRange(1), default=200, show_default=True, metavar="N", help="Worlds to sample."
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    help="The same worlds again; without it one is drawn and told on stderr.",
)
time_option = click.option(
    "--time-limit", type=click.FloatRange(0.001), metavar="S", help="Seconds, then the worlds done so far count."
)
sampling_options = option_group("sampled", SamplingOptions, samples_option, seed_option, time_option)


def hand_of(option: str, text: str) -> Hand:
    """Read a hand given as an option, in PBN order or as a row of cards; raises the error with the option's name."""
    from mizerka_solver.game.cards import parse_cards

    if "." in text:
        return read_field(option, Hand, text)
    return Hand.from_cards(read_field(option, parse_cards, text.replace(" ", "")))


def contracts_of(option: str, text: str) -> tuple[Contract, ...]:
    """Read contracts as letters, 'SHN'; raises InvalidContractError with the option's name."""
    found = tuple(read_field(option, Contract.parse, letter) for letter in text if letter not in ", ")
    if not found:
        raise MizerkaError("no contract in it", field=option, token=text)
    return found


def finish(output: Output, stopped: str | None, show: Callable[[], None]) -> None:
    """Print a report, and leave with 130 when it is what was done until Ctrl-C."""
    show()
    if stopped == "interrupted":
        click.echo("Interrupted.", err=True)
        raise Exit(EXIT_INTERRUPTED)


# exchange --hand


@dataclass(frozen=True, slots=True)
class HandOptions:
    """What a player knows who is to exchange, and how its discards are raced."""

    hand: str | None
    exchanged: str | None
    named_from: str | None
    value: str
    margin: str | None


hand_options = option_group(
    "known",
    HandOptions,
    click.option("--hand", metavar="HAND", help="Your 13 cards before the exchange; instead of a deal."),
    click.option("--exchanged", metavar="N[,N]", help="With --hand: cards that F, or F and M, exchanged before you."),
    click.option(
        "--named-from",
        metavar="LETTERS",
        help="With --hand: contracts forehand could choose from; worlds then fit its choice. Not given: any world.",
    ),
    click.option(
        "--value",
        type=click.Choice(["guaranteed", "par"]),
        default="guaranteed",
        show_default=True,
        help="With --hand: the points to raise; par takes three times as long.",
    ),
    click.option(
        "--margin",
        metavar="P|all",
        help="With --hand: begin with discards the quick policy thinks at most P points worse than its own choice; all:"
        " all that are not dominated. Not given: all, in mizerka 0.5.",
    ),
)


def exchange_hand(
    known: HandOptions,
    contract: Contract,
    seat: Seat,
    sampled: SamplingOptions,
    engine: EngineOptions,
    options: OutputOptions,
    top: int = 5,
) -> None:
    """Answer `mizerka exchange --hand`; raises MizerkaError for what can't be, Exit(130) when interrupted."""
    from mizerka_solver.hidden.discards import default_margin, forecast_exchange
    from mizerka_solver.hidden.situation import Situation

    if options.as_csv:
        raise click.UsageError("--csv does not go with --hand")
    hand = hand_of("--hand", known.hand or "")
    named = contracts_of("--named-from", known.named_from) if known.named_from is not None else ()
    situation = Situation(hand, contract, seat, _numbers(known.exchanged), named)
    margin = default_margin(contract) if known.margin is None else _margin(known.margin)
    with Output(options) as output:
        with Bar(output, sampled.samples, "worlds") as bar:
            how = sampled.sampling(engine, bar)
            report = forecast_exchange(situation, how, value=known.value, margin=margin)
        if options.as_json:
            finish(output, report.stopped, lambda: output.json(report.as_dict(top)))
        else:
            finish(output, report.stopped, lambda: print_exchange(output, report, top))


def _numbers(text: str | None) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")] if text else []
    for part in parts:
        if not (part.isascii() and part.isdigit()):
            raise MizerkaError("a number of cards", field="--exchanged", token=part)
    return tuple(map(int, parts))


def _margin(text: str) -> float | None:
    if text == "all":
        return None
    try:
        margin = float(text)
    except ValueError:
        margin = -1.0
    if not 0 <= margin < 100:
        raise MizerkaError("points, 0 or more, or all", field="--margin", token=text)
    return margin


def print_exchange(output: Output, report: ExchangeReport, top: int) -> None:
    """Print the best discards, what the policy does and standing pat."""
    from rich.text import Text

    from mizerka_solver.cli.tables import BEST, HEAD, Table

    table = Table(output)
    asked = report.situation
    before = f", {' and '.join(map(str, asked.exchanged))} exchanged before" if asked.exchanged else ""
    table.put(f"Exchange of {asked.seat.long_name} in {asked.contract.long_name}{before}", HEAD)
    table.put(Text("  ").append_text(spaced_hand(table, asked.hand)))
    table.put(_worlds(report.samples, report.seed, report.policy_version, report.stopped))
    table.put(f"{len(report.candidates)} discards tried, {report.n_left} left")
    table.put()
    table.put(f"  {'discard':<34}{report.value:>11}    ±  target  behind    ±  worlds", HEAD)
    for candidate in report.shown(top):
        style = BEST if candidate is report.best else "dim" if candidate.ruled_out else ""
        table.put(_candidate_row(table, candidate, candidate is report.best, style))
    table.put()
    table.put(EXCHANGE_LEGEND, "dim", wrap=True)


def _candidate_row(table: Table, candidate: Candidate, is_best: bool, style: str) -> Text:
    from rich.text import Text

    row = Text("> " if is_best else "x " if candidate.ruled_out else "  ")
    row.append_text(grouped(table, candidate.discards))
    if candidate.is_policy:
        row.append(" (policy)")
    row.append(" " * max(1, 36 - row.cell_len))
    own, behind = candidate.points, candidate.behind
    row.append(f"{own.mean:>+11.2f}{_error(own)}{candidate.target_chance:>7.0%}", style)
    row.append(f" {behind.mean:>8.2f}{_error(behind)}{own.samples:>7}", style)
    return row


def grouped(table: Table, cards: tuple[Card, ...]) -> Text:
    """Return cards by suit, '♥4 ♦52'; 'nothing' for none."""
    from rich.text import Text

    from mizerka_solver.cli.tables import RED

    held = Hand.from_cards(cards)
    parts = []
    for suit in Suit:
        if held.suit_length(suit):
            sign = suit.name if table.ascii else suit.symbol
            parts.append(Text(sign + held.ranks(suit), RED if suit in (Suit.H, Suit.D) else ""))
    return Text(" ").join(parts) if parts else Text("nothing")


def spaced_hand(table: Table, hand: Hand) -> Text:
    """Return all four suits of a hand in a row."""
    from rich.text import Text

    return Text("   ").join(table.suit(hand, suit) for suit in Suit)


def _error(mean: Mean) -> str:
    return f"{'–' if mean.se is None else format(mean.se, '.2f'):>5}"


def _worlds(samples: int, seed: int, policy_version: int, stopped: str | None) -> str:
    why = {None: "", "time": " (stopped by the time limit)", "interrupted": " (interrupted)"}[stopped]
    return f"{samples} worlds{why}, seed {seed}, the others exchange by policy {policy_version}"


# contract


def print_contracts(output: Output, report: ContractReport) -> None:
    """Print a row a contract, the best marked."""
    from rich.text import Text

    from mizerka_solver.cli.tables import BEST, HEAD, Table

    table = Table(output)
    table.put("Forehand has seen", HEAD)
    table.put(Text("  ").append_text(spaced_hand(table, report.preview)))
    table.put(_worlds(report.samples, report.seed, report.policy_version, report.stopped))
    table.put()
    table.put(f"  {'':<15}    par    ±   guaranteed    ±  target  later  total", HEAD)
    for forecast in report.forecasts:
        best = forecast is report.best
        row = _forecast_row(report, forecast)
        table.put(
            f"{'>' if best else ' '} {table.contract(forecast.contract):<15}{table.plain(row)}", BEST if best else ""
        )
    table.put(f"Name {report.best.contract.long_name}.")
    table.put()
    table.put(CONTRACT_LEGEND, "dim", wrap=True)


def _forecast_row(report: ContractReport, forecast: ContractForecast) -> str:
    cost = report.cost_later(forecast)
    par, own = forecast.par, forecast.guaranteed
    return (
        f"{par.mean:>+7.2f}{_error(par)}{own.mean:>+13.2f}{_error(own)}{forecast.target_chance:>8.0%}"
        f"{cost:>7.2f}{par.mean - cost:>+7.2f}"
    )
