"""The command `uplane reproduce`: published studies, value by value."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

import click

from uplane import files, study
from uplane.cli import output
from uplane.cli.guard import FAILED
from uplane.cli.progress import progress, quiet, rounded
from uplane.study.power import counted
from uplane.study.saved_readings import default_folder
from uplane.study.text import counts, rows_of

__all__ = ["reproduce"]


def reproduce(
    names: Sequence[str],
    *,
    full: bool,
    verdicts: Path | None,
    jobs: int | None,
    memory: str | None,
    out: Path | None,
    kept: Path | None,
) -> None:
    """Runs studies and prints their verdicts; exits with 1 if a verdict is not the expected one."""
    for name in names:
        study.find(name)
    if verdicts is not None:
        files.claim_file(verdicts)
    started = perf_counter()
    with progress("runs") as advance:
        outcomes = study.reproduce(
            list(names),
            full=full,
            out=out,
            jobs=jobs,
            memory=memory,
            progress=advance,
            kept=kept or (default_folder() if full else None),
            forecasts=_foretell if full else None,
        )
    for each in outcomes:
        sys.stdout.write(f"Study {each.study.number}\n\n{study.summary(each)}\n\n")
    rows = [row for each in outcomes for row in each.rows]
    if verdicts is not None:
        files.write_json([row.to_dict() for row in rows], verdicts)
    _close(outcomes, perf_counter() - started, {"verdicts": verdicts, "report": _page(out)})
    surprises = [row for row in rows if row.surprise]
    for row in surprises:
        sys.stderr.write(
            f"unexpected: study {row.study}, {row.item}: {row.verdict}, expected {row.expected}\n"
        )
    if surprises:
        output.fail("unexpected", f"{len(surprises)} verdicts are not the expected ones")
        raise click.exceptions.Exit(FAILED)


def _page(out: Path | None) -> Path | None:
    """Returns the file of the report."""
    if out is None or out.suffix.lower() in {".html", ".htm"}:
        return out
    return out / "report.html"


def _close(
    outcomes: Sequence[study.Outcome], seconds: float, written: Mapping[str, Path | None]
) -> None:
    """Prints the closing line: totals of the verdicts, time, and the file of the report."""
    rows = [row for each in outcomes for row in each.rows]
    runs = sum(each.runs for each in outcomes)
    page = written["report"]
    place = "" if page is None else f"; report in {page}"
    studies = f"{len(outcomes)} {'study' if len(outcomes) == 1 else 'studies'}"
    sys.stdout.write(f"{studies}, {counts(outcomes)}; {runs} runs in {rounded(seconds)}{place}\n")
    output.give(
        {
            "studies": [each.study.name for each in outcomes],
            "verdicts": _numbers(rows_of(outcomes, "published")),
            "reference_verdicts": _numbers(rows_of(outcomes, "reference")),
            "surprises": sum(row.surprise for row in rows),
            "runs": runs,
            "seconds": round(seconds, 3),
            "rows": [row.to_dict() for row in rows],
            "files": {kind: str(path) for kind, path in written.items() if path is not None},
        }
    )


def _numbers(rows: Sequence[study.Row]) -> dict[str, int]:
    """Returns the number of rows with each verdict."""
    return {name: number for name, number in counted(rows).items() if number}


def _foretell(forecast: study.Forecast) -> None:
    """Prints the expected duration of the runs, and the source of the estimate, on stderr."""
    text = f"study {forecast.study}: {forecast.runs} runs"
    if forecast.kept:
        text += f", {forecast.kept} of them kept from before"
    if forecast.runs > forecast.kept:
        by = "the first run" if forecast.by == 1 else f"{forecast.by} runs that were made here"
        if forecast.seconds is None:
            text += "; how long they take is not known, since the study has no costs.csv"
        else:
            text += f"; about {rounded(forecast.seconds)} for the others, by {by}"
    quiet(for_good=False)
    sys.stderr.write(f"{text}\n")
