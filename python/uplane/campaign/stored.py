"""The runs in a folder that an earlier campaign has written.

In: a folder. Out: its runs, variant by variant and seed by seed; their tables stay in it.

A folder may hold runs of several builds of uplane; a campaign is of one build: of the one that has
written `campaign.json`, or of the only one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tomllib import loads
from typing import Any

from uplane import atomic_files, files
from uplane.campaign.finished_runs import Stored
from uplane.campaign.plan import SCENARIO
from uplane.campaign.store import Store, verify
from uplane.campaign.subject import FORMAT, READ, RUNS, SUBJECT, read
from uplane.errors import OutputError, PlaceError
from uplane.results import Results
from uplane.scenario import setting

__all__ = ["Known", "campaign_file", "opened", "runs_of", "subject_of"]


@dataclass(frozen=True, kw_only=True)
class Known:
    """The variants and seeds of runs that were found.

    Attributes:
        variants: The varied settings of each variant.
        vary: The values of each varied setting.
        seeds: The seeds that any of the runs has.
        planned: Number of planned runs.
    """

    variants: Sequence[Mapping[str, object]]
    vary: Mapping[str, Sequence[object]]
    seeds: Sequence[int]
    planned: int

    @property
    def runs(self) -> int:
        """Number of seeds of a variant."""
        return len(self.seeds)

    def settings(self, index: int) -> Mapping[str, object]:
        """Returns the varied settings of this run."""
        return self.variants[index // self.runs]

    def seed(self, index: int) -> int:
        """Returns the seed of this run."""
        return self.seeds[index % self.runs]


def opened(
    folder: Path,
    *,
    order: Mapping[str, Sequence[object]] | None = None,
    planned: int | None = None,
) -> Stored:
    """Opens and verifies the runs in a folder that `out` of `sweep` has written.

    Args:
        folder: The folder.
        order: Order of the values of each varied setting; by default that of `campaign.json`, then
            that of the runs.
        planned: Number of planned runs; by default that of `campaign.json`.

    Raises:
        OutputError: The folder holds no campaign, or something in it is damaged.
    """
    about = campaign_file(folder)
    subject = subject_of(folder)
    found = list(runs_of(folder, about).values())
    if not found:
        raise OutputError(f"cannot use {folder}: it holds no finished run")
    order = order or about.get("vary") or {}
    varied = [_settings(subject, run.manifest) for run in found]
    vary = {
        key: _values(order.get(key, ()), (each[key] for each in varied)) for key in subject["vary"]
    }
    places = {key: {setting(it): place for place, it in enumerate(vary[key])} for key in vary}
    ranks = [tuple(places[key][setting(each[key])] for key in vary) for each in varied]
    variants = sorted(set(ranks))
    seeds = sorted({run.seed for run in found})
    known = Known(
        variants=[
            {key: vary[key][place] for key, place in zip(vary, rank, strict=True)}
            for rank in variants
        ],
        vary=vary,
        seeds=seeds,
        planned=max(planned or about.get("planned") or 0, len(found)),
    )
    stored = Stored(known, Store(folder))
    for rank, run in zip(ranks, found, strict=True):
        stored.add(variants.index(rank) * known.runs + seeds.index(run.seed), run)
    return stored


def subject_of(folder: Path) -> dict[str, Any]:
    """Reads `store.json`: the scenario and the varied settings.

    Raises:
        PlaceError: The file is missing.
        DamageError: It is damaged.
    """
    if not (folder / SUBJECT).is_file():
        raise PlaceError(f"{folder} is not a folder of a campaign: it has no {SUBJECT}")
    try:
        found = read(folder)
    except files.DamageError as damage:
        reason = f"{damage.reason}; `uplane doctor {folder} --mend` writes it again from its runs"
        raise files.DamageError(folder, reason) from None
    if found["format"] not in READ:
        raise files.DamageError(folder, files.other_format(SUBJECT, found, FORMAT))
    return found


def campaign_file(folder: Path) -> dict[str, Any]:
    """Reads `campaign.json`; empty if the campaign was stopped before it wrote the file.

    Raises:
        DamageError: The file has changed since it was written.
    """
    path = folder / "campaign.json"
    found = files.read_json(path) if path.exists() else {}
    if "sha256" in found and not files.is_sealed(found):
        raise files.DamageError(path, "it has changed since it was written")
    return found


def runs_of(folder: Path, about: Mapping[str, Any]) -> dict[str, Results]:
    """Returns the verified runs of one build, by name."""
    places = sorted(path for path in (folder / RUNS).iterdir() if not atomic_files.is_draft(path))
    found = {path.name: verify(path) for path in places}
    builds = {_build(run.manifest) for run in found.values()}
    if len(builds) > 1 and about:
        builds = {_build(about)}
    if len(builds) > 1:
        said = ", ".join(" ".join(build) for build in sorted(builds))
        raise OutputError(f"cannot use {folder}: it holds runs of several builds ({said})")
    return {name: run for name, run in found.items() if _build(run.manifest) in builds}


def _build(manifest: Mapping[str, Any]) -> tuple[str, str]:
    return str(manifest["version"]), str(manifest["build"])


def _settings(subject: Mapping[str, Any], manifest: Mapping[str, Any]) -> dict[str, object]:
    """Returns the varied settings of a run, in the order of the campaign's keys."""
    found: dict[str, object] = {}
    for key in subject["vary"]:
        if key == SCENARIO:
            found[key] = _name(subject, manifest)
        else:
            found[key] = loads(f"value = {manifest['settings'][key]}")["value"]
    return found


def _name(subject: Mapping[str, Any], manifest: Mapping[str, Any]) -> str:
    names = [name for name, source in subject["sources"].items() if source == manifest["source"]]
    if len(names) != 1:
        raise OutputError(f"cannot tell of which scenario the runs of {manifest['source']} are")
    return str(names[0])


def _values(order: Iterable[object], found: Iterable[object]) -> list[object]:
    """Returns the distinct values: first in the known order, then as found."""
    known: dict[str, object] = {}
    for value in (*order, *found):
        known.setdefault(setting(value), value)
    return list(known.values())
