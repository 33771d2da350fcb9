"""What is kept of finished runs: their tables in memory or in files, or what they say in sum.

In: the results of each run, in the order in which they are ready. Out: runs in the order of the
plan, the rows of one table of all of them, and the values that their summary is made of.
"""

from abc import abstractmethod
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from uplane.campaign.plan import Plan
from uplane.campaign.store import Store, name_of
from uplane.errors import InputError, OutputError
from uplane.results import Results
from uplane.warned import together, warned

if TYPE_CHECKING:
    import polars

__all__ = ["Finished", "Held", "Run", "Stored", "Summarised"]

SUMMARISED_AT_ONCE = 200
"""Runs whose tables are summarised together, some 5 ms for all of them instead of for each."""

ROWS_AT_ONCE = 100_000
"""Rows of tables that are not summarised yet: some 20 MB."""

GONE = "the tables of this campaign were not kept, only its summary; `out` keeps them in files"


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


class Finished(Sequence[Run]):
    """Finished runs of a plan: what all kinds of them know.

    Attributes:
        plan: All runs that there may be.
        cpu_s: The CPU time of all runs, whenever they were made.
        warned: What runs warned of, in rows with the number of the run.
        first: The manifest of the first run, in the order of the plan.
    """

    def __init__(self, plan: Plan) -> None:
        """No run is finished yet."""
        self.plan = plan
        self.cpu_s = 0.0
        self.warned: list[polars.DataFrame] = []
        self.first: Mapping[str, Any] = {}
        self._indices = array("Q")
        self._order: array[int] | None = None

    def add(self, index: int, results: Results) -> None:
        """Takes the run of this number.

        Ctrl-C may come in any call in here: the run counts with the last line, or not at all.
        """
        manifest = results.manifest
        told = [*self.warned, *warned(index, results["warnings"])]
        if len(told) > SUMMARISED_AT_ONCE:
            told = together(told)
        cpu_s = self.cpu_s + manifest["cpu_s"]
        first = manifest if index < min(self._indices, default=index + 1) else self.first
        self._keep(index, results)
        self.warned, self.cpu_s, self.first, self._order = told, cpu_s, first, None
        self._indices.append(index)

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
        """How many rows of a table each run has, and all of them, in the order of the plan."""

    def values(self) -> "polars.DataFrame":
        """What each run gives to the summary; see `uplane.summary.values_of`."""
        from uplane.summary import TABLES, values_of

        return values_of(self.indices, {table: self.rows(table) for table in TABLES})

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
            settings=self.plan.settings(index),
            seed=self.plan.seed(index),
            load=partial(self._load, place),
        )

    @abstractmethod
    def _keep(self, index: int, results: Results) -> None:
        """Keeps the results of a run."""

    @abstractmethod
    def _load(self, place: int) -> Results:
        """The results of the run at this place."""

    @property
    def _in_order(self) -> "array[int]":
        """Places in the order of the plan; runs come in the order in which they are ready."""
        if self._order is None:
            self._order = array("Q", sorted(range(len(self)), key=self._indices.__getitem__))
        return self._order


class Held(Finished):
    """Runs with all their tables in memory."""

    def __init__(self, plan: Plan) -> None:
        """No run is finished yet."""
        super().__init__(plan)
        self._results: list[Results] = []

    def rows(self, table: str) -> "tuple[list[int], polars.DataFrame]":
        """How many rows of a table each run has, and all of them."""
        import polars

        tables = [self._results[place][table] for place in self._in_order]
        rows = polars.concat([each.to_polars() for each in tables])
        return [len(each) for each in tables], rows

    def _keep(self, index: int, results: Results) -> None:
        del index
        self._results.append(results)

    def _load(self, place: int) -> Results:
        return self._results[place]


class Stored(Finished):
    """Runs whose tables are in a store: some 200 bytes of memory each."""

    def __init__(self, plan: Plan, store: Store) -> None:
        """No run is finished yet."""
        super().__init__(plan)
        self._store = store
        self._names = bytearray()
        self._rows: dict[str, array[int]] = {}

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

    def _keep(self, index: int, results: Results) -> None:
        """The store has verified it."""
        del index
        self._names += bytes.fromhex(name_of(results.manifest))
        for table in results:
            self._rows.setdefault(table.name, array("Q")).append(table.rows)

    def _load(self, place: int) -> Results:
        return self._store.reread(self._folder(place).name)

    def _folder(self, place: int) -> Path:
        return self._store.place(self._names[16 * place : 16 * (place + 1)].hex())


class Summarised(Finished):
    """Runs of which nothing but their summary is kept: some 30 bytes a metric and run."""

    def __init__(self, plan: Plan) -> None:
        """No run is finished yet."""
        super().__init__(plan)
        self._waiting: list[tuple[int, list[polars.DataFrame]]] = []
        self._values: list[polars.DataFrame] = []
        self._height = 0

    def rows(self, table: str) -> "tuple[list[int], polars.DataFrame]":
        """They are gone."""
        del table
        raise InputError(GONE)

    def values(self) -> "polars.DataFrame":
        """What each run gives to the summary."""
        import polars

        self._summarise()
        self._values = [polars.concat(self._values)]
        return self._values[0].filter(polars.col("run").is_in(self.indices))

    def _keep(self, index: int, results: Results) -> None:
        from uplane.summary import TABLES

        frames = [results[table].to_polars() for table in TABLES]
        self._waiting.append((index, frames))
        self._height += sum(map(len, frames))
        if len(self._waiting) >= SUMMARISED_AT_ONCE or self._height >= ROWS_AT_ONCE:
            self._summarise()

    def _summarise(self) -> None:
        import polars

        from uplane.summary import TABLES, values_of

        if self._waiting:
            runs, frames = zip(*self._waiting, strict=True)
            tables = {
                table: (list(map(len, rows)), polars.concat(rows))
                for table, rows in zip(TABLES, zip(*frames, strict=True), strict=True)
            }
            values = [*self._values, values_of(runs, tables)]
            self._values, self._waiting, self._height = values, [], 0

    def _load(self, place: int) -> Results:
        del place
        raise InputError(GONE)
