"""Values of original figures that follow from the text alone.

In: a figure of a study, and the published values. Out: points and levels, with their bounds.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from uplane.study.case import fill, grid
from uplane.study.errors import at, refused
from uplane.study.expression import evaluate
from uplane.study.sections import Figure, Original

__all__ = ["ReadOff", "read_off"]


@dataclass(frozen=True, kw_only=True)
class ReadOff:
    """One value of an original figure.

    Attributes:
        series: The curve it belongs to.
        x: Where it is; missing for a level that all points share.
        value: What the text gives; missing where it gives bounds alone.
        low: The least that the words can mean; missing where the value is printed.
        high: The most.
        how: What the text says, and how the number comes from it.
    """

    series: str
    x: float | None
    value: float | None
    low: float | None
    high: float | None
    how: str


def read_off(figure: Figure, published: Mapping[str, float]) -> list[ReadOff]:
    """Returns the original values of a figure that the paper's text implies.

    Raises:
        StudyError: An item has no published value, or the arithmetic is none.
    """
    found: list[ReadOff] = []
    for place, original in enumerate(figure.original):
        with at(f"original.{place}"):
            found += _each(original, published)
    return found


def _each(original: Original, published: Mapping[str, float]) -> Iterator[ReadOff]:
    for values in grid(original.over, original.points):
        named = {name: fill(item, values) for name, item in original.of.items()}
        if missing := [item for item in named.values() if item not in published]:
            words = "an item with a published value"
            raise refused("of", repr(missing[0]), words, asked=missing[0], known=published)
        names = {name: published[item] for name, item in named.items()}
        yield ReadOff(
            series=fill(original.series, values),
            x=_number(fill(original.x, values), names),
            value=_number(fill(original.value, values), names),
            low=_number(fill(original.low, values), names),
            high=_number(fill(original.high, values), names),
            how=fill(original.how, values),
        )


def _number(text: str, names: Mapping[str, float]) -> float | None:
    return evaluate(text, names) if text else None
