"""Runs a plan: finished runs are read from the store, the others are simulated on all cores.

In: scenarios, the settings to vary, the seeds, and a folder for the store. Out: a campaign.
"""

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import starmap
from pathlib import Path

from uplane import arguments, pool
from uplane.activity import stage
from uplane.campaign.finished import Campaign
from uplane.campaign.finished_runs import Finished, Held, Metrics, Stored, Summarised
from uplane.campaign.plan import Plan, Task, values_of
from uplane.campaign.store import Store, name_of_task
from uplane.campaign.until import MOST_RUNS, Until, looks
from uplane.errors import InputError, MemoryLimitError
from uplane.memory import parsed
from uplane.results import Results
from uplane.runner import first_seed, run_once
from uplane.scenario import Scenario, ScenarioLike, as_scenario

__all__ = ["Interrupted", "Progress", "Scenarios", "sweep"]

Scenarios = ScenarioLike | Sequence[ScenarioLike] | Mapping[str, ScenarioLike]
"""One scenario, or several."""

Progress = Callable[[int, int], object]
"""Called with the number of finished runs and the number of planned runs."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a campaign; `campaign` holds the runs that were finished."""

    def __init__(self, campaign: Campaign) -> None:
        """Stores the campaign with its finished runs."""
        super().__init__()
        self.campaign = campaign


def sweep(  # noqa: PLR0913 - the options of the command
    scenario: Scenarios,
    *,
    vary: Mapping[str, Iterable[object]] | None = None,
    zip: bool = False,  # noqa: A002 - the name of the command's option
    runs: int = 1,
    seed: int | None = None,
    set: Mapping[str, object] | None = None,  # noqa: A002 - the name of the command's option
    shard: tuple[int, int] = (1, 1),
    until: str | None = None,
    jobs: int | None = None,
    threads: int = 1,
    memory: str | int | None = None,
    dask: str | None = None,
    security: object = None,
    out: str | Path | None = None,
    tables: bool = True,
    progress: Progress | None = None,
    trust: bool = False,
) -> Campaign:
    """Runs every variant with every seed.

    Args:
        scenario: A scenario, a builder's scenario, or the path of a scenario file; or several of
            them, which are variants by the names of their files, or by those that a mapping gives.
        vary: The values of each varied setting: `{"radio.lte.tti": ["1 ms", "0.5 ms"]}`, as lists,
            arrays or any iterables. All combinations are run, the last setting fastest.
        zip: The first values of all settings are one variant, the second ones another, and so on.
        runs: Number of seeds of each variant: `seed`, `seed + 1`, …
        seed: The first seed; by default the scenario's.
        set: Values instead of the scenario's, in every variant.
        until: Condition that ends the adding of seeds: `"file.duration_mean < 2 %"` bounds the
            half-width of the metric's 95 % interval in all variants. There are at most `runs`
            seeds (1000 if `runs` is 1); see `uplane.campaign.until`.
        shard: Part of the runs to make: `(2, 3)` is the second of three; see `merge`.
        jobs: Number of parallel runs; by default the number of cores.
        threads: Number of threads of each run for the cells of a network, see `uplane.run`; useful
            for fewer runs than cores.
        memory: Maximum memory of all parallel runs together: `"4 GB"`, or bytes; by default half of
            the machine's memory. A run that takes more than its equal part ends and is in `failed`
            of the campaign. On a cluster the limit applies to each run.
        dask: Address of a Dask scheduler, or its file, whose workers make the runs; `local` for
            workers on this machine. Needs the extra `uplane[dask]`, and `out`.
        security: A `distributed.Security` for a scheduler with TLS. By default that of Dask's own
            configuration, as `DASK_DISTRIBUTED__COMM__TLS__…` and `distributed.yaml` set it.
        out: Folder of the store. Finished runs in it are not repeated. The store must have the same
            scenario and varied keys; their values and the seeds may differ.
        tables: Whether the tables of all runs are kept in memory, about 100 kB a run or more.
            Otherwise, without `out`, only the summary is kept.
        progress: Called after each run.
        trust: Whether the programs in Python that the scenarios name may run, see `uplane.run`.

    Raises:
        InputError: An option is invalid, or contradicts another one.
        MemoryLimitError: Every run exceeded its memory limit.
        UntrustedError: A scenario names a program that is not trusted.
        ScenarioError: A variant cannot be simulated. Then no run was made, unless there are more
            than 10 000 variants, not all of which are checked in advance.
        OutputError: A finished run could not be written, or `out` holds another campaign.
        Interrupted: Ctrl-C; the exception holds the campaign with its finished runs.
    """
    shard = arguments.pair("shard", shard)
    jobs = None if jobs is None else arguments.at_least_one("jobs", jobs)
    threads = _threads(threads, dask)
    each = None if memory is None else parsed(memory)
    folder = None if out is None else arguments.path("out", out)
    condition = None if until is None else Until.parsed(arguments.text("until", until))
    if condition:
        if shard != (1, 1):
            raise InputError("found a condition for the end and a shard, expected one of both")
        runs = MOST_RUNS if runs == 1 else runs
    named = arguments.by_key("vary", {} if vary is None else vary)
    varied = {key: values_of(key, values) for key, values in named.items()}
    _refuse_both(varied, set or {})
    bases = _named(scenario, set or {}, trust=trust)
    first = first_seed(next(iter(bases.values())), seed, runs=runs)
    plan = Plan(bases=bases, varied=varied, first=first, runs=runs, is_zipped=zip, shard=shard)
    plan.check()

    def made(task: Task) -> Results:
        return run_once(task.scenario, task.seed, threads)

    making = _Making(plan, condition, jobs, progress, memory=memory)
    if folder is None:
        if dask is not None:
            raise InputError("found a cluster and no folder, expected --out for its results")
        return making.collected(Held(plan) if tables else Summarised(plan), made)
    store = Store(folder)
    store.claim(plan.subject, map(name_of_task, plan))

    def kept(task: Task) -> Results:
        found = store.get(task)
        return store.put(task, made(task)) if found is None else found

    if dask is not None:
        making = replace(making, cluster=_Cluster(dask, store, each, security))
    campaign = making.collected(Stored(plan, store), kept)
    with stage("saving the results"):
        campaign.save(folder)
    return campaign


