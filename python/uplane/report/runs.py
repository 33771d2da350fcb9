"""The report of a user's own runs: what `uplane run` and `uplane sweep` found, on one page.

In: a campaign. Out: one document: the answer and its figure, then what limits it, tables, figures,
and all that is needed to run it again.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from uplane.analysis.answer import answer
from uplane.analysis.changes import of_campaign
from uplane.analysis.headline import headline_of
from uplane.analysis.metrics import Key
from uplane.digits import number, readable
from uplane.errors import InputError
from uplane.report import bars, kept, network_map, over_time, repeat, spread, sweep, time_sequence
from uplane.report.figure import Figure
from uplane.report.render import document
from uplane.result_sections import Row, Section, Value, cell, runs, sections, seeds, short
from uplane.runs import Runs

__all__ = ["Table", "how_sure", "readable_heading", "runs_page"]

SENDER = "A subject is an application and the end that sends: the server or the UE."
ABOUT = {
    "connections": SENDER,
    "quic": SENDER,
    "why": f"{bars.DRAWN['why']} {SENDER}",
    "anatomy": f"{bars.DRAWN['anatomy']} A subject is an application, a direction (down: to the "
    "UE) and a class: data, or ack for packets without payload.",
}
"""Texts about the subjects of sections."""

HEROES = ("critical_path", "anatomy", "why")
"""Sections whose figures may stand on the first screen, the best first."""

UNITS = {"s": "s", "ms": "ms", "kbps": "kbit/s", "bytes": "bytes"}
"""The units in which the names of metrics end, for readers."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table as a template takes it.

    Attributes:
        label: The title of the table.
        columns: The headings of the columns.
        rows: The texts of the cells.
        words: Number of columns of words; columns of numbers follow.
        linked: Causes whose names are links to the keys that change them.
    """

    label: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int
    linked: Collection[str] = ()


@dataclass(frozen=True, kw_only=True)
class Part:
    """A section of the page: title, figures and table."""

    name: str
    title: str
    about: str = ""
    figures: Sequence[Figure] = ()
    table: Table | None = None


def runs_page(campaign: Runs) -> str:
    """Returns the report of runs as HTML.

    Raises:
        InputError: No run is finished.
    """
    if not len(campaign):
        message = "there is nothing to report: no run is finished"
        raise InputError(message)
    found = sections(campaign)
    over = sweep.figures(campaign, found)
    first = headline_of(sample.key for sample in campaign.samples())
    chosen = sweep.figures(campaign, found, first)[:1] if first else over[:1]
    changes = of_campaign(campaign)
    shown = [figure.rows for figure in chosen]
    parts = [
        *_parts(campaign, found, {change.cause for change in changes}),
        *_more(campaign, [figure for figure in over if figure.rows not in shown]),
    ]
    hero = chosen[0] if chosen else _hero(parts, first)
    return document(
        "runs.html.j2",
        title=_title(campaign),
        answer=answer(campaign),
        how_sure=how_sure(campaign, found),
        hero=hero,
        warnings=[*campaign.limits, *campaign.warnings],
        facts=_facts(campaign),
        parts=[part for part in parts if part.figures or part.table],
        changes=changes,
        repeat=repeat.repeat_of(campaign),
        runs=len(campaign),
    )


def _parts(campaign: Runs, found: Sequence[Section], linked: Collection[str]) -> list[Part]:
    """Returns the parts with tables: metrics first, then wholes with their parts."""
    keys = list(campaign.vary)
    return [
        Part(
            name=section.name,
            title=section.title,
            about=ABOUT.get(section.name, bars.DRAWN.get(section.name, "")),
            figures=bars.figures(section, keys) if section.name in bars.DRAWN else (),
            table=_table(section, keys, linked),
        )
        for section in sorted(found, key=lambda it: it.name in bars.DRAWN)
    ]


def _more(campaign: Runs, over: Sequence[Figure]) -> list[Part]:
    """Returns the parts that have figures only."""
    several = len(campaign.seeds) > 1
    shaded = "Shaded: 95 % interval of the mean." if several else ""
    spreads = "Each curve has all runs of a variant." if several else ""
    first = f"Of the first run, seed {campaign.seeds[0]}."
    series, senders = spread.series(campaign)
    most = f" The {len(series)} senders with the most in flight, of {senders}."
    told = [
        Part(name="over", title="Metrics over the varied keys", about=shaded, figures=over),
        Part(
            name="distributions",
            title="Distributions of single values",
            about=spreads,
            figures=spread.distributions(campaign),
        ),
        Part(name="map", title="Where UEs stand", about=first, figures=_map(campaign)),
        Part(
            name="series",
            title="Senders over time",
            about=first + (most if senders > len(series) else ""),
            figures=series,
        ),
        Part(
            name="sequences",
            title="Time–sequence diagrams",
            about=f"{first} Transmissions and received ACKs of senders, at their hosts.",
            figures=time_sequence.figures(campaign),
        ),
        Part(
            name="places",
            title="Queues and radio links over time",
            about=first,
            figures=over_time.places(campaign),
        ),
    ]
    return [part for part in told if part.figures]


def _map(campaign: Runs) -> list[Figure]:
    """Draws the UEs of the first run in a network."""
    ues = kept.first_run(campaign, "ues")
    if ues is None:
        return []
    told = "Each with its mean MCS; the triangle is the first site."
    places = ues.select("ue", "x_m", "y_m", "cell", "mean_mcs").rows()
    return [network_map.places(places, "UEs in the network", told)]


def _hero(parts: Sequence[Part], first: Key | None) -> Figure | None:
    """Returns the figure of the first screen, where nothing was varied.

    Its bars are of the subject of the headline if any are, and of its application otherwise.
    """
    by_name = {part.name: part.figures for part in parts}
    known = [figure for name in HEROES for figure in by_name.get(name, ())]
    subject = first.subject if first else ""
    for about in (subject, f"{subject.split(' ')[0]} "):
        for figure in known:
            if any(str(row["bar"]).startswith(about) for row in figure.rows):
                return figure
    return next(iter(known), None)


def _title(campaign: Runs) -> str:
    manifest = campaign.first
    return str(manifest["scenario"].get("title") or manifest["source"])


def how_sure(campaign: Runs, found: Sequence[Section]) -> str:
    """Returns a sentence on the numbers: means, intervals, and their limits."""
    each = len(campaign.seeds)
    which = " of each variant" if campaign.vary else ""
    if each == 1:
        return (
            f"One run with {seeds(campaign)}{which}: another seed may give other numbers, and one "
            "run does not show their spread."
        )
    if not any(half for section in found for row in section.rows for half in _halves(row)):
        return (
            f"The {each} runs{which} gave the same numbers: no random draw decided them, so ± 0 "
            "is not a measure of certainty."
        )
    return f"Means over {each} runs{which}; ± is half of the 95 % interval of the mean."


def _halves(row: Row) -> list[float]:
    """Returns the half-widths of all intervals of a row."""
    return [half or 0.0 for _, half in (*row.values.values(), *row.parts.values())]


def _facts(campaign: Runs) -> list[tuple[str, list[Any], bool]]:
    """Returns facts about the runs: names, texts, and whether the texts are code."""
    first = campaign.first
    durations = campaign.vary.get("duration", [first["scenario"]["duration"]])
    commit = re.sub(r"(?<=[0-9a-f]{12})[0-9a-f]+", "", first.get("commit") or "")
    varied = [f"{key}: {', '.join(map(str, values))}" for key, values in campaign.vary.items()]
    told = [
        ("scenario", [str(first["source"])], False),
        ("set", [f"{key} = {text}" for key, text in repeat.overrides(campaign)], True),
        ("varied", varied, True),
        ("runs", [f"{runs(campaign)}, {seeds(campaign)}"], False),
        ("simulated", [f"up to {', '.join(map(str, durations))} a run"], False),
        ("CPU", [f"{number(campaign.cpu_s)} s"], False),
        ("uplane", [f"{first['version']} {commit}".strip()], False),
    ]
    return [(name, texts, is_code) for name, texts, is_code in told if texts]


def _table(section: Section, keys: Sequence[str], linked: Collection[str]) -> Table:
    """Returns a table: subjects with their variants down, metrics and noticeable parts across."""
    parts = _noticed(section)
    scaled = {metric: _readable(metric, section.rows) for metric in section.metrics}
    metrics = [head for head, _ in scaled.values()]
    columns = ["subject", *short(keys, [*metrics, *parts]), *metrics, *parts]
    subjects = list(dict.fromkeys(row.subject for row in section.rows))
    rows = [
        [
            row.subject,
            *map(str, row.settings),
            *(cell(name, _times(row.values.get(name), scaled[name][1])) for name in scaled),
            *(cell(section.unit, row.parts.get(part)) for part in parts),
        ]
        for row in sorted(section.rows, key=lambda row: subjects.index(row.subject))
    ]
    return Table(
        label=section.title, columns=columns, rows=rows, words=len(keys) + 1, linked=linked
    )


def _readable(metric: str, rows: Sequence[Row]) -> tuple[str, float]:
    """Returns the heading of a metric in the unit that fits its largest value, and the factor."""
    return readable_heading(metric, [row.values[metric][0] for row in rows if metric in row.values])


def readable_heading(metric: str, values: Iterable[float]) -> tuple[str, float]:
    """Returns `duration mean, ms` for `duration_mean_s` below a second, and the factor to it."""
    name, _, unit = metric.rpartition("_")
    if unit not in UNITS or not name:
        return heading(metric), 1.0
    shown, scale = readable(UNITS[unit], max(map(abs, values), default=0.0))
    return f"{name.replace('_', ' ')}, {shown}", scale


def _times(value: Value | None, scale: float) -> Value | None:
    if value is None:
        return None
    mean, half = value
    return mean * scale, None if half is None else half * scale


def _noticed(section: Section) -> list[str]:
    """Returns the parts above half a per cent of any whole; of dropped packets, all."""
    least = 0.0 if section.unit == "packets" else 0.005
    sizes: dict[str, float] = {}
    for row in section.rows:
        whole = _whole(row, section.unit)
        for name, (mean, _) in row.parts.items():
            sizes[name] = max(sizes.get(name, 0.0), mean / whole if whole else 0.0)
    return [name for name, size in sizes.items() if size > least]


def _whole(row: Row, unit: str) -> float:
    return 1.0 if unit == "share" else sum(mean for mean, _ in row.parts.values())


def heading(metric: str) -> str:
    """Returns a heading for a metric: `duration mean, s` for `duration_mean_s`."""
    name, _, unit = metric.rpartition("_")
    if unit in UNITS and name:
        return f"{name.replace('_', ' ')}, {UNITS[unit]}"
    return metric.removesuffix("_share").replace("_", " ")
