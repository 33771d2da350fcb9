"""Commands and scenarios that the pages show without an output: they are obeyed.

A line of a block ```` ```sh ```` is played, with few seeds; what takes minutes, needs a cluster or
serves until Ctrl-C is read by the command line and no more. What has an output is in `test_pages`.
"""

import os
import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import click
import pytest

import uplane
from conftest import COMMAND
from drawing.schema import places
from test_pages import BLOCK, EVERY_PAGE, ROOT
from uplane import study
from uplane.cli import app, call

READ_ONLY: dict[str, str] = {
    r"uplane cc( |$)": "its 21 cases take minutes; `test_cc` plays them",
    r"uplane reproduce( |$)": "`test_studies` runs all studies",
    r"uplane explore ": "serves until Ctrl-C; `test_explore`",
}
"""Commands that are not executed, with the reason."""

NOT_OURS: dict[str, str] = {
    r"make ": "targets of the Makefile, looked up there",
    r"pip install ": "fetches packages; `make wheels`",
    r"dask (scheduler|worker) ": "runs until it is stopped; `test_cluster`",
    r"srun ": "needs Slurm",
    r"tshark ": "not installed everywhere; `test_pcap`",
    r"awk ": "makes a file of a reader's log; `test_measurements`",
    r"echo time,direction,bytes > ": "begins a file, to which a command of tshark adds",
    r"WIRESHARK_CONFIG_DIR=\S+ (tshark|wireshark) ": "the same; `test_radio_pcap`",
}
"""Commands of others, and why they are not played."""

UPLOAD = """
radio.lte.profile = "system_level"
[[upload]]
name = "photo"
file = "100 kB"
"""

RUNS = re.compile(r"--runs \d+")
CLUSTER = re.compile(r" --dask \S+")
"""The option of clusters, which `test_cluster` covers; here commands run without it."""


def lines_of(page: Path) -> Iterator[str]:
    """The command lines of a page, without prompts, comments and breaks."""
    for kind, content in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "console":
            yield from re.findall(r"^\$ (uplane new .*)$", content, re.MULTILINE)
        if kind == "sh":
            whole = re.sub(r"\\\n\s*", "", content)
            lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in whole.splitlines())
            yield from (line.removeprefix(".venv/bin/") for line in lines if line)


COMMANDS = {page: list(lines_of(page)) for page in EVERY_PAGE}
PAGES = [page for page, lines in COMMANDS.items() if lines]


