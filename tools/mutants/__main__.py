"""Finds changes of the core that no Rust test notices: mutants drawn from folders, in one build.

In: folders below crates/uplane/src (net, tcp, ran/rlc, …), a seed, a count for each (0: all).
Out: the surviving mutants, and for each folder the share caught among the mutants played, with its
95 % interval (Wilson). Equal tree, folder, seed and count give equal mutants. Mutants that no
switch can express are named and not counted. Ctrl-C stops the search and prints the results so far.
All outcomes are in out/mutants/outcomes.json; --again plays only the mutants that were not caught.
Needs `cargo install cargo-mutants --locked`.
"""

import argparse
import json
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from mutants.building import OUT, binaries, sort_out
from mutants.listing import draw, mutants_of, numbered
from mutants.playing import play, record
from mutants.rewriting import Mutant
from mutants.summary import CAUGHT, Folder, report

T = TypeVar("T")
Words = dict[str, list[str]]  # by the name of a mutant: how it ended, and at which test
KEPT = OUT / "outcomes.json"
EVERY_SECONDS = 60  # so often it says how far it is


def main() -> int:
    """Draws mutants, runs them, and prints the survivors."""
    options = parsed()
    OUT.mkdir(parents=True, exist_ok=True)
    listed = mutants_of(options.folders)
    drawn = {folder: draw(each, options.seed, options.count) for folder, each in listed.items()}
    every = {name: each for some in drawn.values() for name, each in some.items()}
    words: Words = known(KEPT, set(every)) if options.again else {}
    settled = {name for name, end in words.items() if end[0] in SETTLED}
    mutants = numbered({name: each for name, each in every.items() if name not in settled})
    mutants = [each for each in mutants if options.only in each.name]
    say(f"{len(every)} of {sum(map(len, listed.values()))} mutants drawn, {len(mutants)} to play")
    stopped = False
    for name in (signal.SIGINT, signal.SIGTERM):  # in the background too
        signal.signal(name, signal.default_int_handler)
    try:
        play_all(mutants, options.seconds, words)
    except KeyboardInterrupt:
        stopped = True
    folders = [
        Folder(name, len(listed[name]), {each: words.get(each, NONE)[0] for each in some})
        for name, some in drawn.items()
    ]
    print("\n".join(report(folders)))
    print(f"\nseed {options.seed}, {options.seconds:.0f} s of tests for each mutant; all in {KEPT}")
    if stopped:
        print("stopped: what was not played counts as the last time with --again, else not at all")
    return 130 if stopped else 0


def parsed() -> argparse.Namespace:
    """The options of the command."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("folders", nargs="+", metavar="folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100, help="of each folder; 0: all")
    parser.add_argument("--only", default="", help="of those drawn, the ones with this in the name")
    parser.add_argument(
        "--again", action="store_true", help="only those that were not caught the last time"
    )
    parser.add_argument(
        "--seconds", type=float, default=60, help="of tests, in order of time, for each mutant"
    )
    return parser.parse_args()


def known(path: Path, drawn: set[str]) -> Words:
    """Returns the outcomes of these mutants in the previous run."""
    if not path.exists():
        raise SystemExit(f"--again: {path} is missing, which a run without --again writes")
    kept: Words = json.loads(path.read_text(encoding="utf-8"))
    return {name: end for name, end in kept.items() if name in drawn}


def play_all(mutants: list[Mutant], most: float, words: Words) -> None:
    """Sorts out, builds, records, plays; puts down how each mutant ended."""
    found = sort_out(mutants)
    words |= {each.name: ["does not compile", ""] for each in found.wrong}
    words |= {each.name: ["no switch", ""] for each in found.unswitched}
    say("building the tests")
    programs = binaries()
    say("running each test alone, with all switches off")
    tests = list(followed(record(programs), "tests"))
    seconds = sum(test.seconds for test in tests)
    say(f"{len(tests)} tests of {seconds:.0f} s; playing {len(found.viable)} mutants")
    try:
        for outcome in followed(play(found.viable, tests, most), "mutants"):
            words[outcome.mutant.name] = [outcome.word, outcome.test]
            if not outcome.is_caught:
                say(f"{outcome.word}: {outcome.mutant.name}")
    finally:
        KEPT.write_text(json.dumps(words, indent=1), encoding="utf-8")


def followed(things: Iterable[T], what: str) -> Iterator[T]:
    """Yields the things unchanged, and prints their number from time to time."""
    begun = said = time.monotonic()
    for number, thing in enumerate(things, start=1):
        yield thing
        if time.monotonic() > said + EVERY_SECONDS:
            said = time.monotonic()
            say(f"  {number} {what} in {said - begun:.0f} s")


def say(words: str) -> None:
    """Prints a text without delay, to a file too."""
    print(words, flush=True)


NONE = ["not played", ""]
SETTLED = CAUGHT | {"does not compile"}  # what --again leaves as it is

if __name__ == "__main__":
    sys.exit(main())
