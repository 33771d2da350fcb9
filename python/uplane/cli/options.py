"""The options that several commands share."""

from collections.abc import Callable
from typing import TypeVar

import click

from uplane.cli import complete
from uplane.cli.places import PATH, OutputPath

__all__ = [
    "JOBS",
    "MEMORY",
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
"""Upper limit of `--jobs` and `--threads`, above any machine's number of cores."""

SCENARIO = click.argument("file", metavar="FILE", type=PATH)
SET = click.option(
    "--set",
    "set_",
    multiple=True,
    metavar="KEY=VALUE",
    shell_complete=complete.keys,
    help="Set a value of the scenario, such as radio.geran.bler=0.2; repeatable.",
)
TRUST = click.option(
    "--trust",
    is_flag=True,
    help="Trust the Python programs that the scenario names: they run with your rights, now and "
    "later, until they change.",
)
SEED = click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="First seed.  [default: the scenario's seed]",
)
JOBS = click.option(
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    help="Number of runs in parallel.  [default: number of cores]",
)
MEMORY = click.option(
    "--memory",
    metavar="SIZE",
    help="Memory for all parallel runs together, such as '4 GB', in equal parts. A run that needs "
    "more than its part ends.  [default: half of the machine's memory]",
)
THREADS = click.option(
    "--threads",
    type=click.IntRange(1, MOST_JOBS),
    default=1,
    show_default=True,
    help="Threads for the cells of one network. Worthwhile for large networks with idle cores.",
)
OUT = click.option(
    "--out",
    type=OutputPath(),
    metavar="DIR",
    help="Folder for tables and manifest. A stopped campaign continues there.",
)
REPORT = click.option(
    "--report",
    type=OutputPath(),
    metavar="FILE",
    help="Write the result as an HTML page: a file, or report.html in a folder.",
)
UNTIL = click.option(
    "--until",
    metavar="CONDITION",
    help="Add seeds until the 95 % interval of a metric is within ± N % in every variant, such as "
    "'file.duration_mean < 2 %'; at most --runs, or 1000.",
)


def runs_option(default: int) -> Option:  # type: ignore[type-arg] # of any function
    """Returns the option `--runs` with a default."""
    return click.option(
        "--runs",
        type=click.IntRange(min=1),
        default=default,
        show_default=True,
        help="Number of seeds.",
    )
