"""Numbers for people: digits follow the interval."""

import pytest

from uplane.digits import decimals_of, with_interval


@pytest.mark.parametrize(
    ("mean", "half_width", "text"),
    [
        (0.151, 0.00173, "0.151 ± 0.002"),
        (151.04, 1.73, "151 ± 2"),
        (13443, 84.2, "13440 ± 80"),
        (8.75, 0.0395, "8.75 ± 0.04"),
        (9.01, 0.096, "9.0 ± 0.1"),  # the interval gains a digit by rounding
        (9.01, 0.233, "9.0 ± 0.2"),
        (0.5, 1.05, "0 ± 1"),
        (-0.04, 0.3, "0.0 ± 0.3"),  # no minus in front of nothing
        (5, 40, "0 ± 40"),
        (12.34, 0.0, "12.3"),  # all runs alike: nothing is known of it
        (12.34, None, "12.3"),
        (0.1 + 0.2, 5e-17, "0.3"),  # the arithmetic's own
    ],
)
def test_a_mean_has_the_digits_that_its_interval_allows(
    mean: float, half_width: float | None, text: str
) -> None:
    assert with_interval(mean, half_width) == text


@pytest.mark.parametrize(
    ("half_width", "digits", "decimals"),
    [(2.65, 2, 1), (0.0996, 2, 2), (9.96, 2, 0), (99.6, 2, -1), (1000, 1, -3), (0.001, 1, 3)],
)
def test_digits_of_an_interval(half_width: float, digits: int, decimals: int) -> None:
    assert decimals_of(half_width, digits=digits) == decimals
