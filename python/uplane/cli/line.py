"""Runs a command line and returns its exit code."""

import os
from collections.abc import Sequence

import click

from uplane.cli.commands import app
from uplane.cli.guard import BAD_INPUT, fail, guard
from uplane.errors import InputError

__all__ = ["answer"]

COMPLETION = "_UPLANE_COMPLETE"
"""The variable by which a shell asks for completion; see the reference of the command."""


def answer(words: Sequence[str]) -> int:
    """Does what a command line says, and gives the exit code."""
    if not words and COMPLETION not in os.environ:
        answer(["--help"])
        return BAD_INPUT
    try:
        with guard(words):
            _refuse_bytes(words)
            code = _called(words)
    except click.ClickException as error:
        where = getattr(getattr(error, "ctx", None), "command_path", "uplane")
        said = error.format_message()
        return fail(f"{said.rstrip('.')}; see `{where} --help`", BAD_INPUT).exit_code
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
