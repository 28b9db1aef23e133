"""Checks of plain arguments: whole numbers, seconds, flags. Cards, seats and contracts have game/convert.py.

NumPy's scalars are taken where Python's are. A bool is no number. A value of a type that can never be meant is a
TypeError, one out of range a MizerkaError that quotes it.
"""

from __future__ import annotations

from math import isfinite
from numbers import Real
from operator import index
from typing import Any

from mizerka_solver.support.errors import MizerkaError


def whole_number(value: Any, name: str, low: int, high: int | None = None) -> int:
    """Return an integer from `low` to `high` (None: no end); raises MizerkaError, TypeError.

    >>> whole_number(3, "top", 0)
    3
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__}") from None
    if number < low or (high is not None and number > high):
        rule = f"must be at least {low}" if high is None else f"must be between {low} and {high}"
        raise MizerkaError(rule, field=name, token=number_text(number))
    return number


def seconds_or_none(value: Any, name: str = "seconds") -> float | None:
    """Return a time limit, more than 0 and finite, or None for none; raises MizerkaError, TypeError.

    >>> seconds_or_none(2), seconds_or_none(None)
    (2.0, None)
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number or None, not {type(value).__name__}")
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not (isfinite(number) and number > 0):
        raise MizerkaError("a time limit must be a positive number", field=name, token=str(number))
    return number


def flag(value: Any, name: str) -> bool:
    """Return True or False given as such; raises TypeError.

    >>> flag(True, "cards")
    True
    """
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):  # as NumPy calls its own
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
    return bool(value)


def number_text(number: int) -> str:
    """Return a number as text; of one too long for that, how long it is."""
    return str(number) if abs(number) < 1 << 128 else f"a number of {number.bit_length()} bits"
