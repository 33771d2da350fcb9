"""The results of a campaign, section by section: the rows that a terminal and a report show.

In: the samples of a campaign. Out: sections, each with its rows: variants and subjects down,
metrics and the parts of a whole across. Metrics without news in any row are left out: one transfer,
all completed, nothing lost, no failure; percentiles of one value.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from uplane.analysis.metrics import OF_QUIC, OF_TCP, apps_with_latency
from uplane.analysis.samples import Sample
from uplane.digits import number, with_interval
from uplane.runs import Runs

__all__ = ["Row", "Section", "Value", "cell", "runs", "sections", "seeds", "short", "texts"]

Value = tuple[float, float | None]
"""A mean, and half of its 95 % interval where there are several runs."""

TITLES = {
    "transfers": "Transfers",
    "pings": "Pings",
    "datagrams": "Datagrams",
    "messages": "Messages",
    "program_values": "What programs report",
    "connections": "Connections",
    "quic": "QUIC connections",
}
LIMITS = {
    "limited_cwnd": "congestion window",
    "limited_rwnd": "receive window",
    "limited_app": "application",
    "limited_sndbuf": "send buffer",
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
    """Titled rows of the summary.

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
        """Lists the parts of a row in words, the largest first; omits parts that round to zero."""
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


def runs(campaign: Runs) -> str:
    """Returns the number of finished runs, with the number planned if some are missing."""
    of = f" of {campaign.planned}" if len(campaign) < campaign.planned else ""
    return f"{len(campaign)}{of} run{'s' * (campaign.planned != 1)}"


def seeds(campaign: Runs) -> str:
    """Returns the range of the seeds."""
    found = campaign.seeds
    return f"seed {found[0]}" if len(found) == 1 else f"seeds {found[0]} to {found[-1]}"


