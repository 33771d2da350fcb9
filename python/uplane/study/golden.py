"""Our own values of a study's quick variant, accepted as what the next run has to give.

In: an outcome. Out: `expected.csv` in the study's folder.

    python -m uplane.study.golden 002 004

A value moves only together with an entry "Results changed" in the changelog.
"""

import csv
import sys
from pathlib import Path

from uplane.study.engine import run_study
from uplane.study.folder import find, load
from uplane.study.outcome import Outcome

__all__ = ["accept"]


def accept(outcome: Outcome) -> Path:
    """Writes the values of `outcome` as the expected ones."""
    path = outcome.study.path / "expected.csv"
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["item", "ours", "unit", "runs", "verdict"])
        for row in outcome.rows:
            writer.writerow([row.item, repr(row.ours), row.unit, row.n, row.verdict])
    return path


if __name__ == "__main__":
    for name in sys.argv[1:]:
        accept(run_study(load(find(name))))
