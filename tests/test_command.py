"""The command: what it prints, and its exit codes."""

import json
import os
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

import polars
import pytest

import uplane
from conftest import COMMAND, Command, started
from uplane.cli.runs import parse_value, split_values, spread
from uplane.digits import number
from uplane.editor_schema import for_editors


def test_run_prints_results_and_causes(process: Command, file: Path) -> None:
    done = process("run", file)
    assert done.returncode == 0, done.stderr
    for words in ("Transfers", "Pings", "Why the senders were not sending", "Where the time"):
        assert words in done.stdout
    assert "±" not in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_several_runs_have_intervals(command: Command, file: Path) -> None:
    assert "±" in command("run", file, "--runs", 3).stdout


def test_options_reach_the_run(command: Command, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = command("run", file, "--set", "ping.echo.count=4", "--seed", 7, "--out", out)
    assert done.returncode == 0, done.stderr
    results = uplane.Results.load(out)
    assert results.seed == 7
    assert len(results.pings) == 4


def test_a_setting_is_varied_once(command: Command, file: Path) -> None:
    vary = ("--vary", "radio.geran.bler=0.1", "--vary", "radio.geran.bler=0.2")
    done = command("sweep", file, *vary)
    assert done.returncode == 2
    assert done.stderr.startswith("error: found --vary radio.geran.bler twice")


def test_a_seed_beyond_64_bits_is_refused(command: Command, file: Path) -> None:
    done = command("run", file, "--seed", 2**64)
    assert done.returncode == 2
    assert done.stderr.startswith("error: found the seed 18446744073709551616")


def test_an_end_that_sent_nothing_waits_for_nothing(command: Command, file: Path) -> None:
    """The UE of a download sends one request, and had no reason to wait."""
    done = command("run", file)
    connections, _, rest = done.stdout.partition("Why the senders were not sending")
    assert "file ue" in connections.partition("Connections")[2]
    assert "file ue" not in rest


def test_a_sweep_has_a_row_a_variant(command: Command, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    vary = "radio.geran.rlc_rtt=50 ms,80 ms"
    done = command("sweep", file, "--vary", vary, "--runs", 2, "--out", out, "--jobs", 2)
    assert done.returncode == 0, done.stderr
    assert "80 ms" in done.stdout
    summary = polars.read_parquet(out / "summary.parquet")
    assert set(summary["radio.geran.rlc_rtt"]) == {"50 ms", "80 ms"}


def test_stored_sweep_is_not_repeated(command: Command, file: Path, tmp_path: Path) -> None:
    words = ("sweep", file, "--vary", "radio.geran.bler=0.1,0.2", "--out", tmp_path / "out")
    first = command(*words)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.glob("out/runs/*/*.parquet")}
    assert command(*words).stdout == first.stdout
    assert times == {path: path.stat().st_mtime_ns for path in times}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run",), "FILE"),
        (("run", "absent.toml"), "absent.toml: found no such file"),
        (("run", "."), "found a folder"),
        (("run", "small.toml", "--runs", "0"), "--runs"),
        (("run", "small.toml", "--runs", "many"), "expected a whole number from 1"),
        (("run", "small.toml", "--seed", "-1"), "--seed"),
        (("run", "small.toml", "--set", "bler"), "expected KEY=VALUE"),
        (("run", "small.toml", "--set", "=1"), "expected KEY=VALUE"),
        (("run", "small.toml", "--set", "radio.geran.blr=1"), "did you mean `bler`?"),
        (("run", "small.toml", "--bogus"), "--bogus"),
        (("sweep", "small.toml"), "--vary"),
        (("sweep", "small.toml", "--vary", "radio.geran.bler"), "expected KEY=A,B,C"),
        (("sweep", "small.toml", "--vary", "radio.geran.bler=0.1,,0.2"), "an empty value"),
        (("sweep", "small.toml", "--vary", "radio.geran.bler=0.1,2"), "radio.geran.bler"),
        (("sweep", "small.toml", "--vary", "seed=1,2"), "choose them with --seed and --runs"),
        (("fly",), "fly"),
    ],
)
def test_bad_options_end_with_2(
    command: Command, file: Path, words: tuple[str, ...], message: str
) -> None:
    assert file.name == "small.toml"
    done = command(*words)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_place_that_cannot_be_written_ends_with_1(command: Command, file: Path) -> None:
    for place in (file / "out", "/proc/uplane-out", "/dev/full"):
        done = command("run", file, "--out", place)
        assert done.returncode == 1
        assert done.stderr.startswith(f"error: cannot write results to {place}: ")
        # It is found before the run, not after it.
        assert done.stdout == ""


