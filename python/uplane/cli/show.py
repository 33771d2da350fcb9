"""Prints the results of a campaign: a table for each section, variants down, metrics across.

In: the runs. Out: text on standard output. Numbers over several runs carry their 95 % interval.
"""

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence

from uplane import result_sections
from uplane.activity import stage
from uplane.analysis.changes import TITLE, Change, names, of_campaign
from uplane.campaign import Campaign
from uplane.cli.text import printable
from uplane.digits import number
from uplane.result_sections import Section, runs, sections, seeds

__all__ = ["columns", "heading", "keys_of", "show"]


def show(campaign: Campaign) -> None:
    """Prints the summary of all runs."""
    with stage("summarising"):
        found = sections(campaign, MOST)
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else PAGE
        parts = [f"{_head(campaign)}\n"]
        parts += ["".join(_grid(each, list(campaign.vary), width)) for each in found]
        parts += ["".join(keys_of(of_campaign(campaign)))] * bool(found)
    parts = [part for part in parts if part]
    sys.stdout.write("\n".join(parts))
    sys.stdout.write("".join(f"{printable(text)}\n" for text in campaign.limits))
    for warning in campaign.warnings:
        sys.stdout.write(_styled(f"warning: {printable(warning)}", YELLOW) + "\n")


def _head(campaign: Campaign) -> str:
    source = printable(campaign.first["source"])
    cpu = number(campaign.cpu_s)
    return f"{source}: {runs(campaign)}, {seeds(campaign)}, {cpu} s of CPU time"


def _grid(section: Section, keys: list[str], width: int) -> Iterator[str]:
    """Yields the lines of a section: words are left-aligned, numbers right."""
    words, metrics = len(keys) + 1, section.metrics
    head, rows = result_sections.texts(section, keys)
    lines = [head, *([*map(printable, row[:words]), *row[words:]] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    last = words + len(metrics)
    yield _styled(section.title, BOLD) + "\n"
    for place, texts in enumerate(lines):
        cells = [
            text.ljust(size) if column < words else text.rjust(size)
            for column, (text, size) in enumerate(zip(texts[:last], widths, strict=False))
        ]
        for line in _with_list("  ".join(cells), texts[last:], width):
            yield (line if place else _styled(line, BOLD)) + "\n"
    if section.rest:
        yield f"… and {section.rest} more; all of them are in the files of --out\n"


def heading(text: str) -> str:
    """Returns the heading of the lines below it."""
    return _styled(printable(text), BOLD) + "\n"


def columns(head: Sequence[str], rows: Sequence[Sequence[str]], *, words: int) -> Iterator[str]:
    """Yields the lines of a table: the first `words` columns are left-aligned, the others right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for place, texts in enumerate((head, *rows)):
        cells = [
            text.ljust(size) if column < words else text.rjust(size)
            for column, (text, size) in enumerate(zip(texts, widths, strict=True))
        ]
        line = "  ".join(cells).rstrip()
        yield (line if place else _styled(line, BOLD)) + "\n"


def keys_of(causes: Sequence[Change]) -> Iterator[str]:
    """Yields the lines that name the keys of causes."""
    if causes:
        yield heading(TITLE)
        yield from columns(["", "keys"], [(it.cause, names(it)) for it in causes], words=2)


def _with_list(cells: str, listed: Sequence[str], width: int) -> list[str]:
    """Returns the lines of a row, with its list of parts wrapped at the end."""
    if not listed:
        return [cells.rstrip()]
    room = max(width - len(cells) - 2, NARROWEST)
    if len(listed[0]) <= room:
        return [f"{cells}  {listed[0]}".rstrip()]
    folded = textwrap.wrap(listed[0], room)
    indents = [cells, *[" " * len(cells)] * (len(folded) - 1)]
    pairs = zip(indents, folded, strict=True)
    return [f"{indent}  {part}" for indent, part in pairs]


def _styled(text: str, code: str) -> str:
    """Returns bold or coloured text on a terminal, and plain text with `NO_COLOR`."""
    plain = not sys.stdout.isatty() or "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return text if plain else f"\x1b[{code}m{text}\x1b[0m"


MOST = 1000
"""Maximum number of rows of a table; the files of a campaign have all rows."""
BOLD, YELLOW = "1", "33"
PAGE = 160
"""Width of lists, in characters, where standard output is not a terminal."""
NARROWEST = 30
"""Minimum width of a list of parts, in characters."""
