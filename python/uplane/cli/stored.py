"""The commands `uplane merge` and `uplane report`: stored campaigns."""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from uplane import campaign
from uplane.activity import stage
from uplane.campaign import Campaign
from uplane.cli import output
from uplane.cli.runs import give_runs
from uplane.cli.show import columns, show
from uplane.cli.text import printable
from uplane.errors import InputError
from uplane.folder import MANIFEST
from uplane.result_sections import short

__all__ = ["loaded", "merge", "report"]


def loaded(folder: Path) -> Campaign:
    """Returns the campaign in a folder of the command line.

    Raises:
        InputError: It holds a single run.
        OutputError: It holds no campaign, or a damaged one.
    """
    if (folder / MANIFEST).is_file():
        message = (
            f"found a single run in {folder}, expected a campaign: `uplane run FILE --runs 2 "
            f"--out DIR` makes one, and --report writes the page of a single run"
        )
        raise InputError(message)
    return Campaign.load(folder)


def merge(folders: Sequence[Path], out: Path) -> None:
    """Merges the runs of several folders into one folder."""
    with stage("merging"):
        done = campaign.merge(folders, out)
    give_runs(done, {"results": out})
    show(done)
    sys.stdout.write(f"\nresults in {out}\n")


def report(folder: Path, file: Path | None, *, only_variants: bool) -> None:
    """Prints a stored campaign, and writes its page."""
    with stage(f"reading {folder}"):
        done = loaded(folder)
    if only_variants:
        sys.stdout.writelines(_variants(done))
        return
    with stage("writing the report"):
        written = done.report(file or folder)
    give_runs(done, {"results": folder, "report": written})
    show(done)
    sys.stdout.write(f"\nreport in {written}\n")


def _variants(done: Campaign) -> Sequence[str]:
    """Returns one line for each variant: its settings and its number of runs."""
    counts: Counter[tuple[str, ...]] = Counter()
    variants: dict[tuple[str, ...], dict[str, object]] = {}
    for run in done:
        shown = tuple(printable(str(run.settings[key])) for key in done.vary)
        counts[shown] += 1
        variants[shown] = dict(run.settings)
    output.give({"variants": list(variants.values()), "runs": list(counts.values())})
    rows = [(*settings, str(count)) for settings, count in counts.items()]
    return list(columns([*short(list(done.vary)), "runs"], rows, words=len(done.vary)))
