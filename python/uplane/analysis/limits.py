"""The limits that held data back in a radio cell, and how long UEs were awake.

In: tables of a run, and every value in effect. Out: rows as those of the table `warnings`, so that
equal ones of many runs become one sentence.

A limit is named if it held data back in at least a tenth of the slots in which its scheduler had
something to send. Below that, nine of ten slots would be scheduled alike without it.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import fsum
from typing import Any, NamedTuple, Protocol

from uplane import _core
from uplane.merged_warnings import Warned

__all__ = ["limits_of"]

LEAST = 0.1
"""Share of the scheduled slots from which on a limit is named; chosen before any run."""

WAIT = {"down": "radio queue", "up": "grant wait"}
"""The cause of latency to which a limit adds, by direction."""

GENERATIONS = ("lte", "nr")
BANDWIDTH = {"lte": "bandwidth", "nr": "bandwidth_mhz"}


class HasTables(Protocol):
    """The results of one run."""

    @property
    def tables(self) -> Mapping[str, Any]:
        """All tables of the run, by name."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """The manifest of the run, with every value in effect."""


class _Scheduler(NamedTuple):
    """One direction of all cells and carriers of one kind."""

    generation: str
    carrier: int
    direction: str
    ues_per_slot: int
    cces: float | None
    prbs: float | None


def limits_of(results: HasTables) -> list[Warned]:
    """Returns a row for each limit that held data back, and for the states of each UE."""
    slots = _lists(results, "limits")
    states = _lists(results, "ue_states")
    return [*_limits(results, slots), *_states(states)]


def _lists(results: HasTables, name: str) -> list[dict[str, Any]]:
    """The rows of a table; none in runs of versions that did not have it."""
    table = results.tables.get(name)
    if table is None or not table.rows:
        return []
    columns = table.lists(list(table.columns))
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _limits(results: HasTables, rows: Sequence[Mapping[str, Any]]) -> Iterator[Warned]:
    counted: dict[_Scheduler, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for row in rows if any(row["limited_slots"] for row in rows) else ():
        kind = _generation(results.manifest["scenario"]["radio"], int(row["cell"]))
        own = _Scheduler(kind, *(row[name] for name in _Scheduler._fields[1:]))
        for name in COUNTED:
            counted[own][name] += row[name]
    several = len({own.generation for own in counted}) > 1
    for own, slots in counted.items():
        subject = _subject(own, several=several)
        for name in COUNTED[1:]:
            if slots[name] >= LEAST * slots["scheduled_slots"] > 0:
                share = slots[name] / slots["scheduled_slots"]
                words = f"{subject}: data waited in {{share}} % of the slots with data because "
                words += f"{_why(name, own)} ({_origin(results.manifest, name, own)})"
                yield _row("limit", words, own, share, _wait(results, own.direction))


def _row(kind: str, words: str, own: _Scheduler, share: float, wait: float | None) -> Warned:
    if wait is not None:
        words += f"; {WAIT[own.direction]} is {{amount}} % of packet latency"
    amount = None if wait is None else 100 * wait
    return Warned(kind, "", f"limit: {words}", "", "", share, amount, None)


def _generation(radio: Mapping[str, Any], cell: int) -> str:
    """LTE or NR: of dual connectivity, the first cell is LTE and the second NR."""
    kinds = [kind for kind in GENERATIONS if radio.get(kind) is not None]
    return kinds[cell] if len(kinds) > 1 else kinds[0]


def _subject(own: _Scheduler, *, several: bool) -> str:
    words = {"down": "downlink", "up": "uplink"}[own.direction]
    if several:
        words = f"{own.generation.upper()} {words}"
    return f"{words} of carrier {own.carrier}" if own.carrier else words


def _why(name: str, own: _Scheduler) -> str:
    if name == "limited_ues":
        return f"a slot serves at most {own.ues_per_slot:.0f} UEs"
    if name == "limited_cces":
        return f"the {own.cces:.0f} control channel elements had no space"
    if name == "limited_prbs":
        used = f"{own.prbs:.0f} resource blocks" if own.prbs else "bytes of the constant rate"
        return f"all {used} were used"
    return "UEs had no power for more resource blocks"


def _key(name: str, own: _Scheduler, section: Mapping[str, Any]) -> tuple[str, object]:
    """The key that sets a limit, within the section of its radio, and its value if known."""
    if name == "limited_ues":
        return "ues_per_slot", own.ues_per_slot
    if name == "limited_cces":
        return ("search_space" if section.get("search_space") else "control_symbols"), None
    if name == "limited_prbs" and own.carrier:
        return f"secondary_carrier.{own.carrier - 1}.bandwidth_mhz", None
    if name == "limited_prbs":
        return BANDWIDTH[own.generation] if own.prbs else "rate", None
    return "", None


def _origin(manifest: Mapping[str, Any], name: str, own: _Scheduler) -> str:
    """The key, and whether its value is that of the profile."""
    section = manifest["scenario"]["radio"][own.generation]
    key, value = _key(name, own, section)
    if not key:
        return "23 dBm; no key sets it"
    whole = f"radio.{own.generation}.{key}"
    profile = section.get("profile")
    if value is None or whole in manifest.get("settings", {}):
        return f"`{whole}`"
    if profile and value == _of_profile(own.generation, profile, key):
        return f"`{whole}`, as in the profile `{profile}`"
    return f"`{whole}`"


@lru_cache(maxsize=64)
def _of_profile(generation: str, profile: str, key: str) -> object:
    """The value of a key in a profile of this version; none of any other base."""
    from uplane.errors import ScenarioError
    from uplane.scenario import loads

    if (f"radio.{generation}", profile) not in {each[:2] for each in _core.profiles()}:
        return None
    text = f'[radio.{generation}]\nprofile = "{profile}"\n[[ping]]\nname = "p"\n'
    try:
        return loads(text).effective["radio"][generation][key]
    except (ScenarioError, KeyError):
        return None


def _wait(results: HasTables, direction: str) -> float | None:
    """The part of the latency of all packets of a direction that they waited for the scheduler."""
    rows = [row for row in _lists(results, "anatomy") if row["direction"] == direction]
    times = [(row["cause"], row["mean_ms"] * row["packets"]) for row in rows]
    whole = fsum(time for _, time in times)
    own = fsum(time for cause, time in times if cause == WAIT[direction])
    return own / whole if whole else None


def _states(rows: Sequence[Mapping[str, Any]]) -> Iterator[Warned]:
    for row in rows:
        whole = fsum(row[f"{state}_s"] for state in ("connected", "inactive", "idle"))
        if row["connected_s"] < whole:
            words = "RRC states of {ue}: {share} % of the time in RRC_CONNECTED, {amount} % in "
            words += "RRC_IDLE, the rest in RRC_INACTIVE" if row["inactive_s"] else "RRC_IDLE"
            idle = 100 * row["idle_s"] / whole
            share = row["connected_s"] / whole
            yield Warned("rrc states", "", words, row["ue"], "", share, idle, None)
        if row["awake_share"] is not None:
            words = "time awake of {ue}: {share} % of the time in RRC_CONNECTED (drx)"
            yield Warned("time awake", "", words, row["ue"], "", row["awake_share"], None, None)


COUNTED = ("scheduled_slots", "limited_ues", "limited_cces", "limited_prbs", "limited_power")
