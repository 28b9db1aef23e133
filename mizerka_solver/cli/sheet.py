"""`mizerka sheet`: the score sheet of a game, from contracts and tricks or from records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

import click
from click.exceptions import Exit

from mizerka_solver.cli.common import (
    Failures,
    Output,
    OutputOptions,
    csv_option,
    json_option,
    option_group,
    path_option,
)
from mizerka_solver.cli.entries import Entry, Seating, names_of, read_entries, seats_text
from mizerka_solver.cli.sources import Inputs, Record
from mizerka_solver.cli.words import DOTS, fitted, screen_width
from mizerka_solver.game.rules import Contract, Game, Seat, SheetRow
from mizerka_solver.support.errors import MizerkaError, RecordError

DEFAULT_PLAYERS = ("A", "B", "C")
Rows = list[Record[Entry]]


@dataclass
class Sheet:
    """The rows of one game, as read. players: as an option or a line of the file names them."""

    name: str
    players: tuple[str, ...] | None
    rows: Rows = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether there are as many rows as a game of these players has deals."""
        names = {name for row in self.rows if isinstance(row.value, Entry) for name in row.value.players or ()}
        return len(self.rows) == len(Contract) * max(len(names), len(self.players or ()), 3)


@click.command(short_help="The score sheet of a game, from contracts and tricks or from records.")
@click.argument("inputs", nargs=-1, required=True, metavar="[ENTRY|FILE|-]...")
@click.option(
    "--players",
    callback=lambda ctx, param, value: None if value is None else names_of(value, "--players"),
    metavar="F,M,R[,DEALER]",
    help="Who sits at F, M and R in the first deal, if the input does not say; with four players also its dealer.",
)
@option_group("options", OutputOptions, json_option, csv_option, path_option)
def command(inputs: tuple[str, ...], players: tuple[str, ...] | None, options: OutputOptions) -> None:
    """Write the score sheet of a game: dealers, contracts, tricks, points, totals, and what is left to name.

    Contract and tricks of each deal are enough, one deal a line: `H 5-4-4` is hearts, five tricks for forehand, four
    for middlehand and four for rearhand. A line `players: Anna, Bert, Gela` or --players says who sat at F, M and R in
    the first deal; after that the deal passes to the left. CSV (columns contract and tricks, or the output of --csv),
    JSON Lines ({"contract":"H","tricks":[5,4,4]}) and game records are read too.

    The deals of a game come in order, at most 18, with four players 24. No player may name a contract twice. Rows with
    the same name in the field "game" belong together; without it, a new game begins when the last one is over.

    \b
    Examples:
      mizerka sheet games.jsonl
      mizerka sheet 'H 5-4-4' 'M 2-6-5' 'S 11-0-2' --players Anna,Bert,Gela
    """
    sources: Inputs[Entry | Seating] = Inputs(inputs, read_entries, "deal")
    with Output(options, sources.files, whole=True) as output:
        failures = Failures(output, as_json=options.as_json)
        for sheet in games(sources, players):
            found = game_of(sheet)
            if isinstance(found, Game):
                print_game(output, sheet.name, found)
                continue
            for error, line in found:
                if sources.is_one_literal:
                    raise error
                failures.report(error, line)
    raise Exit(failures.exit_code)


def games(records: Iterable[Record[Entry | Seating]], players: tuple[str, ...] | None) -> Iterator[Sheet]:
    """Yield the rows of each game: by the name of the game, or else one after another."""
    named: dict[str, Sheet] = {}
    number = 1
    sheet = Sheet("game 1", players)
    for record in records:
        value = record.value
        if isinstance(value, Seating):
            if sheet.rows:
                yield sheet
                number += 1
            players = value.players
            sheet = Sheet(f"game {number}", players)
            continue
        row: Record[Entry] = Record(record.source, record.line, value)
        if isinstance(value, Entry) and value.game is not None:
            named.setdefault(value.game, Sheet(f"game {value.game}", players)).rows.append(row)
            continue
        sheet.rows.append(row)
        if sheet.is_whole:
            yield sheet
            number += 1
            sheet = Sheet(f"game {number}", players)
    if sheet.rows:
        yield sheet
    yield from named.values()


def game_of(sheet: Sheet) -> Game | list[tuple[MizerkaError, int]]:
    """Return the game of rows, or what is wrong and in which line: all rows that are none, or what is no game."""
    faulty = [(row.value, row.line) for row in sheet.rows if isinstance(row.value, MizerkaError)]
    if faulty:
        return faulty
    game = Game(*table_of(sheet))
    for row in sheet.rows:
        entry = row.value
        assert isinstance(entry, Entry)
        try:
            if entry.players is not None and entry.players != game.seats:
                rule = f"the deal passes to the left, so {seats_text(game.seats)}"
                raise RecordError(rule, field="players", token=",".join(entry.players))
            game = game.record(entry.contract, entry.tricks)
        except MizerkaError as error:
            return [(error.at(where=row.where), row.line)]
    return game


