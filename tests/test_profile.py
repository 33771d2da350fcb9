"""`uplane profile` prints a base file that gives the results of the built-in profile."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import uplane
from uplane import _core
from uplane.cli import app

TCP = """
[radio.fixed]
rtt = "40 ms"

[tcp.default]
base = "{}"

[[download]]
name = "file"
file = "200 kB"
"""


def _said(*words: str) -> str:
    return CliRunner().invoke(app, ["profile", *words]).stdout


def test_each_profile_is_listed_with_its_meaning() -> None:
    """One line each: section, name, and the first sentence of the file."""
    lines = _said().splitlines()
    assert [line.split()[:2] for line in lines] == [[s, n] for s, n, _ in _core.profiles()]
    assert all(len(line.split()) > 4 for line in lines)


@pytest.mark.parametrize("name", _core.tcp_profiles())
def test_a_printed_profile_is_the_built_in_one(name: str, tmp_path: Path) -> None:
    """Printed into a file beside the scenario and named as base, it gives the same bytes."""
    (tmp_path / "mine.toml").write_text(_said(name), encoding="utf-8")
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(TCP.format("mine.toml"), encoding="utf-8")
    own = uplane.run(uplane.load(scenario))
    scenario.write_text(TCP.format(name), encoding="utf-8")
    built_in = uplane.run(uplane.load(scenario))
    for table in ("connections", "transfers", "anatomy"):
        assert own[table].to_polars().equals(built_in[table].to_polars())
