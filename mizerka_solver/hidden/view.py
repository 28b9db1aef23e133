"""What one seat may see of a deal, all that a bot ever gets; and the JSON that programs in other languages get.

    its own hand (in naming a contract: the six cards seen), its own discards       nobody else's cards
    contracts forehand could name, the contract                                     said aloud
    how many cards each seat exchanged so far                                       seen by all, not which
    all cards played, the trick, tricks won                                         face up

A view that comes from outside is checked by view_rules.py, one that a `Table` makes is right by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Self, TypeVar

from mizerka_solver.game.cards import ALL_CARDS, N_CARDS, Card, Hand
from mizerka_solver.game.convert import (
    CardsLike,
    ContractLike,
    ContractsLike,
    HandLike,
    SeatLike,
    as_cards,
    as_contract,
    as_contracts,
    as_hand,
    as_seat,
)
from mizerka_solver.game.rules import MIZERKA, Contract, Seat, Triple, Variant, by_seat, legal_cards
from mizerka_solver.hidden.view_rules import CONTRACT, EXCHANGE, PHASES, PLAY, checked_fields, plays, shown_voids
from mizerka_solver.support.errors import InvalidContractError, InvalidViewError, MizerkaError, read_field

__all__ = ["ALL_CONTRACTS", "CONTRACT", "EXCHANGE", "PHASES", "PLAY", "View", "view_from_dict"]

ALL_CONTRACTS = tuple(Contract)
Value = TypeVar("Value")


class _Fields(NamedTuple):
    phase: str
    seat: Seat
    hand: Hand
    remaining: tuple[Contract, ...]
    contract: Contract | None
    exchanged: tuple[int, ...]
    discarded: tuple[Card, ...]
    talon: int
    play: tuple[Card, ...]
    leader: Seat
    trick: tuple[Card, ...]
    tricks_won: Triple
    variant: Variant


class View(_Fields):
    """What `seat` knows when it is to act. phase: "contract", "exchange" or "play". Raises InvalidViewError.

    hand: its cards now; in the phase "contract" those seen before naming. remaining: contracts forehand may, or could,
    name. exchanged: cards exchanged by F, M, R so far, in this order. discarded: its own discards. talon: cards left
    to draw. play: all cards played, in order. trick: those of the current trick, `leader`'s first. What follows from
    the rest may be left out: talon, leader, trick and tricks_won. Values may be given as text.

    >>> view = View("exchange", "M", "AK2.AQ43.9.QJ982", contract="N", exchanged=(5,))
    >>> view.seat, view.talon
    (Seat.M, 8)
    """

    __slots__ = ()

    def __new__(
        cls,
        phase: str,
        seat: SeatLike,
        hand: HandLike,
        remaining: ContractsLike = ALL_CONTRACTS,
        contract: ContractLike | None = None,
        exchanged: Sequence[int] = (),
        discarded: CardsLike = (),
        talon: int | None = None,
        play: CardsLike = (),
        leader: SeatLike | None = None,
        trick: CardsLike | None = None,
        tricks_won: Sequence[int] | None = None,
        variant: Variant = MIZERKA,
    ) -> Self:
        read: tuple[Any, ...] = (
            _read("seat", as_seat, seat),
            _read("hand", as_hand, hand),
            _read("remaining", _different_contracts, ALL_CONTRACTS if remaining is None else remaining),
            _read("contract", as_contract, contract),
            tuple(exchanged),
            _read("discarded", as_cards, discarded),
            talon,
            _read("play", as_cards, play),
            _read("leader", as_seat, leader),
            _read("trick", as_cards, trick),
            tricks_won,
        )
        return cls._make(checked_fields(phase, *read, variant))

    @classmethod
    def trusted(cls, fields: tuple[Any, ...]) -> Self:
        """Return the view of all its fields in order, which are right: nothing is checked."""
        return tuple.__new__(cls, fields)

    @property
    def legal(self) -> tuple[Card, ...]:
        """Cards that may be played now; none before play."""
        return legal_cards(self.hand, self.trick) if self.phase == PLAY else ()

    @property
    def available(self) -> int:
        """The most cards that may be laid down."""
        return min(self.talon, len(self.hand))

    @property
    def unseen_mask(self) -> int:
        """Mask of the cards that others may hold, or that lie in the talon or among others' discards."""
        seen = self.hand.mask
        for card in self.play:
            seen |= card.mask
        for card in self.discarded:
            seen |= card.mask
        return ALL_CARDS & ~seen

    def plays(self) -> Iterator[tuple[Seat, Card, Card]]:
        """Yield (seat, card, card led) of all cards played."""
        return plays(self.play, self.contract)

    def voids(self) -> Triple:
        """Masks of the suits that F, M, R have shown not to hold, by not following."""
        return shown_voids(self.plays())

    # The message that programs in other languages get; see docs/bots.md

    def as_dict(self) -> dict[str, Any]:
        """Return the view as a JSON object."""
        data: dict[str, Any] = {"type": self.phase, "seat": self.seat.name, "hand": str(self.hand)}
        if self.variant != MIZERKA:
            data["variant"] = variant_fields(self.variant)
        data["remaining"] = "".join(contract.name for contract in self.remaining)
        if self.contract is not None:
            data["contract"] = self.contract.name
            data["exchanged"] = {seat.name: n for seat, n in zip(Seat, self.exchanged, strict=False)}
        if self.phase == EXCHANGE:
            data["available"] = self.available
        if self.phase == PLAY:
            data |= {"discarded": list(map(str, self.discarded)), "play": list(map(str, self.play))}
            data |= {"leader": self.leader.name, "trick": list(map(str, self.trick))}
            data["tricks"] = by_seat(self.tricks_won)
            data["legal"] = list(map(str, self.legal))
        return data


