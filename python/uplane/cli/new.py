"""The command `uplane new`: lists the examples by question, or writes one."""

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from uplane.cli import output
from uplane.cli.show import heading
from uplane.example import RADIOS, Example, examples, find, write

__all__ = ["new"]


def new(name: str | None, out: Path | None) -> None:
    """Lists the examples, or writes the files of one."""
    if name is None:
        _list(examples())
        return
    example = find(name)
    written = write(example, out or Path())
    scenario, *others = map(str, written)
    beside = f", with {' and '.join(others)} beside it" if others else ""
    trust = " --trust" if any(path.suffix == ".py" for path in written) else ""
    sys.stdout.write(f"{example.question}\n\n{scenario} is written{beside}. Next:\n")
    sys.stdout.write(f"  uplane run {scenario}{trust}\n")
    output.give({"name": example.name, "question": example.question, "files": [*map(str, written)]})


def _list(found: list[Example]) -> None:
    sys.stdout.writelines(_lines(found))
    output.give({"examples": [{"name": it.name, "question": it.question} for it in found]})


def _lines(found: list[Example]) -> Iterator[str]:
    width = max(len(example.name) for example in found)
    for radio, title in RADIOS.items():
        own = [example for example in found if example.radio == radio]
        yield heading(title) if own else ""
        for example in own:
            lines = textwrap.wrap(example.question, PAGE - width - 4)
            yield f"  {example.name:{width}}  {lines[0]}\n"
            yield from (f"  {'':{width}}  {line}\n" for line in lines[1:])
    yield "\n`uplane new NAME` writes the scenario NAME.toml and the files that it names.\n"


PAGE = 100
"""Width of the list, in characters."""
