"""The package's errors: one line each, made of place, field, token and the rule that was broken.

Every class is a `ValueError`. The parts stay apart until the error is printed, so that an outer level (a line of a
file, a field of a record) can say where a fault sits without taking the text of an inner one to pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self, TypeVar

Value = TypeVar("Value")

MAX_QUOTE = 40  # characters of a token that are worth repeating in a message


def quoted(token: str, at_most: int = MAX_QUOTE) -> str:
    """Return `token` fit for a one-line message: cut to `at_most` characters, unprintable and blank ones escaped.

    >>> quoted("S1"), quoted("S 1"), quoted("")
    ('S1', "'S 1'", "''")
    """
    if len(token) > at_most:
        token = token[: at_most - 1] + "…"
    if token and token.isprintable() and not any(c.isspace() for c in token):
        return token
    return repr(token)


def escaped(text: str) -> str:
    """Return text with what does not print, such as control characters and line ends, as escapes.

    >>> escaped("no such file"), escaped("two\\nlines")
    ('no such file', 'two\\\\nlines')
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shortened(text: str, at_most: int = 600) -> str:
    """Return text with its middle cut out where it is longer: the rule that a token breaks may stand behind the token.

    >>> shortened("x" * 30 + " is no number", 20)
    'xxxxxxxxx…no number'
    """
    half = at_most // 2 - 1
    return text if len(text) <= at_most else f"{text[:half]}…{text[-half:]}"


def text_of(value: object) -> str:
    """Return a value of any type as text; of one that has none, its type."""
    try:
        return str(value)
    except Exception:
        return f"<{type(value).__name__}>"


class MizerkaError(ValueError):
    """Base of all errors: `rule` says what must hold, `token` what broke it, `field` and `where` the place.

    >>> str(MizerkaError("not a card", token="S1", field="play[4]", where="games.jsonl:7"))
    'games.jsonl:7: play[4] S1: not a card'
    """

    def __init__(self, rule: str, *, token: object = None, field: str = "", where: str = "") -> None:
        super().__init__(rule)
        self.rule = rule
        self.token = None if token is None else text_of(token)
        self.field = field
        self.where = where

    def __str__(self) -> str:
        subject = " ".join(part for part in (escaped(self.field), self._quoted_token()) if part)
        return ": ".join(part for part in (escaped(self.where), subject, escaped(self.rule)) if part)

    def _quoted_token(self) -> str:
        return "" if self.token is None else quoted(self.token)

    def at(self, *, field: str = "", where: str = "") -> Self:
        """Return a copy that also names the enclosing `field` and the place `where` (source and line)."""
        inner = f"{field}.{self.field}" if field and self.field else field or self.field
        return type(self)(self.rule, token=self.token, field=inner, where=where or self.where)


class InvalidCardError(MizerkaError):
    """A text or number that is no card."""


class InvalidHandError(MizerkaError):
    """A text or mask that is no hand."""


class InvalidDealError(MizerkaError):
    """Hands and talon that can't be dealt from one pack."""


class InvalidPositionError(InvalidDealError):
    """A state of play that can't be reached by legal play."""


class InvalidViewError(MizerkaError):
    """What a seat can't know or see at its turn to decide."""


class InvalidContractError(MizerkaError):
    """A text that is no contract, or a contract that may not be named."""


class InvalidVariantError(MizerkaError):
    """Hand size, preview and targets that make no zero-sum game."""


class IllegalCardError(MizerkaError):
    """A card that may not be played now."""


class IllegalExchangeError(MizerkaError):
    """A discard the exchange does not allow."""


class MemoryLimitError(MizerkaError):
    """A search that needs more memory than it may take."""


class RecordError(MizerkaError):
    """A game record that breaks its format or the rules."""


def read_field(field: str, read: Callable[[str], Value], text: str) -> Value:
    """Return read(text); its errors also name `field`."""
    try:
        return read(text)
    except MizerkaError as error:
        raise error.at(field=field) from None
