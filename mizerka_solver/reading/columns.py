"""CSV rows that hold deals or positions, parted by commas, semicolons or tabs, found out from the header line.

    F,M,R,T,P,contract,leader,trick,won      the fields of a text; those after R may be missing
    deal,…   position,…                      a whole text in one column, as `solve --csv` writes it

A table of answers has several rows of one deal, one a contract: with columns `deal` and `contract`, rows of the same
deal, with the same leader, that follow each other are one deal.
"""

from __future__ import annotations

import json

from mizerka_solver.reading.pasted import title_in
from mizerka_solver.support.errors import RecordError

TEXTS = ("deal", "position")


class Columns:
    """The columns a header names; gives the text of each row.

    >>> Columns.of_header("F;M;R;T").text_of("A...;K...;Q...;S2")
    'F:A... M:K... R:Q... T:S2'
    """

    def __init__(self, names: list[str], separator: str) -> None:
        self._names = names
        self._separator = separator
        self._last = "", ""

    @classmethod
    def of_header(cls, line: str) -> Columns | None:
        """Return the columns if a line is a header; None otherwise."""
        if ":" in line or title_in(line):
            return None
        for separator in (",", ";", "\t"):
            names = [name.strip().strip('"') for name in line.split(separator)]
            folded = [name.lower() for name in names]
            if {"f", "m", "r"} <= set(folded) or any(name in folded for name in TEXTS):
                return cls(folded, separator)
        return None

    def text_of(self, line: str) -> str:
        """Return the text of a row's deal or position, '' for one that the row before had too; raises RecordError.

        With a leader other than forehand it is a JSON object.
        """
        row = self._row(line)
        name = next((name for name in TEXTS if row.get(name)), "")
        if not name and not {"f", "m", "r"} <= set(row):
            raise RecordError("no deal in the row", token=line)
        if name:
            said = row[name], row.get("leader", "")
            is_again = said == self._last and "contract" in row
            self._last = said
            if is_again:
                return ""
            return row[name] if said[1] in ("", "F") else json.dumps({name: row[name], "leader": said[1]})
        text = " ".join(f"{seat}:{row[seat.lower()]}" for seat in "FMR")
        if not row.get("contract"):
            return text + "".join(f" {column}:{row[column.lower()]}" for column in "TP" if row.get(column.lower()))
        trick = row.get("trick") or "-"
        return f"{text} {row['contract']} {row.get('leader') or 'F'} {trick} {row.get('won') or '0-0-0'}"

    def _row(self, line: str) -> dict[str, str]:
        import csv  # seldom needed, and the package is to start quickly

        try:
            cells = next(csv.reader([line], delimiter=self._separator, strict=True))
        except (csv.Error, StopIteration) as error:
            raise RecordError(f"not CSV: {error}", token=line) from None
        if len(cells) != len(self._names):
            raise RecordError(f"the header has {len(self._names)} columns, the row {len(cells)}", token=line)
        return {name: cell.strip() for name, cell in zip(self._names, cells, strict=True)}
