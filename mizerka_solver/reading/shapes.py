"""One hand, or one talon, in one language: fields separated by dots, groups of a suit and its ranks, rows of cards.

What a text means as a whole, and which language it is in, is for reading.py, which asks here for every way there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mizerka_solver.reading.letters import (
    CYRILLIC_SUITS,
    SUIT_LETTERS,
    SUIT_OF,
    Bits,
    Language,
    Token,
    card_text,
    upper,
)
from mizerka_solver.support.errors import InvalidCardError, InvalidHandError, MizerkaError

SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")


class UnclearError(InvalidHandError):
    """A text that could mean two things, or mixes two languages: no way to write it more strictly would help."""


# One hand in one language


class Symbol(NamedTuple):
    """A suit, a rank, or the sign of a void."""

    kind: str
    value: int
    token: Token


def hand_bits(tokens: Sequence[Token], language: Language, d_is: str) -> Bits:
    if any(token.kind == "dot" for token in tokens):
        return _fields(tokens, language)
    tokens = [token for token in tokens if token.kind != "comma"]
    if not tokens:
        raise InvalidHandError("no cards, write - for none", token="")
    if [token.kind for token in tokens] == ["void"]:
        return ()
    row = _pairs(tokens, language)
    if row is not None:
        return row
    symbols = list(_symbols(tokens, language, d_is))
    if symbols[0].kind == "suit":
        return tuple(_groups(symbols))
    if symbols[-1].kind != "suit":
        rule = "write the suits: ♠AK9 ♥Q4, S:AK9 H:Q4, or all four separated by dots, AK9.Q4.-.-"
        raise InvalidHandError(rule, token=text_of(tokens))
    return tuple(_groups_backwards(symbols))


def _fields(tokens: Sequence[Token], language: Language) -> Bits:
    """Suits in the order S.H.D.C, separated by dots."""
    fields = split_at(tokens, "dot")
    if len(fields) != 4:
        rule = f"a hand has 4 suits S.H.D.C separated by dots, here {len(fields)}"
        raise InvalidHandError(rule, token=text_of(tokens))
    bits: list[int] = []
    for suit, field in enumerate(fields):
        if [token.kind for token in field] == ["void"]:
            continue
        check_commas(field)
        for token in field:
            if token.kind != "comma":
                rank = _rank_of(token, language)
                if rank < 0:
                    raise _no_rank(token, language, suit)
                bits.append(16 * suit + rank)
    return tuple(bits)


def _pairs(tokens: Sequence[Token], language: Language) -> Bits | None:
    """Read suit and rank, or rank and suit, time after time; None if that is not what is there.

    A blank within a card is for cards whose two parts both stand alone, in 'S AK H' A and K do not, and that are all
    written the same way round: '♠ A K ♥' is not the ace of spades and the king of hearts.
    """
    if len(tokens) % 2:
        return None
    bits: list[int] = []
    orders: set[bool] = set()
    for i in range(0, len(tokens), 2):
        a, b = tokens[i : i + 2]
        ends = i + 2 == len(tokens) or tokens[i + 2].gap
        if b.gap and not (a.gap and ends):
            return None
        suit, rank = suit_of(a), _rank_of(b, language)
        is_turned = suit < 0 or rank < 0
        if is_turned:
            suit, rank = suit_of(b), _rank_of(a, language)
        if suit < 0 or rank < 0:
            return None
        orders.add(is_turned)
        bits.append(16 * suit + rank)
    has_blanks = any(token.gap for token in tokens[1::2])
    return None if has_blanks and len(orders) > 1 else tuple(bits)


def talon_bits(tokens: Sequence[Token], language: Language) -> Bits:
    tokens = [token for token in tokens if token.kind != "comma"]
    if not tokens or [token.kind for token in tokens] == ["void"]:
        return ()
    bits = _pairs(tokens, language)
    if bits is not None:
        return bits
    try:
        bits = hand_bits(tokens, language, "place")
    except MizerkaError:
        i = next((i for i in range(0, len(tokens), 2) if _pairs(tokens[i : i + 2], language) is None), 0)
        rule = "not a card, write a suit S H D C and a rank 2-9 T J Q K A"
        raise InvalidCardError(rule, token=text_of(tokens[i : i + 2])) from None
    rule = f"each card in draw order needs its suit; this would be read as {row_text(bits)}"
    raise InvalidCardError(rule, token=text_of(tokens))


def _symbols(tokens: Sequence[Token], language: Language, d_is: str) -> Iterator[Symbol]:
    signs, colons = has_signs(tokens), any(token.colon and is_suit_letter(token) for token in tokens)
    has_cyrillic = any(upper(token) in CYRILLIC_SUITS for token in tokens if token.kind == "letter")
    suit, after_rank = 0, False
    for token in tokens:
        symbol = _symbol(token, language, d_is, letters=not signs, colons=colons)
        if has_cyrillic and not (signs or colons) and after_rank and upper(token) == "Т" and token.gap:
            rule = f"clubs are Т: with a colon; this would be read as the ace of {SUIT_NAMES[suit]}"
            raise UnclearError(rule, token=token.text)
        after_rank = symbol.kind == "rank"
        suit = symbol.value if symbol.kind == "suit" else suit
        yield symbol


def _symbol(token: Token, language: Language, d_is: str, *, letters: bool, colons: bool) -> Symbol:
    if token.kind == "void":
        return Symbol("void", 0, token)
    suit = -1
    if token.kind == "suit":
        suit = token.value
    elif letters and is_suit_letter(token) and (token.colon or not colons):
        is_d = upper(token) == "D" and not token.colon and "D" in language.ranks
        if not is_d or d_is == "suit" or (d_is == "place" and token.gap):
            suit = suit_of(token)
    if suit >= 0:
        return Symbol("suit", suit, token)
    rank = _rank_of(token, language)
    if rank < 0:
        raise _no_rank(token, language)
    return Symbol("rank", rank, token)


def _groups(symbols: Sequence[Symbol]) -> Iterator[int]:
    """Yield the cards of groups such as '♠ A K 9', the suit first."""
    seen: set[int] = set()
    starts = [i for i, symbol in enumerate(symbols) if symbol.kind == "suit"]
    for start, end in zip(starts, (*starts[1:], len(symbols)), strict=True):
        mark, held = symbols[start], symbols[start + 1 : end]
        suit, kinds = mark.value, [symbol.kind for symbol in held]
        if suit in seen:
            raise InvalidHandError("suit given twice", token=mark.token.text)
        seen.add(suit)
        if not held and not mark.token.colon:
            raise InvalidHandError(f"no cards in {SUIT_NAMES[suit]}, write - for a void", token=mark.token.text)
        if "void" in kinds and kinds != ["void"]:
            raise InvalidHandError(f"cards and a void in {SUIT_NAMES[suit]}", token=text_of(s.token for s in held))
        yield from (16 * suit + symbol.value for symbol in held if symbol.kind == "rank")


def _groups_backwards(symbols: Sequence[Symbol]) -> Iterator[int]:
    """Yield the cards of groups such as 'AK9♠', the suit last."""
    seen: set[int] = set()
    ranks: list[int] = []
    for symbol in symbols:
        if symbol.kind == "rank":
            ranks.append(symbol.value)
            continue
        if symbol.kind == "void" or not ranks or symbol.value in seen:
            raise InvalidHandError("suits must be all before their cards or all after them", token=symbol.token.text)
        seen.add(symbol.value)
        yield from (16 * symbol.value + rank for rank in ranks)
        ranks = []


def suit_of(token: Token) -> int:
    """Return the suit a sign, word or letter can stand for, or -1."""
    if token.kind == "suit":
        return token.value
    if not is_suit_letter(token):
        return -1
    return SUIT_OF.get(token.text, CYRILLIC_SUITS.get(upper(token), 3))


def _rank_of(token: Token, language: Language) -> int:
    """Return the rank a digit or a letter can stand for, or -1."""
    if token.colon:
        return -1
    return token.value if token.kind == "rank" else language.ranks.get(upper(token), -1)


def is_suit_letter(token: Token) -> bool:
    letter = upper(token)
    return bool(letter) and (letter in SUIT_LETTERS or letter in CYRILLIC_SUITS or (letter == "Т" and token.colon))


def has_signs(tokens: Iterable[Token]) -> bool:
    return any(token.kind in ("suit", "dot") for token in tokens)


def _no_rank(token: Token, language: Language, suit: int = -1) -> InvalidHandError:
    where = f" ({SUIT_NAMES[suit]})" if suit >= 0 else ""
    letters = sorted(language.ranks, key=lambda letter: language.ranks[letter])
    tens = "2-9" if "T" in letters else "2-10"
    return InvalidHandError(f"not a rank{where}, ranks are {tens} {' '.join(letters)}", token=token.text)


def split_at(tokens: Sequence[Token], kind: str) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == kind:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def text_of(tokens: Iterable[Token]) -> str:
    return "".join(f"{' ' if token.gap else ''}{token.text}{':' * token.colon}" for token in tokens).strip()


def row_text(bits: Bits) -> str:
    """Return cards in their order, 'S4HK'."""
    return "".join(map(card_text, bits))


def check_commas(tokens: Sequence[Token]) -> None:
    """Raise InvalidCardError unless each comma stands between two others of the tokens."""
    commas = [token.kind == "comma" for token in tokens]
    if commas and (commas[0] or commas[-1] or any(commas[i] and commas[i + 1] for i in range(len(commas) - 1))):
        raise InvalidCardError("a comma must be between two cards", token=text_of(tokens))
