"""The simulator; `crates/uplane-py` is its source, and stubtest compares the two."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, final

__all__ = [
    "AckSample",
    "Message",
    "Outcome",
    "Scenario",
    "Start",
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
        data: Callable[[str], str],
        program: Callable[[str], str],
    ) -> Scenario: ...
    @property
    def seed(self) -> int: ...
    @property
    def programs(self) -> list[tuple[str, str]]: ...
    def effective_json(self) -> str: ...
    def begin(self) -> None: ...
    def simulate(self, seed: int, watch: Watch, threads: int = 1) -> Outcome: ...

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
    def lists(self, wanted: Sequence[str]) -> dict[str, list[Any]]: ...
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

@final
class Start:
    """What a congestion control begins with."""

    @property
    def mss(self) -> int: ...
    @property
    def rtt_s(self) -> float | None: ...
    @property
    def initial_window(self) -> int: ...
    @property
    def initial_ssthresh(self) -> int | None: ...
    @property
    def max_window(self) -> int | None: ...

@final
class AckSample:
    """What one acknowledgement tells a congestion control; bytes, seconds, bit/s."""

    @property
    def now_s(self) -> float: ...
    @property
    def advanced(self) -> bool: ...
    @property
    def acked(self) -> int: ...
    @property
    def delivered(self) -> int: ...
    @property
    def lost(self) -> int: ...
    @property
    def marked(self) -> int: ...
    @property
    def flight(self) -> int: ...
    @property
    def pipe(self) -> int: ...
    @property
    def recovering(self) -> bool: ...
    @property
    def limited(self) -> bool: ...
    @property
    def una(self) -> int: ...
    @property
    def nxt(self) -> int: ...
    @property
    def rtt_s(self) -> float | None: ...
    @property
    def latest_rtt_s(self) -> float | None: ...
    @property
    def srtt_s(self) -> float | None: ...
    @property
    def rto_s(self) -> float: ...
    @property
    def delivery_rate_bps(self) -> float | None: ...
    @property
    def app_limited(self) -> bool: ...
    @property
    def round_start(self) -> bool: ...

@final
class Message:
    """A message of an application in Python that was delivered; bytes, seconds."""

    @property
    def number(self) -> int: ...
    @property
    def direction(self) -> Literal["up", "down"]: ...
    @property
    def size(self) -> int: ...
    @property
    def written_s(self) -> float: ...
    @property
    def latency_s(self) -> float: ...
