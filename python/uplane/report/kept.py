"""The tables of a campaign, where they were kept.

In: a campaign, the name of a table. Out: its rows; nothing where only the summary was kept.
"""

from typing import TYPE_CHECKING

from uplane.errors import InputError
from uplane.runs import Runs

if TYPE_CHECKING:
    import polars

__all__ = ["first_run", "rows"]


def rows(campaign: Runs, table: str) -> "polars.DataFrame | None":
    """The rows of all runs; nothing where there are none."""
    try:
        frame = campaign[table]
    except InputError:
        return None
    return frame if len(frame) else None


def first_run(campaign: Runs, table: str) -> "polars.DataFrame | None":
    """The rows of the first run that has any."""
    frame = rows(campaign, table)
    if frame is not None:
        for name in (*campaign.vary, "seed"):
            frame = frame.filter(frame[name] == frame[name][0])
    return frame
