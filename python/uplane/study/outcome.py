"""What a study's runs showed: the rows beside the paper, and everything else for the report."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from uplane.runner import made_by
from uplane.statistics import Interval
from uplane.study.fits import Fitted
from uplane.study.folder import Study
from uplane.study.power import Power
from uplane.study.runs import Place
from uplane.study.verdict import Row

__all__ = ["OracleRow", "Outcome"]


@dataclass(frozen=True, kw_only=True)
class OracleRow:
    """A closed form beside what the simulator gave."""

    item: str
    unit: str
    closed_form: float
    formula: str
    tolerance: float
    ours: Interval

    @property
    def holds(self) -> bool:
        """Whether the two agree."""
        return abs(self.ours.value - self.closed_form) <= self.tolerance


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Everything that a study's runs showed.

    Attributes:
        study: The study.
        full: Whether the full variant ran.
        rows: Each item beside the paper.
        power: What the rows make of each null model.
        fits: What was chosen for which rows, and how well.
        oracles: Closed forms beside what was simulated.
        variations: Items under each other reading of the text, by the reading's name.
        anatomy: For each bar of each anatomy chart, milliseconds by cause.
        maps: For each map, the places of the UEs.
        warnings: What the simulator warned of, each once, with the cases.
        runs: How many runs were made.
        seconds: How long they took.
        made_by: Version, commit and platform.
    """

    study: Study
    full: bool
    rows: list[Row]
    power: list[Power]
    fits: list[Fitted]
    oracles: list[OracleRow]
    variations: dict[str, dict[str, Interval]]
    anatomy: dict[str, dict[str, float]]
    maps: dict[str, list[Place]]
    warnings: list[str]
    runs: int
    seconds: float
    made_by: Mapping[str, Any] = field(default_factory=made_by)
