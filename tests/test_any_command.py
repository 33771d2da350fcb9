"""Whatever is typed or given: an answer in time, one line, the right exit code, no traceback."""

import os
import resource
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import COMMAND, SCENARIO
from uplane.cli import call

MOST_CPU_S = 10.0
"""More than any wrong input may cost, on the slowest machine."""

CONTROLS = {chr(code) for code in [*range(32), 127, *range(128, 160)]} - {"\n"}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a good scenario, a folder, a link to nowhere, and a file of something else."""
    (tmp_path / "good.toml").write_text(SCENARIO, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "nowhere.toml").symlink_to("absent")
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "thesis.tex").write_text("important", encoding="utf-8")
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "study.toml").write_bytes(b"\xff\xfe[[[")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def answered(capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Gives a command line to the command, and what it said about it."""

    def check(*words: str, code: int) -> str:
        began = time.process_time()
        found = call(words)
        spent = time.process_time() - began
        said, complaint = capfd.readouterr()
        assert spent < MOST_CPU_S
        assert found == code, complaint
        assert "Traceback" not in complaint
        assert not CONTROLS & set(complaint)
        if code:
            assert said == ""
            assert complaint.startswith("error: ")
            assert complaint.count("\n") == 1
            assert len(complaint.encode()) < 2000
        return complaint

    return check


DEEP = 50_000
LONG = 1_000_000
RUN, SWEEP = ("run", "good.toml"), ("sweep", "good.toml")
BLER = "radio.geran.bler"

