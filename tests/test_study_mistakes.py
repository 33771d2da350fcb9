"""Each mistake in the folder of a study is one line with its place, and exit code 2."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import PINGS
from uplane import study
from uplane.cli import call

STUDY = """\
[study]
number = "901"
title = "ping"
citation = "nobody, nowhere"
question = "How long does a ping take?"

[[case]]
name = "ping/{bytes}"
scenario = "scenario.toml"
over = { bytes = [1000, 500] }
set = { "ping.echo.packet" = "{bytes} B" }
runs = { quick = 1, full = 1 }
[[case.measure]]
item = "901/ping/{bytes}"
unit = "ms"
table = "pings"
value = "avg(rtt_ms)"

[[claim]]
item = "901/claim/difference"
unit = "ms"
value = "long - short"
of = { long = "901/ping/1000", short = "901/ping/500" }

[[judge]]
items = "901/*"
tolerance = 0.001
verdict = "within"
why = "arithmetic"
"""
PUBLISHED = """\
item,value,low,high,unit,place,how
901/ping/1000,21.0,,,ms,table 1,printed
901/claim/difference,0.5,,,ms,section 2,computed
"""
Mistake = tuple[str, str, str, str]
"""File, old text, new text, and the message after the folder."""

NULL = """\
[[null]]
name = "one size"
what = "the size makes no difference"
tests = ["901/*"]
instead.bytes = { 500 = 1000 }
"""
KEYS: list[Mistake] = [
    (
        "study.toml",
        "title =",
        "titel =",
        "study.toml:3: study.titel: found an unknown key; did you",
    ),
    (
        "study.toml",
        "[[case]]",
        "[[cases]]",
        "study.toml:7: cases: found an unknown key; did you mean 'case'?",
    ),
    (
        "study.toml",
        "quick = 1",
        "quik = 1",
        "study.toml:12: case.0.runs.quik: found an unknown key; did you mean 'quick'?"
        " (expected one of quick, full)",
    ),
    (
        "study.toml",
        'question = "How long does a ping take?"\n',
        "",
        "study.toml:1: study.question: required, and missing",
    ),
    ("study.toml", '"901"', "901", "study.toml:2: study.number: found 901, expected a text"),
    (
        "study.toml",
        "{ quick = 1, full = 1 }",
        "5",
        "study.toml:12: case.0.runs: found 5, expected a section with the keys quick, full",
    ),
    (
        "study.toml",
        "quick = 1",
        "quick = 1.5",
        "study.toml:12: case.0.runs.quick: found 1.5, expected a whole number",
    ),
    (
        "study.toml",
        "quick = 1",
        "quick = -1",
        "study.toml:12: case.0.runs.quick: found -1, expected a number of at least 0",
    ),
    (
        "study.toml",
        "tolerance = 0.001",
        'tolerance = "50 ms"',
        "study.toml:27: judge.0.tolerance: found '50 ms', expected a number",
    ),
    (
        "study.toml",
        "tolerance = 0.001",
        "tolerance = inf",
        "study.toml:27: judge.0.tolerance: found inf, expected a finite number",
    ),
    (
        "study.toml",
        '"within"',
        '"inside"',
        "study.toml:28: judge.0.verdict: found 'inside', expected one of 'within', 'outside',",
    ),
    (
        "study.toml",
        "[1000, 500]",
        "[]",
        "study.toml:10: case.0.over.bytes: found an empty list, expected at least one value",
    ),
    (
        "study.toml",
        "[1000, 500]",
        "5",
        "study.toml:10: case.0.over.bytes: found 5, expected a list",
    ),
    (
        "study.toml",
        "[1000, 500]",
        "[[1000], 500]",
        "study.toml:10: case.0.over.bytes.0: found a list of 1, expected a number, a text, true",
    ),
    (
        "study.toml",
        "citation",
        "cita tion",
        'study.toml:4: found "cita tion = "nobody, nowhere"", expected TOML; expected',
    ),
    ("study.toml", "why =", "why = [ #", 'study.toml:29: found "why = [ #'),
    (
        "study.toml",
        "{bytes} B",
        "{bytes[x]} B",
        "study.toml:7: case.0: found '{bytes[x]} B', expected {bytes}",
    ),
]
KEYS += [
    (
        "study.toml",
        "[[case.measure]]",
        "first_seed = 1000000000000000000000\n[[case.measure]]",
        "study.toml:13: case.0.first_seed: found 1000000000000000000000, expected a number of at",
    ),
    (
        "study.toml",
        '"ping.echo.packet"',
        "ping.echo.packet",
        "study.toml:11: case.0.set.ping: found a section, expected a number, a text, true or false;"
        ' write a key with dots in quotation marks, as "ping.echo.count"',
    ),
    (
        "study.toml",
        "ping/{bytes}",
        "ping",
        "study.toml: case: name: found 'ping' twice, expected a name of its own for each",
    ),
]
CELLS: list[Mistake] = [
    (
        "published.csv",
        "21.0",
        "two",
        "published.csv:2: value: found 'two', expected a number",
    ),
    (
        "published.csv",
        "21.0",
        "nan",
        "published.csv:2: value: found 'nan', expected a finite number",
    ),
    (
        "published.csv",
        "table 1",
        "",
        "published.csv:2: place: found an empty cell, expected a text",
    ),
    (
        "published.csv",
        "item,",
        "items,",
        "published.csv:1: found the column 'items'; did you mean 'item'?",
    ),
    (
        "published.csv",
        ",how",
        "",
        "published.csv:1: found no column 'how', expected the columns item,value,low,high,unit,",
    ),
    (
        "published.csv",
        "value,low",
        "low,low",
        "published.csv:1: found the column 'low' twice, expected each once",
    ),
    (
        "published.csv",
        "table 1,printed",
        "table 1",
        "published.csv:2: found 6 cells, expected 7: item,value,low,high,unit,place,how",
    ),
    (
        "published.csv",
        "printed",
        "printed,here",
        "published.csv:2: found 8 cells, expected 7",
    ),
    (
        "published.csv",
        PUBLISHED,
        PUBLISHED.replace(",", ";"),
        "published.csv:1: found cells with ';' between them, expected commas",
    ),
    (
        "published.csv",
        "21.0,,",
        "2,3,1",
        "published.csv:2: low: found low 3 above value 2; expected low, value, high in ascending",
    ),
    (
        "published.csv",
        "21.0,,",
        ",3,1",
        "published.csv:2: low: found low 3 above high 1; expected low, value, high in ascending",
    ),
    (
        "published.csv",
        "901/claim/difference,0.5",
        "901/ping/1000,0.5",
        "published.csv:3: item: found '901/ping/1000' again, as in line 2; list it once",
    ),
]
ITEMS: list[Mistake] = [
    (
        "published.csv",
        ",,,ms,table",
        ",,,s,table",
        "published.csv:2: unit: found 's', expected 'ms', the unit of the measure or claim",
    ),
    (
        "published.csv",
        "0.5,,,ms",
        "0.5,,,s",
        "published.csv:3: unit: found 's', expected 'ms', the unit of the measure or claim",
    ),
    (
        "published.csv",
        "901/ping/1000",
        "901/pingg/1000",
        "published.csv:2: item: found '901/pingg/1000'; did you mean '901/ping/1000'?",
    ),
    (
        "study.toml",
        '"901/*"',
        '"901/ping/*"',
        "published.csv:3: item: found '901/claim/difference' without a judgement, expected a",
    ),
    (
        "study.toml",
        '"901/*"',
        '"902/*"',
        "study.toml: judge: items: found '902/*', expected an item, or a pattern of items",
    ),
    (
        "study.toml",
        '"901/ping/500"',
        '"901/ping/50"',
        "study.toml:23: claim.0.of.short: found '901/ping/50'; did you mean '901/ping/500'?",
    ),
    (
        "study.toml",
        '"901/ping/500"',
        '"published 901/ping/500"',
        "study.toml:23: claim.0.of.short: found 'published 901/ping/500'; did you mean",
    ),
    (
        "study.toml",
        'short"\nof = { long = "901/ping/1000", short = "901/ping/500" }',
        'mean(short)"\nof = { long = "901/ping/1000", short = "902/*" }',
        "study.toml:23: claim.0.of.short: found '902/*', expected an item of a measure or of a",
    ),
    (
        "study.toml",
        '"901/claim/difference"',
        '"901/ping/500"',
        "study.toml:20: claim.0.item: found '901/ping/500', which another measure or claim has,",
    ),
    (
        "study.toml",
        "long - short",
        "long - shrt",
        "study.toml:22: claim.0.value: found no name 'shrt' in `of`; did you mean 'short'?"
        " (expected one of long, short)",
    ),
    (
        "study.toml",
        "long - short",
        "long +* short",
        "study.toml:22: claim.0.value: found `long +* short`, expected arithmetic: invalid syntax",
    ),
    (
        "study.toml",
        "long - short",
        "log10(long)",
        "study.toml:22: claim.0.value: found `log10(long)`, expected numbers, names, + - * / **"
        " and the functions ceil, ln, max, mean, min, sqrt",
    ),
    (
        "study.toml",
        '"901/ping/500"',
        '"901/ping/*"',
        "study.toml:22: claim.0.value: found the list `short`, expected it in mean, min or max,",
    ),
    (
        "study.toml",
        "long - short",
        "1/(long-long)",
        "study.toml: claim '901/claim/difference': value: cannot compute `1/(long-long)` with"
        " long = 21",
    ),
    (
        "study.toml",
        "long - short",
        "(short - long) ** 0.5",
        "study.toml: claim '901/claim/difference': value: cannot compute `(short - long) ** 0.5`",
    ),
    (
        "study.toml",
        "long - short",
        "10 ** long ** long",
        "study.toml: claim '901/claim/difference': value: cannot compute `10 ** long ** long`",
    ),
    (
        "study.toml",
        "[[judge]]",
        '[[oracle]]\nitem = "901/pin"\nvalue = 1\ntolerance = 1\nformula = "1"\n[[judge]]',
        "study.toml: oracle: item: found '901/pin'; did you mean '901/ping/500'?",
    ),
    (
        "study.toml",
        "[[judge]]",
        '[[map]]\ntitle = "m"\ncaption = "c"\ncase = "ping/100"\n[[judge]]',
        "study.toml: map: case: found 'ping/100'; did you mean 'ping/1000'? (expected the name of",
    ),
    (
        "study.toml",
        "[[judge]]",
        '[[measures.cell]]\nitem = "i"\nunit = "s"\ntable = "t"\nvalue = "v"\n[[judge]]',
        "study.toml:25: measures.cell: no case has 'cell' in `measures`, so the list is without",
    ),
    (
        "study.toml",
        "[[judge]]",
        f"{NULL}{NULL}[[judge]]",
        "study.toml: null: name: found 'one size' twice, expected a name of its own for each",
    ),
]
FIGURE = """\
[[figure]]
title = "t"
caption = "c"
item = "901/ping/{bytes}"
x = "bytes"
x_label = "B"
y_label = "ms"
[[judge]]"""
FIGURES: list[Mistake] = [
    ("study.toml", "[[judge]]", FIGURE.replace(old, new), f"study.toml:{message}")
    for old, new, message in (
        (
            'x = "bytes"',
            'x = "byte"',
            "29: figure.0.x: found 'byte'; did you mean 'bytes'? (expected a name in braces",
        ),
        (
            'x = "bytes"',
            'x = "bytes"\nseries = "rate"',
            "30: figure.0.series: found 'rate', expected a name in braces in `item`: bytes",
        ),
        (
            'x = "bytes"',
            'x = "bytes"\nseries_label = "{name}"',
            "30: figure.0.series_label: found '{name}', expected `{}` where the name of the series",
        ),
        (
            'x = "bytes"',
            'x = "bytes"\nonly = ["7"]',
            "30: figure.0.only: found '7', expected one of",
        ),
        (
            "901/ping/{bytes}",
            "902/ping/{bytes}",
            "28: figure.0.item: found '902/ping/{bytes}', expected a pattern of items",
        ),
        (
            "901/ping/{bytes}",
            "901/claim/{bytes}",
            "29: figure.0.x: found 'difference' at {bytes} in '901/claim/difference', expected a",
        ),
        (
            "901/ping/{bytes}",
            "901/{bytes}/{bytes}",
            "28: figure.0.item: found {bytes} twice, expected each name in braces once",
        ),
    )
]
AVG = '"avg(rtt_ms)"'
IN_A_RUN: list[Mistake] = [
    (
        "study.toml",
        '"pings"',
        '"ping"',
        "study.toml:16: case.0.measure.0.table: found 'ping'; did you mean 'pings'?",
    ),
    (
        "study.toml",
        "avg(rtt_ms)",
        "avg(rtt)",
        "study.toml:17: case.0.measure.0.value: found no column 'rtt' in the table pings;"
        " did you mean 'rtt_ms'?",
    ),
    (
        "study.toml",
        AVG,
        f'{AVG}\nwhere = "rtt > 3"',
        "study.toml:18: case.0.measure.0.where: found no column 'rtt' in the table pings;"
        " did you mean 'rtt_ms'?",
    ),
    (
        "study.toml",
        AVG,
        f'{AVG}\nwhere = "rtt_ms + 1"',
        "study.toml:18: case.0.measure.0.where: cannot compute `rtt_ms + 1` over the table pings:",
    ),
    (
        "study.toml",
        AVG,
        f'{AVG}\nwhere = "rtt_ms >"',
        "study.toml:18: case.0.measure.0.where: `rtt_ms >` is not an expression over columns:",
    ),
    (
        "study.toml",
        AVG,
        f'{AVG}\nwhere = "rtt_ms > 3000"',
        "study.toml:17: case.0.measure.0.value: the run gave no `avg(rtt_ms)` in table 'pings'"
        " where rtt_ms > 3000 (study 901, case ping/",
    ),
    (
        "study.toml",
        AVG,
        '"rtt_ms"\nwhere = "rtt_ms > 3000"',
        "study.toml:17: case.0.measure.0.value: the run gave no `rtt_ms`",
    ),
    (
        "study.toml",
        AVG,
        '"rtt_ms"',
        "study.toml:17: case.0.measure.0.value: `rtt_ms` gives 3 numbers, expected one; did you"
        " mean 'avg(rtt_ms)'?",
    ),
    (
        "study.toml",
        AVG,
        '"max(app)"',
        "study.toml:17: case.0.measure.0.value: found 'echo' from `max(app)`, expected a finite",
    ),
    (
        "study.toml",
        AVG,
        '"max(rtt_ms) / 0"',
        "study.toml:17: case.0.measure.0.value: found inf from `max(rtt_ms) / 0`, expected a",
    ),
    (
        "study.toml",
        AVG,
        '"study:foo"',
        "study.toml:17: case.0.measure.0.value: the study has no study.py with the function 'foo'",
    ),
    (
        "study.toml",
        '"{bytes} B" }',
        '"{bytes} B", "ping.eco.count" = 3 }',
        "study.toml:11: case ping/1000: ping.eco.count: found",
    ),
    (
        "study.toml",
        '"{bytes} B" }',
        '"{bytes} B", "ping.echo.count" = "three" }',
        'study.toml:11: case ping/1000: ping.echo.count: found "three", expected a whole number',
    ),
    (
        "study.toml",
        "[[judge]]",
        '[[null]]\nname = "one size"\nwhat = "the size makes no difference"\ntests = ["901/*"]\n'
        'cases = ["ping/500"]\nset = { "ping.echo.paket" = "1000 B" }\n\n[[judge]]',
        "study.toml:30: null 'one size', case ping/500: ping.echo.paket: found an unknown",
    ),
]
PROGRAMS = [
    ("def bar(frame): return 1", "study.py: found no function 'foo', expected one of bar"),
    ("def fooo(frame): return 1", "study.py: found no function 'foo'; did you mean 'fooo'?"),
    ("from math import floor", "study.py: found no function 'foo', expected a function"),
    ("def foo(frame): return frame['x']", "study.py:1: ColumnNotFoundError: "),
    ("\ndef foo(frame):\n    raise SystemExit(0)", "study.py:3: SystemExit: 0"),
    ("\nfoo = frame", "study.py:2: NameError: name 'frame' is not defined"),
    ("import nowhere", "study.py:1: ModuleNotFoundError: No module named 'nowhere'"),
    ("def foo(frame) return 1", "study.py:1: SyntaxError: expected ':'"),
    ("def foo(): return 1", "study.py: TypeError: foo() takes 0 positional arguments"),
    (
        "def __getattr__(name):\n    if name == 'bar': return len\n    raise AttributeError(name)",
        "study.py: found no function 'foo', expected a function",
    ),
    ("foo = 5", "study.py: found no function 'foo'"),
    ("def foo(frame): return frame", "study.toml:17: case.0.measure.0.value: found a DataFrame"),
    ("def foo(frame): return '5'", "study.toml:17: case.0.measure.0.value: found '5' from"),
    ("def foo(frame): return None", "study.toml:17: case.0.measure.0.value: the run gave no"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    home = Path("st")
    home.mkdir()
    (home / "scenario.toml").write_text(PINGS, encoding="utf-8")
    (home / "study.toml").write_text(STUDY, encoding="utf-8")
    (home / "published.csv").write_text(PUBLISHED, encoding="utf-8")
    return home


Said = Callable[[], str]


@pytest.fixture
def said(folder: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs the study, which is refused, and returns the message."""

    def refused() -> str:
        assert call(["reproduce", str(folder)]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        return error.removeprefix("error: ")

    return refused


@pytest.mark.parametrize(
    ("name", "old", "new", "message"), [*KEYS, *CELLS, *ITEMS, *FIGURES, *IN_A_RUN]
)
def test_wrong_file_names_place_found_and_expected(
    folder: Path, said: Said, name: str, old: str, new: str, message: str
) -> None:
    text = (folder / name).read_text("utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert said().startswith(f"st/{message}")


@pytest.mark.parametrize(("program", "message"), PROGRAMS)
def test_failed_program_of_a_study_names_its_line(
    folder: Path, said: Said, program: str, message: str
) -> None:
    (folder / "study.toml").write_text(STUDY.replace(AVG, '"study:foo"'), encoding="utf-8")
    (folder / "study.py").write_text(program, encoding="utf-8")
    assert said().startswith(f"st/{message}")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "study.toml",
            b"a = '\xff'",
            "study.toml:1: found a byte 0xff that is not UTF-8, expected",
        ),
        ("published.csv", b"item\n\xff", "published.csv:2: found a byte 0xff that is not UTF-8"),
        ("published.csv", b"", "published.csv:1: found no column 'item'"),
    ],
)
def test_file_of_another_kind_is_named(
    folder: Path, said: Said, name: str, text: bytes, message: str
) -> None:
    (folder / name).write_bytes(text)
    assert said().startswith(f"st/{message}")


