"""The commands and their options, and the way of a command line to its exit code.

Each command lives in its own module, which is imported when it is called.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Annotated, ParamSpec

import typer
from typer.exceptions import TyperException

from uplane.cli import signals
from uplane.cli.guard import BAD_INPUT, fail, guard
from uplane.errors import InputError
from uplane.stage import stage

__all__ = ["answer", "app"]

app = typer.Typer(
    name="uplane",
    help="What a cellular user plane does to a transport protocol, and why.",
    rich_markup_mode=None,  # a help page that is there at once
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Parameters = ParamSpec("Parameters")


def _command(work: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Registers a command whose errors for users are one paragraph and an exit code."""

    @wraps(work)
    def guarded(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        with guard():
            work(*args, **kwargs)

    app.command(name=work.__name__.removesuffix("_"))(guarded)
    return guarded


MOST_JOBS = 1024
"""More threads than any machine has cores for."""

ScenarioFile = Annotated[Path, typer.Argument(metavar="FILE", help="The scenario, as TOML.")]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Lay a value over the scenario, as in radio.geran.bler=0.2; repeatable.",
    ),
]
Seed = Annotated[
    int | None, typer.Option(min=0, help="The first seed; the scenario's own by default.")
]
Runs = Annotated[int, typer.Option(min=1, help="How many seeds.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1, max=MOST_JOBS, help="Runs at a time; as many as there are cores by default."
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Folder for tables and manifest; a campaign that was stopped goes on there.",
    ),
]
StudyReport = Annotated[Path | None, typer.Option(metavar="DIR", help="Folder for report.html.")]
Report = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write tables, curves and bars as an HTML page; in a folder, as its report.html.",
    ),
]


@_command
def run(
    file: ScenarioFile,
    *,
    set_: Set = None,
    seed: Seed = None,
    runs: Runs = 1,
    jobs: Jobs = None,
    out: Out = None,
    report: Report = None,
) -> None:
    """Run a scenario and say what happened, and why."""
    with stage("starting"):
        from uplane.cli import runs as command

    command.run(file, set_ or [], seed=seed, runs=runs, jobs=jobs, out=out, report=report)


@_command
def sweep(
    file: ScenarioFile,
    *,
    vary: Annotated[
        list[str],
        typer.Option(
            metavar="KEY=A,B,C", help="The values of a setting; repeated, all combinations are run."
        ),
    ],
    set_: Set = None,
    seed: Seed = None,
    runs: Runs = 1,
    jobs: Jobs = None,
    out: Out = None,
    report: Report = None,
) -> None:
    """Run variants of a scenario, all with the same seeds."""
    with stage("starting"):
        from uplane.cli import runs as command

    command.sweep(file, vary, set_ or [], seed=seed, runs=runs, jobs=jobs, out=out, report=report)


@_command
def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[STUDY]...", help="All by default.")
    ] = None,
    *,
    full: Annotated[
        bool, typer.Option("--full/--quick", help="The numbers of the docs, or a fast check.")
    ] = False,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the verdicts as JSON.")
    ] = None,
    jobs: Jobs = None,
    out: StudyReport = None,
) -> None:
    """Reproduce published studies, cell by cell."""
    with stage("starting"):
        from uplane.cli import studies as command

    command.reproduce(names or [], full=full, json_file=json, jobs=jobs, out=out)


@_command
def advise(
    file: ScenarioFile,
    *,
    set_: Set = None,
    fixed_drivers: Annotated[
        bool, typer.Option("--fixed-drivers", help="Some UEs' MTU cannot be changed.")
    ] = False,
    runs: Runs = 5,
    jobs: Jobs = None,
) -> None:
    """Try TCP MTUs on the path of a scenario, and say which to choose."""
    with stage("starting"):
        from uplane.cli import advice as command

    command.advise(file, set_ or [], fixed_drivers=fixed_drivers, runs=runs, jobs=jobs)


@_command
def list_() -> None:
    """List the studies, radio profiles, transports and applications."""
    from uplane.cli import info

    info.list_known()


@_command
def profile(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="What to print.")] = None,
) -> None:
    """List the built-in profiles, or print one: a base file with the source of each value."""
    from uplane.cli import info

    info.print_profile(name)


@_command
def schema() -> None:
    """Print the JSON Schema of a scenario, for editors."""
    from uplane.cli import info

    info.print_schema()


@_command
def doctor(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="A folder that --out has written.")
    ] = None,
    *,
    mend: Annotated[
        bool, typer.Option("--mend", help="Remove damaged runs and leftovers from DIR.")
    ] = False,
    remove_other_builds: Annotated[
        bool, typer.Option("--remove-other-builds", help="Remove runs of other builds from DIR.")
    ] = False,
) -> None:
    """Check the installation, or the results in DIR, and say what is wrong."""
    if folder is None:
        from uplane.cli import info

        info.doctor(is_alone=not (mend or remove_other_builds))
    else:
        from uplane.cli.doctor import examined

        examined(folder, mends=mend, removes_other_builds=remove_other_builds)


def _version(value: bool) -> None:
    if value:
        from uplane._core import version

        typer.echo(f"uplane {version()}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    del version  # the callback has answered


def answer(words: Sequence[str]) -> int:
    """Does what a command line says, and gives the exit code."""
    if not words:
        answer(["--help"])
        return BAD_INPUT
    try:
        with guard():
            _refuse_bytes(words)
            code = _called(words)
            signals.again()  # typer makes a silent exit code of Ctrl-C
    except TyperException as error:
        where = getattr(getattr(error, "ctx", None), "command_path", "uplane")
        said = error.format_message()
        return fail(f"{said.rstrip('.')}; see `{where} --help`", BAD_INPUT).exit_code
    except typer.Exit as done:
        return done.exit_code
    return code if isinstance(code, int) else 0


def _called(words: Sequence[str]) -> object:
    try:
        return app(list(words), prog_name="uplane", standalone_mode=False)
    except typer.Exit as done:
        return done.exit_code


def _refuse_bytes(words: Sequence[str]) -> None:
    """A word that is not UTF-8 can stand in no message, manifest or table."""
    for word in words:
        if any("\ud800" <= character <= "\udfff" for character in word):
            message = f"found {word}, expected an argument in UTF-8"
            raise InputError(message)
