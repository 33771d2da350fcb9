"""The identity of a store: `store.json`, which has a digest.

In: the scenario and the varied keys of a campaign. Out: these values, read from the file, or
rebuilt from the runs if the file is damaged or missing.

The runs show a varied key only if its value differs among them, and do not show the scenario's own
value. So a file that was rebuilt from varied runs has no scenario. The next campaign has to share a
run with the store, if it has runs of this build, and completes the file.
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from uplane import atomic_files, files, folder
from uplane.campaign.plan import SCENARIO
from uplane.errors import OutputError
from uplane.files import DamageError
from uplane.runner import made_by

__all__ = ["FORMAT", "RUNS", "SUBJECT", "other", "read", "rebuild", "runs_in", "write"]

RUNS = "runs"
"""The folder of the runs, in the folder of a store."""

SUBJECT = "store.json"
"""The file with the scenario and the varied keys of the store."""

FORMAT = 2
"""The format of stores; the first had no digest. Runs have their own."""

READ = (1, FORMAT)


def write(store: Path, subject: Mapping[str, Any]) -> None:
    """Writes the identity of a store."""
    about = {"kind": "store", "format": FORMAT, "version": made_by()["version"]}
    files.write_json(files.sealed({**about, **subject}), store / SUBJECT)


def read(store: Path) -> dict[str, Any]:
    """Reads the identity of a store; accepts files of other formats.

    Raises:
        DamageError: The file has changed since it was written.
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
    """Rebuilds `store.json` from the runs of a store.

    Raises:
        OutputError: The store has no undamaged run.
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
    """Returns the keys whose values differ among the runs, in the order of the first run."""
    values: dict[str, set[object]] = {}
    for manifest in manifests:
        for key, value in manifest["settings"].items():
            values.setdefault(key, set()).add(value)
    return [key for key, found in values.items() if len(found) > 1]


def runs_in(store: Path) -> Iterator[dict[str, Any]]:
    """Yields the manifests of the undamaged runs of a store."""
    for place in sorted((store / RUNS).iterdir()):
        if not atomic_files.is_draft(place):
            try:
                yield folder.manifest_of(place)
            except DamageError:
                continue


def other(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> str | None:
    """Describes the stored campaign if it is not ours, with its version if that differs."""
    written = theirs.get("version")
    if theirs.get("format") not in READ:
        by = f" by uplane {written}" if written else ""
        return f"the format {theirs.get('format')!r}{by}, and this is uplane {made_by()['version']}"
    found = _difference(theirs, ours)
    if found and written not in (None, made_by()["version"]):
        return f"{found} (it was begun by uplane {written})"
    return found


def _difference(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> str | None:
    """Describes the stored campaign if it is not ours."""
    source, vary = theirs["source"], theirs["vary"]
    if vary != ours["vary"]:
        varied = ", ".join(vary) or "nothing"
        return f"{source} that varies {varied}, and this one {', '.join(ours['vary']) or 'nothing'}"
    scenario = theirs.get("scenario")
    if scenario is not None and (key := folder.first_other(scenario, ours["scenario"])):
        return f"{source} with another {key}"
    return None
