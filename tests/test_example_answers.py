"""The answers and figures of the examples' page are those that the commands give."""

from pathlib import Path

import pytest

import example_answers
from conftest import WIDE
from uplane.example import Example, examples

PLAYED = examples() if WIDE else examples()[::10]


@pytest.mark.parametrize("example", PLAYED, ids=lambda example: example.name)
def test_an_example_has_the_answer_of_its_page(example: Example) -> None:
    answer, drawing = example_answers.answered(example)
    assert example_answers.read()[example.name] == answer
    path = example_answers.FIGURES / f"{example.name}.svg"
    assert path.read_text(encoding="utf-8") == drawing


def test_each_example_has_an_answer_and_a_figure() -> None:
    names = {example.name for example in examples()}
    assert set(example_answers.read()) == names
    assert {Path(path).stem for path in example_answers.FIGURES.iterdir()} == names
    assert all(answer["answer"] for answer in example_answers.read().values())
