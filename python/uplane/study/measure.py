"""Reads one number from the tables of one run.

In: the tables of a run and a measure. Out: a number.
"""

import importlib.util
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from math import isfinite
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Protocol

from uplane.files import UnreadableError, text_of
from uplane.program import described
from uplane.study.errors import StudyError, refused
from uplane.study.place import line_of
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
        StudyError: The run gave no such number: a download did not end, or nothing matched; or the
            measure names what does not exist.
    """
    if measure.table not in tables:
        known = f"one of {', '.join(tables)}"
        found = repr(measure.table)
        error = refused(f"{measure.key}.table", found, known, asked=measure.table, known=tables)
        raise _placed(error, folder)
    frame = tables[measure.table].to_polars()
    if measure.where:
        with _over(frame, measure, "where", folder):
            frame = frame.filter(_expression(measure.where))
    if measure.value.startswith(OWN):
        value = _own(folder, measure.value.removeprefix(OWN), measure.key)(frame)
    else:
        with _over(frame, measure, "value", folder):
            value = _single(frame.select(_expression(measure.value)), measure)
    return _number(value, measure, folder)


def _number(value: object, measure: Measure, folder: Path) -> float:
    """Returns a finite number.

    Raises:
        StudyError: The value is none, or it is missing.
    """
    key = f"{measure.key}.value"
    if value is None:
        where = f" where {measure.where}" if measure.where else ""
        message = f"the run gave no `{measure.value}` in table {measure.table!r}{where}"
        raise _placed(StudyError(message, key=key), folder)
    try:
        number = float("nan") if isinstance(value, str | bytes) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not isfinite(number):
        found = repr(value) if isinstance(value, float | str) else f"a {type(value).__name__}"
        raise _placed(refused(key, f"{found} from `{measure.value}`", "a finite number"), folder)
    return number


def _single(frame: "polars.DataFrame", measure: Measure) -> object:
    """Returns the only value of a frame.

    Raises:
        StudyError: It has more; the error has no key.
    """
    count = frame.height * frame.width
    if count == 1:
        return frame.item()
    if not count:
        return None
    column = measure.value.strip()
    nearest = f"avg({column})" if column in frame.columns else None
    remedy = f"expected one; did you mean {nearest!r}?" if nearest else "expected one"
    message = f"`{measure.value}` gives {count} numbers, {remedy}"
    raise StudyError(message, found=f"{count} numbers", expected="one", nearest=nearest)


@contextmanager
def _over(frame: "polars.DataFrame", measure: Measure, name: str, folder: Path) -> Iterator[None]:
    """Turns what polars refuses in an expression over a frame into an error with its place."""
    import polars

    key, text = f"{measure.key}.{name}", getattr(measure, name)
    try:
        yield
    except StudyError as error:
        error.key = error.key or key
        raise _placed(error, folder) from error
    except polars.exceptions.ColumnNotFoundError as error:
        quoted = re.search(r'"([^"]*)"', str(error))
        column = quoted[1] if quoted else text
        found, columns = f"no column {column!r} in the table {measure.table}", frame.columns
        expected = f"one of {', '.join(columns)}"
        raise _placed(refused(key, found, expected, asked=column, known=columns), folder) from error
    except polars.exceptions.PolarsError as error:
        reason = str(error).partition("\n")[0]
        message = f"cannot compute `{text}` over the table {measure.table}: {reason}"
        raise _placed(StudyError(message, key=key, found=text), folder) from error


def _placed(error: StudyError, folder: Path) -> StudyError:
    """Adds `study.toml` and the line of the key."""
    path = folder / "study.toml"
    try:
        text = text_of(path)
    except UnreadableError:
        text = ""
    return error.at(path, line_of(text, error.key.split(".")))


@lru_cache(maxsize=256)
def _expression(text: str) -> "polars.Expr":
    import polars

    try:
        return polars.sql_expr(text)
    except polars.exceptions.PolarsError as error:
        message = f"`{text}` is not an expression over columns: {error}"
        raise StudyError(message, found=text) from error


def _own(folder: Path, name: str, key: str) -> "Callable[[polars.DataFrame], object]":
    """Returns a function of the study's own program, whose errors name the program.

    Raises:
        StudyError: There is no such function, or the program cannot be executed.
    """
    path = folder / "study.py"
    if not path.is_file():
        message = f"the study has no study.py with the function {name!r}"
        raise _placed(StudyError(message, key=f"{key}.value", found=name), folder)
    with _running(path):
        module = _program(path.absolute())
        function = getattr(module, name, None)
    if not callable(function):
        own = [each for each, it in vars(module).items() if _is_function(it, module)]
        words = f"one of {', '.join(own)}" if own else "a function, of which it has none"
        raise refused("", f"no function {name!r}", words, asked=name, known=own).at(path)

    def called(frame: "polars.DataFrame") -> object:
        with _running(path):
            return function(frame)

    return called


@lru_cache(maxsize=64)
def _program(path: Path) -> ModuleType:
    """Executes the study's own program."""
    spec = importlib.util.spec_from_file_location(f"uplane_study_{path.parent.name}", path)
    if spec is None or spec.loader is None:
        message = f"{path} is no Python program"
        raise ImportError(message)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _is_function(found: object, module: ModuleType) -> bool:
    """Reports whether a value is a public function that the module itself defines."""
    if not isinstance(found, FunctionType):
        return False
    return found.__module__ == module.__name__ and not found.__name__.startswith("_")


@contextmanager
def _running(path: Path) -> Iterator[None]:
    """Turns what the study's own program raises into an error with its line."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        said = " ".join(described(error, str(path.absolute())).split())
        line = re.match(r"line (\d+): ", said)
        wrong = StudyError(said[line.end() :] if line else said)
        raise wrong.at(path, int(line[1]) if line else None) from error
