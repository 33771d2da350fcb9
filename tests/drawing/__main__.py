"""Searches for scenarios that break a fact: `PYTHONPATH=tests python -m drawing --count 20000`.

In: numbers of drawings, parallelism, duration. Out: a table of findings, and for each kind of
finding the smallest scenarios as TOML files. Exits with 1 if there is a finding. Progress lines
state the drawing up to which all are tried; `--first` continues a search after it.
"""

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path as File

from drawing.schema import Path, places
from drawing.search import Outcome, Search
from drawing.trial import drawing, text


def main() -> int:
    """Reads the options and searches."""
    options = _options()
    if options.write:
        return _write_accepted(options)
    with Search(jobs=options.jobs, limit=options.limit) as search:
        return _search(search, options)


def _search(search: Search, options: argparse.Namespace) -> int:
    found: Counter[str] = Counter()
    count = accepted = 0
    seen: set[Path] = set()
    for outcome in _until(time.monotonic() + options.minutes * 60, search, options):
        count, accepted = count + 1, accepted + outcome.accepted
        seen |= outcome.places
        for finding in outcome.findings:
            found[finding.name] += 1
            if found[finding.name] <= options.keep:
                print(f"drawing {outcome.number}: {finding.name}: {finding.detail}", flush=True)
                smallest = text(search.smallest(outcome.number, finding))
                _write(options.out, finding.name, outcome.number, smallest)
        if count % TOLD_EVERY == 0:
            print(f"up to {outcome.number}: {accepted} of {count} accepted", flush=True)
    missed = len(set(places()) - seen)
    print(f"{count} drawings from {options.first}, {accepted} accepted; ", end="")
    print(f"{missed} places of the schema not met")
    for name, times in found.most_common():
        print(f"{times:8} {name}")
    return 1 if found else 0


def _write_accepted(options: argparse.Namespace) -> int:
    for number in range(options.first, options.first + options.count):
        if (content := drawing(number).content) is not None:
            _write(options.out, "drawing", number, text(content))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="drawing", description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=0, help="number of the first drawing")
    parser.add_argument("--count", type=int, default=1000, help="how many drawings")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--limit", type=float, default=60, help="seconds of CPU for each")
    parser.add_argument("--minutes", type=float, default=1e9, help="stops after so long")
    parser.add_argument("--keep", type=int, default=2, help="scenarios of one kind of finding")
    parser.add_argument("--write", action="store_true", help="writes the drawings, tries none")
    parser.add_argument("--out", type=File, default=File("out/drawing"), help="where they go")
    return parser.parse_args()


def _until(deadline: float, search: Search, options: argparse.Namespace) -> Iterator[Outcome]:
    numbers = iter(range(options.first, options.first + options.count))
    while time.monotonic() < deadline and (some := list(islice(numbers, 20 * options.jobs))):
        yield from search.outcomes(some)


def _write(folder: File, name: str, number: int, scenario: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    short = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[-60:]
    seed = f"# {name}: seed {number}\n"
    (folder / f"{short}-{number}.toml").write_text(seed + scenario, encoding="utf-8")


TOLD_EVERY = 100


if __name__ == "__main__":
    sys.exit(main())
