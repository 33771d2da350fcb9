"""The mutants of a folder, and which of them are drawn. The list is that of cargo-mutants."""

import json
import random
import subprocess
from typing import Any

from mutants.building import ROOT
from mutants.rewriting import Mutant

SOURCES = ROOT / "crates/uplane/src"
Listed = dict[str, dict[str, Any]]  # a mutant as cargo-mutants describes it, by its name


def mutants_of(folders: list[str]) -> dict[str, Listed]:
    """All mutants of each folder, with the file of its name."""
    called = ["cargo", "mutants", "--package", "uplane", "--list", "--json"]
    for folder in folders:
        if not ((SOURCES / folder).is_dir() or (SOURCES / f"{folder}.rs").is_file()):
            known = ", ".join(sorted(each.name for each in SOURCES.iterdir() if each.is_dir()))
            raise SystemExit(f"no folder below {SOURCES}: {folder}; there are {known}, and theirs")
        for place in (f"{folder}.rs", f"{folder}/**"):
            called += ["--file", f"crates/uplane/src/{place}"]
    listing = subprocess.run(called, cwd=ROOT, check=False, capture_output=True, text=True)
    if listing.returncode:
        raise SystemExit(f"{listing.stderr}needed: cargo install cargo-mutants --locked")
    every = json.loads(listing.stdout)
    within = {
        folder: (f"crates/uplane/src/{folder}.rs", f"crates/uplane/src/{folder}/")
        for folder in folders
    }
    return {
        folder: {each["name"]: each for each in every if each["file"].startswith(places)}
        for folder, places in within.items()
    }


def draw(listed: Listed, seed: int, count: int) -> Listed:
    """Draws `count` mutants; all of them for 0."""
    if not 0 < count < len(listed):
        return listed
    names = random.Random(seed).sample(sorted(listed), count)  # noqa: S311 (a sample is no secret)
    return {name: listed[name] for name in names}


def numbered(listed: Listed) -> list[Mutant]:
    """Mutants with their numbers, from 1: those of one place have adjacent ones."""

    def place(each: dict[str, Any]) -> tuple[str, int, int]:
        start = each["span"]["start"]
        return each["file"], start["line"], start["column"]

    return [
        Mutant(
            number=number,
            name=each["name"],
            file=each["file"],
            genre=each["genre"],
            replacement=each["replacement"],
            returns=(each["function"] or {}).get("return_type", ""),
            start=(each["span"]["start"]["line"], each["span"]["start"]["column"]),
            end=(each["span"]["end"]["line"], each["span"]["end"]["column"]),
        )
        for number, each in enumerate(sorted(listed.values(), key=place), start=1)
    ]
