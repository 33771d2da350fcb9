"""Shows what a campaign says: one table a section, variants and subjects down, metrics across.

In: the runs. Out: text on standard output. Numbers over several runs carry their 95 % interval.
"""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from uplane.account import Section, cell, number, runs, sections, seeds
from uplane.campaign import Campaign

__all__ = ["show"]


def show(campaign: Campaign) -> None:
    """Prints the summary of all runs."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    console.print(_head(campaign))
    for section in sections(campaign):
        console.print()
        console.print(_grid(section, list(campaign.vary)))
    for warning in campaign.warnings:
        console.print(Text(f"warning: {warning}", style="yellow"))


def _head(campaign: Campaign) -> str:
    source = campaign.runs[0].results.manifest["source"]
    cpu = number(campaign.cpu_s)
    return f"{source}: {runs(campaign)}, {seeds(campaign)}, {cpu} s of CPU time"


def _grid(section: Section, keys: list[str]) -> Table:
    grid = Table(
        title=section.title, title_justify="left", title_style="bold", box=None, pad_edge=False
    )
    for name in (*keys, ""):
        grid.add_column(name, overflow="fold")
    for metric in section.metrics:
        grid.add_column(metric, justify="right")
    if section.parts:
        grid.add_column(section.parts)
    for row in section.rows:
        grid.add_row(
            *map(str, row.settings),
            row.subject,
            *(cell(metric, row.values.get(metric)) for metric in section.metrics),
            *([section.listed(row)] if section.parts else []),
        )
    return grid
