"""Numbers for people: as many digits as their intervals allow.

In: a number, and half the width of its interval. Out: text.
"""

from collections.abc import Iterable
from math import floor, isfinite, log10

__all__ = [
    "UNITS",
    "common_decimals",
    "decimals_of",
    "in_bytes",
    "number",
    "readable",
    "rounded",
    "scaled",
    "true_minus",
    "with_interval",
]


def number(value: float) -> str:
    """Formats a number with three significant digits, or with all digits of a whole number."""
    if abs(value) >= 100 or value == int(value):
        return f"{value:.0f}"
    return f"{value:.3g}"


def with_interval(mean: float, half_width: float | None) -> str:
    """Formats `151 ± 2`: one digit of the interval, the mean to that digit; no `± 0`.

    Args:
        mean: The estimate.
        half_width: Half of its interval; `None` or 0 where there is none to tell.
    """
    # Less than the ninth digit is the arithmetic's.
    if not half_width or not isfinite(half_width) or half_width < 1e-9 * abs(mean):
        return number(mean)
    decimals = decimals_of(half_width, digits=1)
    return f"{rounded(mean, decimals)} ± {rounded(half_width, decimals)}"


def common_decimals(values: Iterable[float], half_widths: Iterable[float | None]) -> int:
    """Returns the places after the point of numbers that are compared with each other.

    Two digits of the widest interval; three digits of the largest number without any interval.
    """
    known = [half for half in half_widths if half and isfinite(half)]
    if known:
        return decimals_of(max(known), digits=2)
    largest = max(map(abs, values), default=0.0)
    return max(2 - floor(log10(largest)), 0) if largest else 0


def decimals_of(half_width: float, *, digits: int) -> int:
    """Returns the decimals that show `digits` digits of a half-width; negative: tens, hundreds."""
    place = floor(log10(half_width))
    if round(half_width / 10.0 ** (place - digits + 1)) >= 10**digits:
        place += 1  # 0.096 is 0.1
    return digits - 1 - place


def rounded(value: float, decimals: int) -> str:
    """Formats a number with `decimals` decimals; 13 443 with −1 decimals is 13440."""
    text = f"{round(value, decimals):.{max(decimals, 0)}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def true_minus(text: str) -> str:
    """Returns a text of numbers with minus signs instead of hyphens."""
    return text.replace("-", "−")


def readable(unit: str, largest: float) -> tuple[str, float]:
    """Returns the unit in which people read values up to the largest, and the factor to it.

    ms below 1 s, s from 1000 ms, Mbit/s from 10 000 kbit/s; any other unit stays.
    """
    if unit == "s" and largest < 1:
        return "ms", 1e3
    if unit == "ms" and largest >= 1e3:
        return "s", 1e-3
    if unit == "kbit/s" and largest >= 1e4:
        return "Mbit/s", 1e-3
    return unit, 1.0


def in_bytes(count: int) -> str:
    """Returns a number of bytes with its unit, such as `2.6 GB`."""
    for unit, size in reversed(UNITS.items()):
        if count >= size:
            return (
                f"{count / size:.3g} {unit}" if count < 1000 * size else f"{count // size} {unit}"
            )
    return f"{count} B"


def scaled(rows: int) -> str:
    """Returns a large number with its scale in words, such as `1.2 million`."""
    for word, size in (("billion", 10**9), ("million", 10**6)):
        if rows >= size:
            return f"{rows / size:.3g} {word}" if rows < 1000 * size else f"{rows // size} {word}"
    return str(rows)


UNITS = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
