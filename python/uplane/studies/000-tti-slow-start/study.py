"""Measures of table 1 of the paper on a download, and the series of its figures.

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
"""19.08 Mbit/s: the ratio of the paper's sizes and times."""
TENTH_STARTS_S = 1.0
"""Start of the tenth UE's download in `ten.toml`."""


class Download(NamedTuple):
    """Delivered bytes over time."""

    times_ms: list[float]
    bytes_before: list[int]
    """Bytes delivered before each of `times_ms`, and at the end."""

    @classmethod
    def of(cls, deliveries: pl.DataFrame) -> "Download":
        """Reads the downlink of a run."""
        down = deliveries.filter(pl.col("direction") == "down")
        total = accumulate(down["bytes"].to_list(), initial=0)
        return cls((down["time_s"] * 1000).to_list(), list(total))

    def before(self, at_ms: float) -> int:
        """Returns the bytes delivered before a moment."""
        return self.bytes_before[bisect_left(self.times_ms, at_ms)]

    def grid(self, first: int, ahead: int) -> Iterator[int]:
        """Yields multiples of 5 ms from `first` until `ahead` before the last delivery."""
        last = int(self.times_ms[-1]) - ahead if self.times_ms else 0
        return iter(range(first, last + 1, STEP_MS))

    def saturated(self) -> int | None:
        """Returns the first moment at which the next 25 ms reach 90 % of the saturation rate."""
        wanted = TARGET_BITS_PER_MS * WINDOW_MS / 8
        moments = self.grid(0, WINDOW_MS)
        full = (at for at in moments if self.before(at + WINDOW_MS) - self.before(at) >= wanted)
        return next(full, None)

    def perceived(self) -> int | None:
        """Returns the first moment at which the mean rate so far is 90 % of the saturation rate."""
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
    """Table 1, first column, for a UE beside nine others, in ms."""
    return saturation_time(_tenth(deliveries))


def tenth_perceived_time(deliveries: pl.DataFrame) -> float | None:
    """Table 1, third column, for a UE beside nine others, in ms."""
    return perceived_time(_tenth(deliveries))


def _tenth(deliveries: pl.DataFrame) -> pl.DataFrame:
    """Returns the deliveries of the last UE's file, on a clock that starts with its request."""
    own = deliveries.filter(pl.col("app") == "file")
    return own.with_columns(pl.col("time_s") - TENTH_STARTS_S)
