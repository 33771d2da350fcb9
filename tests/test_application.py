"""Fact: an application in Python writes its messages at its own times, and errors name the user's
file and line.
"""

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import uplane
from uplane.errors import ApplicationError, ProgramError, ScenarioError
from uplane.program import outside
from uplane.report import repeat

run = partial(uplane.run, trust=True)
EXAMPLES = Path(__file__).parents[1] / "examples"
HEAD = """
duration = "{duration}"
[radio.fixed]
[[link]]
name = "way"
rate = "{rate}"
delay = "5 ms"
[[program]]
name = "mine"
file = "mine.py"
{keys}
"""
TOP = "from uplane.application import Application\n\n\nclass Mine(Application):\n"
ECHO = (
    TOP
    + """
    def on_start(self):
        self.rounds = 0
        self.send("up", 972)

    def on_message(self, message):
        if message.direction == "up":
            self.send("down", 472)
        elif self.rounds < 4:
            self.rounds += 1
            self.wake_at(self.now_s + 0.1)

    def on_time(self):
        self.send("up", 972)

    def report(self):
        return {"rounds": self.rounds, "half": 0.5}
"""
)


def _scenario(
    folder: Path,
    text: str | None,
    keys: str = "datagrams = true",
    rate: str = "8 Mbit/s",
    duration: str = "10 s",
) -> Path:
    if text is not None:
        (folder / "mine.py").write_text(text, encoding="utf-8")
    file = folder / "run.toml"
    content = HEAD.format(duration=duration, rate=rate, keys=keys)
    file.write_text(content, encoding="utf-8")
    return file


def _values(results: uplane.Results) -> dict[str, float]:
    return dict(results.program_values.to_polars().select("name", "value").iter_rows())


def test_questions_answers_and_waits_come_at_their_times(tmp_path: Path) -> None:
    """1000 bytes up take 1 + 5 ms, 500 down 0.5 + 5 ms; 100 ms later comes the next question."""
    results = run(_scenario(tmp_path, ECHO), seed=1)
    messages = results.messages.to_polars().sort("number")
    assert messages["direction"].to_list() == ["up", "down"] * 5
    found = [round(it * 1e3, 6) for it in messages["written_s"]]
    expected = [n * 111.5 + late for n in range(5) for late in (0.0, 6.0)]
    assert found == pytest.approx(expected, abs=1e-6)
    assert [round(it, 6) for it in messages["latency_ms"]] == [6.0, 5.5] * 5
    assert _values(results) == {"rounds": 4.0, "half": 0.5}
    # Nothing can happen any more.
    assert results.run.to_polars()["simulated_s"][0] == pytest.approx(4 * 0.1115 + 0.0115)


def test_received_message_equals_the_sent_one(tmp_path: Path) -> None:
    """By its number, in whatever order messages of both directions arrive."""
    text = TOP + (
        "    def on_start(self):\n"
        "        all = [('up', 900), ('down', 30), ('down', 20), ('up', 10)]\n"
        "        self.sent = {self.send(*one): one for one in all}\n"
        "        self.right = 0\n"
        "    def on_message(self, it):\n"
        "        is_right = self.sent.pop(it.number) == (it.direction, it.size)\n"
        "        self.right += is_right and abs(it.written_s + it.latency_s - self.now_s) < 1e-9\n"
        "    def report(self):\n"
        "        return {'right': self.right}\n"
    )
    assert _values(run(_scenario(tmp_path, text), seed=1)) == {"right": 4}


@pytest.mark.parametrize("keys", ["", 'quic = "default"', "handshake = false"])
def test_it_runs_over_a_connection(keys: str, tmp_path: Path) -> None:
    """At least as long as datagrams; a handshake and a delayed acknowledgement are no seconds."""
    results = run(_scenario(tmp_path, ECHO, keys), seed=1)
    messages = results.messages.to_polars().sort("number")
    assert messages["direction"].to_list() == ["up", "down"] * 5
    ways = zip(messages["direction"], messages["latency_ms"], strict=True)
    least = {"up": 5 + 0.972, "down": 5 + 0.472}
    assert all(least[way] <= latency < 100 for way, latency in ways)


def test_each_ue_has_its_own_object(tmp_path: Path) -> None:
    path = _scenario(tmp_path, ECHO, 'ue = "all"\ndatagrams = true')
    path.write_text(path.read_text("utf-8") + '[[ue]]\nname = "ue"\ncount = 3\n', "utf-8")
    values = run(path, seed=1).program_values.to_polars().filter(name="rounds")
    assert values["ue"].to_list() == ["ue-1", "ue-2", "ue-3"]
    assert values["value"].to_list() == [4.0] * 3


