"""The parts of an answer that a page shows one after the other, the sentence first.

In: the request of a page. Out: parts for JSON: progress, sentence with numbers, figures, packets.
"""

import time
from collections.abc import Generator, Iterator, Mapping
from typing import Any, TypeVar

from uplane.analysis import packets
from uplane.analysis.answer import answer
from uplane.analysis.compare import METRICS, Comparison, compare_sides
from uplane.analysis.packets import Packet
from uplane.campaign.finished import Campaign
from uplane.campaign.sides import sides_of, two_sides
from uplane.cli.runs import parse_value
from uplane.digits import number
from uplane.errors import InputError
from uplane.explore.asked import Asked, laid_over
from uplane.explore.engine import Engine, Job, Progress
from uplane.explore.keys import values_of
from uplane.report import bars, compare, spread
from uplane.report import packets as drawings
from uplane.report.compare import comparison_page
from uplane.report.figure import Figure
from uplane.report.render import fragment
from uplane.report.runs import Table, how_sure, runs_page
from uplane.result_sections import cell, sections

__all__ = ["comparison", "followed", "packet_parts", "parts", "report"]

Part = dict[str, Any]
Value = TypeVar("Value")

LISTED = 10
"""Number of packets in the list of the slowest ones."""


def parts(engine: Engine, asked: Asked, job: Job) -> Iterator[Part]:
    """Yields the answer to a request, then its figures.

    Raises:
        RunStopped: The page stopped the job.
        UplaneError: A run failed.
    """
    started = time.perf_counter()
    if steps := engine.grid.steps(asked.changes):
        # Before the runs: they may be refused because of a value between the new steps.
        yield {"kind": "steps", "steps": steps}
    campaign = yield from _progress(engine.campaign(asked, job))
    found = compare_sides(*sides_of(campaign)) if asked.changes else None
    yield {
        "kind": "answer",
        **(_alone(campaign) if found is None else _compared(found)),
        "warnings": [*campaign.limits, *campaign.warnings],
        "values": _values(engine, asked),
        "seeds": list(campaign.seeds),
        "run_ms": 1e3 * campaign.cpu_s / len(campaign),
        "server_ms": 1e3 * (time.perf_counter() - started),
    }
    for place, figure in _figures(campaign, found):
        if job.is_stopped:
            return
        yield _drawn(place, figure, started)
    yield {"kind": "done", "server_ms": 1e3 * (time.perf_counter() - started)}


def report(engine: Engine, asked: Asked, job: Job) -> str:
    """Returns the page of the changed scenario, as `uplane run --report` writes it.

    Raises:
        RunStopped: The page stopped the job.
        UplaneError: A run failed.
    """
    scenario = laid_over(engine.scenario, asked.changes)
    return runs_page(_whole(engine.whole({scenario.source: scenario}, asked, job)))


def comparison(engine: Engine, asked: Asked, job: Job) -> str:
    """Returns the page of the file and the changed scenario, as `uplane compare` writes it.

    Raises:
        InputError: No value is changed.
        RunStopped: The page stopped the job.
        UplaneError: A run failed.
    """
    changed = laid_over(engine.scenario, asked.changes)
    if not asked.changes:
        raise InputError("found no change, expected one to compare with")
    change = {key: parse_value(text) for key, text in asked.changes.items()}
    sides = {
        name: side.with_settings({"record.critical_path": True})
        for name, side in two_sides(engine.scenario, changed, change).items()
    }
    return comparison_page(compare_sides(*sides_of(_whole(engine.whole(sides, asked, job)))))


def _whole(progress: Generator[Progress, None, Campaign]) -> Campaign:
    """Returns the campaign of an engine without its progress."""
    while True:
        try:
            next(progress)
        except StopIteration as ended:
            campaign: Campaign = ended.value
            return campaign


def _progress(progress: Generator[Progress, None, Value]) -> Generator[Part, None, Value]:
    """Yields the progress of an engine as parts and returns its value."""
    while True:
        try:
            at = next(progress)
        except StopIteration as ended:
            value: Value = ended.value
            return value
        yield {"kind": "progress", **at._asdict()}


def _drawn(place: str, figure: Figure, started: float) -> Part:
    spent = 1e3 * (time.perf_counter() - started)
    return {"kind": "figure", "place": place, **_figure(figure), "server_ms": spent}


def _figure(figure: Figure) -> Part:
    """Returns the content of a figure: the page draws it, a report has the drawing."""
    return {
        "title": figure.title,
        "caption": figure.caption,
        "spec": figure.spec,
        "data": figure.data,
    }


