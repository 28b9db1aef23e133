"""What columns the files of a batch have, and of which type: one schema for CSV, NumPy and Parquet.

A record is one deal, position or game of the input; it has one row or several, all with its number. One that failed has
one row, with its error. VERSION counts changes of meaning; columns may be added without one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

VERSION = "mizerka-batch/1"
Row = Mapping[str, Any]
TEXTS = ".jsonl", ".csv"  # suffixes of files that grow by records
COLUMNS = ".npz", ".parquet"  # and of those that grow by parts
PACKED = ".gz", ".zst"  # suffixes of compressed files, behind those of texts
TYPES = ("int8", "int64", "float64", "bool", "string")

Parse = Callable[[str], Any]
PARSERS: Mapping[str, Parse] = {
    "int8": int,
    "int64": int,
    "float64": float,
    "bool": lambda text: text == "true",
    "string": str,
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, its type (see TYPES), and what it says. Any may be null."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of one kind of batch, in their order."""

    kind: str
    columns: tuple[Column, ...]
    subject: str = "deal"  # the column that says what a record was about

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def cells(self, record: int, row: Row) -> tuple[Any, ...]:
        """Return the cells of a row, numbered; what it does not have is None. Unknown columns are a KeyError."""
        if unknown := set(row).difference(self.names):
            raise KeyError(f"the schema {self.kind} has no column {sorted(unknown)[0]}")
        return (record, *(_plain(row.get(column.name), column.type) for column in self.columns[1:]))


def _plain(value: Any, kind: str) -> Any:
    """Return a value as the column's type has it; an empty text is null, as CSV and NumPy can't tell them apart."""
    if value is None:
        return None
    if kind == "string":
        return str(value) or None
    if kind == "bool":
        return bool(value)
    return float(value) + 0.0 if kind == "float64" else int(value)


def _columns(lines: str) -> tuple[Column, ...]:
    """Read 'name type meaning' lines; a name ending in _* stands for three columns, of F, M and R."""
    found = []
    for line in lines.strip().splitlines():
        name, kind, meaning = line.split(None, 2)
        names = [name.replace("*", seat) for seat in "FMR"] if name.endswith("*") else [name]
        found += [Column(each, kind, meaning) for each in names]
    return tuple(found)


FIRST = "record int64 number of the record in the input, from 1"
LAST = "error string what was wrong with the record; null if nothing was"
EQUILIBRIA = """
equilibria string tricks F-M-R of every equilibrium, parted by blanks
expected_* float64 expected tricks
"""
EXPECTED_CARD = """
expected_cost float64 expected points the card loses its player
expected_transfer_* float64 what it gives each seat in expected points
"""
SOLVE = """
deal string the deal, or the position
leader string seat that leads to the first trick
contract string letter of the contract
guaranteed_* int8 tricks the seat is sure of; in mizerka the most that can be forced on it
points_* int8 those tricks in points
par_* float64 guaranteed points and a third of the slack
slack int8 tricks that the three guarantees leave undecided
nodes int64 cards played by the search
exact bool false: a limit ended the search, and bounds stand in place of values
"""
CARDS = """
deal string the deal, or the position
leader string seat that leads to the first trick
contract string letter of the contract
card string a legal card of the seat to play
guaranteed_* int8 tricks each seat is sure of after it
cost int8 guaranteed points it loses its player
par_cost float64 par points it loses its player
transfer_* int8 what it gives each seat in guaranteed points
exact bool false: a limit ended the search, and costs mean nothing
"""
EXCHANGE = """
deal string the deal when it is the seat's turn to exchange
contract string letter of the contract
seat string seat that exchanges
others string what the later seats do: stand or reply
stand int8 tricks the seat is sure of if it stands pat
discard string cards thrown; null for none
draw string cards drawn for them; null for none
guaranteed int8 tricks the seat is sure of after this exchange
points int8 those tricks in points
par float64 par points if the later seats stand pat; null if not found
twins int64 discards with the same effect, this one counted
exact bool whether the value of the best exchange is proven
complete bool whether all best exchanges were found
"""
REVIEW = """
source string file of the record
line int64 line of the record
deal string the deal, before the exchange
player string who played
contract string letter of the contract
trick int8 number of the trick, from 1
place int8 place in the trick, from 1
seat string seat that played
card string card it played
kind string decision, choice without one, or forced
cost int8 guaranteed points it lost its player
par_cost float64 par points it lost its player
before_* int8 tricks guaranteed before it
after_* int8 tricks guaranteed after it
par_before_* float64 par points before it; null for other than 13 tricks
par_after_* float64 par points after it; null for other than 13 tricks
transfer_* int8 what it gave each seat in guaranteed points
better string better cards, parted by blanks; null for none
position string the position it was played in
"""
CONTRACT = """
hand string the six cards forehand has seen
remaining string contracts it has yet to name
contract string letter of the contract
par float64 mean par points of forehand over the samples
par_se float64 standard error of it; null for one sample
guaranteed float64 mean guaranteed points of forehand
guaranteed_se float64 standard error of it; null for one sample
target_chance float64 share of the samples in which its target is certain
later float64 points expected of the contracts it then has left
total float64 par and later
behind float64 how much less that is than that of the best contract
behind_se float64 standard error of it; null for one sample
best bool whether this is the contract to name
samples int64 number of samples
"""


def _schema(kind: str, *parts: str) -> Schema:
    return Schema(kind, _columns("\n".join(part.strip() for part in (FIRST, *parts, LAST))))


def solve_schema(*, cards: bool = False, equilibria: bool = False) -> Schema:
    """Return the columns of `mizerka solve`: a row a contract, or, with cards, a contract and card."""
    parts = [CARDS if cards else SOLVE]
    parts += [EQUILIBRIA] if equilibria else []
    parts += [EXPECTED_CARD] if equilibria and cards else []
    return _schema("cards" if cards else "solve", *parts)


def exchange_schema() -> Schema:
    """Return the columns of `mizerka exchange`: a row an exchange, the best first."""
    return _schema("exchange", EXCHANGE)


def review_schema(*, expected: bool = False) -> Schema:
    """Return the columns of `mizerka analyse`: a row a card."""
    lost = "expected_cost float64 expected points it lost its player"
    text = REVIEW.replace("before_*", f"{lost}\nbefore_*", 1) if expected else REVIEW
    return _schema("analyse", text)


def contract_schema() -> Schema:
    """Return the columns of `mizerka contract`: a row a contract."""
    return replace(_schema("contract", CONTRACT), subject="hand")


def suffix_of(path: str | None) -> str | None:
    """Return the suffix of a batch's file, or None for anything else; of a text that is compressed that of the text."""
    stem, suffix = os.path.splitext((path or "").lower())
    if suffix in PACKED:
        inner = os.path.splitext(stem)[1]
        return inner if inner in TEXTS else None
    return suffix if suffix in (*TEXTS, *COLUMNS) else None


def table(schema: Schema) -> Iterable[str]:
    """Yield the rows of a Markdown table of the columns."""
    yield "| column | type | |"
    yield "| --- | --- | --- |"
    for column in schema.columns:
        yield f"| `{column.name}` | {column.type} | {column.meaning} |"
