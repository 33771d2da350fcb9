"""What the runs of a campaign say, in one tidy frame.

In: the tables of all runs. Out: one row for each variant, subject and metric, with the mean over
runs and half the width of its 95 % interval.

A metric is computed for each run first; runs are independent, rows of one run are not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars
from polars import col

from uplane.fairness import jain
from uplane.statistics import mean_interval

if TYPE_CHECKING:
    from uplane.campaign.plan import Plan

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
        table="hops",
        subject=("hop", "direction"),
        metrics=(
            col("packets_in").sum(),
            col("packets_dropped").sum(),
            col("queue_max_bytes").max(),
        ),
    ),
)
"""The tables that have a summary, in the order in which it is shown."""


CAUSES = ("anatomy", "critical_path", "drops")
"""The tables of which the metrics are causes: one that took or dropped nothing has no row."""

TABLES = (*(section.table for section in SECTIONS), *CAUSES)
"""The tables that a summary is made of."""


def summarise(plan: "Plan", values: polars.DataFrame) -> polars.DataFrame:
    """One row for each variant, subject and metric.

    Args:
        plan: What was varied.
        values: What each run says; see `values_of`.

    Returns:
        The varied settings, `table`, `subject`, `metric`, `mean`, `half_width` (missing for one
        run), `runs`.
    """
    values = values.sort("place", "run", maintain_order=True)
    values = values.with_columns(variant=col("run") // plan.runs)
    parts = [values.filter(~col("table").is_in(CAUSES))]
    parts += [_with_zeros(values, table) for table in CAUSES]
    rows = _over_runs(polars.concat(parts))
    if not plan.vary:
        return rows.drop("variant")
    variants = rows["variant"].unique().sort()
    settings = [plan.settings(number * plan.runs) for number in variants]
    keys = polars.DataFrame({key: [it[key] for it in settings] for key in plan.vary}, strict=False)
    return keys[variants.search_sorted(rows["variant"])].hstack(rows.drop("variant"))


def values_of(
    runs: Sequence[int], tables: Mapping[str, tuple[Sequence[int], polars.DataFrame]]
) -> polars.DataFrame:
    """What each of some runs says.

    Args:
        runs: The numbers of the runs.
        tables: How many rows of each table each run has, and all of them.

    Returns:
        A frame of `run`, `place` (of the metric, in the order in which they are shown), `table`,
        `subject`, `metric` and `value`. A metric without a value is left out.
    """
    numbers = polars.Series("run", runs, dtype=polars.UInt64)
    frames = {
        table: rows.with_columns(repeated(numbers, lengths))
        for table, (lengths, rows) in tables.items()
    }
    parts = []
    for section in SECTIONS:
        parts += _by_metric(section.table, _by_run(frames[section.table], section))
    parts += _by_metric("connections", _shares_by_run(frames["connections"]))
    parts.append(_named("anatomy", _anatomy_by_run(frames["anatomy"])))
    parts.append(_named("critical_path", _path_by_run(frames["critical_path"])))
    parts.append(_named("drops", _drops_by_run(frames["drops"])))
    return polars.concat(
        part.select(
            "run",
            polars.lit(place, polars.UInt16).alias("place"),
            col("table", "subject", "metric").cast(polars.Categorical),
            "value",
        ).filter(col("value").is_not_null() & col("value").is_not_nan())
        for place, part in enumerate(parts)
    )


def repeated(values: polars.Series, times: Sequence[int]) -> polars.Series:
    """Each value so many times."""
    repeats = polars.Series(times, dtype=polars.UInt32)
    places = polars.Series(range(len(times)), dtype=polars.UInt32).repeat_by(repeats)
    return values[places.explode(empty_as_null=False)]


def _by_metric(table: str, by_run: polars.DataFrame) -> list[polars.DataFrame]:
    """One frame for each metric, of a frame with a column for each."""
    return [
        _named(
            table,
            by_run.select("run", "subject", polars.lit(name).alias("metric"), value=col(name)),
        )
        for name in by_run.columns[2:]
    ]


def _named(table: str, values: polars.DataFrame) -> polars.DataFrame:
    return values.with_columns(table=polars.lit(table))


def _by_run(rows: polars.DataFrame, section: Section) -> polars.DataFrame:
    subject = polars.concat_str(section.subject, separator=" ").alias("subject")
    return rows.group_by("run", subject, maintain_order=True).agg(
        metric.cast(polars.Float64) for metric in section.metrics
    )


def _shares_by_run(rows: polars.DataFrame) -> polars.DataFrame:
    """How evenly the UEs of an application share: Jain's index of their bytes, and their rates.

    A UE alone shares with nobody. Its rate is what was acknowledged over the time in which it came.
    """
    subject = polars.concat_str("app", "sender", separator=" ").alias("subject")
    of_ue = rows.group_by("run", subject, "ue", maintain_order=True).agg(
        col("acked_bytes").sum().cast(polars.Float64), col("active_s").sum()
    )
    acked = col("acked_bytes")
    # What came in one instant, as a lone request does, has no rate; nothing has the rate zero.
    rate = polars.when((acked == 0) | (col("active_s") > 0)).then(acked * 0.008 / col("active_s"))
    shared = of_ue.filter(polars.len().over("run", "subject") > 1)
    return shared.group_by("run", "subject", maintain_order=True).agg(
        jain(acked.sum(), (acked**2).sum(), polars.len()).alias("fairness"),
        *(
            rate.fill_nan(0.0).quantile(rank / 100, "linear").alias(f"ue_rate_p{rank:02}_kbps")
            for rank in (5, 50, 95)
        ),
    )


def _path_by_run(rows: polars.DataFrame) -> polars.DataFrame:
    """Mean milliseconds of a transfer's critical path by cause: the cause is the metric."""
    subject = polars.concat_str("app", "kind", separator=" ").alias("subject")
    transfers = rows.unique(["run", "app", "kind", "ue", "number"], maintain_order=True)
    whole = transfers.group_by("run", subject).agg(whole=polars.len())
    spent = rows.group_by("run", subject, "cause", maintain_order=True).agg(col("time_ms").sum())
    return spent.join(whole, on=["run", "subject"], maintain_order="left").select(
        "run", "subject", metric="cause", value=col("time_ms") / col("whole")
    )


