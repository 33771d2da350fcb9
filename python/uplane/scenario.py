"""Scenarios: files or text that the simulator has read and found possible.

In: TOML, with settings laid over it. Out: a `Scenario` that `uplane.run` takes.

A scenario is checked when it is made, so a run never meets a bad value. Nothing runs then: the
programs that a scenario names are compiled, and run only once `begin` has found them trusted.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, runtime_checkable

from uplane import _core, _toml, arguments, file_places, files, program
from uplane.errors import InputError, ScenarioError
from uplane.trust import Exactly, Trust, require

__all__ = [
    "Scenario",
    "ScenarioLike",
    "applications",
    "as_scenario",
    "connected",
    "load",
    "loads",
    "schema",
]


@runtime_checkable
class HasToml(Protocol):
    """An object that can write its TOML text, such as a scenario of the typed builder."""

    def to_toml(self) -> str:
        """Returns the scenario as TOML text."""


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A valid scenario: its text, and the settings that replace values in it.

    Attributes:
        source: Name of the file, or of what else the text came from.
        text: The TOML text.
        settings: Values instead of those of the text, as pairs of dotted key and TOML value.
        bases: Texts of the files that the scenario names, by name.
        trust: Trust in the programs among these files.
        is_sealed: True if only the files in `bases` may be read.
    """

    source: str
    text: str = field(repr=False)
    settings: tuple[tuple[str, str], ...] = ()
    bases: dict[str, str] = field(default_factory=dict, repr=False)
    trust: Trust | Exactly = field(default=Trust.ASKED, compare=False)
    is_sealed: bool = field(default=False, compare=False)
    core: _core.Scenario = field(init=False, repr=False, compare=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Reads the text; raises `ScenarioError` when it cannot be simulated."""
        settings = list(self.settings)
        core = _core.Scenario(self.text, self.source, settings, self._data, self._program)
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
    def values(self) -> dict[str, Any]:
        """Every value in effect, with programs by the names of their files."""
        return program.outside(self.effective)[0]

    @property
    def connected(self) -> list[tuple[str, dict[str, Any]]]:
        """Returns the applications with connections: the kind, such as `download`, and its keys."""
        return connected(self.effective)

    def with_settings(self, settings: Mapping[str, object]) -> "Scenario":
        """Returns a copy with other values: `{"radio.lte.tti": "0.5 ms"}`.

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

    def trusting(self, trust: Trust | Exactly | bool) -> "Scenario":  # noqa: FBT001 - as `trust=`
        """Returns this scenario with trust in its programs; `False` changes nothing."""
        if trust is False:
            return self
        return replace(self, trust=trust if isinstance(trust, Exactly) else Trust.given(trust))

    def sealed(self) -> "Scenario":
        """Returns this scenario, bound to the files that it has read, as are its variants."""
        return replace(self, is_sealed=True)

    def fetch_program(self, name: str) -> None:
        """Reads a program in the folder of the scenario.

        Raises:
            InputError: The program lies outside of the folder, or cannot be read.
        """
        try:
            self._once(name, file_places.of_program)
        except ValueError as error:
            message = f"congestion_control: found {error}"
            raise InputError(message) from None

    def permit(self) -> None:
        """Checks that the programs of this scenario are trusted.

        Raises:
            UntrustedError: A program is not trusted.
        """
        require(self.core.programs, self.trust)

    def begin(self) -> None:
        """Executes the programs of this scenario once: runs need their classes.

        Raises:
            UntrustedError: A program is not trusted.
            ScenarioError: A program fails, or has no class of the right base.
        """
        if self.core.programs:
            self.permit()
            with self._lock:
                self.core.begin()

    def _repr_html_(self) -> str:
        """Returns the text and the settings that replace its values, for a notebook."""
        laid = "".join(f"{key} = {value}\n" for key, value in self.settings)
        over = f"<p>laid over it:</p><pre>{escape(laid)}</pre>" if laid else ""
        return f"<p><b>{escape(self.source)}</b></p><pre>{escape(self.text)}</pre>{over}"

    def _data(self, name: str) -> str:
        """Returns the text of a data file that the scenario names."""
        return self._once(name, file_places.of_data)

    def _program(self, name: str) -> str:
        """Returns the text of a program; a program that a setting names may be anywhere."""
        is_set = _toml.value(name) in (value for _, value in self.settings)
        return self._once(name, file_places.of_data if is_set else file_places.of_program)

    def _once(self, name: str, find: Callable[[Path, str], Path]) -> str:
        """Returns the text of a file, read once for this scenario and its variants."""
        if name not in self.bases:
            if self.is_sealed:
                message = f"a file that the scenario did not name before, {_quoted(name)}"
                raise ValueError(message)
            folder = Path(self.source).parent
            try:
                self.bases[name] = files.text_of(find(folder, name))
            except files.UnreadableError as error:
                searched = "" if Path(name).is_absolute() else f" in {_folder(folder)}"
                raise ValueError(f'"{name}": {error.found}{searched}') from None
        return self.bases[name]


def _folder(path: Path) -> str:
    return f'"{path}"' if path.name else "this folder"


def connected(effective: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Returns the applications with connections, as `Scenario.connected` does."""
    return [(kind, app) for kind, app in applications(effective) if "tcp" in app]


def applications(effective: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Returns all applications with their kinds, as in `connected`; each has a server link."""
    sections = ((kind, all_) for kind, all_ in effective.items() if isinstance(all_, list))
    return [(kind, app) for kind, all_ in sections for app in all_ if "server_link" in app]


ScenarioLike = Scenario | HasToml | str | Path
"""A scenario, a builder's scenario, or the path of a scenario file."""


def load(path: str | Path, *, trust: bool = False) -> Scenario:
    """Reads the scenario file at `path`; `-` is standard input. Runs no program.

    Args:
        path: The file.
        trust: Whether the programs that it names may run, see `uplane.run`.

    Raises:
        InputError: This is no path.
        ScenarioError: The file cannot be read, or what it says cannot be simulated.
    """
    path = arguments.path("path", path)
    if str(path) == "-":
        source, text = "<standard input>", _standard_input()
    else:
        source, text = str(path), _read(path)
    return Scenario(source=source, text=text).trusting(trust)


def loads(text: str, *, source: str = "<text>", trust: bool = False) -> Scenario:
    """Reads a scenario from `text`; `source` names it in messages. Runs no program.

    Args:
        text: The scenario as TOML.
        source: Its name in messages. Files that it names lie in the folder of this path.
        trust: Whether the programs that it names may run, see `uplane.run`.

    Raises:
        InputError: This is no text.
        ScenarioError: What it says cannot be simulated.
    """
    return Scenario(source=source, text=arguments.text("text", text)).trusting(trust)


def as_scenario(scenario: ScenarioLike, *, trust: bool = False) -> Scenario:
    """Converts a `ScenarioLike` to a scenario, with trust in its programs or with its own."""
    match scenario:
        case Scenario():
            return scenario.trusting(trust)
        case str() | Path():
            return load(scenario, trust=trust)
        case HasToml():
            return loads(scenario.to_toml(), source="<builder>", trust=trust)
    expected = "a scenario, a builder's scenario, or the path of a file"
    message = f"found {type(scenario).__name__} {scenario!r:.60}, expected {expected}"
    raise InputError(message)


def schema() -> dict[str, Any]:
    """Returns the JSON Schema of a scenario."""
    content: dict[str, Any] = json.loads(_core.json_schema())
    return content


def _quoted(name: str) -> str:
    return f'"{name}"' if name.isprintable() else ascii(name)


def setting(value: object) -> str:
    """Converts a Python value to the TOML value of a setting."""
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
