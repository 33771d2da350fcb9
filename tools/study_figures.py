"""Draws the figure that decides each study, for the head of its README.

In: `full.csv` of the studies, and what their texts give of the originals. Out: `figure.svg` in each
study's folder, with colours for light and dark pages. The same numbers draw the same bytes.

    .venv/bin/python tools/study_figures.py [--check]
"""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

from uplane import study
from uplane.report.figures import drawn
from uplane.study.golden import FULL

FIGURE = "figure.svg"


def main() -> None:
    """Writes the figures, or says which are not those of the numbers."""
    old = []
    for path in study.shipped():
        made = figure(path)
        place = path / FIGURE
        if made and (not place.is_file() or place.read_text("utf-8") != made):
            old.append(place)
            if "--check" not in sys.argv:
                place.write_text(made, encoding="utf-8")
    if old and "--check" in sys.argv:
        sys.exit(f"tools/study_figures.py draws others: {', '.join(map(str, old))}")


def figure(path: Path) -> str:
    """The figure of a study as a file of its own; nothing where what decides it are bars."""
    loaded = study.load(path)
    wanted = loaded.file.study.figure
    chosen = [each for each in loaded.file.figure if each.title == wanted]
    drawing = drawn(chosen[0], _rows(loaded), loaded.values) if chosen else None
    return drawing.file if drawing else ""


def _rows(loaded: study.Study) -> Iterator[study.Row]:
    with (loaded.path / FULL).open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            low, high = (float(row[key]) if row[key] else None for key in ("low", "high"))
            yield study.Row(
                study=loaded.number,
                item=row["item"],
                published=loaded.values.get(row["item"]),
                unit=row["unit"],
                ours=float(row["ours"]),
                ci_low=low,
                ci_high=high,
                n=int(row["runs"]),
                tolerance=None,
                verdict="not comparable",
                note="",
            )


if __name__ == "__main__":
    main()
