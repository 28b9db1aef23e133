"""Deals and positions in every form the command writes, and triples as columns. notation.py reads them all back.

text  F:… M:… R:… T:…                          a deal; a position has contract, leader, trick, tricks won
url   F:…_M:…_R:…_T:…                          the same without spaces
json  {"deal":"F:… M:… R:… T:…"}               or {"position":"…"}
csv   F,M,R,T,contract,leader,trick,won,P      a header line, then one row each; P is what forehand saw first
"""

from __future__ import annotations

from mizerka_solver.game.deal import Deal
from mizerka_solver.game.notation import Thing as Thing
from mizerka_solver.game.notation import read_things, url_text
from mizerka_solver.game.position import Position
from mizerka_solver.game.records import GameRecord

COLUMNS = ("F", "M", "R", "T", "contract", "leader", "trick", "won", "P")
read_any = read_things


def subject_of(thing: Thing) -> Deal | Position:
    """Return the deal or position; of a game record its deal before the exchange."""
    return thing.marked_deal if isinstance(thing, GameRecord) else thing


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
        row.update(zip(COLUMNS[4:8], fields[3:], strict=True))
    else:
        row["T"] = "".join(map(str, subject.talon))
        row["P"] = "" if subject.preview is None else str(subject.preview)
    return row
