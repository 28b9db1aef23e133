"""JSON Lines and CSV as files of a batch: how a record is written, and which whole records a file has.

A record is written at once, so a process that was killed leaves at most one that is cut short: the last one.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

from mizerka_solver.batches.schema import Row, Schema

WORK = "nodes"  # the field that counts work: it may differ between runs that answer alike


class WholeRecord(NamedTuple):
    """A whole record in a file: its deal or position, or what was wrong with it; its answer; where it ends."""

    subject: str | None
    error: str | None
    answer: Any
    end: int


class NoRecordError(ValueError):
    """Text that this format does not write."""


class JsonLines:
    """One object a record, as `--json` prints it."""

    def __init__(self, schema: Schema) -> None:
        self.header = b""
        self._subject = schema.subject

    def record(self, number: int, data: Mapping[str, Any], rows: Iterable[Row]) -> bytes:
        """Return the text of a record."""
        return json.dumps(data, separators=(",", ":")).encode() + b"\n"

    def answer(self, number: int, data: Mapping[str, Any], rows: Iterable[Row]) -> Any:
        """Return what `wholes` has as the answer of this record."""
        return without_work(json.loads(json.dumps(data)))

    def wholes(self, stream: BinaryIO) -> Iterator[WholeRecord]:
        """Yield the whole records of a file; raises NoRecordError."""
        end = 0
        for line in stream:
            if not line.endswith(b"\n"):
                return
            end += len(line)
            try:
                data = json.loads(line)
            except ValueError:
                raise NoRecordError from None
            if not isinstance(data, dict):
                raise NoRecordError
            yield WholeRecord(data.get(self._subject, data.get("position")), data.get("error"), without_work(data), end)


class Csv:
    """The rows of the schema behind a header line. A row is a line: no cell has a line end in it."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._names = list(schema.names)
        self.header = self._text([self._names])

    def record(self, number: int, data: Mapping[str, Any], rows: Iterable[Row]) -> bytes:
        """Return the text of a record."""
        return self._text(self._cells(number, rows))

    def answer(self, number: int, data: Mapping[str, Any], rows: Iterable[Row]) -> Any:
        """Return what `wholes` has as the answer of this record."""
        return [self._named(cells) for cells in self._cells(number, rows)]

    def _cells(self, number: int, rows: Iterable[Row]) -> list[list[str]]:
        return [[csv_cell(cell) for cell in self._schema.cells(number, row)] for row in rows]

    def _named(self, cells: Sequence[str]) -> dict[str, str]:
        return {name: cell for name, cell in zip(self._names, cells, strict=True) if name != WORK}

    @staticmethod
    def _text(rows: Iterable[Sequence[str]]) -> bytes:
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerows(rows)
        return buffer.getvalue().encode()

    def wholes(self, stream: BinaryIO) -> Iterator[WholeRecord]:
        """Yield the whole records of a file, without the last: nobody knows if it has all its rows."""
        header = stream.readline()
        if header != self.header:
            if self.header.startswith(header) and not header.endswith(b"\n"):
                return
            raise NoRecordError
        end, rows = len(header), list[dict[str, str]]()
        for line in stream:
            if not line.endswith(b"\n"):
                return
            row = self._row(line)
            if rows and row["record"] != rows[0]["record"]:
                yield WholeRecord(rows[0][self._schema.subject] or None, rows[0]["error"] or None, rows, end)
                rows = []
            rows.append(row)
            end += len(line)

    def _row(self, line: bytes) -> dict[str, str]:
        try:
            (cells,) = csv.reader([line.decode()])
            return self._named(cells)
        except ValueError:
            raise NoRecordError from None


def csv_cell(value: Any) -> str:
    """Return a cell: nothing for null, true or false, else the number or text."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def without_work(data: Any) -> Any:
    """Return an answer without the counts of work in it."""
    if isinstance(data, dict):
        return {name: without_work(value) for name, value in data.items() if name != WORK}
    return [without_work(value) for value in data] if isinstance(data, list) else data
