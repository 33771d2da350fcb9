"""The page of the congestion-control kit: the result, each case, then figures over all cases.

In: cases, contestants, results. Out: one document. Each case begins with its scatter of throughput
over delay.
"""

from collections.abc import Sequence

from uplane.cc import MEASURES, Case, Contestant, Result
from uplane.cc.answer import answer
from uplane.cc.table import columns_of, rows_of
from uplane.report.charts import Axis, Curve, Spot, curves
from uplane.report.figure import Figure
from uplane.report.render import document
from uplane.report.runs import Table
from uplane.report.scatter import Point, scatter

__all__ = ["cc_page"]

SHOWN = ("utilisation", "delay_p95", "ratio")
"""Measures with a figure over all cases."""


def cc_page(
    asked: Sequence[Case], contestants: Sequence[Contestant], results: Sequence[Result]
) -> str:
    """Returns the page of the congestion-control kit as HTML."""
    tables = [
        Table(
            label=case.name,
            columns=["", *columns_of(case, results)],
            rows=rows_of(case, contestants, results),
            words=1,
        )
        for case in asked
    ]
    several = len(asked) > 1
    return document(
        "cc.html.j2",
        title="Congestion controls side by side" if several else asked[0].question,
        answer=answer(asked, results),
        contestants=[contestant.name for contestant in contestants],
        each=max((result.runs for result in results), default=0),
        runs=_simulated(results),
        figures_of=[
            figure
            for name in (SHOWN if several else ())
            if (figure := _figure(name, contestants, results))
        ],
        cases=[
            (case, _scatter(case, contestants, results), table)
            for case, table in zip(asked, tables, strict=True)
        ],
        measures=[it for it in MEASURES if it.name in {result.measure for result in results}],
    )


def _simulated(results: Sequence[Result]) -> int:
    """Returns the number of finished runs: each has at least one number in all of them."""
    most: dict[tuple[str, str], int] = {}
    for result in results:
        key = result.case, result.contestant
        most[key] = max(most.get(key, 0), result.interval.runs)
    return sum(most.values())


def _scatter(
    case: Case, contestants: Sequence[Contestant], results: Sequence[Result]
) -> list[Figure]:
    """Returns the scatter of throughput over delay; nothing if a case lacks one of them."""
    own = {(each.contestant, each.measure): each for each in results if each.case == case.name}
    points = [
        Point(name, own[name, "delay_p95"].interval, own[name, "goodput"].interval)
        for name in (contestant.name for contestant in contestants)
        if {(name, "delay_p95"), (name, "goodput")} <= own.keys()
    ]
    if not points:
        return []
    axis = Axis(x="95th percentile of the delay, ms", y="goodput, Mbit/s")
    caption = "Best is at the top left. Lines are 95 % intervals."
    return [scatter(points, axis, "Throughput over delay", caption=caption)]


def _figure(
    name: str, contestants: Sequence[Contestant], results: Sequence[Result]
) -> Figure | None:
    (measure,) = (each for each in MEASURES if each.name == name)
    lines = [
        Curve(
            contestant.name,
            [
                Spot(each.case, each.interval.value, each.interval.low, each.interval.high)
                for each in results
                if each.contestant == contestant.name and each.measure == name
            ],
        )
        for contestant in contestants
    ]
    lines = [line for line in lines if line.spots]
    if not lines:
        return None
    title = name.replace("_", " ")
    label = f"{title}, {measure.unit}" if measure.unit else title
    return curves(lines, Axis(x="case", y=label), f"{title}: {measure.meaning}")
