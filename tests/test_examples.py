"""Every example runs, from the command and from Python, and answers."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import uplane
from uplane.cli import app

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.toml"))


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_answers(path: Path) -> None:
    done = CliRunner().invoke(app, ["run", str(path)])
    assert done.exit_code == 0, done.output
    assert "Where the time of a packet went" in done.output


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_says_in_its_first_line_what_it_asks(path: Path) -> None:
    first, title = (
        path.read_text(encoding="utf-8").splitlines()[0],
        uplane.load(path).effective["title"],
    )
    assert first.startswith("# ")
    assert title
