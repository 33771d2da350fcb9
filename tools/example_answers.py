"""Answers the question of each example: a sentence and a figure for its page.

In: the examples, each with the command that answers it (the first `sweep` or `compare` in its head,
or a run). Out: `tools/example_answers.json` and `docs/images/examples/*.svg`, from real runs.
`--check` compares and writes nothing; names of examples restrict both.
"""

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import uplane
from uplane.campaign import COMPARED_RUNS
from uplane.cli.commands import app
from uplane.cli.runs import settings_of, vary_of
from uplane.example import Example, examples
from uplane.report import compare as comparison
from uplane.report import runs

ROOT = Path(__file__).parents[1]
ANSWERS = ROOT / "tools/example_answers.json"
FIGURES = ROOT / "docs/images/examples"


def main() -> None:
    """Writes the answers, or compares them."""
    is_check, *names = ["--check" in sys.argv, *(it for it in sys.argv[1:] if it != "--check")]
    known = read()
    wrong = []
    for example in examples():
        if names and example.name not in names:
            continue
        answer, drawing = answered(example)
        path = FIGURES / f"{example.name}.svg"
        if not is_check:
            known[example.name] = answer
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(drawing, encoding="utf-8")
        elif known.get(example.name) != answer or path.read_text(encoding="utf-8") != drawing:
            wrong.append(example.name)
    if wrong:
        sys.exit(f"out of date: {', '.join(wrong)}; run `tools/example_answers.py`")
    if not is_check:
        text = json.dumps(known, indent=1, ensure_ascii=False, sort_keys=True)
        ANSWERS.write_text(f"{text}\n", encoding="utf-8")


def read() -> dict[str, dict[str, str]]:
    """Returns the stored answers by name of the example."""
    if not ANSWERS.is_file():
        return {}
    found: dict[str, dict[str, str]] = json.loads(ANSWERS.read_text(encoding="utf-8"))
    return found


def command_of(example: Example) -> str:
    """Returns the command whose result answers the question."""
    compared = ("uplane sweep ", "uplane compare ")
    found = (line for line in example.commands if line.startswith(compared))
    return next(found, f"uplane run {example.name}.toml")


def answered(example: Example) -> tuple[dict[str, str], str]:
    """Returns the answer with its command, and the figure as SVG."""
    line = command_of(example)
    _, name, *words = shlex.split(line)
    given = app.commands[name].make_context(name, words).params
    options: dict[str, Any] = {"set": settings_of(given["set_"]), "trust": True}
    if name != "run":
        options["vary"] = vary_of(given["vary"])
    if name == "compare":
        options["runs"] = given["runs"] or COMPARED_RUNS
        facts = first_screen(comparison, uplane.compare(example.path, **options))
    else:
        facts = first_screen(runs, uplane.sweep(example.path, runs=given["runs"], **options))
    figure = next(found for found in figures(facts) if found is not None)
    return {"command": line, "answer": facts["answer"]}, figure.file


def first_screen(module: Any, found: Any) -> dict[str, Any]:  # noqa: ANN401 - any page
    """Returns the facts that the page of a result starts with."""
    kept: dict[str, Any] = {}

    def document(_: str, **facts: object) -> str:
        kept.update(facts)
        return ""

    page = module.runs_page if module is runs else module.comparison_page
    with mock.patch.object(module, "document", document):
        page(found)
    return kept


def figures(facts: dict[str, Any]) -> Iterator[Any]:
    """Returns the figures of a page in their order."""
    yield facts.get("hero")
    yield from facts.get("figures", ())
    for part in facts.get("parts", ()):
        yield from part.figures


if __name__ == "__main__":
    main()