def view_from_dict(data: dict[str, Any], variant: Variant = MIZERKA) -> View:
    """Return the view of a JSON object as `View.as_dict` makes it; raises InvalidViewError and errors of its parts.

    What follows from the rest (`leader`, `trick`, `tricks`, `available`, `legal`) may be missing, but has to agree.
    variant: where the object has no field of that name.
    """
    if "variant" in data:
        variant = read_variant(data["variant"])
    phase = data.get("type")
    if phase not in PHASES:
        raise InvalidViewError(f"a view's type is one of {', '.join(PHASES)}", field="type", token=str(phase))

    def text(name: str) -> str:
        if name not in data:
            raise InvalidViewError("missing", field=name)
        if not isinstance(data[name], str):
            raise InvalidViewError("expected text", field=name, token=str(data[name]))
        return str(data[name])

    def cards(name: str) -> str | None:
        value = data.get(name)
        if name not in data:
            return None
        if not isinstance(value, list) or not all(isinstance(card, str) for card in value):
            raise InvalidViewError("expected a list of cards", field=name, token=str(value))
        return ",".join(value)

    known: dict[str, Any] = {"variant": variant, "remaining": text("remaining") if "remaining" in data else None}
    if phase != CONTRACT:
        known["contract"] = text("contract")
        known["exchanged"] = _numbers(data, "exchanged", None if phase == PLAY else text("seat")) or ()
    if phase == PLAY:
        known |= {"discarded": cards("discarded") or "", "play": cards("play") or "", "trick": cards("trick")}
        known |= {"leader": text("leader") if "leader" in data else None, "tricks_won": _numbers(data, "tricks")}
    view = View(phase, text("seat"), text("hand"), **known)
    _check_agrees(data, "available", view.available)
    legal = cards("legal")
    if legal is not None and set(read_field("legal", as_cards, legal)) != set(view.legal):
        raise InvalidViewError(
            f"the rest of the view makes it {','.join(map(str, view.legal))}", field="legal", token=legal
        )
    return view


def variant_fields(variant: Variant) -> dict[str, Any]:
    """Return a variant as a JSON object: the fields of `Variant` but its name."""
    targets = {"targets": list(variant.targets), "mizerka_targets": list(variant.mizerka_targets)}
    return {"hand_size": variant.hand_size, "preview_size": variant.preview_size, **targets}


def read_variant(value: Any) -> Variant:
    """Return the variant of a JSON object as `variant_fields` makes it; raises MizerkaError."""
    known = variant_fields(MIZERKA)
    if not isinstance(value, dict) or set(value) != set(known):
        raise InvalidViewError(f"expected an object with {', '.join(known)}", field="variant", token=str(value))
    for name, standard in known.items():
        numbers = value[name] if isinstance(standard, list) else [value[name]]
        if not isinstance(numbers, list) or not all(type(n) is int for n in numbers):
            raise InvalidViewError("expected whole numbers", field=f"variant.{name}", token=str(value[name]))
    targets, mizerka = (tuple(value[name]) for name in ("targets", "mizerka_targets"))
    try:
        return Variant(value["hand_size"], value["preview_size"], targets, mizerka)
    except MizerkaError as error:
        raise InvalidViewError(error.rule, field=f"variant.{error.field}", token=error.token) from None


def _read(field: str, convert: Callable[[Any], Value], value: Any) -> Value | None:
    """Return a converted value, None for None; errors name the field."""
    return None if value is None else read_field(field, convert, value)


def _different_contracts(contracts: ContractsLike) -> tuple[Contract, ...]:
    """Return contracts of which none is given twice."""
    found = as_contracts(contracts)
    if isinstance(contracts, str):
        parts = contracts.replace(" ", "").split(",")
        n_given = sum(len(part) if set(part.upper()) <= set(Contract.__members__) else 1 for part in parts)
    else:
        n_given = len(found) if contracts is None or isinstance(contracts, int) else len(list(contracts))
    if n_given != len(found):
        raise InvalidContractError("contract given twice", token=_text_of(contracts))
    return found


def _text_of(contracts: ContractsLike) -> str:
    return contracts if isinstance(contracts, str) else "".join(map(str, contracts))  # type: ignore[arg-type]


def _numbers(data: dict[str, Any], name: str, before: str | None = None) -> tuple[int, ...] | None:
    """Return the numbers by seat of a field, or only for the seats before one; None if there is no such field."""
    if name not in data:
        return None
    value = data[name]
    if not isinstance(value, dict) or not all(type(n) is int and 0 <= n <= N_CARDS for n in value.values()):
        raise InvalidViewError("expected numbers by seat", field=name, token=str(value))
    n_seats = len(Seat) if before is None else read_field("seat", Seat.parse, before)
    wanted = [seat.name for seat in Seat][:n_seats]
    if sorted(value) != sorted(wanted):
        rule = f"expected numbers for {' '.join(wanted)}" if wanted else "nobody exchanges before F"
        raise InvalidViewError(rule, field=name, token=" ".join(value) or None)
    return tuple(value[key] for key in wanted)


def _check_agrees(data: dict[str, Any], name: str, right: int) -> None:
    if name in data and data[name] != right:
        raise InvalidViewError(f"the rest of the view makes it {right}", field=name, token=str(data[name]))
