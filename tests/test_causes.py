"""From a cause to the keys that change it: one table for output, reports and the how-to page."""

import html
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import uplane
from conftest import Command
from uplane.analysis.causes import REMEDIES
from uplane.analysis.changes import changes, in_words, names, of_campaign, of_comparison
from uplane.report import comparison_page, runs_page
from uplane.scenario import schema

ROOT = Path(__file__).parents[1]
LTE = ROOT / "examples/lte-download.toml"
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))


def below(node: Mapping[str, Any], part: str, known: Mapping[str, Any]) -> Iterator[Any]:
    """Yields what a part of a key is in a schema: a property, or `*`, any entry."""
    if "$ref" in node:
        yield from below(known[str(node["$ref"]).rsplit("/", 1)[-1]], part, known)
    for word in ("anyOf", "oneOf", "allOf"):
        for each in node.get(word, ()):
            yield from below(each, part, known)
    if part in node.get("properties", {}):
        yield node["properties"][part]
    if part == "*":
        entries = (node.get("additionalProperties"), node.get("items"))
        yield from (each for each in entries if isinstance(each, dict))


def is_known(key: str) -> bool:
    whole = schema()
    nodes = [whole]
    for part in key.split("."):
        nodes = [each for node in nodes for each in below(node, part, whole["$defs"])]
    return bool(nodes)


def test_each_cause_has_an_entry() -> None:
    column = uplane.run(LTE)["anatomy"].columns["cause"]
    assert set(REMEDIES) == {*re.findall(r"`([^`]+)`:", column), "send buffer"}
    assert all(remedy.advice and remedy.keys for remedy in REMEDIES.values())


@pytest.mark.parametrize("cause", REMEDIES)
def test_the_keys_of_a_cause_are_in_the_schema(cause: str) -> None:
    assert [key for key in REMEDIES[cause].keys if not is_known(key)] == []


def test_a_renamed_key_is_noticed() -> None:
    assert is_known("radio.lte.sr_period")
    assert is_known("link.*.rate")
    assert not is_known("radio.lte.sr_periods")
    assert not is_known("link.*.speed")
    assert not is_known("link.rate")


def test_the_page_has_the_same_table() -> None:
    page = (ROOT / "docs/how-to/read-the-anatomy.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if re.match(r"\| \*[a-z-]", line)]
    assert rows == [
        f"| *{cause}* | {remedy.advice} | {', '.join(f'`{key}`' for key in remedy.keys)} |"
        for cause, remedy in REMEDIES.items()
    ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_keys_of_a_scenario_are_its_own(path: Path) -> None:
    """Only keys of sections that the scenario has, each with the value in effect."""
    effective = uplane.load(path).effective
    for change in changes(REMEDIES, effective):
        for key, value in change.keys:
            if key.split(".")[0] == "radio":
                assert key.split(".")[1] in effective["radio"]
            if "*" not in key:
                assert value == _at(effective, key.split("."))


def _at(node: Any, path: list[str]) -> object:
    for part in path:
        if isinstance(node, list):
            node = next(each for each in node if each["name"] == part)
        else:
            node = node.get(part)
    return node


def test_sections_of_one_kind_are_named_or_counted_as_any() -> None:
    one = {"link": [{"name": "a", "rate": "1 Mbit/s"}, {"name": "b", "rate": None}]}
    (change,) = changes(["serialisation"], one)
    assert names(change) == "link.a.rate, link.b.rate"
    assert in_words(change) == ["link.a.rate = 1 Mbit/s", "link.b.rate"]
    many = {"link": [{"name": name, "rate": "1 Mbit/s"} for name in "abc"]}
    (change,) = changes(["serialisation"], many)
    assert in_words(change) == ["link.*.rate = 1 Mbit/s"]
    assert changes(["serialisation", "no cause"], {}) == []


def test_keys_are_of_parameter_sets_in_use() -> None:
    text = (
        'duration = "1 s"\n[radio.fixed]\n[tcp.mine]\nbase = "linux"\n[tcp.spare]\n[quic.q]\n'
        '[[download]]\nname = "f"\nfile = "1 kB"\n'
    )
    mine = 'tcp = "mine"\n'
    for app, expected in {"": "tcp.rfc", mine: "tcp.mine", 'quic = "q"\n': "quic.q"}.items():
        (change,) = changes(["congestion window"], uplane.loads(text + app).effective)
        assert {key.rpartition(".")[0] for key, _ in change.keys} == {expected}


def test_output_and_report_name_the_keys_of_the_largest_causes(command: Command) -> None:
    done = uplane.sweep(LTE, vary={"radio.lte.sr_period": [5, 80]}, runs=3)
    found = {change.cause: change for change in of_campaign(done)}
    assert "radio.lte.sr_period" in names(found["scheduling request wait"])
    printed = command("sweep", LTE, "--vary", "radio.lte.sr_period=5,80", "--runs", 3).stdout
    table = printed.partition("Keys that change the largest causes\n")[2].partition("limit:")[0]
    lines = table.splitlines()
    assert [line.split("  ")[0] for line in lines[1:]] == list(found)
    page = html.unescape(runs_page(done))
    assert 'href="#keys-scheduling-request-wait"' in page
    part = page.partition('<dt id="keys-scheduling-request-wait">')[2].partition("<dt ")[0]
    assert "<code>radio.lte.sr_period = 5, 80</code>" in part


def test_a_comparison_has_both_values_of_a_key_that_differs() -> None:
    found = uplane.compare(LTE, vary={"radio.lte.sr_period": [5, 80]}, runs=3)
    (change,) = (it for it in of_comparison(found) if it.cause == "scheduling request wait")
    assert "radio.lte.sr_period = 5 → 80" in in_words(change)
    page = html.unescape(comparison_page(found))
    assert "<code>radio.lte.sr_period = 5 → 80</code>" in page
    for anchor in re.findall(r'href="#(keys[^"]*)"', page):
        assert f'id="{anchor}"' in page
