"""What a campaign gave: its finished runs, their tables together, and their summary.

In: finished runs, in memory or in a store. Out: one frame a table, campaign files, a report.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, overload

from uplane.campaign.plan import Plan
from uplane.campaign.store import Store, name_of
from uplane.errors import OutputError
from uplane.results import Results
from uplane.runner import made_by
from uplane.warned import gathered

if TYPE_CHECKING:
    import polars

__all__ = ["Campaign", "Run", "StoredRuns"]


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run of a campaign.

    Attributes:
        settings: What was varied, with its value in this run.
        seed: The seed.
        load: Gives the results: those in a store are read when they are asked for.
    """

    settings: Mapping[str, object]
    seed: int
    load: Callable[[], Results] = field(repr=False, compare=False)

    @cached_property
    def results(self) -> Results:
        """What the run gave."""
        return self.load()


class StoredRuns(Sequence[Run]):
    """Finished runs of a plan that are in a store: some 200 bytes of memory each."""

    def __init__(self, plan: Plan, store: Store) -> None:
        """No run is finished yet."""
        self.cpu_s = 0.0
        self.warnings: dict[int, list[str]] = {}
        self._plan, self._store = plan, store
        self._indices = array("Q")
        self._names = bytearray()
        self._rows: dict[str, array[int]] = {}
        self._order: array[int] | None = None

    def add(self, index: int, results: Results) -> None:
        """Takes the run of this number, which the store has verified."""
        manifest = results.manifest
        if warnings := results.warnings:
            self.warnings[index] = warnings
        self.cpu_s += manifest["cpu_s"]
        self._indices.append(index)
        self._names += bytes.fromhex(name_of(manifest))
        for table in results:
            self._rows.setdefault(table.name, array("Q")).append(table.rows)
        self._order = None

    def rows(self, table: str) -> "tuple[list[int], polars.DataFrame]":
        """How many rows of a table each run has, and all of them; read by all cores."""
        import polars

        lengths = [self._rows[table][place] for place in self._in_order]
        paths = [self._folder(place) / f"{table}.parquet" for place in self._in_order]
        try:
            rows = polars.read_parquet(paths, glob=False)
        except (OSError, polars.exceptions.PolarsError) as error:
            message = f"cannot read the tables {table} of {self._store.folder}: {error}"
            raise OutputError(message) from error
        if len(rows) != sum(lengths):
            message = f"a table {table} of {self._store.folder} has changed since it was verified"
            raise OutputError(message)
        return lengths, rows

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables that every run has."""
        return tuple(self._rows)

    def __len__(self) -> int:
        """How many runs are finished."""
        return len(self._indices)

    @overload
    def __getitem__(self, number: int) -> Run: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Run]: ...
    def __getitem__(self, number: int | slice) -> Run | Sequence[Run]:
        """The run of this number, of those that are finished."""
        if isinstance(number, slice):
            return [self[each] for each in range(len(self))[number]]
        place = self._in_order[number]
        index = self._indices[place]
        return Run(
            settings=self._plan.settings(index),
            seed=self._plan.seed(index),
            load=partial(self._store.reread, self._folder(place).name),
        )

    def _folder(self, place: int) -> Path:
        return self._store.place(self._names[16 * place : 16 * (place + 1)].hex())

    @property
    def _in_order(self) -> "array[int]":
        """Places in the order of the plan; runs come in the order in which they are ready."""
        if self._order is None:
            self._order = array("Q", sorted(range(len(self)), key=self._indices.__getitem__))
        return self._order


@dataclass(frozen=True, kw_only=True)
class Campaign:
    """The finished runs of a campaign, variant by variant and seed by seed.

    Attributes:
        vary: The settings that were varied, with all their values.
        runs: All finished runs, in order.
        planned: How many runs the campaign has when it is complete.
    """

    vary: Mapping[str, Sequence[object]]
    runs: Sequence[Run] = field(repr=False)
    planned: int

    def __getitem__(self, table: str) -> "polars.DataFrame":
        """The rows of one table of all runs, with the varied settings and the seed in front."""
        import polars

        lengths, rows = self._rows(table)
        repeats = polars.Series(lengths, dtype=polars.UInt32)
        repeated = polars.Series(range(len(lengths)), dtype=polars.UInt32).repeat_by(repeats)
        keys = self._keys[repeated.explode(empty_as_null=False)]
        return keys.hstack(rows.drop("seed", strict=False))

    @cached_property
    def _keys(self) -> "polars.DataFrame":
        """The settings and the seed of each run."""
        import polars

        return polars.DataFrame(
            {
                **{key: [run.settings[key] for run in self.runs] for key in self.vary},
                "seed": polars.Series([run.seed for run in self.runs], dtype=polars.UInt64),
            },
            strict=False,
        )

    def _rows(self, table: str) -> "tuple[list[int], polars.DataFrame]":
        """How many rows each run has, and all of them."""
        import polars

        if isinstance(self.runs, StoredRuns):
            return self.runs.rows(table)
        tables = [run.results[table] for run in self.runs]
        return [len(rows) for rows in tables], polars.concat([each.to_polars() for each in tables])

    def __iter__(self) -> Iterator[Run]:
        """All finished runs."""
        return iter(self.runs)

    def __len__(self) -> int:
        """How many runs are finished."""
        return len(self.runs)

    @property
    def warnings(self) -> list[str]:
        """What a user should know about these runs, each once, and of how many runs it is true."""
        told = [(text, run) for run, texts in sorted(self._warned().items()) for text in texts]
        return [
            text if len(runs) == len(self) else f"{text}, in {len(runs)} of {len(self)} runs"
            for text, runs in gathered(told).items()
        ]

    def _warned(self) -> Mapping[int, Sequence[str]]:
        """What each run warned of."""
        if isinstance(self.runs, StoredRuns):
            return self.runs.warnings
        return {number: run.results.warnings for number, run in enumerate(self.runs)}

    @property
    def cpu_s(self) -> float:
        """The CPU time of all runs, whenever they were made."""
        if isinstance(self.runs, StoredRuns):
            return self.runs.cpu_s
        return fsum(run.results.manifest["cpu_s"] for run in self.runs)

    def summary(self) -> "polars.DataFrame":
        """Mean and 95 % interval of every metric of every variant; see `uplane.summary`."""
        from uplane.summary import summarise

        return summarise(self)

    def save(self, folder: str | Path) -> Path:
        """Writes `campaign.json`, the tables of all runs and their summary into `folder`.

        Raises:
            OutputError: The folder cannot be written.
        """
        from uplane import files

        folder = Path(folder)
        frames = {table: self[table] for table in self._tables} if self.runs else {}
        frames["summary"] = self.summary()
        written = {
            name: files.write_frame(frame, folder / f"{name}.parquet")
            for name, frame in frames.items()
        }
        files.write_json({**self._manifest(), "tables": written}, folder / "campaign.json")
        return folder

    @property
    def _tables(self) -> Sequence[str]:
        if isinstance(self.runs, StoredRuns):
            return self.runs.tables
        return tuple(self.runs[0].results.tables)

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
            "format": 2,
            **made_by(),
            "source": first.get("source"),
            "scenario": first.get("scenario"),
            "vary": {key: list(values) for key, values in self.vary.items()},
            "seeds": sorted({run.seed for run in self.runs}),
            "planned": self.planned,
            "finished": len(self.runs),
            "cpu_s": round(self.cpu_s, 6),
            "warnings": self.warnings,
        }
