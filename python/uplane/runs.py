"""What a summary and a report ask of finished runs, however they were made and are kept."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from uplane.analysis.samples import Sample

if TYPE_CHECKING:
    import polars

__all__ = ["Run", "Runs"]


class Run(Protocol):
    """A finished run."""

    @property
    def settings(self) -> Mapping[str, object]:
        """The settings that were varied, with its values."""


class Runs(Protocol):
    """Finished runs, variant by variant and seed by seed."""

    @property
    def vary(self) -> Mapping[str, Sequence[object]]:
        """The settings that were varied, with all their values."""

    @property
    def planned(self) -> int:
        """How many runs there are when all are finished."""

    @property
    def seeds(self) -> Sequence[int]:
        """The seeds, each once."""

    @property
    def first(self) -> Mapping[str, Any]:
        """The manifest of the first run."""

    @property
    def warnings(self) -> Sequence[str]:
        """What a user should know about these runs."""

    @property
    def limits(self) -> Sequence[str]:
        """Limits that held data back in a cell, with their keys, and the time UEs were awake."""

    @property
    def cpu_s(self) -> float:
        """The CPU time of all runs."""

    def __getitem__(self, table: str) -> "polars.DataFrame":
        """The rows of a table of all runs; raises `InputError` where only the summary was kept."""

    def samples(self) -> Sequence[Sample]:
        """What the runs say of each variant, subject and metric."""

    def settings(self, variant: int) -> Mapping[str, object]:
        """What the variant of this number is varied by."""

    def __iter__(self) -> Iterator[Run]:
        """All finished runs."""

    def __len__(self) -> int:
        """How many runs are finished."""
