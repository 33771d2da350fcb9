"""Checks that relative links of Markdown files lead somewhere, and that the menu has every page.

Links to headings count. Left out: links to other sites. A check of those would fail for reasons
that are not ours.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#+\s+(.*?)\s*#*$", re.MULTILINE)


def main() -> None:
    """Prints one line a broken link and a page that the menu lacks; exits with 1 at any."""
    broken = [line for path in _markdown() for line in _broken(path)]
    broken += _not_in_menu()
    sys.stderr.writelines(f"{line}\n" for line in broken)
    sys.exit(1 if broken else 0)


def _markdown() -> Iterator[Path]:
    command = [
        "git",
        "-C",
        str(ROOT),
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
        "*.md",
    ]
    listed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return (ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file())


def _broken(path: Path) -> Iterator[str]:
    for target in LINK.findall(CODE.sub("", path.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, heading = unquote(target).partition("#")
        place = (path.parent / file).resolve() if file else path
        where = f"{path.relative_to(ROOT)}: {target}"
        if not place.exists():
            yield f"{where}: no such file"
        elif heading and place.suffix == ".md" and heading not in _headings(place):
            yield f"{where}: no such heading"


def _not_in_menu() -> Iterator[str]:
    """Pages to which only a link would lead. What the menu has and is not there stops the build."""
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"^\s+- (?:.*: )?(\S+\.md)$", menu, re.MULTILINE))
    for path in sorted((ROOT / "docs").rglob("*.md")):
        page = path.relative_to(ROOT / "docs").as_posix()
        if page not in named:
            yield f"mkdocs.yml: docs/{page} is not in the menu"


@cache
def _headings(path: Path) -> frozenset[str]:
    text = re.sub(
        r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    return frozenset(_anchor(title) for title in HEADING.findall(text))


def _anchor(title: str) -> str:
    """The anchor that a heading names, or that GitHub and the documentation's builder give it."""
    if named := re.search(r"\{ #([\w-]+) \}$", title):
        return named[1]
    words = re.sub(r"[^\w\- ]", "", re.sub(r"`|\[|\]\([^)]*\)", "", title.lower()))
    return words.strip().replace(" ", "-")


if __name__ == "__main__":
    main()
