"""Pages of studies state the results of their runs, and start with the result."""

import csv
import re
from pathlib import Path
from types import ModuleType

import pytest

from conftest import drawn_marks
from uplane import report, study
from uplane.study import golden
from uplane.study.originals import read_off
from uplane.study.sections import Figure, Original

SHIPPED = [path.name for path in study.shipped()]


@pytest.mark.parametrize(
    ("page", "text", "items"),
    [
        ("003/README", "+{:.1f} ± {:.1f} %: predicted", "003/claim/crowd/gain/opt-basic/40"),
        ("003/README", ", {:.1f} ± {:.1f}, −0.2", "003/claim/crowd/gain/opt-granted/40"),
        ("003/README", "−{:.1f} ± {:.1f} %: predicted", "less 003/claim/acks/opt-basic/mean"),
        ("003/README", "−{:.1f} ± {:.1f} %: *outside*", "less 003/claim/acks/opt-hybrid/mean"),
        ("003/README", ", −{:.1f} ± {:.1f} %: chosen", "003/claim/throughput-sum/opt"),
        ("003/README", ", {:.0f} ± {:.0f} %: *outside*", "003/claim/throughput/opt"),
        ("003/README", "poorest of ten gain {:.0f} ± {:.0f} %", "003/claim/ten/poorest/opt"),
        ("003/README", "richest pay {:.1f} ± {:.1f} %", "003/claim/ten/richest/opt"),
        ("003/README", ": {:.1f} ± {:.1f}, 23.9", "003/choice/blocks/8/throughput"),
        ("003/README", "change by −{:.1f} ± {:.1f} %, with 500", "003/claim/choice/unasked/250/1"),
        (
            "003/EXPERIMENTS",
            "Hybrid-opt {:.1f} ± {:.1f} against",
            "003/control/80/opt/60/throughput",
        ),
        ("003/EXPERIMENTS", "Basic +{:.0f} ± {:.0f} %)", "003/claim/control/20-80/basic"),
        ("003/README", "−{:.1f} ± {:.1f} %: *outside*", "less 003/claim/crowd/acks/opt-basic/40"),
        ("003/README", "{:.1f} ± {:.1f} %: predicted", "003/claim/threshold-100"),
        ("003/README", "{:.3f} ± {:.3f}; 0.383", "003/claim/kept/10"),
        ("003/README", "{:.3f} ± {:.3f}: not counted", "003/claim/kept/40"),
        ("003/README", "{:.0f} ± {:.0f}; ", "003/epc/basic"),
        ("003/README", "{:.0f} ± {:.0f}; 529", "003/epc/opt"),
        ("003/README", "; {:.1f} ± {:.1f}: fitted", "003/fig6/basic/30/throughput"),
        (
            *("003/EXPERIMENTS", "+{:.1f} ± {:.1f} | −0.4"),
            "003/claim/access/strongest-reports/opt-granted/40/throughput",
        ),
        (
            *("003/EXPERIMENTS", "sends {:.1f} ± {:.1f} % more"),
            "003/claim/access/strongest-reports/opt-granted/40/acks",
        ),
        (
            *("003/EXPERIMENTS", "take {:.1f} ± {:.1f} % more"),
            "003/claim/access/wide/opt-hybrid/10/acks",
        ),
        ("003/docs", "**+{:.1f} ± {:.1f} %**", "003/claim/crowd/gain/opt-basic/40"),
        ("003/docs", "**{:.1f} ± {:.1f} %**", "003/claim/crowd/gain/opt-granted/40"),
        ("003/docs", "| −{:.1f} ± {:.1f} %", "less 003/claim/acks/opt-basic/mean"),
        ("003/docs", "**+{:.0f} ± {:.0f} %** (the poorest", "003/claim/throughput/opt"),
        ("003/docs", "; −{:.1f} ± {:.1f} % |", "003/claim/throughput-sum/opt"),
        ("003/docs", "| {:.0f} ± {:.0f} |", "003/epc/basic"),
        ("003/study", "ten UEs send {:.0f} ± {:.0f} % fewer", "003/claim/acks/opt-basic/mean"),
        (
            "003/study",
            "forty UEs gain {:.0f} ± {:.0f} % (59.1)",
            "003/claim/crowd/gain/opt-basic/40",
        ),
        ("003/study", "takes {:.1f} ± {:.1f} % (few)", "003/claim/threshold-100"),
        ("003/study", "load of Basic is {:.0f} ± {:.0f} Mbit/s", "003/epc/basic"),
        ("003/study", "(−{:.1f} ± {:.1f} %), but not each its own", "003/claim/throughput-sum/opt"),
        (
            *("003/study", "Hybrid-opt has {:.1f} ± {:.1f} % more than Granted"),
            "003/claim/access/strongest-reports/opt-granted/40/throughput",
        ),
        ("004/README", "| {:.1f} ± {:.1f} |", "004/ftp/gev/50/10/rate"),
        ("004/README", "| {:.1f} ± {:.1f} % |", "004/claim/ftp-gev-gain-300-50/10"),
        ("004/README", "| {:.1f} ± {:.1f} |", "004/ping/64/50/10/mean"),
        ("004/README", "| {:.1f} ± {:.1f} % |", "004/claim/ftp-timeout-share/300/50"),
        ("006/README", "| FDD, QUIC with CUBIC | {:.1f} ± {:.1f} |", "006/ramp/FDD/quic/2.5"),
        ("006/README", "| DDDSU, QUIC with CUBIC | {:.1f} ± {:.1f} |", "006/ramp/DDDSU/quic/2.5"),
        ("006/docs", "98.5 | {:.1f} ± {:.1f} |", "006/ramp/FDD/quic/20"),
        ("001/README", "− {:.0f} ± {:.0f} %, + 15", "001/claim/exp2/liar-tcp"),
        ("001/README", "+ {:.0f} ± {:.0f} %", "001/claim/exp2/honest-tcp"),
        ("001/README", "− {:.1f} ± {:.1f} %", "001/claim/exp2/aggregate"),
        ("001/README", "| − {:.0f} ± {:.0f} % | + 4", "001/answer/lying/liar"),
        ("002/README", "+ {:.1f} ± {:.1f}, + 2.7", "002/claim/1428-over-1500/loss-1e-6"),
        ("002/README", "+ {:.1f} ± {:.1f} (10⁻⁵)", "002/claim/1428-over-1500/loss-1e-5"),
        ("002/README", "+ {:.0f} ± {:.0f} (10⁻⁴)", "002/claim/1428-over-1500/loss-1e-4"),
        ("002/README", "+ {:.0f} ± {:.0f} % (10⁻³)", "002/claim/1428-over-1500/loss-1e-3"),
    ],
)
def test_interval_of_a_page_equals_the_full_variant(page: str, text: str, items: str) -> None:
    number, _, name = page.partition("/")
    row = full(number)[items.removeprefix("less ")]
    ours, low, high = (float(row[key]) for key in ("ours", "low", "high"))
    assert text.format(abs(ours), (high - low) / 2) in read(number, name)
    if abs(ours) >= ROUNDS_TO_NOTHING:  # a reduction stands with a minus, and with none in words
        is_less = any(word in text for word in ("−{", "− {", "pay ", "take "))
        assert is_less == ((ours < 0) != items.startswith("less "))


