"""Connections that failed are told: in the summary, on the console, in a warning."""

from pathlib import Path

from typer.testing import CliRunner

import uplane
from uplane.account import sections
from uplane.cli import app

HOPELESS = """
[radio.geran]
[tcp.default]
initial_rto = "{}"
[[upload]]
name = "photo"
file = "300 kB"
"""


def _columns(rto: str) -> list[str]:
    campaign = uplane.sweep(uplane.loads(HOPELESS.format(rto)), runs=3, seed=12)
    return next(part for part in sections(campaign) if part.name == "connections").metrics


def test_a_column_counts_the_connections_that_failed_where_one_did() -> None:
    assert "failed" in _columns("1 ms")
    assert "failed" not in _columns("1 s")


def test_the_console_names_connections_that_failed(tmp_path: Path) -> None:
    path = tmp_path / "hopeless.toml"
    path.write_text(HOPELESS.format("1 ms"))
    shown = CliRunner().invoke(app, ["run", str(path), "--seed", "12"])
    assert shown.exit_code == 0
    assert "1 of 1 connections never opened: the handshake timed out" in shown.output
    assert "failed" in shown.output
