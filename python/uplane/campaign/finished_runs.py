"""Finished runs as a campaign keeps them: tables in memory or in files, or only metrics.

In: the results of each run, in the order in which they are ready. Out: runs in the order of the
plan, the rows of one table of all of them, and the samples that their summary is made of.
"""

from abc import abstractmethod
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from uplane import files
from uplane.analysis.limits import limits_of
from uplane.analysis.metrics import COLUMNS, Key, metrics_of
from uplane.analysis.samples import Sample, Values
from uplane.campaign.plan import Design
from uplane.campaign.store import Store, name_of
from uplane.errors import InputError, OutputError
from uplane.merged_warnings import Warned, sentences, warnings_of
from uplane.results import Results

if TYPE_CHECKING:
    import polars

__all__ = ["Finished", "Held", "Metrics", "Run", "Stored", "Summarised"]

Metrics = Mapping[Key, float]
"""The metrics of one run."""

MANIFESTS = 1000
"""Maximum number of variants whose manifest is kept."""

GONE = "the tables of this campaign were not kept, only its summary; `out` keeps them in files"


@dataclass(frozen=True, kw_only=True)
class Run:
    """A finished run of a campaign.

    Attributes:
        settings: The varied keys and their values in this run.
        seed: The seed.
        load: Returns the results; results in a store are read on demand.
    """

    settings: Mapping[str, object]
    seed: int
    load: Callable[[], Results] = field(repr=False, compare=False)

    @cached_property
    def results(self) -> Results:
        """The results of the run, read on demand."""
        return self.load()


class Finished(Sequence[Run]):
    """Finished runs of a plan: the common part of all ways to keep them.

    Attributes:
        plan: All runs that there may be.
        first: The manifest of the first run, in the order of the plan.
    """

    def __init__(self, plan: Design) -> None:
        """Starts without finished runs."""
        self.plan = plan
        # In whole microseconds: runs end in any order, and their sum shall not depend on it.
        self._cpu_us = 0
        self.first: Mapping[str, Any] = {}
        self._warned: dict[int, list[Warned]] = {}
        self._limits: dict[int, list[Warned]] = {}
        self._manifests: dict[int, Mapping[str, Any]] = {}
        self._indices = array("Q")
        self._order: array[int] | None = None

    def measured(self, results: Results) -> Metrics | None:
        """Returns the metrics of a run, if they are computed now; threads call it in parallel."""
        return metrics_of(results.tables)

    def add(self, index: int, results: Results, metrics: Metrics | None = None) -> None:
        """Adds the run of this number, with the metrics that `measured` returned.

        Ctrl-C may come in any call in here: the run counts with the last line, or not at all.
        """
        manifest = results.manifest
        if warnings := warnings_of(results["warnings"]):
            self._warned[index] = warnings
        if found := limits_of(results):
            self._limits[index] = found
        cpu_us = self._cpu_us + round(1e6 * manifest["cpu_s"])
        first = manifest if index < min(self._indices, default=index + 1) else self.first
        self._keep(index, results, metrics or self.measured(results))
        if len(self._manifests) < MANIFESTS:
            self._manifests.setdefault(index // self.plan.runs, manifest)
        self._cpu_us, self.first, self._order = cpu_us, first, None
        self._indices.append(index)

    @property
    def cpu_s(self) -> float:
        """The CPU time of all runs, whenever they were made."""
        return self._cpu_us / 1e6

    @property
    def indices(self) -> Sequence[int]:
        """The numbers of the finished runs, in order."""
        return [self._indices[place] for place in self._in_order]

    @property
    def seeds(self) -> list[int]:
        """The seeds of the finished runs, each once."""
        return sorted(set(map(self.plan.seed, self._indices)))

    @property
    def tables(self) -> Sequence[str]:
        """The names of the tables that every run has."""
        return tuple(self.first.get("tables", ()))

    @abstractmethod
    def rows(self, table: str) -> "tuple[list[int], polars.DataFrame]":
        """Returns the number of rows of a table in each run, and all rows, in plan order."""

    def manifest_of(self, variant: int) -> Mapping[str, Any]:
        """Returns the manifest of a run of this variant.

        Raises:
            InputError: The campaign has too many variants to keep every manifest.
        """
        if variant not in self._manifests:
            raise InputError(f"no run of the variant {variant} is at hand")
        return self._manifests[variant]

    @property
    def warnings(self) -> dict[str, list[int]]:
        """Each warning once, in words, with the numbers of the runs that gave it."""
        return self._sentences(self._warned)

    @property
    def limits(self) -> dict[str, list[int]]:
        """Each limit that held data back once, in words, with the numbers of the runs."""
        return self._sentences(self._limits)

    def limits_of(self, variant: int) -> list[str]:
        """Returns the limits that held data back in the runs of one variant, in words."""
        first = variant * self.plan.runs
        own = range(first, first + self.plan.runs)
        return list(self._sentences({index: self._limits.get(index, ()) for index in own}))

    def _sentences(self, texts: Mapping[int, Sequence[Warned]]) -> dict[str, list[int]]:
        done = set(self._indices)
        return sentences(
            (index, row) for index, rows in texts.items() if index in done for row in rows
        )

    def samples(self) -> list[Sample]:
        """Returns a sample for each variant, subject and metric; see `uplane.analysis.metrics`."""
        return self._metrics().samples(self.plan.runs, self.indices)

    @abstractmethod
    def _metrics(self) -> Values:
        """Returns the metrics of all runs."""

    def __len__(self) -> int:
        """Returns the number of finished runs."""
        return len(self._indices)

    @overload
    def __getitem__(self, number: int) -> Run: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Run]: ...
    def __getitem__(self, number: int | slice) -> Run | Sequence[Run]:
        """Returns the finished run with this position in plan order."""
        if isinstance(number, slice):
            return [self[each] for each in range(len(self))[number]]
        place = self._in_order[number]
        index = self._indices[place]
        return Run(
            settings=self.plan.settings(index),
            seed=self.plan.seed(index),
            load=partial(self._load, place),
        )

    @abstractmethod
    def _keep(self, index: int, results: Results, metrics: Metrics | None) -> None:
        """Keeps the results of a run."""

    @abstractmethod
    def _load(self, place: int) -> Results:
        """Returns the results of the run at this place."""

    @property
    def _in_order(self) -> "array[int]":
        """Places in the order of the plan; runs come in the order in which they are ready."""
        if self._order is None:
            self._order = array("Q", sorted(range(len(self)), key=self._indices.__getitem__))
        return self._order


