"""Fact: a congestion control in Python gives the results of its twin in the core, and errors name
the user's file and line.
"""

import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import polars as pl
import pytest

import uplane
from uplane.errors import ControlError, ScenarioError
from uplane.program import outside
from uplane.report import repeat

run = partial(uplane.run, trust=True)
sweep = partial(uplane.sweep, trust=True)
compare = partial(uplane.compare, trust=True)
RENO = Path(__file__).parents[1] / "examples/reno.py"
WAYS = {
    "an overflowing queue": ("", '[[link]]\nrate="20 Mbit/s"\ndelay="20 ms"\nqueue="40 packets"\n'),
    "random losses": ("", '[[link]]\nrate="20 Mbit/s"\ndelay="20 ms"\npacket_loss="1 %"\n'),
    "timeouts": ("", '[[link]]\nrate="2 Mbit/s"\ndelay="20 ms"\npacket_loss="20 %"\n'),
    "marks": (
        'ecn="classic"\n',
        '[[link]]\nrate="20 Mbit/s"\ndelay="20 ms"\nqueue="200 packets"\naqm={codel={ecn=true}}\n',
    ),
    "a receiver's window": (
        'receive_buffer="30 kB"\n',
        '[[link]]\nrate="20 Mbit/s"\ndelay="20 ms"\n',
    ),
    "a largest window": ('max_window="64 kB"\n', '[[link]]\nrate="20 Mbit/s"\ndelay="20 ms"\n'),
    "a threshold": ('initial_ssthresh="40 kB"\n', '[[link]]\nrate="9 Mbit/s"\ndelay="20 ms"\n'),
}
APPS = """
[[download]]
name = "file"
file = "3 MB"
[[web]]
name = "page"
objects = ["900 kB", "5 kB", "300 kB"]
persistent = true
think = "3 s"
"""
HEAD = """
duration = "30 s"
[record]
series = "10 ms"
packets = true
[radio.fixed]
[tcp.default]
base = "rfc"
"""


def _scenario(folder: Path, control: str, set_: str, link: str) -> Path:
    link = link.replace("[[link]]\n", '[[link]]\nname="way"\n')
    file = folder / "run.toml"
    file.write_text(f'{HEAD}congestion_control="{control}"\n{set_}{link}{APPS}', encoding="utf-8")
    return file


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_of_new_reno_gives_the_same_tables(way: str, tmp_path: Path) -> None:
    shutil.copy(RENO, tmp_path / "mine.py")
    ours = run(_scenario(tmp_path, "mine.py", *WAYS[way]), seed=7)
    cores = run(_scenario(tmp_path, "new_reno", *WAYS[way]), seed=7)
    for name, table in cores.tables.items():
        assert ours.tables[name].to_polars().equals(table.to_polars()), (way, name)
    assert ours.events == cores.events
    windows = cores.series.to_polars()["cwnd_bytes"].n_unique()
    assert windows >= 5, f"{windows} windows tell nothing"


FAILS = """
from uplane.control import CongestionControl


class Mine(CongestionControl):
    def on_ack(self, sample):
        {line}
"""
LINK = '[[link]]\nrate="20 Mbit/s"\ndelay="20 ms"\n'


@pytest.mark.parametrize(
    ("line", "said"),
    {
        "1 / 0": "mine.py, line 7: ZeroDivisionError: division by zero",
        "self.cwnd = 3.5": "cwnd: found 3.5, expected a whole number of bytes",
        "self.cwnd = 100": "cwnd: found 100, expected at least one segment, 1448",
        "self.cwnd = -1": "cwnd: found -1, expected a whole number of bytes",
        "self.ssthresh = 'low'": "ssthresh: found low, expected a whole number of bytes, or None",
        "self.pacing_rate_bps = 0": "pacing_rate_bps: found 0, expected from 1 to 1e15 bit/s",
        "self.pacing_rate_bps = float('nan')": "pacing_rate_bps: found NaN",
        "self.pacing_quantum = None": "pacing_quantum: found None, expected a whole number",
        "raise KeyboardInterrupt": "mine.py, line 7: KeyboardInterrupt",
    }.items(),
)
def test_failure_in_a_run_names_its_place(line: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FAILS.format(line=line), encoding="utf-8")
    scenario = _scenario(tmp_path, "mine.py", "", LINK)
    with pytest.raises(ControlError) as failed:
        run(scenario, seed=3)
    error = failed.value
    assert said in str(error)
    assert error.file == "mine.py"
    assert error.seed == 3
    assert error.__cause__ is not None
    # The thread that met it is as good as before.
    assert run(_scenario(tmp_path, "cubic", "", LINK), seed=3).transfers.rows == 5


