"""Runs the examples, for a build that writes a profile (`tools/profile.sh`).

In: the folder of the examples, and a number of events. Out: nothing. Each example runs with more
seeds until it has simulated this number of events, so all examples have equal shares.
"""

import sys
from pathlib import Path

import uplane

folder, least_events = Path(sys.argv[1]), int(sys.argv[2])

for example in sorted(folder.glob("*.toml")):
    events, seed = 0, 1
    while events < least_events:
        events += uplane.run(example, seed=seed, trust=True).events
        seed += 1
