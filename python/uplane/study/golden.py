"""Our own values of a study, accepted as what the next run has to reproduce.

In: an outcome. Out: `expected.csv` of the quick variant, `full.csv` of the full one, both in the
study's folder.

    python -m uplane.study.golden 002 004
    python -m uplane.study.golden --full 003 'fig6/*' 'access/*'
    python -m uplane.study.golden --costs 003

The full variant takes minutes to hours. Patterns name the cases to run of it; rows of others stay.
Its runs are kept as those of `uplane reproduce --full` are, so one that was cut short goes on. The
last command writes `costs.csv`.

A value moves only together with an entry "Results changed" in the changelog.
"""

import csv
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from uplane.runner import run_once
from uplane.scenario import Scenario
from uplane.scenario import load as load_scenario
from uplane.study.case import fill, grid, matches, points
from uplane.study.engine import run_study
from uplane.study.errors import in_one_line
from uplane.study.folder import Study, find, load
from uplane.study.forecast import COSTS
from uplane.study.outcome import Outcome
from uplane.study.saved_readings import default_folder

__all__ = ["FULL", "accept", "accept_full", "part", "weigh"]

FULL = "full.csv"


def accept(outcome: Outcome) -> Path:
    """Writes the values of `outcome` as the expected ones."""
    rows = [[row.item, repr(row.ours), row.unit, row.n, row.verdict] for row in outcome.rows]
    header = ["item", "ours", "unit", "runs", "verdict"]
    return _write(outcome.study.path / "expected.csv", header, rows)


def accept_full(outcome: Outcome) -> Path:
    """Writes the values of the full variant with their intervals over those of the same items.

    Claims of which only a part was run are left out: they would be half old.
    """
    path = outcome.study.path / FULL
    rows: dict[str, list[object]] = {}
    if path.is_file():
        with path.open(encoding="utf-8", newline="") as lines:
            rows = {row[0]: list(row) for row in list(csv.reader(lines))[1:]}
    for row in outcome.rows:
        low, high = ("" if bound is None else repr(bound) for bound in (row.ci_low, row.ci_high))
        rows[row.item] = [row.item, repr(row.ours), low, high, row.unit, row.n]
    for item in half_old(outcome.study, {row.item for row in outcome.rows}):
        rows.pop(item, None)
    return _write(path, ["item", "ours", "low", "high", "unit", "runs"], rows.values())


def half_old(study: Study, renewed: Collection[str]) -> set[str]:
    """Claims that are made of a renewed item, or of such a claim, and were not renewed."""
    old: set[str] = set()
    for claim in study.file.claim:
        for values in grid(claim.over, claim.points):
            item = fill(claim.item, values)
            parts = {fill(text, values) for text in claim.of.values()}
            new = any(matches(each, part) for each in (*renewed, *old) for part in parts)
            if item not in renewed and new:
                old.add(item)
    return old


def part(study: Study, patterns: Sequence[str]) -> Study:
    """Returns the study with only the matching cases, without sections that may need others."""
    cases = [each for each in study.file.case if any(matches(each.name, it) for it in patterns)]
    rest = dict.fromkeys(("variation", "null", "fit", "oracle", "anatomy", "map"), ())
    return replace(study, file=study.file.model_copy(update={"case": cases, **rest}))


def _write(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    return path


def weigh(study: Study) -> Path:
    """Writes the events of one run of each case of the full variant, for a forecast."""
    files: dict[str, Scenario] = {}
    rows = []
    for point in points(study.file.case, full=True):
        if point.scenario not in files:
            files[point.scenario] = load_scenario(study.path / point.scenario, trust=True)
        done = run_once(files[point.scenario].with_settings(point.settings), point.first_seed)
        rows.append([point.name, done.manifest["events"]])
    return _write(study.path / COSTS, ["case", "events"], rows)


def main(words: Sequence[str]) -> None:
    """Writes what the words of the command line ask for."""
    match words:
        case ["--full", name, *patterns]:
            cases = part(load(find(name)), patterns or ["*"])
            accept_full(run_study(cases, full=True, kept=default_folder()))
        case ["--costs", *names]:
            for name in names:
                weigh(load(find(name)))
        case names:
            for name in names:
                accept(run_study(load(find(name)), kept=default_folder()))


if __name__ == "__main__":
    with in_one_line():
        main(sys.argv[1:])