def test_a_run_repeats_itself() -> None:
    scenario = uplane.load(EXAMPLES / "own-application.toml")
    one, other = (run(scenario, seed=3) for _ in range(2))
    for name, table in one.tables.items():
        assert other.tables[name].to_polars().equals(table.to_polars()), name


FAILS = (
    TOP + "    def on_start(self):\n        self.wake_at(1)\n\n    def on_time(self):\n        {}\n"
)


@pytest.mark.parametrize(
    ("line", "said"),
    {
        "1 / 0": "mine.py, line 9: ZeroDivisionError: division by zero",
        "raise KeyboardInterrupt": "mine.py, line 9: KeyboardInterrupt",
        "self.send('left', 1)": "line 9: ValueError: direction: found 'left', expected \"up\" or",
        "self.send('up', 0)": "line 9: ValueError: size: found 0, expected a whole number of",
        "self.send('up', 2.5)": "size: found 2.5, expected a whole number of bytes from 1 to",
        "self.send('up', 10**13)": "size: found 10000000000000, expected a whole number",
        "self.wake_at(0.5)": "line 9: ValueError: time_s: found 0.5, expected from now, 1.0, on",
        "self.wake_at(float('nan'))": "time_s: found nan, expected from now, 1.0, on",
        "self.wake_at(float('inf'))": "time_s: found inf, expected from now, 1.0, on",
        "self.wake_at(self.now_s)": "RuntimeError: found more than 100000 calls at one instant",
        "self._written.append('x')": "TypeError: ",
        "self._written = [(True, 0)]": "ValueError: size: found 0, expected from 1 to",
        "self._written = [(True, 2**64 - 1)]": "size: found 18446744073709551615, expected from 1",
        "self._written = [(True, 0), (True, 2**64 - 1)]": "ValueError: size: found 0, expected",
        "self._written = [(True, -1)]": "OverflowError: ",
        "self._written = [(True, 10**30)]": "OverflowError: ",
        "self._written = ((True, 5),)": "TypeError: ",
        "self._written = type('L', (), {'__len__': lambda _: 2**62})()": "TypeError: ",
        "self._written = None": "TypeError: ",
        "del self._written": "AttributeError: ",
        "self._longest = 10**30; self.send('up', 10**29)": "OverflowError: ",
        "self._wake_s = float('nan')": "ValueError: time_s: found NaN, expected from 0 to 1000000",
        "self._wake_s = float('inf')": "ValueError: time_s: found inf, expected from 0",
        "self._wake_s = -1.0": "ValueError: time_s: found -1, expected from 0 to 1000000",
        "self._wake_s = 1e300": "expected from 0 to 1000000",
        "self._wake_s = 'soon'": "TypeError: ",
        "self.report = lambda: {'x': 'y'}": "report: found ('x', 'y'), expected a name and a fin",
        "self.report = lambda: {'x': float('nan')}": "report: found ('x', nan), expected a name",
        "self.report = lambda: 3": "AttributeError",
    }.items(),
)
def test_failure_in_a_run_names_its_place(line: str, said: str, tmp_path: Path) -> None:
    """The first call is at its start, and all goes well there."""
    with pytest.raises(ApplicationError) as failed:
        run(_scenario(tmp_path, FAILS.format(line)), seed=3)
    error = failed.value
    assert said in str(error)
    assert isinstance(error, ProgramError)
    assert (error.file, error.seed, error.time_s) == ("mine.py", 3, 1.0)
    assert error.__cause__ is not None
    # The thread that met it is as good as before.
    assert run(_scenario(tmp_path, ECHO), seed=3).messages.rows == 10


def test_writes_of_a_run_have_a_limit(tmp_path: Path) -> None:
    """Sequence numbers of a connection do not overflow: 10^18 bytes are far below 2^64."""
    text = FAILS.format("self._written = [(True, 10**12)] * 1_000_001")
    with pytest.raises(ApplicationError, match=r"found more than 10\^18 bytes written in one run"):
        run(_scenario(tmp_path, text, ""), seed=1)


def test_a_program_may_fail_at_its_nth_call(tmp_path: Path) -> None:
    text = ECHO.replace("message):\n", "message):\n        1 / (8 - message.number)\n")
    with pytest.raises(ApplicationError, match="division by zero") as failed:
        run(_scenario(tmp_path, text), seed=1)
    # The ninth message is delivered four rounds and 6 ms after the start.
    assert failed.value.time_s == pytest.approx(4 * 0.1115 + 0.006)


