"""Plays the grid on the running kernel, or here.

    cc -O2 -o cell peers/linux/cell.c -lpthread
    sudo python peers/linux/run.py linux ./cell linux.jsonl
    python peers/linux/run.py uplane uplane.jsonl
    python peers/linux/compare.py linux.jsonl uplane.jsonl

The kernel needs root and /dev/net/tun; a busy machine makes late packets, which `late_max` tells.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from grid import Cell, cells


def on_linux(binary: str, cell: Cell) -> dict[str, Any]:
    """Play a cell on the running kernel."""
    words = [
        f"rate={cell.rate}e6",
        f"rtt={cell.rtt}",
        f"queue={cell.queue_bytes}",
        f"steps={cell.size}",
        f"cc={cell.control}",
        f"deadline={int(cell.estimate * 3 + 20)}",
    ]
    words += {"none": [], "n20": ["drop=20"], "p1": ["loss=0.01", f"seed={cell.seed}"]}[cell.loss]
    said = subprocess.run([binary, *words], capture_output=True, text=True, check=True).stdout
    result = json.loads(said)
    return {"time": result["steps"][0], "resent": result["retrans"], "late": result["late_max"]}


def scenario(cell: Cell) -> str:
    """Write the same path and download as a scenario."""
    reno = 'congestion_control = "new_reno"\nhystart = false\n'
    return (
        f'duration = "1000 s"\n[radio.fixed]\n[[link]]\nname = "path"\n'
        f'delay = "{cell.rtt * 500} us"\n'
        f'down.rate = "{cell.rate} Mbit/s"\ndown.queue = "{cell.queue_bytes} B"\n'
        f"down.lost_packets = {cell.lost()}\n"
        f'[tcp.default]\nbase = "linux"\n{reno if cell.control == "reno" else ""}'
        f'[[download]]\nname = "file"\nfile = "{cell.size} B"\n'
    )


def here(cell: Cell) -> dict[str, Any]:
    """Play a cell in the simulator."""
    import uplane

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "cell.toml")
        file.write_text(scenario(cell))
        run = uplane.run(uplane.load(file), seed=1)
    transfer = run["transfers"].to_polars().row(0, named=True)
    ends = run["connections"].to_polars()
    return {"time": transfer["duration_s"], "resent": int(ends["retransmissions"].sum())}


def main() -> None:
    """Play all cells, one line each."""
    kind, *rest = sys.argv[1:]
    play = here if kind == "uplane" else lambda cell: on_linux(rest[0], cell)
    with Path(rest[-1]).open("w") as out:
        for cell in cells():
            out.write(json.dumps({"key": cell.key, **play(cell)}) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
