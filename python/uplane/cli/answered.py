"""Results of the simulator in the form of `answers`.

In: campaigns, comparisons and packets. Out: the results of commands that share them.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from uplane.analysis.answer import answer
from uplane.analysis.compare import Comparison
from uplane.analysis.difference import Difference
from uplane.analysis.packets import Packet
from uplane.campaign import Campaign
from uplane.cli import answers

__all__ = ["compared", "paths", "runs", "traced"]


def runs(done: Campaign, files: Mapping[str, Path | None]) -> answers.Runs:
    """Returns the result of `run`, `sweep`, `merge` and `report`."""
    keys = list(done.vary)
    metrics = done.summary().to_dicts()
    return {
        "source": str(done.first["source"]) if len(done) else "",
        "title": str(done.first["scenario"].get("title") or "") if len(done) else "",
        "answer": answer(done),
        "seeds": list(done.seeds),
        "finished": len(done),
        "planned": done.planned,
        "vary": {key: list(values) for key, values in done.vary.items()},  # type: ignore[arg-type]
        "summary": [
            {
                "settings": {key: each[key] for key in keys},
                **{name: each[name] for name in METRIC},  # type: ignore[typeddict-item]
            }
            for each in metrics
        ],
        "limits": list(done.limits),
        "warnings": list(done.warnings),
        "files": paths(files),
    }


METRIC = ("table", "subject", "metric", "mean", "half_width", "runs")
"""Columns of a summary, without the settings."""


def paths(files: Mapping[str, Path | None]) -> dict[str, str]:
    """Returns the files that were written, by kind."""
    return {kind: str(path) for kind, path in files.items() if path is not None}


def compared(found: Comparison, report: Path | None) -> answers.Compared:
    """Returns the result of `compare`."""
    return {
        "sentence": found.sentence,
        "how": found.how(),
        "sides": [found.first.name, found.second.name],
        "settings": {key: list(both) for key, both in found.settings.items()},  # type: ignore[arg-type]
        "differences": _differences(found.differences),
        "causes": _differences(found.causes()),
        "limits": found.limits,
        "files": paths({"report": report}),
    }


def _differences(found: Iterable[Difference]) -> list[answers.Difference]:
    return [
        {
            "table": it.key.table,
            "subject": it.key.subject,
            "metric": it.key.metric,
            "first": it.first.value,
            "second": it.second.value,
            "difference": it.change.value,
            "low": it.change.low,
            "high": it.change.high,
            "runs": it.change.runs,
        }
        for it in found
    ]


def traced(packet: Packet) -> answers.Packet:
    """Returns a packet as `follow` has it."""
    return {
        "number": packet.number,
        "subject": packet.subject,
        "ue": packet.ue,
        "size": packet.size,
        "started_s": packet.started_s,
        "delivered_s": packet.delivered_s,
        "latency_ms": packet.latency_ms,
        "causes": dict(packet.causes),
    }