@pytest.mark.parametrize("name", ["loss-latncy", "001-los-latency", "01"])
def test_unknown_study_is_answered_with_the_nearest(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["reproduce", name]) == 2
    error = f"error: no study '{name}'; did you mean '001-loss-latency'?\n"
    assert capsys.readouterr().err == error


def test_program_that_is_no_text_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "study.toml").write_text(STUDY.replace(AVG, '"study:foo"'), encoding="utf-8")
    (folder / "study.py").write_bytes(b"x = '\xff'\n")
    assert call(["reproduce", str(folder), "--kept", "kept"]) == 2
    assert capsys.readouterr().err.startswith("error: st/study.py")


FIT = """
[[fit]]
name = "the line"
values = ["8 Mbit/s"]
items = ["901/ping/*"]
numbers = 2
how = "by hand"
[fit.trials]
rows = ["901/ping/*"]
"""


@pytest.mark.parametrize(
    ("trials", "message"),
    [
        ("", "trials-the-line.csv:1: found no column 'trial', expected the columns trial"),
        ("trial,901/ping/1000\n", "trials-the-line.csv: no trial of the fit 'the line'; `python"),
        (
            "trial,901/ping/100\na,1\n",
            "trials-the-line.csv:1: found the column '901/ping/100'",
        ),
        ("trial,901/ping/1000\na,x\n", "trials-the-line.csv:2: 901/ping/1000: found 'x', expected"),
        ("trial,901/ping/1000\na\n", "trials-the-line.csv:2: found 1 cell, expected 2: trial,"),
        (
            "trial,901/claim/difference\na,1\n",
            "study.toml: fit 'the line': trials.rows: found '901/ping/*', expected a pattern of",
        ),
    ],
)
def test_wrong_trials_of_a_fit_name_their_line(
    folder: Path, said: Said, trials: str, message: str
) -> None:
    (folder / "study.toml").write_text(STUDY + FIT, encoding="utf-8")
    (folder / "trials-the-line.csv").write_text(trials, encoding="utf-8")
    assert said().startswith(f"st/{message}")


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ("events\n1\n", "costs.csv:1: found no column 'case', expected the columns case,events"),
        ("case,events\na,many\n", "costs.csv:2: events: found 'many', expected a number"),
    ],
)
def test_wrong_costs_name_their_line(
    folder: Path, capsys: pytest.CaptureFixture[str], costs: str, message: str
) -> None:
    (folder / "costs.csv").write_text(costs, encoding="utf-8")
    assert call(["reproduce", str(folder), "--full", "--kept", "kept"]) == 2
    assert f"error: st/{message}" in capsys.readouterr().err