def table_of(sheet: Sheet) -> tuple[tuple[str, ...], int]:
    """Return the players clockwise and the index of the first dealer."""
    told = [row.value.players for row in sheet.rows if isinstance(row.value, Entry) and row.value.players is not None]
    if told and isinstance(sheet.rows[0].value, Entry) and sheet.rows[0].value.players is not None:
        first = told[0]
        others = tuple(dict.fromkeys(name for players in told for name in players if name not in first))
        # A fifth name is found where it sits in a wrong place.
        players: tuple[str, ...] = (*first, *others[:1])
    else:
        players = sheet.players or DEFAULT_PLAYERS
    # The first deal's forehand sits left of its dealer: with three players that is rearhand, with four the fourth.
    return players, len(players) - 1


# Output


def print_game(output: Output, name: str, game: Game) -> None:
    """Print a game in the form that was asked for."""
    if output.options.as_json:
        output.json({"game": name.removeprefix("game "), **as_dict(game)})
    elif output.options.as_csv:
        for row in game.sheet:
            output.csv(csv_row(name.removeprefix("game "), game, row))
    else:
        for line in table(name, game, ".." if output.is_ascii else DOTS):
            output.line(line)


def as_dict(game: Game) -> dict[str, Any]:
    """Return the JSON object of a game."""
    deals = [
        {
            "number": row.number,
            "dealer": row.dealer,
            "seats": dict(zip("FMR", row.seats, strict=True)),
            "contract": row.contract.name,
            "tricks": dict(zip("FMR", row.tricks, strict=True)),
            "points": dict(zip(game.players, row.points, strict=True)),
            "totals": dict(zip(game.players, row.totals, strict=True)),
        }
        for row in game.sheet
    ]
    return {
        "players": list(game.players),
        "deals": deals,
        "totals": dict(zip(game.players, game.totals, strict=True)),
        "remaining": {player: "".join(c.name for c in game.remaining(player)) for player in game.players},
        "over": game.is_over,
        "next": None if game.is_over else {"dealer": game.next_dealer, **dict(zip("FMR", game.seats, strict=True))},
    }


def csv_row(name: str, game: Game, row: SheetRow) -> dict[str, Any]:
    """Return one row a deal; players by their number at the table, since names would make differing headers."""
    cells: dict[str, Any] = {"game": name, "deal": row.number, "dealer": row.dealer, "contract": row.contract}
    cells |= {seat.name: player for seat, player in zip(Seat, row.seats, strict=True)}
    cells |= {f"tricks_{seat}": n for seat, n in zip(Seat, row.tricks, strict=True)}
    for i, player in enumerate(game.players, start=1):
        cells |= {f"player_{i}": player, f"points_{i}": row.points[i - 1], f"total_{i}": row.totals[i - 1]}
    return cells


def table(name: str, game: Game, dots: str = DOTS) -> Iterator[str]:
    """Yield the lines of a sheet, and what each player named: the points it brought, a dot where it is to come."""
    yield from wrap(f"{name}: {', '.join(game.players)}; {len(game.sheet)} of {game.n_deals} deals", screen_width())
    # Names are cut, so that the table fits the screen; whole they stand in the line above, in the same order.
    room = (screen_width() - 40) // (2 * len(game.players)) - 1
    names = fitted(game.players, max(room, 4), dots)
    width = max(5, *(len(short) + 1 for short in names.values()))
    seat = max(7, width)
    heads = "".join(f"{names[player]:>{width}}" for player in game.players)
    yield ""
    both = f"{'points':^{len(heads)}}  {'totals':^{len(heads)}}".rstrip()
    yield f"deal  {'dealer':<{seat}}{'F':<{seat}}{'contract':<10}{'tricks':<8}{both}"
    yield f"{'':{6 + 2 * seat}}{'':10}{'F-M-R':<8}{heads}  {heads}"
    for row in game.sheet:
        yield table_row(game, row, names, width, seat)
    yield ""
    long = fitted(game.players, screen_width() - 5 * len(Contract) - 1, dots)
    first = max(14, *(len(short) + 1 for short in long.values()))
    yield f"{'named, points':<{first}}" + "".join(f"{contract.name:>5}" for contract in Contract)
    for player in game.players:
        won = {row.contract: row.points[game.players.index(player)] for row in game.sheet if row.seats[0] == player}
        cells = "".join(f"{won[c]:>+5}" if won.get(c) else f"{'0' if c in won else '.':>5}" for c in Contract)
        yield f"{long[player]:<{first}}{cells}"
    if not game.is_over:
        f, m, r = game.seats
        left = " ".join(contract.name for contract in game.remaining(f))
        yield ""
        yield from wrap(f"next: {game.next_dealer} deals, {f} names one of {left}; then {m}, then {r}", screen_width())
    yield ""


def table_row(game: Game, row: SheetRow, names: dict[str, str], width: int, seat: int) -> str:
    """Return the line of one deal."""
    tricks = "-".join(map(str, row.tricks))
    played = [
        f"{points:>+{width}}" if points else f"{'0' if player in row.seats else '':>{width}}"
        for player, points in zip(game.players, row.points, strict=True)
    ]
    totals = "".join(f"{total:>{width}}" if not total else f"{total:>+{width}}" for total in row.totals)
    start = f"{row.number:>4}  {names[row.dealer]:<{seat}}{names[row.seats[0]]:<{seat}}"
    return f"{start}{row.contract.long_name:<10}{tricks:<8}{''.join(played)}  {totals}"
