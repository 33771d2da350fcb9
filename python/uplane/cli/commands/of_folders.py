"""The commands that read what `--out` of another one has written."""

from collections.abc import Sequence
from pathlib import Path

import click

from uplane.activity import stage
from uplane.cli.group import command
from uplane.cli.options import PATH

__all__ = ["doctor", "merge", "report", "table"]


@command
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=PATH)
@click.option("--out", type=PATH, required=True, metavar="DIR", help="Folder for the runs of all.")
def merge(folders: Sequence[Path], *, out: Path) -> None:
    """Put the runs of campaigns of one scenario into one folder, and show what they say.

    DIR is a folder that --out of a campaign has written: of a shard, of other seeds or values.
    """
    with stage("starting"):
        from uplane.cli import stored as command

    command.merge(folders, out)


@command
@click.argument("folder", metavar="DIR", type=PATH)
@click.option(
    "--report",
    type=PATH,
    metavar="FILE",
    help="Where to write the page; in DIR as report.html by default.",
)
@click.option("--variants", is_flag=True, help="List the variants and their runs, and no more.")
def report(folder: Path, *, report: Path | None, variants: bool) -> None:
    """Show what a campaign in a folder says, and write it as an HTML page.

    DIR is a folder that --out of a campaign has written.
    """
    with stage("starting"):
        from uplane.cli import stored as command

    command.report(folder, report, only_variants=variants)


@command
@click.argument("folder", metavar="DIR", type=PATH)
@click.argument("name", metavar="[TABLE]", required=False)
@click.option(
    "--out",
    type=PATH,
    metavar="FILE",
    help="Where to write it: FILE.csv or FILE.parquet; standard output by default.",
)
def table(folder: Path, name: str | None, *, out: Path | None) -> None:
    """Print one table as comma-separated values, or write it to a file.

    DIR is a folder that --out has written, of one run or of a campaign; of a campaign, the table
    has the rows of all runs, and there is a table `summary` of means. By default all tables are
    listed.
    """
    with stage("starting"):
        from uplane.cli import table as command

    command.table(folder, name, out)


@command
@click.argument("folder", metavar="[DIR]", type=PATH, required=False)
@click.option("--mend", is_flag=True, help="Remove damaged runs and leftovers from DIR.")
@click.option("--remove-other-builds", is_flag=True, help="Remove runs of other builds from DIR.")
def doctor(folder: Path | None, *, mend: bool, remove_other_builds: bool) -> None:
    """Check the installation, or the results in DIR, and say what is wrong.

    DIR is a folder that --out has written.
    """
    if folder is None:
        from uplane.cli import info

        info.doctor(is_alone=not (mend or remove_other_builds))
    else:
        from uplane.cli.doctor import examined

        examined(folder, mends=mend, removes_other_builds=remove_other_builds)
