"""The report of studies: one HTML file that needs nothing but a browser.

In: outcomes of studies. Out: a file with every table and figure inside it, for the screen in light
and dark, and for paper.
"""

from collections.abc import Sequence
from pathlib import Path

from uplane.errors import OutputError
from uplane.report.page import page
from uplane.study.engine import Outcome

__all__ = ["page", "write"]


def write(outcomes: Sequence[Outcome], path: Path) -> Path:
    """Writes the report to `path`, or to `report.html` in it when it is not named as an HTML file.

    Raises:
        OutputError: The file cannot be written.
    """
    target = path if path.suffix in {".html", ".htm"} else path / "report.html"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(f".{target.name}.draft")
        draft.write_text(page(outcomes), encoding="utf-8")
        draft.replace(target)
    except OSError as error:
        message = f"cannot write the report {target}: {error.strerror or error}"
        raise OutputError(message) from error
    return target
