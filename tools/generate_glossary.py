"""Writes the keys and columns of each term into the glossary.

In: `glossary.toml`, which has the endings of the names of each term; the schema; the tables of a
run. Out: the two last cells of each row of `docs/glossary.md`. `make schema` calls it; `make lint`
calls it with `--check`, which only compares.

A name belongs to the term with the longest ending of it. So a new section with a known key, or a
new table with a known column, is in the glossary without a change of `glossary.toml`.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import uplane
from drawing.schema import places

__all__ = ["columns", "endings", "keys", "names_of", "page"]

GLOSSARY = Path(__file__).parents[1] / "docs/glossary.md"
ENDINGS = Path(__file__).with_name("glossary.toml")
ALL_TABLES = """
duration = "100 ms"
record = { packets = true, deliveries = true, critical_path = true, series = "50 ms" }
[radio.lte.network]
[radio.lte.ack_filter]
rule = "basic"
[[ping]]
name = "echo"
count = 1
"""
"""The smallest scenario whose run has all tables."""


def main() -> None:
    """Writes the glossary, or compares it."""
    text = GLOSSARY.read_text(encoding="utf-8")
    found = page(text)
    if "--check" not in sys.argv:
        GLOSSARY.write_text(found, encoding="utf-8")
    elif found != text:
        sys.exit("docs/glossary.md is out of date: run `make schema`")


def page(text: str) -> str:
    """Returns the glossary with the keys and columns of each term."""
    found = names_of(endings(), keys()), names_of(endings(), columns())
    return "".join(_row(line, *found) for line in text.splitlines(keepends=True))


def _row(line: str, of_keys: Mapping[str, list[str]], of_columns: Mapping[str, list[str]]) -> str:
    if not line.startswith("| ") or line.startswith("| term "):
        return line
    term, meaning, code, *_ = (cell.strip() for cell in line.strip().strip("|").split("|"))
    lists = (", ".join(f"`{name}`" for name in of.get(term, ())) for of in (of_keys, of_columns))
    return f"| {' | '.join([term, meaning, code, *lists])} |\n".replace("|  |", "| |")


@cache
def endings() -> dict[str, str]:
    """Returns the term of each ending."""
    terms = tomllib.loads(ENDINGS.read_text(encoding="utf-8"))
    return {ending: term for term, found in terms.items() for ending in found}


def names_of(terms: Mapping[str, str], names: Iterable[str]) -> dict[str, list[str]]:
    """Returns the names of each term: those whose longest known ending is one of the term's."""
    found: dict[str, list[str]] = {}
    for name in names:
        if ending := next((it for it in _endings_of(name) if it in terms), None):
            found.setdefault(terms[ending], []).append(name)
    return found


def _endings_of(name: str) -> Iterator[str]:
    parts = re.split(r"(?<!\s)\.", name)
    return (".".join(parts[place:]) for place in range(len(parts)))


@cache
def keys() -> Sequence[str]:
    """Returns every key, and `key = choice`, without the numbers and names of sections."""
    paths = ([part for part in path if part not in {"[]", "*"}] for path in places())
    return list(dict.fromkeys(".".join(path).replace(".=", " = ") for path in paths))


@cache
def columns() -> Sequence[str]:
    """Returns every column, with its table."""
    results = uplane.run(uplane.loads(ALL_TABLES), seed=1)
    return [f"{table.name}.{column}" for table in results for column in table.columns]


if __name__ == "__main__":
    main()
