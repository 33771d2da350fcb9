"""Play cells on another kernel in virtual time: an emulated processor, and no late packet.

    python peers/linux/virtual.py KERNEL TUN_MODULE accurate_ecn accurate_ecn.csv

The clock of the emulated machine counts instructions and skips idle times (`-icount`), so that a
busy machine changes nothing. KERNEL and TUN_MODULE (`tun.ko`, not compressed) are those of a
distribution. Needs qemu-system-x86_64, a C compiler, a static busybox, dash, ip and cpio.
"""

import argparse
import csv
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import grid
import paths
from run import COLUMNS, GRIDS, played

HERE = Path(__file__).parent
# The first connection after the start is slow.
WARMS = "steps=10000"
INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
rm /bin/ip /bin/sh; mv /bin/ip.real /bin/ip; ln -s dash /bin/sh
export PATH=/bin
mount -t proc p /proc; mount -t sysfs s /sys; mount -t devtmpfs d /dev
insmod /tun.ko; mkdir -p /dev/net; [ -e /dev/net/tun ] || mknod /dev/net/tun c 10 200
echo "KERNEL $(uname -r)"
while read words; do echo "CELL $words"; cell $words deadline=200; done < /cells
poweroff -f
"""


def install(program: str, name: str, root: Path) -> None:
    """Copy a program and its libraries."""
    source = shutil.which(program) or f"/sbin/{program}"
    shutil.copy(source, root / "bin" / name)
    said = subprocess.run(["ldd", source], capture_output=True, text=True, check=False).stdout
    for library in re.findall(r"/\S+", said):
        target = root / library.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, target)


def make_root(root: Path, module: str, cells: list[str]) -> None:
    """Make the files of the emulated machine."""
    for folder in ("bin", "proc", "sys", "dev"):
        (root / folder).mkdir(parents=True)
    for program, name in (("busybox", "busybox"), ("dash", "dash"), ("ip", "ip.real")):
        install(program, name, root)
    sources = [str(file) for file in HERE.glob("*.c")]
    build = ["cc", "-O2", "-static", "-o", str(root / "bin/cell"), *sources, "-lpthread"]
    subprocess.run(build, check=True)
    shutil.copy(module, root / "tun.ko")
    (root / "cells").write_text("\n".join([WARMS, *cells]) + "\n")
    (root / "init").write_text(INIT)
    (root / "init").chmod(0o755)


def play(kernel: str, module: str, cells: list[str]) -> list[str]:
    """Start the machine, and return what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        root, image = Path(folder, "root"), Path(folder, "image")
        make_root(root, module, cells)
        pack = f"cd {root} && find . | cpio -o -H newc > {image}"
        subprocess.run(["sh", "-c", pack], check=True, capture_output=True)
        machine = "-nodefaults -no-reboot -display none -serial stdio -m 512 -cpu max"
        clock = "-icount shift=0,sleep=off"
        words = f"qemu-system-x86_64 {machine} {clock} -kernel {kernel} -initrd {image}".split()
        boot = "console=ttyS0 quiet tsc=reliable panic=-1"
        run = subprocess.run([*words, "-append", boot], capture_output=True, text=True, check=True)
        return run.stdout.splitlines()


def main() -> None:
    """Play the cells of a grid, and write what `run.py` writes."""
    reads = argparse.ArgumentParser()
    reads.add_argument("kernel")
    reads.add_argument("module")
    reads.add_argument("grid", choices=GRIDS)
    reads.add_argument("out")
    asked = reads.parse_args()
    known = [*(cell.as_path() for cell in grid.cells()), *paths.cells()]
    cells = {it.words: it for it in known if it.file == asked.grid}
    turns = [it.words for play in range(2) for it in cells.values() if play < it.plays]
    with Path(asked.out).open("w", newline="") as out:
        lines = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        words, plays = "", dict.fromkeys(cells, 0)
        for line in play(asked.kernel, asked.module, turns):
            if line.startswith("KERNEL "):
                out.write(f"# Linux {line[7:]}, in virtual time\n")
                lines.writeheader()
            elif line.startswith("CELL "):
                words = line[5:].strip()
            elif line.startswith("{") and words in cells:
                result = json.loads(line)
                for flow, it in enumerate(result["flows"]):
                    time, late = it["steps"][-1], result["late_max"]
                    row = played(cells[words], plays[words], flow, time, it["resent"], late)
                    lines.writerow(row)
                plays[words] += 1


if __name__ == "__main__":
    main()
