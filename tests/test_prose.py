"""Sentence forms that are hard to read become fewer, folder by folder (CONTRIBUTING, Writing)."""

from pathlib import Path

import pytest

import prose


def test_no_folder_exceeds_its_limits() -> None:
    allowed = prose.limits()
    over = {
        f"{folder}: {name} {row[name]}, limit {allowed.get(folder, {}).get(name, 0)}"
        for folder, row in prose.counts().items()
        for name in prose.PATTERNS
        if row[name] > allowed.get(folder, {}).get(name, 0)
    }
    assert sorted(over) == [], "tools/prose.py --list PATTERN shows the sentences"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "a.rs",
            "/// What is sent again to a UE.\nfn a() {}",
            ["headless-clause", "again"],
        ),
        ("a.rs", "/// Marks what has gone to the UE.", ["what-is"]),
        ("a.rs", "/// So many.\n", ["headless-clause", "so-many", "tiny"]),
        ("a.rs", "/// Number of `TTI`s.\n", []),
        ("a.py", '"""The same for the uplink, which is told."""', ["the-same", "told"]),
        ("a.md", "| It is; without, the default holds |", ["bare-pronoun", "elliptic-without"]),
        ("a.md", "```\nWhat is it\n```\n\nSay what is new.", ["what-is"]),
        ("a.toml", 'a = 1 # Those of ns-3, "or none"', ["bare-pronoun", "elliptic-without"]),
    ],
)
def test_a_pattern_is_found(name: str, text: str, expected: list[str]) -> None:
    path = Path(name)
    is_code = path.suffix in (".rs", ".py")
    found = [
        pattern
        for _, block in prose.blocks(path, text)
        for pattern in prose.patterns(block, is_code=is_code)
    ]
    assert found == expected
