"""Figures of places over time: queues of links and bearers, rates and schemes of radio links.

In: the tables `link_series`, `bearer_series` and `radio_series` of the first run. Out: figures;
none where they were not recorded.

A figure has at most `BINS` times. A queue is drawn with its longest sample of each, so that no peak
is lost; a rate is that of all bytes of the time, and a scheme the mean over all blocks.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from uplane.report import charts, colours
from uplane.report.figure import Figure
from uplane.report.kept import first_run
from uplane.runs import Runs

if TYPE_CHECKING:
    import polars

__all__ = ["places"]

BINS = 150
"""Maximum number of time bins of a figure."""
MOST = 6
"""Maximum number of lines of a figure."""
RADIO = "radio, "
"""Prefix of the UE name in the name of a bearer's queue."""
WAYS = {"down": "downlink", "up": "uplink"}

Line = list[tuple[float, float]]


def places(campaign: Runs) -> list[Figure]:
    """Draws the series of queues and radio links of the first run (`record.series`)."""
    links, bearers, radio = (
        first_run(campaign, name) for name in ("link_series", "bearer_series", "radio_series")
    )
    found = [frame for frame in (links, bearers, radio) if frame is not None]
    if not found:
        return []
    width = max(max(frame["time_s"]) for frame in found) / BINS
    ues = _ues(radio, bearers)
    drawn: list[Figure] = []
    for direction, way in WAYS.items():
        queues = {**_links(links, direction, width), **_bearers(bearers, direction, width)}
        drawn += _figure(queues, ues, "kB", f"Queues, {way}")
    for direction, way in WAYS.items():
        own = _of(radio, direction)
        drawn += _figure(_rates(own, width), ues, "Mbit/s", f"Transport blocks on the air, {way}")
        drawn += _figure(_schemes(own, width), ues, "mean MCS", f"Schemes of new blocks, {way}")
    return drawn


def _figure(
    lines: Mapping[str, Line], ues: Sequence[str], unit: str, title: str
) -> Iterator[Figure]:
    """Yields a figure of the largest lines, unless all values are zero.

    Of rates and schemes: the UEs with most bytes on the air. Of queues: the longest ones.
    """
    seen = {name: line for name, line in lines.items() if max(y for _, y in line) > 0}
    size = {name: -sum(y for _, y in line) for name, line in seen.items()}
    rank = {ue: place for place, ue in enumerate(ues)}
    largest = sorted(seen, key=lambda name: (rank.get(name, 0), size[name]))[:MOST]
    names = [name for name in seen if name in largest]
    if names:
        own = _colours(names, ues)
        names.sort(key=lambda name: own[name])
        shown = {name: seen[name] for name in names}
        more = f" (the largest {MOST} of {len(seen)})" if len(seen) > MOST else ""
        axis = charts.Axis(x="time, s", y=unit)
        yield charts.steps(
            shown, axis, title + more, [f"var(--series-{own[name]})" for name in names]
        )


def _ues(*frames: "polars.DataFrame | None") -> list[str]:
    """Returns the UEs, sorted by bytes on the air, largest first."""
    sizes: dict[str, float] = {}
    for frame in frames:
        size = "block_bytes" if frame is not None and "block_bytes" in frame.columns else None
        for (ue,), rows in _parts(frame, ["ue"]):
            sizes[ue] = sizes.get(ue, 0.0) + (float(rows[size].sum()) if size else 0.0)
    return sorted(sizes, key=lambda ue: -sizes[ue])


def _colours(names: Sequence[str], ues: Sequence[str]) -> dict[str, int]:
    """Returns the colour number of each line: one for each UE in all figures, while they last."""
    numbers = {
        name: place
        for place, ue in enumerate(ues[:MOST])
        for name in names
        if name in {ue, f"{RADIO}{ue}"}
    }
    left = [number for number in range(colours.SERIES) if number not in numbers.values()]
    left.sort(key=lambda number: number < min(len(ues), MOST))
    others = [name for name in names if name not in numbers]
    return {**numbers, **dict(zip(others, left, strict=False))}


def _links(frame: "polars.DataFrame | None", direction: str, width: float) -> dict[str, Line]:
    parts = _parts(_of(frame, direction), ["hop"])
    return {name: _longest(rows, width) for (name,), rows in parts}


def _bearers(frame: "polars.DataFrame | None", direction: str, width: float) -> dict[str, Line]:
    parts = _parts(_of(frame, direction), ["ue", "bearer"])
    several = len({bearer for (_, bearer), _ in parts}) > 1
    return {
        f"{RADIO}{ue}" + (f", bearer {bearer}" if several else ""): _longest(rows, width)
        for (ue, bearer), rows in parts
    }


def _longest(rows: "polars.DataFrame", width: float) -> Line:
    """Returns the longest queue of each bin; a bin without samples keeps the last value."""
    longest: dict[int, float] = {}
    after = 0.0
    last = -1
    for time, size in rows.select("time_s", "queue_bytes").iter_rows():
        at = int(time / width)
        for between in range(last + 1, at):
            longest[between] = after
        longest[at] = max(longest.get(at, after if at != last else 0.0), size / 1000)
        last, after = at, size / 1000
    ends = {last + 1: after}
    return [(at * width, size) for at, size in {**longest, **ends}.items()]


def _rates(frame: "polars.DataFrame | None", width: float) -> dict[str, Line]:
    lines: dict[str, Line] = {}
    for (ue,), rows in _parts(frame, ["ue"]):
        sums = _sums(rows, "block_bytes", width)
        every = range(min(sums), max(sums) + 2)
        lines[ue] = [(at * width, sums.get(at, 0.0) * 8e-6 / width) for at in every]
    return lines


def _schemes(frame: "polars.DataFrame | None", width: float) -> dict[str, Line]:
    lines: dict[str, Line] = {}
    for (ue,), rows in _parts(frame, ["ue"]):
        known = rows.filter(rows["mean_mcs"].is_not_null())
        if not len(known):
            continue
        weighed = known.with_columns((known["mean_mcs"] * known["blocks"]).alias("schemes"))
        sums, blocks = (_sums(weighed, name, width) for name in ("schemes", "blocks"))
        lines[ue] = [(at * width, sums[at] / blocks[at]) for at in sums]
    return lines


def _sums(rows: "polars.DataFrame", column: str, width: float) -> dict[int, float]:
    """Returns the sum of a column in each bin. A sample covers the time before it."""
    sums: dict[int, float] = {}
    for time, value in rows.select("time_s", column).iter_rows():
        at = max(int((time - width * 1e-6) / width), 0)
        sums[at] = sums.get(at, 0.0) + value
    return sums


def _of(frame: "polars.DataFrame | None", direction: str) -> "polars.DataFrame | None":
    return None if frame is None else frame.filter(frame["direction"] == direction)


def _parts(
    frame: "polars.DataFrame | None", keys: Sequence[str]
) -> list[tuple[tuple[Any, ...], "polars.DataFrame"]]:
    if frame is None or not len(frame):
        return []
    return list(frame.group_by(*keys, maintain_order=True))
