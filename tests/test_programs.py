"""Fact: no program of a scenario runs before a run begins, and none without the user's trust."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

import uplane
from conftest import Command
from uplane import trust
from uplane.advice import advise_mtu
from uplane.campaign import cluster
from uplane.campaign.plan import Task
from uplane.cc import cases, compete, read_contestants
from uplane.errors import InputError, ScenarioError, UntrustedError
from uplane.scenario import Scenario
from uplane.trust import Exactly, digest_of

HEAD = """
duration = "2 s"
[radio.fixed]
[[link]]
name = "way"
rate = "20 Mbit/s"
delay = "5 ms"
"""
TCP = (
    HEAD
    + """
[tcp.default]
base = "rfc"
congestion_control = "{name}"
[[download]]
name = "file"
file = "30 kB"
"""
)
APPLICATION = (
    HEAD
    + """
[[program]]
name = "own"
file = "{name}"
datagrams = true
"""
)
CONTROL = """
import pathlib
pathlib.Path({mark!r}).touch()
from uplane.control import CongestionControl


class Mine(CongestionControl):
    def on_ack(self, sample):
        self.cwnd += sample.acked
"""
TALKER = """
import pathlib
pathlib.Path({mark!r}).touch()
from uplane.application import Application


class Mine(Application):
    def on_start(self):
        self.send("up", 100)
"""
KINDS = {"control": (TCP, CONTROL), "application": (APPLICATION, TALKER)}


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is trusted at the start of a test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state/uplane/trusted"


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> tuple[str, str]:
    """The scenario and the program of a control, and of an application."""
    return KINDS[request.param]


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A file that programs make when they run."""
    return tmp_path / "it-ran"


@pytest.fixture
def scenario(kind: tuple[str, str], mark: Path, tmp_path: Path) -> Path:
    """A scenario with a program beside it."""
    return placed(tmp_path / "place", kind, mark)


def placed(folder: Path, kind: tuple[str, str], mark: Path, name: str = "mine.py") -> Path:
    """A scenario that names a program, and the program beside it."""
    folder.mkdir(exist_ok=True)
    text, program = kind
    (folder / "mine.py").write_text(program.format(mark=str(mark)), "utf-8")
    file = folder / "run.toml"
    file.write_text(text.replace("{name}", name), "utf-8")
    return file


def test_reading_a_scenario_runs_nothing(scenario: Path, mark: Path) -> None:
    loaded = uplane.load(scenario)
    assert loaded.with_settings({"duration": "3 s"}).effective["duration"] == "3 s"
    assert loaded.trusting(trust=True).effective
    uplane.Scenario(source=str(scenario), text=loaded.text)
    uplane.schema()
    assert not mark.exists()


DOERS: dict[str, Callable[[Path], object]] = {
    "run": uplane.run,
    "sweep": lambda path: uplane.sweep(path, runs=2),
    "compare": lambda path: uplane.compare(path, change={"duration": "3 s"}, runs=2),
    "run of a scenario": lambda path: uplane.run(uplane.load(path)),
}


@pytest.mark.parametrize("name", DOERS)
def test_an_untrusted_program_does_not_run(name: str, scenario: Path, mark: Path) -> None:
    with pytest.raises(UntrustedError) as refused:
        DOERS[name](scenario)
    assert not mark.exists()
    error = refused.value
    assert error.file == "mine.py"
    assert error.digest == digest_of((scenario.parent / "mine.py").read_text("utf-8"))
    for part in ("mine.py", error.digest, "trust=True"):
        assert part in str(error)


def test_advice_runs_no_untrusted_program(tmp_path: Path, mark: Path) -> None:
    path = placed(tmp_path / "place", KINDS["control"], mark)
    with pytest.raises(UntrustedError):
        advise_mtu(path, runs=1, mtus=[1400])
    assert not mark.exists()
    assert advise_mtu(path, runs=1, mtus=[1400], trust=True).trials
    assert mark.exists()


def test_a_trusted_program_runs(scenario: Path, mark: Path, state: Path) -> None:
    uplane.run(scenario, trust=True)
    assert mark.exists()
    # Trust of Python code stands in the code: nothing is remembered.
    assert not state.exists()
    with pytest.raises(UntrustedError):
        uplane.run(scenario)