def test_program_of_a_study_may_make_functions_by_name(folder: Path) -> None:
    toml = STUDY.replace(AVG, '"study:last {bytes}"')
    (folder / "study.toml").write_text(toml, encoding="utf-8")
    program = "def __getattr__(name):\n    return lambda frame: float(name.split()[1])\n"
    (folder / "study.py").write_text(program, encoding="utf-8")
    [outcome] = study.reproduce([str(folder)])
    assert [row.ours for row in outcome.rows] == [1000, 500, 500]


@pytest.mark.parametrize(
    "words", [["golden"], ["golden", "--full"], ["golden", "--costs"], ["trials"]]
)
def test_other_programs_of_studies_name_a_mistake_in_one_line(
    folder: Path, words: list[str]
) -> None:
    (folder / "study.toml").write_text(STUDY.replace("quick", "quik"), encoding="utf-8")
    program, *options = words
    command = [sys.executable, "-m", f"uplane.study.{program}", *options, str(folder)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("error: st/study.toml:12: case.0.runs.quik: found an unknown")
    assert ended.stderr.count("\n") == 1


def test_json_has_the_facts_of_a_mistake(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "study.toml").write_text(STUDY.replace('"pings"', '"ping"'), encoding="utf-8")
    assert call(["reproduce", str(folder), "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    facts = {"file": "st/study.toml", "line": 16, "key": "case.0.measure.0.table"}
    assert (
        error.items() >= {"kind": "input", **facts, "found": "'ping'", "nearest": "pings"}.items()
    )


def test_right_study_is_accepted(folder: Path) -> None:
    loaded = study.load(folder)
    assert list(loaded.published) == ["901/ping/1000", "901/claim/difference"]