def _alone(campaign: Campaign) -> Part:
    """Returns the result of the file's scenario, without changes."""
    found = sections(campaign)
    shown = [
        (row.subject, metric, cell(metric, row.values[metric]))
        for section in found
        if section.name in METRICS
        for row in section.rows
        for metric in section.metrics
        if metric in row.values
    ]
    table = Table(label="All metrics", columns=["subject", "metric", "mean"], rows=shown, words=2)
    return {
        "sentence": answer(campaign),
        "how": how_sure(campaign, found),
        "tables": fragment("table", table),
    }


def _compared(found: Comparison) -> Part:
    """Returns the differences between both sides."""
    names = [found.first.name, found.second.name]
    columns = ["subject", "metric", *names, "difference"]
    rows = found.rows()
    table = Table(label="Metrics that differ", columns=columns, rows=rows, words=2)
    return {
        "sentence": f"{found.sentence}.",
        "how": found.how(),
        "tables": fragment("table", table) if rows else "<p>No metric differs in any run.</p>",
    }


def _values(engine: Engine, asked: Asked) -> Mapping[str, str]:
    """Returns the values in effect that differ from those of the file."""
    if not asked.changes:
        return {}
    before = dict(values_of(engine.scenario.values))
    after = values_of(laid_over(engine.scenario, asked.changes).values)
    return {key: text for key, text in after if before.get(key, "") != text}


def _figures(campaign: Campaign, found: Comparison | None) -> Iterator[tuple[str, Figure]]:
    """Yields figures with their places, causes first. Each is drawn only when it is due."""
    by_name = {section.name: section for section in sections(campaign)}
    keys = list(campaign.vary)
    first = None if found is None else compare.causes(found)
    if first is None:
        name = "critical_path" if "critical_path" in by_name else "anatomy"
        drawn = bars.figures(by_name[name], keys) if name in by_name else []
        first = next(iter(drawn), None)
    if first is not None:
        yield "causes", first
    for figure in spread.distributions(campaign):
        yield "more", figure
    for figure in spread.bands(campaign):
        yield "more", figure
    if "anatomy" in by_name:
        for figure in bars.figures(by_name["anatomy"], keys):
            yield "anatomy", figure


def packet_parts(engine: Engine, changes: Mapping[str, str], seed: int, job: Job) -> Iterator[Part]:
    """Yields the packets of one run over time, and a list of the slowest ones.

    Raises:
        InputError: The run has delivered no packet, or too many.
        RunStopped: The page stopped the job.
    """
    started = time.perf_counter()
    found = yield from _progress(engine.packets(changes, seed, job))
    shown = drawings.thinned(found)
    about = f"Seed {seed}. Press on a packet to see its way."
    if len(shown) < len(found):
        about = f"{about} {len(shown)} of {len(found)} packets: the slowest, and every n-th other."
    figure = drawings.over_time(shown, "Each delivered packet", caption=about)
    yield {**_drawn("packets", figure, started), "count": len(found)}
    yield {"kind": "slowest", "rows": [_row(it) for it in packets.slowest(found, LISTED)]}


def _row(packet: Packet) -> Part:
    largest = f"{packet.largest} {number(packet.causes[packet.largest])} ms"
    return {
        "packet": packet.number,
        "subject": packet.subject,
        "ue": packet.ue,
        "latency": f"{number(packet.latency_ms)} ms",
        "delivered": f"{packet.delivered_s:.6f} s",
        "largest": largest,
    }


def followed(
    engine: Engine, changes: Mapping[str, str], seed: int, packet: int, job: Job
) -> Iterator[Part]:
    """Yields the path of one packet.

    Raises:
        InputError: The run has not delivered this packet.
        RunStopped: The page stopped the job.
    """
    started = time.perf_counter()
    found = yield from _progress(engine.packets(changes, seed, job))
    own = packets.packet_of(found, packet)
    mean = packets.mean_of(found, own.subject)
    rows = [(cause, number(time), number(mean[cause])) for cause, time in own.causes.items()]
    columns = ["cause", "ms", "mean ms"]
    table = Table(label=f"Causes of packet {packet}", columns=columns, rows=rows, words=1)
    span = f"{own.size} B, from {own.started_s:.6f} s to {own.delivered_s:.6f} s"
    yield {
        "kind": "way",
        "packet": packet,
        "sentence": f"{own.subject} on {own.ue}: {span}, {number(own.latency_ms)} ms.",
        "figure": _figure(drawings.way(own, mean)),
        "table": fragment("table", table),
        "server_ms": 1e3 * (time.perf_counter() - started),
    }
