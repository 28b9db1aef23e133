"""Game records, format mizerka-game/1: JSON Lines, one played deal a line, every card and exchange checked.

    {"format":"mizerka-game/1","players":{"F":"a","M":"b","R":"c"},"deal":"F:… M:… R:… T:…","contract":"N",
     "exchange":{"F":["S2"],"M":[],"R":[]},"play":["SA","S3",…],"tricks":{"F":5,"M":4,"R":4},"points":{…}}

`deal` is before the exchange. `play` may be short: an unfinished deal, or, with `tricks`, a claimed one. Optional are
`id` and `preview`, the cards forehand saw before naming the contract ("3.63.AJ.3"). Fields of other names are kept and
written back. Leaves the rules to rules.py, and JSON to record_fields.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from mizerka_solver.game.cards import Card, Hand
from mizerka_solver.game.convert import CardsLike, ContractLike, HandLike, as_cards, as_contract, as_hand
from mizerka_solver.game.deal import Deal, check_preview
from mizerka_solver.game.position import Position
from mizerka_solver.game.record_fields import (
    Discards,
    as_deal,
    as_exchange,
    as_id,
    as_players,
    converted,
    json_text,
    json_type,
    read_cards,
    read_exchange,
    read_hand,
    read_id,
    read_players,
    read_text,
    read_triple,
    record_error,
    strict_json,
    wrong,
)
from mizerka_solver.game.rules import (
    MIZERKA,
    Contract,
    Game,
    Seat,
    Triple,
    Variant,
    as_triple,
    by_seat,
    check_tricks,
    points,
    triple_text,
)
from mizerka_solver.reading.textlines import decoded_lines
from mizerka_solver.support.errors import MizerkaError, RecordError

FORMAT = "mizerka-game/1"
FIELDS = ("format", "id", "players", "deal", "preview", "contract", "exchange", "play", "tricks", "points")


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

    `claimed` are the tricks of a deal not played to its end (None when play is complete or the result is open);
    `preview` is what forehand saw before naming the contract (None if unknown; a deal's `P:` goes there).
    `extra` holds further fields as (name, JSON text). Values may be given as their texts. Raises RecordError, naming
    field, card and rule, and TypeError.

    >>> record = GameRecord(("a", "b", "c"), "F:A... M:K... R:Q...", "no trump", play="SASK")
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
    preview: Hand | None = None

    if TYPE_CHECKING:  # what the constructor takes; __post_init__ makes values of it

        def __init__(
            self,
            players: Sequence[str] | Mapping[Any, str],
            deal: Deal | str,
            contract: ContractLike,
            exchange: Sequence[CardsLike] | Mapping[Any, CardsLike] = ((), (), ()),
            play: CardsLike = (),
            claimed: Sequence[int] | None = None,
            id: str | int | None = None,
            extra: Iterable[tuple[str, str]] = (),
            preview: HandLike | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        self.__dict__.update(
            players=as_players(self.players),
            deal=converted("deal", as_deal, self.deal),
            contract=converted("contract", as_contract, self.contract),
            exchange=as_exchange(self.exchange),
            play=converted("play", as_cards, self.play),
            claimed=None if self.claimed is None else as_triple(self.claimed),
            id=as_id(self.id),
            preview=None if self.preview is None else converted("preview", as_hand, self.preview),
        )
        self._check_frame()
        try:
            after = self.deal.after_exchange(dict(zip(Seat, self.exchange, strict=True)))
        except MizerkaError as error:
            raise record_error(error, "exchange") from None
        positions = [after.position(self.contract)]
        for place, card in enumerate(self.play):
            try:
                positions.append(positions[-1].play(card))
            except MizerkaError as error:
                raise record_error(error, f"play[{place}]") from None
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
        preview: Hand | None = None,
    ) -> GameRecord:
        """Return the record of a deal played at a table that checked each exchange and card, which is not done again.

        tricks_won: by the cards played. Raises RecordError about the rest.
        """
        record = object.__new__(cls)
        values = (players, deal, contract, exchange, play, claimed, id, extra, preview)
        record.__dict__.update(zip(_RECORD_FIELDS, values, strict=True))
        record._check_frame()
        if len(play) == 3 * deal.hand_size:
            record.__dict__["tricks"] = tricks_won
        record._check_claim()
        return record

    def _check_frame(self) -> None:
        _check_players(self.players)
        self.__dict__["extra"] = _checked_extra(self.extra)
        marked = self.deal.preview
        if marked is not None:
            if self.preview not in (None, marked):
                raise RecordError(f"the deal says P:{marked}", field="preview", token=str(self.preview))
            self.__dict__.update(deal=self.deal.with_preview(None), preview=marked)
        elif self.preview is not None:
            try:
                check_preview(self.deal.hands[Seat.F], self.preview)
            except MizerkaError as error:
                raise RecordError(error.rule, field="preview", token=error.token) from None

    def _check_claim(self) -> None:
        if self.claimed is None:
            return
        text = triple_text(self.claimed)
        try:
            check_tricks(self.claimed, self.deal.hand_size)
        except MizerkaError as error:
            raise record_error(error, "tricks") from None
        won = self.final_position.tricks_won
        if self.final_position.is_over and self.claimed != won:
            raise RecordError(f"the play gives {'-'.join(map(str, won))}", field="tricks", token=text)
        if any(self.claimed[seat] < won[seat] for seat in Seat):
            raise RecordError(f"fewer than the {'-'.join(map(str, won))} already won", field="tricks", token=text)
        if self.final_position.is_over:
            self.__dict__["claimed"] = None

    @property
    def marked_deal(self) -> Deal:
        """The deal before the exchange, marked with what forehand saw first, if known."""
        return self.deal.with_preview(self.preview)

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
        data["players"] = by_seat(self.players)
        data["deal"] = str(self.deal)
        if self.preview is not None:
            data["preview"] = str(self.preview)
        data["contract"] = str(self.contract)
        data["exchange"] = by_seat([list(map(str, discards)) for discards in self.exchange])
        data["play"] = list(map(str, self.play))
        for name, triple in (("tricks", self.tricks), ("points", self.points(variant))):
            if triple is not None:
                data[name] = by_seat(triple)
        # Extra fields are kept as the text they have in the line.
        extra = "".join(f",{json_text(name)}:{text}" for name, text in self.extra)
        return f"{json_text(data)[:-1]}{extra}}}"

    @classmethod
    def from_json(cls, text: str, variant: Variant = MIZERKA) -> GameRecord:
        """Return the record of one line of JSON; raises RecordError."""
        data = strict_json(text)
        if not isinstance(data, dict):
            raise RecordError(f"a record is an object, here {json_type(data)}")
        if data.get("format") != FORMAT:
            wrong(data.get("format"), f'"{FORMAT}"', "format")
        record = cls(
            players=read_players(data.get("players")),
            deal=read_text(data.get("deal"), "deal", Deal),
            contract=read_text(data.get("contract"), "contract", Contract.parse),
            exchange=read_exchange(data.get("exchange")),
            play=read_cards(data.get("play"), "play"),
            claimed=read_triple(data["tricks"], "tricks") if "tricks" in data else None,
            id=read_id(data.get("id")),
            extra=tuple((name, json_text(value)) for name, value in data.items() if name not in FIELDS),
            preview=read_hand(data["preview"], "preview") if "preview" in data else None,
        )
        if "points" in data:
            _check_points(record, read_triple(data["points"], "points"), variant)
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
    if isinstance(records, (str, bytes)):
        raise TypeError(f"records must be an iterable of records, not one {type(records).__name__}")
    played = list(records)
    for record in played:
        if not isinstance(record, GameRecord):
            raise TypeError(f"a score sheet is of GameRecords, not of {type(record).__name__}")
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
        found[name] = json_text(strict_json(text))
    return tuple(sorted(found.items()))


def _check_points(record: GameRecord, given: Triple, variant: Variant) -> None:
    text = triple_text(given, "/")
    if record.tricks is None:
        raise RecordError("the deal is unfinished: no points without tricks", field="points", token=text)
    right = record.points(variant)
    if right is None:
        rule = f"targets are for {variant.hand_size} cards a hand, here {record.deal.hand_size}"
        raise RecordError(rule, field="points", token=text)
    if given != right:
        raise RecordError(f"the tricks give {'/'.join(map(str, right))}", field="points", token=text)
