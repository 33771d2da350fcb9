"""Outcome of a study's runs: the rows beside the paper, and the rest of the report's content."""

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
    """A closed form beside the simulated value."""

    item: str
    unit: str
    closed_form: float
    formula: str
    tolerance: float
    ours: Interval

    @property
    def holds(self) -> bool:
        """True if simulation and closed form agree within the tolerance."""
        return abs(self.ours.value - self.closed_form) <= self.tolerance


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The complete outcome of a study's runs.

    Attributes:
        study: The study.
        full: Whether the full variant ran.
        rows: Each item beside the paper.
        power: The rows' verdict on each null model.
        fits: The fits with their errors.
        oracles: Closed forms beside simulated values.
        variations: Items under each other reading of the paper, by the reading's name.
        anatomy: For each bar of each anatomy chart, milliseconds by cause.
        maps: For each map, the places of the UEs.
        warnings: Distinct warnings of the simulator, with the cases.
        runs: Number of runs.
        seconds: Duration of all runs.
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

    @property
    def kind(self) -> str:
        """The kind of the values beside ours: `published` or `reference`."""
        return self.study.file.study.values
