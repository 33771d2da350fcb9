"""Reports: one HTML file that needs nothing but a browser.

In: outcomes of studies, the runs of a campaign, a comparison, or the congestion-control kit. Out: a
file with every table and figure inside it, for the screen in light and dark, and for paper.
"""

from collections.abc import Sequence
from pathlib import Path

from uplane import files
from uplane.analysis.compare import Comparison
from uplane.cc import Case, Contestant, Result
from uplane.errors import InputError
from uplane.report.cc import cc_page
from uplane.report.compare import comparison_page
from uplane.report.room import expect_room
from uplane.report.runs import runs_page
from uplane.report.studies import page
from uplane.runs import Runs
from uplane.study.outcome import Outcome

__all__ = [
    "cc_page",
    "claim",
    "comparison_page",
    "page",
    "runs_page",
    "write",
    "write_cc",
    "write_comparison",
    "write_runs",
]


def claim(path: Path) -> None:
    """Makes sure, before any work is done, that the report can be written.

    Raises:
        OutputError: There is no way to write there, or to draw figures.
    """
    expect_room()
    files.claim_file(_target(path))


def write(outcomes: Sequence[Outcome], path: Path) -> Path:
    """Writes the report to `path`, or to `report.html` in it when it is not named as an HTML file.

    Raises:
        OutputError: The file cannot be written.
    """
    return _write(page(outcomes), path)


def write_runs(campaign: Runs, path: Path) -> Path:
    """Writes the report of a user's own runs, to the same places.

    Raises:
        InputError: No run is finished.
        OutputError: The file cannot be written.
    """
    return _write(runs_page(campaign), path)


def write_comparison(found: Comparison, path: Path) -> Path:
    """Writes the report of a comparison, to the same places.

    Raises:
        OutputError: The file cannot be written.
    """
    return _write(comparison_page(found), path)


def write_cc(
    asked: Sequence[Case],
    contestants: Sequence[Contestant],
    results: Sequence[Result],
    path: Path,
) -> Path:
    """Writes the page of the congestion-control kit, to the same places.

    Raises:
        OutputError: The file cannot be written.
    """
    return _write(cc_page(asked, contestants, results), path)


def _write(text: str, path: Path) -> Path:
    target = _target(path)
    files.write_text(text, target)
    return target


def _target(path: Path) -> Path:
    if path.suffix.lower() in {".html", ".htm"}:
        return path
    if path.is_file():
        message = f"found {path}, expected an HTML file, or a folder for report.html"
        raise InputError(message)
    files.expect_folder(path, "an HTML file, or a folder for report.html")
    return path / "report.html"
