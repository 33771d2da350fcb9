"""What a store is about: `store.json`, with a digest of its own.

In: the scenario and the varied settings of a campaign. Out: the same, as it was written; or as the
runs of the store tell it, where the file is damaged or gone.

Runs tell what was varied only as far as they differ, and not which value the scenario has itself.
So a file of varied runs that was written again holds no scenario: the next campaign has to share a
run with the store, if there are runs of this build, and completes the file.
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from uplane import drafts, files, folder
from uplane.campaign.plan import SCENARIO
from uplane.errors import OutputError
from uplane.files import DamageError
from uplane.runner import made_by

__all__ = ["FORMAT", "RUNS", "SUBJECT", "other", "read", "rebuild", "runs_in", "write"]

RUNS = "runs"
"""The folder of the runs, in the folder of a store."""

SUBJECT = "store.json"
"""Says which scenario the store is of, and which settings are varied."""

FORMAT = 2
"""The format of stores; the first had no digest. Runs have their own."""

READ = (1, FORMAT)


def write(store: Path, subject: Mapping[str, Any]) -> None:
    """Writes what a store is about."""
    about = {"kind": "store", "format": FORMAT, "version": made_by()["version"]}
    files.write_json(files.sealed({**about, **subject}), store / SUBJECT)


def read(store: Path) -> dict[str, Any]:
    """What a store is about; the format may be another one.

    Raises:
        DamageError: The file is not as it was written.
    """
    path = store / SUBJECT
    found = files.read_json(path)
    stated = found.get("format")
    if stated == FORMAT and not files.is_sealed(found):
        raise DamageError(path, f"{SUBJECT} has changed since it was written")
    if stated in READ and not _is_whole(found):
        raise DamageError(path, f"{SUBJECT} does not say what the store is about")
    if not isinstance(stated, int):
        raise DamageError(path, f"{SUBJECT} states no format")
    return found


def _is_whole(found: Mapping[str, Any]) -> bool:
    vary, sources = found.get("vary"), found.get("sources", {})
    are_texts = isinstance(vary, list) and all(isinstance(key, str) for key in vary)
    return (
        are_texts
        and isinstance(found.get("source"), str)
        and isinstance(sources, dict)
        and isinstance(found.get("scenario"), dict | None)
    )


def rebuild(store: Path) -> Path:
    """Writes again what the runs of a store tell of it.

    Raises:
        OutputError: There is no whole run.
    """
    manifests = list(runs_in(store))
    if not manifests:
        raise OutputError(f"cannot write {store / SUBJECT} again: the store has no whole run")
    sources = dict.fromkeys(each["source"] for each in manifests)
    vary = _varied(manifests)
    about: dict[str, Any] = {"source": " and ".join(sources), "scenario": None, "vary": vary}
    if not vary and len(sources) == 1:
        about["scenario"] = manifests[0]["scenario"]
    if len(sources) > 1:
        stems = {Path(source).stem: source for source in sources}
        names = stems if len(stems) == len(sources) else {source: source for source in sources}
        about |= {"source": " and ".join(names), "sources": names, "vary": [SCENARIO, *vary]}
    write(store, about)
    return store / SUBJECT


def _varied(manifests: Collection[Mapping[str, Any]]) -> list[str]:
    """The settings in which runs differ, in the order of the first of them."""
    values: dict[str, set[object]] = {}
    for manifest in manifests:
        for key, value in manifest["settings"].items():
            values.setdefault(key, set()).add(value)
    return [key for key, found in values.items() if len(found) > 1]


def runs_in(store: Path) -> Iterator[dict[str, Any]]:
    """The manifests of the runs of a store that are as they were written."""
    for place in sorted((store / RUNS).iterdir()):
        if not drafts.is_draft(place):
            try:
                yield folder.manifest_of(place)
            except DamageError:
                continue


def other(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> str | None:
    """Which campaign is theirs, and of which version where that may be why it is not ours."""
    written = theirs.get("version")
    if theirs.get("format") not in READ:
        by = f" by uplane {written}" if written else ""
        return f"the format {theirs.get('format')!r}{by}, and this is uplane {made_by()['version']}"
    found = _difference(theirs, ours)
    if found and written not in (None, made_by()["version"]):
        return f"{found} (it was begun by uplane {written})"
    return found


def _difference(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> str | None:
    """Which campaign is theirs, when it is not ours."""
    source, vary = theirs["source"], theirs["vary"]
    if vary != ours["vary"]:
        varied = ", ".join(vary) or "nothing"
        return f"{source} that varies {varied}, and this one {', '.join(ours['vary']) or 'nothing'}"
    scenario = theirs.get("scenario")
    if scenario is not None and (key := folder.first_other(scenario, ours["scenario"])):
        return f"{source} with another {key}"
    return None