# fmt: off
WORDS: dict[str, tuple[tuple[str, ...], int, str]] = {
    # no such command, option or argument
    "an unknown command": (("fly",), 2, "fly"),
    "an empty command": (("",), 2, "uplane --help"),
    "a command of a megabyte": (("x" * LONG,), 2, "xxx"),
    "a command with an escape": (("\x1b]0;x\x07",), 2, "\\x1b]0;x\\x07"),
    "a command of lines": (("a\nb\nc",), 2, "a\\nb\\nc"),
    "a command that is right to left": (("\u202eemag",), 2, "\\u202eemag"),
    "a command in another case": (("RUN", "good.toml"), 2, "RUN"),
    "an unknown option": ((*RUN, "--bogus"), 2, "--bogus"),
    "an unknown option in front": (("--bogus", *RUN), 2, "--bogus"),
    "an unknown short option": ((*RUN, "-z"), 2, "-z"),
    "an option of a megabyte": ((*RUN, "--" + "x" * LONG), 2, "--xxx"),
    "no file": (("run",), 2, "FILE"),
    "two files": ((*RUN, "good.toml"), 2, "good.toml"),
    "a file of the name of an option": (("run", "--", "--runs"), 2, "--runs: found no such file"),
    "an argument for list": (("list", "x"), 2, "x"),
    "an argument for schema": (("schema", "x"), 2, "x"),
    "an argument for doctor": (("doctor", "x"), 2, "x"),
    "an option without its value": ((*RUN, "--runs"), 2, "--runs"),
    # numbers
    "no runs": ((*RUN, "--runs", "0"), 2, "--runs"),
    "negative runs": ((*RUN, "--runs", "-1"), 2, "--runs"),
    "part of a run": ((*RUN, "--runs", "1.5"), 2, "--runs"),
    "runs in words": ((*RUN, "--runs", "many"), 2, "--runs"),
    "runs of nothing": ((*RUN, "--runs", ""), 2, "--runs"),
    "runs beyond 64 bits": ((*RUN, "--runs", "9" * 30), 2, "seeds from 0"),
    "runs of 5000 digits": ((*RUN, "--runs", "9" * 5000), 2, "--runs"),
    "infinite runs": ((*RUN, "--runs", "inf"), 2, "--runs"),
    "no jobs": ((*RUN, "--jobs", "0"), 2, "--jobs"),
    "negative jobs": ((*RUN, "--jobs", "-3"), 2, "--jobs"),
    "a milliard of jobs": ((*RUN, "--jobs", "1000000000"), 2, "--jobs"),
    "jobs in words": ((*RUN, "--jobs", "all"), 2, "--jobs"),
    "a negative seed": ((*RUN, "--seed", "-1"), 2, "--seed"),
    "a seed beyond 64 bits": ((*RUN, "--seed", str(2**64)), 2, "seed"),
    "a seed in words": ((*RUN, "--seed", "luck"), 2, "--seed"),
    "a last seed beyond 64 bits": ((*RUN, "--seed", str(2**64 - 1), "--runs", "2"), 2, "seed"),
    # --set
    "a set without a value": ((*RUN, "--set", BLER), 2, "KEY=VALUE"),
    "a set without a key": ((*RUN, "--set", "=1"), 2, "KEY=VALUE"),
    "a set of nothing": ((*RUN, "--set", ""), 2, "KEY=VALUE"),
    "a set of a blank": ((*RUN, "--set", " = "), 2, "KEY=VALUE"),
    "a set of an empty value": ((*RUN, "--set", f"{BLER}="), 2, "KEY=VALUE"),
    "a set of an unknown key": ((*RUN, "--set", "radio.geran.blr=1"), 2, "did you mean `bler`?"),
    "a set of the wrong kind": ((*RUN, "--set", f"{BLER}=red"), 2, f"--set: {BLER}"),
    "a set out of range": ((*RUN, "--set", f"{BLER}=7"), 2, f"--set: {BLER}"),
    "a set of two lines": ((*RUN, "--set", f"{BLER}=0.1\nseed=3"), 2, "expected one value"),
    "a set of a line and a section": ((*RUN, "--set", f"{BLER}=0.1\n[x]\ny=1"), 2, "expected one value"),
    "a set of a deep list": ((*RUN, "--set", "title=" + "[" * DEEP), 2, "nested"),
    "a set of a deep and closed list": ((*RUN, "--set", "title=" + "[" * DEEP + "]" * DEEP), 2, "nested"),
    "a set of a deep table": ((*RUN, "--set", "title=" + "{a=" * DEEP), 2, "nested"),
    "a set of a megabyte": ((*RUN, "--set", f"{BLER}=" + "x" * LONG), 2, f"--set: {BLER}"),
    "a set of a key of a megabyte": ((*RUN, "--set", "x" * LONG + "=1"), 2, "--set"),
    "a set of a deep key": ((*RUN, "--set", "a." * 100 + "b=1"), 2, "--set"),
    "a set of an escape": ((*RUN, "--set", f"{BLER}=\x1b[31m"), 2, "1b}[31m"),
    "a set of an escape in the key": ((*RUN, "--set", "\x1b[31m=1"), 2, "\\u{1b}[31m"),
    "a set of dots": ((*RUN, "--set", "...=1"), 2, "--set"),
    "a set of 5000 digits": ((*RUN, "--set", f"{BLER}=" + "9" * 5000), 2, f"--set: {BLER}"),
    "a set of an infinity": ((*RUN, "--set", f"{BLER}=1e999"), 2, f"--set: {BLER}"),
    "a set of no number": ((*RUN, "--set", f"{BLER}=nan"), 2, f"--set: {BLER}"),
    "a set of a date": ((*RUN, "--set", "duration=2026-01-01"), 2, "--set: duration"),
    "a set of a list for a section": ((*RUN, "--set", "radio=[1,2]"), 2, "radio"),
    "a set of a second radio": ((*RUN, "--set", 'radio.lte.tti=1 ms'), 2, "error: --set: radio: found"),
    "a set of a number for a section": ((*RUN, "--set", "radio=5"), 2, "radio"),
    "a set of a text for a list": ((*RUN, "--set", "ping=x"), 2, "--set: ping"),
    "a set in a list that is not there": ((*RUN, "--set", "upload.a.file=1 kB"), 2, "--set: upload"),
    "a set of a milliard of UEs": ((*RUN, "--set", 'ue=[{name="u",count=1000000000}]'), 2, "--set: ue.0.count"),
    "a set of a whole list, wrong": ((*RUN, "--set", 'ping=[{name="a",cuont=1}]'), 2, "--set: ping.0.cuont"),
    "a set that is not UTF-8": ((*RUN, "--set", "title=\udcff"), 2, "\\xff"),
    # --vary
    "nothing to vary": (SWEEP, 2, "--vary"),
    "a vary without values": ((*SWEEP, "--vary", BLER), 2, "KEY=A,B,C"),
    "a vary of nothing": ((*SWEEP, "--vary", f"{BLER}="), 2, "KEY=A,B,C"),
    "a vary with a hole": ((*SWEEP, "--vary", f"{BLER}=0.1,,0.2"), 2, "an empty value"),
    "a vary of commas": ((*SWEEP, "--vary", f"{BLER}=,,,"), 2, "an empty value"),
    "a vary of one value in two spellings": ((*SWEEP, "--vary", f"{BLER}=5 %,5%"), 2, "the same value"),
    "a vary of what is set": ((*SWEEP, "--vary", f"{BLER}=0.1,0.2", "--set", f"{BLER}=0.3"), 2, "is both set and varied"),
    "a vary of a section of which a key is set": ((*SWEEP, "--vary", 'download=[{name="a",file="1 kB"}],[]', "--set", "download.a.file=2 kB"), 2, "is set and"),
    "a range of two units": ((*SWEEP, "--vary", "radio.geran.rlc_rtt=5 ms:1 s:5 ms"), 2, "FIRST:LAST:STEP"),
    "a range downwards": ((*SWEEP, "--vary", f"{BLER}=0.3:0.1:0.1"), 2, "FIRST:LAST:STEP"),
    "a range without a step": ((*SWEEP, "--vary", f"{BLER}=0.1:0.3:0"), 2, "FIRST:LAST:STEP"),
    "a range of a milliard": ((*SWEEP, "--vary", f"{BLER}=0:1:0.000000001"), 2, "at most 100000 values"),
    "keys of other lengths, zipped": ((*SWEEP, "--zip", "--vary", f"{BLER}=0.1,0.2", "--vary", "ping.echo.count=3"), 2, "as many values"),
    "one file twice": ((*SWEEP, "good.toml", "--vary", f"{BLER}=0.1"), 2, "different names"),
    "a shard beyond the last": ((*SWEEP, "--vary", f"{BLER}=0.1,0.2", "--shard", "3/2"), 2, "shard 3/2"),
    "a shard of none": ((*SWEEP, "--vary", f"{BLER}=0.1,0.2", "--shard", "0/2"), 2, "shard 0/2"),
    "a shard in words": ((*SWEEP, "--vary", f"{BLER}=0.1,0.2", "--shard", "two"), 2, "expected K/N"),
    "a report of no folder": (("report", "absent"), 2, "absent: no such folder"),
    "a report of other things": (("report", "thesis"), 2, "not a folder of a campaign"),
    "a merge of nothing": (("merge", "--out", "m"), 2, "DIR"),
    "a merge without a place": (("merge", "folder"), 2, "--out"),
    "a merge of other things": (("merge", "folder", "--out", "m"), 2, "not a folder of a campaign"),
    "a vary of one value twice": ((*SWEEP, "--vary", f"{BLER}=0.1,0.1"), 2, "twice"),
    "a vary of a key twice": ((*SWEEP, "--vary", f"{BLER}=0.1", "--vary", f"{BLER}=0.2"), 2, "twice"),
    "a vary out of range": ((*SWEEP, "--vary", f"{BLER}=0.1,2"), 2, f"--vary: {BLER}"),
    "a vary of an unknown key": ((*SWEEP, "--vary", "colour=1,2"), 2, "colour"),
    "a vary of seeds": ((*SWEEP, "--vary", "seed=1,2"), 2, "choose them with --seed and --runs"),
    "a vary of a deep list": ((*SWEEP, "--vary", "title=" + "[" * DEEP), 2, "nested"),
    "a vary of two lines": ((*SWEEP, "--vary", f"{BLER}=0.1\nseed=3,0.2"), 2, "expected one value"),
    "a vary of 10^9 variants": ((*SWEEP, *[word for key in "abc" for word in ("--vary", f"{key}=" + ",".join(map(str, range(1000))))]), 2, "unknown key"),
    "a vary inside a list, wrong": ((*SWEEP, "--vary", 'ue=[{name="u",count=0}]'), 2, "--vary: ue.0.count"),
    # places to write to
    "results in a file": ((*RUN, "--out", "good.toml"), 2, "would overwrite the input good.toml"),
    "results below a file": ((*RUN, "--out", "good.toml/x"), 1, "a file, not a folder"),
    "results beside a thesis": ((*RUN, "--out", "thesis"), 2, "files of something else"),
    "a campaign beside a thesis": ((*RUN, "--runs", "2", "--out", "thesis"), 2, "files of something else"),
    "results in a device": ((*RUN, "--out", "/dev/null"), 1, "/dev/null"),
    "results where nobody may write": ((*RUN, "--out", "/proc/x"), 1, "/proc/x"),
    "results in a name too long": ((*RUN, "--out", "x" * 300), 1, "xxx"),
    "results in a path too long": ((*RUN, "--out", "x/" * 5000), 1, "x/x"),
    "results in a name with an escape, below a file": ((*RUN, "--out", "good.toml/\x1b[31m"), 1, "\\x1b[31m"),
    "results in a name that is not UTF-8": ((*RUN, "--out", "\udcff\udcfe"), 2, "\\xff\\xfe"),
    "results behind a link that loops": ((*RUN, "--out", "loop.toml/x"), 1, "loop.toml"),
    "a report in a device": ((*RUN, "--report", "/proc/x.html"), 1, "/proc/x.html"),
    "a report below a file": ((*RUN, "--report", "good.toml/x.html"), 1, "good.toml"),
    "verdicts in a folder": (("reproduce", "004", "--verdicts", "folder"), 1, "folder"),
    "verdicts below a file": (("reproduce", "004", "--verdicts", "good.toml/x.json"), 1, "good.toml"),
    "a study's report in a file's place": (("reproduce", "004", "--out", "good.toml/x"), 1, "good.toml"),
    # files and studies that are not there, or not readable
    "no such file": (("run", "absent.toml"), 2, "absent.toml: found no such file"),
    "no file name": (("run", ""), 2, "found"),
    "a folder": (("run", "folder"), 2, "found a folder"),
    "this folder": (("run", "."), 2, "found a folder"),
    "a link to nowhere": (("run", "nowhere.toml"), 2, "found no such file"),
    "a link that loops": (("run", "loop.toml"), 2, "loop.toml: found"),
    "a path through a file": (("run", "good.toml/x"), 2, "good.toml/x: found"),
    "a file name too long": (("run", "x" * 300), 2, "xxx"),
    "a path too long": (("run", "x/" * 5000), 2, "x/x"),
    "a file name with an escape": (("run", "\x1b[31m.toml"), 2, "\\x1b[31m.toml"),
    "a file name of lines": (("run", "a\nb.toml"), 2, "a\\nb.toml"),
    "a file name that is not UTF-8": (("run", "caf\udce9.toml"), 2, "caf\\xe9.toml"),
    "a device": (("run", "/dev/null"), 2, "found a device"),
    "memory of this process": (("run", "/proc/self/mem"), 2, "/proc/self/mem: found"),
    "an unknown study": (("reproduce", "no-such-study"), 2, "no study 'no-such-study'"),
    "a study of nothing": (("reproduce", ""), 2, ""),
    "a study with an escape": (("reproduce", "\x1b[31m"), 2, "\\x1b[31m"),
    "a study that is not UTF-8": (("reproduce", "\udcff"), 2, "\\xff"),
    "a folder without a study": (("reproduce", "./folder"), 2, "folder"),
    "advice about no file": (("advise", "absent.toml"), 2, "absent.toml"),
    "advice without runs": (("advise", "good.toml", "--runs", "0"), 2, "--runs"),
    "advice about a set of lines": (("advise", "good.toml", "--set", f"{BLER}=0\nx=1"), 2, "expected one value"),
}

FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "radio"),
    "one NUL": (b"\0", "expected TOML"),
    "NULs": (b"\0" * 100_000, "expected TOML"),
    "every byte": (bytes(range(256)), "not UTF-8"),
    "an ELF": (b"\x7fELF\x02\x01\x01\0" * 1000, "expected TOML"),
    "UTF-16": (("﻿" + SCENARIO).encode("utf-16"), "not UTF-8"),
    "UTF-16 without a mark": (SCENARIO.encode("utf-16-le"), "expected TOML"),
    "UTF-32": (SCENARIO.encode("utf-32"), "not UTF-8"),
    "Latin-1": ('title = "Zürich"\n'.encode("latin-1"), "not UTF-8"),
    "UTF-8 cut short": ('title = "Zü'.encode()[:-1], "not UTF-8"),
    "a surrogate": (b'title = "\xed\xa0\x80"', "not UTF-8"),
    "JSON": (b'{"radio": {"geran": {}}}', "expected TOML"),
    "YAML": (b"radio:\n  geran:\n    bler: 0.1\n", "expected TOML"),
    "XML": (b"<scenario/>", "expected TOML"),
    "prose": (b"It was a dark and stormy night.\n" * 1000, "expected TOML"),
    "a line of a megabyte": (b"x" * LONG, "expected TOML"),
    "a text of a megabyte in a wrong place": (b'duration = "' + b"x" * LONG + b'"', "duration"),
    "a key of a megabyte": (b"x" * LONG + b" = 1\n", "expected"),
    "deep lists": (b"title = " + b"[" * DEEP, "expected"),
    "deep lists, closed": (b"title = " + b"[" * DEEP + b"]" * DEEP, "expected"),
    "deep tables": (b"title = " + b"{a=" * DEEP, "expected"),
    "a deep section": (b"[" + b"a." * 1000 + b"b]\n", "expected"),
    "many brackets": (b"[" * DEEP, "expected"),
    "an escape": (b'[radio.geran]\nprofile = "\\u001b]0;x\\u0007"\n', "\\u{1b}]0;x\\u{7}"),
    "an escape in a key": (b'"\\u001b[31m" = 1\n', "\\u{1b}[31m"),
    "a bell in a comment": (b"# \x07\n", "expected TOML"),
    "a text right to left": ('[radio.geran]\nprofile = "\u202eegde"\n'.encode(), "\\u{202e}"),
    "a text of lines": (b'[radio.geran]\nprofile = "a\\nb"\n', "a\\nb"),
    "a text that is not closed": (b'title = "', "expected"),
    "a section that is not closed": (b"[radio.geran\n", "expected TOML"),
    "a key twice": (b"seed = 1\nseed = 2\n", "expected TOML"),
    "a number of 10^5 digits": (b"seed = " + b"9" * 100_000, "expected"),
    "a date": (b"seed = 2026-01-01\n", "seed"),
    "two radios": (b"[radio.geran]\n[radio.fixed]\n", "radio"),
    "an unknown section": (b"[colour]\n", "colour"),
    "10^4 unknown keys": (b"".join(b"k%d = 1\n" % n for n in range(10_000)), "unknown key"),
    "carriage returns": (SCENARIO.replace("\n", "\r").encode(), "expected"),
    "a study": (b'title = "x"\n[[case]]\nname = "a"\n', "unknown key"),
}
# fmt: on


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(("words", "code", "phrase"), WORDS.values(), ids=WORDS.keys())
def test_wrong_words_get_one_line_and_the_right_code(
    answered: Callable[..., str], words: tuple[str, ...], code: int, phrase: str
) -> None:
    assert phrase in answered(*words, code=code)


