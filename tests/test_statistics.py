"""Means and Student's t."""

from __future__ import annotations

import pytest

from mizerka_solver.support.statistics import Mean, Tally, rounded, signed, t_factor, t_quantile


# scipy.stats.t.ppf(probability, freedom), scipy 1.11
@pytest.mark.parametrize(
    ("probability", "freedom", "value"),
    [(0.975, 1, 12.7062), (0.975, 2, 4.3027), (0.975, 3, 3.1824), (0.975, 4, 2.7764), (0.975, 5, 2.5706),
     (0.975, 6, 2.4469), (0.975, 10, 2.2281), (0.975, 30, 2.0423), (0.975, 120, 1.9799), (0.975, 1000, 1.9623),
     (0.995, 7, 3.4995), (0.9995, 15, 4.0728), (0.95, 31, 1.6955), (0.9999, 7, 7.0634), (0.05, 5, -2.0150)],
)  # fmt: skip
def test_quantiles(probability: float, freedom: int, value: float) -> None:
    assert t_quantile(probability, freedom) == pytest.approx(value, abs=1e-3)


def test_the_sum_and_the_series_meet() -> None:
    for probability in (0.6, 0.975, 0.9999):
        assert t_quantile(probability, 199) == pytest.approx(t_quantile(probability, 200), rel=5e-4)
        assert t_quantile(probability, 199) > t_quantile(probability, 200)


def test_a_mean_is_what_a_tally_ends_in() -> None:
    numbers = [1.0, 2.5, 4.0, -3.0, 0.25, 7.0]
    mean, tally = Mean.of(numbers), Tally.of(numbers)
    assert (mean.mean, mean.se, mean.samples) == (tally.mean, tally.standard_error, 6)
    assert tally.interval == tally.standard_error * t_factor(6)
    assert (Mean.of([3.0]).se, Mean.of([3.0]).is_sure) == (None, False)
    assert Mean.of([1.0, 1.1, 0.9]).is_sure
    assert not Mean.of([1.0, -1.1, 0.9]).is_sure


def test_no_negative_zero() -> None:
    assert str(rounded(-0.0004, 3)) == "0.0"
    assert [signed(x) for x in (-0.004, 0.0, -0.006, 1.5)] == ["+0.00", "+0.00", "-0.01", "+1.50"]
    assert Tally.of([-1e-9, 0.0]).as_dict() == {"mean": 0.0, "se": 0.0}
