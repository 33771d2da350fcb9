"""The command `uplane list`: the names that a scenario or a command line can use.

In: nothing, or a section of the list. Out: all sections on one screen, or the names of one section
with their meanings.
"""

import sys
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from uplane.cli import output
from uplane.cli.show import heading
from uplane.near import refuse_unknown

__all__ = ["SECTIONS", "list_known"]

Names = Mapping[str, str]
"""Names with their meanings."""
WIDTH = 100
"""Width of the list, in characters."""
MOST_LINES = 3
"""Lines of names of a section, so that the list fits a screen."""


def list_known(section: str | None) -> None:
    """Prints all sections, or one of them with the meanings of its names."""
    if section is None:
        found = {name: names() for name, (_, names) in SECTIONS.items()}
        sys.stdout.writelines(_screen(found))
    else:
        _expect(section)
        found = {section: SECTIONS[section][1]()}
        sys.stdout.writelines(_details(section, found[section]))
    output.give({"sections": {name: _named(names) for name, names in found.items()}})


def _expect(section: str) -> None:
    if section in SECTIONS:
        return
    refuse_unknown("section", section, SECTIONS)


def _named(names: Names) -> list[dict[str, str]]:
    return [{"name": name, "meaning": meaning} for name, meaning in names.items()]


def _screen(found: Mapping[str, Names]) -> Iterator[str]:
    for name, names in found.items():
        yield heading(f"{name}: {SECTIONS[name][0]}")
        listed = ", ".join(names)
        lines = textwrap.wrap(listed, WIDTH - 4, break_on_hyphens=False)
        if len(lines) > MOST_LINES:
            lines = [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1]} …"]
        yield from (f"  {line}\n" for line in lines)
    yield "\n`uplane list SECTION` has the meaning of each name.\n"


def _details(section: str, names: Names) -> Iterator[str]:
    yield heading(f"{section}: {SECTIONS[section][0]}")
    width = max(map(len, names))
    for name, meaning in names.items():
        lines = textwrap.wrap(meaning, WIDTH - width - 4) or [""]
        yield f"  {name:{width}}  {lines[0]}".rstrip() + "\n"
        yield from (f"  {'':{width}}  {line}\n" for line in lines[1:])


def _studies() -> Names:
    import tomllib

    from uplane import study

    texts = {path.name: (path / "study.toml").read_text("utf-8") for path in study.shipped()}
    return {name: str(tomllib.loads(text)["study"]["title"]) for name, text in texts.items()}


def _examples() -> Names:
    from uplane.example import examples

    return {example.name: example.question for example in examples()}


def _radios() -> Names:
    radios: dict[str, str] = {}
    for option in _schema()["$defs"]["Radio"]["oneOf"]:
        for name in option["properties"]:
            radios.setdefault(name, _line(option["description"]))
    return radios


def _applications() -> Names:
    definitions, sections = _schema()["$defs"], _schema()["properties"]

    def is_application(field: Mapping[str, Any]) -> bool:
        name = field.get("items", {}).get("$ref", "").rsplit("/", 1)[-1]
        return "start" in definitions.get(name, {}).get("properties", {})

    return {
        name: _line(field["description"])
        for name, field in sections.items()
        if is_application(field)
    }


def _profiles() -> Names:
    from uplane._core import profiles
    from uplane.cli.info import first_sentence

    return {name: f"[{section}] {first_sentence(text)}" for section, name, text in profiles()}


def _contestants() -> Names:
    from uplane.cc import built_in

    return {it.name: "QUIC" if it.name.startswith("quic-") else "TCP" for it in built_in()}


def _cases() -> Names:
    from uplane import cc

    return {case.name: case.question for case in cc.cases(())}


def _values() -> Names:
    """Returns the named values of all keys that have such values."""
    definitions = _schema()["$defs"]
    named = {
        kind: ", ".join(str(option["const"]) for option in definition["oneOf"])
        for kind, definition in definitions.items()
        if definition.get("oneOf") and all("const" in option for option in definition["oneOf"])
    }
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for definition in definitions.values():
        for key, field in definition.get("properties", {}).items():
            for kind in _kinds(field):
                if kind in named:
                    found[key][f"{_line(definitions[kind]['description'])} {named[kind]}"] = None
    return {key: "; or: ".join(about) for key, about in sorted(found.items())}


def _kinds(field: Mapping[str, Any]) -> Iterator[str]:
    """Returns the names of the definitions that a key refers to."""
    for each in (field, *field.get("anyOf", ()), *field.get("allOf", ())):
        if "$ref" in each:
            yield each["$ref"].rsplit("/", 1)[-1]


def _schema() -> Mapping[str, Any]:
    from uplane.scenario import schema

    return schema()


def _line(text: str) -> str:
    """Returns a description of the schema in one line."""
    return " ".join(text.split())


SECTIONS: Mapping[str, tuple[str, Callable[[], Names]]] = {
    "studies": ("published studies, for `uplane reproduce NAME`", _studies),
    "examples": ("scenarios to start from, for `uplane new NAME`", _examples),
    "radios": ("radio sections of a scenario, `[radio.NAME]`", _radios),
    "applications": ("applications of a scenario, `[[NAME]]`", _applications),
    "profiles": ('base files, `profile = "NAME"` or `base = "NAME"`', _profiles),
    "congestion-controls": ("contestants of `uplane cc NAME`", _contestants),
    "cases": ("test cases, for `uplane cc --case NAME`", _cases),
    "values": ("keys that have named values", _values),
}
"""The title of each section, and its names."""