def test_a_place_for_verdicts_is_tried_before_the_runs(command: Command, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    for words, code, message in (
        (("--verdicts", tmp_path), 1, "cannot write "),
        (("--verdicts", "taken/a.json"), 1, "cannot write "),
        (("--out", "taken"), 2, "found taken, expected an HTML file"),
    ):
        done = command("reproduce", "004", *words)
        assert done.returncode == code
        assert done.stderr.startswith(f"error: {message}")
        assert done.stdout == ""
        assert "runs:" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_campaign_does_not_give_way_to_a_run(command: Command, file: Path) -> None:
    assert command("run", file, "--runs", 2, "--out", "many").returncode == 0
    done = command("run", file, "--out", "many")
    assert done.returncode == 2
    assert "it holds a campaign, and one run would take its place" in done.stderr
    assert command("run", file, "--out", "one").returncode == 0
    done = command("run", file, "--runs", 2, "--out", "one")
    assert done.returncode == 2
    assert "it holds a single run" in done.stderr


def test_a_folder_of_something_else_is_left_alone(
    command: Command, file: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("important", encoding="utf-8")
    for words in (("run", file), ("run", file, "--runs", 2)):
        done = command(*words, "--out", other)
        assert done.returncode == 2
        assert "it holds files of something else" in done.stderr
    assert [path.name for path in other.iterdir()] == ["thesis.tex"]


def test_a_run_replaces_a_run_but_not_a_campaign(
    command: Command, file: Path, tmp_path: Path
) -> None:
    out, store = tmp_path / "out", tmp_path / "store"
    for seed in (1, 2):
        assert command("run", file, "--seed", seed, "--out", out).returncode == 0
    assert uplane.Results.load(out).seed == 2
    assert command("run", file, "--runs", 2, "--out", store).returncode == 0
    assert command("run", file, "--out", store).returncode == 2
    assert (store / "campaign.json").is_file()


@pytest.mark.parametrize("runs", [1, 2])
def test_a_full_disk_leaves_nothing_that_looks_whole(file: Path, tmp_path: Path, runs: int) -> None:
    """A limit on the size of files stands for the disk: writing stops in mid file."""
    out = tmp_path / "out"
    done = subprocess.run(
        [COMMAND, "run", file, "--runs", str(runs), "--out", out],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: cannot write")
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.rglob("manifest.json"))
    assert not [path for path in tmp_path.rglob(".*") if path.name.startswith(".out")]


def test_output_that_cannot_be_written_ends_with_1(file: Path) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [COMMAND, "run", file], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_leaves_early_is_no_error() -> None:
    done = subprocess.run(  # noqa: S602 - the pipe is the point
        f"{COMMAND} schema | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "{\n"
    assert done.stderr == ""


def _wait_for(count: int, folder: Path, pattern: str) -> None:
    deadline = time.monotonic() + 60
    while len(list(folder.glob(pattern))) < count:
        assert time.monotonic() < deadline, f"no {pattern} in {folder}"
        time.sleep(0.01)


def test_ctrl_c_keeps_finished_runs_of_a_campaign(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with started("run", file, "--runs", 5000, "--out", out) as child:
        _wait_for(3, out, "runs/*/manifest.json")
        child.send_signal(signal.SIGINT)
        shown, said = child.communicate(timeout=20)
    assert child.returncode == 130
    assert "of 5000 runs are finished; they are kept in" in said
    assert "Pings" in shown


def test_list_names_parts_of_scenarios(process: Command) -> None:
    done = process("list")
    named = done.stdout.replace(",", " ").split()
    assert done.returncode == 0
    for name in ("geran", "download", "cubic", "linux"):
        assert name in named, name


def test_the_schema_is_json(command: Command) -> None:
    assert json.loads(command("schema").stdout) == for_editors(uplane.schema())


def test_doctor_finds_a_healthy_installation(command: Command) -> None:
    done = command("doctor")
    # Each name stands apart from what was found.
    assert all(re.match(r"\S+ +\S+  +\S", line) for line in done.stdout.splitlines())
    assert done.returncode == 0
    assert "MISSING" not in done.stdout
    assert uplane.__version__ in done.stdout


def test_version_is_printed(process: Command) -> None:
    assert process("--version").stdout == f"uplane {uplane.__version__}\n"


def test_no_command_shows_the_commands(process: Command) -> None:
    done = process()
    assert "reproduce" in done.stdout + done.stderr


def test_an_unknown_study_is_bad_input(command: Command) -> None:
    done = command("reproduce", "no-such-study")
    assert done.returncode == 2
    assert "no study 'no-such-study'" in done.stderr


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("5", ["5"]),
        ("5:15:5", ["5", "10", "15"]),
        ("0.1:0.35:0.1", ["0.1", "0.2", "0.3"]),  # not 0.30000000000000004, nor more than asked
        ("10 ms:100ms:30 ms", ["10 ms", "40 ms", "70 ms", "100 ms"]),
        ("0:1000:1000", ["0", "1000"]),
        ("-2:2:2", ["-2", "0", "2"]),
        ("fd00::1", ["fd00::1"]),
        ("a:b:c", ["a:b:c"]),
    ],
)
def test_a_range_stands_for_its_values(text: str, values: list[str]) -> None:
    assert spread(text) == values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("0.5", 0.5),
        ("true", True),
        ("5 ms", "5 ms"),
        ('"5"', "5"),
        ("['100 kB', '1 MB']", ["100 kB", "1 MB"]),
        ("cubic", "cubic"),
        ("2026-01-01", "2026-01-01"),
    ],
)
def test_values_on_the_command_line_need_no_quotes(text: str, value: object) -> None:
    assert parse_value(text) == value


def test_commas_inside_brackets_and_quotes_do_not_split() -> None:
    assert split_values("1,2, 3") == ["1", "2", "3"]
    assert split_values("[1, 2],[3]") == ["[1, 2]", "[3]"]
    assert split_values("'a,b',c") == ["'a,b'", "c"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (3, "3"),
        (1234567, "1234567"),
        (123.4, "123"),
        (12.34, "12.3"),
        (0.01234, "0.0123"),
    ],
)
def test_numbers_are_shown_with_three_digits(value: float, text: str) -> None:
    assert number(value) == text


def test_every_environment_is_a_fine_one(process: Command) -> None:
    """No terminal, no home, an encoding that has no dash: still an answer."""
    bare = {"PATH": os.environ["PATH"], "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = subprocess.run([COMMAND, "list"], env=bare, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert process("list").returncode == 0
