"""A user's own scenario as a case.

In: a scenario. Out: a case, and the scenario with a contestant in its flows under test.

A TCP or QUIC application is under test unless it names a parameter set that states a congestion
control of its own: this application is a rival. If no application is left but all name one set,
all are under test. A contestant's keys replace those of the application's set; its other keys stay.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from uplane import _toml
from uplane.cc.cases import Case, Contestant
from uplane.errors import InputError
from uplane.scenario import Scenario

__all__ = ["case_of", "with_contestant"]

Content = dict[str, Any]

DEFAULT = "default"
"""Name of the parameter set of applications that name none."""
RECORD = {"packets": True, "deliveries": True}
"""Tables that the measures read."""


def case_of(scenario: Scenario) -> Case:
    """Returns the case of a user's scenario.

    Raises:
        InputError: The scenario has no flow to test.
    """
    content = tomllib.loads(scenario.text)
    sets = {app["name"]: _set_of(app) for _, app in _apps(content, scenario)}
    if not sets:
        expected = "a [[bulk]], [[download]], [[upload]], [[web]] or another TCP or QUIC flow"
        raise InputError(f"{scenario.source}: found no flow to test, expected {expected}")
    flows = [name for name, used in sets.items() if not _states_control(content, *used)]
    if not flows and len(set(sets.values())) == 1:
        flows = list(sets)
    if not flows:
        message = (
            f"{scenario.source}: each flow names a parameter set with its own congestion_control. "
            "Leave out `tcp` or `quic` in the flows to test."
        )
        raise InputError(message)
    title = scenario.effective["title"] or Path(scenario.source).name
    name = Path(scenario.source).stem or "scenario"
    return Case(name=name, question=title, scenario=scenario, flows=tuple(flows))


def with_contestant(case: Case, contestant: Contestant) -> Scenario:
    """Returns the scenario of a user's case with a contestant in the flows under test.

    Raises:
        InputError: The contestant's program cannot be read.
        ScenarioError: A key or a value of the contestant is not valid in this scenario.
    """
    content = tomllib.loads(case.scenario.text)
    sets = content.setdefault(contestant.transport, {})
    new: dict[str, Content] = {}
    for _, app in _apps(content, case.scenario):
        if app["name"] in case.flows:
            transport, name = _set_of(app)
            base = _keys(sets, name) if transport == contestant.transport else {}
            if contestant.transport == "tcp" and transport == "quic":
                base = {"base": "linux"}
            used = _unused(f"{name}-tested", sets)
            new[used] = {**base, **contestant.keys}
            app.pop(transport, None)
            app[contestant.transport] = used
    sets.update(new)
    content["record"] = RECORD
    return replace(contestant.beside(case.scenario), text=_toml.document(content))


def _apps(content: Content, scenario: Scenario) -> Iterator[tuple[str, Content]]:
    """Yields the applications with connections as the text has them: heading and keys."""
    connected = {app["name"] for _, app in scenario.connected}
    for kind, entries in content.items():
        for app in entries if isinstance(entries, list) else ():
            if kind not in {"ue", "link"} and app.get("name") in connected:
                yield kind, app


def _set_of(app: Content) -> tuple[str, str]:
    """Returns the transport of an application, and the name of its parameter set."""
    return ("quic", app["quic"]) if "quic" in app else ("tcp", app.get("tcp", DEFAULT))


def _states_control(content: Content, transport: str, name: str) -> bool:
    """Returns whether a set other than the default, or its base, has a congestion control."""
    keys = content.get(transport, {}).get(name)
    if name == DEFAULT or not isinstance(keys, Mapping):
        return False
    base = keys.get("base", DEFAULT)
    return "congestion_control" in keys or _states_control(content, transport, base)


def _keys(sets: Content, name: str) -> Content:
    """Returns the keys of a set. A profile is the base of a set without other keys."""
    if name in sets:
        return dict(sets[name])
    return {} if name == DEFAULT else {"base": name}


def _unused(name: str, sets: Content) -> str:
    """Returns the name, with dashes added until no set has it."""
    while name in sets:
        name += "-"
    return name
