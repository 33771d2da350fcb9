"""Cases of the kit, and contestants with their transport.

In: `cases.toml`, the scenario files of the cases, parameter sets of TCP and QUIC. Out: cases, each
with its scenario; contestants, which change the transport of the flows under test.

In a built-in case the applications called `tested…` are under test. All others are rivals.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from uplane import file_places
from uplane.errors import InputError
from uplane.files import UnreadableError, text_of
from uplane.near import refuse_unknown
from uplane.scenario import Scenario, schema
from uplane.scenario import load as load_scenario
from uplane.trust import Trust

__all__ = ["Case", "Contestant", "built_in", "cases", "read_contestants"]

NEEDS = {"prague": {"ecn": "accurate"}}
"""Keys that a congestion control requires."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """A question about a congestion control, and the scenario that answers it.

    Attributes:
        name: Name of the case, as in `--case`.
        question: The question that the case answers.
        scenario: The scenario of the case.
        capacity: Steps of the bottleneck's capacity: start in s, rate in Mbit/s. Empty if the
            capacity is not known, as that of a cell.
        flows: Names of the applications under test. Empty: those called `tested…`.
    """

    name: str
    question: str
    scenario: Scenario
    capacity: Sequence[tuple[float, float]] = ()
    flows: tuple[str, ...] = ()

    @property
    def tested(self) -> list[tuple[str, dict[str, Any]]]:
        """The applications under test: the word in the heading of each, and its keys."""
        return [
            (kind, app)
            for kind, app in self.scenario.connected
            if (app["name"] in self.flows if self.flows else app["name"].startswith("tested"))
        ]

    @property
    def has_rivals(self) -> bool:
        """True if other greedy flows send in the measured direction."""
        tested = {app["name"] for _, app in self.tested}
        return any(
            kind == "bulk" and app["name"] not in tested and app["direction"] == self.direction
            for kind, app in self.scenario.connected
        )

    @property
    def direction(self) -> Literal["down", "up"]:
        """The measured direction: down, unless all flows under test send their data up."""
        are_up = (app.get("direction") == "up" or kind == "upload" for kind, app in self.tested)
        return "up" if all(are_up) else "down"


@dataclass(frozen=True)
class Contestant:
    """A parameter set with a name.

    Attributes:
        name: Name of the contestant.
        keys: Keys and values, as in a section `[tcp.NAME]` or `[quic.NAME]`.
        transport: Transport of the parameter set.
        home: Folder of the file with the parameter set. Its program is in this folder.
        trust: Trust in this program.
    """

    name: str
    keys: Mapping[str, object] = field(default_factory=dict)
    transport: Literal["tcp", "quic"] = "tcp"
    home: Path | None = None
    trust: Trust = Trust.ASKED

    def over(self, scenario: Scenario, role: str = "tested") -> Scenario:
        """Returns the scenario with this transport in the applications called `role…`.

        TCP has Linux's values for all keys that the contestant does not set.

        Raises:
            ScenarioError: A key or a value is not valid, or an application names another
                transport.
        """
        base = {"base": "linux"} if self.transport == "tcp" else {}
        keys = {**base, **self.keys}
        apps = [
            f"{kind}.{app['name']}"
            for kind, app in scenario.connected
            if app["name"].startswith(role)
        ]
        return self.beside(scenario).with_settings(
            {f"{self.transport}.{role}.{key}": value for key, value in keys.items()}
            | {f"{app}.{self.transport}": role for app in apps}
        )

    def beside(self, scenario: Scenario) -> Scenario:
        """Returns the scenario with the program that the parameter set names, if any.

        Raises:
            InputError: The program cannot be read, or the scenario names another program of the
                same name.
        """
        control = self.keys.get("congestion_control")
        if self.home is None or not (isinstance(control, str) and control.endswith(".py")):
            return scenario
        try:
            text = text_of(file_places.of_program(self.home, control))
        except UnreadableError as error:
            raise InputError(f'congestion_control: found "{control}": {error.found}') from None
        except ValueError as error:
            raise InputError(f"congestion_control: found {error}") from None
        if scenario.bases.get(control, text) != text:
            message = f'"{control}": the scenario has another program of this name; rename one'
            raise InputError(message)
        return replace(scenario, bases={**scenario.bases, control: text}, trust=self.trust)


def cases(patterns: Sequence[str] = ()) -> list[Case]:
    """Returns the cases whose names match one of the patterns; all by default.

    Raises:
        InputError: No case matches a pattern.
    """
    known = _all()
    names = [case.name for case in known]
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            refuse_unknown("case", pattern, names)
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
    """Returns a contestant for each congestion control of TCP and of QUIC's library.

    QUIC has the buffers of Linux's TCP: with smaller ones these would limit the rate where the
    bandwidth-delay product is large.
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
    """Returns the parameter sets of a file with sections `[tcp.NAME]` and `[quic.NAME]`.

    Args:
        path: The file.
        trust: Trust in the programs in Python that the file names.

    Raises:
        InputError: The file cannot be read, has no such section, or has a name twice.
    """
    kind = Trust.given(trust)
    try:
        content = tomllib.loads(text_of(path))
    except (UnreadableError, tomllib.TOMLDecodeError) as error:
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
