"""The reference page of scenario files, in the order of such a file.

In: the JSON Schema. Out: lines of Markdown. First each section with what it alone contains, its
kinds of values before its sections, then the sections that several others have, then the kinds of
values that several have. `generate_reference.py` writes the page.
"""

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["cell", "lines"]

Schema = dict[str, Any]

DEEPEST = 4
"""The deepest level of a heading; deeper sections have this level too."""


def lines(schema: Schema) -> Iterator[str]:
    """The page below its title."""
    page = _Page(schema)
    yield from (
        "A scenario is a TOML file. Unknown keys are errors. Every key and section, with its type,",
        "range, default and meaning; `uplane schema` prints the same as JSON Schema for editors.",
        "A key without a range of its own has that of its type. Sections stand in the order of a",
        "file, each followed by what it alone contains; what several have is at the end.",
        "",
    )
    yield from page.entry(TOP, 2)
    yield from page.contained(TOP, 2)
    yield from ("## Sections that stand in several others", "")
    for name in page.shared:
        if page.has_sections(name):
            yield from page.entry(name, 3)
            yield from page.contained(name, 3)
    yield from ("## Kinds of values that several sections have", "")
    for name in sorted(page.shared):
        if not page.has_sections(name):
            yield from page.entry(name, 3)
            yield from page.contained(name, 3)


TOP = "Top level"


class _Page:
    """The types of a schema, and where each one stands in a file."""

    def __init__(self, schema: Schema) -> None:
        self._bodies: dict[str, Schema] = {TOP: schema, **schema["$defs"]}
        self._parents: dict[str, set[str]] = {name: set() for name in self._bodies}
        self._paths: dict[str, list[str]] = {name: [] for name in self._bodies}
        self._walk(TOP, "")

    def _walk(self, name: str, path: str) -> None:
        """Notes where all that a type contains stands, in the order of the keys."""
        for key, field in _keys(self._bodies[name]):
            for child, form in _types(field):
                place = f"{path}.{key}".strip(".") if key else path
                place += ".NAME" * (form == "named")
                shown = f"[[{place}]]" if form == "list" else f"[{place}]"
                self._parents[child].add(name)
                if shown not in self._paths[child]:
                    self._paths[child].append(shown)
                self._walk(child, place)

    @property
    def shared(self) -> list[str]:
        """Returns the types that several sections contain, in the order of a scenario file."""
        return [name for name in self._bodies if len(self._parents[name]) > 1]

    def has_sections(self, name: str) -> bool:
        """Reports whether a type is a section, or a choice between sections."""
        body = self._bodies[name]
        return "properties" in body or any("properties" in it for it in body.get("oneOf", ()))

    def contained(self, name: str, level: int) -> Iterator[str]:
        """All that a section alone contains: kinds of values first, then sections."""
        children = [child for _, field in _keys(self._bodies[name]) for child, _ in _types(field)]
        own = [it for it in dict.fromkeys(children) if self._parents[it] == {name}]
        for child in sorted(own, key=self.has_sections):
            below = min(level + (name != TOP), DEEPEST)
            yield from self.entry(child, below)
            yield from self.contained(child, below)

    def entry(self, name: str, level: int) -> Iterator[str]:
        """A type under its heading, which keeps its anchor wherever it stands."""
        body = self._bodies[name]
        places = self._paths[name] if self.has_sections(name) else []
        title = f"`{places[0]}`" if places else name
        anchor = name.lower().replace(" ", "-")
        yield from (f"{'#' * level} {title} {{ #{anchor} }}", "")
        if len(places) > 1:
            yield from (f"Also {', '.join(f'`{place}`' for place in places[1:])}.", "")
        yield from self._section(body) if "properties" in body else _value(body)
        yield ""

    def _section(self, body: Schema) -> Iterator[str]:
        yield from (_sentence(body.get("description", "")), "")
        yield from ("| key | type | range | default | meaning |", "|---|---|---|---|---|")
        required = body.get("required", ())
        for key, field in body["properties"].items():
            default = "required" if key in required else _default(field.get("default"))
            meaning = cell(field.get("description", ""))
            yield f"| `{key}` | {_type(field)} | {_range(field)} | {default} | {meaning} |"


def _keys(body: Schema) -> Iterator[tuple[str, Schema]]:
    """The keys of a section, or of the sections of a choice; none for other kinds of a value."""
    yield from body.get("properties", {}).items()
    for option in body.get("oneOf") or body.get("anyOf") or ():
        yield from option.get("properties", {}).items()
        yield from [("", option)] if {"$ref", "items"} & option.keys() else []


def _types(field: Mapping[str, Any], form: str = "") -> Iterator[tuple[str, str]]:
    """The types that a field's value has by name, and whether it is a `list` of them or `named`."""
    if "$ref" in field:
        yield field["$ref"].rsplit("/", 1)[-1], form
    for option in field.get("anyOf", ()):
        yield from _types(option, form)
    if "items" in field:
        yield from _types(field["items"], "list")
    if isinstance(field.get("additionalProperties"), dict):
        yield from _types(field["additionalProperties"], "named")


def _value(body: Schema) -> Iterator[str]:
    """A kind of value: what may stand there."""
    options = body.get("oneOf") or body.get("anyOf") or []
    about = body.get("description") or "; ".join(
        f"{_type(option)}, or the name of a file" if "items" in option else option["description"]
        for option in options
        if {"items", "description"} & option.keys()
    )
    if (limits := _range(body)) != "–":
        about = f"{about}; {limits}"
    yield from (_sentence(about), "")
    for option in options:
        words = [str(option["const"])] if "const" in option else list(option.get("properties", ()))
        if words:
            shown = ", ".join(f"`{word}`" for word in words)
            yield f"- {shown}: {option.get('description', '')}"


def _type(field: Schema) -> str:
    if "$ref" in field:
        name = field["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in field:
        return _type(next(option for option in field["anyOf"] if option.get("type") != "null"))
    match field.get("type"):
        case "array":
            return f"list of {_type(field['items'])}"
        case "object":
            return f"sections of {_type(field['additionalProperties'])}"
        case list(names):
            return _type({**field, "type": names[0]})
        case name:
            return str(name or " or ".join(f"`{word}`" for word in field["enum"]))


def _range(field: Schema) -> str:
    """Returns the range of a number, in words."""
    field = {**field.get("items", {}), **field}
    if "x-one-of" in field:
        *others, last = map(str, field["x-one-of"])
        words = f"{', '.join(others)} or {last}"
    else:
        least, most = (field.get(f"x-{end}", field.get(end)) for end in ("minimum", "maximum"))
        above, below = field.get("exclusiveMinimum"), field.get("exclusiveMaximum")
        parts = (("above", above), ("from", least), ("to", most), ("below", below))
        words = " ".join(f"{word} {limit}" for word, limit in parts if limit is not None)
    return f"{words} {field.get('x-unit', '')}".strip() or "–"


def _default(value: object) -> str:
    if value is None or isinstance(value, dict | list) or value == "":
        return "–"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "." if text else ""


def cell(text: str) -> str:
    """A text as the cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")
