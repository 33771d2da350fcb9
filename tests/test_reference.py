"""The reference page of scenario files has each type once, in the order of a file."""

import re
from pathlib import Path
from typing import Any

import uplane

PAGE = (Path(__file__).parents[1] / "docs/reference/scenario.md").read_text(encoding="utf-8")
SCHEMA = uplane.schema()
TYPES: dict[str, Any] = SCHEMA["$defs"]
HEADINGS = [
    (len(signs), title, anchor)
    for signs, title, anchor in re.findall(r"^(#+) (.*) \{ #([\w-]+) \}$", PAGE, re.MULTILINE)
]
ANCHORS = [anchor for *_, anchor in HEADINGS]


def refers(body: object) -> set[str]:
    """The types that a schema names anywhere in it."""
    if isinstance(body, dict):
        own = {body["$ref"].rsplit("/", 1)[-1]} if "$ref" in body else set()
        return own.union(*(refers(value) for key, value in body.items() if key != "$defs"))
    return set[str]().union(*map(refers, body)) if isinstance(body, list) else set()


def test_each_type_has_one_heading_with_its_anchor() -> None:
    assert sorted(ANCHORS) == sorted(["top-level", *(name.lower() for name in TYPES)])


def test_sections_stand_in_the_order_of_a_file() -> None:
    keys = [key for key in SCHEMA["properties"] if refers(SCHEMA["properties"][key]) - {"Duration"}]
    top = [title for level, title, _ in HEADINGS if level == 2][1:]
    assert [re.sub(r"`\[+([a-z]+).*", r"\1", title) for title in top] == keys


def test_own_types_of_a_section_follow_it() -> None:
    parents = {
        name: [of for of, body in {"": SCHEMA, **TYPES}.items() if name in refers(body)]
        for name in TYPES
    }
    alone = {name: of[0] for name, of in parents.items() if len(of) == 1 and of[0]}
    assert len(alone) > 60
    for name, parent in alone.items():
        here, there = ANCHORS.index(name.lower()), ANCHORS.index(parent.lower())
        between = [level for level, *_ in HEADINGS[there + 1 : here]]
        assert here > there, name
        # No section that is not below the parent stands in between.
        assert min(between, default=4) >= min(HEADINGS[there][0] + 1, 4), (name, parent)


def test_a_section_is_called_as_in_a_file() -> None:
    titles = {anchor: title for _, title, anchor in HEADINGS}
    assert titles["linksection"] == "`[[link]]`"
    assert titles["tcp"] == "`[tcp.NAME]`"
    assert titles["rach"] == "`[radio.lte.rach]`"
    assert "Also `[radio.nr.rach]`." in PAGE
