"""Game records, format mizerka-game/1: JSON Lines, one played deal a line, every card and exchange checked.

    {"format":"mizerka-game/1","players":{"F":"a","M":"b","R":"c"},"deal":"F:… M:… R:… T:…","contract":"N",
     "exchange":{"F":["S2"],"M":[],"R":[]},"play":["SA","S3",…],"tricks":{"F":5,"M":4,"R":4},"points":{…}}

`deal` is before the exchange. `play` may be short: an unfinished deal, or, with `tricks`, a claimed one. `id` is
optional. Fields of other names are kept and written back. Leaves the rules to rules.py.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple, NoReturn, TypeVar

from mizerka_solver.cards import Card
from mizerka_solver.deal import Deal
from mizerka_solver.errors import MizerkaError, RecordError
from mizerka_solver.notation import decoded_lines
from mizerka_solver.position import Position
from mizerka_solver.rules import MIZERKA, Contract, Game, Seat, Triple, Variant, check_tricks, points

FORMAT = "mizerka-game/1"
FIELDS = ("format", "id", "players", "deal", "contract", "exchange", "play", "tricks", "points")
MAX_DEPTH = 20  # of nested lists and objects in extra fields

Discards = tuple[Card, ...]
Value = TypeVar("Value")


class ExchangeStep(NamedTuple):
    """What one seat laid down and drew, and the deal before and after it."""

    seat: Seat
    before: Deal
    discards: Discards
    drawn: Discards
    after: Deal


@dataclass(frozen=True)
class GameRecord:
    """One played deal: players, deal before the exchange, contract, discards of F, M, R, cards in order of play.

    `claimed` are the tricks of a deal not played to its end (None when play is complete or the result is open). `extra`
    holds further fields as (name, JSON text). Raises RecordError, naming field, card and rule.

    >>> record = GameRecord(("a", "b", "c"), Deal("F:A... M:K... R:Q..."), Contract.N, play=(Card("SA"), Card("SK")))
    >>> record.tricks, record.final_position.to_move, GameRecord.from_json(record.to_json()) == record
    (None, Seat.R, True)
    """

    players: tuple[str, str, str]
    deal: Deal
    contract: Contract
    exchange: tuple[Discards, Discards, Discards] = ((), (), ())
    play: tuple[Card, ...] = ()
    claimed: Triple | None = None
    id: str | int | None = None
    extra: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        self._check_frame()
        try:
            after = self.deal.after_exchange(dict(zip(Seat, self.exchange, strict=True)))
        except MizerkaError as error:
            raise _record_error(error, "exchange") from None
        positions = [after.position(self.contract)]
        for place, card in enumerate(self.play):
            try:
                positions.append(positions[-1].play(card))
            except MizerkaError as error:
                raise _record_error(error, f"play[{place}]") from None
        # What the properties of these names would find; no part of equality.
        self.__dict__.update(deal_after_exchange=after, _positions=tuple(positions))
        self._check_claim()

    @classmethod
    def of_table(
        cls,
        players: tuple[str, str, str],
        deal: Deal,
        contract: Contract,
        exchange: tuple[Discards, Discards, Discards],
        play: tuple[Card, ...],
        tricks_won: Triple,
        claimed: Triple | None = None,
        id: str | int | None = None,
        extra: tuple[tuple[str, str], ...] = (),
    ) -> GameRecord:
        """Return the record of a deal played at a table that checked each exchange and card, which is not done again.

        tricks_won: by the cards played. Raises RecordError about the rest.
        """
        record = object.__new__(cls)
        values = (players, deal, contract, exchange, play, claimed, id, extra)
        record.__dict__.update(zip(_RECORD_FIELDS, values, strict=True))
        record._check_frame()
        if len(play) == 3 * deal.hand_size:
            record.__dict__["tricks"] = tricks_won
        record._check_claim()
        return record

    def _check_frame(self) -> None:
        _check_players(self.players)
        self.__dict__["extra"] = _checked_extra(self.extra)

    def _check_claim(self) -> None:
        if self.claimed is None:
            return
        text = "-".join(map(str, self.claimed))
        try:
            check_tricks(self.claimed, self.deal.hand_size)
        except MizerkaError as error:
            raise _record_error(error, "tricks") from None
        won = self.final_position.tricks_won
        if self.final_position.is_over and self.claimed != won:
            raise RecordError(f"the play gives {'-'.join(map(str, won))}", field="tricks", token=text)
        if any(self.claimed[seat] < won[seat] for seat in Seat):
            raise RecordError(f"fewer than the {'-'.join(map(str, won))} already won", field="tricks", token=text)
        if self.final_position.is_over:
            self.__dict__["claimed"] = None

    @cached_property
    def deal_after_exchange(self) -> Deal:
        """The hands that were played, and what is left of the talon."""
        return self.deal.after_exchange(dict(zip(Seat, self.exchange, strict=True)))

    def exchange_steps(self) -> Iterator[ExchangeStep]:
        """Yield what F, M, R in turn laid down and drew."""
        before = self.deal
        for seat, discards in zip(Seat, self.exchange, strict=True):
            after = before.after_exchange({seat: discards})
            yield ExchangeStep(seat, before, discards, before.talon[: len(discards)], after)
            before = after

    @cached_property
    def _positions(self) -> tuple[Position, ...]:
        positions = [self.deal_after_exchange.position(self.contract)]
        for card in self.play:
            positions.append(positions[-1].play_unchecked(card))
        return tuple(positions)

    @property
    def final_position(self) -> Position:
        """The position after the last card that was played."""
        return self._positions[-1]

    def positions(self) -> Iterator[Position]:
        """Yield the position before each card of `play`, as many as there are cards."""
        return iter(self._positions[:-1])

    @cached_property
    def tricks(self) -> Triple | None:
        """The tricks of F, M, R at the end, played or claimed; None when the deal is unfinished."""
        return self.final_position.tricks_won if self.final_position.is_over else self.claimed

    def points(self, variant: Variant = MIZERKA) -> Triple | None:
        """Return the points of F, M, R; None when unfinished or dealt with another hand size than the variant's."""
        if self.tricks is None or self.deal.hand_size != variant.hand_size:
            return None
        return points(self.contract, self.tricks, variant)

    def to_json(self, variant: Variant = MIZERKA) -> str:
        """Return the record as one line of JSON without a line end; tricks and points are written when known."""
        data: dict[str, object] = {"format": FORMAT}
        if self.id is not None:
            data["id"] = self.id
        data["players"] = _by_seat(self.players)
        data["deal"] = str(self.deal)
        data["contract"] = str(self.contract)
        data["exchange"] = _by_seat([list(map(str, discards)) for discards in self.exchange])
        data["play"] = list(map(str, self.play))
        for name, triple in (("tricks", self.tricks), ("points", self.points(variant))):
            if triple is not None:
                data[name] = _by_seat(triple)
        # Extra fields are kept as the text they have in the line.
        extra = "".join(f",{json_text(name)}:{text}" for name, text in self.extra)
        return f"{json_text(data)[:-1]}{extra}}}"

    @classmethod
    def from_json(cls, text: str, variant: Variant = MIZERKA) -> GameRecord:
        """Return the record of one line of JSON; raises RecordError."""
        data = _strict_json(text)
        if not isinstance(data, dict):
            raise RecordError(f"a record is an object, here {_kind(data)}")
        if data.get("format") != FORMAT:
            _wrong(data.get("format"), f'"{FORMAT}"', "format")
        record = cls(
            players=_read_players(data.get("players")),
            deal=_read_text(data.get("deal"), "deal", Deal),
            contract=_read_text(data.get("contract"), "contract", Contract.parse),
            exchange=_read_exchange(data.get("exchange")),
            play=_read_cards(data.get("play"), "play"),
            claimed=_read_triple(data["tricks"], "tricks") if "tricks" in data else None,
            id=_read_id(data.get("id")),
            extra=tuple((name, json_text(value)) for name, value in data.items() if name not in FIELDS),
        )
        if "points" in data:
            _check_points(record, _read_triple(data["points"], "points"), variant)
        return record

    def __reduce__(self) -> tuple[type[GameRecord], tuple[object, ...]]:
        return GameRecord, tuple(getattr(self, name) for name in _RECORD_FIELDS)