def short(keys: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """Returns keys by their last part, or by enough parts to make them unique.

    Args:
        keys: Dotted keys.
        taken: Other headings of the same table, which no key may repeat.
    """
    parts = 1
    while True:
        found = [".".join(key.split(".")[-parts:]) for key in keys]
        is_unique = len(set(found)) == len(keys) and not set(found) & set(taken)
        if is_unique or parts > max((key.count(".") for key in keys), default=0):
            return found
        parts += 1


def sections(campaign: Runs, most: int | None = None) -> list[Section]:
    """Returns the sections that have rows, each with at most `most` rows."""
    return list(_sections(campaign, most))


def texts(section: Section, keys: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Returns a section as texts: the heads of its columns, and its rows."""
    metrics = section.metrics
    rows = [
        [
            *map(str, row.settings),
            row.subject,
            *(cell(metric, row.values.get(metric)) for metric in metrics),
            *([section.listed(row)] * bool(section.parts)),
        ]
        for row in section.rows
    ]
    return [*short(keys, metrics), "", *metrics, *([section.parts] * bool(section.parts))], rows


def _sections(campaign: Runs, most: int | None) -> Iterator[Section]:
    samples = campaign.samples()
    rows, rest = {}, {}
    for name in (*TITLES, "drops", *_TIMES):
        rows[name], rest[name] = _rows(campaign, list(_of_table(samples, name)), most)
    for name, title in TITLES.items():
        shown, more = _rows(campaign, _loud(list(_of_table(samples, name))), most)
        if shown:
            yield Section(name=name, title=title, rows=shown, rest=more)
    senders = ("connections", "quic")
    wholes: list[_Whole] = [("why", "Why the senders were not sending", senders, _why)]
    wholes += [(name, title, (name,), _spent) for name, title in _TIMES.items()]
    wholes += [("dropped", "Dropped packets", ("drops",), _dropped)]
    delays, rest_of_delays = _rows(campaign, _delays(samples), most)
    for name, title, tables, split in wholes:
        parts, unit = _PARTS[name]
        more = sum(rest[table] for table in tables)
        own = chain.from_iterable(rows[table] for table in tables)
        if found := [whole for row in own if (whole := split(row))]:
            yield Section(name=name, title=title, rows=found, parts=parts, unit=unit, rest=more)
    if delays:
        title = "Network delay of data packets"
        yield Section(name="network_delays", title=title, rows=delays, rest=rest_of_delays)


_Whole = tuple[str, str, Sequence[str], Callable[[Row], Row | None]]
"""Name and title of a section, its tables, and how a row of them becomes a whole."""
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
QUIET = {
    "count": 1.0,
    "completed_share": 1.0,
    "delivered_share": 1.0,
    "lost_share": 0.0,
    "failed": 0.0,
    **dict.fromkeys((*OF_TCP, *OF_QUIC), 0.0),
}
"""Metrics that a row omits while they have this value, because nothing happened."""


def _of_table(samples: Sequence[Sample], table: str) -> Iterable[Sample]:
    """Returns the samples of a table; of `drops`, also the packets in if the hop counts them."""
    own = [sample for sample in samples if sample.key.table == table]
    if table != "drops":
        return own
    dropped = {(sample.variant, sample.key.subject) for sample in own}
    entered = (it for it in samples if it.key[::2] == ("hops", "packets_in"))
    return [*own, *(it for it in entered if (it.variant, it.key.subject) in dropped)]


def _delays(samples: Sequence[Sample]) -> list[Sample]:
    """The network delays of flows that have no duration or latency of their own."""
    apps = apps_with_latency(sample.key for sample in samples)
    own = _of_table(samples, "network_delays")
    return [sample for sample in own if sample.key.subject.split(" ")[0] not in apps]


def _rows(campaign: Runs, samples: Sequence[Sample], most: int | None) -> tuple[list[Row], int]:
    """Returns a row for each variant and subject, at most `most`, and the number of others."""
    of_row: dict[tuple[int, str], list[Sample]] = {}
    for sample in samples:
        of_row.setdefault((sample.variant, sample.key.subject), []).append(sample)
    shown = list(of_row.items())[:most]
    rows = []
    for (variant, subject), own in shown:
        means = [(sample.key.metric, sample.mean) for sample in own]
        settings = campaign.settings(variant)
        rows.append(
            Row(
                settings=tuple(settings[key] for key in campaign.vary),
                subject=subject,
                values={metric: (mean.value, mean.half_width) for metric, mean in means},
            )
        )
    return rows, len(of_row) - len(shown)


def _loud(samples: Sequence[Sample]) -> list[Sample]:
    """Returns the samples without metrics that are quiet for all subjects.

    All runs of all subjects decide, also of those whose rows are not shown.
    """
    own = [sample for sample in samples if sample.key.metric not in LIMITS]
    counts = {
        (it.variant, it.key.subject): set(it.values) for it in own if it.key.metric == "count"
    }
    loud = {it.key.metric for it in own if not _is_quiet(it, counts)}
    return [sample for sample in own if sample.key.metric in loud] or own


def _is_quiet(sample: Sample, counts: Mapping[tuple[int, str], Collection[float]]) -> bool:
    """Reports whether nothing happened, or a percentile has only one value in each run."""
    metric = sample.key.metric
    is_percentile = metric.partition("_p")[2][:2].isdecimal() and not metric.startswith("ue_")
    if is_percentile:
        return counts.get((sample.variant, sample.key.subject)) == {1.0}
    return metric in QUIET and set(sample.values) == {QUIET[metric]}


def _without(row: Row, metrics: Collection[str]) -> Row:
    """Returns the row without these metrics."""
    values = {name: value for name, value in row.values.items() if name not in metrics}
    return Row(settings=row.settings, subject=row.subject, values=values)


def _why(row: Row) -> Row | None:
    parts = {text: row.values[limit] for limit, text in LIMITS.items() if limit in row.values}
    if all(mean < 0.005 for mean, _ in parts.values()):
        return None
    return Row(settings=row.settings, subject=row.subject, values={}, parts=parts)


def _spent(row: Row) -> Row:
    """Returns the row of a flow, direction and class, or of a transfer: total time and causes."""
    whole = sum(mean for mean, _ in row.values.values())
    return Row(
        settings=row.settings,
        subject=row.subject,
        values={"mean_ms": (whole, None)},
        parts=row.values,
    )


def _dropped(row: Row) -> Row:
    """Returns the row of one hop: packets in, and dropped packets by cause."""
    values = {name: value for name, value in row.values.items() if name == "packets_in"}
    parts = {cause: value for cause, value in row.values.items() if cause not in values}
    return Row(settings=row.settings, subject=row.subject, values=values, parts=parts)


def cell(metric: str, value: Value | None) -> str:
    """Formats a value with its interval: a missing value as a dash, a share in per cent."""
    if value is None:
        return "–"
    mean, half_width = value
    scale, unit = (100, " %") if metric.endswith("share") else (1, "")
    return with_interval(mean * scale, half_width and half_width * scale) + unit
