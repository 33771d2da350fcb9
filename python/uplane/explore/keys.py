"""The keys of a scenario as controls: meaning, allowed values, and value in effect.

In: the JSON Schema, and every value in effect. Out: keys, including keys of sections that the
scenario does not have. A section with a name is listed only if the scenario has it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from uplane import _toml

__all__ = ["Key", "keys_of", "shown", "values_of"]

Node = Mapping[str, Any]

HIDDEN = ("title", "seed", "record.")
"""Keys that change no result, and the seed, which has its own control."""


@dataclass(frozen=True, kw_only=True)
class Key:
    """A key of a scenario, with its control.

    Attributes:
        path: Dotted path, as in `--set`.
        kind: `choice`, `number`, `quantity` (a number with its unit) or `text`.
        about: Meaning of the key.
        form: Allowed values, in words.
        choices: Allowed words, each with its meaning.
        low: Minimum, if numbers are allowed.
        high: Maximum, if numbers are allowed.
        unit: Unit of a number.
        default: Value if neither the scenario nor a profile sets the key.
        value: Value in effect; empty if there is none.
    """

    path: str
    kind: str
    about: str
    form: str = ""
    choices: Sequence[tuple[str, str]] = ()
    low: float | None = None
    high: float | None = None
    unit: str = ""
    default: str = ""
    value: str = ""


def keys_of(schema: Node, effective: Mapping[str, Any]) -> list[Key]:
    """Returns all keys of a scenario, in the order of the schema.

    Args:
        schema: The JSON Schema of scenarios.
        effective: Every value in effect.
    """
    walk = _Walk(schema["$defs"])
    return [key for key in walk.below("", schema, effective) if not key.path.startswith(HIDDEN)]


def values_of(effective: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yields the path of each value in effect, and the value, as in `keys_of`."""
    if isinstance(effective, Mapping):
        for key, item in effective.items():
            yield from values_of(item, _joined(path, key))
    elif isinstance(effective, list) and effective and all(map(_name, effective)):
        for item in effective:
            yield from values_of(item, _joined(path, _name(item)))
    else:
        yield path, shown(effective)


def shown(value: object) -> str:
    """Returns the text of a value in a control: without quotes, empty for a missing value."""
    if value is None or isinstance(value, Mapping):
        return ""
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return f"{value:.0f}"
    return value if isinstance(value, str) else _toml.value(_with_values(value))


def _with_values(value: object) -> object:
    """Returns a value without keys that have none: TOML cannot write them."""
    if isinstance(value, Mapping):
        return {key: _with_values(item) for key, item in value.items() if item is not None}
    return [_with_values(item) for item in value] if isinstance(value, list) else value


def _name(section: object) -> str:
    """Returns the name of a section of a list; empty for anything else."""
    return str(section.get("name", "")) if isinstance(section, Mapping) else ""


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


class _Walk:
    """Walks through the schema and the values in effect in parallel."""

    def __init__(self, definitions: Mapping[str, Node]) -> None:
        self._definitions = definitions

    def below(self, path: str, node: Node, value: object) -> Iterator[Key]:
        """Yields the keys at and below a path."""
        forms = list(self._forms(node))
        sections = [form for form in forms if "properties" in form]
        named = next((it for it in forms if isinstance(it.get("additionalProperties"), dict)), None)
        listed = next((form for form in forms if self._has_names(form)), None)
        if named:
            for name, item in _items(value):
                yield from self.below(_joined(path, name), named["additionalProperties"], item)
        elif listed:
            for item in value if isinstance(value, list) else ():
                yield from self.below(_joined(path, _name(item)), listed["items"], item)
        elif sections:
            yield from self._section(path, sections, value)
        elif forms and not path.endswith(".name"):
            yield _leaf(path, node, forms, value)

    def _section(self, path: str, forms: Sequence[Node], value: object) -> Iterator[Key]:
        given = dict(_items(value))
        seen: set[str] = set()
        for form in forms:
            for key, inner in form["properties"].items():
                # A scenario has one radio, or two cells. No other can be set beside them.
                if (path != "radio" or key in given) and key not in seen:
                    seen.add(key)
                    yield from self.below(_joined(path, key), inner, given.get(key))

    def _has_names(self, form: Node) -> bool:
        items = form.get("items", {})
        return any("name" in it.get("properties", ()) for it in self._forms(items))

    def _forms(self, node: Node) -> Iterator[Node]:
        """Yields the alternatives of a node: references and unions resolved, null left out."""
        if "$ref" in node:
            rest = {key: item for key, item in node.items() if key not in {"$ref", "description"}}
            yield from self._forms({**self._definitions[node["$ref"].rsplit("/", 1)[1]], **rest})
            return
        for union in ("anyOf", "oneOf"):
            if union in node:
                around = {k: v for k, v in node.items() if k not in {union, "description"}}
                for part in node[union]:
                    yield from self._forms({**around, **part})
                return
        kind = node.get("type")
        if isinstance(kind, list):
            kind = next((it for it in kind if it != "null"), "null")
        if kind != "null":
            yield {**node, "type": kind}


