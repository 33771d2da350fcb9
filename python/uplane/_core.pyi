"""The simulator; `crates/uplane-py` is its source, and stubtest compares the two."""

from collections.abc import Callable
from typing import final

__all__ = [
    "Outcome",
    "Scenario",
    "Table",
    "Watch",
    "json_schema",
    "profiles",
    "tcp_profiles",
    "version",
]

def version() -> str:
    """The version of the simulator."""

def json_schema() -> str:
    """The schema of a scenario, as JSON text."""

def tcp_profiles() -> list[str]:
    """The names of the built-in TCP parameter sets."""

def profiles() -> list[tuple[str, str, str]]:
    """The built-in base files: section, name and text of each."""

@final
class Scenario:
    """A scenario that was read and found possible."""

    def __new__(
        cls,
        text: str,
        source: str,
        settings: list[tuple[str, str]],
        reader: Callable[[str], str],
    ) -> Scenario: ...
    @property
    def seed(self) -> int: ...
    def effective_json(self) -> str: ...
    def simulate(self, seed: int, watch: Watch) -> Outcome: ...

@final
class Outcome:
    """What one run gave."""

    @property
    def tables(self) -> list[Table]: ...
    @property
    def events(self) -> int: ...

@final
class Table:
    """One finished table."""

    @property
    def name(self) -> str: ...
    @property
    def doc(self) -> str: ...
    @property
    def columns(self) -> list[tuple[str, str]]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Watch:
    """How far a run is, and whether it shall go on."""

    def __new__(cls) -> Watch: ...
    @property
    def now_s(self) -> float: ...
    @property
    def end_s(self) -> float: ...
    def stop(self) -> None: ...
