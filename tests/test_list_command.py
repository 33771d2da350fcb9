"""`uplane list`, completion by the shell, and the examples in the help of each command."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from conftest import COMMAND, Command
from uplane.cli import app
from uplane.cli.known import SECTIONS


def test_list_fits_a_screen(command: Command) -> None:
    done = command("list")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100
    assert all(f"{section}: " in done.stdout for section in SECTIONS)


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_has_a_meaning_for_each_name(section: str, command: Command) -> None:
    done = command("list", section)
    assert done.returncode == 0
    for name, meaning in SECTIONS[section][1]().items():
        assert meaning
        assert f"  {name} " in done.stdout


def test_radios_have_their_own_descriptions(command: Command) -> None:
    lines = command("list", "radios").stdout.splitlines()
    about = {line.split()[0]: line for line in lines if line.startswith("  ")}
    assert "Dual" not in about["lte"]
    assert "Dual" not in about["nr"]
    assert "Dual" in about["en_dc"]


def test_an_unknown_section_has_a_near_one(command: Command) -> None:
    done = command("list", "profile")
    assert done.returncode == 2
    assert "did you mean `profiles`?" in done.stderr


@pytest.mark.parametrize("name", app.commands)
def test_help_ends_with_an_example_that_is_accepted(name: str, command: Command) -> None:
    done = command(name, "--help")
    [line] = re.findall(r"^  Example:\n    uplane (.*)$", done.stdout, re.MULTILINE)
    called, *words = shlex.split(line.partition(" > ")[0])
    assert called == name
    app.commands[name].make_context(name, words)


def completed(place: Path, line: str) -> list[str]:
    """The values that bash offers at the end of a line."""
    words = line.split(" ")
    environment = {
        **os.environ,
        "_UPLANE_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    done = subprocess.run(
        [COMMAND], env=environment, cwd=place, capture_output=True, text=True, check=True
    )
    return [entry.partition(",")[2] for entry in done.stdout.splitlines()]


def test_the_shell_completes_values(tmp_path: Path, command: Command) -> None:
    command("new", "lte-download")
    assert completed(tmp_path, "uplane profile sys") == ["system_level"]
    assert completed(tmp_path, "uplane reproduce 004") == ["004-geran-latency"]
    assert completed(tmp_path, "uplane cc quic-b") == ["quic-bbr"]
    assert completed(tmp_path, "uplane cc --case against-cubic-du") == ["against-cubic-dualpi2"]
    assert completed(tmp_path, "uplane new lte-d") == ["lte-download"]
    assert completed(tmp_path, "uplane list prof") == ["profiles"]
    assert completed(tmp_path, "uplane run lte-download.toml --set radio.lte.sr_per") == [
        "radio.lte.sr_period="
    ]
    assert completed(tmp_path, "uplane sweep lte-download.toml --vary download.file.fi") == [
        "download.file.file="
    ]


def test_the_shell_completes_tables(tmp_path: Path, command: Command, file: Path) -> None:
    command("run", file, "--out", "results")
    assert completed(tmp_path, "uplane table results transf") == ["transfers"]
