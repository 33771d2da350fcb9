"""Table 1 without a cell: slow start as a closed form with two values, for all pairs of a grid.

In: the latencies that the paper prints in table 2. Out: `trials-closed-form.csv`.

    python python/uplane/studies/000-tti-slow-start/closed_form.py

A round is the printed downlink and uplink latency and twice the delay of the core; each multiplies
the window by 1.5. What slow start loses against 21 Mbit/s decides all four columns of a row.
"""

import csv
from itertools import product
from math import ceil, log
from pathlib import Path

HERE = Path(__file__).parent
RATE = 2625.0
"""Bytes a millisecond: 21 Mbit/s."""
TARGET = 19.08 / 21
"""The paper's 90 % of the rate: 19.08 of 21 Mbit/s."""
GRID_MS = 5


COLUMNS = ("t1", "b1", "t2", "b2")


def row(round_ms: float, first_bytes: float) -> tuple[float, float, float, float]:
    """The four columns: ms, kB, ms, kB."""
    rounds = 1 + log(RATE * round_ms / first_bytes) / log(1.5)
    lost = round_ms * rounds - (round_ms - first_bytes / RATE) / log(1.5)
    saturated = GRID_MS * ceil(1.5 * lost / GRID_MS)
    perceived = GRID_MS * ceil(lost / (1 - TARGET) / GRID_MS)
    sent = RATE * (saturated - lost) / 1000
    return saturated, sent, perceived, RATE * TARGET * perceived / 1000


def latencies() -> dict[str, float]:
    """Printed downlink and uplink latency of each row of table 1."""
    with (HERE / "published.csv").open(encoding="utf-8", newline="") as lines:
        printed = {cell["item"]: cell["value"] for cell in csv.DictReader(lines)}
    return {
        f"{tti}/{sr}": float(printed[f"000/table2/{tti}/{sr}/dl0"])
        + float(printed[f"000/table2/{tti}/{sr}/total0"])
        for tti, sr in product(("1", "0.5", "0.1"), (5, 1))
    }


def main() -> None:
    """Writes what each pair gives."""
    with (HERE / "trials-closed-form.csv").open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        items = [f"000/table1/{name}/{column}" for name in latencies() for column in COLUMNS]
        writer.writerow(["trial", *items])
        for first, core in product(range(3600, 6801, 400), range(13, 24)):
            rows = [row(radio + 2 * core / 10, first) for radio in latencies().values()]
            trial = f"{first} B, {core / 10} ms"
            writer.writerow([trial, *(f"{cell:.6g}" for cells in rows for cell in cells)])


if __name__ == "__main__":
    main()
