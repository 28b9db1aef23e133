"""Lines of a file or stream: bounded in length, decoded, numbered. Knows nothing of what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from mizerka_solver.support.errors import MizerkaError

MAX_LINE = 1 << 20  # bytes; a record of 52 cards takes about 600, the rest is room for extra fields
COMMENT = "#"


def bounded_lines(stream: BinaryIO, limit: int = MAX_LINE) -> Iterator[bytes]:
    """Yield the lines of a binary stream, the end of those over `limit` bytes skipped, so that memory stays bounded."""
    while line := stream.readline(limit + 1):
        yield line
        while len(line) > limit and not line.endswith(b"\n"):
            line = stream.readline(limit + 1)


def decoded_lines(
    lines: Iterable[str | bytes], source: str, *, strip: bool = True
) -> Iterator[tuple[int, str | MizerkaError]]:
    """Yield (line number from 1, text) of every line, or the located error of an unreadable one.

    Blanks at both ends are stripped, or without `strip` the line end alone.
    """
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
        text = line.removeprefix("\ufeff") if number == 1 else line
        yield number, text.strip() if strip else text.rstrip("\r\n")
