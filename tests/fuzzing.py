"""What must hold of every reader whatever it is given: a value that is written and read back equal, or one line.

For Hypothesis (test_fuzz_readers.py) and for a fuzzer that is led by coverage (tools/fuzz.py).
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from mizerka_solver.bots import view_from_dict
from mizerka_solver.cli.entries import read_entries
from mizerka_solver.game.cards import Card, Hand, parse_cards
from mizerka_solver.game.convert import as_contract, as_contracts, as_seat
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.notation import parse_line, read_lines, read_things
from mizerka_solver.game.position import Position
from mizerka_solver.game.records import GameRecord, read_records
from mizerka_solver.reading.explain import explain
from mizerka_solver.reading.textlines import bounded_lines
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.limits import parse_memory

MAX_MESSAGE = 2000  # characters: refusals quote the start of what they refuse

DEAL = "F:J63.A7653.AJ4.53 M:QT52.KQ84.Q8.J86 R:A87.T9.T752.AKT4 T:CQC7S9D6S4DKD3D9C9C2SKH2HJ"
RECORD = GameRecord(
    ("a", "b", "c"), Deal("F:A3.2.-.- M:Q2.3.-.- R:-.AKQ.-.-"), as_contract("S"), play="SASQHA"
).to_json()
VIEW = (
    '{"type":"play","seat":"F","hand":"K2.K2.KQ32.KQ2","contract":"N","exchanged":{"F":0,"M":0,"R":0},'
    '"play":["SA","D4","D5","HA","H3","D6"]}'
)
SAMPLES = [
    "SA",
    "10♥",
    "AK2.AQ43.9.QJ982",
    "♠AK2 ♥A,Q,4,3 ♦9 ♣Q J 9 8 2",
    "SAHKD2C3",
    "S H D C N M",
    "mizerka",
    "forehand",
    DEAL,
    "F:A... M:K3... R:.54.. S F S2 4-4-3",
    "f:10a..._m:q2..._r:kj... t:10h♠4",
    "F forehand    ♠ J63   ♥ A7653  ♦ AJ4   ♣ 53\nM middlehand  ♠ QT52  ♥ KQ84   ♦ Q8    ♣ J86\n",
    RECORD,
    VIEW,
    '{"deal":"F:A... M:K... R:Q..."}',
    "deal,contract\nF:A... M:K... R:Q...,N\n",
    "players A B C\nH 5-4-4\nM 2-6-5\n",
    "512M",
]


def stepwise(read: Callable[[Iterable[bytes], str], Iterable[tuple[int, Any]]]) -> Callable[[str], list[Any]]:
    """A reader of lines as a reader of a file's text."""

    def whole(text: str) -> list[Any]:
        stream = io.BytesIO(text.encode("utf-8", "surrogatepass"))
        return [value for _, value in read(bounded_lines(stream), "input")]

    return whole


def view(text: str) -> Any:
    """A view in JSON, as `advise` and programs get it."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return view_from_dict(data) if isinstance(data, dict) else None


# Name: (read, how what was read is written so that it is read back, or None)
READERS: dict[str, tuple[Callable[[str], Any], Callable[[Any], str] | None]] = {
    "card": (Card, str),
    "cards": (parse_cards, lambda cards: "".join(map(str, cards))),
    "hand": (Hand, str),
    "contract": (as_contract, lambda contract: str(contract.name)),
    "contracts": (as_contracts, lambda contracts: "".join(contract.name for contract in contracts)),
    "seat": (as_seat, lambda seat: str(seat.name)),
    "deal": (Deal, str),
    "position": (Position, str),
    "deal or position": (parse_line, str),
    "record": (GameRecord.from_json, lambda record: str(record.to_json())),
    "view": (view, lambda found: "null" if found is None else json.dumps(found.as_dict())),
    "explanation": (explain, None),
    "memory": (parse_memory, None),
    "lines": (stepwise(read_lines), None),
    "things": (stepwise(read_things), None),
    "records": (stepwise(read_records), None),
    "score sheet": (stepwise(read_entries), None),
}


def check(name: str, text: str) -> None:
    """Give a reader a text; raises AssertionError where it does anything but read or refuse it in a line."""
    read, write = READERS[name]
    try:
        found = read(text)
    except MizerkaError as error:
        check_message(str(error))
        return
    for value in found if isinstance(found, list) else ():
        if isinstance(value, MizerkaError):
            check_message(str(value))
    if write is not None:
        written = write(found)
        assert read(written) == found, (name, text, written)


def check_message(message: str) -> None:
    """One line that a terminal can show."""
    assert message
    assert message.isprintable() or not any(ord(sign) < 32 or ord(sign) == 127 for sign in message), ascii(message)
    assert len(message) < MAX_MESSAGE, len(message)


def pieces() -> Iterator[str]:
    """Parts of sound texts, to put others together from."""
    for sample in SAMPLES:
        yield sample
        yield from sample.replace(",", " ").split()
