"""Reads one number from the tables of one run.

In: the tables of a run and a measure. Out: a number.
"""

import importlib.util
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from uplane.study.errors import StudyError
from uplane.study.sections import Measure

if TYPE_CHECKING:
    import polars

__all__ = ["TableLike", "read"]

OWN = "study:"
"""Marks a measure that is a function of the folder's `study.py`."""


class TableLike(Protocol):
    """An object that converts to a frame."""

    def to_polars(self) -> "polars.DataFrame":
        """Returns the rows."""


def read(tables: Mapping[str, TableLike], measure: Measure, folder: Path) -> float:
    """Returns the number that `measure` takes from a run.

    Raises:
        StudyError: The run gave no such number: a download did not end, or nothing matched.
    """
    frame = tables[measure.table].to_polars()
    if measure.where:
        frame = frame.filter(_expression(measure.where))
    if measure.value.startswith(OWN):
        value = _own(folder, measure.value.removeprefix(OWN))(frame)
    else:
        value = frame.select(_expression(measure.value)).item()
    if value is None:
        message = (
            f"{measure.item}: the run gave no `{measure.value}` in table {measure.table!r}"
            + (f" where {measure.where}" if measure.where else "")
        )
        raise StudyError(message)
    return float(value)


@lru_cache(maxsize=256)
def _expression(text: str) -> "polars.Expr":
    import polars

    try:
        return polars.sql_expr(text)
    except polars.exceptions.PolarsError as error:
        message = f"`{text}` is not an expression over columns: {error}"
        raise StudyError(message) from error


@lru_cache(maxsize=64)
def _own(folder: Path, name: str) -> "Callable[[polars.DataFrame], float | None]":
    path = folder / "study.py"
    spec = importlib.util.spec_from_file_location(f"uplane_study_{folder.name}", path)
    if spec is None or spec.loader is None or not path.is_file():
        message = f"{path} does not exist, and a measure names its function {name!r}"
        raise StudyError(message)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[[polars.DataFrame], float | None] = getattr(module, name)
    return function
