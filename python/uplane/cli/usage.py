"""Messages for command lines that name no known command or option, with the nearest one.

In: an exception of click and the command line. Out: the message and its facts.
"""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from uplane.cli.commands import app
from uplane.cli.places import is_file
from uplane.near import meant, nearest

__all__ = ["told"]

LIKENESS = 0.7
"""Minimum likeness of a near option. Options are short: at less, unrelated ones are alike."""
SYNONYMS = {
    "benchmark": "cc",
    "diff": "compare",
    "examples": "new",
    "execute": "run",
    "init": "new",
    "profiles": "profile",
    "simulate": "run",
    "start": "run",
    "studies": "reproduce",
}
"""Words of other programs for commands."""
ANSWERS: Mapping[tuple[str, str], str] = {
    ("cc", "--tests"): "`--case` names a test case",
    ("explore", "--set"): "change the value on the page",
    ("explore", "--vary"): "change the value on the page",
    ("follow", "--packet"): "the number is an argument: `uplane follow FILE 5`",
    ("follow", "--runs"): "it follows one run, whose seed is `--seed`",
    ("run", "--vary"): "`uplane sweep` varies keys",
}
"""Remedies for options that a command does not have."""
OF_RUNS = {"--seeds": "`--runs` is the number of seeds, `--seed` the first one"}
"""Remedies for options that no command has, of commands with `--runs`."""
MOST_OWNERS = 2
"""Maximum number of other commands that are named as those that have an option."""


def told(error: click.ClickException, words: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Returns the message for an error in a command line, and its facts."""
    name = next((word for word in words if not word.startswith("-")), "")
    context = getattr(error, "ctx", None)
    where = context.command_path if context else "uplane"
    if where == "uplane" and name in app.commands:
        where = f"uplane {name}"
    remedy = f"{where} --help"
    if isinstance(error, click.NoSuchOption):
        message, facts = _of_option(error.option_name, name if name in app.commands else "")
    elif name and name not in app.commands:
        message, facts = _of_command(name, words)
    else:
        message, facts = error.format_message().rstrip("."), _of_value(error)
    end = " See" if message.endswith("?") else "; see"
    return f"{message}{end} `{remedy}`", {"remedy": remedy, **facts}


def _of_command(name: str, words: Sequence[str]) -> tuple[str, dict[str, Any]]:
    if name.endswith(".toml") or is_file(Path(name)):
        near, remedy = "run", shlex.join(["uplane", "run", *words])
        facts = {"found": name, "nearest": near, "remedy": remedy}
        return f"No such command '{name}'; did you mean `{remedy}`?", facts
    word = nearest(name, [*app.commands, *SYNONYMS])
    known = SYNONYMS.get(word, word) if word else None
    expected = ", ".join(sorted(app.commands))
    message = f"No such command '{name}'{meant(known)}"
    return message, {"found": name, "expected": expected, "nearest": known}


def _of_option(option: str, name: str) -> tuple[str, dict[str, Any]]:
    own = _options(app.commands[name]) if name else _options(app)
    near = nearest(option.lstrip("-"), (each.lstrip("-") for each in own), LIKENESS)
    near = next((each for each in own if near and each.lstrip("-") == near), None)
    answer = ANSWERS.get((name, option)) or ("--runs" in own and OF_RUNS.get(option))
    if answer:
        near, end = None, f"; {answer}"
    else:
        end = meant(near) or _owners(option)
    facts = {"found": option, "expected": ", ".join(own), "nearest": near}
    return f"No such option '{option}'{end}", facts


def _options(command: click.Command) -> list[str]:
    """Returns the options of a command that its help shows."""
    return [
        name
        for each in command.params
        if isinstance(each, click.Option) and not each.hidden
        for name in (*each.opts, *each.secondary_opts)
        if name.startswith("--")
    ]


def _owners(option: str) -> str:
    """Returns the commands that have an option, as the end of a message."""
    owners = [name for name, command in app.commands.items() if option in _options(command)]
    if not 0 < len(owners) <= MOST_OWNERS:
        return ""
    return f"; it is an option of {' and '.join(f'`uplane {name}`' for name in owners)}"


def _of_value(error: click.ClickException) -> dict[str, Any]:
    """Returns the facts of a wrong value of an option or argument."""
    parameter = getattr(error, "param", None)
    key = parameter.opts[0] if isinstance(parameter, click.Option) else None
    return {"key": key, **{name: getattr(error, name, None) for name in ("found", "expected")}}
