"""The units of a scenario's keys, for the axes of figures.

In: a dotted key. Out: its unit as the schema has it, for numbers that are written without one.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from uplane.scenario import schema

__all__ = ["unit_of"]


def unit_of(key: str) -> str:
    """The unit of a key whose values are numbers; nothing where the schema knows none."""
    whole = schema()
    nodes = [whole]
    for part in key.split("."):
        nodes = [below for node in nodes for below in _below(node, part, whole["$defs"])]
    return next((text for node in nodes for text in _units(node, whole["$defs"])), "")


def _below(node: Any, part: str, known: Mapping[str, Any]) -> Iterator[Any]:  # noqa: ANN401
    """Yields the schemas for a part of a key: a property, or an entry by its name."""
    for each in _alternatives(node, known):
        properties = each.get("properties", {})
        if part in properties:
            yield properties[part]
        elif isinstance(each.get("additionalProperties"), dict):
            yield each["additionalProperties"]
        elif "items" in each:
            yield each["items"]


def _units(node: Any, known: Mapping[str, Any]) -> Iterator[str]:  # noqa: ANN401
    for each in _alternatives(node, known):
        if "x-unit" in each:
            yield str(each["x-unit"])


def _alternatives(node: Any, known: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401
    """A node and all that it refers to."""
    if not isinstance(node, Mapping):
        return
    yield node
    if "$ref" in node:
        yield from _alternatives(known[str(node["$ref"]).rsplit("/", 1)[-1]], known)
    for word in ("anyOf", "oneOf", "allOf"):
        for each in node.get(word, ()):
            yield from _alternatives(each, known)
