"""Lines of text and deals or positions: which of the two a line is, where in a file a fault sits, comments, encodings.

Single values parse themselves (cards.py, deal.py, position.py); game records have records.py. Nothing here opens files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, TypeVar

from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position, split_text
from mizerka_solver.support.errors import MizerkaError

MAX_LINE = 1 << 20  # bytes; a record of 52 cards takes about 600, the rest is room for extra fields
COMMENT = "#"

Value = TypeVar("Value")


def parse_line(text: str) -> Deal | Position:
    """Return the deal or position a text holds, told apart by what follows the hands; raises MizerkaError.

    >>> parse_line("F:a._M:k._R:q._t:2s".replace(".", "...")), parse_line("F:A... M:K... R:Q... N F - 0-0-0").leader
    (Deal('F:A.-.-.- M:K.-.-.- R:Q.-.-.- T:S2'), Seat.F)
    """
    fields = split_text(text)
    if len(fields) > 3 and fields[3][:2].upper() != "T:":
        return Position(text)
    return Deal(text)


def url_text(value: Deal | Position) -> str:
    """Return the text of a deal or position with `_` for spaces, to be read back by `parse_line`."""
    return str(value).replace(" ", "_")


def bounded_lines(stream: BinaryIO, limit: int = MAX_LINE) -> Iterator[bytes]:
    """Yield the lines of a binary stream, the end of those over `limit` bytes skipped, so that memory stays bounded."""
    while line := stream.readline(limit + 1):
        yield line
        while len(line) > limit and not line.endswith(b"\n"):
            line = stream.readline(limit + 1)


def decoded_lines(lines: Iterable[str | bytes], source: str) -> Iterator[tuple[int, str | MizerkaError]]:
    """Yield (line number from 1, stripped text) of every line, or the located error of an unreadable one."""
    for number, line in enumerate(lines, start=1):
        where = f"{source}:{number}"
        if len(line) > MAX_LINE:
            yield number, MizerkaError(f"a line has at most {MAX_LINE} bytes", where=where)
            continue
        if isinstance(line, bytes):
            try:
                line = line.decode("utf-8")
            except UnicodeDecodeError as error:
                byte = line[error.start]
                yield number, MizerkaError(f"not UTF-8 text: byte 0x{byte:02x} at {error.start}", where=where)
                continue
        yield number, (line.removeprefix("\ufeff") if number == 1 else line).strip()


def read_lines(
    lines: Iterable[str | bytes], source: str = "input"
) -> Iterator[tuple[int, Deal | Position | MizerkaError]]:
    """Yield (line number, deal or position) of a file's lines, and for a faulty one its error, which says where.

    Blank lines and what follows a `#` are skipped. Nothing is raised: a caller reports an error and goes on.

    >>> [str(value) for _, value in read_lines(["# two", "F:A... M:K... R:Q...", "F:A... M:A... R:Q..."], "x.txt")]
    ['F:A.-.-.- M:K.-.-.- R:Q.-.-.-', 'x.txt:3: SA: card held by both F and M']
    """
    return read_each(parse_line, lines, source)


def read_each(
    read: Callable[[str], Value], lines: Iterable[str | bytes], source: str
) -> Iterator[tuple[int, Value | MizerkaError]]:
    """Yield (line number, read(line)) of lines as in `read_lines`, and for a faulty one the located error."""
    for number, text in decoded_lines(lines, source):
        if isinstance(text, MizerkaError):
            yield number, text
        elif text := text.partition(COMMENT)[0].strip():
            try:
                yield number, read(text)
            except MizerkaError as error:
                yield number, error.at(where=f"{source}:{number}")
