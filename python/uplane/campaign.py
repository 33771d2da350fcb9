"""Campaigns: one scenario, several variants, several seeds, all cores.

In: a scenario, the settings to vary and the number of runs. Out: the same rows at any number of
workers, each keyed by its settings and its seed.

Every variant gets the same seeds, and the simulator's random streams are named, so two variants
meet the same channel, arrivals and errors: their difference is the variant's.

With a folder given, each finished run lands in a content-addressed store at once. A campaign that
was killed goes on where it stopped, and no run is made twice.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from uplane import pool
from uplane.errors import InputError, ScenarioError, UplaneError
from uplane.results import Results, Table
from uplane.runner import first_seed, made_by, run_once
from uplane.scenario import Scenario, ScenarioLike, as_scenario
from uplane.warned import gathered

if TYPE_CHECKING:
    import polars

__all__ = ["Campaign", "Interrupted", "Progress", "Run", "run", "sweep"]

Progress = Callable[[int, int], object]
"""Is told how many runs are finished, and of how many."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run of a campaign.

    Attributes:
        settings: What was varied, with its value in this run.
        seed: The seed.
        results: What the run gave.
    """

    settings: Mapping[str, object]
    seed: int
    results: Results = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Campaign:
    """The finished runs of a campaign, variant by variant and seed by seed.

    Attributes:
        vary: The settings that were varied, with all their values.
        runs: All finished runs, in order.
        planned: How many runs the campaign has when it is complete.
    """

    vary: Mapping[str, Sequence[object]]
    runs: tuple[Run, ...] = field(repr=False)
    planned: int

    def __getitem__(self, table: str) -> "polars.DataFrame":
        """The rows of one table of all runs, with the varied settings and the seed in front."""
        import polars

        tables = [run.results[table] for run in self.runs]
        keys = polars.DataFrame(
            {
                **{key: [run.settings[key] for run in self.runs] for key in self.vary},
                "seed": polars.Series([run.seed for run in self.runs], dtype=polars.UInt64),
            },
            strict=False,
        )
        lengths = polars.Series([len(rows) for rows in tables], dtype=polars.UInt32)
        repeated = polars.Series(range(len(tables)), dtype=polars.UInt32).repeat_by(lengths)
        rows = _rows(tables).drop("seed", strict=False)
        return keys[repeated.explode(empty_as_null=False)].hstack(rows)

    def __iter__(self) -> Iterator[Run]:
        """All finished runs."""
        return iter(self.runs)

    def __len__(self) -> int:
        """How many runs are finished."""
        return len(self.runs)

    @property
    def warnings(self) -> list[str]:
        """What a user should know about these runs, each once, and of how many runs it is true."""
        told = [(text, n) for n, run in enumerate(self.runs) for text in run.results.warnings]
        return [
            text if len(runs) == len(self) else f"{text}, in {len(runs)} of {len(self)} runs"
            for text, runs in gathered(told).items()
        ]

    def summary(self) -> "polars.DataFrame":
        """Mean and 95 % interval of every metric of every variant; see `uplane.summary`."""
        from uplane.summary import summarise

        return summarise(self)

    def save(self, folder: str | Path) -> Path:
        """Writes `campaign.json`, the tables of all runs and their summary into `folder`.

        Raises:
            OutputError: The folder cannot be written.
        """
        from uplane import folder as files

        folder = Path(folder)
        for table in self.runs[0].results.tables if self.runs else ():
            files.write_frame(self[table], folder / f"{table}.parquet")
        files.write_frame(self.summary(), folder / "summary.parquet")
        files.write_json(self._manifest(), folder / "campaign.json")
        return folder

    def report(self, path: str | Path) -> Path:
        """Writes one HTML page with tables, curves and bars; see `uplane.report`.

        Args:
            path: An HTML file, or a folder for `report.html`.

        Raises:
            InputError: No run is finished.
            OutputError: The file cannot be written.
        """
        from uplane import report

        return report.write_runs(self, Path(path))

    def _manifest(self) -> dict[str, object]:
        first = self.runs[0].results.manifest if self.runs else {}
        return {
            "kind": "campaign",
            "format": 1,
            **made_by(),
            "source": first.get("source"),
            "scenario": first.get("scenario"),
            "vary": {key: list(values) for key, values in self.vary.items()},
            "seeds": sorted({run.seed for run in self.runs}),
            "planned": self.planned,
            "finished": len(self.runs),
            "cpu_s": round(sum(run.results.manifest["cpu_s"] for run in self.runs), 6),
            "warnings": self.warnings,
        }


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a campaign; `campaign` holds the runs that were finished."""

    def __init__(self, campaign: Campaign) -> None:
        """Keeps what was finished."""
        super().__init__()
        self.campaign = campaign


