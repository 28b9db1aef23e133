"""What the commands that sample hidden cards share: options, and tables of `exchange --hand` and `contract`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from mizerka_solver.cli import process
from mizerka_solver.cli.common import (
    EXIT_INTERRUPTED,
    Bar,
    EngineOptions,
    Output,
    OutputOptions,
    option_group,
    samples_option,
    seed_option,
    time_limit_option,
)
from mizerka_solver.cli.deal import drawn_seed
from mizerka_solver.game.cards import Card, Hand, Suit
from mizerka_solver.game.convert import as_contracts, as_hand
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.hidden.contracts import ContractForecast, ContractReport
from mizerka_solver.hidden.samples import Sampling
from mizerka_solver.support.errors import MizerkaError, read_field
from mizerka_solver.support.statistics import Mean, rounded, signed

if TYPE_CHECKING:
    from rich.text import Text

    from mizerka_solver.cli.tables import TextTable
    from mizerka_solver.hidden.discards import Candidate, ExchangeReport

EXCHANGE_LEGEND = (
    "points: mean over worlds that fit what you know, all cards open after the exchange{luck}. ±: standard error."
    " target: worlds in which your target is certain. behind: points less than the best on the same worlds; x: ruled"
    " out, as chance does not explain it."
)
CONTRACT_LEGEND = (
    "par, guaranteed: mean points over deals that fit your cards, all cards open after the exchange. ±: standard error."
    " target: deals in which your target is certain. later: points expected of the contracts you then have left."
    " total: par + later; the highest is best."
)
N_SAMPLES = 200
MIZERKA_SECONDS = 20.0  # for `exchange --hand -c M`, where 200 worlds take minutes


@dataclass(frozen=True, slots=True)
class SamplingOptions:
    """--samples, --seed and --time-limit."""

    samples: int | None
    seed: int | None
    time_limit: float | None

    def for_contract(self, contract: Contract) -> SamplingOptions:
        """Return the options of an exchange: in mizerka, if nothing is said, as many worlds as twenty seconds allow."""
        if contract.is_mizerka and self.samples is None and self.time_limit is None:
            return SamplingOptions(None, self.seed, MIZERKA_SECONDS)
        return self

    @property
    def n_samples(self) -> int:
        """Worlds to sample."""
        return N_SAMPLES if self.samples is None else self.samples

    def plain(self) -> Sampling:
        """Return how to sample with the solver of a batch's worker; a seed is drawn as by `sampling`."""
        return Sampling(self.n_samples, drawn_seed(self.seed), seconds=self.time_limit)

    def sampling(self, engine: EngineOptions, bar: Bar) -> Sampling:
        """Return how to sample; a seed that was not given is drawn and told on stderr."""
        seed = drawn_seed(self.seed)
        return Sampling(
            self.n_samples, seed, engine.threads, engine.memory, self.time_limit, progress=lambda _: bar.advance()
        )


worlds_option = samples_option(
    f"Worlds to sample. Default: {N_SAMPLES}; for an exchange in mizerka, {MIZERKA_SECONDS:.0f} seconds' worth.", None
)
sampling_options = option_group(
    "sampled",
    SamplingOptions,
    worlds_option,
    seed_option(),
    time_limit_option("Time limit in seconds; then the worlds done so far count."),
)


