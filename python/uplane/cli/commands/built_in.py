"""The commands about what uplane brings along: cases, studies, profiles, the schema."""

from collections.abc import Sequence
from pathlib import Path

import click

from uplane.activity import stage
from uplane.cli.group import command
from uplane.cli.options import JOBS, MEMORY, PATH, REPORT, TRUST

__all__ = ["cc", "list_", "profile", "reproduce", "schema"]


@command
@click.argument("names", metavar="[CONTESTANT]...", nargs=-1)
@click.option(
    "--on",
    type=PATH,
    metavar="SCENARIO",
    help="Compare in this scenario instead of the cases: each flow whose parameter set states no "
    "congestion control gets the contestant.",
)
@click.option(
    "--sets",
    "--tcp",
    "sets",
    type=PATH,
    metavar="FILE",
    help="Further contestants: the sections [tcp.NAME] and [quic.NAME] of it.",
)
@TRUST
@click.option(
    "--case",
    "patterns",
    metavar="NAME",
    multiple=True,
    help="Only this case, or as in 'against-*'.",
)
@click.option(
    "--runs", type=click.IntRange(min=1), default=5, show_default=True, help="How many seeds."
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="The first.")
@JOBS
@MEMORY
@click.option("--out", type=PATH, metavar="FILE", help="All numbers as comma-separated values.")
@click.option(
    "--qlog",
    type=PATH,
    metavar="DIR",
    help="Logs of all connections of the first seed, CASE/CONTESTANT/….sqlog, for qvis.",
)
@REPORT
def cc(  # noqa: PLR0913 - one argument an option
    names: Sequence[str],
    *,
    on: Path | None,
    sets: Path | None,
    trust: bool,
    patterns: Sequence[str],
    runs: int,
    seed: int,
    jobs: int | None,
    memory: str | None,
    out: Path | None,
    qlog: Path | None,
    report: Path | None,
) -> None:
    """Put congestion controls through the same cases, side by side.

    CONTESTANT is a congestion control of TCP, as `cubic`, one of QUIC, as `quic-cubic`, or a
    section of the file of --sets; all by default. The cases are links, queues, rivals and radios,
    as RFC 9743 asks of a new control.
    """
    with stage("starting"):
        from uplane.cli import cc as command

    command.cc(
        names,
        on=on,
        sets=sets,
        trust=trust,
        patterns=patterns,
        runs=runs,
        seed=seed,
        jobs=jobs,
        memory=memory,
        out=out,
        qlog=qlog,
        report=report,
    )


@command
@click.argument("names", metavar="[STUDY]...", nargs=-1)
@click.option(
    "--full/--quick",
    default=False,
    show_default=True,
    help="The numbers of the docs, or a fast check.",
)
@click.option("--json", type=PATH, metavar="FILE", help="Write the verdicts as JSON.")
@JOBS
@MEMORY
@click.option("--out", type=PATH, metavar="DIR", help="Folder for report.html.")
@click.option(
    "--kept",
    metavar="DIR",
    type=PATH,
    help="Keep the numbers of each run there, and do not make a run again that is there. "
    "With --full by default uplane/reproduce in the user's cache.",
)
def reproduce(
    names: Sequence[str],
    *,
    full: bool,
    json: Path | None,
    jobs: int | None,
    memory: str | None,
    out: Path | None,
    kept: Path | None,
) -> None:
    """Reproduce published studies, cell by cell; all by default."""
    with stage("starting"):
        from uplane.cli import studies as command

    command.reproduce(
        names, full=full, json_file=json, jobs=jobs, memory=memory, out=out, kept=kept
    )


@command
def list_() -> None:
    """List the studies, radio profiles, transports and applications."""
    from uplane.cli import info

    info.list_known()


@command
@click.argument("name", metavar="[NAME]", required=False)
def profile(name: str | None) -> None:
    """List the built-in profiles, or print one: a base file with the source of each value."""
    from uplane.cli import info

    info.print_profile(name)


@command
def schema() -> None:
    """Print the JSON Schema of a scenario, for editors."""
    from uplane.cli import info

    info.print_schema()
