"""The commands `uplane merge` and `uplane report`: stored campaigns."""

import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from uplane import campaign
from uplane.activity import stage
from uplane.campaign import Campaign
from uplane.campaign.subject import RUNS
from uplane.cli import output
from uplane.cli.places import is_file, is_folder
from uplane.cli.runs import give_runs
from uplane.cli.show import columns, show
from uplane.cli.text import printable
from uplane.errors import InputError
from uplane.files import DamageError
from uplane.folder import MANIFEST
from uplane.near import meant, nearest
from uplane.result_sections import short

__all__ = ["expect_results", "loaded", "mendable", "merge", "report"]


def expect_results(folder: Path) -> None:
    """Refuses a path that is no folder.

    Raises:
        InputError: There is no folder; the message names one with a similar name.
    """
    if is_folder(folder):
        return
    expected = "the folder of results, as --out has written it"
    if is_file(folder):
        message = f"{folder} is a file, expected {expected}"
        raise InputError(message, file=str(folder), found="a file", expected=expected)
    near = nearest(folder.name, (path.name for path in _folders_beside(folder)))
    place = None if near is None else str(folder.with_name(near))
    message = f"{folder}: no such folder{meant(place)}"
    raise InputError(message, file=str(folder), expected=expected, nearest=place)


def _folders_beside(path: Path) -> Sequence[Path]:
    with suppress(OSError):
        return [each for each in path.parent.iterdir() if each.is_dir()]
    return []


def loaded(folder: Path) -> Campaign:
    """Returns the campaign in a folder of the command line.

    Raises:
        InputError: There is no such folder, or it holds a single run.
        OutputError: It holds no campaign, or a damaged one.
    """
    expect_results(folder)
    if (folder / MANIFEST).is_file():
        message = (
            f"found a single run in {folder}, expected a campaign: `uplane run FILE --runs 2 "
            f"--out DIR` makes one, and --report writes the page of a single run"
        )
        raise InputError(message)
    with mendable(folder):
        return Campaign.load(folder)


@contextmanager
def mendable(*folders: Path) -> Iterator[None]:
    """Adds the command that mends a folder to an error about damage in it."""
    try:
        yield
    except DamageError as damage:
        store = next((it for it in folders if it in (damage.path, *damage.path.parents)), None)
        if store is None or not (store / RUNS).is_dir() or "; " in damage.reason:
            raise  # a single run cannot be mended; after a semicolon stands another remedy
        remedy = shlex.join(["uplane", "doctor", str(store), "--mend"])
        reason = f"{damage.reason}; `{remedy}` removes what is damaged, for the sweep to repeat"
        raise DamageError(damage.path, reason, remedy) from None


def merge(folders: Sequence[Path], out: Path) -> None:
    """Merges the runs of several folders into one folder."""
    for folder in folders:
        expect_results(folder)
    with stage("merging"), mendable(*folders):
        done = campaign.merge(folders, out)
    give_runs(done, {"results": out})
    show(done)
    _tell_missing(done, folders)
    sys.stdout.write(f"\nresults in {out}\n")


def _tell_missing(done: Campaign, folders: Sequence[Path]) -> None:
    """Names the runs that no merged folder has."""
    missing, count = campaign.missing(done, folders, MOST_MISSING)
    if missing:
        rest = f"; and {count - len(missing)} more" if count > len(missing) else ""
        sys.stderr.write(f"missing: {printable('; '.join(missing))}{rest}\n")


MOST_MISSING = 5
"""Maximum number of missing runs that are named."""


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
