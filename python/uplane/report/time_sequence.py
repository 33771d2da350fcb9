"""Time-sequence diagrams: transmissions and received ACKs of TCP and QUIC senders.

In: the tables `headers` and `qlog` of the first run. Out: figures; none where neither was recorded.

The senders with most retransmissions have diagrams, and of equal ones those with most data. A
diagram covers `ROUND_TRIPS` median round trips: those with most retransmissions, or the first ones
without any. Events that follow each other within a pixel are one mark. While there are more than
`MOST` marks, the diagram keeps the half with more marks, so that it shows all events of its time.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from uplane.analysis.sender_log import (
    ACKED,
    AGAIN,
    LOST,
    SACKED,
    SENT,
    WINDOW,
    SenderLog,
    Span,
    of_quic,
    of_tcp,
)
from uplane.digits import number
from uplane.report import charts
from uplane.report.figure import Figure, drawn
from uplane.report.kept import first_run
from uplane.runs import Runs

__all__ = ["MOST", "figures"]

SENDERS = 3
LEAST = 10
"""A sender of fewer segments or packets has no diagram."""
ROUND_TRIPS = 20
MOST = 2000
LEAST_PART = 1e-3
WIDTH, HEIGHT = 640, 320
LOOKS = {
    WINDOW: "var(--soft)",
    ACKED: "var(--series-2)",
    SENT: "var(--series-0)",
    SACKED: "var(--series-3)",
    LOST: "var(--series-6)",
    AGAIN: "var(--series-1)",
}
"""The colour of each kind of mark, the one behind first."""
RARE = (LOST, AGAIN)
"""Kinds of events with broad marks."""
TCP = ("time_s", "event", "flags", "payload_bytes", "seq", "ack", "window", "window_scale", "sack")
"""The columns of `headers` that a log is made of."""

Times = tuple[float, float]
Mark = tuple[str, Span]


def figures(campaign: Runs) -> list[Figure]:
    """The diagrams of the first run."""
    found = [
        *_logs(campaign, "headers", "host", of_tcp),
        *_logs(campaign, "qlog", "sender", of_quic),
    ]
    found = [(title, log) for title, log in found if len(log.spans.get(SENT, ())) >= LEAST]
    found.sort(key=lambda it: [-len(it[1].spans.get(kind, ())) for kind in (AGAIN, SENT)])
    of = "" if len(found) <= SENDERS else f" One of {len(found)} senders."
    return [_figure(title, log, of) for title, log in found[:SENDERS]]


def _logs(
    campaign: Runs, table: str, host: str, read: Callable[[Iterable[Mapping[str, Any]]], SenderLog]
) -> Iterator[tuple[str, SenderLog]]:
    frame = first_run(campaign, table)
    if frame is None:
        return
    if table == "headers":
        frame = frame.filter(protocol="tcp").select("app", "ue", "flow", "host", *TCP)
    ends = frame.group_by("app", "ue", "flow", host, maintain_order=True)
    for (app, ue, flow, end), rows in ends:
        yield f"{app} on {ue}, flow {flow}, sender {end}", read(rows.iter_rows(named=True))


def _figure(title: str, log: SenderLog, of: str) -> Figure:
    times, told = _stretch(log)
    marks = _marks(log, times)
    part = 1.0
    while len(marks) > MOST and part > LEAST_PART:
        times, part = _busier_half(marks, times), part / 2
        marks = _marks(log, times)
    if part < 1:
        told += f", the {100 * part:.3g} % of it that {MOST} marks can show"
    unit, per = ("kB", 1000) if log.unit == "bytes" else ("packets", 1)
    rows = [
        {
            "kind": kind,
            "time_s": round(it.time_s, 6),
            f"from_{unit}": it.first / per,
            f"to_{unit}": it.end / per,
        }
        for kind, it in marks
    ]
    span = f"from {number(times[0])} to {number(times[1])} s"
    caption = f"{told}, {span}.{of} {_counted(log, times, marks)}"
    if WINDOW in log.spans and WINDOW not in dict(marks):
        caption += " The advertised window lies above."
    return drawn(_spec(rows, unit, times), title, rows, caption)


def _busier_half(marks: Sequence[Mark], times: Times) -> Times:
    middle = (times[0] + times[1]) / 2
    early = sum(it.time_s < middle for _, it in marks)
    return (times[0], middle) if 2 * early >= len(marks) else (middle, times[1])


def _counted(log: SenderLog, times: Times, marks: Sequence[Mark]) -> str:
    """Returns a sentence on the number of segments and of the lines that show them."""
    sent = sum(len(_within(log.spans.get(kind, ()), times)) for kind in (SENT, AGAIN))
    lines = sum(kind in {SENT, AGAIN} for kind, _ in marks)
    what = "segments" if log.unit == "bytes" else "packets with data"
    return f"{sent} {what} in {lines} lines: those that follow each other within a pixel are one."


def _stretch(log: SenderLog) -> tuple[Times, str]:
    """Returns the shown part of the time, and a text that gives the reason."""
    start = log.spans[SENT][0].time_s
    last = max(it.time_s for spans in log.spans.values() for it in spans)
    again = [it.time_s for it in log.spans.get(AGAIN, ())]
    length = ROUND_TRIPS * log.round_trip_s or last
    if last - start <= 1.5 * length:
        return (start, last), "All of it"
    which = f"{ROUND_TRIPS} median round trips of {number(1000 * log.round_trip_s)} ms"
    if not again:
        return (start, start + length), f"The first {which}"
    # A quarter of it before, to see what was sent first.
    starts = [max(start, time - length / 4) for time in again]
    counts = [bisect_right(again, at + length) - bisect_left(again, at) for at in starts]
    best = starts[counts.index(max(counts))]
    most = f"{max(counts)} of {len(again)}"
    return (best, best + length), f"The {which} with most retransmissions ({most})"


def _marks(log: SenderLog, times: Times) -> list[Mark]:
    """All marks between two times, those of a kind together; no window that is above all others."""
    pixel = (times[1] - times[0]) / WIDTH or 1.0
    made = {
        kind: _joined(_within(log.spans[kind], times), pixel) for kind in LOOKS if kind in log.spans
    }
    window = made.pop(WINDOW, [])
    top = max(it.end for spans in made.values() for it in spans)
    if any(it.end <= top for it in window):
        made = {WINDOW: window, **made}
    return [(kind, span) for kind, spans in made.items() for span in spans]


def _joined(spans: Sequence[Span], pixel: float) -> list[Span]:
    """Spans that follow each other, and places, as one within a pixel."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last is None or span.time_s - last.time_s >= pixel:
            joined.append(span)
        elif span.first == span.end:
            joined[-1] = last._replace(first=span.end, end=span.end)
        elif last.end == span.first:
            joined[-1] = last._replace(end=span.end)
        else:
            joined.append(span)
    return joined


