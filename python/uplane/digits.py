"""Numbers for people: as many digits as their intervals allow.

In: a number, and half the width of its interval. Out: text.
"""

from math import floor, isfinite, log10

__all__ = ["decimals_of", "number", "rounded", "with_interval"]


def number(value: float) -> str:
    """A number with three significant digits, or more where all of them are whole."""
    if abs(value) >= 100 or value == int(value):
        return f"{value:.0f}"
    return f"{value:.3g}"


def with_interval(mean: float, half_width: float | None) -> str:
    """`151 ± 2`: the interval with one digit, the mean as far as that digit; no `± 0`.

    Args:
        mean: The estimate.
        half_width: Half of its interval; `None` or 0 where there is none to tell.
    """
    # Less than the ninth digit is the arithmetic's.
    if not half_width or not isfinite(half_width) or half_width < 1e-9 * abs(mean):
        return number(mean)
    decimals = decimals_of(half_width, digits=1)
    return f"{rounded(mean, decimals)} ± {rounded(half_width, decimals)}"


def decimals_of(half_width: float, *, digits: int) -> int:
    """Places behind the point of a number that shows so many digits; negative before it."""
    place = floor(log10(half_width))
    if round(half_width / 10.0 ** (place - digits + 1)) >= 10**digits:
        place += 1  # 0.096 is 0.1
    return digits - 1 - place


def rounded(value: float, decimals: int) -> str:
    """A number with so many places behind the point; 13 443 with −1 of them is 13440."""
    text = f"{round(value, decimals):.{max(decimals, 0)}f}"
    return text.removeprefix("-") if float(text) == 0 else text
