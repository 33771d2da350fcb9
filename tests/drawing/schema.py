"""Walks the JSON Schema of a scenario.

In: the schema as `uplane schema` prints it. Out: every place in it, a key or one choice of a key,
and the alternatives that may stand at a place.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import uplane

__all__ = ["Node", "Path", "alternatives", "at", "inside", "named", "places"]

Node = dict[str, Any]
"""The JSON Schema of a value."""

Path = tuple[str, ...]
"""Keys from the top; `[]` is an item of a list, `*` a section with a name of its own, and a last
part `=word` a choice."""

ITEM, ANY_NAME = "[]", "*"


@cache
def whole() -> Node:
    """The schema of this version."""
    return uplane.schema()


@cache
def places() -> tuple[Path, ...]:
    """Every key, and every choice of a key with choices."""
    return tuple(dict.fromkeys(_below((), whole())))


def _below(path: Path, node: Node) -> Iterator[Path]:
    for alternative in alternatives(node):
        if "const" in alternative:
            yield (*path, f"={alternative['const']}")
        elif alternative.get("type") == "boolean":
            yield from [(*path, "=True"), (*path, "=False")]
        for key, inner in inside(alternative).items():
            yield (*path, key)
            yield from _below((*path, key), inner)


def inside(node: Node) -> dict[str, Node]:
    """Returns the schemas one step below: of keys, of items (`[]`), of named sections (`*`)."""
    steps = dict(node.get("properties", {}))
    if isinstance(node.get("additionalProperties"), dict):
        steps[ANY_NAME] = node["additionalProperties"]
    if "items" in node:
        steps[ITEM] = node["items"]
    return steps


def alternatives(node: Node) -> list[Node]:
    """Returns the schemas allowed at a place: resolves references, splits unions and enums."""
    if "$ref" in node:
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return alternatives({**whole()["$defs"][node["$ref"].rsplit("/", 1)[1]], **rest})
    for union in ("anyOf", "oneOf", "allOf"):
        if union in node:
            around = {key: value for key, value in node.items() if key != union}
            return [it for part in node[union] for it in alternatives({**around, **part})]
    if "enum" in node:
        return [{**node, "const": word} for word in node["enum"] if word is not None]
    if isinstance(node.get("type"), list):
        return [{**node, "type": kind} for kind in node["type"] if kind != "null"]
    # A scenario that is drawn has no files beside it but programs of the examples.
    is_file = node.get("format") == "path" and ".py" not in node["pattern"]
    return [] if node.get("type") == "null" or is_file else [node]


def at(path: list[str]) -> tuple[Path, Node] | None:
    """The place of a key in a scenario, `ue.0.name`, and its schema; nothing when there is none."""
    place: Path = ()
    node = whole()
    for part in path:
        steps = {key: it for other in alternatives(node) for key, it in inside(other).items()}
        step = next((it for it in (part, ITEM, ANY_NAME) if it in steps), None)
        if step is None:
            return None
        place, node = (*place, step), steps[step]
    return place, node


def named(content: object, path: Path = ()) -> Iterator[Path]:
    """The places that a scenario makes use of."""
    found = at(list(path))
    place, node = found or (path, {})
    if path:
        yield place
    if isinstance(content, dict):
        for key, value in content.items():
            yield from named(value, (*path, key))
    elif isinstance(content, list):
        for index, value in enumerate(content):
            yield from named(value, (*path, str(index)))
    elif isinstance(content, bool) or any(it.get("const") == content for it in alternatives(node)):
        yield (*place, f"={content}")
