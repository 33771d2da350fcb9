"""Outputs of a command line: all are checked by one rule before the work begins.

In: the parsed command line. Out: nothing, or an error for an output that would overwrite an input,
or whose name has the ending of another kind of file.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import click

from uplane import files
from uplane.errors import InputError

__all__ = ["PATH", "OutputPath", "check", "is_file", "is_folder"]

PATH = click.Path(path_type=Path)
"""The type of a path that a command reads."""


def is_file(path: Path) -> bool:
    """Reports whether there is such a file; a name that no system accepts is none."""
    with suppress(OSError, ValueError):
        return path.is_file()
    return False


def is_folder(path: Path) -> bool:
    """Reports whether there is such a folder; a name that no system accepts is none."""
    with suppress(OSError, ValueError):
        return path.is_dir()
    return False


class OutputPath(click.Path):
    """The type of a path that a command writes.

    Attributes:
        endings: Accepted endings of a file; all if there are none.
    """

    def __init__(self, *endings: str) -> None:
        """Keeps the accepted endings, such as `.csv`."""
        super().__init__(path_type=Path)
        self.endings = endings


class _Output(NamedTuple):
    """An output of the command line."""

    option: str
    path: Path
    endings: tuple[str, ...]


def check(context: click.Context) -> None:
    """Checks all outputs of a command line.

    Raises:
        InputError: An output would overwrite an input, or has a wrong ending.
    """
    outputs = list(_outputs(context))
    inputs = list(_inputs(context)) if outputs else []
    for output in outputs:
        for source in inputs:
            _refuse_overwriting(output, source)
        _refuse_ending(output)


def _outputs(context: click.Context) -> Iterator[_Output]:
    for parameter in context.command.params:
        path = context.params.get(parameter.name or "")
        if isinstance(parameter.type, OutputPath) and path is not None:
            yield _Output(parameter.opts[0], path, parameter.type.endings)


def _inputs(context: click.Context) -> Iterator[Path]:
    for parameter in context.command.params:
        if isinstance(parameter.type, click.Path) and not isinstance(parameter.type, OutputPath):
            given = context.params.get(parameter.name or "")
            yield from [given] if isinstance(given, Path) else given or ()


def _refuse_overwriting(output: _Output, source: Path) -> None:
    if is_file(source):
        if _are_same(output.path, source):
            raise _overwrites(output, f"the input {source}")
        if any(_are_same(output.path, named) for named in _named_in(source)):
            raise _overwrites(output, f"a file that {source} names")
    elif _is_result_in(source, output.path):
        raise _overwrites(output, f"a file of the results in {source}")


def _is_result_in(folder: Path, path: Path) -> bool:
    is_there = is_folder(folder) and path.suffix in OF_RESULTS and is_file(path)
    return is_there and folder.resolve() in path.resolve().parents


OF_RESULTS = frozenset((".json", ".parquet"))
"""Endings of the files in a folder of results."""


def _overwrites(output: _Output, what: str) -> InputError:
    message = f"{output.option} {output.path} would overwrite {what}; name another file"
    return InputError(message, key=output.option, found=str(output.path))


def _are_same(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return one.samefile(other)
    return False


def _named_in(scenario: Path) -> Iterator[Path]:
    """Yields the files that the strings of a scenario name, from its folder."""
    if scenario.suffix.lower() != ".toml":
        return
    with suppress(files.UnreadableError):
        for match in STRING.finditer(files.text_of(scenario)):
            yield scenario.parent / (match[1] or match[2])


STRING = re.compile(r"\"([^\"\n]{1,255})\"|'([^'\n]{1,255})'")
"""A string of TOML in one line."""


def _refuse_ending(output: _Output) -> None:
    """Refuses the ending of another kind of file."""
    allowed = output.endings
    if not allowed or output.path.suffix.lower() in allowed or is_folder(output.path):
        return
    expected = f"a file that ends in {' or '.join(each for each in allowed if each)}"
    message = f"found {output.option} {output.path}, expected {expected}"
    raise InputError(message, key=output.option, found=str(output.path), expected=expected)
