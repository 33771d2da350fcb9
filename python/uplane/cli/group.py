"""The group of commands, and the decorator that adds a function to it."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import click

from uplane.cli.guard import guard
from uplane.cli.places import check

__all__ = ["app", "command"]

Parameters = ParamSpec("Parameters")

HELP = {"help_option_names": ["-h", "--help"]}


def _version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        from uplane._core import version

        click.echo(f"uplane {version()}")
        context.exit()


@click.group(context_settings=HELP)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Print the version.",
)
def app() -> None:
    """See where the time goes when TCP or QUIC runs over LTE, 5G NR or EDGE."""


def command(
    example: str,
) -> Callable[[Callable[Parameters, None]], Callable[Parameters, None]]:
    """Returns a decorator that registers a command with the option `--json`.

    Args:
        example: A command line, which ends the help of the command.
    """
    return lambda work: _registered(work, example)


def _registered(work: Callable[Parameters, None], example: str) -> Callable[Parameters, None]:
    """Registers a command whose errors for users are one paragraph and an exit code."""

    @wraps(work)
    def guarded(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        with guard():
            check(click.get_current_context())
            work(*args, **kwargs)

    json = click.option(
        "--json",
        is_flag=True,
        expose_value=False,
        help="Print the result, or the error, as one JSON object.",
    )
    app.command(
        name=work.__name__.removesuffix("_"),
        context_settings=HELP,
        epilog=f"\b\nExample:\n  {example}",
    )(json(guarded))
    return guarded
