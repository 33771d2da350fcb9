"""The ramp-up time of a download.

In: the table `deliveries` of a run. Out: ms from the first delivery on.

As in study 000 a download has ramped up when the next 25 ms bring 90 % of the rate, here of the
core's 100 Mbit/s. The clock starts with the first delivery, so that the handshake, which QUIC and
TCP have in different lengths, does not count.
"""

from bisect import bisect_left
from itertools import accumulate

import polars as pl

WINDOW_MS = 25
TARGET_BYTES = 0.9 * 100_000 / 8 * WINDOW_MS


def ramp_up(deliveries: pl.DataFrame) -> float | None:
    """Returns the time of the first delivery after which 25 ms bring 90 % of 100 Mbit/s."""
    down = deliveries.filter(pl.col("direction") == "down")
    times = (down["time_s"] * 1000).to_list()
    before = list(accumulate(down["bytes"].to_list(), initial=0))
    for place, at in enumerate(times):
        if before[bisect_left(times, at + WINDOW_MS)] - before[place] >= TARGET_BYTES:
            found: float | None = at - times[0]
            return found
    return None
