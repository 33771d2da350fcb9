"""`--json`: each command prints one object of the documented form, errors included."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from conftest import PINGS, Command, started
from test_studies import PUBLISHED, STUDY
from uplane.cli import app
from uplane.cli.answers import RESULTS, Answer, output_schema


def answer_of(text: str) -> dict[str, Any]:
    """The answer, after its form has been compared with the documented one."""
    answer: dict[str, Any] = json.loads(text)
    output_schema()  # sets the strict form of the types
    TypeAdapter(Answer).validate_json(text, strict=True)
    if answer["result"] is not None:
        TypeAdapter(RESULTS[answer["command"]]).validate_json(
            json.dumps(answer["result"]), strict=True
        )
    return answer


CALLS: Sequence[tuple[str, ...]] = (
    ("advise", "small.toml", "--runs", "2", "--set", "duration=5 min"),
    ("cc", "cubic", "--case", "short-file", "--runs", "2", "--report", "cc.html"),
    ("compare", "small.toml", "--vary", "radio.geran.bler=0,0.2", "--runs", "2"),
    ("doctor",),
    ("doctor", "two"),
    ("follow", "small.toml"),
    ("list",),
    ("list", "values"),
    ("merge", "two", "--out", "three"),
    ("new",),
    ("new", "own-control"),
    ("profile",),
    ("profile", "system_level"),
    ("report", "two"),
    ("report", "two", "--variants"),
    ("run", "small.toml", "--runs", "2"),
    ("run", "small.toml", "--qlog", "logs", "--out", "four"),
    ("schema",),
    ("schema", "--output"),
    ("sweep", "small.toml", "--vary", "radio.geran.bler=0,0.2"),
    ("table", "one"),
    ("table", "one", "transfers"),
    ("table", "two", "summary", "--out", "summary.csv"),
)


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_a_result_has_the_documented_form(
    words: tuple[str, ...], file: Path, command: Command
) -> None:
    for runs, folder in ((1, "one"), (2, "two")):
        if folder in words:
            command("run", file, "--runs", runs, "--out", folder)
    done = command(*words, "--json")
    answer = answer_of(done.stdout)
    assert done.returncode == answer["exit_code"] == 0, done.stderr
    assert answer["command"] == words[0]
    assert answer["result"]
    assert answer["error"] is None


def test_the_calls_are_those_of_all_commands() -> None:
    """`explore` and `reproduce` have tests of their own."""
    assert {words[0] for words in CALLS} | {"explore", "reproduce"} == set(app.commands)
    assert set(RESULTS) == set(app.commands)


@pytest.fixture
def pings(tmp_path: Path) -> Path:
    """A folder with a study of pings."""
    folder = tmp_path / "pings"
    folder.mkdir()
    texts = {"study.toml": STUDY, "scenario.toml": PINGS, "published.csv": PUBLISHED}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_reproduce_gives_the_rows_and_the_totals(
    pings: Path, tmp_path: Path, command: Command
) -> None:
    done = command("reproduce", pings, "--json", "--verdicts", "rows.json")
    answer = answer_of(done.stdout)
    rows = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert answer["result"]["rows"] == rows
    assert answer["result"]["verdicts"] == {"predicted": 1, "by construction": 1}
    assert answer["result"]["files"] == {"verdicts": "rows.json"}


def test_reproduce_ends_with_one_line_of_totals(
    pings: Path, tmp_path: Path, command: Command
) -> None:
    done = command("reproduce", pings, "--out", "pages")
    last = done.stdout.splitlines()[-1]
    assert last.startswith("1 study, 2 published values: 1 predicted, 1 by construction; 4 runs in")
    assert last.endswith("; report in pages/report.html")
    assert (tmp_path / "pages/report.html").is_file()


@pytest.mark.parametrize(
    ("words", "code", "facts"),
    [
        (
            ("run", "small.toml", "--set", "radio.geran.blr=1"),
            2,
            {"kind": "scenario", "file": "--set", "key": "radio.geran.blr", "nearest": "bler"},
        ),
        (("run", "absent.toml"), 2, {"kind": "scenario", "file": "absent.toml"}),
        (("run", "small.toml", "--sed", "1"), 2, {"kind": "usage", "remedy": "uplane run --help"}),
        (("table", "absent"), 2, {"kind": "input", "file": "absent"}),
        (
            ("profile", "system_leve"),
            2,
            {"kind": "input", "found": "system_leve", "nearest": "system_level"},
        ),
    ],
    ids=["key", "file", "option", "folder", "name"],
)
def test_an_error_has_its_facts_and_its_exit_code(
    words: tuple[str, ...], code: int, facts: dict[str, str], file: Path, command: Command
) -> None:
    assert file.is_file()
    done = command(*words, "--json")
    answer = answer_of(done.stdout)
    assert done.returncode == answer["exit_code"] == code
    assert answer["result"] is None
    assert facts.items() <= answer["error"].items()
    assert done.stderr == f"error: {answer['error']['message']}\n"
    assert done.stderr == command(*words).stderr


def test_an_untrusted_program_has_the_command_that_trusts_it(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    command("new", "own-application")
    answer = answer_of(command("run", "own-application.toml", "--json").stdout)
    assert answer["error"]["kind"] == "untrusted"
    assert answer["error"]["remedy"] == "uplane run own-application.toml --json --trust"


def test_help_stays_text(command: Command) -> None:
    assert command("run", "--json", "--help").stdout.startswith("Usage: uplane run")


def test_the_schema_names_each_command(command: Command) -> None:
    schema = json.loads(command("schema", "--output").stdout)
    told = [each["if"]["properties"]["command"]["const"] for each in schema["allOf"]]
    assert told == sorted(app.commands)


def test_explore_prints_its_address_before_it_serves(file: Path) -> None:
    with started("explore", file, "--port", "0", "--json") as process:
        assert process.stdout
        answer = answer_of(process.stdout.readline())
    assert answer["result"]["address"].startswith("http://127.0.0.1:")
    assert answer["result"]["source"] == str(file)
