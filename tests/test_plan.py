"""Plans: no run is made up before its turn, however many there are."""

import subprocess
import sys
import time
import tracemalloc
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest

import uplane
from conftest import PINGS
from uplane import campaign, pool
from uplane.campaign.plan import CHECKED_VARIANTS, Plan

MANY: dict[str, Sequence[object]] = {
    "ping.echo.count": range(1, 30_001),
    "radio.fixed.rtt": [f"{number} ms" for number in range(1, 30_001)],
    "title": [str(number) for number in range(30_000)],
}


@pytest.fixture(scope="module")
def small() -> uplane.Scenario:
    return uplane.loads(PINGS, source="pings.toml")


def test_settings_and_seeds_by_number_are_those_of_the_tasks(small: uplane.Scenario) -> None:
    vary: dict[str, Sequence[object]] = {"ping.echo.count": [3, 4, 5], "title": ["a", "b"]}
    plan = Plan(bases={"it": small}, varied=vary, first=7, runs=2)
    tasks = list(plan)
    assert len(tasks) == plan.planned == 12
    for index, task in enumerate(tasks):
        assert (plan.settings(index), plan.seed(index)) == (task.settings, task.seed)


def test_a_plan_of_any_size_takes_no_memory(small: uplane.Scenario) -> None:
    plan = Plan(bases={"it": small}, varied=MANY, first=1, runs=10**9)
    assert plan.planned == 27 * 10**21
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    first = [task.seed for task in islice(plan, 1000)]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert first == list(range(1, 1001))
    # The lists of values, once more, and nothing by combination or seed.
    assert peak - before < 2e6


@pytest.mark.parametrize("stored", [False, True])
def test_a_campaign_of_any_size_begins_at_once(
    small: uplane.Scenario, tmp_path: Path, *, stored: bool
) -> None:
    calls: list[tuple[int, int]] = []

    def progress(done: int, planned: int) -> None:
        calls.append((done, planned))
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(campaign.Interrupted) as caught:
        campaign.sweep(
            small,
            vary={"ping.echo.count": range(1, 10**5)},
            runs=10**9,
            jobs=1,
            out=tmp_path / "out" if stored else None,
            progress=progress,
        )
    done = caught.value.campaign
    assert [run.seed for run in done] == [1, 2, 3, 4, 5]
    assert calls[0] == (1, (10**5 - 1) * 10**9)
    assert len(done["pings"]) == 5


def test_each_value_of_a_large_plan_is_checked_first(small: uplane.Scenario) -> None:
    vary: dict[str, Sequence[object]] = {
        "title": [str(number) for number in range(CHECKED_VARIANTS)],
        "radio.fixed.rtt": ["1 ms", "2 ms", "3 sm"],
    }
    with pytest.raises(uplane.ScenarioError, match=r"`vary`: radio\.fixed\.rtt"):
        campaign.sweep(small, vary=vary, progress=lambda *_: pytest.fail("a run was made"))


def test_tasks_are_drawn_when_a_thread_is_free() -> None:
    """A pool that is left after three results has not drawn all."""
    drawn = iter(range(10**9))
    first = islice(pool.work(drawn, lambda task: task, jobs=1), 3)
    assert list(first) == [(0, 0), (1, 1), (2, 2)]
    time.sleep(0.1)
    assert next(drawn) <= 3 + pool.AHEAD


def test_runs_of_a_store_are_those_in_memory(small: uplane.Scenario, tmp_path: Path) -> None:
    vary: dict[str, Sequence[object]] = {"ping.echo.count": [3, 4]}
    held = campaign.sweep(small, vary=vary, runs=2)
    stored = campaign.sweep(small, vary=vary, runs=2, jobs=4, out=tmp_path)
    assert list(held) == list(stored) == stored.runs[:4]
    assert stored.runs[-1].results.seed == 2
    assert held.warnings == stored.warnings
    for table in held.runs[0].results:
        assert held[table.name].equals(stored[table.name])


def test_runs_without_tables_have_the_same_summary(small: uplane.Scenario) -> None:
    vary: dict[str, Sequence[object]] = {"ping.echo.count": [3, 4], "radio.fixed.rtt": ["2 ms"]}
    held, summed = (
        campaign.sweep(small, vary=vary, runs=150, jobs=4, tables=tables)
        for tables in (True, False)
    )
    assert held.summary().equals(summed.summary())
    assert (held.warnings, held.first["seed"]) == (summed.warnings, summed.first["seed"])
    assert [(run.settings, run.seed) for run in held] == [(it.settings, it.seed) for it in summed]
    with pytest.raises(uplane.InputError, match="only its summary"):
        summed["pings"]


GROWTH = """
import resource, sys, uplane
scenario = uplane.loads(sys.argv[1])
peaks = []
for runs in (300, 1500):
    uplane.sweep(scenario, runs=runs, jobs=2, tables=False).summary()
    peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(peaks[1] - peaks[0])
"""


def test_a_campaign_without_tables_does_not_grow_with_its_runs() -> None:
    """Kept tables are some 100 kB a run."""
    words = [sys.executable, "-c", GROWTH, PINGS]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 1200 * 20