@dataclass(frozen=True)
class _Cluster:
    """A Dask cluster that makes the runs, and the local store that keeps them."""

    address: str
    store: Store
    memory: int | None
    security: object = None

    def made(
        self, tasks: Iterable[tuple[int, Task]], jobs: int | None
    ) -> Iterator[tuple[int, Results | MemoryLimitError]]:
        """Yields runs with their numbers: runs found in the store, and runs of the cluster."""
        from uplane.campaign import cluster

        found: list[tuple[int, Results]] = []

        def missing() -> Iterator[tuple[int, Task]]:
            for index, task in tasks:
                results = self.store.get(task)
                if results is None:
                    yield index, task
                else:
                    found.append((index, results))

        made = cluster.made(
            missing(),
            self.address,
            self.store.receive,
            jobs=jobs,
            memory=self.memory,
            security=self.security,
        )
        for index, results in made:
            yield index, results
            yield from found
            found.clear()
        yield from found


@dataclass(frozen=True)
class _Making:
    """The making of a plan's runs: condition, parallelism, limits and failures."""

    plan: Plan
    until: Until | None
    jobs: int | None
    progress: Progress | None
    memory: str | int | None = None
    cluster: _Cluster | None = None
    failed: dict[int, MemoryLimitError] = field(default_factory=dict)

    def collected(self, runs: Finished, do: Callable[[Task], Results]) -> Campaign:
        """Returns the campaign when all its runs are finished, or the condition holds.

        Raises:
            MemoryLimitError: All runs failed.
        """
        try:
            planned = self._all(runs, do) if self.until is None else self._enough(runs, do)
        except KeyboardInterrupt:
            planned = self.plan.planned
            raise Interrupted(self._campaign(runs, planned)) from None
        if self.failed and not len(runs):
            raise self.failed[min(self.failed)]
        return self._campaign(runs, planned)

    def _campaign(self, runs: Finished, planned: int) -> Campaign:
        failed = dict(sorted(self.failed.items()))
        return Campaign(vary=self.plan.vary, runs=runs, planned=planned, failed=failed)

    def _all(self, runs: Finished, do: Callable[[Task], Results]) -> int:
        self._take(runs, self.plan.numbered(), do, self.plan.planned)
        return self.plan.planned

    def _enough(self, runs: Finished, do: Callable[[Task], Results]) -> int:
        """Adds the next seeds to all variants until the condition holds."""
        assert self.until is not None, "else all are made"  # noqa: S101
        made = 0
        for count in looks(self.plan.runs):
            planned = self.plan.variants * count
            self._take(runs, self.plan.numbered(range(made, count)), do, planned)
            made = count
            if not len(runs):
                break
            if self.until.is_reached(runs.samples()):
                break
        return self.plan.variants * made

    def _made(
        self,
        runs: Finished,
        tasks: Iterable[tuple[int, Task]],
        do: Callable[[Task], Results],
        planned: int,
    ) -> "Iterator[_Measured]":
        """Yields the runs in the order of completion, with their metrics."""

        def measured(index: int, results: Results | MemoryLimitError) -> _Measured:
            if isinstance(results, MemoryLimitError):
                return index, results, None
            return index, results, runs.measured(results)

        def numbered(entry: tuple[int, Task]) -> _Measured:
            # In the thread that made the run: the one that collects them has all runs to take.
            try:
                return measured(entry[0], do(entry[1]))
            except MemoryLimitError as error:
                return entry[0], error, None

        if self.cluster is not None:
            return starmap(measured, self.cluster.made(tasks, self.jobs))
        # No more threads than runs: each has a part of the memory. A shard can be empty.
        jobs = max(min(self.jobs or pool.default_jobs(), planned), 1)
        work = pool.work(tasks, numbered, jobs=jobs, memory=self.memory)
        return (result for _, result in work)

    def _take(
        self,
        runs: Finished,
        tasks: Iterable[tuple[int, Task]],
        do: Callable[[Task], Results],
        planned: int,
    ) -> None:
        for index, results, metrics in self._made(runs, tasks, do, planned):
            if isinstance(results, MemoryLimitError):
                self.failed[index] = results
            else:
                runs.add(index, results, metrics)
            if self.progress:
                self.progress(len(runs) + len(self.failed), planned)


