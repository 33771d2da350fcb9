"""Intervals against tables and against what they promise."""

from random import Random
from statistics import fmean, stdev

import pytest

from uplane.statistics import (
    Interval,
    _deviation,
    mean_interval,
    paired_difference,
    prediction_interval,
    t_quantile,
    welch_difference,
)


# Printed tables of Student's t, as in the NIST/SEMATECH handbook §1.3.6.7.2.
@pytest.mark.parametrize(
    ("degrees", "at_95", "at_975", "at_995"),
    [
        (1, 6.314, 12.706, 63.657),
        (2, 2.920, 4.303, 9.925),
        (3, 2.353, 3.182, 5.841),
        (9, 1.833, 2.262, 3.250),
        (10, 1.812, 2.228, 3.169),
        (29, 1.699, 2.045, 2.756),
        (100, 1.660, 1.984, 2.626),
    ],
)
def test_quantiles_are_those_of_the_printed_table(
    degrees: int, at_95: float, at_975: float, at_995: float
) -> None:
    assert t_quantile(0.95, degrees) == pytest.approx(at_95, abs=6e-4)
    assert t_quantile(0.975, degrees) == pytest.approx(at_975, abs=6e-4)
    assert t_quantile(0.995, degrees) == pytest.approx(at_995, abs=6e-4)


def covers(interval: Interval, value: float) -> bool:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low <= value <= interval.high


def test_quantiles_are_symmetric() -> None:
    assert t_quantile(0.025, 7) == pytest.approx(-t_quantile(0.975, 7))
    assert t_quantile(0.5, 7) == pytest.approx(0.0, abs=1e-9)


def test_an_interval_of_known_numbers() -> None:
    # Mean 3, deviation sqrt(2.5), standard error sqrt(0.5), t(4) = 2.776.
    interval = mean_interval([1.0, 2.0, 3.0, 4.0, 5.0])
    assert (interval.value, interval.runs) == (3.0, 5)
    assert interval.high == pytest.approx(3 + 2.776 * 0.5**0.5, abs=1e-3)
    assert interval.low == pytest.approx(3 - 2.776 * 0.5**0.5, abs=1e-3)


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("spread", [1e-6, 1.0, 1e3])
def test_deviation_has_more_digits_than_printed(size: float, spread: float) -> None:
    """Beside the exact one of fractions; a spread of a millionth leaves ten digits of sixteen."""
    chance = Random(4)
    for runs in (2, 3, 10, 1000):
        samples = [size * (1 + spread * chance.random()) for _ in range(runs)]
        assert _deviation(samples) == pytest.approx(stdev(samples), rel=1e-9)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-300, 123456.789])
@pytest.mark.parametrize("runs", [2, 3, 7, 10, 49])
def test_samples_that_are_equal_have_an_interval_of_nothing(value: float, runs: int) -> None:
    """Else a sum that is rounded would print a `± 0` for a count that never moves."""
    assert mean_interval([value] * runs).half_width == 0.0


def test_one_run_has_no_interval() -> None:
    interval = mean_interval([4.2])
    assert (interval.value, interval.low, interval.high) == (4.2, None, None)


def test_a_mean_interval_covers_the_mean_95_times_of_100() -> None:
    random = Random(1)
    hits = 0
    for _ in range(2000):
        interval = mean_interval([random.gauss(10, 3) for _ in range(8)])
        hits += covers(interval, 10)
    assert 0.935 < hits / 2000 < 0.965


@pytest.mark.parametrize("of_runs", [1, 10])
def test_a_prediction_interval_covers_further_runs_95_times_of_100(of_runs: int) -> None:
    random = Random(2)
    hits = 0
    for _ in range(2000):
        interval = prediction_interval([random.gauss(10, 3) for _ in range(20)], of_runs=of_runs)
        further = fmean(random.gauss(10, 3) for _ in range(of_runs))
        hits += covers(interval, further)
    assert 0.935 < hits / 2000 < 0.965


def test_pairs_with_common_random_numbers_cancel_their_noise() -> None:
    random = Random(3)
    noise = [random.gauss(0, 50) for _ in range(20)]
    difference = paired_difference(noise, [value + 2 + random.gauss(0, 0.1) for value in noise])
    assert covers(difference, 2)
    assert not covers(difference, 1.9)
    assert not covers(difference, 2.1)


def test_pairs_need_equal_numbers_of_runs() -> None:
    with pytest.raises(ValueError, match="shorter"):
        paired_difference([1.0, 2.0], [1.0])


def test_the_difference_of_two_lots_of_runs() -> None:
    # Means 20 and 23, variances 2.5 and 10 over 5 and 4: error sqrt(0.5 + 2.5) = 1.732, degrees
    # 3² / (0.5² / 4 + 2.5² / 3) = 4.19, down to 4: t = 2.776.
    first, second = [18, 19, 20, 21, 22], [19.0, 23.0, 23.0, 27.0]
    variance = sum((value - 23) ** 2 for value in second) / 3
    assert variance == pytest.approx(32 / 3)
    interval = welch_difference(first, second)
    error = (2.5 / 5 + variance / 4) ** 0.5
    assert interval.value == 3.0
    assert interval.half_width == pytest.approx(2.776 * error, rel=1e-3)


def test_two_lots_of_runs_differ_as_often_as_they_should() -> None:
    """Of unequal scatter and number, where pooling both would cover 80 % only."""
    random = Random(8)
    trials = 4000
    hits = 0
    for _ in range(trials):
        few = [random.gauss(0, 4) for _ in range(5)]
        many = [random.gauss(1, 1) for _ in range(20)]
        hits += covers(welch_difference(few, many), 1.0)
    assert 0.94 < hits / trials < 0.97


def test_one_run_has_a_difference_and_no_interval() -> None:
    assert welch_difference([1.0], [3.0, 4.0]) == Interval(2.5, None, None, 1)
    assert not welch_difference([1.0], [3.0]).is_clear


def test_lots_without_scatter_differ_for_sure() -> None:
    assert welch_difference([1.0, 1.0], [3.0, 3.0]) == Interval(2.0, 2.0, 2.0, 2)