COMMANDS = {
    "run": (),
    "sweep": ("--vary", "duration=2 s,3 s"),
    "compare": ("--change", "duration=3 s", "--runs", "2"),
    "follow": (),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_command_names_untrusted_program_and_remedy(
    name: str, command: Command, scenario: Path, mark: Path
) -> None:
    words = (name, scenario, *COMMANDS[name])
    done = command(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert not mark.exists()
    digest = digest_of((scenario.parent / "mine.py").read_text("utf-8"))
    assert f'the program "mine.py" is not trusted (sha256 {digest})' in done.stderr
    proposed = done.stderr.strip().rpartition("; if you trust it: uplane ")[2]
    assert proposed.endswith(" --trust")
    assert command(*words, "--trust").returncode == 0
    assert mark.exists()


def test_trust_is_remembered_until_the_file_changes(
    command: Command, scenario: Path, mark: Path, state: Path
) -> None:
    assert command("run", scenario, "--trust").returncode == 0
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    assert stat.S_IMODE(state.parent.stat().st_mode) == 0o700
    mark.unlink()
    assert command("run", scenario).returncode == 0
    uplane.run(scenario)
    assert mark.exists()
    mark.unlink()
    program = scenario.parent / "mine.py"
    program.write_text(program.read_text("utf-8") + "# changed\n", "utf-8")
    assert command("run", scenario).returncode == 2
    assert not mark.exists()


@pytest.mark.parametrize("mode", [0o660, 0o606, 0o644])
def test_trust_list_writable_by_others_is_ignored(
    mode: int, command: Command, scenario: Path, state: Path
) -> None:
    state.parent.mkdir(parents=True)
    digest = digest_of((scenario.parent / "mine.py").read_text("utf-8"))
    state.write_text(f"{digest}  mine.py\n{'0' * 64}  of somebody else\n", "utf-8")
    state.chmod(0o600)
    assert command("run", scenario).returncode == 0
    state.chmod(mode)
    assert command("run", scenario).returncode == 2
    # With trust that is said again the list begins anew.
    assert command("run", scenario, "--trust").returncode == 0
    assert state.read_text("utf-8") == f"{digest}  mine.py\n"
    assert stat.S_IMODE(state.stat().st_mode) == 0o600


def test_a_link_in_place_of_the_list_is_not_followed(
    command: Command, scenario: Path, state: Path, tmp_path: Path
) -> None:
    state.parent.mkdir(parents=True)
    state.symlink_to(tmp_path / "elsewhere")
    assert command("run", scenario, "--trust").returncode == 1
    assert not (tmp_path / "elsewhere").exists()


# Where a program may lie.


INLINE = [
    "# a CongestionControl\\nopen('it-ran', 'w')",
    "# mine.py\\nclass Mine(CongestionControl): ...",
    "mine.py\\n",
    "\\nmine.py",
    "mine\\n.py",
    "mine\\r.py",
    "mine\\u0000.py",
]


@pytest.mark.parametrize("name", INLINE)
def test_a_value_is_never_code(
    name: str, kind: tuple[str, str], mark: Path, tmp_path: Path
) -> None:
    path = placed(tmp_path / "place", kind, mark, name)
    with pytest.raises(ScenarioError):
        uplane.load(path, trust=True)
    assert not mark.exists()


def test_a_name_with_a_newline_is_none_of_data(tmp_path: Path) -> None:
    text = HEAD.replace('rate = "20 Mbit/s"', 'trace = "a\\nb"')
    text += '[[ping]]\nname = "echo"\n'
    (tmp_path / "a\nb").write_text("1 2 3\n", "utf-8")
    with pytest.raises(ScenarioError, match="a name with control characters"):
        uplane.loads(text, source=str(tmp_path / "run.toml"))


def test_a_program_outside_of_the_folder_is_refused(
    kind: tuple[str, str], mark: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    placed(outside, kind, mark)
    place = tmp_path / "place"
    inner = place / "inner"
    path = placed(place, kind, mark)
    inner.mkdir()
    (place / "link.py").symlink_to(outside / "mine.py")
    (place / "way").symlink_to(outside)
    (place / "loop.py").symlink_to("loop.py")
    (place / "folder.py").mkdir()
    os.mkfifo(place / "fifo.py")
    for name, found in {
        "../outside/mine.py": "lies outside of the folder of the scenario",
        "inner/../../outside/mine.py": "lies outside of the folder of the scenario",
        str(outside / "mine.py"): "lies outside of the folder of the scenario",
        "link.py": "lies outside of the folder of the scenario",
        "way/mine.py": "lies outside of the folder of the scenario",
        "loop.py": "",
        "folder.py": "a folder",
        "fifo.py": "a FIFO (copy its content to a file), not a regular file",
    }.items():
        path.write_text(kind[0].replace("{name}", name), "utf-8")
        with pytest.raises(ScenarioError) as refused:
            uplane.load(path, trust=True)
        assert found in refused.value.found, name
    (inner / "mine.py").write_text((place / "mine.py").read_text("utf-8"), "utf-8")
    (place / "inside.py").symlink_to("inner/mine.py")
    for name in ("inner/mine.py", "./mine.py", "inner/../mine.py", "inside.py"):
        path.write_text(kind[0].replace("{name}", name), "utf-8")
        assert uplane.load(path).core.programs[0][0] == name
    assert not mark.exists()


def test_a_base_file_names_no_program_outside(mark: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    placed(outside, KINDS["control"], mark)
    path = placed(tmp_path / "place", KINDS["control"], mark)
    path.write_text(TCP.replace("{name}", "cubic").replace("rfc", "mine.toml"), "utf-8")
    text = path.read_text("utf-8").replace('congestion_control = "cubic"\n', "")
    path.write_text(text, "utf-8")
    base = path.parent / "mine.toml"
    base.write_text('base = "rfc"\ncongestion_control = "../outside/mine.py"\n', "utf-8")
    with pytest.raises(ScenarioError, match="lies outside of the folder"):
        uplane.load(path)


def test_program_on_the_command_line_may_be_anywhere(
    command: Command, mark: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside/mine.py"
    placed(outside.parent, KINDS["control"], mark)
    path = placed(tmp_path / "place", KINDS["control"], mark, "new_reno")
    named = ("--set", f"tcp.default.congestion_control={outside}")
    assert command("run", path, *named).returncode == 2
    assert not mark.exists()
    assert command("run", path, *named, "--trust").returncode == 0
    assert mark.exists()


# What runs elsewhere.


def test_a_sweep_trusts_each_program_that_is_varied(
    command: Command, mark: Path, tmp_path: Path
) -> None:
    path = placed(tmp_path / "place", KINDS["control"], mark, "new_reno")
    words = ("sweep", path, "--vary", "tcp.default.congestion_control=new_reno,mine.py")
    done = command(*words, "--jobs", "1", "--out", tmp_path / "out")
    assert done.returncode == 2
    # Nothing has run, of the built-in control neither.
    assert not list((tmp_path / "out").glob("runs/*"))
    assert not mark.exists()
    assert command(*words, "--out", tmp_path / "out", "--trust").returncode == 0


def test_stored_results_run_no_program(command: Command, scenario: Path, mark: Path) -> None:
    out = scenario.parent / "out"
    assert command("run", scenario, "--out", out, "--runs", "2", "--trust").returncode == 0
    mark.unlink()
    report = scenario.parent / "report.html"
    for words in (
        ("report", out, "--report", report),
        ("table", out, "transfers"),
        ("doctor", out),
    ):
        command(*words)
        assert not mark.exists()


def test_worker_runs_only_programs_its_client_trusts(scenario: Path, mark: Path) -> None:
    one = uplane.load(scenario)
    task = Task(settings={}, scenario=one, seed=1)
    with pytest.raises(UntrustedError):
        cluster._request(task)
    trusted = cluster._request(Task(settings={}, scenario=one.trusting(trust=True), seed=1))
    assert trusted.trusted == {digest_of(text) for _, text in one.core.programs}
    (scenario.parent / "mine.py").unlink()
    assert "manifest.json" in cluster.run_there(trusted)
    mark.unlink()
    changed = {name: f"{text}# changed\n" for name, text in trusted.bases.items()}
    forged = cluster.Request(**{**vars(trusted), "bases": changed})
    with pytest.raises(UntrustedError):
        cluster.run_there(forged)
    assert not mark.exists()


def test_worker_reads_no_local_file(scenario: Path) -> None:
    one = uplane.load(scenario, trust=True)
    request = cluster._request(Task(settings={}, scenario=one, seed=1))
    with pytest.raises(ScenarioError, match="did not name before"):
        cluster.run_there(cluster.Request(**{**vars(request), "bases": {}}))


def test_exact_trust_is_in_no_other_program(scenario: Path) -> None:
    one = uplane.load(scenario)
    with pytest.raises(UntrustedError):
        trust.require(one.core.programs, Exactly(frozenset()))
    trust.require(one.core.programs, Exactly(frozenset({digest_of(one.core.programs[0][1])})))


def test_contestants_name_programs_beside_their_file(tmp_path: Path, mark: Path) -> None:
    placed(tmp_path / "place", KINDS["control"], mark)
    sets = tmp_path / "place/sets.toml"
    sets.write_text('[tcp.own]\ncongestion_control = "mine.py"\n', "utf-8")
    asked = cases(["alone"])
    with pytest.raises(UntrustedError):
        compete(read_contestants(sets), asked, runs=1)
    assert not mark.exists()
    assert compete(read_contestants(sets, trust=True), asked, runs=1)
    assert mark.exists()
    sets.write_text('[tcp.own]\ncongestion_control = "../mine.py"\n', "utf-8")
    with pytest.raises(InputError, match="lies outside of the folder"):
        compete(read_contestants(sets, trust=True), asked, runs=1)


# What is wrong with a program.


ODD = {
    "raise SystemExit(0)": "line 1: SystemExit: 0",
    "raise KeyboardInterrupt": "line 1: KeyboardInterrupt",
    "raise GeneratorExit": "line 1: GeneratorExit",
    "import sys\nsys.exit('bye')": "line 2: SystemExit: bye",
    "class E(Exception):\n    def __str__(self): raise OSError\nraise E": (
        "line 3: E: without words, since its __str__ raises OSError"
    ),
    "class E(BaseException): ...\nraise E(1)": "line 2: E: 1",
    "class O:\n    @property\n    def __class__(self): raise OSError('no')\no = O()": "OSError: no",
    "def f(): f()\nf()": "RecursionError",
}


@pytest.mark.parametrize("text", ODD)
def test_every_exception_of_a_program_names_its_file(
    text: str, kind: tuple[str, str], mark: Path, tmp_path: Path
) -> None:
    path = placed(tmp_path / "place", kind, mark)
    (path.parent / "mine.py").write_text(text, "utf-8")
    with pytest.raises(ScenarioError) as refused:
        uplane.run(path, trust=True)
    assert refused.value.found.startswith('"mine.py", ')
    assert ODD[text] in refused.value.found
    assert refused.value.line is not None


@pytest.mark.parametrize("text", ["def on_ack(:", "return", "x = (" * 10_000, "\0", "é = 1 +"])
def test_invalid_python_is_an_error_at_loading(
    text: str, kind: tuple[str, str], mark: Path, tmp_path: Path
) -> None:
    path = placed(tmp_path / "place", kind, mark)
    (path.parent / "mine.py").write_text(text, "utf-8")
    with pytest.raises(ScenarioError) as refused:
        uplane.load(path)
    assert refused.value.found.startswith('"mine.py"')


def test_a_sealed_scenario_reads_no_other_file(scenario: Path, tmp_path: Path) -> None:
    sealed = uplane.load(scenario).sealed()
    (scenario.parent / "other.py").write_text("x = 1", "utf-8")
    (tmp_path / "place/base.toml").write_text('base = "linux"', "utf-8")
    settings: list[dict[str, object]] = [
        {"tcp.default.congestion_control": "other.py"},
        {"tcp.default.base": "base.toml"},
        {"link.way.trace": "other.py"},
        {"link": [{"name": "way", "trace": "other.py"}]},
        {"replay": [{"name": "it", "file": "other.py"}]},
        {"program": [{"name": "it", "file": "other.py"}]},
    ]
    for one in settings:
        with pytest.raises(ScenarioError, match="did not name before"):
            sealed.with_settings(one)
    assert isinstance(sealed.with_settings({"duration": "1 s"}), Scenario)
