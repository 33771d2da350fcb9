"""Which changes of the core no Rust test notices: mutants drawn from folders, played in one build.

In: folders below crates/uplane/src (net, tcp, ran/rlc, …), a seed, a count for each (0: all).
Out: each mutant that survived, and of each folder the share caught among those that compile, with
its 95 % interval (Wilson). The same tree, folder, seed and count give the same mutants. What no
switch can express is named. Needs `cargo install cargo-mutants --locked`.
"""

import argparse
import json
import time
from collections import Counter

from mutants.building import OUT, binaries, sort_out
from mutants.listing import draw, mutants_of, numbered
from mutants.playing import Outcome, play, record
from mutants.rewriting import Mutant


def main() -> None:
    """Draws, mutates, tells."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("folders", nargs="+", metavar="folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100, help="of each folder; 0: all")
    parser.add_argument("--only", default="", help="of those drawn, the ones with this in the name")
    parser.add_argument(
        "--seconds", type=float, default=60, help="of tests, in order of time, for each mutant"
    )
    options = parser.parse_args()

    OUT.mkdir(parents=True, exist_ok=True)
    listed = mutants_of(options.folders)
    drawn = {folder: draw(each, options.seed, options.count) for folder, each in listed.items()}
    mutants = numbered({name: each for some in drawn.values() for name, each in some.items()})
    mutants = [each for each in mutants if options.only in each.name]
    outcomes = all_outcomes(mutants, options.seconds)
    for folder in options.folders:
        of_folder = [each for each in outcomes if each.mutant.name in drawn[folder]]
        print(f"{folder}: {len(listed[folder])} mutants, {len(drawn[folder])} drawn with seed")
        print(f"  {options.seed}; {share(of_folder)}")


def all_outcomes(mutants: list[Mutant], most: float) -> list[Outcome]:
    """Sorts out, builds, records, plays; names each mutant that is not caught."""
    found = sort_out(mutants)
    for mutant in found.unswitched:
        print(f"no switch: {mutant.name}")
    print("building the tests", flush=True)
    programs = binaries()
    print("running each test alone, with all switches off", flush=True)
    tests = record(programs)
    seconds = sum(test.seconds for test in tests)
    print(f"{len(tests)} tests of {seconds:.0f} s; playing {len(found.viable)}", flush=True)
    begun = time.monotonic()
    outcomes = []
    for outcome in play(found.viable, tests, most):
        outcomes.append(outcome)
        if not outcome.is_caught:
            print(f"{outcome.word}: {outcome.mutant.name}", flush=True)
    print(f"{len(outcomes)} mutants in {time.monotonic() - begun:.0f} s")
    words = {each.mutant.name: [each.word, each.test] for each in outcomes}
    words |= {each.name: ["does not compile", ""] for each in found.wrong}
    words |= {each.name: ["no switch", ""] for each in found.unswitched}
    (OUT / "outcomes.json").write_text(json.dumps(words, indent=1))
    return outcomes


def share(outcomes: list[Outcome]) -> str:
    """How many are caught, and what that says of all."""
    words = Counter(each.word for each in outcomes)
    caught = sum(each.is_caught for each in outcomes)
    low, high = interval(caught, len(outcomes))
    return (
        f"{len(outcomes)} compile, {caught} are caught ({words['time limit']} by the time limit): "
        f"{caught / max(len(outcomes), 1):.1%}, {low:.0%} to {high:.0%}"
    )


def interval(hits: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    if count == 0:
        return 0.0, 1.0
    z = 1.96
    centre = (hits + z * z / 2) / (count + z * z)
    half = z / (count + z * z) * (hits * (count - hits) / count + z * z / 4) ** 0.5
    return centre - half, centre + half


if __name__ == "__main__":
    main()
