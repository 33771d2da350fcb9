"""Same scenario, seed and version: same bytes, in any process."""

import hashlib
import subprocess
import sys
from pathlib import Path

import uplane

CODE = """
import sys, uplane
uplane.run(sys.argv[1], seed=11).save(sys.argv[2])
"""


def _digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.glob("*.parquet"))
    }


def test_two_fresh_processes_write_the_same_bytes(file: Path, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        subprocess.run([sys.executable, "-c", CODE, file, folder], check=True)
    one, other = map(_digests, folders)
    assert len(one) > 5
    assert one == other


def test_another_seed_writes_other_bytes(scenario: uplane.Scenario) -> None:
    one, other = (uplane.run(scenario, seed=seed)["pings"].to_polars() for seed in (1, 2))
    assert not one.equals(other)


def test_one_and_two_jobs_store_the_same_bytes(file: Path, tmp_path: Path) -> None:
    for jobs in (1, 2):
        uplane.sweep(
            file, vary={"radio.geran.bler": [0.1, 0.2]}, runs=2, jobs=jobs, out=tmp_path / str(jobs)
        )
    one, two = (
        {path.name: _digests(path) for path in (tmp_path / jobs / "runs").iterdir()}
        for jobs in "12"
    )
    assert len(one) == 4
    assert one == two
