"""The grid: which downloads are compared, and the path of each."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import paths

SIZES = [10_000, 50_000, 100_000, 500_000, 1_500_000, 5_000_000, 20_000_000]


@dataclass(frozen=True)
class Cell:
    """One download over one path; rates in Mbit/s, times in ms, the queue in products of both."""

    size: int
    rate: int
    rtt: int
    queue: float
    loss: str
    control: str
    seed: int

    @property
    def queue_bytes(self) -> int:
        """The limit of the queue: at least three packets."""
        return max(int(self.rate * 1e6 / 8 * self.rtt / 1e3 * self.queue), 4500)

    @property
    def estimate(self) -> float:
        """About how many seconds it takes."""
        bits = self.size * 8
        time = bits / (self.rate * 1e6) + 6 * self.rtt / 1e3
        if self.loss == "p1":
            time = max(time, bits / (1.3 * 1448 * 8 / (self.rtt / 1e3 * 0.1)))
        return time

    def as_path(self) -> paths.Cell:
        """The arguments of `cell`; the server writes 64 KiB at a time."""
        lost = {"none": "", "n20": " drop=20", "p1": f" loss=0.01 seed={self.seed}"}[self.loss]
        path = f"rate={self.rate}e6 rtt={self.rtt} queue={self.queue_bytes}"
        words = f"steps={self.size} cc={self.control} {path}{lost}"
        return paths.Cell("grid", f"{self.loss} {self.control}", words)


def cells() -> Iterator[Cell]:
    """All cells that take less than 45 s; `grid.csv` has half of them."""
    parts = itertools.product(
        SIZES, [1, 10, 21, 50], [10, 50, 150, 300], [0.5, 1, 4], ["none", "n20", "p1"]
    )
    for (size, rate, rtt, queue, loss), control in itertools.product(parts, ["cubic", "reno"]):
        if (size == 10_000 and loss != "none") or (size == SIZES[-1] and queue == 0.5):
            continue
        many = loss == "p1" and size <= 1_500_000 and queue == 1
        for seed in (1, 2, 3) if many else (1,):
            cell = Cell(size, rate, rtt, queue, loss, control, seed)
            if cell.estimate <= 45:
                yield cell
