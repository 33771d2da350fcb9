"""Fact: a replay writes the messages of its file, and errors in a file name the line."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import uplane
from uplane.cli import app
from uplane.errors import ScenarioError
from uplane.report import repeat

HEAD = """
duration = "2 s"
[radio.fixed]
[[link]]
name = "way"
rate = "8 Mbit/s"
delay = "5 ms"
[[replay]]
name = "again"
datagrams = true
file = "mine.csv"
"""
LINE = 11
ROWS = "time,direction,bytes\n0,down,972\n0.1,up,472\n"


def _scenario(folder: Path, content: bytes | None, name: str = "mine.csv") -> Path:
    if content is not None:
        (folder / name).write_bytes(content)
    file = folder / "run.toml"
    file.write_text(HEAD, encoding="utf-8")
    return file


def _latencies(scenario: Path | uplane.Scenario) -> list[float]:
    latencies = uplane.run(scenario, seed=1).messages.to_polars()["latency_ms"]
    return [round(latency, 6) for latency in latencies]


@pytest.mark.parametrize(
    "content",
    {
        "as it is": ROWS.encode(),
        "lines of Windows": ROWS.replace("\n", "\r\n").encode(),
        "a byte-order mark": b"\xef\xbb\xbf" + ROWS.encode(),
        "no last end of line": ROWS.rstrip().encode(),
    }.values(),
)
def test_a_file_is_read_from_beside_the_scenario(content: bytes, tmp_path: Path) -> None:
    """1000 bytes at a byte a microsecond and 5 ms; 500 bytes."""
    assert _latencies(_scenario(tmp_path, content)) == [6.0, 5.5]


@pytest.mark.parametrize(
    ("content", "line", "found", "expected"),
    [
        (b"", 1, '""', "the heading"),
        (b"time,direction,bytes\n", 1, "nothing else", "at least one message"),
        (b"time,direction,bytes\r\n0,up,5\r\n0,up,x\r\n", 3, '"x"', "a whole number of bytes"),
        (b"time,direction,bytes\n0,up,0\n", 2, '"0"', "at least 1 B"),
        (b"time,direction,bytes\n5 ms,up,1\n1 ms,up,1\n", 3, "1 ms", "not before"),
        (b"time,direction,bytes\n0,up,2000 GB\n", 2, '"2000 GB"', "at most 1000 GB"),
        (b"time,direction,bytes\n0,up,1,\n", 2, "4 values", "three"),
        (b"time;direction;bytes\n0;up;1\n", 1, '"time;direction;bytes"', "the heading"),
    ],
)
def test_errors_of_a_file_name_the_line(
    content: bytes, line: int, found: str, expected: str, tmp_path: Path
) -> None:
    with pytest.raises(ScenarioError) as refused:
        uplane.load(_scenario(tmp_path, content))
    error = refused.value
    assert (error.file, error.line, error.key) == ("mine.csv", line, "replay.0.file")
    assert found in error.found
    assert expected in error.expected
    assert str(error).startswith(f"mine.csv:{line}: replay.0.file: found ")


@pytest.mark.parametrize(
    ("content", "found"), [(None, '"mine.csv": no such file'), (b"\xff\xfe", "that is not UTF-8")]
)
def test_a_file_that_gives_no_text_is_refused(
    content: bytes | None, found: str, tmp_path: Path
) -> None:
    with pytest.raises(ScenarioError) as refused:
        uplane.load(_scenario(tmp_path, content))
    error = refused.value
    assert (error.key, error.line) == ("replay.0.file", LINE)
    assert found in error.found
    assert "the name of a file beside the scenario" in error.expected


def test_a_text_has_no_files_beside_it() -> None:
    with pytest.raises(ScenarioError, match=r"replay\.0\.file: found"):
        uplane.loads(HEAD)


def test_manifest_reproduces_the_run_without_the_file(tmp_path: Path) -> None:
    first = uplane.load(_scenario(tmp_path, ROWS.encode()))
    (tmp_path / "mine.csv").unlink()
    second = uplane.loads(repeat.scenario(first.effective))
    assert second.effective == first.effective
    assert _latencies(second) == [6.0, 5.5]


def test_a_sweep_varies_the_file(tmp_path: Path) -> None:
    scenario = _scenario(tmp_path, ROWS.encode())
    _scenario(tmp_path, ROWS.replace("972", "1972").encode(), "longer.csv")
    key = "replay.again.file"
    swept = uplane.sweep(scenario, vary={key: ["mine.csv", "longer.csv"]}, set={"seed": 1})
    down = swept["messages"].filter(direction="down")
    # Longer than the MTU: two fragments with a header of 20 bytes each.
    latencies = [(name, round(it, 6)) for name, it in down.select(key, "latency_ms").iter_rows()]
    assert latencies == [("mine.csv", 6.0), ("longer.csv", 7.02)]


def test_messages_after_the_end_are_counted_in_a_warning(tmp_path: Path) -> None:
    late = ROWS + "1.9,up,1\n2.1,up,1\n3,down,7\n"
    results = uplane.run(_scenario(tmp_path, late.encode()), seed=1)
    (said,) = results.warnings
    assert said == "2 of 5 messages are due after the end of the run: replay.again.file"
    assert results.messages.rows == 3


def test_the_summary_has_messages_by_direction(tmp_path: Path) -> None:
    scenario = _scenario(tmp_path, (ROWS + "0.2,down,72\n").encode())
    done = CliRunner().invoke(app, ["run", str(scenario)])
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.output.splitlines()]
    assert ["again", "down", "2", "5.55"] in [line[:4] for line in lines]
    assert ["again", "up", "1", "5.5"] in [line[:4] for line in lines]


def test_datagrams_have_no_parameter_set(tmp_path: Path) -> None:
    """A connection without its own parameter set uses the default set."""
    scenario = uplane.load(_scenario(tmp_path, ROWS.encode()))
    assert scenario.effective["tcp"] == {}
    connected = scenario.with_settings({"replay.again.datagrams": False})
    assert set(connected.effective["tcp"]) == {"rfc"}
