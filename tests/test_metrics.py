"""Metrics of one run, from tables of a few rows."""

from collections.abc import Sequence

import pytest

from uplane.analysis.metrics import COLUMNS, metrics_of


class Lists:
    """A table of some rows, as lists; a column without values has none."""

    def __init__(self, **rows: list[object]) -> None:
        self._rows = rows

    def lists(self, columns: Sequence[str]) -> dict[str, list[object]]:
        count = max(map(len, self._rows.values()), default=0)
        return {name: self._rows.get(name, [0.0] * count) for name in columns}


def metrics(table: str, **rows: list[object]) -> dict[str, float]:
    """The metrics of a run of which one table has rows, of one subject."""
    tables = {name: Lists() for name in COLUMNS} | {table: Lists(**rows)}
    return {key.metric: value for key, value in metrics_of(tables).items()}


@pytest.mark.parametrize(
    ("ends", "failed"),
    [
        (["finished", "reset"], 1),
        (["timed_out", "timed_out"], 1),
        (["reset", "timed_out", None], 2),
    ],
)
def test_resets_and_timeouts_are_failures_once_a_flow(ends: list[object], failed: int) -> None:
    flows: list[object] = [1, 1] if failed == 1 else [1, 2, 3]
    names: dict[str, list[object]] = {name: ["x"] * len(ends) for name in ("app", "ue", "sender")}
    found = metrics("connections", flow=flows, ended=ends, **names)
    assert (found["count"], found["failed"]) == (len(ends), failed)


def test_pending_packets_at_the_end_are_not_lost() -> None:
    fates: list[object] = ["delivered", "lost", "in flight", "in flight"]
    found = metrics("pings", app=["x"] * 4, rtt_ms=[20.0, None, None, None], fate=fates)
    assert (found["count"], found["lost_share"]) == (4, 0.5)


def test_a_share_of_the_time_weighs_connections_by_their_time() -> None:
    names: dict[str, list[object]] = {name: ["x"] * 2 for name in ("app", "ue", "sender", "ended")}
    found = metrics(
        "connections", flow=[1, 2], active_s=[1.0, 3.0], limited_cwnd=[0.5, 0.1], **names
    )
    assert found["limited_cwnd"] == pytest.approx((0.5 * 1 + 0.1 * 3) / 4)
