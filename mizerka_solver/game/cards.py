"""Cards, suits and hands, and their text; knows nothing of seats, contracts or rules.

Encoding, shared with the compiled core: a set of cards is a 64-bit word with one 16-bit lane a suit.

    bit = 16*suit + rank        suit: S 0, H 1, D 2, C 3        rank: 2 is 0 … ace is 12

    63      48 47      32 31      16 15       0
    | clubs   | diamonds | hearts   | spades  |     each lane: 0 0 0 A K Q J T 9 8 7 6 5 4 3 2
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from functools import total_ordering
from typing import final

from mizerka_solver.reading.deals import read_generously, read_hand, read_row
from mizerka_solver.reading.letters import CARD_TWICE, RANK_OF, SUIT_OF, lane_text, mask_of, repeated
from mizerka_solver.reading.letters import LANE_BITS as LANE_BITS
from mizerka_solver.reading.letters import LANE_MASK as LANE_MASK
from mizerka_solver.reading.letters import N_RANKS as N_RANKS
from mizerka_solver.reading.letters import RANK_LETTERS as RANK_LETTERS
from mizerka_solver.reading.letters import SUIT_LETTERS as SUIT_LETTERS
from mizerka_solver.support import markup
from mizerka_solver.support.errors import InvalidCardError, InvalidHandError, MizerkaError, text_of

N_CARDS = 52
ALL_CARDS = sum(LANE_MASK << LANE_BITS * suit for suit in range(4))

_CARD_RULE = "not a card, write a suit S H D C and a rank 2-9 T J Q K A"


class LetterEnum(IntEnum):
    """An IntEnum whose members print as their one-letter names, in f-strings too, and whose repr can be evaluated."""

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    # Equal to ints, so hashed like them; and the Enum's own hash runs Python code at every look into a dict.
    __hash__ = int.__hash__


class Suit(LetterEnum):
    """One of the four suits, in the order S, H, D, C = 0 to 3.

    >>> Suit.H, Suit.H.symbol, Suit.H.long_name
    (Suit.H, '♥', 'hearts')
    """

    S = 0
    H = 1
    D = 2
    C = 3

    @property
    def symbol(self) -> str:
        """The suit's sign: ♠ ♥ ♦ ♣."""
        return "♠♥♦♣"[self]

    @property
    def long_name(self) -> str:
        """The suit's English name, plural."""
        return ("spades", "hearts", "diamonds", "clubs")[self]

    @property
    def mask(self) -> int:
        """The 64-bit mask of the suit's thirteen cards."""
        return LANE_MASK << LANE_BITS * self


def _rank_at(text: str, i: int) -> tuple[int, int]:
    """Return the rank that starts at text[i] and the index after it; rank -1 if there is none."""
    if i >= len(text):
        return -1, i
    rank = RANK_OF.get(text[i], -1)
    return (8, i + 2) if rank < 0 and text.startswith("10", i) else (rank, i + 1)


def _card_at(text: str, i: int) -> tuple[int, int]:
    """Return the bit of the card that starts at text[i], suit or rank first, and the index after it; bit -1 if none."""
    suit = SUIT_OF.get(text[i], -1)
    if suit >= 0:
        rank, end = _rank_at(text, i + 1)
    else:
        rank, end = _rank_at(text, i)
        suit = SUIT_OF.get(text[end], -1) if end < len(text) else -1
        end += 1
    return (LANE_BITS * suit + rank, end) if suit >= 0 and rank >= 0 else (-1, end)


def _plain(text: str) -> str:
    """Drop the invisible selector that phones put behind a suit sign."""
    return text.replace("\ufe0f", "")


