"""The page that says how far to trust this has the figures of the pages that it names."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TRUST = (DOCS / "trust.md").read_text(encoding="utf-8")


def test_bounds_against_linux_equal_its_page() -> None:
    page = (DOCS / "models/tcp.md").read_text(encoding="utf-8")
    found = re.search(r"^\| all \| (\d+) \| ([\d.]+ %) \| ([\d.]+ %) \| ([\d.]+) \|", page, re.M)
    assert found
    cells, five, ten, mean = found.groups()
    assert f"of {cells} cells {five} within 5 % and {ten} within 10 %" in TRUST
    assert f"geometric mean {mean}" in TRUST


def test_bounds_of_nr_equal_its_page() -> None:
    page = (DOCS / "models/radio-nr.md").read_text(encoding="utf-8")
    for ours, form in re.findall(r"([\d.]+) for ([\d.]+) (?:ms|Mbit/s)", TRUST):
        assert re.search(rf"\| {form}[^|]*\| {ours}\b", page), (form, ours)


def test_agreement_of_studies_equals_their_table() -> None:
    page = (DOCS / "studies/index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[?\d{3} .*\|$", page, re.M)
    assert len(rows) == 7
    sums = [0] * 5
    for row in rows:
        for place, cell in enumerate(row.strip("|").split("|")[2:]):
            sums[place] += int(cell)
    predicted, fitted, construction, outside, inconsistent = sums
    sentence = (
        f"of {sum(sums)} comparable values {predicted} predicted, {fitted} fitted, {construction} "
        f"by construction, {outside} outside; {inconsistent} contradict their own paper"
    )
    assert sentence in TRUST


HELD: dict[str, tuple[str, ...]] = {
    "the idle median within 15 %": ("radio/rrc_states", "0.15 * (985.2 - 99.0)"),
    "last tenths within 5 %": (
        "radio/rrc_states",
        "0.05 * (1421.2 - 99.0)",
        "0.05 * (1574.6 - 99.0)",
    ),
    "120 drawn cases": ("radio/rrc_states", "for round in 0..120"),
    "rates within 0.3 %": ("nr/carriers", "1461.0, 0.003,"),
    "mean latencies within 0.5 %": ("nr/carriers", "alone, 0.005,", "beside, 0.005,"),
    "three blocks in ten": ("nr/carriers", "bler = [0.3, 0]"),
    "latencies of a lone UE within 2 %": ("nr/downlink_sps", "12.29 - 1.0).abs() < 0.02"),
    "within 10 % without and 15 % with SPS": ("nr/downlink_sps", "18.96, 0.1)", "9.46, 0.15)"),
    "mean waits for occasions within 2 %": (
        "nr/configured_grants",
        "expected - 1.0).abs() <= 0.02",
    ),
    "mean latencies within 2 %": ("nr/requests", "expected - 1.0).abs() <= 0.02"),
    "shares of 0.1 and 0.02 within 0.0007": (
        "nr/low_efficiency",
        '(0.1, ""), (0.02, "")',
        "< 0.0007",
    ),
    "within four standard deviations": ("nr/code_block_groups", "0.006", "0.018", "0.0164"),
    "within 2 % over NR": ("radio/uplink_rates", '0.02, "guaranteed"', '0.02, "maximum"'),
    "3 % over LTE": ("radio/uplink_rates", '0.03, "guaranteed"'),
}
"""Statement of the page on a part, the test of the core that checks it, and its bounds."""


def test_bounds_are_those_that_the_tests_hold() -> None:
    for words, (name, *bounds) in HELD.items():
        assert words in TRUST
        test = (ROOT / f"crates/uplane/tests/{name}.rs").read_text(encoding="utf-8")
        assert [bound for bound in bounds if bound not in test] == [], name


def test_search_spaces_were_compared_in_as_many_cells_as_drawn() -> None:
    twin = (ROOT / "tests/test_pdcch_twin.py").read_text(encoding="utf-8")
    found = re.search(r"^CASES = (\d+)$", twin, re.M)
    assert found
    assert f"in {found[1]} drawn cells | latencies, blocked messages" in TRUST
