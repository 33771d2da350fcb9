"""Several campaigns of one scenario as one: shards, other seeds, other values.

In: folders of campaigns. Out: a folder with the runs of all.
"""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from uplane import atomic_files, files
from uplane.campaign.finished import Campaign
from uplane.campaign.store import Store
from uplane.campaign.stored import campaign_file, opened, runs_of, subject_of
from uplane.campaign.subject import RUNS
from uplane.errors import InputError
from uplane.folder import first_other

__all__ = ["merge", "missing"]


def merge(folders: Sequence[str | Path], out: str | Path) -> Campaign:
    """Puts the runs of campaigns of one scenario into one folder, as if one had made them all.

    Args:
        folders: Folders of campaigns: of shards, of other seeds, of other values.
        out: The folder for all of them; it may be one that was merged before.

    Raises:
        InputError: They are not of one scenario and the same varied settings.
        OutputError: One cannot be read, or `out` cannot be written.
    """
    if not folders:
        raise InputError("found no folder, expected folders of campaigns to merge")
    given = [Path(folder) for folder in folders]
    subjects = [subject_of(folder) for folder in given]
    first = next((each for each in subjects if each["scenario"] is not None), subjects[0])
    for folder, subject in zip(given, subjects, strict=True):
        if _is_other(subject, first):
            message = (
                f"found another scenario or other varied settings in {folder} than in {given[0]}"
            )
            raise InputError(message + _difference(subject, first))
    store = Store(Path(out))
    store.claim({key: first[key] for key in DECIDES if key in first})
    abouts = [campaign_file(folder) for folder in given]
    for folder, about in zip(given, abouts, strict=True):
        for run in runs_of(folder, about):
            _copied(folder / RUNS / run, store.place(run))
    vary: dict[str, list[object]] = {}
    for about in abouts:
        for key, values in (about.get("vary") or {}).items():
            known = vary.setdefault(key, [])
            known += [value for value in values if value not in known]
    planned = sum(about.get("planned") or 0 for about in abouts)
    runs = opened(Path(out), order=vary, planned=planned)
    merged = Campaign(vary=runs.plan.vary, runs=runs, planned=runs.plan.planned)
    merged.save(out)
    return merged


def missing(merged: Campaign, folders: Iterable[Path], most: int) -> tuple[list[str], int]:
    """Describes runs that a merged campaign lacks: a variant without one of the seeds.

    Args:
        merged: The campaign.
        folders: The folders that were merged; those of shards state the seeds of all parts.
        most: Maximum number of descriptions.

    Returns:
        At most `most` of these runs, and the number of all.
    """
    keys = list(merged.vary)
    found = {(*(str(run.settings[key]) for key in keys), run.seed) for run in merged}
    values = list(merged.vary.values())
    pairs = set(zip(*([str(each) for each in column] for column in values), strict=False))
    is_zipped = len({len(each) for each in values}) == 1 and all(it[:-1] in pairs for it in found)
    variants = zip(*values, strict=True) if is_zipped and len(keys) > 1 else product(*values)
    seeds = sorted({*merged.seeds, *(seed for folder in folders for seed in _seeds(folder))})
    lacking = [
        ", ".join([*(f"{key} = {value}" for key, value in zip(keys, variant, strict=True)), seed])
        for variant in variants
        for number in seeds
        if (*map(str, variant), number) not in found and (seed := f"seed {number}")
    ]
    return lacking[:most], len(lacking)


def _seeds(folder: Path) -> range:
    """Returns the seeds of all parts of a shard; none for other campaigns."""
    about = campaign_file(folder).get("shard")
    return range(about["first_seed"], about["first_seed"] + about["runs"]) if about else range(0)


DECIDES = ("source", "sources", "scenario", "vary")
"""Keys of `store.json` that identify a campaign."""


def _is_other(one: Mapping[str, Any], first: Mapping[str, Any]) -> bool:
    """Reports whether two stores are of different campaigns; one without a scenario matches any."""
    keys = DECIDES if one["scenario"] is not None else ("sources", "vary")
    return any(one.get(key) != first.get(key) for key in keys)


def _difference(one: Mapping[str, Any], first: Mapping[str, Any]) -> str:
    """Describes how a store differs from the first one, as the end of a message."""
    if one["vary"] != first["vary"]:
        varied, others = (", ".join(each["vary"]) or "nothing" for each in (one, first))
        return f": it varies {varied}, and the other {others}"
    key = first_other(one["scenario"], first["scenario"])
    return f": another {key}" if key else ""


def _copied(place: Path, target: Path) -> None:
    """Copies a run folder, whole or not at all."""
    if target.exists():
        return
    with (
        files.writing("write the run folder", target),
        atomic_files.drafted(target, Path.mkdir) as draft,
    ):
        for path in place.iterdir():
            shutil.copyfile(path, draft / path.name)
            atomic_files.settle(draft / path.name)
        if not target.exists():
            draft.rename(target)
