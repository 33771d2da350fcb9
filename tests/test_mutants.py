"""`make mutants` puts every mutant of a Rust source behind a switch."""

import re
from pathlib import Path

import pytest

from mutants import playing
from mutants.rewriting import Mutant, Rewritten, rewrite
from mutants.summary import Folder, interval, report

ANY = "crate::mutation::any"


def mutant(source: str, at: str, genre: str, replacement: str, number: int = 1) -> Mutant:
    """Returns the mutant that replaces the text `at` of the source."""
    line, column = source[: source.index(at)].count("\n"), source.index(at)
    column -= source.rfind("\n", 0, column) + 1
    last = column + len(at) + 1
    places = ((line + 1, column + 1), (line + 1, last))
    return Mutant(number, "name", "file", genre, replacement, "", *places)


def switched(written: Rewritten, number: int) -> str:
    """The source with each switch answered, as it is when one mutant is on."""
    text = written.text.decode()
    asked = re.compile(rf"{re.escape(ANY)}\((\d+), (\d+)\)")
    return asked.sub(lambda it: str(int(it[1]) <= number <= int(it[2])).lower(), text)


def test_an_operator_becomes_a_choice_of_expressions() -> None:
    source = "fn f() -> u32 { a + b }"
    less = mutant(source, "+", "BinaryOperator", "-", 4)
    times = mutant(source, "+", "BinaryOperator", "*", 5)
    assert rewrite(source, [less, times]).text.decode() == (
        f"fn f() -> u32 {{ (if !{ANY}(4, 5) {{ a + b }}"
        f" else if {ANY}(4, 4) {{ (a) - (b) }} else {{ (a) * (b) }}) }}"
    )


def test_an_operator_never_regroups_its_neighbours() -> None:
    source = "fn f() -> u32 { a * b + c }"
    plus = mutant(source, "*", "BinaryOperator", "+")
    assert "else { (a) + (b) }) + c }" in switched(rewrite(source, [plus]), 1)


def test_operand_switch_is_inside_the_outer_switch() -> None:
    source = "fn f() -> bool { !x && y }"
    both = mutant(source, "&&", "BinaryOperator", "||", 1)
    not_x = mutant(source, "!", "UnaryOperator", "", 2)
    assert rewrite(source, [both, not_x]).text.decode() == (
        f"fn f() -> bool {{ (if !{ANY}(1, 1) {{ (if !{ANY}(2, 2) {{ !x }} else {{ (x) }}) && y }}"
        " else { (!x) || (y) }) }"
    )


def test_an_assignment_keeps_its_place() -> None:
    source = "fn f() { *self.count += 1; }"
    less = mutant(source, "+=", "BinaryOperator", "-=")
    assert (
        "{ *self.count += 1 } else { *self.count -= (1) });"
        in rewrite(source, [less]).text.decode()
    )


def test_a_body_returns_before_it_begins() -> None:
    source = "fn f() -> u32 {\n    a + b\n}"
    body = mutant(source, "a + b", "FnValue", "0", 1)
    less = mutant(source, "+", "BinaryOperator", "-", 2)
    lines = rewrite(source, [less, body]).text.decode().splitlines()
    assert lines[1].startswith(f"    if {ANY}(1, 1) {{ return 0; }} (if !{ANY}(2, 2)")


def test_mutated_arm_is_skipped_by_a_false_guard() -> None:
    source = "fn f() { match x { A => 1, B if y => 2, _ => 3 } }"
    first = mutant(source, "A => 1", "MatchArm", "", 1)
    second = mutant(source, "B if y => 2", "MatchArm", "", 2)
    assert rewrite(source, [first, second]).text.decode() == (
        f"fn f() {{ match x {{ A if !{ANY}(1, 1) => 1, B if !{ANY}(2, 2) && (y) => 2, _ => 3 }} }}"
    )


def test_a_guard_becomes_true_or_false() -> None:
    source = "fn f() { match x { B if y => 2, _ => 3 } }"
    true = mutant(source, "y", "MatchArmGuard", "true", 1)
    false = mutant(source, "y", "MatchArmGuard", "false", 2)
    text = rewrite(source, [true, false]).text.decode()
    assert (
        f"B if (if !{ANY}(1, 2) {{ y }} else if {ANY}(1, 1) {{ true }} else {{ false }}) =>" in text
    )


