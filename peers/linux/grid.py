"""The grid: which downloads are compared, and the path of each."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

SIZES = [10_000, 50_000, 100_000, 500_000, 1_500_000, 5_000_000, 20_000_000]
MASK = (1 << 64) - 1


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
    def key(self) -> str:
        """The name of the cell."""
        path = f"{self.size}-{self.rate}-{self.rtt}-{self.queue:g}"
        return f"{path}-{self.loss}-{self.control}-{self.seed}"

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

    def lost(self) -> list[int]:
        """The numbers of the data packets that are lost, as `cell.c` draws them."""
        if self.loss != "p1":
            return [20] if self.loss == "n20" else []
        most = 3 * self.size // 1448 + 200
        return [number for number in range(1, most) if drawn(self.seed, number) < 0.01]


def drawn(seed: int, number: int) -> float:
    """Draw from 0 to 1 for a packet: splitmix64's output function."""
    z = (seed * 1_000_003 + number + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return ((z ^ (z >> 31)) >> 11) / 2**53


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
