"""Means with standard errors, added up as numbers come; knows nothing of cards."""

from __future__ import annotations

import math
from dataclasses import dataclass

SMALL_T = (12.706, 4.303, 3.182, 2.776)


def t_factor(n: int) -> float:
    """Return the factor of a 95 % confidence interval of a mean of n >= 2 numbers: Student's t, from 6 on by a series.

    >>> [round(t_factor(n), 2) for n in (2, 5, 6, 11, 31, 1000)]
    [12.71, 2.78, 2.55, 2.23, 2.04, 1.96]
    """
    freedom = n - 1
    if freedom <= len(SMALL_T):
        return SMALL_T[max(freedom, 1) - 1]
    z = 1.959964
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


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
    def of(cls, numbers: list[float]) -> Tally:
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

    def as_dict(self) -> dict[str, float | None]:
        """Return {"mean": …, "se": …}, to four decimals; an unknown error is null."""
        error = self.standard_error
        return {"mean": round(self.mean, 4), "se": None if math.isnan(error) else round(error, 4)}
