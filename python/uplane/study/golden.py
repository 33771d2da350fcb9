"""Our own values of a study, accepted as what the next run has to give.

In: an outcome. Out: `expected.csv` of the quick variant, `full.csv` of the full one, both in the
study's folder.

    python -m uplane.study.golden 002 004
    python -m uplane.study.golden --full 003 'fig6/*' 'access/*'

The full variant takes minutes to hours. Patterns name the cases to run of it; rows of others stay,
so a run that was cut short goes on with the cases that it has not had.

A value moves only together with an entry "Results changed" in the changelog.
"""

import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from uplane.study.case import matches
from uplane.study.engine import run_study
from uplane.study.folder import Study, find, load
from uplane.study.outcome import Outcome

__all__ = ["FULL", "accept", "accept_full", "part"]

FULL = "full.csv"


def accept(outcome: Outcome) -> Path:
    """Writes the values of `outcome` as the expected ones."""
    rows = [[row.item, repr(row.ours), row.unit, row.n, row.verdict] for row in outcome.rows]
    header = ["item", "ours", "unit", "runs", "verdict"]
    return _write(outcome.study.path / "expected.csv", header, rows)


def accept_full(outcome: Outcome) -> Path:
    """Writes the values of the full variant with their intervals over those of the same items."""
    path = outcome.study.path / FULL
    rows: dict[str, list[object]] = {}
    if path.is_file():
        with path.open(encoding="utf-8", newline="") as lines:
            rows = {row[0]: list(row) for row in list(csv.reader(lines))[1:]}
    for row in outcome.rows:
        low, high = ("" if bound is None else repr(bound) for bound in (row.ci_low, row.ci_high))
        rows[row.item] = [row.item, repr(row.ours), low, high, row.unit, row.n]
    return _write(path, ["item", "ours", "low", "high", "unit", "runs"], rows.values())


def part(study: Study, patterns: Sequence[str]) -> Study:
    """The study with the cases that match alone, and nothing of which only they are known."""
    cases = [each for each in study.file.case if any(matches(each.name, it) for it in patterns)]
    rest = dict.fromkeys(("variation", "null", "fit", "oracle", "anatomy", "map"), ())
    return replace(study, file=study.file.model_copy(update={"case": cases, **rest}))


def _write(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    return path


if __name__ == "__main__":
    if sys.argv[1:2] == ["--full"]:
        chosen = load(find(sys.argv[2]))
        accept_full(run_study(part(chosen, sys.argv[3:] or ["*"]), full=True))
    else:
        for name in sys.argv[1:]:
            accept(run_study(load(find(name))))
