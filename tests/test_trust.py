"""The page that says how far to trust this has the figures of the pages that it names."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
TRUST = (DOCS / "trust.md").read_text(encoding="utf-8")


def test_what_linux_agrees_with_is_that_of_its_page() -> None:
    page = (DOCS / "models/tcp.md").read_text(encoding="utf-8")
    found = re.search(r"^\| all \| (\d+) \| ([\d.]+ %) \| ([\d.]+ %) \| ([\d.]+) \|", page, re.M)
    assert found
    cells, five, ten, mean = found.groups()
    assert f"of {cells} cells {five} within 5 % and {ten} within 10 %" in TRUST
    assert f"geometric mean {mean}" in TRUST


def test_what_nr_agrees_with_is_that_of_its_page() -> None:
    page = (DOCS / "models/radio-nr.md").read_text(encoding="utf-8")
    for ours, form in re.findall(r"([\d.]+) for ([\d.]+) (?:ms|Mbit/s)", TRUST):
        assert re.search(rf"\| {form}[^|]*\| {ours}\b", page), (form, ours)


def test_what_the_studies_agree_with_is_that_of_their_table() -> None:
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[\d{3} .*\|$", readme, re.M)
    assert len(rows) == 7
    sums = [0] * 5
    for row in rows:
        for place, cell in enumerate(row.strip("|").split("|")[2:]):
            sums[place] += int(re.findall(r"\d+", cell)[0])
    predicted, fitted, construction, outside, inconsistent = sums
    told = (
        f"of {sum(sums)} comparable values {predicted} predicted, {fitted} fitted, {construction} "
        f"by construction, {outside} outside; {inconsistent} contradict their own paper"
    )
    assert told in TRUST
