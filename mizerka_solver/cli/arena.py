"""`mizerka arena`: bots play each other; results with confidence intervals, records as they come."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import click
from click.exceptions import Exit

from mizerka_solver.arena.match import Match, replay
from mizerka_solver.arena.play import Played, Results, play_match
from mizerka_solver.arena.protocol import Report, check_program
from mizerka_solver.bots import KINDS, make_bot
from mizerka_solver.bots.external import DEFAULT_SECONDS
from mizerka_solver.cli.common import (
    Bar,
    Output,
    OutputOptions,
    Writer,
    contracts_option,
    count_option,
    json_option,
    option_group,
    progress_option,
    say,
    seed_option,
    threads_option,
    time_limit_option,
)
from mizerka_solver.cli.deal import drawn_seed
from mizerka_solver.cli.output import files_named
from mizerka_solver.cli.words import DOTS, counted, fitted, screen_width
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.game.records import GameRecord, read_records
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.review.analysis import review
from mizerka_solver.review.summary import Summary
from mizerka_solver.support.errors import MizerkaError, RecordError, quoted
from mizerka_solver.support.statistics import Tally

EXIT_CHECK_FAILED = 1
MAX_WORDS = 300  # characters of a line that a program wrote to its standard error


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """What is played."""

    bots: tuple[str, ...]
    n_boards: int
    seed: int | None
    games: bool
    contracts: tuple[Contract, ...] | None
    duplicate: bool
    time_limit: float


@dataclass(frozen=True, slots=True)
class FileOptions:
    """Where records go, and what else is wanted."""

    records: str | None
    resume: bool
    costs: bool


match_options = option_group(
    "asked",
    MatchOptions,
    click.option(
        "--bot",
        "bots",
        multiple=True,
        metavar="[NAME=]BOT",
        help=f"A player; give three: {KINDS}.",
    ),
    count_option("--deals", "n_boards", "Boards to play.", 10),
    seed_option("Random seed; the same seed gives the same games. By default one is drawn and printed on stderr."),
    click.option("--games", is_flag=True, help="A board is a whole game of 18 deals instead of one deal."),
    contracts_option("For single deals: contracts to play in turn, such as SHDCNM; by default forehand names one."),
    click.option(
        "--duplicate/--no-duplicate", default=True, show_default=True, help="Play each board in all six seatings."
    ),
    time_limit_option("Time limit in seconds for one decision of a program.", DEFAULT_SECONDS),
)
file_options = option_group(
    "files",
    FileOptions,
    click.option(
        "-o", "--output", "records", metavar="FILE", help="Write the records of all deals to FILE as they finish."
    ),
    click.option(
        "--resume", is_flag=True, help="With -o: keep the part of the match that is in the file, and play the rest."
    ),
    click.option(
        "--costs",
        is_flag=True,
        help="Also print what each player's cards cost with open cards, as `mizerka analyse` does.",
    ),
)


@click.command(short_help="Bots play each other: duplicate deals or games, with confidence intervals.")
@match_options
@click.option(
    "--check", metavar="cmd:PROGRAM", help="Instead of a match: check whether this program follows the protocol."
)
@file_options
@threads_option
@option_group("options", OutputOptions, json_option, progress_option)
def command(asked: MatchOptions, check: str | None, files: FileOptions, threads: int, options: OutputOptions) -> None:
    """Let three bots play, and print the points a deal that each wins, with 95 % confidence intervals.

    Each board is played in all six seatings, so that every player holds every hand and luck of the deal cancels; a
    board counts as one observation. The same seed gives the same games with any number of threads. A program that
    crashes, hangs, or gives an invalid or illegal answer forfeits the deal: it gets none of the tricks left (in mizerka
    all of them), and the others share the rest. docs/bots.md describes the protocol for programs.

    \b
    Examples:
      mizerka arena --bot rule --bot random --bot random2=random --deals 5 --seed 1
      mizerka arena --bot a=rule --bot b=random --bot c=rule --games --deals 1 --seed 1 -o games.jsonl
    """
    with Output(options) as output:
        if check is not None:
            raise Exit(print_check(output, check_program(check, asked.time_limit)))
        if files.resume and files.records is None:
            raise click.UsageError("--resume needs -o FILE")
        with ExitStack() as stack:
            writer = None if files.records is None else records_writer(files.records, asked.bots)
            if writer is not None:
                stack.callback(writer.close)
            match = match_of(asked)
            results, costs = Results(match), Summary() if files.costs else None
            sink = Sink(writer, results, costs)
            if writer is not None and files.resume and files.records and os.path.exists(files.records):
                writer.keep = sink.read(match, files.records)
            try:
                play(output, match, sink, threads)
            finally:  # of an interrupted match too: what is done is told
                if results.n_deals:
                    print_results(output, match, results, costs)


def play(output: Output, match: Match, sink: Sink, threads: int) -> None:
    """Play what the sink does not have yet, with a bar that counts deals."""
    progress = Speed()
    tasks = islice(match.tasks(), sink.n_done, None)
    n_deals = (match.n_tasks - sink.n_done) * match.deals_a_table
    with ExitStack() as stack:
        bar = stack.enter_context(Bar(output, n_deals, detail=progress.__str__))

        def count_deal() -> None:
            progress.n_deals += 1
            bar.advance()

        for each in stack.enter_context(closing(play_match(match, tasks, threads, count_deal))):
            report(each)
            sink.put(each.records)


class Speed:
    """Deals played, and how many a minute."""

    def __init__(self) -> None:
        self.n_deals = 0
        self._start = time.monotonic()

    def __str__(self) -> str:
        minutes = (time.monotonic() - self._start) / 60
        return f"{self.n_deals / minutes:,.0f} deals/min" if self.n_deals and minutes else ""


def match_of(asked: MatchOptions) -> Match:
    """Return the match of the options; raises click.UsageError, MizerkaError."""
    if len(asked.bots) != 3:
        raise click.UsageError(f"a match needs three --bot, not {len(asked.bots)}")
    if asked.games and asked.contracts:
        raise click.UsageError("--contract does not go with --games, in which players name each contract once")
    players: list[tuple[str, str]] = []
    for text in asked.bots:
        name, sign, spec = text.partition("=")
        if not sign or not name.isidentifier() or name in ("cmd", "sampling"):
            # The text itself is the name; equal ones are told apart by a number.
            base = spec = text
            taken = [name for name, _ in players]
            name = next(n for n in (base, *(f"{base}-{i}" for i in (2, 3))) if n not in taken)
        make_bot(spec, asked.time_limit).close()  # what is no bot is said before anything is played
        players.append((name, spec))
    how = (asked.games, asked.duplicate, asked.contracts, asked.time_limit)
    match = Match(tuple(players), asked.n_boards, asked.seed or 0, *how)
    return match if asked.seed is not None else replace(match, seed=drawn_seed(None))


def records_writer(path: str, bots: Iterable[str]) -> Writer:
    """Return the file for records, which is none of those the bots are made of."""
    commands = [spec.partition("cmd:")[2] for spec in bots]
    return Writer("-o", path, [file for command in commands for file in files_named(command)])


def report(played: Played) -> None:
    """Say on stderr who forfeited what, and in which words."""
    for forfeit in played.forfeits:
        lines = [f"{forfeit.record}: {forfeit.player} forfeits: {forfeit.reason}"]
        lines += [f"  {forfeit.player} wrote: {quoted(words, MAX_WORDS)}" for words in forfeit.words]
        say("\n".join(lines))


# Records


class Sink:
    """Takes the records of a match: into a file, if there is one, and into the sums over all of it."""

    def __init__(self, writer: Writer | None, results: Results, costs: Summary | None) -> None:
        self.n_done = 0
        self._writer, self._results, self._costs = writer, results, costs
        self._solver = Solver(memory="64M") if costs is not None else None

    def read(self, match: Match, path: str) -> int:
        """Count the complete tasks of a file; return the bytes they take. The rest, broken off, is played again."""
        ends: list[int] = []
        with open(path, "rb") as stream:
            for _, records in replay(match, placed_records(stream.read().splitlines(keepends=True), path, ends)):
                self._count(records)
                self.n_done += 1
        return ends[self.n_done * match.deals_a_table - 1] if self.n_done else 0

    def put(self, records: tuple[GameRecord, ...]) -> None:
        """Write and count the records of a task."""
        if self._writer is not None:
            self._writer.write("".join(record.to_json() + "\n" for record in records).encode())
        self._count(records)

    def _count(self, records: tuple[GameRecord, ...]) -> None:
        self._results.add(records)
        if self._costs is not None and self._solver is not None:
            for record in records:
                self._costs.add(review(self._solver, record), str(record.id))


def placed_records(lines: list[bytes], path: str, ends: list[int]) -> Iterator[tuple[str, GameRecord]]:
    """Yield (place, record) of whole lines, noting where each ends; a last line without its end is left out."""
    end = 0
    for number, line in enumerate(lines, start=1):
        end += len(line)
        if not line.endswith(b"\n"):
            return
        for _, record in read_records([line], path):
            if isinstance(record, MizerkaError):
                raise RecordError(record.rule, token=record.token, field=record.field, where=f"{path}:{number}")
            ends.append(end)
            yield f"{path}:{number}", record


# Output


def print_results(output: Output, match: Match, results: Results, costs: Summary | None) -> None:
    """Print points a deal, pairs, and costs if asked for."""
    if output.options.as_json:
        output.json(as_dict(match, results, costs))
        return
    sign = "+-" if output.is_ascii else "±"
    n = results.n_boards
    boards = f"{counted(n, 'game')} of 18 deals" if match.games else counted(n, "deal")
    seatings = (", each in six seatings" if n != 1 else " in six seatings") if match.duplicate else ""
    output.line(f"{boards}{seatings}: {counted(results.n_deals, 'deal')} played, seed {match.seed}")
    names = fitted(match.names, screen_width() - (80 if costs is not None else 67), ".." if output.is_ascii else DOTS)
    width = max(8, *map(len, names.values()))
    order = sorted(match.names, key=lambda name: -results.per_deal[name].mean)
    output.line("")
    head = f"{'':{width}}  points a deal      as F     as M     as R  forfeits"
    output.line(head + ("  cost a deal" if costs is not None else ""))
    for name in order:
        seats = "".join(f"{tally.mean:>+9.2f}" if tally.n else f"{'-':>9}" for tally in results.by_seat[name])
        row = f"{names[name]:<{width}}  {interval(results.per_deal[name], sign):<14}{seats}{results.forfeits[name]:>10}"
        if costs is not None and name in costs.lines["player"]:
            # Without an interval: the seatings of a board have the same cards, so its deals are not independent.
            row += f"{costs.lines['player'][name].deal_cost.mean:>13.2f}"
        output.line(row)
    output.line("")
    output.line(f"{sign} 95 % confidence, from the spread between boards. Difference a deal:")
    for (a, b), tally in results.pairs.items():
        sure = "" if tally.n < 2 or abs(tally.mean) <= tally.interval else "  sure"
        output.line(f"  {names[a]} - {names[b]}: {interval(tally, sign)}{sure}")
    if costs is not None:
        output.line(
            "cost: guaranteed points lost with open cards, as `mizerka analyse` counts them; open cards are not skill"
        )


def interval(tally: Tally, sign: str) -> str:
    """Return '+0.12 ±0.34', or without the second where it is not known."""
    return tally.shown("+.2f", sign)


def as_dict(match: Match, results: Results, costs: Summary | None) -> dict[str, Any]:
    """Return the JSON object of a match."""

    def numbers(tally: Tally) -> dict[str, float | None]:
        return {**tally.as_dict(), "interval": round(tally.interval, 4) if tally.n > 1 else None}

    players = {
        name: {
            "bot": spec,
            "points_per_deal": numbers(results.per_deal[name]),
            "seats": {seat.name: results.by_seat[name][seat].as_dict() for seat in Seat},
            "forfeits": results.forfeits[name],
        }
        for name, spec in match.players
    }
    pairs = [{"players": list(pair), "difference": numbers(tally)} for pair, tally in results.pairs.items()]
    data: dict[str, Any] = {"seed": match.seed, "boards": results.n_boards, "deals": results.n_deals}
    data |= {"games": match.games, "duplicate": match.duplicate, "players": players, "pairs": pairs}
    return data if costs is None else data | {"costs": costs.as_dict()}


def print_check(output: Output, found: Report) -> int:
    """Print what was checked of a program; return the exit code."""
    if output.options.as_json:
        output.json(found.as_dict())
    else:
        for name, problem in found.steps:
            output.line(f"{'ok  ' if problem is None else 'FAIL'} {name}" + (f": {problem}" if problem else ""))
        for words in found.words:
            output.line(f"     it wrote: {quoted(words, MAX_WORDS)}")
        if found.slowest:  # a program's first answer, which its start delays, does not count
            output.line(f"slowest answer {found.slowest:.3f} seconds")
    return 0 if found.passed else EXIT_CHECK_FAILED
