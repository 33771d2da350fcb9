"""Power of a study's rows: the wrong models that they refute.

In: judged rows, and the null models with the rows that claim to test each. Out: how many of those
notice, and how much of what agrees a wrong model would have met as well.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from uplane.study.case import matches
from uplane.study.sections import Null
from uplane.study.verdict import VERDICTS, Row, Verdict

__all__ = ["Power", "counted", "power"]


@dataclass(frozen=True, kw_only=True)
class Power:
    """The result of one null model in a study.

    Attributes:
        name: Name of the null model.
        what: The error of the null model.
        noticed: Rows that claim to test it, meet the published value, and miss it under this model.
        silent: Other rows that claim to test it and meet the published value.
        able: Number of both that could notice: if the paper had our own value, with the same
            reading error and tolerance, the null model would miss it.
        predicted: Number of rows predicted or outside that meet the published value under this
            model.
        fitted: Number of fitted rows that meet the published value under this model.
        why_not: Reason why less than half of the rows that claim to test it notice.
    """

    name: str
    what: str
    noticed: tuple[str, ...]
    silent: tuple[str, ...]
    able: int
    predicted: int
    fitted: int
    why_not: str = ""

    @property
    def enough(self) -> bool:
        """True if at least half of the rows that claim to test the null model refute it."""
        return bool(self.noticed) and len(self.noticed) >= len(self.silent)


def power(rows: Sequence[Row], nulls: Sequence[Null]) -> list[Power]:
    """Returns the result of each null model."""
    made = []
    for null in nulls:
        testing = [
            row
            for row in rows
            if row.meets and any(matches(row.item, pattern) for pattern in null.tests)
        ]
        noticed = tuple(row.item for row in testing if null.name in row.missed_by)
        made.append(
            Power(
                name=null.name,
                what=null.what,
                noticed=noticed,
                silent=tuple(row.item for row in testing if row.item not in noticed),
                able=sum(null.name in row.resolves for row in testing),
                predicted=sum(row.evidence and null.name not in row.missed_by for row in rows),
                fitted=sum(
                    row.verdict == "fitted" and null.name not in row.missed_by for row in rows
                ),
                why_not=null.why_not,
            )
        )
    return made


def counted(rows: Sequence[Row]) -> dict[Verdict, int]:
    """Returns the number of published values by verdict, in the order of `VERDICTS`."""
    found = Counter(row.verdict for row in rows if row.published is not None)
    return {verdict: found[verdict] for verdict in VERDICTS}
