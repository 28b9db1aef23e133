"""Rows of a score sheet as people have them: contract and tricks of each deal, with or without the players.

text    H 5-4-4                     contract, then tricks of F, M, R; names too: no trump 5-4-4
        players: Anna, Bert, Gela   who sits at F, M, R in the first deal; a fourth name is its dealer
csv     contract,tricks             a header line; also F,M,R (players), tricks_F,tricks_M,tricks_R and game
json    {"contract":"H","tricks":[5,4,4]}    tricks also by seat, or by player; players and game if you like
        {"format":"mizerka-game/1",…}        a game record
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mizerka_solver.game.convert import as_contract
from mizerka_solver.game.notation import decoded_lines
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import MIZERKA, Contract, Seat, Triple, check_tricks
from mizerka_solver.support.errors import MizerkaError, RecordError

COMMENT = "#"
TRICKS = re.compile(r"\s*([0-9]{1,2})\s*[-–/:, ]\s*([0-9]{1,2})\s*[-–/:, ]\s*([0-9]{1,2})\s*")
SHORT = re.compile(r"(.*?)[\s,;:]+([0-9]+\s*[-–/ ]\s*[0-9]+\s*[-–/ ]\s*[0-9]+)")
PLAYERS = re.compile(r"players?\s*[:=]\s*(.*)", re.IGNORECASE)
WANTED = "a deal is its contract and the tricks of F-M-R, as in H 5-4-4"


@dataclass(frozen=True, slots=True)
class Entry:
    """One deal of a sheet. players: at F, M, R, None where they follow from the first deal. game: its name."""

    contract: Contract
    tricks: Triple
    players: tuple[str, str, str] | None = None
    game: str | None = None


@dataclass(frozen=True, slots=True)
class Seating:
    """A line that says who plays: three names, at F, M, R in the next game's first deal, or with its dealer four."""

    players: tuple[str, ...]


def read_entries(lines: Iterable[str | bytes], source: str) -> Iterator[tuple[int, Entry | Seating | MizerkaError]]:
    """Yield (line number, entry or located error) of lines in any of the forms, told apart line by line."""
    header: list[str] | None = None
    delimiter = ","
    for number, text in decoded_lines(lines, source):
        if isinstance(text, MizerkaError):
            yield number, text
            continue
        is_json = text.startswith(("{", "["))
        text = text if is_json else text.partition(COMMENT)[0].strip()
        if not text:
            continue
        found = None if is_json else csv_header(text)
        if found is not None:
            header, delimiter = found
            continue
        try:
            if is_json:
                yield number, json_entry(text)
            elif header is not None:
                yield number, csv_entry(next(csv.reader([text], delimiter=delimiter)), header)
            else:
                yield number, text_entry(text)
        except MizerkaError as error:
            yield number, error.at(where=f"{source}:{number}")


def names_of(text: str, where: str = "players") -> tuple[str, ...]:
    """Return the names of 'Anna, Bert, Gela', three or four; raises RecordError."""
    names = tuple(name.strip() for name in re.split(r"[,;]", text)) if re.search("[,;]", text) else tuple(text.split())
    if len(names) not in (3, 4) or len(set(names)) < len(names) or not all(n and n.isprintable() for n in names):
        raise RecordError("give three different names (F, M, R of the first deal), or four", field=where, token=text)
    return names


def text_entry(text: str) -> Entry | Seating:
    """Return the entry of 'H 5-4-4', or the names of 'players: A, B, G'; raises MizerkaError."""
    players = PLAYERS.fullmatch(text)
    if players:
        return Seating(names_of(players[1]))
    short = SHORT.fullmatch(text)
    if not short:
        raise RecordError(WANTED, token=text)
    return Entry(as_contract(short[1]), tricks_of(short[2]))


def tricks_of(text: str) -> Triple:
    """Return the tricks of '5-4-4'; raises MizerkaError."""
    match = TRICKS.fullmatch(text)
    if not match:
        raise RecordError(WANTED, field="tricks", token=text)
    return checked((int(match[1]), int(match[2]), int(match[3])))


def checked(tricks: Triple) -> Triple:
    """Return tricks that sum to 13; raises MizerkaError."""
    check_tricks(tricks, MIZERKA.hand_size)
    return tricks


def csv_header(text: str) -> tuple[list[str], str] | None:
    """Return the columns and the delimiter of a header line; None if it is none."""
    for delimiter in ",;\t":
        names = [name.strip() for name in text.split(delimiter)]
        if "contract" in names and ("tricks" in names or {"tricks_F", "tricks_M", "tricks_R"} <= set(names)):
            return names, delimiter
    return None


def csv_entry(cells: list[str], header: list[str]) -> Entry:
    """Return the entry of a row; raises MizerkaError."""
    if len(cells) != len(header):
        raise RecordError(f"the header has {len(header)} columns, the row {len(cells)}", token=",".join(cells))
    row = {name: cell.strip() for name, cell in zip(header, cells, strict=True)}
    text = row["tricks"] if "tricks" in row else "-".join(row[f"tricks_{seat}"] for seat in "FMR")
    players = tuple(row.get(seat, "") for seat in "FMR")
    f, m, r = players
    return Entry(
        as_contract(row["contract"]), tricks_of(text), (f, m, r) if all(players) else None, row.get("game") or None
    )


def json_entry(text: str) -> Entry:
    """Return the entry of an object, which may be a game record; raises MizerkaError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or "format" in data or "contract" not in data:
        return entry_of(GameRecord.from_json(text))  # which says what is wrong
    players = seated(data["players"], "players", str) if "players" in data else None
    tricks = data.get("tricks")
    if isinstance(tricks, str):
        return Entry(as_contract_text(data["contract"]), tricks_of(tricks), players, game_of(data))
    if isinstance(tricks, dict) and players is not None and set(tricks) == set(players):
        tricks = [tricks[name] for name in players]
    return Entry(as_contract_text(data["contract"]), checked(seated(tricks, "tricks", int)), players, game_of(data))


def as_contract_text(value: Any) -> Contract:
    """Return a contract from JSON; raises MizerkaError."""
    if not isinstance(value, str):
        raise RecordError("a contract is text", field="contract", token=json.dumps(value))
    return as_contract(value)


def game_of(data: dict[str, Any]) -> str | None:
    """Return the name of the game a deal belongs to."""
    return str(data["game"]) if "game" in data else None


def seated(value: Any, field: str, kind: type) -> tuple[Any, Any, Any]:
    """Return three values given as a list or by seat; raises RecordError."""
    if isinstance(value, dict) and set(value) == set("FMR"):
        value = [value[seat] for seat in "FMR"]
    if not isinstance(value, list) or len(value) != 3 or not all(type(part) is kind for part in value):
        raise RecordError("give three, of F, M and R, as a list or by seat", field=field, token=json.dumps(value))
    a, b, c = value
    return a, b, c


def entry_of(record: GameRecord) -> Entry:
    """Return the row of a game record; raises RecordError for an unfinished deal."""
    if record.tricks is None:
        raise RecordError("the deal is unfinished, it has no result")
    text = dict(record.extra).get("game")
    return Entry(record.contract, record.tricks, record.players, None if text is None else str(json.loads(text)))


def seats_text(players: Iterable[str]) -> str:
    """Return 'Anna, Bert, Gela sit at F, M, R'."""
    return f"{', '.join(players)} sit at {', '.join(seat.name for seat in Seat)}"
