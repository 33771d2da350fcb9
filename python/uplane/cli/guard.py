"""Errors for users: one line and an exit code instead of a traceback.

A bug of uplane that is not a `SimulationBug` still shows its traceback, which its report needs.
"""

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import click

from uplane.cli import output, signals
from uplane.cli.progress import quiet
from uplane.cli.several_values import several_values
from uplane.cli.text import line
from uplane.errors import (
    InputError,
    MemoryLimitError,
    OutputError,
    ProgramError,
    ScenarioError,
    SimulationBug,
    UntrustedError,
    UplaneError,
)

__all__ = ["BAD_INPUT", "FAILED", "fail", "guard"]

FAILED, BAD_INPUT = 1, 2


@contextmanager
def guard(words: Sequence[str] = ()) -> Iterator[None]:
    """Turns errors into a message and an exit code; `words` are the command line."""
    try:
        with signals.raised():
            yield
            sys.stdout.flush()
    except UplaneError as error:
        if isinstance(error, UntrustedError) and not words:
            raise  # the command line is known further out
        message, code = _told(error, words)
        output.fail(_kind(error), message, **_facts(error, words))
        raise fail(message, code) from None
    except BrokenPipeError:
        # The reader of the output has closed the pipe, as `head` does. This is no error.
        signals.leave(FAILED)
    except OSError as error:
        output.fail("system", _said(error), file=error.filename)
        raise fail(_said(error), FAILED) from None
    except MemoryError:
        message = "the memory of this machine does not suffice"
        output.fail("memory", message)
        raise fail(message, FAILED) from None
    except KeyboardInterrupt:
        word, code = signals.said()
        quiet()
        sys.stderr.write(f"{word}\n")
        output.fail("interrupted", word)
        output.end(code)
        signals.leave(code)


KINDS: Mapping[type[UplaneError], str] = {
    ScenarioError: "scenario",
    InputError: "input",
    UntrustedError: "untrusted",
    OutputError: "files",
    MemoryLimitError: "memory",
    ProgramError: "program",
    SimulationBug: "bug",
}


def _kind(error: UplaneError) -> str:
    return next((kind for known, kind in KINDS.items() if isinstance(error, known)), "other")


def _facts(error: UplaneError, words: Sequence[str]) -> dict[str, object]:
    """Returns the attributes of an error that its JSON form states."""
    if isinstance(error, ScenarioError):
        error = _of_an_option(error)
    facts = {name: getattr(error, name, None) for name in output.FACTS}
    if isinstance(error, UntrustedError):
        facts["remedy"] = shlex.join(["uplane", *words, "--trust"])
    elif facts["nearest"]:
        facts["remedy"] = f"write `{facts['nearest']}`"
    return facts


def _told(error: UplaneError, words: Sequence[str]) -> tuple[str, int]:
    """Returns the message of an error, and the exit code."""
    match error:
        case ScenarioError():
            return str(_of_an_option(error)), BAD_INPUT
        case UntrustedError():
            remedy = shlex.join(["uplane", *words, "--trust"])
            return f"{error.fact()}; if you trust it: {remedy}", BAD_INPUT
        case InputError():
            return str(error), BAD_INPUT
    return str(error), FAILED


def _of_an_option(error: ScenarioError) -> ScenarioError:
    """Returns an error in an argument of Python, such as `set`, as one in the option `--set`."""
    argument = error.file.strip("`")
    if error.file != f"`{argument}`":
        return error
    error = error.found_in(f"--{argument}")
    facts = error.args[1:]
    return ScenarioError(f"{error}{several_values(argument, error.key, error.found)}", *facts)


def fail(message: str, code: int) -> click.exceptions.Exit:
    """Prints an error in one line, and returns the exception that exits with the code."""
    quiet()
    sys.stderr.write(f"error: {line(message)}\n")
    return click.exceptions.Exit(code)


def _said(error: OSError) -> str:
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{error.strerror or error}"
