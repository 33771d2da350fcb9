"""The command `uplane reproduce`: published studies, cell by cell."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from uplane import files, study
from uplane.cli.guard import FAILED
from uplane.cli.progress import progress, quiet, rounded
from uplane.errors import InputError
from uplane.study.saved_readings import default_folder

__all__ = ["reproduce"]


def reproduce(
    names: Sequence[str],
    *,
    full: bool,
    json_file: Path | None,
    jobs: int | None,
    memory: str | None,
    out: Path | None,
    kept: Path | None,
) -> None:
    """Runs studies and shows their verdicts; exits with 1 when one is not the expected one."""
    _refuse_unknown(names)
    if json_file is not None:
        files.claim_file(json_file)
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
    if json_file is not None:
        files.write_json([row.to_dict() for row in rows], json_file)
    if out is not None:
        sys.stdout.write(f"report in {out}\n")
    surprises = [row for row in rows if row.surprise]
    for row in surprises:
        sys.stderr.write(
            f"unexpected: study {row.study}, {row.item}: {row.verdict}, expected {row.expected}\n"
        )
    if surprises:
        raise click.exceptions.Exit(FAILED)


def _foretell(forecast: study.Forecast) -> None:
    """Prints on standard error how long the runs of a study will take, and how that is known."""
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


def _refuse_unknown(names: Sequence[str]) -> None:
    for name in names:
        try:
            study.find(name)
        except study.StudyError as error:
            raise InputError(str(error)) from None
