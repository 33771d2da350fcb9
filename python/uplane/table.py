"""One table of a run, as frames of polars or pandas, or as an Arrow stream.

In: a table of the simulator, or the file of one. Out: its rows.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uplane.errors import OutputError

if TYPE_CHECKING:
    import pandas
    import polars

    from uplane import _core

__all__ = ["Table", "alike"]


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
        """Returns the rows as a frame of polars.

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
        """Returns the rows as a frame of pandas, which has to be installed."""
        import pandas

        frame = self.to_polars()
        return pandas.DataFrame({column.name: column.to_numpy() for column in frame})

    def lists(self, columns: Sequence[str]) -> dict[str, list[Any]]:
        """Returns some columns as lists, without a library for frames if the table is in memory.

        Raises:
            KeyError: The table has no such column.
            OutputError: The file of the table is not what the manifest says.
        """
        if not isinstance(self.origin, Path):
            return self.origin.lists(columns)
        for name in columns:
            if name not in self.columns:
                raise KeyError(name)
        return self.to_polars().select(columns).to_dict(as_series=False)

    def __getitem__(self, name: str) -> "polars.Series":
        """Returns the column called `name`, as a column of polars.

        Raises:
            KeyError: The table has no such column.
            OutputError: The file of the table is not what the manifest says.
        """
        if name not in self.columns:
            there = f"there are {', '.join(self.columns)}"
            raise KeyError(f"no column {name!r} in {self.name}; {there}{alike(name, self.columns)}")
        return self.to_polars()[name]

    def __iter__(self) -> Iterator[str]:
        """Iterates over the names of the columns, which `in` uses too, as in pandas."""
        return iter(self.columns)

    def head(self, rows: int = 5) -> "polars.DataFrame":
        """Returns the first rows, as a frame of polars."""
        return self.to_polars().head(rows)

    def _repr_html_(self) -> str:
        """Returns the meaning of a row, and the first and last rows, for a notebook."""
        head = f"<p><b>{escape(self.name)}</b>: {escape(self.doc)}</p>"
        return head + str(self.to_polars()._repr_html_())

    def __len__(self) -> int:
        """Returns the number of rows."""
        return self.rows

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Returns the rows as an Arrow stream."""
        if isinstance(self.origin, Path):
            return self.to_polars().__arrow_c_stream__(requested_schema)
        return self.origin.__arrow_c_stream__(requested_schema)


def alike(name: object, known: Iterable[str]) -> str:
    """Suggests the nearest known name."""
    from difflib import get_close_matches

    found = get_close_matches(str(name), known, n=1)
    return f"; did you mean {found[0]!r}?" if found else ""