_RECORD_FIELDS = tuple(field.name for field in fields(GameRecord))


def read_records(
    lines: Iterable[str | bytes], source: str = "input", variant: Variant = MIZERKA
) -> Iterator[tuple[int, GameRecord | MizerkaError]]:
    """Yield (line number, record) of JSON Lines, and in place of a faulty line its error, which says where.

    Blank lines are skipped. Nothing is raised: a caller reports an error and goes on.

    >>> [str(value) for _, value in read_records(["", "[1]"], "games.jsonl")]
    ['games.jsonl:2: a record is an object, here a list']
    """
    for number, text in decoded_lines(lines, source):
        if isinstance(text, MizerkaError):
            yield number, RecordError(text.rule, where=text.where)
        elif text:
            try:
                yield number, GameRecord.from_json(text, variant)
            except MizerkaError as error:
                yield number, error.at(where=f"{source}:{number}")


def score_sheet(records: Iterable[GameRecord], variant: Variant = MIZERKA, places: Sequence[str] = ()) -> Game:
    """Return the sheet of a game's records in order, 3 or 4 players; raises RecordError when they are no game.

    The first record says who sits where: F, M, R clockwise; with four players the fourth is its dealer. places: what
    errors call the records, "deal 1" and so on if not given.
    """
    played = list(records)
    if not played:
        raise RecordError("a score sheet needs at least one record")
    players = played[0].players
    others = dict.fromkeys(name for record in played for name in record.players if name not in players)
    if len(others) > 1:
        raise RecordError("a game has 3 or 4 players", field="players", token=",".join((*players, *others)))
    game = Game((*players, *others), len(others) + 2, variant)
    for number, record in enumerate(played, start=1):
        where = places[number - 1] if places else f"deal {number}"
        if record.tricks is None:
            raise RecordError("the deal is unfinished, it has no result", where=where)
        try:
            if record.players != game.seats:
                rule = f"the deal passes to the left, so {', '.join(game.seats)} sit at F, M, R"
                raise RecordError(rule, field="players", token=",".join(record.players))
            game = game.record(record.contract, record.tricks)
        except MizerkaError as error:
            raise RecordError(error.rule, token=error.token, field=error.field, where=where) from None
    return game


