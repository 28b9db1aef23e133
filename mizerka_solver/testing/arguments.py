"""What the arguments of strategies and checks must be: a wrong one fails where it is written, not in the first example.

Whatever is wrong, the type too, is a MizerkaError that names the argument and quotes it.
"""

from __future__ import annotations

from operator import index
from typing import SupportsIndex, TypeVar

from mizerka_solver.support.errors import MizerkaError

Value = TypeVar("Value")


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return a whole number from `least` to `most` (None: any); raises MizerkaError.

    >>> whole("talon", 2.0, 0, 13)
    Traceback (most recent call last):
    mizerka_solver.support.errors.MizerkaError: talon 2.0: a whole number, 0 to 13
    """
    limits = f"{least} or more" if most is None else f"{least} to {most}"
    number = index(value) if isinstance(value, SupportsIndex) and not isinstance(value, bool) else least - 1
    if number < least or (most is not None and number > most):
        raise MizerkaError(f"a whole number, {limits}", field=name, token=str(value))
    return number


def spread(what: str, low: object, high: object, least: int, most: int) -> tuple[int, int]:
    """Return the least and most of something as whole numbers, the smaller first; raises MizerkaError.

    >>> spread("hand size", 5, 3, 1, 17)
    Traceback (most recent call last):
    mizerka_solver.support.errors.MizerkaError: hand size '5 to 3': whole numbers, 1 to 17, the smaller first
    """
    try:
        first, last = whole(what, low, least, most), whole(what, high, least, most)
    except MizerkaError:
        first, last = 1, 0
    if first > last:
        rule = f"whole numbers, {least} to {most}, the smaller first"
        raise MizerkaError(rule, field=what, token=f"{low} to {high}")
    return first, last


def one_of(name: str, value: Value, allowed: tuple[object, ...]) -> Value:
    """Return one of a few values, of that very type (1 is not True); raises MizerkaError.

    >>> one_of("finished", "no", (True, False, None))
    Traceback (most recent call last):
    mizerka_solver.support.errors.MizerkaError: finished no: one of True, False, None
    """
    if not any(value == choice and type(value) is type(choice) for choice in allowed):
        raise MizerkaError(f"one of {', '.join(map(str, allowed))}", field=name, token=str(value))
    return value


def instance(name: str, value: Value, kind: type[object]) -> Value:
    """Return a value of a type; raises MizerkaError.

    >>> instance("deal", None, int)
    Traceback (most recent call last):
    mizerka_solver.support.errors.MizerkaError: deal None: must be of type int
    """
    if not isinstance(value, kind):
        raise MizerkaError(f"must be of type {kind.__name__}", field=name, token=str(value))
    return value


def seconds_above_zero(name: str, value: float) -> float:
    """Return a number of seconds above 0; raises MizerkaError.

    >>> seconds_above_zero("timeout", -1)
    Traceback (most recent call last):
    mizerka_solver.support.errors.MizerkaError: timeout -1: a number of seconds, more than 0
    """
    if not isinstance(value, int | float) or isinstance(value, bool) or not value > 0:
        raise MizerkaError("a number of seconds, more than 0", field=name, token=str(value))
    return value
