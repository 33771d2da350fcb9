"""The numbers of the kit as tables.

In: results. Out: for a case a column for each measure and a row for each contestant; for a file a
row for each number.

A mean has the digits that its interval allows. Percentiles stay in order: if rounding would swap
two of them, the coarser one gets the digits of the finer one. An interval that ends at a limit of
its measure is written as its two ends.
"""

import csv
from collections.abc import Sequence
from io import StringIO

from uplane import sheet
from uplane.cc.cases import Case, Contestant
from uplane.cc.kit import Result
from uplane.cc.measures import MEASURES
from uplane.digits import decimals_of, number, rounded
from uplane.statistics import Interval

__all__ = ["columns_of", "csv_of", "rows_of", "shown"]

NOT_REACHED = "not reached"
"""Convergence of a contestant whose flows share evenly at the end of no run."""


def columns_of(case: Case, results: Sequence[Result]) -> list[str]:
    """Returns the measures that any contestant has in this case, with their units."""
    has = _measures(case, results)
    return [
        f"{measure.name}, {measure.unit}" if measure.unit else measure.name
        for measure in MEASURES
        if measure.name in has
    ]


def rows_of(
    case: Case, contestants: Sequence[Contestant], results: Sequence[Result]
) -> list[list[str]]:
    """Returns a row for each contestant: its name, and its numbers with their intervals."""
    measures = _measures(case, results)
    return [
        [contestant.name, *_row(measures, case, contestant, results)] for contestant in contestants
    ]


def csv_of(results: Sequence[Result]) -> str:
    """Returns comma-separated values, one row for each case, contestant and measure."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["case", "contestant", "measure", "mean", "low", "high", "runs", "of"])
    for result in results:
        interval = result.interval
        ends = ("" if end is None else repr(end) for end in (interval.low, interval.high))
        key = map(sheet.shown, (result.case, result.contestant, result.measure))
        writer.writerow([*key, repr(interval.value), *ends, interval.runs, result.runs])
    return text.getvalue()


def shown(interval: Interval, decimals: int | None = None) -> str:
    """Returns a mean with its interval, such as `112 ± 9` or `1400 (0 to 3100)`.

    Args:
        interval: The mean and its interval.
        decimals: Places behind the point. Default: those that leave one digit of the interval.
    """
    places = _decimals(interval) if decimals is None else decimals
    value = number(interval.value) if places is None else rounded(interval.value, places)
    if places is None or interval.low is None or interval.high is None or not _half(interval):
        return value
    below, above = interval.value - interval.low, interval.high - interval.value
    if abs(below - above) < 1e-6 * (below + above):
        return f"{value} ± {rounded(above, places)}"
    low = "0" if interval.low == 0 else rounded(interval.low, places)
    return f"{value} ({low} to {rounded(interval.high, places)})"


def _measures(case: Case, results: Sequence[Result]) -> list[str]:
    """Returns the names of the measures of a case, convergence among them if flows compete."""
    has = {result.measure for result in results if result.case == case.name}
    if "jain" in has:
        has.add("convergence")
    return [measure.name for measure in MEASURES if measure.name in has]


def _row(
    measures: Sequence[str], case: Case, contestant: Contestant, results: Sequence[Result]
) -> list[str]:
    own = {
        result.measure: result
        for result in results
        if (result.case, result.contestant) == (case.name, contestant.name)
    }
    delays = [name for name in own if name.startswith("delay_p")]
    places = dict(zip(delays, _in_order([own[name].interval for name in delays]), strict=True))
    return [
        NOT_REACHED
        if name == "convergence" and name not in own and "jain" in own
        else _cell(own.get(name), places.get(name))
        for name in measures
    ]


def _cell(result: Result | None, decimals: int | None) -> str:
    if result is None:
        return "–"
    text = shown(result.interval, decimals)
    few = result.interval.runs < result.runs
    return f"{text} ({result.interval.runs} of {result.runs} runs)" if few else text


def _half(interval: Interval) -> float:
    """Returns the longer half of an interval; 0 without one, or if only arithmetic makes it."""
    if interval.low is None or interval.high is None:
        return 0.0
    half = max(interval.value - interval.low, interval.high - interval.value)
    return half if half >= 1e-9 * abs(interval.value) else 0.0


def _decimals(interval: Interval) -> int | None:
    """Returns the places behind the point that leave one digit of the interval."""
    half = _half(interval)
    return decimals_of(half, digits=1) if half else None


def _in_order(intervals: Sequence[Interval]) -> list[int | None]:
    """Returns places behind the point at which ascending means stay in order."""
    places = [_decimals(interval) for interval in intervals]
    while True:
        means = [
            float(number(each.value) if at is None else rounded(each.value, at))
            for each, at in zip(intervals, places, strict=True)
        ]
        wrong = next((n for n in range(1, len(means)) if means[n - 1] > means[n]), None)
        if wrong is None:
            return places
        finer = max(0 if at is None else at for at in places[wrong - 1 : wrong + 1])
        if places[wrong - 1 : wrong + 1] == [finer, finer]:
            return places
        places[wrong - 1 : wrong + 1] = [finer, finer]
