"""The JSON Schema of a scenario for editors: one mistake in a file gives one error, at its place.

In: the JSON Schema of a scenario. Out: a schema that accepts the same TOML files. It has no null,
which TOML lacks, and a choice of sections is one section with all their keys: a validator then
names the wrong key, where a failed choice would say only that no alternative fits.
"""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["for_editors"]

Node = dict[str, Any]

UNIONS = ("anyOf", "oneOf")


def for_editors(schema: Mapping[str, Any]) -> Node:
    """Returns the schema for editors."""
    made: Node = _without_choices(schema)
    return made


def _without_choices(node: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(node, list):
        return [_without_choices(item) for item in node]
    if not isinstance(node, Mapping):
        return node
    made = {key: _without_choices(item) for key, item in node.items()}
    made = {key: item for key, item in made.items() if not (key == "default" and item is None)}
    if isinstance(made.get("type"), list):
        made["type"] = _one([kind for kind in made["type"] if kind != "null"])
    for union in UNIONS:
        if isinstance(made.get(union), list):
            made = _with_union(made, union)
    return made


def _with_union(node: Node, union: str) -> Node:
    """Returns the node without null among its alternatives, and with sections as one section."""
    rest = {key: item for key, item in node.items() if key != union}
    forms = [form for form in node[union] if form.get("type") != "null"]
    if len(forms) == 1:
        # The words beside a reference are those of the key, and come first.
        return {**forms[0], **rest}
    if all(_is_section(form) for form in forms):
        return {**rest, **_merged(forms)}
    return {**rest, union: forms}


def _is_section(form: Mapping[str, Any]) -> bool:
    """Returns whether an alternative is a section that has all of its keys, and no other."""
    keys = form.get("properties", {})
    return bool(keys) and not form.get("additionalProperties", True) and _required(form) == {*keys}


def _required(form: Mapping[str, Any]) -> set[str]:
    return set(form.get("required", ()))


def _merged(forms: Sequence[Mapping[str, Any]]) -> Node:
    """Returns one section with the keys of all alternatives, and the sets of keys that it may have.

    A key of several alternatives has the description of the first one.
    """
    properties: Node = {}
    for form in forms:
        for key, inner in form["properties"].items():
            alone = form.get("description") if len(form["properties"]) == 1 else None
            properties.setdefault(key, {**({"description": alone} if alone else {}), **inner})
    sets = [
        {"required": form["required"], "maxProperties": len(form["properties"])} for form in forms
    ]
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "oneOf": sets,
    }


def _one(kinds: list[str]) -> str | list[str]:
    return kinds[0] if len(kinds) == 1 else kinds
