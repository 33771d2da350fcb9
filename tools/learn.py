"""Runs the examples, for a build that writes a profile (`tools/profile.sh`).

In: the folder of the examples. Out: nothing; of each example as many seeds are run as it takes for
equal shares.
"""

import sys
from pathlib import Path

import uplane

EVENTS = 250_000

for example in sorted(Path(sys.argv[1]).glob("*.toml")):
    events, seed = 0, 1
    while events < EVENTS:
        events += uplane.run(example, seed=seed).events
        seed += 1
