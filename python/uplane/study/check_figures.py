"""Checks that each figure of a study can be drawn, before the runs for it are made.

In: a study written out, and its items. Out: nothing, or an error with key, found value and expected
values.
"""

import re
from collections.abc import Iterable

from uplane.study.errors import at, refused
from uplane.study.sections import Figure, StudyFile

__all__ = ["check_figures"]


def check_figures(file: StudyFile, items: Iterable[str]) -> None:
    """Refuses figures without points, and names of places and series that do not exist.

    Raises:
        StudyError: A figure cannot be drawn.
    """
    known = list(items)
    for number, figure in enumerate(file.figure):
        with at(f"figure.{number}"):
            _places(figure)
            _label(figure)
            _points(figure, known)


def _places(figure: Figure) -> None:
    places = figure.places()
    named = [("x", figure.x), *([("series", figure.series)] if figure.series else [])]
    for key, name in named:
        if name not in places:
            words = f"a name in braces in `item`: {', '.join(places) or 'there is none'}"
            raise refused(key, repr(name), words, asked=name, known=places)
    if twice := [name for name in places if places.count(name) > 1]:
        raise refused("item", f"{{{twice[0]}}} twice", "each name in braces once")


def _label(figure: Figure) -> None:
    try:
        _ = figure.series_label.format("name")
    except (KeyError, IndexError, ValueError, AttributeError, TypeError):
        words = "`{}` where the name of the series stands"
        raise refused("series_label", repr(figure.series_label), words) from None


def _points(figure: Figure, items: Iterable[str]) -> None:
    matched = [found for item in items if (found := re.fullmatch(figure.pattern(), item))]
    if not matched:
        words = "a pattern of items, with names in braces"
        raise refused("item", repr(figure.item), words)
    series = {found[figure.series] for found in matched} if figure.series else {""}
    for name in figure.only:
        if name not in series:
            words = f"one of {', '.join(sorted(series))}"
            raise refused("only", repr(name), words, asked=name, known=series)
    for found in matched:
        is_drawn = not figure.only or not figure.series or found[figure.series] in figure.only
        if is_drawn and not NUMBER.fullmatch(found[figure.x]):
            words = "a place that has a number in each item"
            raise refused("x", f"{found[figure.x]!r} at {{{figure.x}}} in {found[0]!r}", words)


NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
