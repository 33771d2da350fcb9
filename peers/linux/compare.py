"""Compare the times and retransmissions of cells, here and on Linux, by group.

python peers/linux/compare.py linux.csv uplane.csv [--list]
"""

import csv
import math
import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

# A cell in which the emulator was later than this share of the time is not judged.
LATE = 0.03


class Flow(NamedTuple):
    """One flow of a cell in all of its plays."""

    group: str
    cell: str
    flow: int
    times: list[float]
    resent: float

    @property
    def time(self) -> float:
        """Returns the median completion time."""
        return median(self.times)


Key = tuple[str, str, int]


def read(file: str) -> dict[Key, Flow]:
    """Read flows by group, cell and number; comments begin with "#"."""
    lines = [it for it in Path(file).read_text().splitlines() if not it.startswith("#")]
    plays: dict[Key, list[dict[str, str]]] = defaultdict(list)
    for row in csv.DictReader(lines):
        if float(row["time_s"]) > 0 and float(row["late_max"]) <= LATE * float(row["time_s"]):
            plays[row["group"], row["cell"], int(row["flow"])].append(row)
    return {
        key: Flow(
            *key, [float(it["time_s"]) for it in rows], median(float(it["resent"]) for it in rows)
        )
        for key, rows in plays.items()
    }


def summary(name: str, pairs: list[tuple[Flow, Flow]]) -> str:
    """Write one line of a group."""
    ratios = sorted(ours.time / linux.time for linux, ours in pairs)
    near = [sum(abs(ratio - 1) <= by for ratio in ratios) / len(ratios) for by in (0.05, 0.1)]
    mean = math.exp(fmean(map(math.log, ratios)))
    sums = fmean(it.time for _, it in pairs) / fmean(it.time for it, _ in pairs)
    resent = [fmean(pair[side].resent for pair in pairs) for side in (0, 1)]
    return (
        f"{name:28} {len(pairs):4} flows, within 5 %: {near[0]:6.1%}, 10 %: {near[1]:6.1%}, "
        f"mean {mean:.3f}, {ratios[0]:.2f} to {ratios[-1]:.2f}, sum {sums:.3f}, "
        f"resent {resent[0]:.1f} / {resent[1]:.1f}"
    )


def main() -> None:
    """Print one line for each group, and with `--list` each flow that is off by 5 %."""
    linux, ours = (read(file) for file in sys.argv[1:3])
    groups: dict[str, list[tuple[Flow, Flow]]] = defaultdict(list)
    for key in linux.keys() & ours.keys():
        groups[key[0]].append((linux[key], ours[key]))
    for name, pairs in sorted(groups.items()):
        print(summary(name, pairs))
    print(summary("all", [pair for pairs in groups.values() for pair in pairs]))
    if "--list" in sys.argv:
        for linux_flow, here in sorted(pair for pairs in groups.values() for pair in pairs):
            ratio = here.time / linux_flow.time
            if abs(ratio - 1) > 0.05:
                times = " ".join(f"{time:.3f}" for time in linux_flow.times)
                resent = f"{linux_flow.resent:g} / {here.resent:g}"
                name = f"{here.group}: {here.cell} ({here.flow})"
                print(f"{ratio:.3f}: {times} / {here.time:.3f}, resent {resent}: {name}")


if __name__ == "__main__":
    main()
