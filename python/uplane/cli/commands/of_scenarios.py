"""The commands that run scenarios of the user's own."""

from collections.abc import Sequence
from pathlib import Path

import click

from uplane.activity import stage
from uplane.cli.group import command
from uplane.cli.options import (
    JOBS,
    MEMORY,
    OUT,
    PATH,
    REPORT,
    SCENARIO,
    SEED,
    SET,
    THREADS,
    TRUST,
    UNTIL,
    runs_option,
)

__all__ = ["advise", "compare", "explore", "follow", "run", "sweep"]


@command
@SCENARIO
@SET
@TRUST
@SEED
@runs_option(1)
@UNTIL
@JOBS
@MEMORY
@THREADS
@OUT
@REPORT
@click.option("--qlog", type=PATH, metavar="DIR", help="Logs of all connections, for qvis.")
@click.option(
    "--pcap", type=PATH, metavar="DIR", help="Captures at hosts and radio, for Wireshark."
)
@click.option(
    "--perfetto", type=PATH, metavar="FILE", help="Where each packet was, for ui.perfetto.dev."
)
def run(  # noqa: PLR0913 - one argument an option
    file: Path,
    *,
    set_: Sequence[str],
    trust: bool,
    seed: int | None,
    runs: int,
    until: str | None,
    jobs: int | None,
    memory: str | None,
    threads: int,
    out: Path | None,
    report: Path | None,
    qlog: Path | None,
    pcap: Path | None,
    perfetto: Path | None,
) -> None:
    """Run a scenario and say what happened, and why.

    FILE is a scenario as TOML; `-` is standard input. --qlog, --pcap and --perfetto record what
    they need, of one run, and name on standard error what they leave out.
    """
    with stage("starting"):
        from uplane.cli import runs as command

    seeds = command.Seeds(seed, runs, until)
    inside = command.Inside(qlog, pcap, perfetto)
    command.run(
        file,
        set_,
        seeds,
        trust=trust,
        jobs=jobs,
        memory=memory,
        threads=threads,
        out=out,
        report=report,
        inside=inside,
    )


@command
@SCENARIO
@click.argument("packet", metavar="[PACKET]", required=False, type=click.IntRange(min=0))
@SET
@TRUST
@SEED
@click.option(
    "--slowest",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="How many packets are listed.",
)
def follow(
    file: Path,
    packet: int | None,
    *,
    set_: Sequence[str],
    trust: bool,
    seed: int | None,
    slowest: int,
) -> None:
    """Say where the time of one packet went; by default of the slowest.

    FILE is a scenario as TOML; `-` is standard input. PACKET is the number of a packet that was
    delivered in the run of this seed, as in the list of the slowest.
    """
    with stage("starting"):
        from uplane.cli import follow as command

    command.follow(file, packet, set_, trust=trust, seed=seed, count=slowest)


@command
@SCENARIO
@TRUST
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8321,
    show_default=True,
    help="Where the page is served; 0 is a free port.",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
def explore(file: Path, *, trust: bool, port: int, opens: bool) -> None:
    """Change a scenario on a page in the browser, and see what it does.

    FILE is a scenario as TOML; `-` is standard input. The page is served to this machine alone,
    until Ctrl-C. Needs uplane[explore].
    """
    with stage("starting"):
        from uplane.cli import explore as command

    command.explore(file, trust=trust, port=port, opens=opens)


@command
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=PATH)
@click.option(
    "--vary",
    multiple=True,
    metavar="KEY=A,B,C",
    help="Values of a setting, or FIRST:LAST:STEP; repeated, all combinations are run.",
)
@click.option("--zip", "is_zipped", is_flag=True, help="Vary all keys together, value by value.")
@SET
@TRUST
@SEED
@runs_option(1)
@UNTIL
@click.option("--shard", metavar="K/N", help="Make the K-th of N parts of the runs; see merge.")
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Make the runs on the workers of a Dask scheduler, by its address or its file; `local` "
    "for workers here. Needs uplane[dask] and --out.",
)
@JOBS
@MEMORY
@OUT
@REPORT
def sweep(  # noqa: PLR0913 - one argument an option
    files: Sequence[Path],
    *,
    vary: Sequence[str],
    is_zipped: bool,
    set_: Sequence[str],
    trust: bool,
    seed: int | None,
    runs: int,
    until: str | None,
    shard: str | None,
    dask: str | None,
    jobs: int | None,
    memory: str | None,
    out: Path | None,
    report: Path | None,
) -> None:
    """Run variants of a scenario, all with the same seeds.

    FILE is a scenario as TOML; `-` is standard input. Several files are variants by their names.
    """
    with stage("starting"):
        from uplane.cli import runs as command

    command.sweep(
        files,
        command.Variants(vary, is_zipped=is_zipped, shard=shard, dask=dask),
        set_,
        command.Seeds(seed, runs, until),
        trust=trust,
        jobs=jobs,
        memory=memory,
        out=out,
        report=report,
    )


@command
@click.argument("files", metavar="FILE [FILE]", nargs=-1, required=True, type=PATH)
@click.option(
    "--change",
    multiple=True,
    metavar="KEY=VALUE",
    help="A value of the second side alone, which may be the same file; repeatable.",
)
@click.option(
    "--vary", multiple=True, metavar="KEY=A,B", help="The two sides by a value of one setting."
)
@SET
@TRUST
@SEED
@click.option("--runs", type=click.IntRange(min=1), help="How many seeds of each.  [default: 10]")
@JOBS
@MEMORY
@REPORT
def compare(  # noqa: PLR0913 - one argument an option
    files: Sequence[Path],
    *,
    change: Sequence[str],
    vary: Sequence[str],
    set_: Sequence[str],
    trust: bool,
    seed: int | None,
    runs: int | None,
    jobs: int | None,
    memory: str | None,
    report: Path | None,
) -> None:
    """Say what differs between two variants, by how much, and which causes made it.

    FILE is a scenario, or a folder that --out of a campaign has written. Scenarios are run with the
    same seeds and compared seed by seed.
    """
    with stage("starting"):
        from uplane.cli import compare as command

    command.compare(
        files,
        change=change,
        varied=vary,
        pairs=set_,
        trust=trust,
        seed=seed,
        runs=runs,
        jobs=jobs,
        memory=memory,
        report=report,
    )


@command
@SCENARIO
@SET
@TRUST
@click.option("--fixed-drivers", is_flag=True, help="Some UEs' MTU cannot be changed.")
@runs_option(5)
@JOBS
@MEMORY
def advise(
    file: Path,
    *,
    set_: Sequence[str],
    trust: bool,
    fixed_drivers: bool,
    runs: int,
    jobs: int | None,
    memory: str | None,
) -> None:
    """Try TCP MTUs on the path of a scenario, and say which to choose."""
    with stage("starting"):
        from uplane.cli import advice as command

    command.advise(
        file,
        set_,
        trust=trust,
        fixed_drivers=fixed_drivers,
        runs=runs,
        jobs=jobs,
        memory=memory,
    )
