"""Deals, positions and records in every form the command reads, told apart by looking: where a fault sits, comments.

    text  F:… M:… R:… T:…                    a deal; a position has contract, leader, trick, tricks won; one a line, or
                                             in any other shape and over several lines (reading.py, gathering.py)
    url   F:…_M:…_R:…_T:…                    the same without spaces
    json  {"deal":"…"} {"position":"…"}      other fields, as `solve --json` writes them, are passed over; game records
    csv   a header line, then rows           columns.py

Single values parse themselves (cards.py, deal.py, position.py, records.py). Nothing here opens files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from mizerka_solver.game.convert import as_seat
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.hands import split_text
from mizerka_solver.game.position import Position
from mizerka_solver.game.record_fields import strict_json
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import Seat
from mizerka_solver.reading.columns import Columns
from mizerka_solver.reading.deals import position_tail
from mizerka_solver.reading.gathering import Gatherer, is_usual
from mizerka_solver.reading.pasted import unprinted
from mizerka_solver.reading.textlines import COMMENT as COMMENT
from mizerka_solver.reading.textlines import MAX_LINE as MAX_LINE
from mizerka_solver.reading.textlines import bounded_lines as bounded_lines
from mizerka_solver.reading.textlines import decoded_lines as decoded_lines
from mizerka_solver.support.errors import MizerkaError, RecordError

Thing = Deal | Position | GameRecord
Value = TypeVar("Value")


def parse_line(text: str) -> Deal | Position:
    """Return the deal or position a text holds, told apart by what follows the hands; raises MizerkaError.

    >>> parse_line("F:a._M:k._R:q._t:2s".replace(".", "...")), parse_line("F:A... M:K... R:Q... N F - 0-0-0").leader
    (Deal('F:A.-.-.- M:K.-.-.- R:Q.-.-.- T:S2'), Seat.F)
    """
    # The usual spelling is told apart without looking twice.
    if is_usual(text):
        rest = text.partition(" R:")[2].split(None, 1)
        if len(rest) < 2 or rest[1].startswith(("T:", "P:")):
            return Deal(text)
    if text.lstrip()[:2].upper() == "F:":
        fields = split_text(text)
        if [field[:2].upper() for field in fields[:3]] == ["F:", "M:", "R:"] and all(fields[i][2:] for i in range(3)):
            is_deal = len(fields) == 3 or fields[3][:2].upper() in ("T:", "P:")
            return Deal(text) if is_deal else Position(text)
    return Position(text) if position_tail(unprinted(text))[1] else Deal(text)


def url_text(value: Deal | Position) -> str:
    """Return the text of a deal or position with `_` for spaces, to be read back by `parse_line`."""
    return str(value).replace(" ", "_")


def read_lines(
    lines: Iterable[str | bytes], source: str = "input"
) -> Iterator[tuple[int, Deal | Position | MizerkaError]]:
    """Yield (line number, deal or position) of a file, whatever its form, and for a faulty one its error.

    Of a game record the deal before the exchange is taken; of a deal over several lines the number is that of the
    first. Blank lines and what follows a `#` are skipped. Nothing is raised: errors say where they are, and a caller
    reports them and goes on.

    >>> [str(value) for _, value in read_lines(["# two", "F:A... M:K... R:Q...", "F:A... M:A... R:Q..."], "x.txt")]
    ['F:A.-.-.- M:K.-.-.- R:Q.-.-.-', 'x.txt:3: SA: card held by both F and M']
    """
    for number, thing in read_things(lines, source):
        yield number, thing.marked_deal if isinstance(thing, GameRecord) else thing


class Led(NamedTuple):
    """A deal, and the seat that leads to its first trick, as answers to `solve --leader` say it."""

    deal: Deal
    leader: Seat


def read_led(
    lines: Iterable[str | bytes], source: str = "input"
) -> Iterator[tuple[int, Deal | Position | Led | MizerkaError]]:
    """Return an iterator of what `read_lines` yields; a deal that another seat than forehand leads comes as Led.

    >>> [str(each) for _, each in read_led(['{"deal":"F:A... M:K... R:Q...","leader":"M"}', "F:2... M:3... R:4..."])]
    ["Led(deal=Deal('F:A.-.-.- M:K.-.-.- R:Q.-.-.-'), leader=Seat.M)", 'F:2.-.-.- M:3.-.-.- R:4.-.-.-']
    """
    return _each_block(_read_led, lines, source)


def _read_led(text: str) -> Deal | Position | Led:
    thing = read_block(text)
    subject = thing.marked_deal if isinstance(thing, GameRecord) else thing
    leader = _leader(text) if isinstance(thing, Deal) else None
    return subject if leader is None or isinstance(subject, Position) else Led(subject, leader)


def _leader(text: str) -> Seat | None:
    """Return who is said to lead a deal, if that is not forehand; raises RecordError."""
    data = strict_json(text) if _is_json(text) else None
    named = data.get("leader") if isinstance(data, dict) else None
    try:
        leader = Seat.F if named is None else as_seat(named)
    except (MizerkaError, TypeError):
        raise RecordError("not a seat, seats are F M R", field="leader", token=str(named)) from None
    return None if leader is Seat.F else leader


def read_things(lines: Iterable[str | bytes], source: str = "input") -> Iterator[tuple[int, Thing | MizerkaError]]:
    """Return an iterator of what `read_lines` yields, but game records as they are."""
    return _each_block(read_block, lines, source)


def read_played(lines: Iterable[str | bytes], source: str = "input") -> Iterator[tuple[int, GameRecord | MizerkaError]]:
    """Return an iterator of what `read_records` yields; a deal or position is refused with what it is good for.

    >>> [str(value) for _, value in read_played(["F:A... M:K... R:Q...", "?"], "x.txt")][0]
    'x.txt:1: a deal, not a game that was played (a record, in JSON): solve says what it is worth'
    """
    return _each_block(_read_played, lines, source)


def _read_played(text: str) -> GameRecord:
    try:
        thing = read_block(text)
    except MizerkaError:
        if _is_json(text):
            raise
        raise RecordError("not a game that was played (a record, in JSON)", token=text) from None
    if isinstance(thing, GameRecord):
        return thing
    noun = "deal" if isinstance(thing, Deal) else "position"
    raise RecordError(f"a {noun}, not a game that was played (a record, in JSON): solve says what it is worth")


def _each_block(
    read: Callable[[str], Value], lines: Iterable[str | bytes], source: str
) -> Iterator[tuple[int, Value | MizerkaError]]:
    for number, text in blocks(lines, source):
        if isinstance(text, MizerkaError):
            yield number, text
            continue
        try:
            yield number, read(text)
        except MizerkaError as error:
            yield number, error.at(where=f"{source}:{number}")


def read_block(text: str) -> Thing:
    """Return the deal, position or record of a block; raises MizerkaError."""
    return _read_json(text) if _is_json(text) else parse_line(text)


def subject_text(text: str) -> str:
    """Return the text of the deal or position in a block, without reading it; raises RecordError."""
    if not _is_json(text):
        return text
    data = strict_json(text)
    for name in ("deal", "position"):
        if isinstance(data, dict) and isinstance(data.get(name), str):
            return str(data[name])
    raise RecordError("no deal and no position in it")


def blocks(lines: Iterable[str | bytes], source: str = "") -> Iterator[tuple[int, str | MizerkaError]]:
    """Yield (number of the first line, text) of each deal, position or record of a file, none of them read yet.

    A row of CSV comes as the text of its deal, or as JSON where another seat leads. What can't be read at all comes as
    its error.
    """
    columns: Columns | None = None
    gatherer = Gatherer()
    for number, raw in decoded_lines(lines, source, strip=False):
        line = raw if isinstance(raw, MizerkaError) else raw.strip()
        if columns is None and isinstance(line, str) and is_usual(line) and COMMENT not in line:
            yield from gatherer.feed(number, line)
            continue
        if isinstance(line, MizerkaError) or _is_json(line):
            yield from gatherer.flush()
            yield number, line
            continue
        text = line.partition(COMMENT)[0].strip()
        if line and not text:
            continue
        header = Columns.of_header(text)
        if header is not None:
            yield from gatherer.flush()
            columns = header
        elif columns is None:
            yield from gatherer.feed(number, text)
        elif text:
            # Cells may be empty at both ends, and tabs part cells.
            row = str(raw).partition(COMMENT)[0]
            yield from _row(columns, number, row, f"{source}:{number}")
    yield from gatherer.flush()


def _row(columns: Columns, number: int, line: str, where: str) -> Iterator[tuple[int, str | MizerkaError]]:
    try:
        text = columns.text_of(line)
    except MizerkaError as error:
        yield number, error.at(where=where)
    else:
        if text:
            yield number, text


def _is_json(text: str) -> bool:
    return text.startswith(("{", "[", '"{'))


def _read_json(text: str) -> Thing:
    data = strict_json(text)
    if isinstance(data, dict) and "format" not in data:
        for name, read in (("deal", parse_line), ("position", Position)):
            value = data.get(name)
            if isinstance(value, str):
                try:
                    return read(value)
                except MizerkaError as error:
                    raise RecordError(error.rule, token=error.token, field=error.at(field=name).field) from None
        if isinstance(data.get("error"), str):
            raise RecordError("the line has an error instead of a deal", field="error", token=str(data["error"]))
    return GameRecord.from_json(text)


def read_each(
    read: Callable[[str], Value], lines: Iterable[str | bytes], source: str
) -> Iterator[tuple[int, Value | MizerkaError]]:
    """Yield (line number, read(line)) of lines, one value each, and for a faulty one the located error."""
    for number, text in decoded_lines(lines, source):
        if isinstance(text, MizerkaError):
            yield number, text
        elif text := text.partition(COMMENT)[0].strip():
            try:
                yield number, read(text)
            except MizerkaError as error:
                yield number, error.at(where=f"{source}:{number}")
