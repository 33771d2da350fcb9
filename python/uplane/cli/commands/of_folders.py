"""The commands that read a folder of results."""

from collections.abc import Sequence
from pathlib import Path

import click

from uplane.activity import stage
from uplane.cli import complete
from uplane.cli.group import command
from uplane.cli.options import PATH
from uplane.cli.places import OutputPath

__all__ = ["doctor", "merge", "report", "table"]


@command("uplane merge part-1 part-2 --out whole")
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=PATH)
@click.option("--out", type=OutputPath(), required=True, metavar="DIR", help="Folder for all runs.")
def merge(folders: Sequence[Path], *, out: Path) -> None:
    """Merge campaigns of one scenario into one folder, and show the result.

    DIR is the folder of a campaign (--out): a shard, or other seeds or values.
    """
    with stage("starting"):
        from uplane.cli import stored as command

    command.merge(folders, out)


@command("uplane report results --report page.html")
@click.argument("folder", metavar="DIR", type=PATH)
@click.option(
    "--report",
    type=OutputPath(),
    metavar="FILE",
    help="File or folder of the page.  [default: DIR/report.html]",
)
@click.option("--variants", is_flag=True, help="List only the variants and their numbers of runs.")
def report(folder: Path, *, report: Path | None, variants: bool) -> None:
    """Show the result of a stored campaign, and write it as an HTML page.

    DIR is the folder of a campaign (--out).
    """
    with stage("starting"):
        from uplane.cli import stored as command

    command.report(folder, report, only_variants=variants)


@command("uplane table results transfers --out transfers.csv")
@click.argument("folder", metavar="DIR", type=PATH)
@click.argument("name", metavar="[TABLE]", required=False, shell_complete=complete.tables)
@click.option(
    "--out",
    type=OutputPath(".csv", ".parquet"),
    metavar="FILE",
    help="FILE.csv or FILE.parquet.  [default: standard output]",
)
def table(folder: Path, name: str | None, *, out: Path | None) -> None:
    """Print a table as comma-separated values, or write it to a file.

    DIR is the folder of a run or of a campaign (--out). A table of a campaign has the rows of all
    runs, and the table `summary` has the means. Without TABLE, all tables are listed.
    """
    with stage("starting"):
        from uplane.cli import table as command

    command.table(folder, name, out)


@command("uplane doctor results --mend")
@click.argument("folder", metavar="[DIR]", type=PATH, required=False)
@click.option("--mend", is_flag=True, help="Remove damaged runs and leftovers from DIR.")
@click.option("--remove-other-builds", is_flag=True, help="Remove runs of other builds from DIR.")
def doctor(folder: Path | None, *, mend: bool, remove_other_builds: bool) -> None:
    """Check the installation, or the results in a folder.

    DIR is the folder of a run or of a campaign (--out).
    """
    if folder is None:
        from uplane.cli import info

        info.doctor(is_alone=not (mend or remove_other_builds))
    else:
        from uplane.cli.doctor import examined

        examined(folder, mends=mend, removes_other_builds=remove_other_builds)