# Checks


def _record_error(error: MizerkaError, field: str) -> RecordError:
    inner = error.at(field=field)
    return RecordError(inner.rule, token=inner.token, field=inner.field)


def _check_players(players: tuple[str, str, str]) -> None:
    for seat in Seat:
        name = players[seat]
        if not name or not name.isprintable():
            raise RecordError("a name is printable text, not empty", field=f"players.{seat}", token=name)


def _checked_extra(extra: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return extra fields in one spelling and order, so that equal records compare equal."""
    found: dict[str, str] = {}
    for name, text in extra:
        if name in FIELDS or name in found:
            raise RecordError("given twice", field=name)
        found[name] = json_text(_strict_json(text))
    return tuple(sorted(found.items()))


def _check_points(record: GameRecord, given: Triple, variant: Variant) -> None:
    text = "/".join(map(str, given))
    if record.tricks is None:
        raise RecordError("the deal is unfinished: no points without tricks", field="points", token=text)
    right = record.points(variant)
    if right is None:
        rule = f"targets are for {variant.hand_size} cards a hand, here {record.deal.hand_size}"
        raise RecordError(rule, field="points", token=text)
    if given != right:
        raise RecordError(f"the tricks give {'/'.join(map(str, right))}", field="points", token=text)


# JSON


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


def _strict_json(text: str) -> object:
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
                raise RecordError("half a character, it can't be written", token=item)
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


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    kinds: dict[type, str] = {bool: "true or false", str: "text", list: "a list", dict: "an object"}
    return kinds.get(type(value), "a number")


def _wrong(value: object, expected: str, field: str) -> NoReturn:
    """Raise the error for a JSON value of the wrong type, quoting it when it is short."""
    token = str(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else None
    raise RecordError(f"expected {expected}, here {_kind(value)}", field=field, token=token)


def _read_text(value: object, field: str, read: Callable[[str], Value]) -> Value:
    """Return read(value) of a JSON text; raises RecordError that names `field`."""
    if not isinstance(value, str):
        _wrong(value, "text", field)
    try:
        return read(value)
    except MizerkaError as error:
        raise _record_error(error, field) from None


def _read_id(value: object) -> str | int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, (str, int))):
        _wrong(value, "text or a whole number", "id")
    return value


def _read_seats(value: object, field: str, *, may_be_list: bool = False) -> list[object]:
    """Return the values of {"F":…,"M":…,"R":…}, or of a list of three, in seat order."""
    if may_be_list and isinstance(value, list) and len(value) == 3:
        return value
    if not isinstance(value, dict):
        _wrong(value, "an object with F, M and R", field)
    for name in value:
        if name not in Seat.__members__:
            raise RecordError("not a seat, seats are F M R", field=field, token=name)
    for seat in Seat:
        if seat.name not in value:
            raise RecordError("missing", field=f"{field}.{seat}")
    return [value[seat.name] for seat in Seat]


def _read_players(value: object) -> tuple[str, str, str]:
    f, m, r = (_read_text(name, f"players.{Seat(i)}", str) for i, name in enumerate(_read_seats(value, "players")))
    return f, m, r


def _read_cards(value: object, field: str) -> tuple[Card, ...]:
    if not isinstance(value, list):
        _wrong(value, "a list of cards", field)
    return tuple(_read_text(card, f"{field}[{place}]", Card) for place, card in enumerate(value))


def _read_exchange(value: object) -> tuple[Discards, Discards, Discards]:
    """Return the discards of F, M, R; a record without the field is of a deal in which nobody exchanged."""
    if value is None:
        return (), (), ()
    seats = _read_seats(value, "exchange")
    f, m, r = (_read_cards(cards, f"exchange.{Seat(i)}") for i, cards in enumerate(seats))
    return f, m, r


def _read_triple(value: object, field: str) -> Triple:
    """Return three whole numbers F, M, R given as an object or a list."""
    numbers: list[int] = []
    for seat, number in zip(Seat, _read_seats(value, field, may_be_list=True), strict=True):
        if isinstance(number, bool) or not isinstance(number, int):
            _wrong(number, "a whole number", f"{field}.{seat}")
        numbers.append(number)
    f, m, r = numbers
    return f, m, r


def _by_seat(values: Sequence[object]) -> dict[str, object]:
    return dict(zip(Seat.__members__, values, strict=True))
