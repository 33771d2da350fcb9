"""The output of a command: text for people, or one JSON object with `--json`.

In: the result of a command, or its error. Out: with `--json`, one object on standard output in the
form of `uplane schema --output`; text for people is dropped. Standard error is the same with and
without `--json`.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from math import isfinite
from typing import Any, TextIO

__all__ = ["FORMAT", "begin", "end", "fail", "give", "is_json"]

FORMAT = 1
"""Version of the form. It changes when a field is removed or gets another meaning."""
FLAG = "--json"
SPECIAL = {"-h", "--help", "--version"}
"""Options whose output stays text."""


@dataclass
class _Answer:
    """The object that will be printed."""

    command: str
    stdout: TextIO
    result: Mapping[str, Any] | None = None
    error: dict[str, Any] | None = field(default=None)


class _State:
    """The answer of the command under way; `None` without `--json`."""

    answer: _Answer | None = None


def begin(words: Sequence[str]) -> None:
    """Starts to collect the answer if a command line asks for JSON."""
    _State.answer = None
    options = [word for word in words if word.startswith("-")]
    if FLAG in options and not SPECIAL.intersection(options):
        command = next((word for word in words if not word.startswith("-")), "")
        _State.answer = _Answer(command, sys.stdout)
        sys.stdout = StringIO()


def is_json() -> bool:
    """Returns whether the answer will be JSON."""
    return _State.answer is not None


def give(result: Mapping[str, Any]) -> None:
    """Sets the result of the command."""
    if _State.answer is not None:
        _State.answer.result = result


def fail(kind: str, message: str, **facts: object) -> None:
    """Sets the error of the command.

    Args:
        kind: The kind of error, one of those in `answers.Error`.
        message: The line on standard error.
        facts: The facts that are known, by name.
    """
    if _State.answer is not None:
        known = {name: facts.get(name) or None for name in FACTS}
        _State.answer.error = {"kind": kind, "message": message, **known}


FACTS = ("file", "line", "key", "found", "expected", "nearest", "reason", "remedy", "seed")


def end(code: int) -> None:
    """Prints the answer, if there is one to print, and restores standard output."""
    answer, _State.answer = _State.answer, None
    if answer is None:
        return
    from uplane._core import version

    sys.stdout = answer.stdout
    content = {
        "format": FORMAT,
        "uplane": version(),
        "command": answer.command,
        "exit_code": code,
        "result": answer.result,
        "error": answer.error,
    }
    json.dump(_plain(content), sys.stdout, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")
    sys.stdout.flush()


def _plain(value: object) -> object:
    """Returns a value as JSON has it: numbers that are not finite become `null`."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)
