"""Results of a campaign: its finished runs, their combined tables, and their summary.

In: finished runs, in memory or in a store. Out: one frame a table, campaign files, a report.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uplane import result_sections
from uplane.analysis.page import table_of
from uplane.analysis.samples import Sample
from uplane.campaign.finished_runs import Finished, Run
from uplane.campaign.plan import Design, Plan
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
        planned: Number of runs of the complete campaign.
        failed: Errors of runs that exceeded their memory limit, by number in the plan.
    """

    vary: Mapping[str, Sequence[object]]
    runs: Finished = field(repr=False)
    planned: int
    failed: Mapping[int, UplaneError] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: str | Path) -> "Campaign":
        """Opens the campaign in a folder that `out` of `sweep` has written; its tables stay there.

        Raises:
            OutputError: The folder holds no campaign, or something in it is damaged.
        """
        runs = opened(Path(folder))
        return cls(vary=runs.plan.vary, runs=runs, planned=runs.plan.planned)

    def _repr_html_(self) -> str:
        """Returns the output of the command, one table a section, for a notebook."""
        if not len(self):
            return "<p>no run is finished</p>"
        head = (
            f"{self.first['source']}: {result_sections.runs(self)}, {result_sections.seeds(self)}"
        )
        parts = [f"<p><b>{escape(head)}</b></p>"]
        for section in result_sections.sections(self):
            parts.append(f"<p>{escape(section.title)}</p>")
            parts.append(table_of(*result_sections.texts(section, list(self.vary))))
        parts += [f"<p>{escape(it)}</p>" for it in self.limits]
        return "".join([*parts, *(f"<p>warning: {escape(it)}</p>" for it in self.warnings)])

    def _ipython_key_completions_(self) -> list[str]:
        """Returns the names of tables, which a notebook offers after `campaign["`."""
        return list(self.runs.tables)

    def __getitem__(self, table: str) -> "polars.DataFrame":
        """Returns the rows of one table of all runs, after columns for varied settings and seed.

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
        """Iterates over the finished runs."""
        return iter(self.runs)

    def __len__(self) -> int:
        """Returns the number of finished runs."""
        return len(self.runs)

    @property
    def warnings(self) -> list[str]:
        """Distinct warnings about these runs, with the number of affected runs if not all."""
        return [*self._of_runs(self.runs.warnings), *self.failures]

    @property
    def limits(self) -> list[str]:
        """Limits that held data back in a cell, with their keys, and the time UEs were awake."""
        return self._of_runs(self.runs.limits)

    def _of_runs(self, texts: Mapping[str, Sequence[int]]) -> list[str]:
        return [
            text if len(runs) == len(self) else f"{text}, in {len(runs)} of {len(self)} runs"
            for text, runs in texts.items()
        ]

    @property
    def failures(self) -> list[str]:
        """The first failed run of each variant: its varied settings and its error."""
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
        """Computes mean and 95 % interval of every metric of every variant.

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
        """Returns the samples of the summary: for each metric one number a run."""
        return self.runs.samples()

    def effective(self, variant: int) -> Mapping[str, Any]:
        """Returns every value in effect in this variant."""
        scenario: Mapping[str, Any] = self.runs.manifest_of(variant)["scenario"]
        return scenario

    def settings(self, variant: int) -> dict[str, object]:
        """Returns the varied settings of this variant."""
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
            **_shard(self.runs.plan),
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


def _shard(plan: Design) -> dict[str, object]:
    """Returns which part of the runs a shard makes, and the seeds of all parts."""
    if not isinstance(plan, Plan) or plan.shard == (1, 1):
        return {}
    part, of = plan.shard
    return {"shard": {"part": part, "of": of, "first_seed": plan.first, "runs": plan.runs}}
