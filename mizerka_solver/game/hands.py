"""The three hands that deals and positions begin with: read, written, and checked for cards held twice."""

from __future__ import annotations

from collections.abc import Sequence

from mizerka_solver.game.cards import Hand
from mizerka_solver.game.convert import HandLike, as_hand
from mizerka_solver.game.names import Seat
from mizerka_solver.reading.deals import MAX_TEXT, Understood
from mizerka_solver.reading.explain import explained
from mizerka_solver.reading.letters import mask_of
from mizerka_solver.support import markup
from mizerka_solver.support.errors import InvalidDealError, InvalidPositionError, read_field

Hands = tuple[Hand, Hand, Hand]


def split_text(text: str) -> list[str]:
    """Split a deal or position into fields, reading `_` as a space; raises InvalidDealError for an endless text."""
    if not isinstance(text, str):
        raise TypeError(f"a deal or position is read from text, not {type(text).__name__}")
    if len(text) > MAX_TEXT:
        raise InvalidDealError(f"a deal or position has at most {MAX_TEXT} characters, here {len(text)}")
    return text.replace("_", " ").split()


def parse_hands(fields: Sequence[str]) -> Hands:
    """Read the fields F:<hand> M:<hand> R:<hand>; raises InvalidDealError, InvalidHandError."""
    hands = []
    for seat in Seat:
        text = fields[seat] if seat < len(fields) else ""
        if text[:2].upper() != f"{seat}:":
            raise InvalidDealError(f"expected {seat}:<hand>", field=str(seat), token=text)
        hands.append(read_field(str(seat), Hand, text[2:]))
    f, m, r = hands
    return f, m, r


def three_hands(hands: Sequence[HandLike]) -> Hands:
    """Return three hands given as values or texts; raises InvalidDealError, InvalidHandError, TypeError."""
    if isinstance(hands, (str, bytes)) or not isinstance(hands, Sequence):
        raise TypeError(f"hands must be three, of F, M and R, not {type(hands).__name__}")
    if len(hands) != 3:
        raise InvalidDealError(f"a deal has 3 hands, here {len(hands)}")
    f, m, r = map(as_hand, hands)
    return f, m, r


def hands_understood(found: Understood) -> Hands:
    """Return the hands of a deal read generously; raises InvalidDealError when a hand has a card twice."""
    for seat, bits in zip(Seat, found.hands, strict=True):
        if mask_of(bits).bit_count() < len(bits):
            raise InvalidDealError(f"a card is given twice; {explained(found)}", field=str(seat))
    f, m, r = (Hand.from_mask(mask_of(bits)) for bits in found.hands)
    return f, m, r


def hands_text(hands: Hands) -> str:
    """Return 'F:<hand> M:<hand> R:<hand>'."""
    return " ".join(f"{seat}:{hands[seat]}" for seat in Seat)


def hands_html(hands: Hands, caption: str = "", talon: str | None = None) -> str:
    """Return a table for notebooks: one row a seat, suits with their signs, and the talon."""
    rows = [(seat, hands[seat].pretty) for seat in Seat]
    return markup.table([*rows, *([] if talon is None else [("T", talon)])], caption=caption)


def shared_cards(hands: Hands) -> list[InvalidPositionError]:
    """Return an error for every card that two hands hold."""
    pairs = ((Seat.F, Seat.M), (Seat.F, Seat.R), (Seat.M, Seat.R))
    return [
        InvalidPositionError(f"card held by both {a} and {b}", token=str(card))
        for a, b in pairs
        for card in Hand.from_mask(hands[a].mask & hands[b].mask)
    ]
