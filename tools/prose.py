#!/usr/bin/env python3
"""Counts sentence forms that make documentation hard to read.

In: Rust doc comments, Python docstrings, Markdown pages and TOML comments that git tracks.
Out: counts for each folder. A count shows where to look; it does not prove that a text is clear.

    prose.py                   table of counts, the folders with most first
    prose.py --list PATTERN    each text that matches one pattern
    prose.py --lower           writes tools/prose_limits.json; no limit ever rises
"""

import argparse
import json
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMITS = Path(__file__).with_name("prose_limits.json")

OPENERS = {
    "headless-clause": r"(What|How|Which|Who|Whom|When|Where|Whether|From where|For so"
    r"|So (many|much|long)|At which|By how|Of which|That which)\b(?!.*\?)",
    "bare-pronoun": r"(It|They|Them|Those|That|These|Of it|Of them|All of it)\b",
    "the-same": r"The same\b",
}
"""Patterns at the start of a documentation block."""
ANYWHERE = {
    "so-many": r"\b(so many|so much|so long|this many|as many as that)\b",
    "elliptic-without": r"(;|^|\.) ?without,|\bor none\b",
    "told": r"\b(tells?|told|telling) (of|it|them|what|how|by|the|a|whose|which|who)\b"
    r"|\b(is|are|was|were) told\b",
    "again": r"\b(sent|send|sends|begun|begins?|begin|built|taken|made|asked?) again\b"
    r"|\bonce more\b",
    "what-is": r"\b(?-i:what|who) (is|are|was|were|has|have|had|had been|came|comes|goes|leaves"
    r"|lies|stands) (?!the\b)",
}
"""Patterns anywhere in a block."""
SMALL = 22
"""A block of code documentation with fewer characters, without a symbol or a clause, is `tiny`."""
PATTERNS = [*OPENERS, *ANYWHERE, "tiny"]
STARTS = {name: re.compile(form) for name, form in OPENERS.items()}
WITHIN = {name: re.compile(form, re.IGNORECASE) for name, form in ANYWHERE.items()}

Block = tuple[int, str]
"""Number of the first line, and the text."""


def counts() -> dict[str, Counter[str]]:
    """Returns the number of matches of each pattern in each folder, with its blocks and words."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for path in _tracked():
        for _, text in blocks(path, (ROOT / path).read_text(encoding="utf-8")):
            folder = found[_folder(path)]
            folder.update(patterns(text, is_code=path.suffix in (".rs", ".py")))
            folder.update(blocks=1, words=len(text.split()))
    return found


def rates(found: dict[str, Counter[str]]) -> dict[str, float]:
    """Returns openers and tiny blocks in % of all blocks, other patterns per 1000 words."""
    total = sum(found.values(), Counter[str]())
    per_block = {name: 100 * total[name] / max(total["blocks"], 1) for name in PATTERNS}
    per_word = {name: 1000 * total[name] / max(total["words"], 1) for name in ANYWHERE}
    return {**per_block, **per_word}


def patterns(text: str, *, is_code: bool) -> list[str]:
    """Returns the name of each pattern that a block matches, once for each match."""
    names = [name for name, form in STARTS.items() if form.match(text)]
    for name, form in WITHIN.items():
        names += [name] * sum(1 for _ in form.finditer(text))
    if is_code and len(text) <= SMALL and not re.search(r"RFC|TS \d|§|`", text):
        names.append("tiny")
    return names


def blocks(path: Path, text: str) -> Iterator[Block]:
    """Yields each documentation block of a file."""
    if path.suffix == ".rs":
        marked = (re.match(r"\s*//[/!] ?(.*)", line) for line in text.splitlines())
        yield from _joined([found[1] if found else "" for found in marked])
    elif path.suffix == ".py":
        for found in re.finditer(r'"""(.*?)"""', text, re.DOTALL):
            first = text.count("\n", 0, found.start())
            for number, words in _joined(found[1].splitlines()):
                yield first + number, words
    elif path.suffix == ".md":
        yield from _of_page(text.splitlines())
    else:
        for number, line in enumerate(text.splitlines(), 1):
            if comment := re.search(r"(?:^|\s)# ?(.+)", line):
                yield number, comment[1].strip()


def _of_page(lines: Sequence[str]) -> Iterator[Block]:
    """Paragraphs, and cells of tables; code is left out."""
    plain, fenced = [], False
    for number, line in enumerate(lines, 1):
        fenced ^= line.startswith("```")
        is_text = not fenced and not line.startswith(("#", "|", "    ", "```"))
        plain.append(line.strip(" -*>") if is_text else "")
        if not fenced and line.startswith("|"):
            cells = (cell.strip() for cell in line.strip("|").split("|"))
            yield from ((number, cell) for cell in cells if len(cell) > 12)
    yield from _joined(plain)


def _joined(lines: Sequence[str]) -> Iterator[Block]:
    words: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.strip():
            words.append(line.strip())
        elif words:
            yield number - len(words), " ".join(words)
            words = []


def _tracked() -> list[Path]:
    command = ["git", "-C", str(ROOT), "ls-files", "*.rs", "*.py", "*.md", "*.toml"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [Path(name) for name in names if (ROOT / name).is_file() and "Cargo" not in name]


def _folder(path: Path) -> str:
    parts = path.parts
    if parts[0] == "crates" and len(parts) > 4 and parts[2] == "src":
        return "/".join(parts[:4])
    return "/".join(parts[:-1][:3]) or "."


def limits() -> dict[str, dict[str, int]]:
    """Returns the largest count allowed, by folder and pattern. A pattern not listed has 0."""
    if not LIMITS.is_file():
        return {}
    read: dict[str, dict[str, int]] = json.loads(LIMITS.read_text(encoding="utf-8"))
    return read


def _lower() -> None:
    before = limits()
    after: dict[str, dict[str, int]] = {}
    for folder, found in sorted(counts().items()):
        old = before.get(folder, {}) if before else found
        row = {name: min(found[name], old.get(name, 0)) for name in PATTERNS}
        after[folder] = {name: count for name, count in row.items() if count}
    text = json.dumps({name: row for name, row in after.items() if row}, indent=1)
    LIMITS.write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Prints counts or matches, or lowers the limits."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--list", choices=PATTERNS, metavar="PATTERN")
    parser.add_argument("--lower", action="store_true")
    options = parser.parse_args()
    if options.lower:
        _lower()
    elif options.list:
        for path in _tracked():
            for number, text in blocks(path, (ROOT / path).read_text(encoding="utf-8")):
                if options.list in patterns(text, is_code=path.suffix in (".rs", ".py")):
                    print(f"{path}:{number}: {text[:150]}")
    else:
        _table()


def _table() -> None:
    found = counts()
    most = sorted(found.items(), key=lambda it: -sum(it[1][name] for name in PATTERNS))
    print(f"{'folder':40}", *(f"{name[:10]:>10}" for name in ("blocks", "words", *PATTERNS)))
    for folder, row in [*most, ("total", sum(found.values(), Counter[str]()))]:
        print(f"{folder:40}", *(f"{row[name]:10}" for name in ("blocks", "words", *PATTERNS)))
    shown = (f"{name} {rate:.2f}" for name, rate in rates(found).items())
    print("openers and tiny in % of blocks, others per 1000 words:", ", ".join(shown))


if __name__ == "__main__":
    main()
