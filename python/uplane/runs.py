"""The interface to finished runs that summaries and reports use."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from uplane.analysis.samples import Sample

if TYPE_CHECKING:
    import polars

__all__ = ["Run", "Runs"]


class Run(Protocol):
    """One finished run, with its settings and seed."""

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
        """Number of runs when all are finished."""

    @property
    def seeds(self) -> Sequence[int]:
        """The distinct seeds, sorted."""

    @property
    def first(self) -> Mapping[str, Any]:
        """The manifest of the first run."""

    @property
    def warnings(self) -> Sequence[str]:
        """Warnings about these runs."""

    @property
    def limits(self) -> Sequence[str]:
        """Limits of cells that held data back, with their keys."""

    @property
    def cpu_s(self) -> float:
        """The CPU time of all runs."""

    def __getitem__(self, table: str) -> "polars.DataFrame":
        """Returns the rows of a table of all runs; an `InputError` if only the summary was kept."""

    def samples(self) -> Sequence[Sample]:
        """Returns a sample for each variant, subject and metric."""

    def settings(self, variant: int) -> Mapping[str, object]:
        """Returns the varied settings of this variant."""

    def __iter__(self) -> Iterator[Run]:
        """Iterates over the finished runs."""

    def __len__(self) -> int:
        """Returns the number of finished runs."""
