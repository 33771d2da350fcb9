"""What table 1 of the paper reads off a download, and what its figures draw.

In: the table `deliveries` of a run whose clock starts with the request. Out: ms, kB.

Everything is read on the paper's grid of 5 ms. Its window of 25 ms looks forward: one that looks
back cannot reach 90 % at the 10 and 15 ms that the paper prints.
"""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

import polars as pl

STEP_MS = 5
WINDOW_MS = 25
TARGET_BITS_PER_MS = 0.9 * 21_200
"""19.08 Mbit/s: what the paper's sizes over its times are."""
TENTH_STARTS_S = 1.0
"""As `ten.toml` has it."""


class Download(NamedTuple):
    """What had been delivered when."""

    times_ms: list[float]
    bytes_before: list[int]
    """Delivered before each of `times_ms`, and at the end."""

    @classmethod
    def of(cls, deliveries: pl.DataFrame) -> "Download":
        """The downlink of a run."""
        down = deliveries.filter(pl.col("direction") == "down")
        total = accumulate(down["bytes"].to_list(), initial=0)
        return cls((down["time_s"] * 1000).to_list(), list(total))

    def before(self, at_ms: float) -> int:
        """Bytes delivered before a moment."""
        return self.bytes_before[bisect_left(self.times_ms, at_ms)]

    def grid(self, first: int, ahead: int) -> Iterator[int]:
        """Multiples of 5 ms from `first` until `ahead` before the last delivery."""
        last = int(self.times_ms[-1]) - ahead if self.times_ms else 0
        return iter(range(first, last + 1, STEP_MS))

    def saturated(self) -> int | None:
        """The first moment at which the next 25 ms bring 90 % of the saturation rate."""
        wanted = TARGET_BITS_PER_MS * WINDOW_MS / 8
        moments = self.grid(0, WINDOW_MS)
        full = (at for at in moments if self.before(at + WINDOW_MS) - self.before(at) >= wanted)
        return next(full, None)

    def perceived(self) -> int | None:
        """The first moment at which all bytes over all time are 90 % of the saturation rate."""
        moments = self.grid(STEP_MS, 0)
        return next((at for at in moments if self.before(at) * 8 >= TARGET_BITS_PER_MS * at), None)


def saturation_time(deliveries: pl.DataFrame) -> float | None:
    """Table 1, first column, in ms."""
    return Download.of(deliveries).saturated()


def saturation_bytes(deliveries: pl.DataFrame) -> float | None:
    """Table 1, second column, in kB."""
    download = Download.of(deliveries)
    at = download.saturated()
    return None if at is None else download.before(at) / 1000


def perceived_time(deliveries: pl.DataFrame) -> float | None:
    """Table 1, third column, in ms."""
    return Download.of(deliveries).perceived()


def perceived_bytes(deliveries: pl.DataFrame) -> float | None:
    """Table 1, fourth column, in kB."""
    download = Download.of(deliveries)
    at = download.perceived()
    return None if at is None else download.before(at) / 1000


def tenth_saturation_time(deliveries: pl.DataFrame) -> float | None:
    """The same beside nine UEs, in ms."""
    return saturation_time(_tenth(deliveries))


def tenth_perceived_time(deliveries: pl.DataFrame) -> float | None:
    """The same beside nine UEs, in ms."""
    return perceived_time(_tenth(deliveries))


def _tenth(deliveries: pl.DataFrame) -> pl.DataFrame:
    """The file of the UE that comes last, on a clock that starts with its request."""
    own = deliveries.filter(pl.col("app") == "file")
    return own.with_columns(pl.col("time_s") - TENTH_STARTS_S)