def run(
    scenario: ScenarioLike,
    *,
    vary: Mapping[str, Sequence[object]] | None = None,
    runs: int = 1,
    seed: int | None = None,
    set: Mapping[str, object] | None = None,  # noqa: A002 - the name of the command's option
    jobs: int | None = None,
    out: str | Path | None = None,
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
        out: Folder of the store. Finished runs found there are not run again.
        progress: Is called after each run.

    Raises:
        InputError: The options make no sense.
        ScenarioError: A variant cannot be simulated; then nothing has been run.
        OutputError: A finished run could not be written.
        Interrupted: Ctrl-C; the exception holds what was finished.
    """
    if runs < 1:
        message = f"a campaign needs at least one run, not {runs}"
        raise InputError(message)
    base = as_scenario(scenario).with_settings(set or {})
    first = first_seed(base, seed, runs=runs)
    vary = dict(vary or {})
    tasks = [
        _Task(settings=settings, scenario=variant, seed=first + number)
        for settings, variant in _variants(base, vary)
        for number in range(runs)
    ]
    if out is None:
        return _collect(vary, tasks, _run, jobs, progress)
    store = _Store(Path(out))
    store.claim()
    campaign = _collect(vary, tasks, store.run, jobs, progress)
    campaign.save(out)
    return campaign


sweep = run


@dataclass(frozen=True, kw_only=True)
class _Task:
    settings: Mapping[str, object]
    scenario: Scenario
    seed: int


def _variants(
    base: Scenario, vary: Mapping[str, Sequence[object]]
) -> Iterator[tuple[dict[str, object], Scenario]]:
    for key, values in vary.items():
        if key == "seed":
            message = "seeds are not varied: `seed` and `runs` say which ones every variant gets"
            raise InputError(message)
        if not (_is_list(values) and values):
            message = f"{key} is varied over a list of values, not over {values!r}"
            raise InputError(message)
        if twice := [value for place, value in enumerate(values) if value in values[:place]]:
            message = f"{key} is varied over {twice[0]!r} twice, and each variant is run once"
            raise InputError(message)
    for combination in product(*vary.values()):
        settings = dict(zip(vary, combination, strict=True))
        yield settings, _varied(base, settings)


def _is_list(values: object) -> bool:
    """A text is a sequence too, but one value."""
    return isinstance(values, Sequence) and not isinstance(values, str)


def _varied(base: Scenario, settings: Mapping[str, object]) -> Scenario:
    """The scenario with these values; an error names what varies it, not what sets it."""
    try:
        return base.with_settings(settings)
    except ScenarioError as error:
        if error.file == "--set" and error.key in settings:
            raise error.found_in("--vary") from None
        raise


def _collect(
    vary: Mapping[str, Sequence[object]],
    tasks: Sequence[_Task],
    do: Callable[[_Task], Results],
    jobs: int | None,
    progress: Progress | None,
) -> Campaign:
    done: dict[int, Results] = {}

    def campaign() -> Campaign:
        finished = (
            Run(settings=tasks[index].settings, seed=tasks[index].seed, results=done[index])
            for index in sorted(done)
        )
        return Campaign(vary=vary, runs=tuple(finished), planned=len(tasks))

    try:
        for index, results in pool.work(tasks, do, jobs=jobs):
            done[index] = results
            if progress:
                progress(len(done), len(tasks))
    except KeyboardInterrupt:
        raise Interrupted(campaign()) from None
    return campaign()


def _run(task: _Task) -> Results:
    return run_once(task.scenario, task.seed)


@dataclass(frozen=True)
class _Store:
    """Finished runs, each in a folder named by a digest of all that decides its result."""

    folder: Path

    def claim(self) -> None:
        """Makes sure that the folder is there and can be written."""
        from uplane import folder as files

        files.claim(self.folder, is_ours=lambda folder: (folder / "runs").is_dir())
        (self.folder / "runs").mkdir(parents=True, exist_ok=True)

    def run(self, task: _Task) -> Results:
        """The run from the store, or run now and stored."""
        place = self.folder / "runs" / self.name(task)
        try:
            return Results.load(place)
        except UplaneError:
            self._write(_run(task), place)
        # Read back, so that only the files hold the tables of a large campaign.
        return Results.load(place)

    @staticmethod
    def _write(results: Results, place: Path) -> None:
        from uplane import folder as files

        # Whatever has this name is ours, damaged as it may be.
        files.write(results, place, is_ours=lambda _: True)

    @staticmethod
    def name(task: _Task) -> str:
        """The digest of scenario, seed, version and build."""
        made = made_by()
        decides = [task.scenario.effective, task.seed, made["version"], made["build"]]
        text = json.dumps(decides, sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()[:32]


def _rows(tables: Sequence[Table]) -> "polars.DataFrame":
    """The rows of all tables, one after the other; files are read together, by all cores."""
    import polars

    paths = [table.origin for table in tables if isinstance(table.origin, Path)]
    if paths and len(paths) == len(tables):
        return polars.read_parquet(paths, glob=False)
    return polars.concat([table.to_polars() for table in tables])
