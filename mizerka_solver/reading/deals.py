"""Hands, rows of cards and deals as people write them: generous about shape, strict about meaning.

The strict parsers (cards.py, deal.py, position.py) hand over what is not in the standard spelling. A text is cut into
tokens (letters.py) and into sections, one a hand, and is then read in every language and every way its letters allow:

    deal    = F hand  M hand  R hand  [T row]  [P hand]      seats by letter or name, or hands parted by / ; | or lines
    hand    = fields | groups | row | -
    fields  = ranks . ranks . ranks . ranks                  suits S.H.D.C, '-' or nothing for a void
    groups  = (suit ranks)+ | (ranks suit)+                  suits in any order, each once; what is left out is void
    row     = (suit rank | rank suit)+                       each card by itself; the talon is one, in draw order

One result: that is what the text means. None: the error of the likeliest way. Two: refused, with the reading it would
have taken. Nothing here knows what makes a deal sound; cards may be there twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from mizerka_solver.reading.letters import (
    CYRILLIC_SUITS,
    LANGUAGES,
    SUIT_OF,
    Bits,
    Language,
    Token,
    hand_text,
    mask_of,
    tokenized,
    upper,
)
from mizerka_solver.reading.shapes import (
    UnclearError,
    check_commas,
    hand_bits,
    has_signs,
    is_suit_letter,
    row_text,
    split_at,
    talon_bits,
    text_of,
)
from mizerka_solver.support.errors import InvalidDealError, InvalidHandError, MizerkaError

MAX_TEXT = 1000  # characters; the longest deal there is takes about 200
SEAT_LETTERS = "FMR"

Value = TypeVar("Value")


def read_generously(read: Callable[[str], Value], text: str, strict: MizerkaError, kind: type[MizerkaError]) -> Value:
    """Return read(text) after the strict parser failed; raises `kind`.

    Of the two errors the strict one is raised for a text that seems to be meant in the standard spelling.
    """
    try:
        return read(text)
    except MizerkaError as error:
        if not isinstance(error, UnclearError) and ("." in text or (text.isascii() and len(text.split()) < 2)):
            raise strict from None
        raise kind(error.rule, token=error.token, field=error.field) from None


class Section(NamedTuple):
    """The tokens of one hand (F, M, R, or P, the cards seen first) or of the talon (T)."""

    name: str
    tokens: tuple[Token, ...]


class Understood(NamedTuple):
    """A deal as it was read, sound or not."""

    hands: tuple[Bits, Bits, Bits]
    talon: Bits = ()
    preview: Bits | None = None

    def __str__(self) -> str:
        text = " ".join(f"{seat}:{hand_text(mask_of(hand))}" for seat, hand in zip("FMR", self.hands, strict=True))
        text += f" T:{row_text(self.talon)}" if self.talon else ""
        return text if self.preview is None else f"{text} P:{hand_text(mask_of(self.preview))}"


# What the callers ask


def read_hand(text: str) -> Bits:
    """Return the cards of a hand in whatever shape; raises InvalidHandError, InvalidCardError.

    >>> hand_text(mask_of(read_hand("♥A7653 ♠J63 ♣53 ♦AJ4"))), hand_text(mask_of(read_hand("S: A K D, H: B 10")))
    ('J63.A7653.AJ4.53', 'AKQ.JT.-.-')
    """
    sections = [Section("", _one_hand(_tokens(text)))]
    (hand,) = _only(sections, lambda bits: hand_text(mask_of(bits[0])))
    return hand


def read_row(text: str) -> Bits:
    """Return the cards of a row in their order; raises InvalidCardError.

    >>> row_text(read_row("♠10, 4♥ DK"))
    'STH4DK'
    """
    tokens = tuple(token for token in _tokens(text) if token.kind != "line")
    (row,) = _only([Section("T", tokens)], lambda bits: row_text(bits[0]))
    return row


def read_deal(text: str) -> Understood:
    """Return the deal of a text in whatever shape; raises InvalidDealError and the errors of its hands.

    >>> str(read_deal("Vorhand: ♠AD Mittelhand: ♠B9 Hinterhand: ♥10 ♦2 Talon: ♣4 ♥K"))
    'F:AQ.-.-.- M:J9.-.-.- R:-.T.2.- T:C4HK'
    """
    sections = deal_sections(_tokens(text))
    return _understood(sections, _only(sections, lambda bits: str(_understood(sections, bits))))


def position_tail(text: str) -> tuple[str, tuple[str, str, str, str] | None]:
    """Return the hands' part of a text, and contract, leader, trick and tricks won of a position, None of a deal.

    >>> position_tail("F:A... M:K... R:Q... N F - 0-0-0")
    ('F:A... M:K... R:Q...', ('N', 'F', '-', '0-0-0'))
    """
    parts = text.replace("_", " ").rsplit(None, 4)
    if len(parts) == 5 and parts[4].count("-") == 2 and parts[4].replace("-", "").isdigit():
        hands, contract, leader, trick, won = parts
        return hands, (contract, leader, trick, won)
    return text, None


def _understood(sections: Sequence[Section], bits: Sequence[Bits]) -> Understood:
    f, m, r, *_ = bits
    rest = {section.name: cards for section, cards in zip(sections[3:], bits[3:], strict=True)}
    return Understood((f, m, r), rest.get("T", ()), rest.get("P"))


def _tokens(text: str) -> list[Token]:
    if len(text) > MAX_TEXT:
        raise InvalidDealError(f"a deal or position has at most {MAX_TEXT} characters, here {len(text)}")
    return tokenized(text)


def _one_hand(tokens: Iterable[Token]) -> tuple[Token, ...]:
    hand = tuple(token for token in tokens if token.kind not in ("bar", "line"))
    for token in hand:
        if header_of(token):
            raise InvalidHandError("a hand has suits and ranks, no seats", token=token.text)
    return hand


# Sections


def header_of(token: Token) -> str:
    """Return F, M, R, T or P when a token opens a section by itself; '' otherwise."""
    letter = upper(token)
    if token.kind == "seat":
        return SEAT_LETTERS[token.value]
    if token.kind == "talon" or (letter == "T" and token.colon):
        return "T"
    if token.kind == "preview":
        return "P"
    return letter if (letter and letter in SEAT_LETTERS) or (letter == "P" and token.colon) else ""


def begins_row(tokens: Sequence[Token]) -> bool:
    """Whether a letter begins the row of a printed table, 'T talon' or 'P preview'."""
    if len(tokens) < 2 or tokens[1].kind not in ("talon", "preview"):  # a ten before 'T:' begins nothing
        return False
    return upper(tokens[0]) in ("T", "P") and header_of(tokens[1]) == upper(tokens[0])


def deal_sections(tokens: Sequence[Token]) -> list[Section]:
    """Return the sections of a deal in the order F, M, R, then T and P if there; raises InvalidDealError."""
    named = list(_named_sections(tokens))
    if named and not named[0].name:
        if len(named) == 1 or named[1].name in "TP":
            named[:1] = _unnamed_hands(list(named[0].tokens))
        else:
            raise InvalidDealError("expected F:<hand>", field="F", token=text_of(named[0].tokens))
    for place, seat in enumerate("FMR"):
        found = named[place] if place < len(named) else Section("", ())
        if found.name != seat:
            token = f"{found.name}:" if found.name else ""
            raise InvalidDealError(f"expected {seat}:<hand>", field=seat, token=token)
    names = [section.name for section in named[3:]]
    if names not in ([], ["T"], ["P"], ["T", "P"]):
        raise InvalidDealError("after three hands come T:<talon> and P:<cards seen first>, each once", token=names[-1])
    return [Section(section.name, _without_breaks(section.tokens)) for section in named]


def _named_sections(tokens: Sequence[Token]) -> Iterator[Section]:
    """Cut before each header; one written twice, as 'F forehand' or 'T talon', is one."""
    name, held = "", list[Token]()
    for i, token in enumerate(tokens):
        header = header_of(token)
        if begins_row(tokens[i:]):
            header = upper(token)
        if not header:
            held.append(token)
        elif header != name or held:
            if name or held:
                if held and held[-1].kind == "comma":  # 'F: ♠AK, M: …'
                    held.pop()
                yield Section(name, tuple(held))
            name, held = header, []
    if name or held:
        yield Section(name, tuple(held))


def _unnamed_hands(tokens: list[Token]) -> list[Section]:
    """Cut three hands in the order F, M, R: at bars, at line ends, at dots, or when the four suits begin anew."""
    tokens = _stripped(tokens)
    for kind in ("bar", "line"):
        parts = [part for part in split_at(tokens, kind) if _without_breaks(part)]
        if len(parts) == 3 and (kind == "line" or not any(token.kind == "comma" for token in parts[0][-1:])):
            return [Section(seat, tuple(part)) for seat, part in zip("FMR", parts, strict=True)]
    flat = list(_without_breaks(tokens))
    starts = starts_of_hands(flat)
    if len(starts) != 3:
        rule = "not three hands: write F:<hand> M:<hand> R:<hand>, or separate the hands by / or line breaks"
        raise InvalidDealError(rule, token=text_of(tokens))
    ends = (*starts[1:], len(flat))
    return [Section(s, tuple(flat[a:b])) for s, a, b in zip("FMR", starts, ends, strict=True)]


def starts_of_hands(tokens: Sequence[Token]) -> list[int]:
    """Return where each of three hands without seats begins; [] if that is not what the tokens are."""
    bars = [i for i, token in enumerate(tokens) if token.kind == "bar"]
    if len(bars) == 2:
        return [0, bars[0] + 1, bars[1] + 1]
    return _starts_by_dots(tokens) or _starts_by_suits(tokens)


def _starts_by_dots(tokens: Sequence[Token]) -> list[int]:
    """Fields parted by blanks are hands if each has three dots."""
    starts = [i for i, token in enumerate(tokens) if token.gap or i == 0]
    ends = (*starts[1:], len(tokens)) if starts else ()
    dots = [sum(token.kind == "dot" for token in tokens[a:b]) for a, b in zip(starts, ends, strict=True)]
    return starts if dots == [3, 3, 3] else []


def _starts_by_suits(tokens: Sequence[Token]) -> list[int]:
    """Twelve suits, each four of them different, and the first at the very start."""
    signs = any(token.kind == "suit" for token in tokens)
    marks = [
        (i, token.value if signs else SUIT_OF.get(token.text, CYRILLIC_SUITS.get(upper(token), 3)))
        for i, token in enumerate(tokens)
        if (token.kind == "suit" if signs else is_suit_letter(token) and (token.gap or token.colon))
    ]
    fours = [{suit for _, suit in marks[i : i + 4]} for i in range(0, len(marks), 4)]
    if len(marks) == 12 and marks[0][0] == 0 and all(len(four) == 4 for four in fours):
        return [marks[0][0], marks[4][0], marks[8][0]]
    return []


def _stripped(tokens: list[Token]) -> list[Token]:
    while tokens and tokens[-1].kind in ("bar", "line"):
        tokens = tokens[:-1]
    return tokens


def _without_breaks(tokens: Iterable[Token]) -> tuple[Token, ...]:
    return tuple(token for token in tokens if token.kind not in ("bar", "line"))


# Every way to read it


def _only(sections: Sequence[Section], told: Callable[[tuple[Bits, ...]], str]) -> tuple[Bits, ...]:
    """Return the cards of the sections if all ways to read them agree; raises UnclearError, or one way's error."""
    tokens = [token for section in sections for token in section.tokens]
    own = {language.name: _own_letter(tokens, language) for language in LANGUAGES}
    spoken = [language for language in LANGUAGES if own[language.name]]
    if len(spoken) > 1:
        letters = " and ".join(f"{own[language.name]} is {language.name}" for language in spoken)
        raise UnclearError(f"card letters of two languages: {letters}", token=text_of(tokens))
    found: dict[tuple[Bits, ...], None] = {}
    failed: MizerkaError | None = None
    for language in spoken or LANGUAGES:
        for d_is in _meanings_of_d(sections, language, certain=bool(spoken)):
            try:
                found[tuple(_section(section, language, d_is) for section in sections)] = None
            except MizerkaError as error:
                if isinstance(error, UnclearError):
                    raise
                failed = failed or error
    if len(found) > 1:
        rule = "D may be diamonds or a queen, write D: or ♦ for the suit"
        raise UnclearError(f"{rule}; this would be read as {told(next(iter(found)))}", token="D")
    for bits in found:
        return bits
    raise failed or InvalidHandError("no cards")


