"""Ratios of completion times, here over Linux, by groups of cells."""

import json
import math
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any


def read(file: str) -> dict[str, dict[str, Any]]:
    """Read the lines that `run.py` wrote, by the key of their cells."""
    lines = Path(file).read_text().splitlines()
    return {line["key"]: line for line in map(json.loads, lines)}


def group(key: str) -> str:
    """Name the losses and the congestion control of a cell."""
    _, _, _, _, loss, control, _ = key.split("-")
    return f"{loss} {control}"


def main() -> None:
    """Print one line for each group."""
    linux, ours = (read(file) for file in sys.argv[1:3])
    groups: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for key, cell in linux.items():
        # A cell in which the emulator was late by more than 3 % is not judged.
        if key in ours and cell["late"] <= 0.03 * cell["time"]:
            ratio = ours[key]["time"] / cell["time"]
            groups[group(key)].append((ratio, cell["resent"], ours[key]["resent"]))
    for name, cells in sorted(groups.items()):
        ratios = sorted(ratio for ratio, _, _ in cells)
        near = [sum(abs(ratio - 1) <= by for ratio in ratios) / len(ratios) for by in (0.05, 0.1)]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        low, high = (ratios[round((len(ratios) - 1) * share)] for share in (0.05, 0.95))
        resent = [sum(cell[side] for cell in cells) / len(cells) for side in (1, 2)]
        print(
            f"{name:12} {len(cells):5} cells, within 5 %: {near[0]:.1%}, 10 %: {near[1]:.1%}, "
            f"mean {mean:.3f}, {low:.2f} to {high:.2f}, resent {resent[0]:.1f} / {resent[1]:.1f}"
        )


if __name__ == "__main__":
    main()
