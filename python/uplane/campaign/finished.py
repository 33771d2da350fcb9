"""What a campaign gave: its finished runs, their tables together, and their summary.

In: finished runs, in memory or in a store. Out: one frame a table, campaign files, a report.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uplane import account
from uplane.analysis.page import table_of
from uplane.analysis.samples import Sample
from uplane.campaign.kept import Finished, Run
from uplane.campaign.stored import opened
from uplane.errors import UplaneError
from uplane.runner import made_by

if TYPE_CHECKING:
    import polars

__all__ = ["Campaign"]


@dataclass(frozen=True, kw_only=True)
class Campaign:
    """The finished runs of a campaign, variant by variant and seed by seed.

    Attributes:
        vary: The settings that were varied, with all their values.
        runs: All finished runs, in order.
        planned: How many runs the campaign has when it is complete.
        failed: Why a run was ended, by its number in the plan: it took more memory than it may.
    """

    vary: Mapping[str, Sequence[object]]
    runs: Finished = field(repr=False)
    planned: int
    failed: Mapping[int, UplaneError] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: str | Path) -> "Campaign":
        """The campaign in a folder that `out` of `sweep` has written; its tables stay there.

        Raises:
            OutputError: It is no such folder, or something in it is damaged.
        """
        runs = opened(Path(folder))
        return cls(vary=runs.plan.vary, runs=runs, planned=runs.plan.planned)

    def _repr_html_(self) -> str:
        """What the command would print: one table a section, for a notebook."""
        if not len(self):
            return "<p>no run is finished</p>"
        head = f"{self.first['source']}: {account.runs(self)}, {account.seeds(self)}"
        parts = [f"<p><b>{escape(head)}</b></p>"]
        for section in account.sections(self):
            parts.append(f"<p>{escape(section.title)}</p>")
            parts.append(table_of(*account.texts(section, list(self.vary))))
        parts += [f"<p>{escape(it)}</p>" for it in self.limits]
        return "".join([*parts, *(f"<p>warning: {escape(it)}</p>" for it in self.warnings)])

    def _ipython_key_completions_(self) -> list[str]:
        """What a notebook offers behind `campaign["`."""
        return list(self.runs.tables)

    def __getitem__(self, table: str) -> "polars.DataFrame":
        """The rows of one table of all runs, with the varied settings and the seed in front.

        Raises:
            InputError: Nothing but the summary was kept.
        """
        import polars

        from uplane.analysis.summary import repeated

        lengths, rows = self.runs.rows(table)
        keys = [repeated(column, lengths) for column in self._keys]
        return rows.select(*keys, polars.exclude("seed"))

    @cached_property
    def _keys(self) -> "polars.DataFrame":
        """The settings and the seed of each run."""
        import polars

        return polars.DataFrame(
            {
                **{key: [run.settings[key] for run in self.runs] for key in self.vary},
                "seed": polars.Series([run.seed for run in self.runs], dtype=polars.UInt64),
            },
            strict=False,
        )

    def __iter__(self) -> Iterator[Run]:
        """All finished runs."""
        return iter(self.runs)

    def __len__(self) -> int:
        """How many runs are finished."""
        return len(self.runs)

    @property
    def warnings(self) -> list[str]:
        """What a user should know about these runs, each once, and of how many runs it is true."""
        return [*self._of_runs(self.runs.warnings), *self.failures]

    @property
    def limits(self) -> list[str]:
        """Limits that held data back in a cell, with their keys, and the time UEs were awake."""
        return self._of_runs(self.runs.limits)

    def _of_runs(self, told: Mapping[str, Sequence[int]]) -> list[str]:
        return [
            text if len(runs) == len(self) else f"{text}, in {len(runs)} of {len(self)} runs"
            for text, runs in told.items()
        ]

    @property
    def failures(self) -> list[str]:
        """Runs that failed, with what was varied; the first one stands for all of a variant."""
        plan = self.runs.plan
        firsts: dict[int, int] = {}
        for index in self.failed:
            firsts.setdefault(index // plan.runs, index)
        return [
            ", ".join([*(f"{key} = {value}" for key, value in plan.settings(index).items()), ""])
            + str(self.failed[index])
            for index in firsts.values()
        ]

    @property
    def cpu_s(self) -> float:
        """The CPU time of all runs, whenever they were made."""
        return self.runs.cpu_s

    @property
    def seeds(self) -> list[int]:
        """The seeds of the finished runs, each once."""
        return self.runs.seeds

    @property
    def first(self) -> Mapping[str, Any]:
        """The manifest of the first run."""
        return self.runs.first

    def summary(self) -> "polars.DataFrame":
        """Mean and 95 % interval of every metric of every variant.

        Returns:
            A frame of the varied settings, `table`, `subject`, `metric`, `mean`, `half_width`
            (missing for one run) and `runs`. The unit stands last in the name of the metric; the
            causes of `anatomy` and `critical_path` are milliseconds, those of `drops` packets.
        """
        from uplane.analysis.summary import summarise

        samples = self.samples()
        settings = {sample.variant: self.settings(sample.variant) for sample in samples}
        return summarise(samples, settings)

    def samples(self) -> list[Sample]:
        """The numbers that the summary is made of: one for each run, metric by metric."""
        return self.runs.samples()

    def effective(self, variant: int) -> Mapping[str, Any]:
        """Every value in effect in the variant of this number."""
        scenario: Mapping[str, Any] = self.runs.manifest_of(variant)["scenario"]
        return scenario

    def settings(self, variant: int) -> dict[str, object]:
        """What the variant of this number is varied by."""
        return dict(self.runs.plan.settings(variant * self.runs.plan.runs))

    def save(self, folder: str | Path) -> Path:
        """Writes `campaign.json`, the tables of all runs and their summary into `folder`.

        Raises:
            OutputError: The folder cannot be written.
        """
        from uplane import files

        folder = Path(folder)
        # One after the other: together they may be more than the memory.
        written = {
            table: files.write_frame(self[table], files.table_file(folder, table))
            for table in self.runs.tables
        }
        written["summary"] = files.write_frame(self.summary(), folder / "summary.parquet")
        about = files.sealed({**self._manifest(), "tables": written})
        files.write_json(about, folder / "campaign.json")
        return folder

    def report(self, path: str | Path) -> Path:
        """Writes one HTML page with tables, curves and bars; see `uplane.report`.

        Args:
            path: An HTML file, or a folder for `report.html`.

        Raises:
            InputError: No run is finished.
            OutputError: The file cannot be written.
        """
        from uplane import report

        return report.write_runs(self, Path(path))

    def _manifest(self) -> dict[str, object]:
        first = self.first
        return {
            "kind": "campaign",
            "format": 2,
            **made_by(),
            "source": first.get("source"),
            "scenario": first.get("scenario"),
            "vary": {key: list(values) for key, values in self.vary.items()},
            "seeds": self.runs.seeds,
            "planned": self.planned,
            "finished": len(self.runs),
            "failed": [
                {
                    "settings": dict(self.runs.plan.settings(index)),
                    "seed": self.runs.plan.seed(index),
                    "error": str(error),
                }
                for index, error in self.failed.items()
            ],
            "cpu_s": round(self.cpu_s, 6),
            "warnings": self.warnings,
        }