ROUNDS_TO_NOTHING = 0.05


@pytest.mark.parametrize(
    ("number", "text", "items"),
    [
        ("004", "| {:.1f}, {:.1f} |", "ftp/edge/50/10/rate ftp/edge/100/10/rate"),
        ("004", "| {:.2f}, {:.2f} s; 95", "http/50/10/time http/300/200/time"),
        ("004", "| {:.1f}, {:.1f} %: the", "claim/http-cut-server/50 claim/http-cut-server/300"),
        ("004", "| {:.1f}, {:.1f} % |", "claim/http-cut-rlc/10 claim/http-cut-rlc/200"),
        ("004", "+ {:.0f} ms; *paper", "claim/ping-64-rlc-dependence"),
        ("004", "+ {:.0f} ms: predicted", "claim/ping-1500-rlc-dependence"),
        ("004", "| {:.0f} % of downloads", "claim/slow-start"),
        ("004", "a cut of {:.0f} %: *outside*", "claim/bler-1-cut-50-300"),
        ("001", "15.48; 4.32 ms | {:.2f}; {:.2f} ms", "exp1/ctl/mean exp1/exp/mean"),
        ("001", "5.37; **{:.0f} ms**", "with-call/exp/call/mean"),
        (
            *("001", "published times; {:.1f}, {:.1f} over"),
            "exp2/ctl/honest/retransmissions exp2/ctl/liar/retransmissions",
        ),
        (
            *("001", "**31, 140**; {:.0f}, {:.0f} |"),
            "exp2/exp/honest/retransmissions exp2/exp/liar/retransmissions",
        ),
        (
            *("006", "{:.1f} ± 0.1 | {:.1f} ± 0.1 | {:.1f} | {:.1f} | {:.1f} |"),
            "ramp/FDD/cubic/2.5 ramp/FDD/cubic/5 ramp/FDD/cubic/10 ramp/FDD/cubic/20 "
            "granted/FDD/cubic/cg1",
        ),
        (
            *("006", "{:.2f}, {:.2f}, {:.2f}, {:.2f}: *outside*"),
            "ratio/FDD/quic/2.5 ratio/FDD/quic/5 ratio/FDD/quic/10 ratio/FDD/quic/20",
        ),
        (
            *("006", "take {:.1f}, {:.1f}, {:.1f} and {:.1f} ms"),
            "other/9/2.5 other/9/5 other/9/10 other/9/20",
        ),
        ("002", "| {:.2f} s; *paper", "time/14.4/40/1500"),
        ("002", "| + {:.1f} % |", "claim/1428-over-1500/backhaul"),
    ],
)
def test_number_of_a_page_equals_the_full_variant(number: str, text: str, items: str) -> None:
    rows = full(number)
    ours = [float(rows[f"{number}/{item}"]["ours"]) for item in items.split()]
    assert text.format(*ours) in read(number, "README")


