#!/usr/bin/env python3
"""Says which entity the instructions of a simulated second belong to, for `docs/speed.md`.

In: the benchmark program (`tools/bench.sh --bench instructions` names it), and rows with two
lengths each, run under callgrind here. Out: a table in Markdown, in millions of instructions.

An instruction belongs to the file of its source line, wherever the compiler put it; one of a
library's line, or of a unit's arithmetic, to the last file of the core before it in the same
function.
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

CASES = [
    ("study 001: call and download", 10, 30),
    ("download, 21 Mbit/s, 50 PRB", 4, 12),
    ("3 busy cells of 21, 10 UEs", 2, 6),
]
PHYSICAL = "physical layer and channel"
ENTITIES = [
    ("event core: agenda, run loop", r"sim/"),
    ("TCP", r"tcp/|quic"),
    (
        "RLC, PDCP, filling of blocks",
        r"ran/(rlc|pdcp|sdap|bearer)|ran/cell/(draft|block|bearer|group_harq)|ran/(lte|nr)/.*header",
    ),
    (PHYSICAL, r"ran/(phy|channel)|ran/cell/(air/|mcs_cache)"),
    (
        "scheduler, link adaptation, MAC",
        r"ran/mac|ran/cell/(base_station|rbg|carrier|slot_capacity)",
    ),
    ("cell: UEs, air, slots", r"ran"),
    ("world: routes, links, hosts, ledgers, counters", r"scenario|net|app|record"),
]
CORE, MEMORY = "crates/uplane/src/", "memory"
ALLOCATION = re.compile(r"malloc|memmove|memcpy|memset|alloc/src/alloc|sys/alloc")
NAMED = re.compile(r"(fl|fi|fe|fn|cfi|cfl|cfn)=\((\d+)\)(?: (.*))?")
COST = re.compile(r"(?:[+-]?\d+|\*) (\d+)")


def main() -> None:
    """Counts each case at both lengths, and prints their differences."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} PROGRAM, the one that `tools/bench.sh` has built")
    counts = []
    for name, short, long in CASES:
        less, more = (by_entity(sys.argv[1], name, seconds) for seconds in (short, long))
        counts.append({key: (more[key] - less[key]) / (long - short) / 1e6 for key in more})
    print("| entity |", " | ".join(name for name, *_ in CASES), "|")
    print("|---|" + "--:|" * len(CASES))
    for entity in sorted(set().union(*counts), key=lambda key: -counts[0].get(key, 0)):
        print(f"| {entity} |", " | ".join(f"{it.get(entity, 0):.1f}" for it in counts), "|")


def by_entity(program: str, name: str, seconds: int) -> Counter[str]:
    """The instructions of one run."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind"
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
        run = [*valgrind, program, "--run-counted", name, str(seconds)]
        subprocess.run(run, check=True, capture_output=True)
        with out.open(encoding="utf-8", errors="replace") as lines:
            return attributed(lines)


def attributed(lines: Iterable[str]) -> Counter[str]:
    """The costs in a file of callgrind's, each to its entity."""
    found: Counter[str] = Counter()
    place, is_call = Place(), False
    for line in lines:
        if named := NAMED.match(line):
            place.moves(*named.groups())
        elif line.startswith("calls="):
            is_call = True
        elif cost := COST.match(line):
            # The line behind a call has the cost of what was called.
            found[place.entity] += 0 if is_call else int(cost[1])
            is_call = False
    return found


class Place:
    """Position in the sources of the reader of callgrind's file."""

    def __init__(self) -> None:
        """Starts without a position."""
        self._names: dict[tuple[bool, str], str] = {}
        self._file = self._caller = ""

    def moves(self, kind: str, number: str, text: str | None) -> None:
        """Reads a line that names a file or a function; after its first use a name is a number."""
        name = self._names.setdefault((kind.endswith("fn"), number), text or "")
        if kind in {"fl", "fi", "fe"}:
            self._file = name
            self._caller = entity_of(name) or ("" if kind == "fl" else self._caller)
        elif kind == "fn" and not self._caller:
            path = re.search(r"uplane::((?:\w+::)+)", name)
            self._caller = entity_of(CORE + path[1].replace("::", "/")) if path else ""

    @property
    def entity(self) -> str:
        """Returns the entity to which the instructions at this position belong."""
        memory = MEMORY if ALLOCATION.search(self._file) else ""
        return entity_of(self._file) or memory or self._caller or "other"


def entity_of(file: str) -> str:
    """The entity of a file of the core; nothing for a library's, and for units."""
    _, is_core, path = file.partition(CORE)
    if not is_core:
        return PHYSICAL if "/libm-" in file else ""
    return next((name for name, pattern in ENTITIES if re.match(pattern, path)), "")


if __name__ == "__main__":
    main()