def _own_letter(tokens: Iterable[Token], language: Language) -> str:
    """Return a letter of the text that only this language has; Cyrillic Т: is a suit."""
    for token in tokens:
        letter = upper(token)
        if letter and letter in language.own and not (letter == "Т" and token.colon):
            return letter
    return ""


def _meanings_of_d(sections: Sequence[Section], language: Language, *, certain: bool) -> tuple[str, ...]:
    """Return what D without a colon may be where suits are letters: always a suit, a rank, or a suit after a blank.

    A D after a blank is a queen only in a text that is German or Polish for `certain`: 'S AK9 H A3 D 4' is plain.
    """
    if "D" not in language.ranks:
        return ("suit",)
    open_d = [
        token for section in sections for token in section.tokens if upper(token) == "D" and not token.colon
        if not has_signs(section.tokens)
    ]  # fmt: skip
    if not open_d:
        return ("suit",)
    return ("suit", "place") if any(token.gap for token in open_d) and not certain else ("suit", "rank", "place")


def _section(section: Section, language: Language, d_is: str) -> Bits:
    try:
        check_commas(section.tokens)
        if section.name == "T":
            return talon_bits(section.tokens, language)
        return hand_bits(section.tokens, language, d_is)
    except MizerkaError as error:
        raise error.at(field=section.name) from None
