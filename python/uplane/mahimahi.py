"""Traces in the format of Mahimahi (Netravali et al. 2015): one number of milliseconds a line.

Each line is an opportunity: 1504 bytes may leave at that millisecond, and a packet takes its length
and 4 bytes. A link takes such a file as its `trace`; here what a radio carried becomes one.

>>> from uplane import mahimahi, run
>>> results = run("cell.toml")  # doctest: +SKIP
>>> mahimahi.write(results, "cell.down", "flood")  # doctest: +SKIP

The scenario records its packets (`record.packets = true`), and its application sends more than the
radio can carry: a trace cannot distinguish a radio without data from one without capacity.
"""

from pathlib import Path

import polars as pl

from uplane.results import Results

__all__ = ["OPPORTUNITY", "opportunities", "write"]

OPPORTUNITY, HEADER = 1504, 4
"""Bytes that one line stands for, and those of the TUN device that each packet takes of them."""


def opportunities(results: Results, app: str, direction: str = "down") -> list[int]:
    """Returns the time of each further 1504 delivered bytes of an application.

    Each packet counts 4 bytes more than its length.

    Args:
        results: One run, with the table `packets`.
        app: The application, which had always something to send.
        direction: `down` or `up`.

    Returns:
        Milliseconds from the start of the run, rounded up, ascending.

    Raises:
        ValueError: Nothing of the application was delivered, or packets were not recorded.
    """
    packets = results["packets"].to_polars()
    of_app = packets.filter((pl.col("app") == app) & (pl.col("direction") == direction))
    if of_app.is_empty():
        message = (
            f"no packets of {app!r} were recorded {direction}: record.packets, a name of an app"
        )
        raise ValueError(message)
    # A packet has a row for each cause of its latency.
    delivered = of_app.unique("packet").sort("delivered_s", "packet")
    before, found = 0, []
    for time, size in delivered.select("delivered_s", "bytes").iter_rows():
        after = before + size + HEADER
        nanoseconds = round(time * 1e9)
        found += [-(-nanoseconds // 10**6)] * (after // OPPORTUNITY - before // OPPORTUNITY)
        before = after
    return found


def write(results: Results, path: str | Path, app: str, direction: str = "down") -> None:
    """Writes the [`opportunities`][uplane.mahimahi.opportunities] to a file, one a line."""
    lines = [f"{number}\n" for number in opportunities(results, app, direction)]
    Path(path).write_text("".join(lines), encoding="utf-8")
