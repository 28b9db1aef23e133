"""Deals, positions and records in every form the command reads and writes, triples as columns: text, JSON Lines, CSV.

text  F:… M:… R:… T:…                          a deal; a position has contract, leader, trick, tricks won
url   F:…_M:…_R:…_T:…                          the same without spaces
json  {"deal":"F:… M:… R:… T:…"}               or {"position":"…"}; game records are read too
csv   F,M,R,T,contract,leader,trick,won        a header line, then one row each; the last four are a position's
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator

from mizerka_solver.game.deal import Deal
from mizerka_solver.game.notation import COMMENT, decoded_lines, parse_line, url_text
from mizerka_solver.game.position import Position
from mizerka_solver.game.records import GameRecord
from mizerka_solver.support.errors import MizerkaError, RecordError

Thing = Deal | Position | GameRecord
COLUMNS = ("F", "M", "R", "T", "contract", "leader", "trick", "won")


def read_any(lines: Iterable[str | bytes], source: str) -> Iterator[tuple[int, Thing | MizerkaError]]:
    """Yield (line number, value or located error) of lines in any of the forms, told apart line by line."""
    header: list[str] | None = None
    for number, text in decoded_lines(lines, source):
        if isinstance(text, MizerkaError):
            yield number, text
            continue
        is_json = text.startswith(("{", "[", '"'))
        if not is_json:
            text = text.partition(COMMENT)[0].strip()
        if not text:
            continue
        if text.replace(" ", "").startswith("F,M,R"):
            header = [name.strip() for name in text.split(",")]
            continue
        try:
            yield number, _read_json(text) if is_json else parse_line(_row_text(text, header) if header else text)
        except MizerkaError as error:
            yield number, error.at(where=f"{source}:{number}")


def _read_json(text: str) -> Thing:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return GameRecord.from_json(text)  # which says what is wrong
    if isinstance(data, dict) and "format" not in data:
        for name, read in (("deal", Deal), ("position", Position)):
            if isinstance(data.get(name), str):
                try:
                    return read(data[name])
                except MizerkaError as error:
                    raise RecordError(error.rule, token=error.token, field=error.at(field=name).field) from None
    return GameRecord.from_json(text)


def _row_text(text: str, header: list[str]) -> str:
    """Return the text of a deal or position from a CSV row; raises RecordError."""
    cells = next(csv.reader([text]))
    if len(cells) != len(header):
        raise RecordError(f"the header has {len(header)} columns, the row {len(cells)}", token=text)
    row = {name: cell.strip() for name, cell in zip(header, cells, strict=True)}
    hands = " ".join(f"{seat}:{row[seat]}" for seat in "FMR")
    if not row.get("contract"):
        return f"{hands} T:{row['T']}" if row.get("T") else hands
    return f"{hands} {row['contract']} {row.get('leader') or 'F'} {row.get('trick') or '-'} {row.get('won') or '0-0-0'}"


def subject_of(thing: Thing) -> Deal | Position:
    """Return the deal or position; of a game record its deal before the exchange."""
    return thing.deal if isinstance(thing, GameRecord) else thing


def noun_of(thing: Thing) -> str:
    """Return "deal", "position" or "game record"."""
    return {Deal: "deal", Position: "position"}.get(type(thing), "game record")


def as_text(thing: Thing) -> str:
    """Return one line of text in the standard spelling."""
    return str(subject_of(thing))


def as_url(thing: Thing) -> str:
    """Return one line of text with `_` for spaces."""
    return url_text(subject_of(thing))


def as_json(thing: Thing) -> dict[str, str]:
    """Return {"deal": text} or {"position": text}."""
    subject = subject_of(thing)
    return {noun_of(subject): str(subject)}


def as_row(thing: Thing) -> dict[str, str]:
    """Return the cells of a CSV row by column."""
    subject = subject_of(thing)
    fields = str(subject).split()
    row = dict.fromkeys(COLUMNS, "")
    row.update(zip("FMR", (field[2:] for field in fields), strict=False))
    if isinstance(subject, Position):
        row.update(zip(COLUMNS[4:], fields[3:], strict=True))
    else:
        row["T"] = "".join(map(str, subject.talon))
    return row