@pytest.mark.parametrize(("content", "phrase"), FILES.values(), ids=FILES.keys())
def test_wrong_files_get_one_line_and_code_2(
    answered: Callable[..., str], place: Path, content: bytes, phrase: str
) -> None:
    (place / "wrong.toml").write_bytes(content)
    said = answered("run", "wrong.toml", code=2)
    assert said.startswith("error: wrong.toml")
    assert phrase in said


@pytest.mark.usefixtures("place")
def test_a_study_that_is_no_text_gets_one_line(answered: Callable[..., str]) -> None:
    assert "study" in answered("reproduce", "./study", code=2)


@pytest.mark.parametrize("ending", [b"\r\n", b"\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_files_of_other_editors_are_fine(
    answered: Callable[..., str], place: Path, ending: bytes, mark: bytes
) -> None:
    (place / "other.toml").write_bytes(mark + SCENARIO.encode().replace(b"\n", ending))
    answered("run", "other.toml", code=0)


@pytest.fixture
def whole(place: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs a command line of the shell, as a process of its own."""

    def run(line: str, **options: object) -> subprocess.CompletedProcess[bytes]:
        environment = {**os.environ, "UPLANE": str(COMMAND)}
        return subprocess.run(  # type: ignore[call-overload, no-any-return] # options of any kind
            ["/bin/bash", "-o", "pipefail", "-c", line],
            capture_output=True,
            cwd=place,
            env=environment,
            timeout=120,
            check=False,
            **options,
        )

    return run


@pytest.mark.parametrize(
    ("line", "code", "complaint"),
    [
        ("$UPLANE schema | head -n 1", 1, b""),
        ("$UPLANE run good.toml | true", 1, b""),
        ("$UPLANE run good.toml > /dev/full", 1, b"error: No space left on device\n"),
        ("$UPLANE list >&-", 0, b""),
        ("$UPLANE run absent.toml 2>&-", 2, b""),
        ("$UPLANE run good.toml < /dev/null >&- 2>&-", 0, b""),
        ("$UPLANE run $'caf\\xe9.toml'", 2, b"error: found caf\\xe9.toml, expected an argument"),
        ("$UPLANE run good.toml --out $'\\xff'", 2, b"error: found \\xff, expected an argument"),
        ("$UPLANE run good.toml --set $'title=\\xff'", 2, b"error: found title=\\xff, expected"),
        ("cd folder; rmdir ../folder; $UPLANE run ../good.toml", 0, b""),
        ("HOME= LC_ALL=C PYTHONUTF8=0 TERM= $UPLANE run good.toml", 0, b""),
    ],
)
def test_whatever_the_streams_are(
    whole: Callable[..., subprocess.CompletedProcess[bytes]],
    line: str,
    code: int,
    complaint: bytes,
) -> None:
    done = whole(line)
    assert done.stderr.startswith(complaint)
    assert complaint or not done.stderr
    assert b"Traceback" not in done.stderr
    if "|" not in line:  # of a pipe it depends on who was first
        assert done.returncode == code


def test_memory_that_does_not_suffice_is_no_traceback(
    whole: Callable[..., subprocess.CompletedProcess[bytes]], place: Path
) -> None:
    (place / "big.toml").write_bytes(b'title = "' + b"x" * (63 << 20) + b'"\n')
    limit = 130 << 20
    done = whole(
        "$UPLANE run big.toml",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),
    )
    assert done.returncode == 1
    assert done.stderr == b"error: the memory of this machine does not suffice\n"
