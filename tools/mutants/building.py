"""The copy of the core that has every mutant, and its test binaries.

The copy is a whole tree in out/mutants/tree, because tests read files beside the sources; it has a
build folder of its own. What does not compile is found by `cargo check`, whose errors say where.
"""

import json
import os
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutants.rewriting import Mutant, Region, Rewritten, rewrite

Span = dict[str, Any]  # a place in an error of the compiler

ROOT = Path(__file__).parents[2]
OUT = ROOT / "out" / "mutants"
TREE = OUT / "tree"
LIBRARY = "crates/uplane/src/lib.rs"
SWITCHES = Path(__file__).with_name("mutation.rs")
# The question of a `const fn` needs what only the compiler itself may use.
FEATURES = b"#![feature(core_intrinsics, const_eval_select)]\n#![allow(internal_features)]\n"
BUILD = {
    "CARGO_TARGET_DIR": str(OUT / "target"),
    "CARGO_PROFILE_DEV_OPT_LEVEL": "1",
    "CARGO_PROFILE_DEV_CODEGEN_UNITS": "64",
    "CARGO_PROFILE_DEV_INCREMENTAL": "true",
    "CARGO_PROFILE_DEV_DEBUG": "0",
    "RUSTC_BOOTSTRAP": "uplane",
    "RUSTFLAGS": "-A warnings",
}
# These tests read the sources, so no switch can make them fail.
NOT_PLAYED = {"house"}


@dataclass
class Sorted:
    """Mutants by kind, before any was run."""

    viable: list[Mutant]
    wrong: list[Mutant]  # do not compile
    unswitched: list[Mutant]  # no switch expresses them


def sort_out(mutants: list[Mutant]) -> Sorted:
    """Writes the copy, and takes out what does not compile until all of it does."""
    copy_tree()
    sources = read_sources()
    wrong: set[int] = set()
    unswitched: set[int] = set()
    while True:
        left = [each for each in mutants if each.number not in wrong | unswitched]
        print(f"checking {len(left)} mutants in one build", flush=True)
        written = write(left, sources)
        unswitched |= {number for each in written.values() for number in each.refused}
        wrong |= {number for each in written.values() for number in each.wrong}
        alone, together = blame(written)
        if not alone | together:
            break
        wrong |= alone
        unswitched |= together - alone
        print(f"  {len(alone | together)} do not compile", flush=True)
    taken = wrong | unswitched
    return Sorted(
        [each for each in mutants if each.number not in taken],
        [each for each in mutants if each.number in wrong],
        [each for each in mutants if each.number in unswitched],
    )


def copy_tree() -> None:
    """Copies tracked and unignored files; unchanged files stay untouched."""
    known = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(known, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    wanted = {name for name in names.split("\0") if name and (ROOT / name).is_file()}
    if TREE.exists():
        there = {str(path.relative_to(TREE)) for path in TREE.rglob("*") if path.is_file()}
        for name in there - wanted:
            (TREE / name).unlink()
    for name in wanted:
        update(TREE / name, (ROOT / name).read_bytes())


def update(path: Path, content: bytes) -> None:
    """Writes a file if its content differs, so cargo does not recompile unchanged files."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def read_sources() -> dict[str, str]:
    """Reads the sources of the core, so later edits do not affect this run."""
    paths = (ROOT / "crates/uplane/src").rglob("*.rs")
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def write(mutants: list[Mutant], sources: dict[str, str]) -> dict[str, Rewritten]:
    """Writes the sources with these mutants into the copy."""
    by_file: defaultdict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_file[mutant.file].append(mutant)
    written = {}
    for file, source in sources.items():
        written[file] = rewrite(source, by_file[file])
        text = written[file].text
        if file == LIBRARY:
            text = FEATURES + text + b"pub(crate) mod mutation;\n"
        update(TREE / file, text)
    update(TREE / "crates/uplane/src/mutation.rs", SWITCHES.read_bytes())
    return written


def blame(written: dict[str, Rewritten]) -> tuple[set[int], set[int]]:
    """Mutants that do not compile, and those whose switch does not."""
    alone: set[int] = set()
    together: set[int] = set()
    for message in cargo("check", "--lib"):
        error = message.get("message", {})
        if message["reason"] != "compiler-message" or error["level"] != "error":
            continue
        region = culprit(error["spans"], written)
        if region is not None:
            (alone if region.is_mutant else together).update(region.numbers)
        elif error["spans"]:
            raise SystemExit(f"no mutant explains this error:\n{error['rendered']}")
    return alone, together


def culprit(spans: list[Span], written: dict[str, Rewritten]) -> Region | None:
    """The region that an error is about: a mutant's own first, then that of its first place."""
    found = []
    for span in sorted(spans, key=lambda each: not each["is_primary"]):
        text = written.get(span["file_name"])
        shift = len(FEATURES) if span["file_name"] == LIBRARY else 0
        region = text and text.around(span["byte_start"] - shift, span["byte_end"] - shift)
        if region:
            found.append(region)
    return min(found, key=lambda each: not each.is_mutant, default=None)


def binaries() -> dict[str, Path]:
    """Builds the tests of the copy: the program of each, by its name."""
    programs = {}
    for message in cargo("test", "--no-run", "--lib", "--tests"):
        if message["reason"] == "compiler-message" and message["message"]["level"] == "error":
            raise SystemExit(message["message"]["rendered"])
        if message["reason"] == "compiler-artifact" and message["executable"]:
            programs[message["target"]["name"]] = Path(message["executable"])
    return {name: path for name, path in programs.items() if name not in NOT_PLAYED}


def cargo(*words: str) -> Iterator[dict[str, Any]]:
    """Yields the messages of cargo for the copy."""
    called = ["nice", "cargo", *words, "--quiet", "--package", "uplane", "--message-format", "json"]
    with subprocess.Popen(
        called, cwd=TREE, env=os.environ | BUILD, stdout=subprocess.PIPE
    ) as process:
        for line in process.stdout or ():
            yield json.loads(line)
