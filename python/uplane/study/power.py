"""What the rows of a study are worth: which wrong models they refute.

In: judged rows, and the null models with the rows that claim to test each. Out: how many of those
notice, and how much of the study's evidence a wrong model would have met as well.
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
        met: Rows of evidence (predicted or outside) that meet the published value under it.
        met_by_study: Rows of evidence that meet it in the study: the predicted ones.
        evidence: All of them.
    """

    name: str
    what: str
    noticed: tuple[str, ...]
    silent: tuple[str, ...]
    met: int
    met_by_study: int
    evidence: int

    @property
    def enough(self) -> bool:
        """Whether at least half of the rows that claim to test it notice."""
        return bool(self.noticed) and len(self.noticed) >= len(self.silent)


def power(rows: Sequence[Row], nulls: Sequence[Null]) -> list[Power]:
    """What the rows make of each null model."""
    evidence = [row for row in rows if row.evidence]
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
                met=sum(null.name not in row.missed_by for row in evidence),
                met_by_study=sum(row.verdict == "predicted" for row in evidence),
                evidence=len(evidence),
            )
        )
    return made


def counted(rows: Sequence[Row]) -> dict[Verdict, int]:
    """How many published values have each verdict, in the order of the words."""
    found = Counter(row.verdict for row in rows if row.published is not None)
    return {verdict: found[verdict] for verdict in VERDICTS}
