"""Shows what a campaign says: one table a section, variants and subjects down, metrics across.

In: the runs. Out: text on standard output. Numbers over several runs carry their 95 % interval.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import polars
from polars import col
from rich.console import Console
from rich.table import Table
from rich.text import Text

from uplane.campaign import Campaign

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["number", "show"]

Row = dict[str, Any]

TITLES = {
    "transfers": "Transfers",
    "pings": "Pings",
    "datagrams": "Datagrams",
    "connections": "Connections",
}
LIMITS = {
    "limited_cwnd": "congestion window",
    "limited_rwnd": "receive window",
    "limited_app": "application",
    "limited_recovery": "loss recovery",
    "limited_pacing": "pacing",
    "idle": "nothing to send",
}
DROPS = {
    "dropped_queue": "queue full",
    "dropped_loss": "lost on the link",
    "dropped_too_big": "too big",
    "dropped_incomplete": "a piece was lost",
    "dropped_late": "too late",
}


def show(campaign: Campaign) -> None:
    """Prints the summary of all runs."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    console.print(_head(campaign))
    summary = campaign.summary()
    keys = list(campaign.vary)
    for part in _parts(summary, keys):
        console.print()
        console.print(part)
    for warning in campaign.warnings:
        console.print(Text(f"warning: {warning}", style="yellow"))


def _head(campaign: Campaign) -> str:
    manifests = [run.results.manifest for run in campaign]
    seeds = sorted({run.seed for run in campaign})
    which = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
    cpu = sum(manifest["cpu_s"] for manifest in manifests)
    runs = f"{len(campaign)} run{'s' * (len(campaign) != 1)}"
    return f"{manifests[0]['source']}: {runs}, {which}, {number(cpu)} s of CPU time"


def _parts(summary: polars.DataFrame, keys: list[str]) -> "Iterator[RenderableType]":
    for name, title in TITLES.items():
        rows = _rows(summary, name, keys)
        if rows:
            yield _grid(
                title, rows, keys, [metric for metric in _metrics(rows) if metric not in LIMITS]
            )
    yield from _lists(summary, keys)


def _lists(summary: polars.DataFrame, keys: list[str]) -> "Iterator[RenderableType]":
    """The sections whose metrics are parts of one whole, so that a list reads best."""
    if rows := [why for row in _rows(summary, "connections", keys) if (why := _why(row))["why"]]:
        yield _grid("Why the senders were not sending", rows, keys, ["why"])
    if rows := [_anatomy(row) for row in _rows(summary, "anatomy", keys)]:
        yield _grid("Where the time of a packet went", rows, keys, ["mean_ms", "causes"])
    if rows := [_anatomy(row) for row in _rows(summary, "critical_path", keys)]:
        yield _grid("What the time of a transfer is made of", rows, keys, ["mean_ms", "causes"])
    if rows := [dropped for row in _rows(summary, "places", keys) if (dropped := _dropped(row))]:
        yield _grid("Dropped packets", rows, keys, ["packets_in", "dropped"])


def _rows(summary: polars.DataFrame, table: str, keys: list[str]) -> list[Row]:
    """One row for each variant and subject; a metric's value is its mean and half width."""
    rows: dict[tuple[object, ...], Row] = {}
    for line in summary.filter(col("table") == table).iter_rows(named=True):
        names = [*keys, "subject"]
        row = rows.setdefault(
            tuple(line[name] for name in names), {name: line[name] for name in names}
        )
        row[line["metric"]] = line["mean"], line["half_width"]
    return list(rows.values())


def _metrics(rows: Sequence[Row]) -> list[str]:
    """All metrics of any row, in the order of the row that has most of them."""
    names = dict.fromkeys(name for row in sorted(rows, key=len, reverse=True) for name in row)
    return [name for name in names if any(isinstance(row.get(name), tuple) for row in rows)]


def _grid(title: str, rows: Sequence[Row], keys: list[str], metrics: Sequence[str]) -> Table:
    grid = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name in (*keys, ""):
        grid.add_column(name, overflow="fold")
    for metric in metrics:
        is_text = any(isinstance(row.get(metric), str) for row in rows)
        grid.add_column(metric, justify="left" if is_text else "right")
    for row in rows:
        grid.add_row(
            *(str(row[key]) for key in keys),
            row["subject"],
            *(_cell(metric, row.get(metric)) for metric in metrics),
        )
    return grid


def _cell(metric: str, value: tuple[float, float | None] | str | None) -> str:
    match value:
        case None:
            return "–"
        case str():
            return value
        case mean, half_width:
            scale, unit = (100, " %") if metric.endswith("share") else (1, "")
            interval = "" if half_width is None else f" ± {number(half_width * scale)}"
            return f"{number(mean * scale)}{interval}{unit}"


def _why(row: Row) -> Row:
    shares = [(row[limit][0], text) for limit, text in LIMITS.items() if limit in row]
    return {**row, "why": _listed(shares)}


def _anatomy(row: Row) -> Row:
    """The causes of one flow, direction and class, or of a transfer, and the whole time."""
    causes = {name: value[0] for name, value in row.items() if isinstance(value, tuple)}
    whole = sum(causes.values())
    shares = [(time / whole, cause) for cause, time in causes.items() if whole]
    return {**row, "mean_ms": (whole, None), "causes": _listed(shares)}


def _dropped(row: Row) -> Row | None:
    parts = [f"{number(row[drop][0])} {text}" for drop, text in DROPS.items() if row[drop][0]]
    return {**row, "dropped": ", ".join(parts)} if parts else None


def _listed(shares: Sequence[tuple[float, str]]) -> str:
    largest_first = sorted(shares, key=lambda share: -share[0])
    return ", ".join(
        f"{text} {100 * share:.0f} %" for share, text in largest_first if share >= 0.005
    )


def number(value: float) -> str:
    """A number with three significant digits, or more where all of them are whole."""
    if abs(value) >= 100 or value == int(value):
        return f"{value:.0f}"
    return f"{value:.3g}"
