"""Scenarios: files or text that the simulator has read and found possible.

In: TOML, with settings laid over it. Out: a `Scenario` that `uplane.run` takes.

A scenario is checked when it is made, so a run never meets a bad value.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from uplane import _core, _toml, arguments, files
from uplane.errors import InputError, ScenarioError

__all__ = ["Scenario", "ScenarioLike", "as_scenario", "connected", "load", "loads", "schema"]


@runtime_checkable
class HasToml(Protocol):
    """What knows its own TOML text: the scenario of the typed builder."""

    def to_toml(self) -> str:
        """The scenario as text."""


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A checked scenario.

    Attributes:
        source: Name of the file, or of what else the text came from.
        text: The TOML text.
        settings: Values instead of those of the text, as pairs of dotted key and TOML value.
        bases: The base files that the text names, by their names.
    """

    source: str
    text: str = field(repr=False)
    settings: tuple[tuple[str, str], ...] = ()
    bases: dict[str, str] = field(default_factory=dict, repr=False)
    core: _core.Scenario = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Reads the text; raises `ScenarioError` when it cannot be simulated."""
        core = _core.Scenario(self.text, self.source, list(self.settings), self._base)
        object.__setattr__(self, "core", core)

    @property
    def seed(self) -> int:
        """The seed that the scenario names."""
        return self.core.seed

    @property
    def effective(self) -> dict[str, Any]:
        """Every value in effect, defaults included."""
        values: dict[str, Any] = json.loads(self.core.effective_json())
        return values

    @property
    def connected(self) -> list[tuple[str, dict[str, Any]]]:
        """The applications with connections: the word in the heading of each, and its keys."""
        return connected(self.effective)

    def with_settings(self, settings: Mapping[str, object]) -> "Scenario":
        """The same scenario with other values: `{"radio.lte.tti": "0.5 ms"}`.

        Raises:
            InputError: These are no keys with values.
            ScenarioError: With these values it cannot be simulated.
        """
        given = arguments.by_key("`set`", settings).items()
        pairs = tuple((key, _setting_of(key, value)) for key, value in given)
        try:
            return replace(self, settings=(*self.settings, *pairs))
        except ScenarioError as error:
            # The error may be in the section that a setting has made, beside one of the file.
            if error.is_in(settings) or any(key.startswith(f"{error.key}.") for key in settings):
                raise error.found_in("`set`") from None
            raise

    def _repr_html_(self) -> str:
        """The text, and what is laid over it, for a notebook."""
        laid = "".join(f"{key} = {value}\n" for key, value in self.settings)
        over = f"<p>laid over it:</p><pre>{escape(laid)}</pre>" if laid else ""
        return f"<p><b>{escape(self.source)}</b></p><pre>{escape(self.text)}</pre>{over}"

    def _base(self, name: str) -> str:
        """The text of a base file beside the scenario; read once for it and all that come of it."""
        if name not in self.bases:
            try:
                self.bases[name] = files.text_of(Path(self.source).parent / name)
            except files.UnreadableError as error:
                raise ValueError(f'"{name}": {error.found}') from None
        return self.bases[name]


def connected(effective: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The applications with connections, of every value in effect: see `Scenario.connected`."""
    sections = ((kind, all_) for kind, all_ in effective.items() if isinstance(all_, list))
    return [(kind, app) for kind, all_ in sections for app in all_ if "tcp" in app]


ScenarioLike = Scenario | HasToml | str | Path
"""What may stand for a scenario: itself, a builder's, or the path of a file."""


def load(path: str | Path) -> Scenario:
    """Reads the scenario file at `path`; `-` is standard input.

    Raises:
        InputError: This is no path.
        ScenarioError: The file cannot be read, or what it says cannot be simulated.
    """
    path = arguments.path("path", path)
    if str(path) == "-":
        return Scenario(source="<standard input>", text=_standard_input())
    return Scenario(source=str(path), text=_read(path))


def loads(text: str, *, source: str = "<text>") -> Scenario:
    """Reads a scenario from `text`; `source` names it in messages.

    Raises:
        InputError: This is no text.
        ScenarioError: What it says cannot be simulated.
    """
    return Scenario(source=source, text=arguments.text("text", text))


def as_scenario(scenario: ScenarioLike) -> Scenario:
    """Whatever stands for a scenario, as one."""
    match scenario:
        case Scenario():
            return scenario
        case str() | Path():
            return load(scenario)
        case HasToml():
            return loads(scenario.to_toml(), source="<builder>")
    expected = "a scenario, a builder's scenario, or the path of a file"
    message = f"found {type(scenario).__name__} {scenario!r:.60}, expected {expected}"
    raise InputError(message)


def schema() -> dict[str, Any]:
    """The JSON Schema of a scenario."""
    content: dict[str, Any] = json.loads(_core.json_schema())
    return content


def setting(value: object) -> str:
    """A Python value as the TOML value that a setting takes."""
    return _toml.value(value)


def _setting_of(key: str, value: object) -> str:
    try:
        return setting(value)
    except TypeError as error:
        raise InputError(f"{key}: {error}") from None


def _standard_input() -> str:
    try:
        return files.text_within(sys.stdin.buffer.read(LARGEST_SCENARIO + 1), LARGEST_SCENARIO)
    except files.UnreadableError as error:
        raise _refused("<standard input>", error) from None


def _read(path: Path) -> str:
    try:
        return files.text_of(path, most=LARGEST_SCENARIO)
    except files.UnreadableError as error:
        raise _refused(str(path), error) from None


def _refused(source: str, error: files.UnreadableError) -> ScenarioError:
    where = f"{source}:{error.line}" if error.line else source
    expected = "a TOML file that can be read"
    message = f"{where}: found {error.found}, expected {expected}"
    return ScenarioError(message, source, error.line, "", error.found, expected)


LARGEST_SCENARIO = 1 << 26
"""Bytes of a scenario: one with 10^6 links has a fourth of that."""
