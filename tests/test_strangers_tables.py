"""Fact: what a stranger's tables say is data: no path outside of a folder, and no formula."""

import csv
import io
import json
from pathlib import Path

import polars
import pytest

import uplane
from conftest import Command
from uplane import files, folder, pcap, qlog, sheet
from uplane.cc.kit import Result
from uplane.cc.table import csv_of
from uplane.errors import OutputError
from uplane.statistics import mean_interval

RECORDED = """
duration = "1 s"
[radio.fixed]
[record]
headers = true
series = "10 ms"
[[download]]
name = "file"
file = "5 kB"
"""
NAMES = ["../../ESC", "/tmp/ESC", "x/../../ESC", "a\\b", "..", "a\nb", "a\0b", "", "x" * 300]  # noqa: S108


@pytest.fixture(scope="module")
def tables() -> dict[str, polars.DataFrame]:
    """The tables of a run with captures and logs."""
    results = uplane.run(uplane.loads(RECORDED), seed=1)
    return {name: results[name].to_polars() for name in ("headers", "series", "qlog")}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("column", ["app", "ue"])
def test_no_name_leaves_the_folder_of_logs(
    name: str, column: str, tables: dict[str, polars.DataFrame], tmp_path: Path
) -> None:
    out = tmp_path / "deep/er/logs"
    edited = tables["headers"].with_columns(polars.lit(name).alias(column))
    with pytest.raises(OutputError, match="expected letters, digits"):
        qlog.write({**tables, "headers": edited}, out)
    assert [it for it in tmp_path.rglob("*") if it.is_file()] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_name_leaves_the_folder_of_captures(
    name: str, tables: dict[str, polars.DataFrame], tmp_path: Path
) -> None:
    out = tmp_path / "deep/er/captures"
    (out / "ue-x").mkdir(parents=True)
    edited = tables["headers"].filter(host="ue").with_columns(ue=polars.lit(f"x/../{name}"))
    with pytest.raises(OutputError, match="expected letters, digits"):
        pcap.write(edited, out)
    assert [it for it in tmp_path.rglob("*") if it.is_file()] == []


def test_names_of_scenarios_are_names_of_files() -> None:
    for name in ("file", "ue-12", "a b_c", "Kür", "x" * 64 + "-100000", 3):
        assert files.named(name) == str(name)


def test_a_manifest_names_no_table_outside(tmp_path: Path) -> None:
    place = uplane.run(uplane.loads(RECORDED), seed=1).save(tmp_path / "run")
    path = place / folder.MANIFEST
    manifest = json.loads(path.read_text("utf-8"))
    manifest["tables"]["../secret"] = manifest["tables"].pop("transfers")
    (place / "transfers.parquet").rename(tmp_path / "secret.parquet")
    manifest["sha256"] = folder._own_digest(manifest)
    path.write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(OutputError, match="a table of the name"):
        uplane.Results.load(place)


def test_doctor_repairs_nothing_outside(command: Command, tmp_path: Path) -> None:
    victim = tmp_path / "victim.parquet"
    victim.write_text("kept", "utf-8")
    out = tmp_path / "out"
    uplane.sweep(uplane.loads(RECORDED), runs=2, out=out)
    path = out / "campaign.json"
    about = json.loads(path.read_text("utf-8"))
    about["tables"]["../victim"] = {"bytes": 1, "sha256": "0"}
    path.write_text(json.dumps(about), "utf-8")
    command("doctor", out, "--mend")
    assert victim.read_text("utf-8") == "kept"


FORMULAS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "=cmd|' /C calc'!A0", "-x"]
PLAIN = ["plain", "a=1", "-1", "+2.5", "-1e-9", "", "5", "1-1", "'=1"]


def test_a_cell_is_no_formula() -> None:
    frame = polars.DataFrame(
        {
            "name": [*FORMULAS, *PLAIN],
            "kind": polars.Series([*FORMULAS, *PLAIN], dtype=polars.Categorical),
            "value": [-1.5] * len([*FORMULAS, *PLAIN]),
            "count": [-1] * len([*FORMULAS, *PLAIN]),
            "=head": [None] * len([*FORMULAS, *PLAIN]),
        }
    )
    head, *rows = csv.reader(io.StringIO(sheet.csv_of(frame), newline=""))
    assert head == ["name", "kind", "value", "count", "'=head"]
    expected = [*(f"'{it}" for it in FORMULAS), *PLAIN]
    assert rows == [[it, it, "-1.5", "-1", ""] for it in expected]


def test_the_command_quotes_what_a_program_reports(command: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from uplane.application import Application\nclass Mine(Application):\n"
        "    def on_start(self): self.send('up', 5)\n"
        "    def report(self): return {'=1+1': -2.5, 'plain': 1}\n",
        "utf-8",
    )
    path = tmp_path / "run.toml"
    path.write_text(
        '[radio.fixed]\nrtt = "10 ms"\n'
        '[[program]]\nname = "own"\nfile = "mine.py"\ndatagrams = true\n',
        "utf-8",
    )
    assert command("run", path, "--out", "out", "--trust").returncode == 0
    said = command("table", "out", "program_values").stdout
    assert ",'=1+1,-2.5" in said
    assert ",plain,1.0" in said
    command("table", "out", "program_values", "--out", "values.csv")
    assert (tmp_path / "values.csv").read_text("utf-8") == said


def test_contestants_are_no_formulas() -> None:
    result = Result("alone", "=1+1", "goodput", mean_interval([-1.0, -1.0]), 2)
    assert csv_of([result]).splitlines()[1].startswith("alone,'=1+1,goodput,-1.0,")