@pytest.mark.parametrize(
    ("text", "found"),
    {
        "import nothing_of_this_name": "line 1: ModuleNotFoundError",
        "def on_ack(:": "line 1: SyntaxError",
        "x = 1": 'found "mine.py" with no such class',
        "from uplane.control import CongestionControl as C\nclass A(C): ...\nclass B(C): ...": (
            "with the classes A, B"
        ),
    }.items(),
)
def test_a_file_without_a_control_is_refused(text: str, found: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError) as refused:
        run(_scenario(tmp_path, "mine.py", "", LINK))
    assert found in str(refused.value)
    assert refused.value.key == "tcp.default.congestion_control"
    assert "a Python file with a class" in refused.value.expected


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r'"mine\.py": no such file'):
        uplane.load(_scenario(tmp_path, "mine.py", "", LINK))


def test_a_class_may_stand_on_another_of_its_file(tmp_path: Path) -> None:
    text = RENO.read_text(encoding="utf-8") + "\n\nclass Mine(Reno):\n    pass\n"
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    assert run(_scenario(tmp_path, "mine.py", "", LINK)).transfers.rows == 5


def test_manifest_reproduces_the_run_without_the_file(tmp_path: Path) -> None:
    program = tmp_path / "mine.py"
    shutil.copy(RENO, program)
    first = uplane.load(_scenario(tmp_path, "mine.py", "", LINK))
    program.unlink()
    control = first.effective["tcp"]["default"]["congestion_control"]
    assert control == "# mine.py\n" + RENO.read_text(encoding="utf-8")
    text, programs = repeat.scenario(first.effective), outside(first.effective)[1]
    assert 'congestion_control = "mine.py"' in text
    assert programs == {"mine.py": RENO.read_text(encoding="utf-8")}
    second = uplane.Scenario(source="<text>", text=text, bases=programs)
    assert second.effective == first.effective
    ours, theirs = run(first), run(second)
    assert ours.series.to_polars().equals(theirs.series.to_polars())


def test_a_control_with_a_pace_sends_at_it(tmp_path: Path) -> None:
    """3 MB at 8 Mbit/s of payload last 3 s: 40 ms of way, a handshake and a request beside."""
    text = FAILS.format(line="self.cwnd = 10**9") + (
        "    def __init__(self, start):\n"
        "        super().__init__(start)\n"
        "        self.pacing_rate_bps, self.pacing_quantum = 8e6, self.mss\n"
    )
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    results = run(_scenario(tmp_path, "mine.py", "nagle=false\n", LINK))
    duration = results.transfers.to_polars().filter(pl.col("app") == "file")["duration_s"][0]
    assert 3.0 < duration < 3.2


def test_a_sweep_varies_it_as_any_other(tmp_path: Path) -> None:
    """As text, in a store, with its file; another program is another variant."""
    shutil.copy(RENO, tmp_path / "mine.py")
    scenario = _scenario(tmp_path, "new_reno", *WAYS["random losses"])
    key = "tcp.default.congestion_control"
    vary = {key: ["new_reno", "mine.py", "cubic"]}
    swept = sweep(scenario, vary=vary, runs=2, out=tmp_path / "store")
    means = dict(swept["transfers"].group_by(key).agg(pl.col("duration_s").mean()).iter_rows())
    assert set(means) == {"new_reno", "mine.py", "cubic"}
    assert means["mine.py"] == means["new_reno"] != means["cubic"]


def test_another_program_of_the_same_name_is_another_scenario(tmp_path: Path) -> None:
    """A store finds a run by its scenario, and the program is in it."""
    (tmp_path / "mine.py").write_text(FAILS.format(line="self.cwnd += 1"), encoding="utf-8")
    scenario = _scenario(tmp_path, "mine.py", "", LINK)
    store = tmp_path / "store"
    slow = sweep(scenario, out=store)["transfers"]["duration_s"]
    (tmp_path / "mine.py").write_text(FAILS.format(line="self.cwnd += 9"), encoding="utf-8")
    fast = sweep(scenario, out=tmp_path / "other")["transfers"]["duration_s"]
    assert fast.to_list() < slow.to_list()
    with pytest.raises(uplane.OutputError, match=r"another tcp\.default.congestion_control;"):
        sweep(scenario, out=store)


def test_comparison_distinguishes_programs_of_one_name(tmp_path: Path) -> None:
    names = []
    for step in (1, 9):
        folder = tmp_path / str(step)
        folder.mkdir()
        (folder / "mine.py").write_text(FAILS.format(line=f"self.cwnd += {step}"), "utf-8")
        names.append(uplane.load(_scenario(folder, "mine.py", "", LINK)))
    values = compare(*names, runs=2).settings["tcp.default.congestion_control"]
    for step, one in zip((1, 9), values, strict=True):
        assert re.fullmatch(rf"mine.py, line \d+: self.cwnd \+= {step}", str(one))


def test_the_command_line_says_one_line(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FAILS.format(line="1 / 0"), encoding="utf-8")
    scenario = _scenario(tmp_path, "mine.py", "", LINK)
    command = [sys.executable, "-m", "uplane", "run", str(scenario), "--trust"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode != 0
    assert "ZeroDivisionError: division by zero (at 0." in said.stderr
    assert "Traceback" not in said.stderr