def full(number: str) -> dict[str, dict[str, str]]:
    """The accepted numbers of the full variant, by item."""
    path = study.find(number) / golden.FULL
    with path.open(encoding="utf-8", newline="") as lines:
        return {row["item"]: row for row in csv.DictReader(lines)}


def read(number: str, page: str) -> str:
    folder = study.find(number)
    docs = Path(__file__).parents[1] / "docs" / "studies" / f"{folder.name}.md"
    known = {"docs": docs, "study": folder / "study.toml"}
    return known.get(page, folder / f"{page}.md").read_text("utf-8")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_page_tells_its_story_before_anything_else(name: str) -> None:
    folder = study.find(name)
    head = study.load(folder).file.study
    assert head.question
    assert head.answer
    assert head.figure
    assert head.not_settled
    lines = (folder / "README.md").read_text("utf-8").splitlines()
    first = "\n".join(lines[: next(n for n, line in enumerate(lines) if "**Published.**" in line)])
    for part in ("**Asked.**", "**Answer.**", "**Not settled.**"):
        assert part in first, part
    assert "](figure.svg)" in first or "| what decides it" in first
    assert len(first.splitlines()) <= ONE_SCREEN


ONE_SCREEN = 25


@pytest.mark.parametrize("name", SHIPPED)
def test_figure_of_a_page_shows_the_full_variant(name: str) -> None:
    folder = study.find(name)
    assert (folder / "figure.svg").is_file() == ("](figure.svg)" in read(name, "README"))
    if (folder / "figure.svg").is_file():
        assert figures_tool().figure(folder) == (folder / "figure.svg").read_text("utf-8")


def figures_tool() -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    path = Path(__file__).parents[1] / "tools" / "study_figures.py"
    spec = spec_from_file_location("study_figures", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# What the texts give of the originals


@pytest.mark.parametrize("name", SHIPPED)
def test_each_figure_has_original_values_or_states_none(
    name: str,
) -> None:
    loaded = study.load(study.find(name))
    for figure in loaded.file.figure:
        pattern = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(figure.item))
        printed = [item for item in loaded.values if re.fullmatch(pattern, item)]
        assert printed or figure.original or figure.silent, figure.title
        assert not (figure.original and figure.silent), figure.title
    assert all(each.silent for each in loaded.file.map)


ORIGINAL = Original(
    series="{who}",
    x="t / 10",
    value="2 * t",
    low="t",
    of={"t": "9/{who}/t"},
    how="twice as much",
    over={"who": ["a", "b"]},
)


def figure(*originals: Original) -> Figure:
    return Figure(
        title="Figure 1",
        caption="",
        item="9/{who}/{at}",
        x="at",
        x_label="",
        y_label="",
        series="who",
        original=list(originals),
    )


def test_original_points_are_arithmetic_on_published_values() -> None:
    seen = read_off(figure(ORIGINAL), {"9/a/t": 50.0, "9/b/t": 70.0})
    assert [(each.series, each.x, each.value, each.low, each.high) for each in seen] == [
        ("a", 5.0, 100.0, 50.0, None),
        ("b", 7.0, 140.0, 70.0, None),
    ]


def test_unpublished_values_give_no_original_point() -> None:
    with pytest.raises(study.StudyError, match="of: found '9/b/t'; did you mean '9/a/t'"):
        read_off(figure(ORIGINAL), {"9/a/t": 50.0})


def test_a_value_or_two_bounds_are_needed() -> None:
    with pytest.raises(ValueError, match="`value` is missing"):
        Original(low="1", how="at least")


def measured(published: float | None) -> study.Row:
    """Returns a point of the figure."""
    return study.Row(
        study="9",
        item="9/a/5",
        published=published,
        unit="s",
        ours=3.0,
        ci_low=None,
        ci_high=None,
        n=1,
        tolerance=None,
        verdict="not comparable",
        note="",
    )


@pytest.mark.parametrize(("published", "lines"), [(3.05, 0), (9.0, 1)])
def test_missed_published_value_is_linked_to_our_point(published: float, lines: int) -> None:
    drawn = report.figures.drawn(figure(), [measured(published)], {})
    assert drawn
    assert drawn_marks(drawn.svg, "rule") == lines
    assert drawn_marks(drawn.svg, "symbol") == 2  # ours and the published one


def test_points_levels_and_bounds_of_the_original_are_drawn() -> None:
    row = measured(None)
    point = Original(series="a", x="4", low="1", high="9", how="between")
    level = Original(series="a", value="7", how="in the mean")
    drawn = report.figures.drawn(figure(point, level), [row], {})
    assert drawn
    assert drawn_marks(drawn.svg, "rule") == 2  # the bounds and the level
    alone = report.figures.drawn(figure(level), [row], {})
    assert alone
    assert drawn_marks(alone.svg, "rule") == 1
