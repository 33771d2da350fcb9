"""One process that tries drawings and says on its output what it found.

In: numbers of drawings, or one scenario file, on the input. Out: a line of JSON for each. A drawing
that takes longer than its time, or more than the memory, ends the process: `search` sees that.
"""

import json
import resource
import signal
import sys
from typing import Any

from drawing.trial import drawing, try_out

MEMORY = 3 * 2**30


def main() -> None:
    """Reads numbers until there are no more."""
    limit = float(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in sys.stdin:
        # The signal is not caught: it ends a run that is deep in the simulator.
        signal.setitimer(signal.ITIMER_PROF, limit)
        sys.stdout.write(json.dumps(_answer(json.loads(line))) + "\n")
        sys.stdout.flush()
        signal.setitimer(signal.ITIMER_PROF, 0)


def _answer(task: dict[str, Any]) -> dict[str, Any]:
    number = task["number"]
    if "content" in task:
        return {"findings": [vars(it) for it in try_out(task["content"], number)]}
    drawn = drawing(number, tuple(task["wanted"]))
    if drawn.content is None:
        return {"number": number, "accepted": False, "drawn": drawn.drawn, "kept": 0}
    findings = [vars(it) for it in try_out(drawn.content, number)]
    return {
        "number": number,
        "accepted": True,
        "drawn": drawn.drawn,
        "kept": drawn.kept,
        "places": [list(path) for path in sorted(drawn.places)],
        "findings": findings,
    }


if __name__ == "__main__":
    main()
