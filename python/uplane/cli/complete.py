"""Completion of values by the shell.

In: the start of a word, and the words before it. Out: the values that begin so. Each function has
the form that `click` asks for; what it needs is imported when a shell asks.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from click import Context, Parameter

__all__ = [
    "cases",
    "contestants",
    "examples",
    "keys",
    "profiles",
    "sections",
    "studies",
    "tables",
]


def _starting(names: Iterator[str] | list[str], start: str) -> list[str]:
    return [name for name in names if name.startswith(start)]


def contestants(_: Context, __: Parameter, start: str) -> list[str]:
    """Returns the built-in congestion controls."""
    from uplane.cc import built_in

    return _starting([contestant.name for contestant in built_in()], start)


def cases(_: Context, __: Parameter, start: str) -> list[str]:
    """Returns the test cases of `uplane cc`."""
    from uplane import cc

    return _starting([case.name for case in cc.cases(())], start)


def studies(_: Context, __: Parameter, start: str) -> list[str]:
    """Returns the names of the studies."""
    from uplane import study

    return _starting([path.name for path in study.shipped()], start)


def examples(_: Context, __: Parameter, start: str) -> list[str]:
    """Returns the names of the examples."""
    from uplane.example import examples as shipped

    return _starting([example.name for example in shipped()], start)


def profiles(_: Context, __: Parameter, start: str) -> list[str]:
    """Returns the names of the profiles."""
    from uplane._core import profiles as built_in

    return _starting([name for _, name, _ in built_in()], start)


def sections(_: Context, __: Parameter, start: str) -> list[str]:
    """Returns the sections of `uplane list`."""
    from uplane.cli.known import SECTIONS

    return _starting(list(SECTIONS), start)


def tables(context: Context, __: Parameter, start: str) -> list[str]:
    """Returns the tables of the folder that the command line names."""
    from uplane.cli.table import names_in
    from uplane.errors import UplaneError

    try:
        return _starting(names_in(context.params["folder"]), start)
    except (UplaneError, OSError, KeyError):
        return []


def keys(_: Context, __: Parameter, start: str) -> list[str]:
    """Returns the keys of the scenario that the command line names, each with `=`."""
    from uplane.errors import UplaneError
    from uplane.scenario import load

    # While an option lacks its value, `click` has not read the arguments.
    words = os.environ.get("COMP_WORDS", "").split()
    named = next((word for word in words if word.endswith(".toml") and Path(word).is_file()), None)
    if named is None:
        return []
    try:
        effective = load(Path(named)).effective
    except (UplaneError, OSError):
        return []
    return _starting([f"{key}=" for key in _flat(effective, "")], start)


def _flat(value: Any, path: str) -> Iterator[str]:  # noqa: ANN401 - a value of TOML
    """Returns the paths of all values, with names instead of positions in lists of sections."""
    if isinstance(value, dict) and value:
        for name, each in value.items():
            yield from _flat(each, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for place, each in enumerate(value):
            yield from _flat(each, f"{path}.{each.get('name', place)}")
    else:
        yield path