_Measured = tuple[int, Results | MemoryLimitError, Metrics | None]
"""The number of a run, its results or its failure, and its metrics if already computed."""


def _named(
    scenarios: Scenarios, settings: Mapping[str, object], *, trust: bool
) -> dict[str, Scenario]:
    """Returns scenarios by file name, or by path if file names are equal."""

    def laid_over(one: ScenarioLike) -> Scenario:
        return as_scenario(one, trust=trust).with_settings(settings)

    if isinstance(scenarios, Mapping):
        return {name: laid_over(it) for name, it in scenarios.items()}
    if isinstance(scenarios, Sequence) and not isinstance(scenarios, str):
        several: Sequence[ScenarioLike] = scenarios
    else:
        several = [scenarios]
    laid = [laid_over(it) for it in several]
    sources = [it.source for it in laid]
    stems = [Path(source).stem for source in sources]
    names = stems if len({*stems}) == len(stems) else sources
    if not laid or len({*names}) < len(names):
        said = ", ".join(sources) or "nothing"
        raise InputError(f"found {said}, expected scenarios with different names")
    return dict(builtins.zip(names, laid, strict=True))


def _threads(given: int, dask: str | None) -> int:
    """Returns the number of threads of each run; a cluster's workers support only one."""
    threads = arguments.at_least_one("threads", given)
    if dask is not None and threads > 1:
        raise InputError(f"found a cluster and {threads} threads, expected one of both")
    return threads


def _refuse_both(varied: Mapping[str, object], settings: Mapping[str, object]) -> None:
    """Refuses keys that are both set and varied: one of both would be lost."""
    for key in settings:
        for other in varied:
            if key == other:
                raise InputError(f"{key} is both set and varied, expected one of both")
            if key.startswith(f"{other}."):
                raise InputError(f"{key} is set and {other} is varied, expected one of both")
