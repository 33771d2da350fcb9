"""Runs a command line and returns its exit code."""

import os
from collections.abc import Sequence

import click

from uplane.cli import output, signals
from uplane.cli.commands import app
from uplane.cli.guard import BAD_INPUT, FAILED, fail, guard
from uplane.cli.usage import told
from uplane.errors import InputError

__all__ = ["answer"]

COMPLETION = "_UPLANE_COMPLETE"
"""The variable by which a shell asks for completion; see the reference of the command."""


def answer(words: Sequence[str]) -> int:
    """Runs a command line, prints its answer with `--json`, and returns the exit code."""
    output.begin(words)
    code = BUG
    try:
        code = _answered(words)
    finally:
        try:
            output.end(code)
        except BrokenPipeError:
            signals.leave(FAILED)
    return code


BUG = 1
"""Exit code of Python after an exception that nobody catches."""


def _answered(words: Sequence[str]) -> int:
    if not words and COMPLETION not in os.environ:
        answer(["--help"])
        return BAD_INPUT
    try:
        with guard(words):
            _refuse_bytes(words)
            code = _called(words)
    except click.ClickException as error:
        message, facts = told(error, words)
        output.fail("usage", message, **facts)
        return fail(message, BAD_INPUT).exit_code
    except click.exceptions.Exit as done:
        return done.exit_code
    return code if isinstance(code, int) else 0


def _called(words: Sequence[str]) -> object:
    if shell := os.environ.get(COMPLETION):
        from click.shell_completion import shell_complete

        return shell_complete(app, {}, "uplane", COMPLETION, shell)
    try:
        # Not `app.main`, which makes an empty line and an exception of its own of Ctrl-C.
        with app.make_context("uplane", list(words)) as context:
            return app.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code


def _refuse_bytes(words: Sequence[str]) -> None:
    """Refuses words that are not UTF-8, which no message, manifest or table can hold."""
    for word in words:
        if any("\ud800" <= character <= "\udfff" for character in word):
            message = f"found {word}, expected an argument in UTF-8"
            raise InputError(message)