def test_a_longer_message_than_datagrams_carry_is_an_error(tmp_path: Path) -> None:
    keys = 'datagrams = true\npayload = "10 B"'
    good, bad = (FAILS.format(f"self.send('up', {size})") for size in (100_000, 100_001))
    assert run(_scenario(tmp_path, good, keys), seed=1).messages.rows == 1
    with pytest.raises(ApplicationError, match="from 1 to 100000"):
        run(_scenario(tmp_path, bad, keys), seed=1)


@pytest.mark.parametrize(
    ("text", "found"),
    {
        "import nothing_of_this_name": "line 1: ModuleNotFoundError",
        "def on_start(:": "line 1: SyntaxError",
        "x = 1": 'found "mine.py" with no such class',
        "from uplane.application import Application as A\nclass B(A): ...\nclass C(A): ...": (
            "with the classes B, C"
        ),
        "from uplane.control import CongestionControl as A\nclass B(A): ...": "with no such class",
    }.items(),
)
def test_a_file_without_an_application_is_refused(text: str, found: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as refused:
        run(_scenario(tmp_path, text))
    assert found in str(refused.value)
    assert refused.value.key == "program.0.file"
    assert "a class of `uplane.application.Application`" in refused.value.expected


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r'"mine\.py": no such file'):
        uplane.load(_scenario(tmp_path, None))


def test_a_path_that_takes_no_time_is_refused(tmp_path: Path) -> None:
    """Questions and answers would go on and on at one instant."""
    path = _scenario(tmp_path, ECHO)
    timeless = path.read_text("utf-8").replace('rate = "8 Mbit/s"\ndelay = "5 ms"\n', "")
    path.write_text(timeless, "utf-8")
    with pytest.raises(ScenarioError, match="requests and replies would never end") as refused:
        uplane.load(path)
    assert refused.value.key == "program.0"


def test_manifest_reproduces_the_run_without_the_file(tmp_path: Path) -> None:
    first = uplane.load(_scenario(tmp_path, ECHO))
    (tmp_path / "mine.py").unlink()
    assert first.effective["program"][0]["file"] == "# mine.py\n" + ECHO
    text, programs = repeat.scenario(first.effective), outside(first.effective)[1]
    assert (programs, "class Mine" in text) == ({"mine.py": ECHO}, False)
    second = uplane.Scenario(source="<text>", text=text, bases=programs)
    assert second.effective == first.effective
    ours, theirs = (run(it, seed=1).messages.to_polars() for it in (first, second))
    assert ours.equals(theirs)


def test_an_object_may_have_an_init_that_forgets_its_base(tmp_path: Path) -> None:
    text = TOP + "    def __init__(self):\n        self.size = 5\n"
    text += "    def on_start(self):\n        self.send('up', self.size)\n"
    results = run(_scenario(tmp_path, text), seed=1)
    assert results.messages.rows == 1
    assert results.program_values.rows == 0


def test_a_stale_wish_is_not_kept(tmp_path: Path) -> None:
    """A call that was asked for and taken back is not made, and nothing else keeps the run."""
    text = TOP + "    def on_start(self):\n        self.wake_at(1)\n        self.wake_at(None)\n"
    text += "    def on_time(self):\n        1 / 0\n"
    results = run(_scenario(tmp_path, text), seed=1)
    assert results.run.to_polars()["simulated_s"][0] == 0.0


def test_video_client_adapts_to_the_path(tmp_path: Path) -> None:
    """At 100 Mbit/s it has the highest quality after one segment of the lowest, and never waits.

    At 250 kbit/s each segment of 125 kB takes 4 s or more, of which it has 2 to play: it stalls at
    29 of 30 for at least 2 s each, and for no more than what headers, 20 % at most, add to that.
    """
    text = (EXAMPLES / "video.py").read_text("utf-8")
    fast = _values(run(_scenario(tmp_path, text, "", "100 Mbit/s", "200 s"), seed=1))
    assert fast == {"stalls": 0, "stalled_s": 0, "quality_kbps": (500 + 29 * 8000) / 30}
    slow = _values(run(_scenario(tmp_path, text, "", "250 kbit/s", "200 s"), seed=1))
    assert (slow["stalls"], slow["quality_kbps"]) == (29, 500)
    assert 29 * 2 <= slow["stalled_s"] <= 29 * 2.8


def test_the_command_line_says_one_line(tmp_path: Path) -> None:
    scenario = _scenario(tmp_path, FAILS.format("1 / 0"))
    command = [sys.executable, "-m", "uplane", "run", str(scenario), "--trust"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode != 0
    assert "ZeroDivisionError: division by zero (at 1.000000 s" in said.stderr
    assert "Traceback" not in said.stderr
