"""One run: a scenario and a seed in, results out.

The manifest of a run holds everything that is needed to repeat it, and how long it took.
"""

import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from uplane import _core, arguments, pool
from uplane.errors import InputError
from uplane.results import Results
from uplane.scenario import Scenario, ScenarioLike, as_scenario
from uplane.table import Table
from uplane.watch import watched

__all__ = ["extension_digest", "first_seed", "made_by", "run", "run_once"]

LAST_SEED = 2**64 - 1
"""The largest seed: a seed has 64 bits."""


def run(
    scenario: ScenarioLike,
    *,
    seed: int | None = None,
    set: Mapping[str, object] | None = None,  # noqa: A002 - the name of the command's option
    threads: int = 1,
    memory: str | int | None = None,
    trust: bool = False,
) -> Results:
    """Runs a scenario to its end.

    Args:
        scenario: A scenario, a builder's scenario, or the path of a scenario file.
        seed: The seed; the scenario's own when it is not given.
        set: Values instead of the scenario's: `{"radio.lte.tti": "0.5 ms"}`.
        threads: Number of threads for the cells of a network; any other radio uses one. The results
            are the same with any number. Useful for large networks with idle cores.
        memory: What the run may take: `"4 GB"`, or bytes; half of the machine's memory when it is
            not given.
        trust: Whether the programs in Python that the scenario names may run, with your rights.
            Without it those run that `--trust` of the command has remembered.

    Raises:
        InputError: There is no such seed, number of threads, or amount of memory.
        MemoryLimitError: The run takes more memory than it may.
        ScenarioError: The scenario cannot be simulated.
        UntrustedError: The scenario names a program that is not trusted.
        SimulationBug: An invariant of the simulator broke.
    """
    checked = as_scenario(scenario, trust=trust).with_settings(set or {})
    chosen = first_seed(checked, seed)
    # In a thread of the pool, so that Ctrl-C is heard during the run.
    threads = arguments.at_least_one("threads", threads)
    work = pool.work([chosen], lambda s: run_once(checked, s, threads), jobs=1, memory=memory)
    (only,) = (result for _, result in work)
    return only


def first_seed(scenario: Scenario, seed: int | None, *, runs: int = 1) -> int:
    """Returns the first of `runs` consecutive seeds; by default the scenario's seed."""
    first = scenario.seed if seed is None else seed
    for name, value in (("seed", first), ("number of runs", runs)):
        if not hasattr(value, "__index__") or isinstance(value, bool):
            message = f"found the {name} {value!r}, expected a whole number"
            raise InputError(message)
    if not 0 <= first <= LAST_SEED - (runs - 1):
        of = f" for {runs} runs" if runs > 1 else ""
        message = f"found the seed {first}{of}, expected seeds from 0 to {LAST_SEED}"
        raise InputError(message)
    return first


def run_once(scenario: Scenario, seed: int, threads: int = 1) -> Results:
    """Runs in the calling thread, with its other `threads`, and lets all others run meanwhile."""
    scenario.begin()
    started = datetime.now(tz=UTC)
    wall, cpu = time.perf_counter(), time.thread_time()
    with watched(scenario) as watch:
        outcome = scenario.core.simulate(seed, watch, threads)
    wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
    tables = {
        table.name: Table(
            name=table.name,
            doc=table.doc,
            columns=_columns(table),
            rows=len(table),
            origin=table,
        )
        for table in outcome.tables
    }
    manifest = {
        "source": scenario.source,
        "settings": dict(scenario.settings),
        "seed": seed,
        "started": started.isoformat(timespec="seconds"),
        "wall_s": round(wall, 6),
        "cpu_s": round(cpu, 6),
        "events": outcome.events,
        "tables": {
            table.name: {"doc": table.doc, "columns": table.columns, "rows": table.rows}
            for table in tables.values()
        },
    }
    return Results(tables=tables, manifest=_Manifest(manifest, scenario))


class _Manifest(Mapping[str, Any]):
    """The manifest of a run: facts of the run at once, slow facts only when they are read."""

    def __init__(self, fast_part: Mapping[str, Any], scenario: Scenario) -> None:
        """Stores the fast part; the slow part is computed on first use."""
        self._fast_part = fast_part
        self._scenario = scenario

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401 - as in JSON
        return self._fast_part[key] if key in self._fast_part else self._slow_part[key]

    def __iter__(self) -> Iterator[str]:
        return chain(self._slow_part, self._fast_part)

    def __len__(self) -> int:
        return len(self._slow_part) + len(self._fast_part)

    @cached_property
    def _slow_part(self) -> dict[str, Any]:
        return {"kind": "run", "format": 3, **made_by(), "scenario": self._scenario.effective}


def _columns(table: "_core.Table") -> Mapping[str, str]:
    """Returns the descriptions of the columns: one object, shared by all runs."""
    if table.name not in _COLUMNS:
        _COLUMNS[table.name] = dict(table.columns)
    return _COLUMNS[table.name]


_COLUMNS: dict[str, Mapping[str, str]] = {}


@cache
def made_by() -> dict[str, Any]:
    """Returns version, commit, build and platform of this simulator."""
    import platform

    return {
        "version": _core.version(),
        "commit": _commit(),
        "build": extension_digest(),
        "platform": platform.platform(),
        "python": platform.python_version(),
    }


@cache
def extension_digest() -> str:
    """Returns a digest of the simulator's binary, which differs between builds of a version."""
    from hashlib import file_digest

    with Path(_core.__file__).open("rb") as module:
        return file_digest(module, "sha256").hexdigest()[:16]


def _commit() -> str | None:
    """Returns the commit of the source tree around this package; `None` without a source tree."""
    import subprocess

    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        return None
    try:
        said = subprocess.run(
            ["git", "-C", str(root), "describe", "--always", "--abbrev=40", "--dirty"],  # noqa: S607
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return said.stdout.strip()