@final
@total_ordering
class Card:
    """One of the 52 cards, from text such as 'SA', 'AS', 's10', '♠A', '♠Д', or a Card; raises InvalidCardError.

    Cards are ordered by `bit`: suits S, H, D, C, and 2 to ace within a suit.

    >>> Card("SA"), str(Card("10h")), Card("C2").bit, Card("S2") < Card("SA") < Card("H2")
    (Card('SA'), 'HT', 48, True)
    """

    # Worked out once for each card: everything that plays cards asks for them all the time.
    __slots__ = {  # noqa: RUF023 - in the order they are built on each other
        "bit": "Bit index in a card mask, 16*suit + rank.",
        "mask": "The card as a mask of one bit.",
        "suit": "The card's suit.",
        "rank": "The card's rank, 0 (a two) to 12 (an ace).",
        "_text": "What str() returns.",
    }
    bit: int
    mask: int
    suit: Suit
    rank: int
    _text: str

    def __new__(cls, text: str | Card) -> Card:
        if isinstance(text, Card):
            return text
        if not isinstance(text, str):
            raise TypeError(f"a card is a Card or text, not {type(text).__name__}")
        plain = _plain(text)
        bit, end = _card_at(plain, 0) if plain else (-1, 0)
        if bit < 0 or end != len(plain):
            bit = _generous_card(text)
        return _CARDS[bit]

    @classmethod
    def from_bit(cls, bit: int) -> Card:
        """Return the card of bit index 16*suit + rank; raises InvalidCardError when there is none."""
        try:
            return _CARDS[bit]
        except KeyError:
            raise InvalidCardError("no card has this bit, it is 16*suit + rank", token=text_of(bit)) from None

    @property
    def pretty(self) -> str:
        """The card with its suit sign, '♠A'."""
        return self.suit.symbol + RANK_LETTERS[self.rank]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Card('{self}')"

    def __eq__(self, other: object) -> bool:
        return self is other if isinstance(other, Card) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.bit)

    def __lt__(self, other: Card) -> bool:
        return self.bit < other.bit if isinstance(other, Card) else NotImplemented

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Card is immutable")

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (str(self),)


def _make_card(bit: int) -> Card:
    card = object.__new__(Card)
    suit, rank = Suit(bit >> 4), bit & 15
    text = SUIT_LETTERS[suit] + RANK_LETTERS[rank]
    for name, value in (("bit", bit), ("mask", 1 << bit), ("suit", suit), ("rank", rank), ("_text", text)):
        object.__setattr__(card, name, value)
    return card


_SUITS = tuple(Suit)
_CARDS = {LANE_BITS * s + r: _make_card(LANE_BITS * s + r) for s in range(4) for r in range(N_RANKS)}
ALL = tuple(_CARDS[LANE_BITS * s + r] for s in range(4) for r in reversed(range(N_RANKS)))
"""All 52 cards, suits S H D C, ace to two: the pack a dealer shuffles."""


def _generous_card(text: str) -> int:
    """Return the bit of a card in another language's letters; raises InvalidCardError."""
    try:
        bits = read_row(text) if len(text) < 5 and text.split() == [text] else ()
    except MizerkaError:
        bits = ()
    if len(bits) != 1:
        raise InvalidCardError(_CARD_RULE, token=text)
    return bits[0]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read a row of cards, 'S4HKD2', 'S4,HK', '♠4 ♥K' or '4♠ Д♥'; raises InvalidCardError.

    '-' and '' are no cards. Order is kept. A card twice in the row is refused.

    >>> parse_cards("S4HK10d")
    (Card('S4'), Card('HK'), Card('DT'))
    """
    if text in ("", "-"):
        return ()
    try:
        bits = _row_bits(text)
    except InvalidCardError as error:
        bits = list(read_generously(read_row, text, error, InvalidCardError))
    if len(set(bits)) < len(bits):
        bit = repeated(tuple(bits))[0]
        raise InvalidCardError(CARD_TWICE, token=str(_CARDS[bit]))
    return tuple([_CARDS[bit] for bit in bits])


def _row_bits(text: str) -> list[int]:
    """Read a row without blanks, each card as `Card` has it."""
    bits: list[int] = []
    for part in _plain(text).split(","):
        i = 0
        if not part:
            raise InvalidCardError("a comma must be between two cards", token=text)
        while i < len(part):
            bit, end = _card_at(part, i)
            if bit < 0:
                raise InvalidCardError(_CARD_RULE, token=part[i : i + (3 if "10" in part[i : i + 3] else 2)])
            bits.append(bit)
            i = end
    return bits


def _generous_hand(text: str, strict: InvalidHandError) -> int:
    """Return the mask of a hand in another shape than PBN's; raises InvalidHandError."""
    bits = read_generously(read_hand, text, strict, InvalidHandError)
    for bit in repeated(bits):
        raise InvalidHandError(CARD_TWICE, token=str(_CARDS[bit]))
    return mask_of(bits)


