"""The glossary agrees with code, schema and tables, and each term of them has a row."""

import re
from functools import cache
from pathlib import Path

import pytest

from generate_glossary import columns, endings, keys, names_of, page

ROOT = Path(__file__).parents[1]
CORE = ROOT / "crates/uplane/src"
GLOSSARY = ROOT / "docs/glossary.md"

# Sections and tables whose keys and columns are terms of the field, or plain words.
SECTIONS = ("radio.", "tcp.", "quic.", "link.", "gtpu.", "ue.")
TABLES = (
    *("connections", "quic", "series", "hops", "drops", "anatomy", "critical_path"),
    *("blocks", "control", "uplinks", "ack_filters", "ues", "cells", "carriers", "legs"),
)
# Words of everybody, which need no explanation: last parts of keys, and columns.
PLAIN = {
    *("name", "count", "address", "size", "up", "down", "profile", "geran", "fixed", "lte", "nr"),
    *("app", "ue", "flow", "sender", "direction", "class", "kind", "number", "cell"),
    *("packets", "bytes", "time_s", "packet"),
}


@cache
def rows() -> list[list[str]]:
    """The cells of each row: term, meaning, name in code, key, column."""
    lines = [line for line in GLOSSARY.read_text().splitlines() if line.startswith("| ")]
    split = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert {len(cells) for cells in split} == {5}
    return [cells for cells in split if cells[0] != "term"]


def named(column: int) -> list[str]:
    """All names in backticks of one column of the glossary."""
    return [name for cells in rows() for name in re.findall("`([^`]+)`", cells[column])]


@cache
def declared() -> set[str]:
    """The items, fields and variants of the core."""
    code = "\n".join(path.read_text() for path in sorted(CORE.rglob("*.rs")))
    item = r"\b(?:struct|enum|trait|fn|mod|type|const|static) (\w+)\b"
    in_macro = r"^    (?:\w+: )?(?:pub(?:\([^)]*\))? )?(\w+) \{"
    field = r"^\s*(?:pub(?:\([^)]*\))? )?(\w+)(?: as \w+)?: "
    variant = r"^\s+(\w+)(?:,| \{|\(| = )"
    each = (item, in_macro, field, variant)
    return {name for pattern in each for name in re.findall(pattern, code, re.MULTILINE)}


def test_the_glossary_has_a_row_for_each_term() -> None:
    terms = [cells[0] for cells in rows()]
    assert len(terms) >= 80
    assert len(set(terms)) == len(terms)
    assert all(cells[1] for cells in rows())


def test_each_name_of_the_glossary_is_in_the_code() -> None:
    assert sorted(set(named(2)) - declared()) == []


def test_glossary_has_the_generated_keys_and_columns() -> None:
    text = GLOSSARY.read_text(encoding="utf-8")
    assert page(text) == text, "run `make schema`"


def test_a_new_section_with_a_known_key_needs_no_entry() -> None:
    found = names_of({"long_cycle": "C-DRX", "rach.steps": "RAR"}, ["radio.x.drx.long_cycle"])
    assert found == {"C-DRX": ["radio.x.drx.long_cycle"]}


def test_the_longest_ending_decides() -> None:
    terms = {"period": "any", "sps.period": "SPS"}
    names = ["radio.lte.sps.period", "radio.nr.downlink_sps.period"]
    assert names_of(terms, names) == {"SPS": names[:1], "any": names[1:]}


def test_each_ending_has_a_name_and_a_term() -> None:
    used = {term for of in (keys(), columns()) for term in names_of(endings(), of)}
    assert sorted(set(endings().values()) - used) == []
    assert sorted(set(endings().values()) - {cells[0] for cells in rows()}) == []
    names = [*keys(), *columns()]
    idle = [it for it in endings() if not any(f".{name}".endswith(f".{it}") for name in names)]
    assert idle == []


def test_each_key_of_radio_tcp_and_path_has_a_row() -> None:
    wanted = {key for key in keys() if key.startswith(SECTIONS) and " = " not in key}
    missing = {key for key in wanted - set(named(3)) if key.rsplit(".", 1)[-1] not in PLAIN}
    assert sorted(missing) == []


@pytest.mark.parametrize("table", TABLES)
def test_each_column_has_a_row(table: str) -> None:
    wanted = {column for column in columns() if column.startswith(f"{table}.")}
    assert wanted
    missing = {column for column in wanted - set(named(4)) if column.split(".")[1] not in PLAIN}
    assert sorted(missing) == []


def test_a_plain_word_is_the_last_part_of_a_key_or_a_column() -> None:
    parts = {name.rsplit(".", 1)[-1] for name in (*keys(), *columns())}
    assert sorted(PLAIN - parts) == []


# Words of our own for what the field has a term for, or of no meaning outside this project.
BANNED = {
    "piece": "fragment",
    "pieces": "fragments",
    "hear": "receive, interfere",
    "hears": "receives, interferes",
    "heard": "received",
    "disturb": "interfere",
    "reminder": "retxBSR-Timer",
    "outlook": "gain",
    "room": "space, capacity, entity",
    "rooms": "entities",
    "mute": "without a grant",
    "in vain": "without a grant, without an answer",
    "as chance has it": "at random",
    "standing grant": "SPS",
    "laid over": "set",
}
# What is read by users: pages, among them those that are made of schema, tables and help.
PAGES = [
    *(path for path in (ROOT / "docs").rglob("*.md") if "adr" not in path.parts),
    ROOT / "README.md",
]


def banned(text: str) -> list[str]:
    words = "|".join(BANNED)
    return re.findall(rf"\b({words})\b", text, re.IGNORECASE)


def test_a_banned_word_is_found() -> None:
    assert banned("A Reminder that a packet's pieces are roomy") == ["Reminder", "pieces"]


def test_no_page_has_a_banned_word() -> None:
    found = {path.name: words for path in PAGES if (words := banned(path.read_text()))}
    assert found == {}


def test_no_key_and_no_column_is_a_banned_word() -> None:
    parts = {part for name in (*keys(), *columns()) for part in re.split(r"[._ ]", name)}
    assert sorted(parts & set(BANNED)) == []
