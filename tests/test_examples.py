"""Every example runs, from the command and from Python, and answers."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import uplane
from uplane.cli import app
from uplane.cli.runs import settings_of, vary_of

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_answers(path: Path) -> None:
    done = CliRunner().invoke(app, ["run", str(path), "--trust"])
    assert done.exit_code == 0, done.output
    assert "Where the time of a packet went" in done.output


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_first_line_of_an_example_is_its_question(path: Path) -> None:
    first, title = (
        path.read_text(encoding="utf-8").splitlines()[0],
        uplane.load(path).effective["title"],
    )
    assert first.startswith("# ")
    assert title


def tried() -> list[str]:
    """The commands in the heads of examples."""
    texts = [path.read_text(encoding="utf-8") for path in EXAMPLES]
    return [line for text in texts for line in re.findall(r"^# (?:Try|Run): (.*)", text, re.M)]


@pytest.mark.parametrize("line", tried())
def test_proposed_commands_of_examples_are_accepted(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each value that is set or varied, by itself beside those that are set."""
    monkeypatch.chdir(ROOT / "examples")
    called, name, *words = shlex.split(line)
    given = app.commands[name].make_context(name, [*words]).params
    scenario = uplane.load(words[0]).with_settings(settings_of(given["set_"]))
    for key, values in vary_of(given.get("vary", ())).items():
        for value in values:
            scenario.with_settings({key: value})
    assert called == "uplane"
