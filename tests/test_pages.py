"""Pages show the actual output of their commands and Python code.

A block ```` ```console ```` has a command after `$`, and its output. A block ```` ```text ````
after a block ```` ```python ```` is the output of the program. A block whose preceding words name a
file is written to that file, and `uplane new` in a block ```` ```sh ```` writes files too. A line
`…` stands for any lines, and a line that ends with `…` for any line with this beginning. CPU times
differ.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import COMMAND

ROOT = Path(__file__).parents[1]
# The pages of the reference are generated, and compared by `make docs`.
EVERY_PAGE = [
    ROOT / "README.md",
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if path.parent.name != "reference"),
    *sorted((ROOT / "python/uplane/studies").glob("*/README.md")),
]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CPU = re.compile(r"[\d.e-]+ s of CPU time")
NAMED = re.compile(r"[Ww]rite `([\w./-]+)`|^`([\w./-]+)`:$")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which a page starts."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(command: str) -> str:
    """Returns the output of a command, with its errors."""
    environment = {**os.environ, "PATH": f"{COMMAND.parent}:{os.environ['PATH']}", "NO_COLOR": "1"}
    done = subprocess.run(
        shlex.split(command),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        check=False,
    )
    return done.stdout


def differs(shown: str, found: str) -> str | None:
    """The first line that is shown and not found in its place."""
    rest = iter([*CPU.sub("CPU", found).split("\n"), None])
    skips = False
    for line in CPU.sub("CPU", shown).split("\n"):
        if line == "…":
            skips = True
            continue
        for other in rest:
            if other is not None and _is(line, other):
                break
            if not skips or other is None:
                return f"shown: {line}\nfound: {other}"
        skips = False
    return None


def _is(line: str, other: str) -> bool:
    return other.startswith(line[:-1].rstrip()) if line.endswith("…") else other == line


def outputs(text: str) -> Iterator[tuple[str, str, str]]:
    """Yields each command or program of a page, the output on the page, and the actual output."""
    names: dict[str, object] = {}
    printed: tuple[str, str] | None = None
    for block in BLOCK.finditer(text):
        kind, content = block.groups()
        before = text[: block.start()].rsplit("\n\n", 2)[-2:][0]
        if kind in ("toml", "csv") and (named := NAMED.findall(before)):
            path = Path("".join(named[-1]))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        elif kind == "sh":
            begin(content)
        elif kind == "console":
            for each in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                command, _, shown = each.partition("\n")
                yield command, shown.strip("\n"), said(command).strip("\n")
        elif kind == "python":
            with contextlib.redirect_stdout(io.StringIO()) as stream:
                exec(compile(content, "page", "exec"), names)  # noqa: S102 - the project's own page
            printed = content, stream.getvalue().strip("\n")
        elif kind == "text" and printed:
            yield printed[0], content.strip("\n"), printed[1]
            printed = None


def begin(commands: str) -> None:
    """Writes the examples that a block of commands starts from."""
    for command in re.findall(r"^(uplane new .*)$", commands, re.MULTILINE):
        said(command)


SHOWN = re.compile(r"^```(?:console|python)$", re.MULTILINE)
PAGES = [page for page in EVERY_PAGE if SHOWN.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_shows_printed_output(page: Path, place: Path) -> None:
    assert place.is_dir()
    for source, shown, found in outputs(page.read_text(encoding="utf-8")):
        wrong = differs(shown, found)
        assert wrong is None, f"{source}\n{wrong}\n\n{found}"


def test_a_wrong_line_is_found() -> None:
    found = "a: 1 s of CPU time\nb 2\nc 3\nd 4"
    assert differs("a: 9e-05 s of CPU time\n…\nd 4", found) is None
    assert differs("…\nb…\nc 3", found) is None
    assert differs("b 2", found) == "shown: b 2\nfound: a: CPU"
    assert differs("…\nc 4", found) == "shown: c 4\nfound: None"
    assert differs(found + "\ne", found) == "shown: e\nfound: None"