def finish(output: Output, stopped: str | None, show: Callable[[], None]) -> None:
    """Print a report, and leave with 130 when it is what was done until Ctrl-C."""
    show()
    if stopped == "interrupted":
        process.say_stopped()
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
    click.option("--hand", metavar="HAND", help="Your 13 cards before the exchange, instead of a deal."),
    click.option("--exchanged", metavar="N[,N]", help="With --hand: cards that F, or F and M, exchanged before you."),
    click.option(
        "--named-from",
        metavar="LETTERS",
        help="With --hand: contracts forehand chose from; only worlds that fit its choice count.",
    ),
    click.option(
        "--value",
        type=click.Choice(["guaranteed", "par"]),
        default="guaranteed",
        show_default=True,
        help="With --hand: points to maximise; par takes three times as long.",
    ),
    click.option(
        "--margin",
        metavar="P|all",
        help="With --hand: only try discards that the quick policy considers at most P points worse than its own"
        " choice; all: every undominated discard. Default: all, in mizerka 0.5.",
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
    hand = read_field("--hand", as_hand, known.hand or "")
    named = read_field("--named-from", as_contracts, known.named_from) if known.named_from is not None else ()
    situation = Situation(hand, contract, seat, numbers_of(known.exchanged), named)
    margin = default_margin(contract) if known.margin is None else _margin(known.margin)
    sampled = sampled.for_contract(contract)
    with Output(options, whole=True) as output:
        with Bar(output, sampled.n_samples, "worlds", str) as bar:
            how = sampled.sampling(engine, bar)
            report = forecast_exchange(situation, how, value=known.value, margin=margin)
        if options.as_json:
            finish(output, report.stopped, lambda: output.json(report.as_dict(top)))
        else:
            finish(output, report.stopped, lambda: print_exchange(output, report, top))


def numbers_of(text: str | None) -> tuple[int, ...]:
    """Read the numbers of cards that earlier seats exchanged; raises MizerkaError."""
    parts = [part.strip() for part in text.split(",")] if text else []
    for part in parts:
        if not re.fullmatch("[0-9]{1,3}", part):
            raise MizerkaError("must be a number of cards", field="--exchanged", token=part)
    return tuple(map(int, parts))


def _margin(text: str) -> float | None:
    if text == "all":
        return None
    try:
        margin = float(text)
    except ValueError:
        margin = -1.0
    if not 0 <= margin < 100:
        raise MizerkaError("must be points, 0 or more, or all", field="--margin", token=text)
    return margin


def print_exchange(output: Output, report: ExchangeReport, top: int) -> None:
    """Print the best discards, what the policy does and standing pat."""
    from rich.text import Text

    from mizerka_solver.cli.tables import BEST, HEAD, TextTable

    table = TextTable(output)
    asked = report.situation
    before = f", {' and '.join(map(str, asked.exchanged))} exchanged before" if asked.exchanged else ""
    table.put(f"Exchange of {asked.seat.long_name} in {asked.contract.long_name}{before}", HEAD)
    table.put(Text("  ").append_text(spaced_hand(table, asked.hand)))
    table.put(_worlds(report.samples, report.seed, report.policy_version, report.stopped))
    if report.named_share is not None:
        fit, n = report.named_share
        table.put(f"all have one of the {fit:,} previews, of {n:,}, with which the policy names it")
    table.put(f"{len(report.candidates)} discards tried, {report.n_left} left")
    if report.stopped == "time" and asked.contract.is_mizerka:
        table.put("mizerka takes long: more worlds with --time-limit S")
    table.put()
    table.put(f"  {'discard':<34}{report.value:>10}    ±  target  behind    ±  worlds", HEAD)
    for candidate in report.shown(top):
        style = BEST if candidate is report.best else "dim" if candidate.ruled_out else ""
        table.put(_candidate_row(table, candidate, candidate is report.best, style))
    table.put()
    luck = "" if asked.conditioned else ", the luck of your draw taken off"
    table.put(EXCHANGE_LEGEND.format(luck=luck), "dim", wrap=True)


def _candidate_row(table: TextTable, candidate: Candidate, is_best: bool, style: str) -> Text:
    from rich.text import Text

    row = Text("> " if is_best else "x " if candidate.ruled_out else "  ")
    row.append_text(grouped(table, candidate.discards))
    if candidate.is_policy:
        row.append(" (policy)")
    if row.cell_len > 35:  # many cards: the numbers stand below
        row.append("\n" + " " * 36)
    row.append(" " * (36 - row.cell_len))
    own, behind = candidate.points, candidate.behind
    row.append(f"{signed(own.mean):>10}{_error(own)}{candidate.target_chance:>7.0%}", style)
    row.append(f" {rounded(behind.mean, 2):>8.2f}{_error(behind)}{own.samples:>7}", style)
    return row


def grouped(table: TextTable, cards: tuple[Card, ...]) -> Text:
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


def spaced_hand(table: TextTable, hand: Hand) -> Text:
    """Return all four suits of a hand in a row."""
    from rich.text import Text

    return Text("   ").join(table.suit(hand, suit) for suit in Suit)


def _error(mean: Mean) -> str:
    return f"{'–' if mean.se is None else format(mean.se, '.2f'):>5}"


def _worlds(samples: int, seed: int, policy_version: int, stopped: str | None) -> str:
    why = {None: "", "time": " (stopped by the time limit)", "interrupted": " (interrupted)"}[stopped]
    return f"{samples} worlds{why}, seed {seed}, the others exchange by policy {policy_version}"


# contract


def print_contracts(output: Output, report: ContractReport, label: str = "") -> None:
    """Print a row a contract, the best marked; a table among several has a label."""
    from rich.text import Text

    from mizerka_solver.cli.tables import BEST, HEAD, TextTable

    table = TextTable(output)
    if label and output.is_used:
        table.put()
    table.put(f"{label}: forehand has seen" if label else "Forehand has seen", HEAD)
    table.put(Text("  ").append_text(spaced_hand(table, report.preview)))
    table.put(_worlds(report.samples, report.seed, report.policy_version, report.stopped))
    table.put()
    table.put(f"  {'':<15}    par    ±   guaranteed    ±  target  later  total", HEAD)
    for forecast in report.forecasts:
        best = forecast is report.best
        row = _forecast_row(forecast)
        table.put(
            f"{'>' if best else ' '} {table.contract(forecast.contract):<15}{table.plain(row)}", BEST if best else ""
        )
    table.put(f"Name {report.best.contract.long_name}{_lead(report, table)}.")


def print_note(output: Output, text: str) -> None:
    """Print what the columns of the tables above mean."""
    from mizerka_solver.cli.tables import TextTable

    table = TextTable(output)
    table.put()
    table.put(text, "dim", wrap=True)


def _lead(report: ContractReport, table: TextTable) -> str:
    """How far the best contract is ahead of the second, and whether that means anything."""
    second = report.second
    if second is None:
        return ""
    error = "" if second.behind.se is None else f" {'+-' if table.ascii else '±'} {second.behind.se:.2f}"
    lead = f", {rounded(second.behind.mean, 2):.2f}{error} ahead of {second.contract.long_name}"
    return lead + (": a toss-up" if report.is_toss_up else "")


def _forecast_row(forecast: ContractForecast) -> str:
    par, own = forecast.par, forecast.guaranteed
    return (
        f"{signed(par.mean):>7}{_error(par)}{signed(own.mean):>13}{_error(own)}{forecast.target_chance:>8.0%}"
        f"{signed(forecast.later):>7}{signed(forecast.total):>7}"
    )
