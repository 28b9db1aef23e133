"""The fields of a game record in JSON: written, and read strictly, each fault with the field and the rule."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from mizerka_solver.game.cards import Card, Hand
from mizerka_solver.game.convert import as_cards, as_discards, as_seat
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.rules import Seat, Triple
from mizerka_solver.support.errors import InvalidHandError, MizerkaError, RecordError

MAX_DEPTH = 20  # of nested lists and objects in extra fields

Discards = tuple[Card, ...]
Value = TypeVar("Value")


def record_error(error: MizerkaError, field: str) -> RecordError:
    inner = error.at(field=field)
    return RecordError(inner.rule, token=inner.token, field=inner.field)


_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def json_text(value: object) -> str:
    """Return a value as a record spells it."""
    return _encoder.encode(value)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    data: dict[str, object] = {}
    for name, value in pairs:
        if name in data:
            raise RecordError("given twice", field=name if name.isprintable() else ascii(name))
        data[name] = value
    return data


def _no_constant(text: str) -> NoReturn:
    raise RecordError("not JSON: numbers are finite", token=text)


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_constant(text)


_decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)


def strict_json(text: str) -> object:
    """Return the value of a JSON text; raises RecordError, also for NaN, names given twice, and nesting without end."""
    try:
        value: object = _decoder.decode(text)
    except RecordError:
        raise
    except json.JSONDecodeError as error:
        raise RecordError(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise RecordError(f"nested deeper than {MAX_DEPTH}") from None
    except ValueError:  # the interpreter's limit on the digits of a whole number
        raise RecordError("not JSON: a number has too many digits") from None
    _check_value(value)
    return value


def _check_value(value: object) -> None:
    """Refuse what could be read but not written: deep nesting, and halves of characters that UTF-8 can't hold."""
    level = [value]
    for _ in range(MAX_DEPTH):
        below: list[object] = []
        for item in level:
            if isinstance(item, str) and not _is_utf8(item):
                raise RecordError("half a surrogate pair, which can't be written", token=item)
            if isinstance(item, dict):
                below += (*item.keys(), *item.values())
            elif isinstance(item, list):
                below += item
        level = below
        if not level:
            return
    raise RecordError(f"nested deeper than {MAX_DEPTH}")


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def json_type(value: object) -> str:
    if value is None:
        return "nothing"
    kinds: dict[type, str] = {bool: "true or false", str: "text", list: "a list", dict: "an object"}
    return kinds.get(type(value), "a number")


def wrong(value: object, expected: str, field: str) -> NoReturn:
    """Raise the error for a JSON value of the wrong type, quoting it when it is short."""
    token = str(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else None
    raise RecordError(f"expected {expected}, here {json_type(value)}", field=field, token=token)


def read_text(value: object, field: str, read: Callable[[str], Value]) -> Value:
    """Return read(value) of a JSON text; raises RecordError that names `field`."""
    if not isinstance(value, str):
        wrong(value, "text", field)
    try:
        return read(value)
    except MizerkaError as error:
        raise record_error(error, field) from None


def read_id(value: object) -> str | int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, (str, int))):
        wrong(value, "text or a whole number", "id")
    return value


def _read_seats(value: object, field: str, *, may_be_list: bool = False) -> list[object]:
    """Return the values of {"F":…,"M":…,"R":…}, or of a list of three, in seat order."""
    if may_be_list and isinstance(value, list) and len(value) == 3:
        return value
    if not isinstance(value, dict):
        wrong(value, "an object with F, M and R", field)
    for name in value:
        if name not in Seat.__members__:
            raise RecordError("not a seat, seats are F M R", field=field, token=name)
    for seat in Seat:
        if seat.name not in value:
            raise RecordError("missing", field=f"{field}.{seat}")
    return [value[seat.name] for seat in Seat]


def read_players(value: object) -> tuple[str, str, str]:
    f, m, r = (read_text(name, f"players.{Seat(i)}", str) for i, name in enumerate(_read_seats(value, "players")))
    return f, m, r


def read_cards(value: object, field: str) -> tuple[Card, ...]:
    if not isinstance(value, list):
        wrong(value, "a list of cards", field)
    return tuple(read_text(card, f"{field}[{place}]", Card) for place, card in enumerate(value))


def read_hand(value: object, field: str) -> Hand:
    """Return a hand given as text or as a list of cards."""
    if isinstance(value, list):
        try:
            return Hand.from_cards(read_cards(value, field))
        except InvalidHandError as error:
            raise record_error(error, field) from None
    return read_text(value, field, Hand)


def read_exchange(value: object) -> tuple[Discards, Discards, Discards]:
    """Return the discards of F, M, R; a record without the field is of a deal in which nobody exchanged."""
    if value is None:
        return (), (), ()
    seats = _read_seats(value, "exchange")
    f, m, r = (read_cards(cards, f"exchange.{Seat(i)}") for i, cards in enumerate(seats))
    return f, m, r


def read_triple(value: object, field: str) -> Triple:
    """Return three whole numbers F, M, R given as an object or a list."""
    numbers: list[int] = []
    for seat, number in zip(Seat, _read_seats(value, field, may_be_list=True), strict=True):
        if isinstance(number, bool) or not isinstance(number, int):
            wrong(number, "a whole number", f"{field}.{seat}")
        numbers.append(number)
    f, m, r = numbers
    return f, m, r


# From what a Python program gives


def converted(field: str, convert: Callable[[Any], Value], value: object) -> Value:
    """Return convert(value); raises RecordError that names `field`, and TypeError."""
    try:
        return convert(value)
    except MizerkaError as error:
        raise record_error(error, field) from None


def as_deal(deal: object) -> Deal:
    """Return a deal given as one or as text."""
    if isinstance(deal, (Deal, str)):
        return deal if isinstance(deal, Deal) else Deal(deal)
    raise TypeError(f"a deal is a Deal or text, not {type(deal).__name__}")


def as_players(players: object) -> tuple[str, str, str]:
    """Return the names of F, M, R given in that order or by seat."""
    if isinstance(players, Mapping):
        named = {as_seat(seat): name for seat, name in players.items()}
        players = [named.get(seat) for seat in Seat]
    if isinstance(players, (str, bytes)) or not isinstance(players, Sequence) or len(players) != 3:
        raise TypeError("players are three names, of F, M and R")
    for name in players:
        if not isinstance(name, str):
            raise TypeError(f"a player's name is text, not {type(name).__name__}")
    f, m, r = players
    return f, m, r


def as_exchange(exchange: object) -> tuple[Discards, Discards, Discards]:
    """Return the discards of F, M, R given in that order or by seat, each as cards or their text."""
    if isinstance(exchange, Mapping):
        thrown = converted("exchange", as_discards, exchange)
        exchange = [thrown.get(seat, ()) for seat in Seat]
    if isinstance(exchange, (str, bytes)) or not isinstance(exchange, Sequence) or len(exchange) != 3:
        raise TypeError("an exchange is the discards of F, M and R")
    f, m, r = (converted(f"exchange.{seat}", as_cards, exchange[seat]) for seat in Seat)
    return f, m, r


def as_id(value: object) -> str | int | None:
    """Return an id; raises TypeError."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, (str, int))):
        raise TypeError(f"an id is text or a whole number, not {type(value).__name__}")
    return value
