"""The page of the congestion-control kit: delay against utilisation, then each case.

In: cases, contestants, results. Out: one document.
"""

from collections.abc import Sequence

from uplane.cc import MEASURES, Case, Contestant, Result
from uplane.cc.table import columns_of, rows_of
from uplane.report.charts import Axis, Curve, Spot, curves
from uplane.report.figure import Figure
from uplane.report.render import document
from uplane.report.runs import Table

__all__ = ["cc_page"]

SHOWN = ("utilisation", "delay_p95", "ratio")
"""The measures that have a figure over all cases."""


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
    return document(
        "cc.html.j2",
        title="Congestion controls side by side",
        contestants=[contestant.name for contestant in contestants],
        runs=max((result.runs for result in results), default=0),
        figures_of=[figure for name in SHOWN if (figure := _figure(name, contestants, results))],
        cases=[(case, table) for case, table in zip(asked, tables, strict=True)],
        measures=MEASURES,
    )


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
