#!/usr/bin/env python3
"""Writes the tables of `docs/speed.md` from a run of the benchmark.

In: `tools/bench.sh --bench instructions`, run here, or what it printed (`--read FILE`).
Out: the page with these tables between its markers.
"""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/speed.md"
COMMAND = ["tools/bench.sh", "--bench", "instructions"]
NAMES = ["rows", "effects", "slopes"]


def main() -> None:
    """Runs the benchmark, or reads what it said, and replaces the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--read", type=Path, metavar="FILE", help="what the benchmark printed")
    options = parser.parse_args()
    if options.read:
        said = options.read.read_text("utf-8")
    else:
        said = subprocess.run(COMMAND, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout
    found = tables(said)
    if len(found) != len(NAMES):
        sys.exit(f"tools/speed_page.py found {len(found)} tables, and expected {len(NAMES)}")
    text = PAGE.read_text("utf-8")
    for name, table in zip(NAMES, found, strict=True):
        text = replaced(text, name, table)
    PAGE.write_text(text, encoding="utf-8")


def tables(said: str) -> list[str]:
    """The Markdown tables in a text."""
    found: list[list[str]] = []
    inside = False
    for line in said.splitlines():
        if line.startswith("|"):
            if not inside:
                found.append([])
            found[-1].append(line)
        inside = line.startswith("|")
    return ["\n".join(lines) for lines in found]


def replaced(text: str, name: str, table: str) -> str:
    """The text with another table between the markers of this name."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, _, rest = text.partition(begin)
    _, marker, after = rest.partition(end)
    if not marker:
        sys.exit(f"{PAGE.name} has no markers for {name}")
    return f"{before}{begin}{table}\n{end}{after}"


if __name__ == "__main__":
    main()