def _within(spans: Sequence[Span], times: Times) -> Sequence[Span]:
    low = bisect_left(spans, times[0], key=lambda it: it.time_s)
    return spans[low : bisect_right(spans, times[1], key=lambda it: it.time_s)]


def _spec(rows: Sequence[Mapping[str, Any]], unit: str, times: Times) -> dict[str, Any]:
    """One path a kind: places are steps, spans upright lines with nothing between them."""
    kinds = [kind for kind in LOOKS if any(row["kind"] == kind for row in rows)]
    low, high = f"from_{unit}", f"to_{unit}"
    points: list[dict[str, Any]] = []
    for kind in kinds:
        own = [row for row in rows if row["kind"] == kind]
        is_steps = all(row[low] == row[high] for row in own)
        y = own[0][low]
        for row in own:
            ends = (y, row[high]) if is_steps else (row[low], row[high], None)
            points += [{"kind": kind, "x": row["time_s"], "y": end} for end in ends]
            y = row[high]
    shown = [row for row in rows if row["kind"] != WINDOW]
    bottom, top = min(row[low] for row in shown), max(row[high] for row in shown)
    colours = {"domain": kinds, "range": [LOOKS[kind] for kind in kinds]}
    broad = {"test": {"field": "kind", "oneOf": RARE}, "value": 4.5}
    along = {"domain": times, "nice": False}
    up = {"domain": [bottom, top], "zero": False, "nice": False, "padding": 4}
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"values": points},
        "mark": {
            "type": "line",
            "clip": True,
            "invalid": "break-paths-show-domains",
            "strokeCap": "square",
        },
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "title": "time, s", "scale": along},
            "y": {
                "field": "y",
                "type": "quantitative",
                "title": unit,
                "scale": up,
                "axis": charts.UPRIGHT,
            },
            "order": {"value": None},
            "color": {
                "field": "kind",
                "type": "nominal",
                "scale": colours,
                "sort": None,
                "legend": {"columns": 4, "symbolType": "stroke"},
            },
            "strokeWidth": {"condition": broad, "value": 2},
            "description": {"field": "kind"},
        },
    }
