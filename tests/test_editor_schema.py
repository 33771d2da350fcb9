"""The schema for editors: it accepts what the simulator accepts, and names the wrong key."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, exceptions  # type: ignore[import-untyped]

import uplane
from uplane.editor_schema import for_editors

ROOT = Path(__file__).parents[1]
SCHEMA = for_editors(uplane.schema())
EDITOR = Draft202012Validator(SCHEMA)
FILES = sorted(ROOT.glob("examples/*.toml")) + sorted(ROOT.glob("python/uplane/cc/cases/*.toml"))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_it_accepts_scenarios_that_run() -> None:
    assert FILES
    for file in FILES:
        assert EDITOR.is_valid(tomllib.loads(file.read_text("utf-8"))), file


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("radio.lte.sr_perod = 5", "$.radio.lte", "'sr_perod' was unexpected"),
        ('radio.lte.drx.cyle = "1 ms"', "$.radio.lte.drx", "'cyle' was unexpected"),
        ("radio.lta = {}", "$.radio", "'lta' was unexpected"),
        ('radio.nr.bandwidth_mhz = "x"', "$.radio.nr.bandwidth_mhz", "not of type 'integer'"),
        ("radio.lte.sr_period = true", "$.radio.lte.sr_period", "True is not valid"),
        (
            'radio.lte = {}\n[[link]]\nname = "l"\naqm.codel.targt = "5 ms"',
            "$.link[0].aqm.codel",
            "'targt' was unexpected",
        ),
    ],
)
def test_a_mistake_is_reported_at_its_place(text: str, place: str, said: str) -> None:
    error = exceptions.best_match(EDITOR.iter_errors(tomllib.loads(text)))
    assert error is not None
    assert (error.json_path, said in error.message) == (place, True), error.message


@pytest.mark.parametrize("sections", ["lte nr", "lte nr en_dc", "en_dc", "lte", "fixed lte", ""])
def test_it_accepts_the_same_sets_of_radio_sections(sections: str) -> None:
    radio: dict[str, Any] = {name: {} for name in sections.split()}
    whole = Draft202012Validator(uplane.schema())
    assert EDITOR.is_valid({"radio": radio}) == whole.is_valid({"radio": radio})


def test_toml_has_no_null() -> None:
    def kinds(node: object) -> list[object]:
        if isinstance(node, dict):
            own = node["type"] if isinstance(node.get("type"), list) else [node.get("type")]
            return [*own, *(kind for inner in node.values() for kind in kinds(inner))]
        return [kind for inner in node for kind in kinds(inner)] if isinstance(node, list) else []

    assert "null" not in kinds(SCHEMA)
