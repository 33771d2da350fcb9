"""The commands on the content of uplane: cases, studies, examples, profiles, the schema."""

from collections.abc import Sequence
from pathlib import Path

import click

from uplane.activity import stage
from uplane.cli import complete
from uplane.cli.group import command
from uplane.cli.options import JOBS, MEMORY, PATH, REPORT, TRUST, Whole
from uplane.cli.places import OutputPath

__all__ = ["cc", "list_", "new", "profile", "reproduce", "schema"]


@command("uplane cc cubic bbr --case page --runs 10")
@click.argument("names", metavar="[CONTESTANT]...", nargs=-1, shell_complete=complete.contestants)
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
    help="Scenario file whose sections [tcp.NAME] and [quic.NAME] are further contestants.",
)
@TRUST
@click.option(
    "--case",
    "patterns",
    metavar="NAME",
    multiple=True,
    shell_complete=complete.cases,
    help="A case, or a pattern such as 'against-*'; repeatable.  [default: all cases]",
)
@click.option("--runs", type=Whole(min=1), default=5, show_default=True, help="Number of seeds.")
@click.option("--seed", type=Whole(min=0), default=1, show_default=True, help="First seed.")
@JOBS
@MEMORY
@click.option(
    "--out",
    type=OutputPath(".csv"),
    metavar="FILE",
    help="Write all numbers as comma-separated values.",
)
@click.option(
    "--qlog",
    type=OutputPath(),
    metavar="DIR",
    help="Write the logs of all connections of the first seed, CASE/CONTESTANT/….sqlog, for qvis.",
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
    """Benchmark congestion controls on the same test cases.

    CONTESTANT is a congestion control of TCP (`cubic`) or of QUIC (`quic-cubic`), or a section of
    the file of --sets. By default all take part. The cases are links, queues, competing flows and
    radios, as RFC 9743 recommends for a new control.
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


@command("uplane reproduce 004 --out report.html")
@click.argument("names", metavar="[STUDY]...", nargs=-1, shell_complete=complete.studies)
@click.option(
    "--full/--quick",
    default=False,
    show_default=True,
    help="Run the variant of the documentation, or a fast check.",
)
@click.option(
    "--verdicts", type=OutputPath(".json"), metavar="FILE", help="Write the verdicts as JSON."
)
@JOBS
@MEMORY
@click.option(
    "--out",
    type=OutputPath(),
    metavar="PATH",
    help="Write the report: an HTML file, or report.html in a folder.",
)
@click.option(
    "--kept",
    metavar="DIR",
    type=PATH,
    help="Keep the numbers of each run in this folder, and skip runs whose numbers are there.  "
    "[default with --full: uplane/reproduce in your cache]",
)
def reproduce(
    names: Sequence[str],
    *,
    full: bool,
    verdicts: Path | None,
    jobs: int | None,
    memory: str | None,
    out: Path | None,
    kept: Path | None,
) -> None:
    """Reproduce published studies, value by value.

    STUDY is the number or name of a study, or a folder. By default all studies run.
    """
    with stage("starting"):
        from uplane.cli import studies as command

    command.reproduce(
        names, full=full, verdicts=verdicts, jobs=jobs, memory=memory, out=out, kept=kept
    )


@command("uplane new lte-download")
@click.argument("name", metavar="[NAME]", required=False, shell_complete=complete.examples)
@click.option(
    "--out",
    type=OutputPath(),
    metavar="PATH",
    help="The folder for the files, or the name of the scenario if it ends in .toml.  "
    "[default: this folder]",
)
def new(name: str | None, *, out: Path | None) -> None:
    """List the examples by question, or write one to start from."""
    from uplane.cli import new as command

    command.new(name, out)


@command("uplane list profiles")
@click.argument("section", metavar="[SECTION]", required=False, shell_complete=complete.sections)
def list_(section: str | None) -> None:
    """List studies, radios, applications, profiles and named values.

    SECTION is a section of the list; then each of its names has its meaning.
    """
    from uplane.cli import known

    known.list_known(section)


@command("uplane profile system_level")
@click.argument("name", metavar="[NAME]", required=False, shell_complete=complete.profiles)
def profile(name: str | None) -> None:
    """List the built-in profiles, or print one.

    A profile is a base file: values for the keys of a section, each with its source.
    """
    from uplane.cli import info

    info.print_profile(name)


@command("uplane schema > uplane.schema.json")
@click.option("--output", is_flag=True, help="Print the JSON Schema of the answers of --json.")
def schema(*, output: bool) -> None:
    """Print the JSON Schema of a scenario, for editors."""
    from uplane.cli import info

    info.print_schema(of_output=output)
