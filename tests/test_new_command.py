"""`uplane new`: the examples by question, and their files."""

from pathlib import Path

import pytest

from conftest import Command
from uplane.example import RADIOS, examples


def test_new_lists_each_example_with_its_question(command: Command) -> None:
    done = command("new")
    assert done.returncode == 0
    for example in examples():
        assert example.name in done.stdout
        assert example.question.split(" ")[0] in done.stdout
        assert example.radio in RADIOS


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_a_question_is_one_sentence(example: object) -> None:
    question = getattr(example, "question", "")
    assert "?" in question
    assert len(question) <= 120


def test_new_writes_an_example_that_runs(command: Command, tmp_path: Path) -> None:
    done = command("new", "lte-download")
    assert done.returncode == 0
    assert done.stdout.endswith("  uplane run lte-download.toml\n")
    assert (tmp_path / "lte-download.toml").is_file()
    assert command("run", "lte-download.toml").returncode == 0


def test_new_writes_the_program_of_an_example_beside_it(command: Command, tmp_path: Path) -> None:
    done = command("new", "own-control", "--out", "mine/first.toml")
    assert done.returncode == 0
    assert {path.name for path in (tmp_path / "mine").iterdir()} == {"first.toml", "reno.py"}
    assert done.stdout.endswith("  uplane run mine/first.toml --trust\n")


def test_new_overwrites_no_file(command: Command, tmp_path: Path) -> None:
    (tmp_path / "reno.py").write_text("mine", encoding="utf-8")
    done = command("new", "own-control")
    assert done.returncode == 2
    assert done.stderr == "error: reno.py exists already: name another place with --out\n"
    assert [path.name for path in tmp_path.iterdir()] == ["reno.py"]
    assert (tmp_path / "reno.py").read_text(encoding="utf-8") == "mine"


def test_new_proposes_the_nearest_name(command: Command) -> None:
    done = command("new", "lte-dowload")
    assert done.returncode == 2
    assert done.stderr == "error: found no example `lte-dowload`; did you mean `lte-download`?\n"