def _anatomy_by_run(rows: polars.DataFrame) -> polars.DataFrame:
    """Mean milliseconds of a packet by cause, over all UEs: the cause is the metric."""
    subject = polars.concat_str("app", "direction", "class", separator=" ").alias("subject")
    flows = rows.unique(["run", "app", "direction", "class", "ue"], maintain_order=True)
    whole = flows.group_by("run", subject).agg(whole=col("packets").sum())
    spent = rows.group_by("run", subject, "cause", maintain_order=True).agg(
        spent=(col("mean_ms") * col("packets")).sum()
    )
    return spent.join(whole, on=["run", "subject"], maintain_order="left").select(
        "run", "subject", metric="cause", value=col("spent") / col("whole")
    )


def _drops_by_run(rows: polars.DataFrame) -> polars.DataFrame:
    """Dropped packets of each hop and direction by cause: the cause is the metric."""
    subject = polars.concat_str("hop", "direction", separator=" ").alias("subject")
    dropped = rows.group_by("run", subject, "cause", maintain_order=True).agg(col("packets").sum())
    value = col("packets").cast(polars.Float64)
    return dropped.select("run", "subject", metric="cause", value=value)


def _with_zeros(values: polars.DataFrame, table: str) -> polars.DataFrame:
    """The values of a table of causes: each cause of a subject has one in all of its runs.

    A hop is in every run, and has no row of drops in one in which it dropped nothing.
    """
    own = values.filter(col("table") == table)
    whose = ["variant", "table", "place", "subject"]
    causes = own.select(*whose, "metric").unique(maintain_order=True)
    on, of = (["variant"], values) if table == "drops" else (whose, own)
    runs = of.select(*on, "run").unique(maintain_order=True)
    every = causes.join(runs, on=on, maintain_order="left_right")
    filled = every.join(own, on=[*whose, "metric", "run"], how="left", maintain_order="left")
    return filled.select(*values.columns[:-2], col("value").fill_null(0.0), "variant")


def _over_runs(values: polars.DataFrame) -> polars.DataFrame:
    """Mean and interval of each metric over the runs that have it."""
    which = ["variant", "table", "subject", "metric"]
    over_runs = values.group_by(which, maintain_order=True).agg(
        col("value").mean().alias("mean"), "value", polars.len().alias("runs")
    )
    half_widths: list[float | None] = [None] * over_runs.height
    if (over_runs["runs"] > 1).any():
        half_widths = [_half_width(values) for values in over_runs["value"].to_list()]
    return over_runs.select(
        *which,
        "mean",
        polars.Series("half_width", half_widths, dtype=polars.Float64),
        "runs",
    ).cast({polars.Categorical: polars.String})


def _half_width(values: Sequence[float]) -> float | None:
    if len(values) < 2:
        return None
    interval = mean_interval(values)
    return None if interval.high is None else interval.high - interval.value
