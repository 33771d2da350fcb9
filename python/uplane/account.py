"""What a campaign says, section by section: the rows that a terminal and a report show.

In: the summary of a campaign. Out: sections, each with its rows: variants and subjects down,
metrics and the parts of a whole across.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars

    from uplane.runs import Runs

__all__ = ["Row", "Section", "Value", "cell", "number", "runs", "sections", "seeds"]

Value = tuple[float, float | None]
"""A mean, and half of its 95 % interval where there are several runs."""

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


@dataclass(frozen=True, kw_only=True)
class Row:
    """One variant and subject.

    Attributes:
        settings: The value of each varied setting.
        subject: What the row is about.
        values: The metrics.
        parts: What a whole consists of, by name.
    """

    settings: tuple[object, ...]
    subject: str
    values: Mapping[str, Value]
    parts: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Section:
    """Rows with a title.

    Attributes:
        name: What it is about, in one word.
        title: The same for readers.
        rows: Its rows.
        parts: What the list of parts is called, where the rows have parts.
        unit: The unit of a part; `share` for parts of 1.
        rest: How many more variants and subjects there are, whose rows were not wanted.
    """

    name: str
    title: str
    rows: Sequence[Row]
    parts: str = ""
    unit: str = ""
    rest: int = 0

    @property
    def metrics(self) -> list[str]:
        """All metrics of any row, in the order of the row that has most of them."""
        rows = sorted(self.rows, key=lambda row: -len(row.values))
        return list(dict.fromkeys(name for row in rows for name in row.values))

    def listed(self, row: Row) -> str:
        """The parts of a row in words, the largest first; those that round to nothing left out."""
        sizes = {name: mean for name, (mean, _) in row.parts.items()}
        largest_first = sorted(sizes.items(), key=lambda part: -part[1])
        if self.unit == "packets":
            return ", ".join(f"{name} {number(size)}" for name, size in largest_first)
        whole = 1.0 if self.unit == "share" else sum(sizes.values())
        return ", ".join(
            f"{name} {100 * size / whole:.0f} %"
            for name, size in largest_first
            if size >= 0.005 * whole > 0
        )


def runs(campaign: "Runs") -> str:
    """How many runs there are, and of how many where some are missing."""
    of = f" of {campaign.planned}" if len(campaign) < campaign.planned else ""
    return f"{len(campaign)}{of} run{'s' * (campaign.planned != 1)}"


def seeds(campaign: "Runs") -> str:
    """Which seeds the runs had."""
    found = campaign.seeds
    return f"seed {found[0]}" if len(found) == 1 else f"seeds {found[0]} to {found[-1]}"


def sections(campaign: "Runs", most: int | None = None) -> list[Section]:
    """The sections that have anything to say, of at most so many variants and subjects each."""
    return list(_sections(campaign.summary(), list(campaign.vary), most))


def _sections(summary: "polars.DataFrame", keys: list[str], most: int | None) -> Iterator[Section]:
    rows, rest = {}, {}
    for name in (*TITLES, "drops", *_TIMES):
        rows[name], rest[name] = _rows(_said(summary, name, keys), keys, most)
    failed = summary.filter(table="connections", metric="failed")["mean"]
    if not (failed > 0).any():
        rows["connections"] = [_without(row, ["failed"]) for row in rows["connections"]]
    for name, title in TITLES.items():
        if rows[name]:
            told = [_without(row, LIMITS) for row in rows[name]]
            yield Section(name=name, title=title, rows=told, rest=rest[name])
    wholes = [("why", "Why the senders were not sending", "connections", _why)]
    wholes += [(name, title, name, _spent) for name, title in _TIMES.items()]
    wholes += [("dropped", "Dropped packets", "drops", _dropped)]
    for name, title, table, split in wholes:
        parts, unit = _PARTS[name]
        if found := [whole for row in rows[table] if (whole := split(row))]:
            yield Section(
                name=name, title=title, rows=found, parts=parts, unit=unit, rest=rest[table]
            )


_TIMES = {
    "anatomy": "Where the time of a packet went",
    "critical_path": "What the time of a transfer is made of",
}
_PARTS = {
    "why": ("why", "share"),
    "anatomy": ("causes", "ms"),
    "critical_path": ("causes", "ms"),
    "dropped": ("dropped", "packets"),
}


def _said(summary: "polars.DataFrame", table: str, keys: list[str]) -> "polars.DataFrame":
    """What the summary says of a table; of drops, beside what came in where a hop counts it."""
    import polars

    said = summary.filter(table=table)
    if table != "drops":
        return said
    entered = summary.filter(table="hops", metric="packets_in")
    return polars.concat(
        [said, entered.join(said, on=[*keys, "subject"], how="semi", nulls_equal=True)]
    )


def _rows(said: "polars.DataFrame", keys: list[str], most: int | None) -> tuple[list[Row], int]:
    """One row for each variant and subject, at most so many, and how many more there are."""
    which = [*keys, "subject"]
    every = said.select(which).unique(maintain_order=True)
    rest = 0
    if most is not None and every.height > most:
        rest = every.height - most
        said = said.join(
            every.head(most), on=which, how="semi", nulls_equal=True, maintain_order="left"
        )
    settings: dict[tuple[str, str], tuple[object, ...]] = {}
    values: dict[tuple[str, str], dict[str, Value]] = {}
    columns = (*which, "metric", "mean", "half_width")
    for *variant, subject, metric, mean, half_width in said.select(columns).iter_rows():
        who = repr(variant) if variant else "", subject  # a setting may be a list
        settings[who] = tuple(variant)
        values.setdefault(who, {})[metric] = mean, half_width
    rows = [Row(settings=settings[who], subject=who[1], values=values[who]) for who in settings]
    return rows, rest


def _without(row: Row, metrics: Collection[str]) -> Row:
    """The row without what has a section of its own, or happened nowhere."""
    values = {name: value for name, value in row.values.items() if name not in metrics}
    return Row(settings=row.settings, subject=row.subject, values=values)


def _why(row: Row) -> Row | None:
    parts = {text: row.values[limit] for limit, text in LIMITS.items() if limit in row.values}
    if all(mean < 0.005 for mean, _ in parts.values()):
        return None
    return Row(settings=row.settings, subject=row.subject, values={}, parts=parts)


def _spent(row: Row) -> Row:
    """The causes of one flow, direction and class, or of a transfer, and the whole time."""
    whole = sum(mean for mean, _ in row.values.values())
    return Row(
        settings=row.settings,
        subject=row.subject,
        values={"mean_ms": (whole, None)},
        parts=row.values,
    )


def _dropped(row: Row) -> Row:
    """The causes of drops at one hop, and what came in."""
    values = {name: value for name, value in row.values.items() if name == "packets_in"}
    parts = {cause: value for cause, value in row.values.items() if cause not in values}
    return Row(settings=row.settings, subject=row.subject, values=values, parts=parts)


def cell(metric: str, value: Value | None) -> str:
    """A value with its interval; a dash for none, and a share in per cent."""
    if value is None:
        return "–"
    mean, half_width = value
    scale, unit = (100, " %") if metric.endswith("share") else (1, "")
    interval = "" if half_width is None else f" ± {number(half_width * scale)}"
    return f"{number(mean * scale)}{interval}{unit}"


def number(value: float) -> str:
    """A number with three significant digits, or more where all of them are whole."""
    if abs(value) >= 100 or value == int(value):
        return f"{value:.0f}"
    return f"{value:.3g}"
