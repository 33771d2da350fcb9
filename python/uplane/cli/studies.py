"""The command `uplane reproduce`: published studies, cell by cell."""

import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from uplane import files, study
from uplane.cli.guard import FAILED
from uplane.cli.progress import progress
from uplane.errors import InputError

__all__ = ["reproduce"]


def reproduce(
    names: Sequence[str], *, full: bool, json_file: Path | None, jobs: int | None, out: Path | None
) -> None:
    """Runs studies and shows their verdicts; exits with 1 when one is not the expected one."""
    _refuse_unknown(names)
    if json_file is not None:
        files.claim_file(json_file)
    with progress("runs") as advance:
        outcomes = study.reproduce(list(names), full=full, out=out, jobs=jobs, progress=advance)
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
        raise typer.Exit(FAILED)


def _refuse_unknown(names: Sequence[str]) -> None:
    for name in names:
        try:
            study.find(name)
        except study.StudyError as error:
            raise InputError(str(error)) from None
