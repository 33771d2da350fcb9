#!/usr/bin/env python3
"""Did any result change? One line a scenario: a digest of every table that it gives.

In: the examples, the scenarios of `tests/drawn`, and all runs of the studies' quick variants.
Out: with `--write FILE` the digest of every column; with `--against FILE` each column that differs
from the file, that is new or that is gone. A column that was renamed is named with
`--renamed TABLE.OLD=TABLE.NEW`, a table with `--renamed OLD=NEW`. Exits with 1 when a digest
changed or a column is gone.

A digest covers the exact values (floats by all their bits) and the order of the rows.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import uplane
from uplane import pool
from uplane.runner import run_once
from uplane.scenario import Scenario
from uplane.study import folder
from uplane.study.runs import OWN, tasks

ROOT = Path(__file__).parents[1]

Digests = dict[str, dict[str, str]]
"""Digest by column, by scenario."""


def main() -> int:
    """Writes hashes, or compares them with a file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, metavar="FILE")
    parser.add_argument("--against", type=Path, metavar="FILE")
    parser.add_argument("--renamed", action="append", default=[], metavar="OLD=NEW")
    parser.add_argument("--only", default="", help="scenarios with this text in the name")
    options = parser.parse_args()
    digests = _all(options.only)
    for name in sorted(digests):
        print(name, _digest("".join(f"{key}={it}" for key, it in sorted(digests[name].items()))))
    if options.write:
        options.write.write_text(json.dumps(digests, sort_keys=True, indent=0) + "\n")
    if options.against:
        renamed = dict(pair.split("=", 1) for pair in options.renamed)
        before = json.loads(options.against.read_text())
        before = {name: it for name, it in before.items() if options.only in name}
        return _compare(before, digests, renamed)
    return 0


def _all(only: str) -> Digests:
    """Digests of all scenarios; of one with several seeds over all of them, in order."""
    tasks = [task for task in _tasks() if only in task[0]]
    runs = dict(pool.work(tasks, lambda task: _columns(task[1], task[2])))
    together: dict[str, dict[str, list[str]]] = {}
    for index, (name, _, _) in enumerate(tasks):
        for column, digest in runs[index].items():
            together.setdefault(name, {}).setdefault(column, []).append(digest)
    return {
        name: {column: _digest("".join(each)) for column, each in columns.items()}
        for name, columns in together.items()
    }


def _tasks() -> Iterator[tuple[str, Scenario, int]]:
    for path in sorted((ROOT / "examples").glob("*.toml")):
        for seed in (1, 2):
            yield f"examples/{path.stem}", uplane.load(path, trust=True), seed
    for path in sorted((ROOT / "tests" / "drawn").glob("*.toml")):
        yield f"drawn/{path.stem}", uplane.load(path), 1
    for study in folder.shipped():
        loaded = folder.load(study)
        for task in tasks(loaded, full=False):
            under, point = task.readers[0]
            which = "" if under == OWN else f" ({under.name})"
            yield f"study {loaded.number}/{point.name}{which}", task.scenario, task.seed


def _columns(scenario: Scenario, seed: int) -> dict[str, str]:
    return {
        f"{table.name}.{column.name}": _digest(repr(column.to_list()))
        for table in run_once(scenario, seed)
        for column in table.to_polars()
    }


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _compare(before: Digests, after: Digests, renamed: dict[str, str]) -> int:
    gone: dict[str, list[str]] = {}
    changed: dict[str, list[str]] = {}
    new: dict[str, list[str]] = {}
    for name in sorted(before.keys() | after.keys()):
        now = after.get(name, {})
        then = {_renamed(key, renamed): it for key, it in before.get(name, {}).items()}
        for column in sorted(then.keys() | now.keys()):
            if column not in now:
                gone.setdefault(column, []).append(name)
            elif column not in then:
                new.setdefault(column, []).append(name)
            elif then[column] != now[column]:
                changed.setdefault(column, []).append(name)
    for what, columns in (("new", new), ("gone", gone), ("changed", changed)):
        for column, names in columns.items():
            print(f"{what}: {column} in {len(names)} scenarios: {', '.join(names[:4])}")
    same = len(before.keys() & after.keys())
    counts = f"{len(changed)} columns changed, {len(gone)} gone, {len(new)} new"
    print(f"{same} scenarios compared: {counts}")
    return 1 if changed or gone else 0


def _renamed(column: str, renamed: dict[str, str]) -> str:
    table, _, name = column.partition(".")
    return renamed.get(column) or f"{renamed.get(table, table)}.{name}"


if __name__ == "__main__":
    sys.exit(main())