@pytest.mark.parametrize("field", ["b: 2", "a: 1"])
def test_a_field_is_left_to_the_base(field: str) -> None:
    source = "fn f() -> S { S { a: 1, b: 2, ..S::new() } }"
    text = rewrite(source, [mutant(source, field, "StructField", "")]).text.decode()
    other = re.search(r"else { (.*) }\) }$", text)
    kept = {"b: 2": "a: 1", "a: 1": "b: 2"}[field]
    assert other is not None
    assert other[1].replace(" ", "") == f"S{{{kept},..S::new()}}".replace(" ", "")


def test_columns_count_characters() -> None:
    source = 'fn f() -> u32 { g("µµµ" * a) + b }'
    less = mutant(source, "+", "BinaryOperator", "-")
    assert '(g("µµµ" * a)) - (b)' in rewrite(source, [less]).text.decode()


def test_or_beside_let_is_invalid_rust() -> None:
    source = "fn f() { if let Some(x) = y && z {} }"
    written = rewrite(source, [mutant(source, "&&", "BinaryOperator", "||")])
    assert (written.text.decode(), written.wrong) == (source, {1})


def test_a_returned_impl_has_no_switch() -> None:
    body = Mutant(1, "name", "file", "FnValue", "empty()", "-> impl Iterator", (1, 8), (1, 9))
    written = rewrite("fn f() {a}", [body])
    assert (written.text, written.refused) == (b"fn f() {a}", {1})


def test_a_constant_has_no_switch() -> None:
    source = "const A: u32 = 1 + 2;"
    written = rewrite(source, [mutant(source, "+", "BinaryOperator", "-")])
    assert (written.text.decode(), written.refused) == (source, {1})


def test_error_is_assigned_to_its_mutant() -> None:
    source = "fn f() -> u32 { a + (b * c) }"
    less = mutant(source, "+", "BinaryOperator", "-", 1)
    over = mutant(source, "*", "BinaryOperator", "/", 2)
    written = rewrite(source, [less, over])

    def blamed(words: str) -> tuple[set[int], bool]:
        start = written.text.index(words.encode())
        region = written.around(start, start + len(words))
        assert region is not None
        return set(region.numbers), region.is_mutant

    assert blamed("(b) / (c)") == ({2}, True)
    assert blamed("(a) - ((b * c))") == ({1}, True)
    assert blamed("{ b * c }") == ({2}, False)
    assert blamed("else { (a)") == ({1}, False)
    assert written.around(0, 2) is None


def test_quick_tests_run_first_in_batches_by_program() -> None:
    def test(program: str, seconds: float) -> playing.Test:
        return playing.Test(Path(program), f"{program}{seconds}", seconds, frozenset())

    tests = [test("a", 9), test("b", 0.02), test("a", 0.01), test("a", 0.03), test("b", 1)]
    names = [[each.name for each in batch] for batch in playing.batches(tests, most=60)]
    assert names == [["a0.01", "a0.03"], ["b0.02"], ["b1"], ["a9"]]


def test_no_batch_starts_after_a_mutants_time() -> None:
    def test(seconds: float) -> playing.Test:
        return playing.Test(Path("a"), f"{seconds}", seconds, frozenset())

    names = [[each.name for each in it] for it in playing.batches(map(test, (1, 3, 5)), most=4)]
    assert names == [["1"], ["3"]]


def test_the_interval_of_a_share() -> None:
    # Wilson 1927, for 9 of 10: (9 + 1.92 ± 1.96 · √(0.9 + 0.96)) / 13.84
    assert interval(9, 10) == pytest.approx((0.596, 0.982), abs=0.001)
    assert interval(0, 0) == (0, 1)


def test_summary_counts_played_and_names_missed_mutants() -> None:
    words = {
        "a.rs:1:2: caught": "caught",
        "a.rs:2:2: caught by time": "time limit",
        "a.rs:3:2: survived": "survived",
        "a.rs:4:2: not reached": "not reached",
        "a.rs:5:2: wrong": "does not compile",
        "a.rs:6:2: constant": "no switch",
        "a.rs:7:2: after ctrl-C": "not played",
    }
    lines = list(report([Folder("net", 1200, words), Folder("tcp", 9, {})]))
    assert [line for line in lines if "a.rs" in line] == [
        f"  a.rs:{line}" for line in ("3:2: survived", "4:2: not reached", "6:2: constant")
    ]
    # Wilson for 2 of 4.
    assert lines[-2].split() == [
        "net",
        "1200",
        "7",
        "6",
        "4",
        "2",
        "1",
        "50.0%",
        "15%",
        "to",
        "85%",
    ]
    assert lines[-1].split()[:7] == ["tcp", "9", "0", "0", "0", "0", "0"]
