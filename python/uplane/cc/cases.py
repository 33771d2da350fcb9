"""Cases and contestants.

In: `cases.toml`, scenario files beside it, TCP parameter sets of users. Out: what is run: a
scenario a case, and the settings that lay a contestant over its `[tcp.tested]`.

In a case, applications called `tested…` belong to the contestant; all others are its rivals.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from uplane.errors import InputError
from uplane.scenario import Scenario, schema
from uplane.scenario import load as load_scenario

__all__ = ["Case", "Contestant", "built_in", "cases", "read_contestants"]

NEEDS = {"prague": {"ecn": "accurate"}}
"""What a congestion control is refused without."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One thing that is asked of a congestion control.

    Attributes:
        name: Its name, as in `--case`.
        question: What it asks.
        scenario: The scenario, with its settings.
        capacity: Since when, in s, the bottleneck has how many Mbit/s; empty where a radio decides.
    """

    name: str
    question: str
    scenario: Scenario
    capacity: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True)
class Contestant:
    """A TCP parameter set with a name."""

    name: str
    keys: Mapping[str, object] = field(default_factory=dict)

    def settings(self) -> dict[str, object]:
        """Its keys, for the parameter set `tested` of a case."""
        return {f"tcp.tested.{key}": value for key, value in self.keys.items()}


def cases(patterns: Sequence[str] = ()) -> list[Case]:
    """The cases whose names match one of the patterns; all by default.

    Raises:
        InputError: No case matches a pattern.
    """
    known = _all()
    names = [case.name for case in known]
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            message = f"found the case {pattern!r}, expected {', '.join(names)}, or a pattern"
            raise InputError(message)
    return [
        case
        for case in known
        if not patterns or any(fnmatchcase(case.name, pattern) for pattern in patterns)
    ]


@cache
def _all() -> tuple[Case, ...]:
    home = Path(str(files("uplane.cc")))
    listed = tomllib.loads((home / "cases.toml").read_text("utf-8"))["case"]
    return tuple(_case(home / "cases", entry) for entry in listed)


def _case(home: Path, entry: Mapping[str, Any]) -> Case:
    scenario = load_scenario(home / entry["scenario"]).with_settings(entry.get("set", {}))
    capacity = tuple((float(at), float(rate)) for at, rate in entry.get("capacity", ()))
    return Case(
        name=entry["name"], question=entry["question"], scenario=scenario, capacity=capacity
    )


def built_in() -> list[Contestant]:
    """Each congestion control of the core, otherwise as Linux has it."""
    names = [control["const"] for control in schema()["$defs"]["CongestionControl"]["oneOf"]]
    return [Contestant(name, {"congestion_control": name, **NEEDS.get(name, {})}) for name in names]


def read_contestants(path: Path) -> list[Contestant]:
    """The parameter sets of a file with sections `[tcp.NAME]`.

    Raises:
        InputError: The file cannot be read, or has no such section.
    """
    try:
        sets = tomllib.loads(path.read_text("utf-8")).get("tcp", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        message = f"{path}: {error}"
        raise InputError(message) from error
    if not sets or not all(isinstance(keys, dict) for keys in sets.values()):
        message = f"{path}: found no section [tcp.NAME], expected one a contestant"
        raise InputError(message)
    return [Contestant(name, keys) for name, keys in sets.items()]
