"""Cases and contestants.

In: `cases.toml`, scenario files beside it, parameter sets of TCP and QUIC. Out: what is run: a
scenario a case, and the settings that give its applications `tested…` a contestant's transport.

In a case, applications called `tested…` belong to the contestant; all others are its rivals.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from uplane.errors import InputError
from uplane.scenario import Scenario, schema
from uplane.scenario import load as load_scenario
from uplane.trust import Trust

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
    """A parameter set with a name.

    Attributes:
        name: Its name.
        keys: Its keys and values, as in a section `[tcp.NAME]` or `[quic.NAME]`.
        transport: Which of the two.
        home: The folder of the file that has it, beside which its program lies.
        trust: Whether that program may run.
    """

    name: str
    keys: Mapping[str, object] = field(default_factory=dict)
    transport: Literal["tcp", "quic"] = "tcp"
    home: Path | None = None
    trust: Trust = Trust.ASKED

    def over(self, scenario: Scenario, role: str = "tested") -> Scenario:
        """A scenario whose applications with names that begin so have this transport.

        TCP is Linux's where its keys do not say otherwise.

        Raises:
            ScenarioError: It has a key or a value that there is not, or these applications name
                another transport.
        """
        base = {"base": "linux"} if self.transport == "tcp" else {}
        keys = {**base, **self.keys}
        apps = [
            f"{kind}.{app['name']}"
            for kind, app in scenario.connected
            if app["name"].startswith(role)
        ]
        return self._beside(scenario).with_settings(
            {f"{self.transport}.{role}.{key}": value for key, value in keys.items()}
            | {f"{app}.{self.transport}": role for app in apps}
        )

    def _beside(self, scenario: Scenario) -> Scenario:
        """The scenario, with the files that the parameter set names."""
        if self.home is None:
            return scenario
        source = str(self.home / Path(scenario.source).name)
        near = replace(scenario, source=source, bases={}, trust=self.trust)
        control = self.keys.get("congestion_control")
        if isinstance(control, str) and control.endswith(".py"):
            near.fetch_program(control)
        return near


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
    if name := entry.get("rival"):
        (rival,) = (contestant for contestant in built_in() if contestant.name == name)
        scenario = rival.over(scenario, "rival")
    capacity = tuple((float(at), float(rate)) for at, rate in entry.get("capacity", ()))
    return Case(
        name=entry["name"], question=entry["question"], scenario=scenario, capacity=capacity
    )


def built_in() -> list[Contestant]:
    """Each congestion control of the core, otherwise as Linux has it, and each of QUIC's library.

    QUIC's ends have the memory of Linux's, for otherwise that would decide where the product of
    bandwidth and delay is large.
    """
    names = {
        transport: [each["const"] for each in schema()["$defs"][definition]["oneOf"]]
        for transport, definition in (
            ("tcp", "CongestionControl"),
            ("quic", "QuicCongestionControl"),
        )
    }
    memory = {"stream_receive_window": "6291456 B", "send_buffer": "2663000 B"}
    return [
        *(
            Contestant(name, {"congestion_control": name, **NEEDS.get(name, {})})
            for name in names["tcp"]
        ),
        *(
            Contestant(f"quic-{name}", {"congestion_control": name, **memory}, "quic")
            for name in names["quic"]
        ),
    ]


def read_contestants(path: Path, *, trust: Trust | bool = False) -> list[Contestant]:
    """The parameter sets of a file with sections `[tcp.NAME]` and `[quic.NAME]`.

    Args:
        path: The file.
        trust: Whether the programs in Python that it names may run.

    Raises:
        InputError: The file cannot be read, has no such section, or a name twice.
    """
    kind = Trust.given(trust)
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        message = f"{path}: {error}"
        raise InputError(message) from error
    found: dict[str, Contestant] = {}
    for transport in ("tcp", "quic"):
        for name, keys in content.get(transport, {}).items():
            if not isinstance(keys, dict):
                message = (
                    f"{path}: found the key {name} in [{transport}], expected [{transport}.NAME]"
                )
                raise InputError(message)
            if name in found:
                message = f"{path}: found [tcp.{name}] and [quic.{name}], expected one of a name"
                raise InputError(message)
            found[name] = Contestant(name, keys, transport, path.parent, kind)
    if not found:
        message = f"{path}: found no section [tcp.NAME] or [quic.NAME], expected one a contestant"
        raise InputError(message)
    return list(found.values())
