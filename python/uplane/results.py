"""What one run gave: tables, warnings and the manifest that says how it was made.

In: the simulator's tables, or a run folder. Out: frames of polars or pandas, and a run folder.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uplane.errors import OutputError

if TYPE_CHECKING:
    import pandas
    import polars

    from uplane import _core

__all__ = ["Results", "Table"]


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table of a run; any reader of Arrow streams takes it as it is.

    Attributes:
        name: What the table is called.
        doc: What one row is.
        columns: What a value of each column means, by the column's name.
        rows: How many rows there are.
    """

    name: str
    doc: str
    columns: Mapping[str, str] = field(repr=False)
    rows: int
    origin: "_core.Table | Path" = field(repr=False, compare=False)

    def to_polars(self) -> "polars.DataFrame":
        """The rows as a frame of polars.

        Raises:
            OutputError: The file of the table is not what the manifest says.
        """
        import polars

        if not isinstance(self.origin, Path):
            return polars.DataFrame(self.origin)
        try:
            frame = polars.read_parquet(self.origin, glob=False)
        except (OSError, polars.exceptions.PolarsError) as error:
            message = f"cannot read {self.origin}: {error}"
            raise OutputError(message) from error
        if (frame.height, frame.columns) != (self.rows, list(self.columns)):
            message = f"cannot use {self.origin}: rows or columns are not what the manifest says"
            raise OutputError(message)
        return frame

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a frame of pandas, which has to be installed."""
        import pandas

        frame = self.to_polars()
        return pandas.DataFrame({column.name: column.to_numpy() for column in frame})

    def __len__(self) -> int:
        """How many rows there are."""
        return self.rows

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows as an Arrow stream."""
        if isinstance(self.origin, Path):
            return self.to_polars().__arrow_c_stream__(requested_schema)
        return self.origin.__arrow_c_stream__(requested_schema)


@dataclass(frozen=True, kw_only=True)
class Results:
    """The results of one run: `results["transfers"]` or `results.transfers`.

    Attributes:
        tables: All tables by name.
        manifest: How the run was made: scenario with every value in effect, seed, version, times.
    """

    tables: Mapping[str, Table]
    manifest: Mapping[str, Any] = field(repr=False)

    @property
    def seed(self) -> int:
        """The seed of the run."""
        return int(self.manifest["seed"])

    @property
    def warnings(self) -> list[str]:
        """What a user should know about this run."""
        return list(self.manifest["warnings"])

    @property
    def events(self) -> int:
        """How many events the run took."""
        return int(self.manifest["events"])

    def __getitem__(self, name: str) -> Table:
        """The table called `name`."""
        try:
            return self.tables[name]
        except KeyError:
            message = f"no table {name!r}; there are {', '.join(self.tables)}"
            raise KeyError(message) from None

    def __getattr__(self, name: str) -> Table:
        """The table called `name`, as an attribute."""
        if name.startswith("_") or name not in self.tables:
            message = f"Results has no attribute or table {name!r}"
            raise AttributeError(message)
        return self.tables[name]

    def __iter__(self) -> Iterator[Table]:
        """All tables."""
        return iter(self.tables.values())

    def save(self, folder: str | Path) -> Path:
        """Writes the run folder: `manifest.json` and one Parquet file a table.

        Raises:
            OutputError: The folder cannot be written, or it holds a run of another scenario.
                Nothing is left behind.
        """
        from uplane import folder as run_folder

        return run_folder.write(self, Path(folder))

    @staticmethod
    def load(folder: str | Path) -> "Results":
        """Reads a run folder back.

        Raises:
            OutputError: There is no run folder, or something in it has changed.
        """
        from uplane import folder as run_folder

        return run_folder.read(Path(folder))