def _parse_hand(text: str) -> int:
    """Return the mask of a hand in PBN order; raises InvalidHandError."""
    fields = text.split(".")
    if len(fields) != 4:
        raise InvalidHandError(f"a hand has 4 suits S.H.D.C separated by dots, here {len(fields)}", token=text)
    mask = 0
    for suit, ranks in enumerate(fields):
        i = 0
        while ranks != "-" and i < len(ranks):
            rank, end = _rank_at(ranks, i)
            if rank < 0:
                if ranks[i] == ",":
                    raise InvalidHandError("a comma must be between two cards", token=text)
                raise InvalidHandError(f"not a rank ({Suit(suit).long_name}), ranks are 2-9 T J Q K A", token=ranks[i])
            bit = 1 << LANE_BITS * suit + rank
            if mask & bit:
                raise InvalidHandError(CARD_TWICE, token=SUIT_LETTERS[suit] + RANK_LETTERS[rank])
            mask |= bit
            i = end
    return mask


@final
class Hand:
    """An immutable set of cards, from PBN text 'AKT9.QJ.-.98753' (S.H.D.C, void '-' or empty); raises InvalidHandError.

    Other shapes are read too ('♠AKT9 ♥QJ ♣98753', 'S:A H:10', 'SAHT'; docs/formats.md), and cards one by one. Iterates
    suits S H D C and ranks from high to low, as it prints.

    >>> hand = Hand("AKT9.QJ.-.98753")
    >>> hand, len(hand), Card("HQ") in hand, hand.suit_length(Suit.D)
    (Hand('AKT9.QJ.-.98753'), 11, True, 0)
    """

    __slots__ = {"mask": "The cards as a 64-bit mask."}
    mask: int

    def __init__(self, cards: str | Hand | Iterable[Card | str]) -> None:
        if isinstance(cards, str):
            try:
                mask = _parse_hand(cards)
            except InvalidHandError as error:
                if error.rule == CARD_TWICE:
                    raise
                mask = _generous_hand(cards, error)
        else:
            mask = cards.mask if isinstance(cards, Hand) else Hand.from_cards(cards).mask
        object.__setattr__(self, "mask", mask)

    @classmethod
    def from_mask(cls, mask: int) -> Hand:
        """Return the hand of a 64-bit card mask; raises InvalidHandError when a bit is no card."""
        if mask < 0 or mask & ~ALL_CARDS:
            raise InvalidHandError("mask has bits that are no cards", token=hex(mask))
        hand = object.__new__(cls)
        object.__setattr__(hand, "mask", mask)
        return hand

    @classmethod
    def from_cards(cls, cards: Iterable[Card | str]) -> Hand:
        """Return the hand of different cards, or their texts; raises InvalidHandError when one is given twice."""
        if isinstance(cards, (bytes, bytearray, Mapping)) or not isinstance(cards, Iterable):
            raise TypeError(f"a hand is text or cards, not {type(cards).__name__}")
        mask = 0
        for card in cards:
            if not isinstance(card, Card):
                card = Card(card)
            if mask & card.mask:
                raise InvalidHandError(CARD_TWICE, token=str(card))
            mask |= card.mask
        return cls.from_mask(mask)

    def suit_length(self, suit: Suit) -> int:
        """Return the number of cards of `suit`, 0 to 13."""
        return (self.mask & suit.mask).bit_count()

    def ranks(self, suit: Suit) -> str:
        """Return the rank letters of `suit` from high to low, '' for a void."""
        return lane_text(self.mask >> LANE_BITS * suit & LANE_MASK)

    @property
    def pretty(self) -> str:
        """The hand with suit signs, '♠AKT9 ♥QJ ♦- ♣98753'."""
        return " ".join(suit.symbol + (self.ranks(suit) or "-") for suit in _SUITS)

    def __iter__(self) -> Iterator[Card]:
        for suit in range(4):
            lane = self.mask >> LANE_BITS * suit & LANE_MASK
            while lane:
                rank = lane.bit_length() - 1
                lane ^= 1 << rank
                yield _CARDS[LANE_BITS * suit + rank]

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: object) -> bool:
        return isinstance(card, Card) and bool(self.mask & card.mask)

    def __str__(self) -> str:
        return ".".join(self.ranks(suit) or "-" for suit in _SUITS)

    def __repr__(self) -> str:
        return f"Hand('{self}')"

    def _repr_html_(self) -> str:
        return markup.table([(suit.symbol, self.ranks(suit) or "–") for suit in _SUITS])

    def __eq__(self, other: object) -> bool:
        return self.mask == other.mask if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.mask)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Hand is immutable")

    def __reduce__(self) -> tuple[type[Hand], tuple[str]]:
        return Hand, (str(self),)
