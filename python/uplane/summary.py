"""What the runs of a campaign say, in one tidy frame.

In: the tables of all runs. Out: one row for each variant, subject and metric, with the mean over
runs and half the width of its 95 % interval.

A metric is computed for each run first; runs are independent, rows of one run are not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars
from polars import col

from uplane.statistics import mean_interval

if TYPE_CHECKING:
    from uplane.campaign import Campaign

__all__ = ["SECTIONS", "Section", "summarise"]


@dataclass(frozen=True, kw_only=True)
class Section:
    """How one table is summarised.

    Attributes:
        table: The table.
        subject: The columns that name what a row is about.
        metrics: What is computed of all rows of one subject in one run.
    """

    table: str
    subject: Sequence[str]
    metrics: Sequence[polars.Expr]


def _mean(column: str) -> polars.Expr:
    name, unit = column.rsplit("_", 1)
    return col(column).mean().alias(f"{name}_mean_{unit}")


def _p95(column: str) -> polars.Expr:
    name, unit = column.rsplit("_", 1)
    return col(column).quantile(0.95, "linear").alias(f"{name}_p95_{unit}")


def _weighted(column: str, weight: str) -> polars.Expr:
    return ((col(column) * col(weight)).sum() / col(weight).sum()).alias(column)


SECTIONS = (
    Section(
        table="transfers",
        subject=("app", "kind"),
        metrics=(
            polars.len().alias("count"),
            # A transfer without end cannot be complete.
            col("completed_s")
            .is_not_null()
            .filter(col("bytes").is_not_null())
            .mean()
            .alias("completed_share"),
            _mean("duration_s"),
            _p95("duration_s"),
            _mean("rate_kbps"),
        ),
    ),
    Section(
        table="pings",
        subject=("app",),
        metrics=(
            polars.len().alias("count"),
            (col("rtt_ms").null_count() / polars.len()).alias("lost_share"),
            _mean("rtt_ms"),
            _p95("rtt_ms"),
        ),
    ),
    Section(
        table="datagrams",
        subject=("app",),
        metrics=(
            polars.len().alias("count"),
            (col("latency_ms").null_count() / polars.len()).alias("lost_share"),
            _mean("latency_ms"),
            _p95("latency_ms"),
        ),
    ),
    Section(
        table="connections",
        subject=("app", "sender"),
        metrics=(
            polars.len().alias("count"),
            # Not closed by its applications, nor by the end of the run.
            col("flow")
            .filter(col("ended").is_in(["reset", "timed_out"]))
            .n_unique()
            .alias("failed"),
            _mean("throughput_kbps"),
            col("retransmissions").sum(),
            col("timeouts").sum(),
            *(
                _weighted(share, "active_s")
                for share in (
                    "limited_cwnd",
                    "limited_rwnd",
                    "limited_app",
                    "limited_recovery",
                    "limited_pacing",
                    "idle",
                )
            ),
        ),
    ),
    Section(
        table="places",
        subject=("place", "direction"),
        metrics=(
            col("packets_in").sum(),
            *(
                col(f"dropped_{cause}").sum()
                for cause in ("queue", "loss", "too_big", "incomplete", "late")
            ),
            col("queue_max_bytes").max(),
        ),
    ),
)
"""The tables that have a summary, in the order in which it is shown."""


def summarise(campaign: "Campaign") -> polars.DataFrame:
    """One row for each variant, subject and metric.

    Columns: the varied settings, `table`, `subject`, `metric`, `mean`, `half_width` (missing for
    one run), `runs`.
    """
    keys = list(campaign.vary)
    frames = [
        _over_runs(section.table, _by_run(campaign[section.table], section, keys), keys)
        for section in SECTIONS
    ]
    shares = _over_runs("connections", _shares_by_run(campaign["connections"], keys), keys)
    anatomy = _over_runs("anatomy", _anatomy_by_run(campaign["anatomy"], keys), keys)
    path = _over_runs("critical_path", _path_by_run(campaign["critical_path"], keys), keys)
    return polars.concat([*frames, shares, anatomy, path], how="vertical_relaxed")


def _by_run(rows: polars.DataFrame, section: Section, keys: list[str]) -> polars.DataFrame:
    """`subject`, `metric` and `value` of each run; a metric without a value is left out."""
    subject = polars.concat_str(section.subject, separator=" ").alias("subject")
    return (
        rows.group_by([*keys, "seed", subject], maintain_order=True)
        .agg(metric.cast(polars.Float64) for metric in section.metrics)
        .unpivot(index=[*keys, "seed", "subject"], variable_name="metric")
        .filter(col("value").is_not_null() & col("value").is_not_nan())
    )


def _shares_by_run(rows: polars.DataFrame, keys: list[str]) -> polars.DataFrame:
    """How evenly the UEs of an application share: Jain's index of their bytes, and their rates.

    A UE alone shares with nobody. Its rate is what was acknowledged over the time in which it came.
    """
    run = [*keys, "seed", polars.concat_str("app", "sender", separator=" ").alias("subject")]
    of_ue = rows.group_by([*run, "ue"], maintain_order=True).agg(
        col("acked_bytes").sum().cast(polars.Float64), col("active_s").sum()
    )
    acked = col("acked_bytes")
    # What came in one instant, as a lone request does, has no rate; nothing has the rate zero.
    rate = polars.when((acked == 0) | (col("active_s") > 0)).then(acked * 0.008 / col("active_s"))
    return (
        of_ue.group_by([*keys, "seed", "subject"], maintain_order=True)
        .agg(
            polars.len().alias("ues"),
            (acked.sum() ** 2 / (polars.len() * (acked**2).sum())).alias("fairness"),
            *(
                rate.fill_nan(0.0).quantile(rank / 100, "linear").alias(f"ue_rate_p{rank:02}_kbps")
                for rank in (5, 50, 95)
            ),
        )
        .filter(col("ues") > 1)
        .drop("ues")
        .unpivot(index=[*keys, "seed", "subject"], variable_name="metric")
        .filter(col("value").is_not_null() & col("value").is_not_nan())
    )


def _path_by_run(rows: polars.DataFrame, keys: list[str]) -> polars.DataFrame:
    """Mean milliseconds of a transfer's critical path by cause: the cause is the metric."""
    run, what = [*keys, "seed"], ["app", "kind"]
    transfers = rows.unique([*run, *what, "ue", "number"], maintain_order=True)
    whole = transfers.group_by([*run, *what], maintain_order=True).agg(whole=polars.len())
    spent = rows.group_by([*run, *what, "cause"], maintain_order=True).agg(col("time_ms").sum())
    causes = spent.select(*keys, *what, "cause").unique(maintain_order=True)
    every = causes.join(whole, on=[*keys, *what], maintain_order="left_right")
    matched = every.join(spent, on=[*run, *what, "cause"], how="left", maintain_order="left")
    return matched.select(
        *run,
        polars.concat_str(what, separator=" ").alias("subject"),
        col("cause").alias("metric"),
        value=col("time_ms").fill_null(0.0) / col("whole"),
    )


