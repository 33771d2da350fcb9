"""Draws the figure of the README: two SR periods and the causes of a download time over LTE.

In: real runs of `examples/lte-download.toml`, the same as in the README's command. Out:
`docs/images/compare.svg`, with colours for light and dark pages. The same version of the simulator
draws the same bytes.
"""

import sys
from pathlib import Path

import uplane
from uplane.report.compare import causes

ROOT = Path(__file__).parents[1]
SCENARIO = ROOT / "examples/lte-download.toml"
FIGURE = ROOT / "docs/images/compare.svg"

BASE = {"radio.lte.sr_offset": "random", "download.file.file": "100 kB"}
RUNS = 20


def main() -> None:
    """Runs both variants and writes the figure."""
    vary = {"radio.lte.sr_period": (5, 20)}
    figure = causes(uplane.compare(SCENARIO, vary=vary, set=BASE, runs=RUNS))
    if figure is None:
        sys.exit("the comparison has no causes")
    FIGURE.parent.mkdir(parents=True, exist_ok=True)
    FIGURE.write_text(figure.file, encoding="utf-8")


if __name__ == "__main__":
    main()