def why(line: str, reasons: Mapping[str, str]) -> str | None:
    return next((reason for form, reason in reasons.items() if re.match(form, line)), None)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as the root of the project is, with the files that pages take for a reader's own."""
    (tmp_path / "python").symlink_to(ROOT / "python")
    (tmp_path / "upload.toml").write_text(UPLOAD, encoding="utf-8")
    (tmp_path / "lte.toml").symlink_to(ROOT / "examples/lte-download.toml")
    (tmp_path / "cell.toml").symlink_to(study.find("003") / "cell.toml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


OF_A_SHELL = re.compile(r" [|<>]")
"""A line of which the shell does more than to make words."""


def play(line: str) -> None:
    """A line, with few seeds: its words are those that a shell makes."""
    line = CLUSTER.sub("", RUNS.sub("--runs 2", line))
    if OF_A_SHELL.search(line):
        done = in_a_shell(line)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        return
    words = in_a_shell(f'uplane() {{ printf "%s\\0" "$@"; }}; {line}').stdout.split("\0")[:-1]
    stdout, stderr = StringIO(), StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = call(words)
    assert code == 0, f"{line}\n{stderr.getvalue()}"


def in_a_shell(line: str) -> subprocess.CompletedProcess[str]:
    path = f"{COMMAND.parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "SLURM_ARRAY_TASK_ID": "1"}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", line],  # noqa: S607 - the shell of this machine
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def read(line: str) -> None:
    """Takes a line as the command line does: command, options and their kinds."""
    words = [word.strip("'\"") for word in line.removesuffix("&").split()][1:]
    command = app.commands[words[0]]
    try:
        command.make_context(words[0], words[1:])
    except click.ClickException as error:
        pytest.fail(f"{line}\n{error.format_message()}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_command_of_a_page_is_obeyed(page: Path, place: Path) -> None:
    assert place.is_dir()
    for line in COMMANDS[page]:
        if line.startswith("uplane ") and not why(line, READ_ONLY):
            play(line)
        elif line.startswith("uplane "):
            read(line)
        else:
            assert why(line, NOT_OURS), line


def test_each_reason_not_to_play_a_command_has_one() -> None:
    every = [line for lines in COMMANDS.values() for line in lines]
    for form in (*READ_ONLY, *NOT_OURS):
        assert any(re.match(form, line) for line in every), form
    assert sum(line.startswith("uplane ") and not why(line, READ_ONLY) for line in every) > 15


def test_targets_of_make_on_the_pages_exist() -> None:
    targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    shown = [line.split()[1] for lines in COMMANDS.values() for line in lines if "make " in line]
    assert shown
    assert set(shown) <= set(targets)


def unknown(span: str) -> list[str]:
    """Words of a command in running text that the command line does not know."""
    _, name, *words = span.split()
    if name not in app.commands:
        return [] if name.startswith("-") or not name.islower() else [name]
    known = {option for it in app.commands[name].params for option in it.opts} | {"--help"}
    return [word for word in words if word.startswith("--") and word.partition("=")[0] not in known]


def test_commands_in_running_text_exist() -> None:
    spans = [
        (page.name, span)
        for page in [*EVERY_PAGE, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]
        for span in re.findall(r"`(uplane [^`]+)`", page.read_text(encoding="utf-8"))
    ]
    assert len(spans) > 30
    assert [(*each, unknown(each[1])) for each in spans if unknown(each[1])] == []
    assert unknown("uplane sweeep FILE") == ["sweeep"]
    assert unknown("uplane run FILE --sed 3") == ["--sed"]


def test_a_wrong_option_on_a_page_is_found(place: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="No such option"):
        read("uplane reproduce --fulll")
    with pytest.raises(AssertionError, match="radio"):
        play(f"uplane run {place}/lte.toml --set radio.lte.sr_perod=5")


# Pieces of scenarios

BEFORE = {
    "[[radio.lte.bearer.filter]]": """
[[radio.lte.bearer]]
name = "default"
[[radio.lte.bearer]]
name = "own"
""",
    "[[program]]": """
[radio.fixed]
rtt = "10 ms"
""",
    "downlink_sinrs": """
[radio.lte]
profile = "system_level"
""",
}
"""Lines that precede a fragment of a page, by a word in the fragment."""
APPLICATIONS = {path[0] for path in places() if path[-1] == "server_link"}
OF_STUDIES = {"add-a-study", "write-your-own"}


def pieces() -> Iterator[tuple[Path, str]]:
    for page in EVERY_PAGE:
        if page.stem not in OF_STUDIES:
            for kind, content in BLOCK.findall(page.read_text(encoding="utf-8")):
                if kind == "toml":
                    yield page, content


PIECES = list(pieces())


@pytest.mark.parametrize(("page", "piece"), PIECES, ids=[page.stem for page, _ in PIECES])
def test_a_piece_of_a_scenario_is_accepted(page: Path, piece: str, tmp_path: Path) -> None:
    """With a radio and an application where it has none."""
    piece = next((text for sign, text in BEFORE.items() if sign in piece), "") + piece
    said = tomllib.loads(piece)
    if "radio" not in said:
        piece = f"[radio.fixed]\n{piece}"
    if not any(application in said for application in APPLICATIONS):
        ues = [ue["name"] for ue in said.get("ue", [])]
        on = f'ue = "{ues[0]}"\n' if ues else ""
        piece += f'\n[[ping]]\nname = "own"\ncount = 1\n{on}'
    programs = [text for kind, text in BLOCK.findall(page.read_text("utf-8")) if kind == "python"]
    (tmp_path / "mine.py").write_text("".join(programs[:1]), encoding="utf-8")
    written = [text for kind, text in BLOCK.findall(page.read_text("utf-8")) if kind == "csv"]
    (tmp_path / "mine.csv").write_text("".join(written[:1]), encoding="utf-8")
    (tmp_path / "sinr.csv").write_text("".join(written[1:2]), encoding="utf-8")
    path = tmp_path / "piece.toml"
    path.write_text(piece, encoding="utf-8")
    assert uplane.load(path).effective


def test_both_pages_about_a_study_show_the_same_one() -> None:
    """Its file and its published values; the comments are those of each page."""
    found = []
    for page in (ROOT / "docs/how-to/add-a-study.md", ROOT / "docs/studies/write-your-own.md"):
        blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
        (own,) = (text for kind, text in blocks if kind == "toml" and "[study]" in text)
        (published,) = (text for kind, text in blocks if kind == "csv")
        found.append((tomllib.loads(own), published))
    assert found[0] == found[1]
