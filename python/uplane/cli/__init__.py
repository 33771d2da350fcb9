"""The command `uplane`.

In: a command line. Out: text, files, and an exit code: 0 fine, 1 a run failed or a verdict is not
the expected one, 2 bad input, 130 interrupted, 143 terminated.

This module is light: it handles signals and shows progress before it imports the others.
"""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from uplane.cli import signals

if TYPE_CHECKING:
    from uplane.cli.commands import app

__all__ = ["app", "call", "main"]


def main() -> NoReturn:
    """The entry point of the command."""
    signals.listen()
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started this
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - for good
    for stream in (sys.stdout, sys.stderr):
        # A terminal that has no dash shows a question mark, not an error.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    from uplane.cli import progress

    progress.start()
    # Nothing is left to be done: threads need not be waited for, nor modules taken down.
    signals.leave(call(sys.argv[1:]))


def call(words: Sequence[str]) -> int:
    """Runs a command line, and returns the exit code."""
    from uplane.activity import stage

    with stage("starting"):
        from uplane.cli.line import answer
    return answer(words)


def __getattr__(name: str) -> object:
    """The commands, imported at their first use."""
    if name != "app":
        message = f"module 'uplane.cli' has no attribute {name!r}"
        raise AttributeError(message)
    from uplane.cli import commands

    return commands.app
