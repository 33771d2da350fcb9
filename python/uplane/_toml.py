"""Writes TOML: the one way in which Python values reach the simulator.

In: plain values, lists and mappings. Out: TOML text.

Left out: dates. No key of a scenario takes one.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

__all__ = ["document", "value"]

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def document(content: Mapping[str, object]) -> str:
    """Returns a whole document: plain keys first, then one section for each table."""
    return "\n\n".join(_sections("", content)).strip() + "\n"


def _sections(path: str, table: Mapping[str, object]) -> Iterator[str]:
    """Yields the section called `path`, then the sections inside it."""
    plain = {key: item for key, item in table.items() if not _tables(item)}
    if plain or not table:
        yield "\n".join([*([f"[{path}]"] if path else []), *_lines(plain)])
    for key, item in table.items():
        inner = f"{path}.{_key(key)}" if path else _key(key)
        if isinstance(item, Mapping):
            yield from _sections(inner, item)
        else:
            for part in _tables(item):
                yield "\n".join([f"[[{inner}]]", *_lines(part)])


def value(item: object) -> str:
    """One value, on one line."""
    write = next((write for kind, write in _WRITERS.items() if isinstance(item, kind)), None)
    if write is None and hasattr(item, "item"):  # a scalar of numpy
        return value(item.item())
    if write is None:
        message = f"a scenario has no place for {type(item).__name__} {item!r}"
        raise TypeError(message)
    return write(item)


def _lines(table: Mapping[str, object]) -> Iterator[str]:
    return (f"{_key(key)} = {value(item)}" for key, item in table.items())


def _tables(item: object) -> list[Mapping[str, object]]:
    """Yields a table, or each table of a list; nothing for other values."""
    parts = [item] if isinstance(item, Mapping) else item
    if not isinstance(parts, Sequence) or isinstance(parts, str):
        return []
    tables = [part for part in parts if isinstance(part, Mapping)]
    return tables if len(tables) == len(parts) else []


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    # TOML's basic strings are JSON's strings, but for one character that JSON leaves bare.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _number(number: float) -> str:
    if math.isfinite(number):
        return repr(number)
    return "nan" if math.isnan(number) else ("inf" if number > 0 else "-inf")


def _mapping(item: Mapping[str, object]) -> str:
    return "{ " + ", ".join(_lines(item)) + " }" if item else "{}"


_WRITERS: Mapping[type, Callable[[Any], str]] = {
    bool: lambda item: "true" if item else "false",
    str: _text,
    int: str,
    float: lambda item: _number(float(item)),
    Mapping: _mapping,
    Sequence: lambda item: "[" + ", ".join(map(value, item)) + "]",
}
"""The writer of each type, `bool` before `int`, because each `bool` is an `int` too."""
