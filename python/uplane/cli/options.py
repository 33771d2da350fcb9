"""The options that several commands share, each worded once."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

__all__ = [
    "JOBS",
    "MOST_JOBS",
    "OUT",
    "PATH",
    "REPORT",
    "SCENARIO",
    "SEED",
    "SET",
    "TRUST",
    "UNTIL",
    "runs_option",
]

Function = TypeVar("Function", bound=Callable[..., object])
Option = Callable[[Function], Function]

MOST_JOBS = 1024
"""More threads than any machine has cores for."""

PATH = click.Path(path_type=Path)
SCENARIO = click.argument("file", metavar="FILE", type=PATH)
SET = click.option(
    "--set",
    "set_",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set a value of the scenario, as in radio.geran.bler=0.2; repeatable.",
)
TRUST = click.option(
    "--trust",
    is_flag=True,
    help="Let the programs in Python that the scenario names run with your rights, from now on, "
    "until they change.",
)
SEED = click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="The first seed; the scenario's own by default.",
)
JOBS = click.option(
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    help="Runs at a time; as many as there are cores by default.",
)
THREADS = click.option(
    "--threads",
    type=click.IntRange(1, MOST_JOBS),
    default=1,
    show_default=True,
    help="Threads for the cells of one network; pays for a large one, where cores are idle.",
)
OUT = click.option(
    "--out",
    type=PATH,
    metavar="DIR",
    help="Folder for tables and manifest; a campaign that was stopped continues there.",
)
REPORT = click.option(
    "--report",
    type=PATH,
    metavar="FILE",
    help="Write the same as an HTML page; in a folder, as its report.html.",
)
UNTIL = click.option(
    "--until",
    metavar="CONDITION",
    help="Add seeds until 'SUBJECT.METRIC < N %' of the mean is the half-width of its interval in "
    "all variants; --runs at most, or 1000.",
)


def runs_option(default: int) -> Option:  # type: ignore[type-arg] # of any function
    """How many seeds, where a command has its own default."""
    return click.option(
        "--runs",
        type=click.IntRange(min=1),
        default=default,
        show_default=True,
        help="How many seeds.",
    )
