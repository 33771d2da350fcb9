"""Runs a plan: what the store has is taken from there, the rest is made by all cores.

In: a scenario, the settings to vary, the seeds, and a folder for the store. Out: a campaign.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from uplane import pool
from uplane.campaign.finished import Campaign
from uplane.campaign.kept import Finished, Held, Stored, Summarised
from uplane.campaign.plan import Plan, Task
from uplane.campaign.store import Store
from uplane.results import Results
from uplane.runner import first_seed, run_once
from uplane.scenario import ScenarioLike, as_scenario
from uplane.stage import stage

__all__ = ["Interrupted", "Progress", "sweep"]

Progress = Callable[[int, int], object]
"""Is told how many runs are finished, and of how many."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a campaign; `campaign` holds the runs that were finished."""

    def __init__(self, campaign: Campaign) -> None:
        """Keeps what was finished."""
        super().__init__()
        self.campaign = campaign


def sweep(  # noqa: PLR0913 - the options of the command
    scenario: ScenarioLike,
    *,
    vary: Mapping[str, Sequence[object]] | None = None,
    runs: int = 1,
    seed: int | None = None,
    set: Mapping[str, object] | None = None,  # noqa: A002 - the name of the command's option
    jobs: int | None = None,
    out: str | Path | None = None,
    tables: bool = True,
    progress: Progress | None = None,
) -> Campaign:
    """Runs every variant with every seed.

    Args:
        scenario: A scenario, a builder's scenario, or the path of a scenario file.
        vary: The values of each varied setting: `{"radio.tti": ["1 ms", "0.5 ms"]}`. All
            combinations are run, the last setting fastest.
        runs: How many seeds: `seed`, `seed + 1`, … The same for each variant.
        seed: The first seed; the scenario's own when it is not given.
        set: Values laid over the scenario in every variant.
        jobs: How many runs at a time; as many as there are cores when it is not given.
        out: Folder of the store. Finished runs found there are not run again; it may be of the
            same scenario and varied settings only, with other values and seeds.
        tables: Whether the tables of all runs are kept in memory, some 100 kB a run and more. Else
            nothing but the summary is kept of what goes into no store.
        progress: Is called after each run.

    Raises:
        InputError: The options make no sense.
        ScenarioError: A variant cannot be simulated; then nothing has been run, unless there are
            more than 10 000 variants, of which not all are made beforehand.
        OutputError: A finished run could not be written, or `out` holds another campaign.
        Interrupted: Ctrl-C; the exception holds what was finished.
    """
    base = as_scenario(scenario).with_settings(set or {})
    plan = Plan(
        base=base, vary=dict(vary or {}), first=first_seed(base, seed, runs=runs), runs=runs
    )
    plan.check()
    if out is None:
        kept = Held(plan) if tables else Summarised(plan)
        return _collect(kept, _made, jobs=jobs, progress=progress)
    store = Store(Path(out))
    store.claim(plan.subject)
    campaign = _in_store(plan, store, jobs, progress)
    with stage("saving the results"):
        campaign.save(out)
    return campaign


def _in_store(plan: Plan, store: Store, jobs: int | None, progress: Progress | None) -> Campaign:
    def kept(task: Task) -> Results:
        found = store.get(task)
        return store.put(task, _made(task)) if found is None else found

    return _collect(Stored(plan, store), kept, jobs=jobs, progress=progress)


def _collect(
    runs: Finished, do: Callable[[Task], Results], *, jobs: int | None, progress: Progress | None
) -> Campaign:
    plan = runs.plan
    campaign = Campaign(vary=plan.vary, runs=runs, planned=plan.planned)
    try:
        for done, (index, results) in enumerate(pool.work(plan, do, jobs=jobs), start=1):
            runs.add(index, results)
            if progress:
                progress(done, plan.planned)
    except KeyboardInterrupt:
        raise Interrupted(campaign) from None
    return campaign


def _made(task: Task) -> Results:
    return run_once(task.scenario, task.seed)
