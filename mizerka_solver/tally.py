"""Means with standard errors, added up as numbers come; knows nothing of cards."""

from __future__ import annotations

import math
from dataclasses import dataclass


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

    def as_dict(self) -> dict[str, float | None]:
        """Return {"mean": …, "se": …}, to four decimals; an unknown error is null."""
        error = self.standard_error
        return {"mean": round(self.mean, 4), "se": None if math.isnan(error) else round(error, 4)}
