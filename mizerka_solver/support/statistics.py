"""Means with standard errors, and Student's t; knows nothing of cards."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

LARGE = 200  # degrees of freedom from which on the series for large ones is right to six figures


@dataclass(slots=True)
class Tally:
    """Count, sum and sum of squares of some numbers.

    >>> tally = Tally.of([1, 2, 3, 4])
    >>> tally.mean, round(tally.standard_error, 3)
    (2.5, 0.645)
    """

    n: int = 0
    total: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, numbers: Iterable[float]) -> Tally:
        """Return the tally of some numbers."""
        tally = cls()
        for number in numbers:
            tally.add(number)
        return tally

    def add(self, number: float) -> None:
        """Count one number more."""
        self.n += 1
        self.total += number
        self.squares += number * number

    @property
    def mean(self) -> float:
        """Mean; 0 of nothing."""
        return self.total / self.n if self.n else 0.0

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, from the sample's spread; not a number below two numbers."""
        if self.n < 2:
            return math.nan
        spread = max(self.squares - self.total * self.total / self.n, 0.0) / (self.n - 1)
        return math.sqrt(spread / self.n)

    @property
    def interval(self) -> float:
        """Half the width of the 95 % confidence interval of the mean; not a number below two numbers."""
        return self.standard_error * t_factor(self.n) if self.n > 1 else math.nan

    def shown(self, form: str = ".2f", sign: str = "±") -> str:
        """Return '1.23 ±0.45', mean and 95 % confidence; without the second where it is not known; '-' of nothing."""
        if not self.n:
            return "-"
        return f"{self.mean:{form}}" + (f" {sign}{self.interval:.2f}" if self.n > 1 else "")

    def as_dict(self) -> dict[str, float | None]:
        """Return {"mean": …, "se": …}, to four decimals; an unknown error is null."""
        error = self.standard_error
        return {"mean": rounded(self.mean, 4), "se": None if math.isnan(error) else round(error, 4)}


@dataclass(frozen=True, slots=True)
class Mean:
    """What a tally ends in: the mean, its standard error (None for one number), and how many numbers there were.

    >>> Mean.of([1, 2, 3, 4]).as_dict()
    {'mean': 2.5, 'se': 0.645, 'samples': 4}
    """

    mean: float
    se: float | None
    samples: int

    @classmethod
    def of(cls, values: Iterable[float]) -> Mean:
        """Return the mean of one value or more."""
        tally = Tally.of(values)
        return cls(tally.mean, tally.standard_error if tally.n > 1 else None, tally.n)

    @property
    def is_sure(self) -> bool:
        """Whether the 95 % confidence interval leaves out 0."""
        return self.se is not None and abs(self.mean) > self.se * t_factor(self.samples)

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON fields."""
        return {
            "mean": rounded(self.mean, 3),
            "se": None if self.se is None else round(self.se, 3),
            "samples": self.samples,
        }


def rounded(number: float, digits: int) -> float:
    """Return a number rounded, never -0.0.

    >>> rounded(-0.0001, 3), rounded(1.2345, 2)
    (0.0, 1.23)
    """
    return round(number, digits) + 0.0


def signed(number: float, digits: int = 2) -> str:
    """Return a number with its sign, +0.00 for what rounds to nothing.

    >>> signed(-0.001), signed(-1.005, 1)
    ('+0.00', '-1.0')
    """
    return f"{rounded(number, digits):+.{digits}f}"


# Student's t


def t_factor(n: int) -> float:
    """Return the factor of a 95 % confidence interval of a mean of n >= 2 numbers: the 97.5 % quantile of Student's t.

    >>> [round(t_factor(n), 3) for n in (2, 6, 31, 1000)]
    [12.706, 2.571, 2.042, 1.962]
    """
    return t_quantile(0.975, max(n - 1, 1))


@lru_cache(maxsize=1024)
def t_quantile(probability: float, freedom: int) -> float:
    """Return a quantile of Student's t, for 1 degree of freedom or more and a probability above 0 and below 1.

    >>> round(t_quantile(0.975, 5), 3), round(t_quantile(0.025, 5), 3)
    (2.571, -2.571)
    """
    if probability < 0.5:
        return -t_quantile(1 - probability, freedom)
    if freedom >= LARGE:
        return _series(probability, freedom)
    # The distribution function is known in closed form; t = tan(angle) * sqrt(freedom), and halving finds the angle.
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        if _within(middle, freedom) < 2 * probability - 1:
            low = middle
        else:
            high = middle
    return math.tan(low) * math.sqrt(freedom)


def _within(angle: float, freedom: int) -> float:
    """Return the chance that |t| is below tan(angle) * sqrt(freedom): a finite sum (Abramowitz and Stegun 26.7.3-4)."""
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for i in range(freedom // 2):
        total += term
        term *= cosine * cosine * (2 * i + 1 + odd) / (2 * i + 2 + odd)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def _series(probability: float, freedom: int) -> float:
    """Return the quantile by the series of Cornish and Fisher in 1 / freedom."""
    from statistics import NormalDist  # which is slow to import

    z = NormalDist().inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom**power for power, term in enumerate(terms, start=1)))
