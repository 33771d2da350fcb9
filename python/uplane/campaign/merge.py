"""Several campaigns of one scenario as one: shards, other seeds, other values.

In: folders of campaigns. Out: a folder with the runs of all.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from uplane import drafts, files
from uplane.campaign.finished import Campaign
from uplane.campaign.store import RUNS, Store
from uplane.campaign.stored import opened, runs_of, subject_of, told
from uplane.errors import InputError

__all__ = ["merge"]


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
    for folder, subject in zip(given, subjects, strict=True):
        if subject != subjects[0]:
            message = (
                f"found another scenario or other varied settings in {folder} than in {given[0]}"
            )
            raise InputError(message)
    store = Store(Path(out))
    store.claim({key: subjects[0][key] for key in subjects[0].keys() - {"kind", "format"}})
    abouts = [told(folder) for folder in given]
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


def _copied(place: Path, target: Path) -> None:
    """Copies a run folder, whole or not at all."""
    if target.exists():
        return
    with files.writing("write the run folder", target), drafts.drafted(target, Path.mkdir) as draft:
        for path in place.iterdir():
            shutil.copyfile(path, draft / path.name)
            drafts.settle(draft / path.name)
        if not target.exists():
            draft.rename(target)
