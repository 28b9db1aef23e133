"""One way from what a user has, a value or its text, to a value: used by every public function and every option.

Each function takes the value itself, its text in any spelling the readers know, or, where that has one meaning, the
number the enumeration gives it. Anything else is refused with an error of ours that quotes it, or, if it is of a type
that can never be meant, with a TypeError. Deals and positions are converted in notation.py, which stands above them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mizerka_solver.game.cards import Card, Hand, parse_cards
from mizerka_solver.game.names import Contract, Seat
from mizerka_solver.game.names import ContractLike as ContractLike
from mizerka_solver.game.names import SeatLike as SeatLike
from mizerka_solver.game.names import as_contract as as_contract
from mizerka_solver.game.names import as_seat as as_seat
from mizerka_solver.support.errors import InvalidContractError, MizerkaError

CardLike = Card | str
CardsLike = Iterable[Card | str] | str
HandLike = Hand | str | Iterable[Card | str]
ContractsLike = ContractLike | Iterable[ContractLike] | None


def as_card(card: CardLike) -> Card:
    """Return a card given as one or as text; raises InvalidCardError, TypeError.

    >>> as_card("♥10"), as_card(Card("HT"))
    (Card('HT'), Card('HT'))
    """
    return card if isinstance(card, Card) else Card(card)


def as_cards(cards: CardsLike) -> tuple[Card, ...]:
    """Return cards, in their order, given as a row of text or one by one; raises InvalidCardError, TypeError.

    >>> as_cards("S4HK"), as_cards(["S4", Card("HK")]), as_cards("-")
    ((Card('S4'), Card('HK')), (Card('S4'), Card('HK')), ())
    """
    if isinstance(cards, str):
        return parse_cards(cards)
    return tuple(as_card(card) for card in _iterated(cards, "cards"))


def as_hand(hand: HandLike) -> Hand:
    """Return a hand given as one, as text or as cards; raises InvalidHandError, InvalidCardError, TypeError.

    >>> as_hand("AK.Q.-.-") == as_hand(["SA", "SK", "HQ"]) == as_hand("SASKHQ")
    True
    """
    return hand if isinstance(hand, Hand) else Hand(hand)


def as_contracts(contracts: ContractsLike) -> tuple[Contract, ...]:
    """Return contracts given one by one, as text ("SN", "spades,NT"), or None for all six; each is kept once.

    Raises InvalidContractError, TypeError.

    >>> as_contracts("SN"), as_contracts("spades, mizerka"), as_contracts(["S", Contract.M]), len(as_contracts(None))
    ((Contract.S, Contract.N), (Contract.S, Contract.M), (Contract.S, Contract.M), 6)
    """
    if contracts is None:
        return tuple(Contract)
    if isinstance(contracts, str):
        found = [contract for part in contracts.split(",") for contract in _contracts_of(part.strip(), contracts)]
    elif hasattr(contracts, "__index__") and not isinstance(contracts, Iterable):
        found = [as_contract(contracts)]
    else:
        found = [as_contract(contract) for contract in _iterated(contracts, "contracts")]
    return tuple(dict.fromkeys(found))


def as_discards(discards: Mapping[Any, CardsLike]) -> dict[Seat, tuple[Card, ...]]:
    """Return cards by seat; a key that is no seat, or a seat named twice, is refused; raises MizerkaError, TypeError.

    >>> as_discards({"F": "S2H4", Seat.M: [Card("D5")]})
    {Seat.F: (Card('S2'), Card('H4')), Seat.M: (Card('D5'),)}
    """
    if not isinstance(discards, Mapping):
        raise TypeError(f"discards must be cards by seat, not {type(discards).__name__}")
    found: dict[Seat, tuple[Card, ...]] = {}
    for key, cards in discards.items():
        seat = as_seat(key)
        if seat in found:
            raise MizerkaError("seat given twice", token=str(key))
        found[seat] = as_cards(cards)
    return found


def _contracts_of(part: str, whole: str) -> tuple[Contract, ...]:
    """A name or sign, or letters in a row."""
    if not part:
        raise InvalidContractError("no contract in it", token=whole)
    if set(part.upper()) <= set("SHDCNM"):
        return tuple(Contract.parse(letter) for letter in part)
    return (Contract.parse(part),)


def _iterated(values: object, name: str) -> Iterable[Any]:
    """Return the values of an iterable; bytes and mappings are none."""
    if isinstance(values, (bytes, bytearray, Mapping)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be text or an iterable, not {type(values).__name__}")
    return values
