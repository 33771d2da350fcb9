"""Makes a scenario that shows a finding small.

In: its content, and whether a content still shows the finding. Out: the content without all that
the finding does not need.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from drawing.naming import Content

__all__ = ["reduced"]

Step = tuple[str | int, ...]


def reduced(content: Content, shows: Callable[[Content], bool], most: int = 400) -> Content:
    """The content without every key and item that can be taken out, one at a time."""
    is_smaller = True
    while is_smaller and most > 0:
        is_smaller = False
        for path in sorted(_paths(content), key=len):
            smaller = _without(content, path)
            if smaller is None:
                continue
            most -= 1
            if most > 0 and shows(smaller):
                content, is_smaller = smaller, True
    return content


def _paths(content: Any, path: Step = ()) -> Iterator[Step]:
    if isinstance(content, dict):
        steps = list(content.items())
    else:
        steps = list(enumerate(content)) if isinstance(content, list) else []
    for key, inner in steps:
        yield (*path, key)
        yield from _paths(inner, (*path, key))


def _without(content: Content, path: Step) -> Content | None:
    """Returns a copy without the value at the path; `None` if the path does not exist."""
    smaller: Any = deepcopy(content)
    place = smaller
    try:
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]
    except (KeyError, IndexError, TypeError):
        return None
    return dict(smaller)
