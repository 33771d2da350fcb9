"""Play cells on the running kernel or in the simulator.

    cc -O2 -o cell peers/linux/*.c -lpthread
    sudo python peers/linux/run.py linux paths linux.csv ./cell
    python peers/linux/run.py uplane paths uplane.csv
    python peers/linux/compare.py linux.csv uplane.csv

`grid` are the cells of `grid.py`; `paths`, `flows`, `reordering`, `handshakes` and `accurate_ecn`
those of `paths.py`. The kernel needs root and /dev/net/tun. A play in which the emulator released
a packet more than 4 ms late is thrown away.
"""

import argparse
import csv
import json
import platform
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import grid
import paths
from paths import Cell
from scenario import scenario

GRIDS = ["grid", "paths", "flows", "reordering", "handshakes", "accurate_ecn"]
COLUMNS = ["group", "cell", "play", "flow", "time_s", "resent", "late_max"]
# A packet that is later than this spoils a play; so many plays are thrown away at most.
LATE, TRIES = 0.004, 12
# A third play where two differ by more.
SCATTER = 1.02

Row = dict[str, str | int | float]


def played(cell: Cell, play: int, flow: int, time: float, resent: int, late: float) -> Row:
    """Return a line of the output."""
    words = (cell.group, cell.words, play, flow, f"{time:.6f}", resent, f"{late:.6f}")
    return dict(zip(COLUMNS, words, strict=True))


def once_on_linux(binary: str, cell: Cell, play: int) -> tuple[list[Row], int]:
    """Play a cell until the emulator is in time; also how many plays were thrown away."""
    for thrown in range(TRIES):
        words = ["chrt", "-f", "50", binary, *cell.words.split(), "deadline=120"]
        said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        result = json.loads(said)
        late = result["late_max"]
        if late <= LATE and not result["dead"]:
            rows = [
                played(cell, play, flow, it["steps"][-1], it["resent"], late)
                for flow, it in enumerate(result["flows"])
            ]
            return rows, thrown
    return [], TRIES


def on_linux(binary: str, cell: Cell) -> tuple[list[Row], int]:
    """Play a cell as often as it asks for, and a third time where two plays scatter."""
    rows: list[Row] = []
    thrown = 0
    for play in range(3):
        times = [float(row["time_s"]) for row in rows if row["flow"] == 0]
        if play >= cell.plays and (len(times) < 2 or max(times) <= SCATTER * min(times)):
            break
        more, lost = once_on_linux(binary, cell, play)
        rows, thrown = rows + more, thrown + lost
    return rows, thrown


def here(cell: Cell) -> list[Row]:
    """Play a cell in the simulator."""
    import uplane

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "cell.toml")
        file.write_text(scenario(cell.words))
        run = uplane.run(
            uplane.load(file), seed=int(cell.words.partition("seed=")[2].split(" ")[0] or 1)
        )
    transfers = run["transfers"].to_polars().sort("app")
    ends = run["connections"].to_polars()
    sender = "ue" if "upload=1" in cell.words else "server"
    resent = ends.filter(ends["sender"] == sender).sort("app")["retransmissions"].to_list()
    return [
        played(cell, 0, flow, -1 if time is None else time, resent[flow], 0)
        for flow, time in enumerate(transfers["duration_s"].to_list())
    ]


def main() -> None:
    """Play all cells of a grid."""
    reads = argparse.ArgumentParser()
    reads.add_argument("where", choices=["linux", "uplane"])
    reads.add_argument("grid", choices=GRIDS)
    reads.add_argument("out")
    reads.add_argument("binary", nargs="?")
    reads.add_argument("--group", default="", help="only groups with this in their name")
    reads.add_argument("--workers", type=int, default=1)
    asked = reads.parse_args()
    known = [*(cell.as_path() for cell in grid.cells()), *paths.cells()]
    cells = [it for it in known if it.file == asked.grid and asked.group in it.group]
    thrown = 0
    with Path(asked.out).open("w", newline="") as out, ThreadPoolExecutor(asked.workers) as pool:
        where = f"Linux {platform.release()}" if asked.where == "linux" else "uplane"
        out.write(f"# {where}, {datetime.now(tz=UTC):%Y-%m-%d}\n")
        lines = csv.DictWriter(out, COLUMNS)
        lines.writeheader()
        for rows, lost in (
            pool.map(lambda cell: on_linux(asked.binary, cell), cells)
            if asked.where == "linux"
            else ((here(cell), 0) for cell in cells)
        ):
            lines.writerows(rows)
            out.flush()
            thrown += lost
    print(f"{len(cells)} cells, {thrown} plays thrown away", file=sys.stderr)


if __name__ == "__main__":
    main()
