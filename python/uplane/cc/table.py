"""The numbers of the kit as tables.

In: results. Out: for a case a column for each measure and a row for each contestant; for a file a
row for each number.
"""

import csv
from collections.abc import Sequence
from io import StringIO

from uplane import sheet
from uplane.cc.cases import Case, Contestant
from uplane.cc.kit import Result
from uplane.cc.measures import MEASURES
from uplane.digits import with_interval

__all__ = ["columns_of", "csv_of", "rows_of"]


def columns_of(case: Case, results: Sequence[Result]) -> list[str]:
    """The measures that any contestant has in this case, with their units."""
    has = {result.measure for result in results if result.case == case.name}
    return [
        f"{measure.name}, {measure.unit}" if measure.unit else measure.name
        for measure in MEASURES
        if measure.name in has
    ]


def rows_of(
    case: Case, contestants: Sequence[Contestant], results: Sequence[Result]
) -> list[list[str]]:
    """A row a contestant: its name, and its numbers with their intervals."""
    own = {
        (result.contestant, result.measure): result
        for result in results
        if result.case == case.name
    }
    measures = [measure.name for measure in MEASURES if any(key[1] == measure.name for key in own)]
    return [
        [contestant.name, *(_cell(own.get((contestant.name, name))) for name in measures)]
        for contestant in contestants
    ]


def csv_of(results: Sequence[Result]) -> str:
    """Comma-separated: case, contestant, measure, mean, the ends of its interval, runs."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["case", "contestant", "measure", "mean", "low", "high", "runs", "of"])
    for result in results:
        interval = result.interval
        ends = ("" if end is None else repr(end) for end in (interval.low, interval.high))
        key = map(sheet.shown, (result.case, result.contestant, result.measure))
        writer.writerow([*key, repr(interval.value), *ends, interval.runs, result.runs])
    return text.getvalue()


def _cell(result: Result | None) -> str:
    if result is None:
        return "–"
    text = with_interval(result.interval.value, result.interval.half_width)
    few = result.interval.runs < result.runs
    return f"{text} ({result.interval.runs} of {result.runs} runs)" if few else text
