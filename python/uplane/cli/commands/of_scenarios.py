"""The commands that run your own scenarios."""

from collections.abc import Sequence
from pathlib import Path

import click

from uplane.activity import stage
from uplane.cli import complete
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
    Whole,
    runs_option,
)
from uplane.cli.places import OutputPath

__all__ = ["advise", "compare", "explore", "follow", "run", "sweep"]


def _refuse_host(_: click.Context, __: click.Parameter, value: object) -> None:
    """Names the way to the page from another machine, for which there is no option."""
    if value is not None:
        message = (
            "the page is served to this machine only: forward the port from the other machine, "
            "`ssh -L 8321:localhost:8321 THIS_MACHINE`"
        )
        raise click.UsageError(message)


@command("uplane run lte-download.toml --runs 10 --report page.html")
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
@click.option(
    "--qlog", type=OutputPath(), metavar="DIR", help="Write logs of all connections, for qvis."
)
@click.option(
    "--pcap",
    type=OutputPath(),
    metavar="DIR",
    help="Write captures at hosts and radio, for Wireshark.",
)
@click.option(
    "--perfetto",
    type=OutputPath(".pftrace", ".perfetto-trace", ""),
    metavar="FILE",
    help="Write the place of each packet over time, for ui.perfetto.dev.",
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
    """Run a scenario: times, rates and their causes.

    FILE is a scenario as TOML; `-` is standard input. --qlog, --pcap and --perfetto need a single
    run and record the tables that they need. Standard error names what they leave out.
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


@command("uplane follow lte-download.toml --slowest 5")
@SCENARIO
@click.argument("packet", metavar="[PACKET]", required=False, type=Whole(min=0))
@SET
@TRUST
@SEED
@click.option(
    "--slowest",
    type=Whole(min=1),
    default=10,
    show_default=True,
    help="Number of packets in the list.",
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
    """Show where the time of one packet went, and list the slowest packets.

    FILE is a scenario as TOML; `-` is standard input. PACKET is the number of a delivered packet of
    the run, as in the list. Without PACKET, the slowest packet is shown.
    """
    with stage("starting"):
        from uplane.cli import follow as command

    command.follow(file, packet, set_, trust=trust, seed=seed, count=slowest)


@command("uplane explore lte-download.toml --open")
@SCENARIO
@TRUST
@click.option(
    "--port",
    type=Whole(0, 65535),
    default=8321,
    show_default=True,
    help="Port of the page; 0 takes a free port.",
)
@click.option("--host", hidden=True, expose_value=False, callback=_refuse_host)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
def explore(file: Path, *, trust: bool, port: int, opens: bool) -> None:
    """Change a scenario on a page in the browser; the figures follow.

    FILE is a scenario as TOML; `-` is standard input. The page is served to this machine only,
    until Ctrl-C. From another machine, forward the port: `ssh -L 8321:localhost:8321 HOST`.
    Needs uplane[explore].
    """
    with stage("starting"):
        from uplane.cli import explore as command

    command.explore(file, trust=trust, port=port, opens=opens)


@command("uplane sweep lte-download.toml --vary radio.lte.sr_period=5,10,20 --runs 10")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=PATH)
@click.option(
    "--vary",
    multiple=True,
    metavar="KEY=A,B,C",
    shell_complete=complete.keys,
    help="Values of a key, or FIRST:LAST:STEP. Several --vary run all combinations.",
)
@click.option(
    "--zip",
    "is_zipped",
    is_flag=True,
    help="Vary all keys together: the first values, the second values, …",
)
@SET
@TRUST
@SEED
@runs_option(1)
@UNTIL
@click.option(
    "--shard",
    metavar="K/N",
    help="Make the K-th of N parts of the runs; `uplane merge` joins them.",
)
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Run on the workers of a Dask scheduler: its address or its file, or `local` for workers "
    "on this machine. Needs uplane[dask] and --out.",
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

    FILE is a scenario as TOML; `-` is standard input. Each of several files is a variant.
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


@command("uplane compare lte-download.toml --vary radio.lte.sr_period=5,20")
@click.argument("files", metavar="FILE [FILE]", nargs=-1, required=True, type=PATH)
@click.option(
    "--change",
    multiple=True,
    metavar="KEY=VALUE",
    shell_complete=complete.keys,
    help="A value of the second side only; repeatable. One FILE is enough.",
)
@click.option(
    "--vary",
    multiple=True,
    metavar="KEY=A,B",
    shell_complete=complete.keys,
    help="The values of a key on the two sides.",
)
@SET
@TRUST
@SEED
@click.option("--runs", type=Whole(min=1), help="Number of seeds of each side.  [default: 10]")
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
    """Compare two variants: difference, interval and causes.

    FILE is a scenario, or the folder of a campaign (--out). Scenarios run with the same seeds and
    are compared seed by seed.
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


@command("uplane advise backhaul-mtu.toml --runs 3")
@SCENARIO
@SET
@TRUST
@click.option("--fixed-drivers", is_flag=True, help="Assume that some UEs keep their MTU.")
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
    """Try TCP MTUs on the path of a scenario, and recommend one."""
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
