"""The report of a user's own runs: what `uplane run` and `uplane sweep` found, on one page.

In: a campaign. Out: one document: what was run, what limits it, tables, curves, bars, and all that
is needed to run it again.
"""

import re
from collections.abc import Sequence
from html import escape

from uplane.account import Row, Section, cell, runs, sections, seeds
from uplane.digits import number
from uplane.errors import InputError
from uplane.report import again, bars, html, sweep
from uplane.runs import Runs

__all__ = ["runs_page"]

UNITS = {"s": "s", "ms": "ms", "kbps": "kbit/s", "bytes": "bytes"}
"""The units in which the names of metrics end, for readers."""


def runs_page(campaign: Runs) -> str:
    """The whole document.

    Raises:
        InputError: No run is finished.
    """
    if not len(campaign):
        message = "there is nothing to report: no run is finished"
        raise InputError(message)
    found = sections(campaign)
    title = _title(campaign)
    body = [
        f"<h1>{escape(title)}</h1>\n",
        f'<p class="lead">{_how_sure(campaign, found)}</p>\n',
        f'<div class="notice">{html.warned(campaign.warnings)}</div>\n' * bool(campaign.warnings),
        _facts(campaign),
        *(_tabled(section, campaign) for section in found if section.name not in bars.DRAWN),
        sweep.figures(campaign, found),
        *(_drawn(section, campaign, bars.hues(found)) for section in found),
        again.section(campaign),
        html.foot(len(campaign)),
    ]
    return html.document(f"uplane: {title}", f'<main class="runs">\n{"".join(body)}</main>\n')


def _title(campaign: Runs) -> str:
    manifest = campaign.first
    return str(manifest["scenario"].get("title") or manifest["source"])


def _how_sure(campaign: Runs, found: Sequence[Section]) -> str:
    """What the numbers are, and how far they may be trusted."""
    each = len(campaign.seeds)
    which = " of each variant" if campaign.vary else ""
    if each == 1:
        return (
            f"One run with {seeds(campaign)}{which}: another seed may give other numbers, and how "
            "far they lie apart is not known from one."
        )
    if not any(half for section in found for row in section.rows for half in _halves(row)):
        return (
            f"The {each} runs{which} gave the same numbers: no chance decides them, and ± 0 does "
            "not mean that they are sure."
        )
    return f"Means over {each} runs{which}; behind ± half of the 95 % interval of the mean."


def _halves(row: Row) -> list[float]:
    """Half of each interval of a row."""
    return [half or 0.0 for _, half in (*row.values.values(), *row.parts.values())]


def _facts(campaign: Runs) -> str:
    first = campaign.first
    durations = campaign.vary.get("duration", [first["scenario"]["duration"]])
    commit = re.sub(r"(?<=[0-9a-f]{12})[0-9a-f]+", "", first.get("commit") or "")
    settings = [f"<code>{escape(f'{key} = {text}')}</code>" for key, text in again.laid(campaign)]
    varied = [
        f"<code>{escape(key)}</code>: {escape(', '.join(map(str, values)))}"
        for key, values in campaign.vary.items()
    ]
    return html.facts(
        [
            ("scenario", escape(str(first["source"]))),
            ("laid over it", "<br>".join(settings)),
            ("varied", "<br>".join(varied)),
            ("runs", f"{runs(campaign)}, {seeds(campaign)}"),
            ("simulated", f"up to {escape(', '.join(map(str, durations)))} a run"),
            ("CPU", f"{number(campaign.cpu_s)} s"),
            ("uplane", escape(f"{first['version']} {commit}".strip())),
        ]
    )


def _tabled(section: Section, campaign: Runs) -> str:
    return f"<h3>{escape(section.title)}</h3>\n{_table(section, list(campaign.vary))}"


def _drawn(section: Section, campaign: Runs, hues: Sequence[str]) -> str:
    """A section whose rows are wholes: as bars, and their numbers as a table."""
    if section.name not in bars.DRAWN:
        return ""
    numbers = _table(section, list(campaign.vary))
    if section.name != "critical_path":
        numbers = html.folded("The numbers", numbers)
    drawn = bars.figures(section, list(campaign.vary), hues)
    about = html.note(escape(bars.DRAWN[section.name]))
    return f"<h3>{escape(section.title)}</h3>\n{about}{drawn}{numbers}"


def _table(section: Section, keys: Sequence[str]) -> str:
    """Subjects, each with its variants, down; metrics and the parts that are something across."""
    parts = _parts(section)
    columns = ["", *keys, *map(_heading, section.metrics), *parts]
    subjects = list(dict.fromkeys(row.subject for row in section.rows))
    rows = [
        [
            escape(row.subject),
            *(escape(str(value)) for value in row.settings),
            *(_cell(cell(metric, row.values.get(metric))) for metric in section.metrics),
            *(_cell(cell(section.unit, row.parts.get(part))) for part in parts),
        ]
        for row in sorted(section.rows, key=lambda row: subjects.index(row.subject))
    ]
    return html.table(columns, rows, numeric=range(len(keys) + 1, len(columns)))


def _parts(section: Section) -> list[str]:
    """The parts that are more than half a per cent of any whole; of packets all."""
    least = 0.0 if section.unit == "packets" else 0.005
    sizes: dict[str, float] = {}
    for row in section.rows:
        whole = _whole(row, section.unit)
        for name, (mean, _) in row.parts.items():
            sizes[name] = max(sizes.get(name, 0.0), mean / whole if whole else 0.0)
    return [name for name, size in sizes.items() if size > least]


def _whole(row: Row, unit: str) -> float:
    return 1.0 if unit == "share" else sum(mean for mean, _ in row.parts.values())


def _heading(metric: str) -> str:
    """`duration_mean_s` as people write it."""
    name, _, unit = metric.rpartition("_")
    if unit in UNITS and name:
        return f"{name.replace('_', ' ')}, {UNITS[unit]}"
    return metric.removesuffix("_share").replace("_", " ")


def _cell(text: str) -> str:
    mean, plus_minus, rest = escape(text).partition(" ± ")
    return f"{mean} <small>± {rest}</small>" if plus_minus else mean
