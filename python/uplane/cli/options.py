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
    "Whole",
    "runs_option",
]

Function = TypeVar("Function", bound=Callable[..., object])
Option = Callable[[Function], Function]


class Whole(click.IntRange):
    """The type of a whole number in a range."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Converts a word of the command line, and refuses numbers out of the range."""
        try:
            number = int(str(value))
        except ValueError:
            number = None
        if number is None or self.clamped(number) != number:
            raise self._error(value, param, ctx)
        return number

    def clamped(self, number: int) -> int:
        """Returns the number of the range that is nearest to `number`."""
        least = number if self.min is None else max(number, int(self.min))
        return least if self.max is None else min(least, int(self.max))

    def _error(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> click.BadParameter:
        expected = f"a whole number from {self.min}"
        expected += "" if self.max is None else f" to {self.max}"
        error = click.BadParameter(f"found {value}, expected {expected}", ctx=ctx, param=param)
        vars(error).update(found=str(value), expected=expected)
        return error


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
    type=Whole(min=0),
    help="First seed.  [default: the scenario's seed]",
)
JOBS = click.option(
    "--jobs",
    type=Whole(1, MOST_JOBS),
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
    type=Whole(1, MOST_JOBS),
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
        type=Whole(min=1),
        default=default,
        show_default=True,
        help="Number of seeds.",
    )
