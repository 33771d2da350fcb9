"""What the rows of a study are worth: which wrong models they refute.

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
    """What a study makes of one null model.

    Attributes:
        name: The null model.
        what: What is wrong with it.
        noticed: Rows that claim to test it, meet the published value, and miss it under it.
        silent: The others that claim to test it and meet the published value.
        able: How many of both could notice: had the paper our own value, as widely read and
            accepted, the null model would miss it.
        predicted: Of the rows predicted or outside, those that meet the published value under it.
        fitted: The same of the rows that something was fitted to.
        why_not: Why less than half of those that claim to test it notice, where it is so.
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
        """Whether at least half of the rows that claim to test it notice."""
        return bool(self.noticed) and len(self.noticed) >= len(self.silent)


def power(rows: Sequence[Row], nulls: Sequence[Null]) -> list[Power]:
    """What the rows make of each null model."""
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
    """How many published values have each verdict, in the order of the words."""
    found = Counter(row.verdict for row in rows if row.published is not None)
    return {verdict: found[verdict] for verdict in VERDICTS}
