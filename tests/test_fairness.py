"""Shares of several UEs: the index against its definition, and the summary of a campaign."""

import polars
import pytest

import uplane
from uplane import campaign
from uplane.fairness import jain_index, served_share


@pytest.mark.parametrize(
    ("shares", "index"),
    [
        ([5.0], 1.0),
        ([2.0, 2.0, 2.0], 1.0),
        ([7.0, 0.0, 0.0, 0.0], 0.25),  # one of four has all
        ([1.0, 1.0, 0.0, 0.0], 0.5),
        ([1.0, 3.0], 0.8),  # 16 / (2 · 10)
        ([0.0, 0.0], 1.0),
    ],
)
def test_jains_index_is_the_share_of_equal_users(shares: list[float], index: float) -> None:
    assert jain_index(shares) == pytest.approx(index)


def test_jains_index_does_not_depend_on_the_unit() -> None:
    assert jain_index([1.0, 3.0, 8.0]) == pytest.approx(jain_index([1e6, 3e6, 8e6]))


def test_the_target_rate_itself_is_enough() -> None:
    assert served_share([1.0, 2.0, 3.0, 4.0], at_least=3.0) == 0.5


CELL = """
duration = "1 s"

[radio.lte]

[[ue]]
name = "near"
downlink_sinr_db = 20

[[ue]]
name = "far"
downlink_sinr_db = 2
count = 2

[[bulk]]
name = "flood"
ue = "all"

[[ping]]
name = "echo"
ue = "near"
"""


def test_a_summary_says_how_evenly_ues_share() -> None:
    done = campaign.sweep(uplane.loads(CELL), runs=2)
    summary = done.summary().filter(table="connections", subject="flood server")
    means = dict(summary.select("metric", "mean").iter_rows())
    rows = done["connections"].filter(polars.col("sender") == "server")
    runs = [frame for _, frame in rows.group_by("seed")]
    rates = [frame["acked_bytes"] * 8 / frame["active_s"] / 1000 for frame in runs]
    indices = [jain_index(rate.to_list()) for rate in rates]
    assert means["fairness"] == pytest.approx(sum(indices) / 2)
    assert 0.34 < means["fairness"] < 0.99
    least = [rate.quantile(0.05, "linear") for rate in rates]
    assert means["ue_rate_p05_kbps"] == pytest.approx(sum(rate or 0.0 for rate in least) / 2)
    assert means["ue_rate_p05_kbps"] < means["ue_rate_p50_kbps"] < means["ue_rate_p95_kbps"]


def test_a_lone_request_has_no_rate() -> None:
    """The response arrives in one instant, so there is no duration to divide by."""
    fetch = CELL.replace("[[bulk]]", "[[download]]").replace('"flood"', '"fetch"\nfile = "50 kB"')
    summary = campaign.sweep(uplane.loads(fetch)).summary().filter(table="connections")
    rates = summary.filter(polars.col("metric").str.starts_with("ue_rate"))
    assert set(rates["subject"]) == {"fetch server"}
    assert rates["mean"].is_finite().all()


def test_one_ue_shares_with_nobody() -> None:
    alone = CELL.replace("count = 2", "count = 1").replace('ue = "all"', 'ue = "far"')
    metrics = campaign.sweep(uplane.loads(alone)).summary().filter(table="connections")["metric"]
    assert "throughput_mean_kbps" in metrics
    assert "fairness" not in metrics


def test_equal_files_at_unequal_rates_are_not_fair() -> None:
    """All have got the same in the end, and some of them waited three times as long for it."""
    fetch = CELL.replace("[[bulk]]", "[[download]]").replace('"flood"', '"fetch"\nfile = "500 kB"')
    done = campaign.sweep(uplane.loads(fetch), set={"duration": "60 s"})
    means = dict(done.summary().filter(table="connections").select("metric", "mean").iter_rows())
    assert set(done["transfers"]["bytes"]) == {500_000.0}
    assert means["ue_rate_p95_kbps"] > 1.5 * means["ue_rate_p05_kbps"]
    assert means["fairness"] < 0.95