def _items(value: object) -> Iterator[tuple[str, object]]:
    return iter(value.items()) if isinstance(value, Mapping) else iter(())


def _leaf(path: str, node: Node, forms: Sequence[Node], value: object) -> Key:
    choices = [choice for form in forms for choice in (*_choices(form), *_words(form))]
    numbers = [it for it in forms if it.get("type") in {"integer", "number"} or "x-minimum" in it]
    free = [it for it in forms if not list(_choices(it))]
    kind = "choice"
    if free:
        is_number = any(it.get("type") in {"integer", "number"} for it in free)
        is_quantity = any("x-minimum" in it for it in free)
        kind = "quantity" if is_quantity else "number" if is_number else "text"
    limits = {key: item for form in numbers for key, item in form.items()}
    low = _limit(limits, "minimum", "exclusiveMinimum")
    high = _limit(limits, "maximum", "exclusiveMaximum")
    about = str(node.get("description", ""))
    said = (str(it["description"]) for it in free if _has_form(it))
    form = next((text for text in said if text != about), "")
    return Key(
        path=path,
        kind=kind,
        about=" ".join(about.split()),
        form="; ".join(filter(None, (" ".join(form.split()), _range(limits)))),
        choices=choices,
        low=low,
        high=high,
        unit=str(limits.get("x-unit", "")),
        default=shown(node.get("default")),
        value=shown(value),
    )


def _has_form(form: Node) -> bool:
    return form.get("type") == "string" and "description" in form


def _choices(form: Node) -> Iterator[tuple[str, str]]:
    if "const" in form:
        yield str(form["const"]), " ".join(str(form.get("description", "")).split())
    elif form.get("type") == "boolean":
        yield from (("true", ""), ("false", ""))
    for each in form.get("enum", form.get("x-one-of", ())):
        if each is not None:
            yield str(each), ""


def _words(form: Node) -> Iterator[tuple[str, str]]:
    """Yields the words among the alternatives of a pattern, such as `europe` of `duplex`."""
    pattern = str(form.get("pattern", ""))
    if pattern.startswith("^(") and pattern.endswith(")$"):
        for part in pattern[2:-2].split("|"):
            if part.isidentifier():
                yield part, ""


def _limit(limits: Node, *names: str) -> float | None:
    """Returns the first limit that is a number. Limits with units are left out."""
    found = (limits[name] for name in names if name in limits)
    return next((float(it) for it in found if isinstance(it, int | float)), None)


def _range(limits: Node) -> str:
    least, most = (limits.get(f"x-{end}", limits.get(end)) for end in ("minimum", "maximum"))
    above, below = limits.get("exclusiveMinimum"), limits.get("exclusiveMaximum")
    parts = (("above", above), ("from", least), ("to", most), ("below", below))
    words = " ".join(f"{word} {limit}" for word, limit in parts if limit is not None)
    return f"{words} {limits.get('x-unit', '')}".strip() if words else ""