def _anatomy_by_run(rows: polars.DataFrame, keys: list[str]) -> polars.DataFrame:
    """Mean milliseconds of a packet by cause, over all UEs: the cause is the metric.

    A cause that took no time has no row, in the table of a run, and counts as zero.
    """
    run, flow = [*keys, "seed"], ["app", "direction", "class"]
    each_ue = rows.unique([*run, *flow, "ue"], maintain_order=True)
    whole = each_ue.group_by([*run, *flow], maintain_order=True).agg(whole=col("packets").sum())
    spent = (
        rows.join(whole, on=[*run, *flow], maintain_order="left")
        .group_by([*run, *flow, "cause"], maintain_order=True)
        .agg(value=(col("mean_ms") * col("packets")).sum() / col("whole").first())
    )
    causes = spent.select(*keys, *flow, "cause").unique(maintain_order=True)
    every = causes.join(whole.drop("whole"), on=[*keys, *flow], maintain_order="left_right")
    matched = every.join(spent, on=[*run, *flow, "cause"], how="left", maintain_order="left")
    return matched.select(
        *run,
        polars.concat_str(flow, separator=" ").alias("subject"),
        col("cause").alias("metric"),
        col("value").fill_null(0.0),
    )


def _over_runs(table: str, values: polars.DataFrame, keys: list[str]) -> polars.DataFrame:
    """Mean and interval of each metric over the runs that have it."""
    over_runs = values.group_by([*keys, "subject", "metric"], maintain_order=True).agg(
        col("value").mean().alias("mean"), "value", polars.len().alias("runs")
    )
    half_widths = [_half_width(values) for values in over_runs["value"].to_list()]
    return over_runs.select(
        *keys,
        polars.lit(table).alias("table"),
        "subject",
        "metric",
        "mean",
        polars.Series("half_width", half_widths, dtype=polars.Float64),
        "runs",
    )


def _half_width(values: Sequence[float]) -> float | None:
    if len(values) < 2:
        return None
    interval = mean_interval(values)
    return None if interval.high is None else interval.high - interval.value
