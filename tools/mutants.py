"""Which changes of the core no Rust test notices: cargo-mutants over a sample of one folder.

In: a folder below crates/uplane/src (net, tcp, ran/rlc, …), a seed, a count. Out: each mutant that
survived, and the share caught among those that compile, with its 95 % interval (Wilson). The same
tree, folder, seed and count give the same mutants. Needs `cargo install cargo-mutants --locked`.
"""

import argparse
import json
import random
import re
import subprocess
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
OUT = ROOT / "out" / "mutants"


def main() -> None:
    """Draws, mutates, tells."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    options = parser.parse_args()

    tool = ["cargo", "mutants", "--package", "uplane"]
    for place in (f"{options.folder}.rs", f"{options.folder}/**"):
        tool += ["--file", f"crates/uplane/src/{place}"]
    listed = subprocess.run([*tool, "--list"], cwd=ROOT, check=True, capture_output=True, text=True)
    every = sorted(listed.stdout.splitlines())
    draw = random.Random(options.seed)  # noqa: S311 (a sample is no secret)
    sample = draw.sample(every, min(options.count, len(every)))
    names = "|".join(re.escape(name) for name in sample)
    tool += ["--re", f"^({names})$", "--output", str(OUT), "--timeout-multiplier", "5"]
    # 2 and 3 tell of survivors and time limits; more is a failure.
    if subprocess.run([*tool, "--", "--lib", "--tests"], cwd=ROOT).returncode > 3:
        raise SystemExit(1)

    # The pattern lets a few others pass (fields of structs): they are not of the sample.
    outcomes = json.loads((OUT / "mutants.out" / "outcomes.json").read_text())["outcomes"]
    found = Counter(
        outcome["summary"]
        for outcome in outcomes
        if outcome["scenario"] != "Baseline" and outcome["scenario"]["Mutant"]["name"] in sample
    )
    caught = found["CaughtMutant"] + found["Timeout"]
    viable = caught + found["MissedMutant"]
    low, high = interval(caught, viable)
    print(f"{options.folder}: {len(every)} mutants, {len(sample)} drawn with seed {options.seed};")
    print(f"{viable} compile, and {caught} of them are caught: {low:.0%} to {high:.0%}")


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
