"""The letters and words of cards in four languages, and a text cut into tokens; knows no grammar (see reading.py).

language    ace king queen jack     ten: 10 in all; T too in Latin letters
English     A   K    Q     J        suits  ♠ S spades   ♥ H hearts   ♦ D diamonds   ♣ C clubs
German      A   K    D     B               Pik          Herz         Karo           Kreuz, Treff
Polish      A   K    D     W               pik          kier         karo           trefl
Russian     Т   К    Д     В               П пики       Ч черви      Б бубны        Т: трефы, крести
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from mizerka_solver.support.errors import InvalidCardError

SUIT_LETTERS = "SHDC"
RANK_LETTERS = "23456789TJQKA"
N_RANKS = 13
LANE_BITS = 16
LANE_MASK = (1 << N_RANKS) - 1
RANK_10 = 8

CARD_TWICE = "card given twice"

Bits = tuple[int, ...]
"""Cards as bit indices, 16*suit + rank, in the order they were read; one may be there twice."""

# Spelled out rather than `str.upper()`d: upper() also turns a long s into an S.
SUIT_OF = {char: suit for suit, chars in enumerate(("Ss♠♤", "Hh♥♡", "Dd♦♢", "Cc♣♧")) for char in chars}
RANK_OF = {char: rank for rank, letter in enumerate(RANK_LETTERS) for char in (letter, letter.lower())}


class Language(NamedTuple):
    """The letters of one language's court cards, and those of them that no other language has."""

    name: str
    ranks: dict[str, int]
    own: str


_LATIN = {"A": 12, "K": 11, "T": RANK_10}
LANGUAGES = (
    Language("English", {**_LATIN, "Q": 10, "J": 9}, "QJ"),
    Language("German", {**_LATIN, "D": 10, "B": 9}, "B"),
    Language("Polish", {**_LATIN, "D": 10, "W": 9}, "W"),
    Language("Russian", {"Т": 12, "К": 11, "Д": 10, "В": 9}, "ТКДВ"),
)
CYRILLIC_SUITS = {"П": 0, "Ч": 1, "Б": 2}
"""Letters of suits that are no letters of ranks. Clubs, Т, are the ace's letter too, and need a colon."""

_LETTERS = {char: char.upper() for char in "AKQJTDBWSHCFMRPakqjtdbwshcfmrpТКДВПЧБткдвпчб"}
_LOOKALIKES = "АСМНРЕОХасмнреох"
_SIGNS = {**dict.fromkeys("♠♤♥♡♦♢♣♧", "suit"), **dict.fromkeys("-–—−", "void")}
_SIGNS.update({".": "dot", ",": "comma", ";": "bar", "|": "bar", "/": "bar", "\n": "line"})
_SUIT_WORDS = (
    "spade spades pik пики пика",
    "heart hearts herz kier черви черва червы",
    "diamond diamonds karo бубны бубна буби",
    "club clubs kreuz treff trefl трефы трефа крести",
)
_SEAT_WORDS = ("forehand vorhand", "middlehand mittelhand", "rearhand hinterhand")
_WORDS: dict[str, tuple[str, int]] = {
    **{word: ("suit", suit) for suit, words in enumerate(_SUIT_WORDS) for word in words.split()},
    **{word: ("seat", seat) for seat, words in enumerate(_SEAT_WORDS) for word in words.split()},
    **dict.fromkeys(("talon", "талон", "прикуп"), ("talon", 0)),
    "preview": ("preview", 0),
    "void": ("void", 0),
}


class Token(NamedTuple):
    """One sign, letter, number or word of a text.

    kind: suit (a sign or a word), rank (a digit), letter, seat, talon, preview, void, dot, comma, bar, line. value: the
    suit, rank or seat. gap: blanks or a separator stand before it. colon: a colon stands behind it.
    """

    kind: str
    text: str
    value: int = -1
    gap: bool = True
    colon: bool = False


SEPARATORS = ("comma", "bar", "line")


def tokenized(text: str) -> list[Token]:
    """Cut a text into tokens; raises InvalidCardError for a character or word that has no place in a deal.

    >>> [token.text for token in tokenized("F: ♠A10 Herz —")]
    ['F', '♠', 'A', '10', 'Herz', '—']
    """
    tokens: list[Token] = []
    i, gap = 0, True
    while i < len(text):
        char = text[i]
        if char in "\ufe0e\ufe0f":  # how a sign is to be drawn; invisible
            i += 1
        elif char in ":=":
            if not tokens or tokens[-1].kind not in ("suit", "letter", "seat", "talon", "preview") or tokens[-1].colon:
                raise InvalidCardError("a colon must follow a seat or a suit", token=text[max(i - 8, 0) : i + 1])
            tokens[-1] = tokens[-1]._replace(colon=True)
            i, gap = i + 1, True
        elif char != "\n" and (char.isspace() or char == "_"):
            i, gap = i + 1, True
        else:
            found = _token_at(text, i, gap)
            tokens += found
            i += sum(len(token.text) for token in found)
            gap = found[-1].kind in SEPARATORS
    return tokens


def _token_at(text: str, i: int, gap: bool) -> list[Token]:
    """Return the token that starts at text[i], or one a letter of a row of letters that is no word."""
    char = text[i]
    if text.startswith("10", i):
        return [Token("rank", "10", RANK_10, gap)]
    if char in "23456789":
        return [Token("rank", char, RANK_OF[char], gap)]
    if char in _SIGNS:
        return [Token(_SIGNS[char], char, SUIT_OF.get(char, -1), gap)]
    end = i
    while end < len(text) and text[end].isalpha():
        end += 1
    word = text[i:end]
    if word.casefold() in _WORDS:
        kind, value = _WORDS[word.casefold()]
        return [Token(kind, word, value, gap)]
    for letter in word:
        if letter in _LOOKALIKES:
            raise InvalidCardError("a Cyrillic letter that looks like a Latin one, not a card", token=word)
        if letter not in _LETTERS:
            raise InvalidCardError("not a card, a suit or a seat", token=word)
    if not word:
        raise InvalidCardError("has no place in a hand", token=char)
    return [Token("letter", letter, gap=gap and not n) for n, letter in enumerate(word)]


def upper(token: Token) -> str:
    """Return the capital letter of a letter token; '' for another."""
    return _LETTERS[token.text] if token.kind == "letter" else ""


@lru_cache(maxsize=1 << N_RANKS)
def lane_text(lane: int) -> str:
    """Return the rank letters of one suit's cards, a 13-bit lane, from high to low."""
    return "".join(RANK_LETTERS[rank] for rank in reversed(range(N_RANKS)) if lane >> rank & 1)


def card_text(bit: int) -> str:
    """Return 'SA' for a bit index."""
    return SUIT_LETTERS[bit >> 4] + RANK_LETTERS[bit & 15]


def hand_text(mask: int) -> str:
    """Return a mask of cards in the standard spelling, 'AKT9.QJ.-.98753'."""
    return ".".join(lane_text(mask >> LANE_BITS * suit & LANE_MASK) or "-" for suit in range(4))


def mask_of(bits: Iterable[int]) -> int:
    """Return cards as a mask."""
    mask = 0
    for bit in bits:
        mask |= 1 << bit
    return mask


def repeated(bits: Bits) -> list[int]:
    """Return the bits that are there more than once."""
    return [bit for place, bit in enumerate(bits) if bit in bits[:place]]
