"""`mizerka sheet`: the score sheet of a game from its records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
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
from mizerka_solver.cli.sources import Inputs, Record
from mizerka_solver.game.records import GameRecord, read_records, score_sheet
from mizerka_solver.game.rules import Contract, Game, Seat, SheetRow
from mizerka_solver.support.errors import MizerkaError

Sheet = list[Record[GameRecord]]


@click.command(short_help="The 18-deal score sheet of game records.")
@click.argument("inputs", nargs=-1, required=True, metavar="RECORDS...")
@option_group("options", OutputOptions, json_option, csv_option, path_option)
def command(inputs: tuple[str, ...], options: OutputOptions) -> None:
    """Write the score sheet of a game: who dealt, what was named, tricks, points, totals, what is left to name.

    The records (JSON Lines) are those of a game in order, 18 deals or fewer, with four players 24. That the deal passes
    to the left and that everybody names each contract once is checked. Records with a field "game" belong to the game
    of that name; without it a new game begins when one is over. An unsound game is reported with file and line.

    \b
    Example:
      mizerka sheet games.jsonl
    """
    sources: Inputs[GameRecord] = Inputs(inputs, read_records, "record")
    with Output(options, sources.files) as output:
        failures = Failures(output, as_json=options.as_json)
        for name, records in games(sources):
            found = sheet_of(records)
            if isinstance(found, Game):
                print_game(output, name, found)
                continue
            for error, line in found:
                if sources.is_one_literal:
                    raise error
                failures.report(error, line)
    raise Exit(failures.exit_code)


def games(records: Iterable[Record[GameRecord]]) -> Iterator[tuple[str, Sheet]]:
    """Yield (name, records) of each game: by the field "game", or else one after another."""
    named: dict[str, Sheet] = {}
    unnamed: Sheet = []
    number = 1
    for record in records:
        name = game_name(record.value) if isinstance(record.value, GameRecord) else None
        if name is not None:
            named.setdefault(name, []).append(record)
            continue
        unnamed.append(record)
        if is_whole(unnamed):
            yield f"game {number}", unnamed
            unnamed, number = [], number + 1
    if unnamed:
        yield f"game {number}", unnamed
    for name, sheet in named.items():
        yield f"game {name}", sheet


def game_name(record: GameRecord) -> str | None:
    """Return the extra field "game" as text."""
    text = dict(record.extra).get("game")
    return None if text is None else str(json.loads(text))


def is_whole(sheet: Sheet) -> bool:
    """Whether there are as many records as a game of these players has deals."""
    names = {name for record in sheet if isinstance(record.value, GameRecord) for name in record.value.players}
    return len(sheet) == len(Contract) * max(len(names), 3)


def sheet_of(records: Sheet) -> Game | list[tuple[MizerkaError, int]]:
    """Return the game of records, or what is wrong and in which line: all records that are none, or what is no game."""
    faulty = [(record.value, record.line) for record in records if isinstance(record.value, MizerkaError)]
    if faulty:
        return faulty
    played = [record.value for record in records if isinstance(record.value, GameRecord)]
    try:
        return score_sheet(played, places=[record.where for record in records])
    except MizerkaError as error:
        return [(error, next((r.line for r in records if r.where == error.where), records[0].line))]


# Output


def print_game(output: Output, name: str, game: Game) -> None:
    """Print a game in the form that was asked for."""
    if output.options.as_json:
        output.json({"game": name.removeprefix("game "), **as_dict(game)})
    elif output.options.as_csv:
        for row in game.sheet:
            output.csv(csv_row(name.removeprefix("game "), game, row))
    else:
        for line in table(name, game):
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


def table(name: str, game: Game) -> Iterator[str]:
    """Yield the lines of a sheet, and what each player named: the points it brought, a dot where it is to come."""
    yield f"{name}: {', '.join(game.players)}; {len(game.sheet)} of {game.n_deals} deals"
    # Narrow, so that three or four players with short names fit into 80 columns.
    width = max(5, *(len(player) + 1 for player in game.players))
    seat = max(7, width)
    names = "".join(f"{player:>{width}}" for player in game.players)
    yield ""
    heads = f"{'points':^{len(names)}}  {'totals':^{len(names)}}".rstrip()
    yield f"deal  {'dealer':<{seat}}{'F':<{seat}}{'contract':<10}{'tricks':<8}{heads}"
    yield f"{'':{6 + 2 * seat}}{'':10}{'F-M-R':<8}{names}  {names}"
    for row in game.sheet:
        tricks = "-".join(map(str, row.tricks))
        played = [
            f"{points:>+{width}}" if points else f"{'0' if player in row.seats else '':>{width}}"
            for player, points in zip(game.players, row.points, strict=True)
        ]
        totals = "".join(f"{total:>{width}}" if not total else f"{total:>+{width}}" for total in row.totals)
        start = f"{row.number:>4}  {row.dealer:<{seat}}{row.seats[0]:<{seat}}{row.contract.long_name:<10}{tricks:<8}"
        yield f"{start}{''.join(played)}  {totals}"
    yield ""
    yield f"{'named, points':<{max(width, 14)}}" + "".join(f"{contract.name:>5}" for contract in Contract)
    for player in game.players:
        won = {row.contract: row.points[game.players.index(player)] for row in game.sheet if row.seats[0] == player}
        cells = "".join(f"{won[c]:>+5}" if won.get(c) else f"{'0' if c in won else '.':>5}" for c in Contract)
        yield f"{player:<{max(width, 14)}}{cells}"
    if not game.is_over:
        f, m, r = game.seats
        left = " ".join(contract.name for contract in game.remaining(f))
        yield ""
        yield f"next: {game.next_dealer} deals, {f} names one of {left}; then {m}, then {r}"
    yield ""
