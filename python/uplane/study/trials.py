"""Other values of what a study fitted, tried and written down.

In: the names of studies. Out: for each fit with `trials` a file `trials-NAME.csv` in the folder of
its study: what each trial gives for the fitted rows.

    python -m uplane.study.trials 002 004
"""

import csv
import sys
from collections.abc import Iterator
from dataclasses import replace

from uplane import pool
from uplane.study.case import Point, fill, filled, grid, matches, points, varied
from uplane.study.errors import in_one_line
from uplane.study.fits import trials_file
from uplane.study.folder import Study, find, load
from uplane.study.items import samples
from uplane.study.runs import OWN, Reader, Reading, read, together
from uplane.study.sections import Change, Fit, Trials

__all__ = ["try_out"]


def try_out(study: Study, fit: Fit) -> None:
    """Runs the trials of a fit and writes what they give."""
    if fit.trials is None or not fit.trials.cases:
        return
    with (study.path / trials_file(fit)).open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        for number, (name, tried) in enumerate(_trials(study, fit.trials)):
            ours = samples(study, _readings(study, tried))
            items = [item for item in study.published if item in ours and _is_in(item, fit.trials)]
            if number == 0:
                writer.writerow(["trial", *items])
            writer.writerow([name, *(f"{ours[item].value:.6g}" for item in items)])


def _is_in(item: str, trials: Trials) -> bool:
    return any(matches(item, row) for row in trials.rows)


def _trials(study: Study, trials: Trials) -> Iterator[tuple[str, list[Point]]]:
    own = [*points(study.file.case, full=False)]
    for values in grid(trials.over, trials.points):
        change = Change(cases=trials.cases, set=filled(trials.set, values))
        chosen = [replace(point, runs=trials.runs) for point in varied(own, [change])]
        yield fill(trials.name, values), chosen


def _readings(study: Study, tried: list[Point]) -> list[Reading]:
    planned = together(study, [Reader(OWN, point) for point in tried])
    found = dict(pool.work(planned, lambda task: read(study, task)))
    return [reading for index in range(len(planned)) for reading in found[index].readings]


if __name__ == "__main__":
    with in_one_line():
        for name in sys.argv[1:]:
            folder = load(find(name))
            for each in folder.file.fit:
                try_out(folder, each)