class Summarised(Finished):
    """Runs kept only as metrics: 12 bytes a metric and run."""

    def __init__(self, plan: Design) -> None:
        """Starts without finished runs."""
        super().__init__(plan)
        self._values = Values()

    def rows(self, table: str) -> "tuple[list[int], polars.DataFrame]":
        """Raises `InputError`, because the tables were not kept."""
        del table
        raise InputError(GONE)

    def _metrics(self) -> Values:
        return self._values

    def _keep(self, index: int, results: Results, metrics: Metrics | None) -> None:
        del results
        self._values.add(index, metrics or {})

    def _load(self, place: int) -> Results:
        del place
        raise InputError(GONE)


class Held(Summarised):
    """Runs with all their tables in memory."""

    def __init__(self, plan: Design) -> None:
        """Starts without finished runs."""
        super().__init__(plan)
        self._results: list[Results] = []

    def rows(self, table: str) -> "tuple[list[int], polars.DataFrame]":
        """Returns the number of rows of a table in each run, and all rows."""
        import polars

        tables = [self._results[place][table] for place in self._in_order]
        rows = polars.concat([each.to_polars() for each in tables])
        return [len(each) for each in tables], rows

    def _keep(self, index: int, results: Results, metrics: Metrics | None) -> None:
        super()._keep(index, results, metrics)
        self._results.append(results)

    def _load(self, place: int) -> Results:
        return self._results[place]


class Stored(Finished):
    """Runs whose tables are in a store: some 200 bytes of memory each."""

    def __init__(self, plan: Design, store: Store) -> None:
        """Starts without finished runs."""
        super().__init__(plan)
        self._store = store
        self._names = bytearray()
        self._rows: dict[str, array[int]] = {}
        self._values = Values()
        self._unread: list[int] = []

    def rows(self, table: str) -> "tuple[list[int], polars.DataFrame]":
        """Returns the number of rows of a table in each run, and all rows; reads on all cores."""
        return self._read(table, self._in_order)

    def _read(self, table: str, places: Sequence[int]) -> "tuple[list[int], polars.DataFrame]":
        import polars

        lengths = [self._rows[table][place] for place in places]
        paths = [files.table_file(self._folder(place), table) for place in places]
        try:
            rows = polars.read_parquet(paths, glob=False)
        except (OSError, polars.exceptions.PolarsError) as error:
            message = f"cannot read the tables {table} of {self._store.folder}: {error}"
            raise OutputError(message) from error
        if len(rows) != sum(lengths):
            message = f"a table {table} of {self._store.folder} has changed since it was verified"
            raise OutputError(message)
        return lengths, rows

    def _metrics(self) -> Values:
        """Returns the metrics of all runs; reads the tables of runs found in the store together."""
        unread = [place for place in self._unread if place < len(self)]
        if unread:
            of_table = {}
            # A store of an earlier version lacks the tables that came later.
            known = {table: names for table, names in COLUMNS.items() if table in self._rows}
            for table, names in known.items():
                lengths, rows = self._read(table, unread)
                of_table[table] = _parts(rows.select(names).to_dict(as_series=False), lengths)
            for place in unread:
                tables = {name: next(parts) for name, parts in of_table.items()}
                self._values.add(self._indices[place], metrics_of(tables))
            self._unread = []
        return self._values

    def measured(self, results: Results) -> Metrics | None:
        """Returns the metrics of a new run; a run from the store is measured later, with others."""
        is_read = any(isinstance(table.origin, Path) for table in results)
        return None if is_read else super().measured(results)

    def _keep(self, index: int, results: Results, metrics: Metrics | None) -> None:
        """Keeps the name and the metrics of a run, which the store has verified."""
        if metrics is None:
            self._unread.append(len(self))
        else:
            self._values.add(index, metrics)
        self._names += bytes.fromhex(name_of(results.manifest))
        for table in results:
            self._rows.setdefault(table.name, array("Q")).append(table.rows)

    def _load(self, place: int) -> Results:
        return self._store.reread(self._folder(place).name)

    def _folder(self, place: int) -> Path:
        return self._store.place(self._names[16 * place : 16 * (place + 1)].hex())


@dataclass(frozen=True)
class _Part:
    """A table of one run, of the rows of all runs."""

    columns: Mapping[str, list[Any]]
    start: int
    end: int

    def lists(self, columns: Sequence[str]) -> dict[str, list[Any]]:
        """Returns some columns of this part."""
        return {name: self.columns[name][self.start : self.end] for name in columns}


def _parts(columns: Mapping[str, list[Any]], lengths: Sequence[int]) -> Iterator[_Part]:
    end = 0
    for length in lengths:
        yield _Part(columns, end, end + length)
        end += length
