"""What a user sees when something goes wrong: one paragraph and an exit code, never a traceback.

A bug of uplane that is not a `SimulationBug` still shows its traceback: it is not the user's.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from uplane.errors import InputError, ScenarioError, UplaneError

__all__ = ["guard", "leave"]

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130


@contextmanager
def guard() -> Iterator[None]:
    """Turns errors into a message and an exit code."""
    try:
        yield
        sys.stdout.flush()
    except (ScenarioError, InputError) as error:
        raise _failed(str(error), BAD_INPUT) from None
    except UplaneError as error:
        raise _failed(str(error), FAILED) from None
    except BrokenPipeError:
        # The reader of our output has left, as `head` does: no reason to complain.
        leave(FAILED)
    except OSError as error:
        raise _failed(_said(error), FAILED) from None
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        leave(INTERRUPTED)


def leave(code: int) -> NoReturn:
    """Ends the process now, without waiting for runs in other threads."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            continue
    os._exit(code)


def _failed(message: str, code: int) -> typer.Exit:
    sys.stderr.write(f"error: {message}\n")
    return typer.Exit(code)


def _said(error: OSError) -> str:
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{error.strerror or error}"
