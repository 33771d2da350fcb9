"""The command `uplane cc`: congestion controls on the same test cases."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from uplane import files
from uplane.activity import stage
from uplane.cc import (
    Case,
    Contestant,
    Result,
    built_in,
    case_of,
    cases,
    compete,
    read_contestants,
)
from uplane.cc.answer import answer
from uplane.cc.measures import MEASURES
from uplane.cc.table import columns_of, csv_of, rows_of
from uplane.cli import output
from uplane.cli.progress import progress
from uplane.cli.runs import claim, scenario_of, trust_of
from uplane.cli.show import columns, heading
from uplane.cli.text import printable
from uplane.errors import InputError
from uplane.near import refuse_unknown

__all__ = ["cc"]


def cc(  # noqa: PLR0913 - one argument an option
    names: Sequence[str],
    *,
    on: Path | None,
    sets: Path | None,
    trust: bool,
    patterns: Sequence[str],
    runs: int,
    seed: int,
    jobs: int | None,
    memory: str | None,
    out: Path | None,
    qlog: Path | None,
    report: Path | None,
) -> None:
    """Runs the cases and shows the result and a table of each."""
    claim(report)
    if out is not None:
        files.claim_file(out)
    if qlog is not None:
        files.make_sure(qlog, lambda: "something already")
    own = read_contestants(sets, trust=trust_of(is_given=trust)) if sets else []
    contestants = _chosen(names, [*built_in(), *own])
    asked = cases(patterns) if on is None else [_case_on(on, patterns, trust=trust)]
    with progress("runs") as advance:
        results = compete(
            contestants,
            asked,
            runs=runs,
            seed=seed,
            jobs=jobs,
            memory=memory,
            qlog=qlog,
            progress=advance,
        )
    sentence = answer(asked, results)
    sys.stdout.write(f"{printable(sentence)}\n\n" if sentence else "")
    files_written = {"numbers": out, "qlog": qlog, "report": report}
    sys.stdout.write("\n".join("".join(_table(case, contestants, results)) for case in asked))
    if out is not None:
        files.write_text(csv_of(results), out)
        sys.stdout.write(f"\nnumbers in {out}\n")
    if qlog is not None:
        sys.stdout.write(f"\nlogs of seed {seed} in {qlog}\n")
    if report is not None:
        from uplane.report import write_cc

        with stage("writing the report"):
            written = write_cc(asked, contestants, results, report)
        files_written["report"] = written
        sys.stdout.write(f"\nreport in {written}\n")
    if output.is_json():
        from uplane.cli import answered

        plain = [_plain(result) for result in results]
        output.give({"results": plain, "files": answered.paths(files_written)})


def _plain(result: Result) -> Mapping[str, object]:
    return {
        "case": result.case,
        "contestant": result.contestant,
        "measure": result.measure,
        "unit": UNITS[result.measure],
        "mean": result.interval.value,
        "low": result.interval.low,
        "high": result.interval.high,
        "runs": result.interval.runs,
        "of": result.runs,
    }


UNITS = {measure.name: measure.unit for measure in MEASURES}


def _case_on(path: Path, patterns: Sequence[str], *, trust: bool) -> Case:
    """Returns the case of a user's scenario."""
    if patterns:
        raise InputError("use --on for a scenario or --case for cases of the kit, not both")
    return case_of(scenario_of(path, (), trust=trust))


def _chosen(names: Sequence[str], known: Sequence[Contestant]) -> list[Contestant]:
    """Returns the contestants of these names. A set of the file hides a built-in one."""
    by_name = {contestant.name: contestant for contestant in known}
    for name, count in Counter(names).items():
        if name not in by_name:
            _refuse_unknown(name, by_name)
        if count > 1:
            message = f"found the contestant `{name}` twice; name each once"
            raise InputError(message, found=name)
    return [by_name[name] for name in (names or by_name)]


def _refuse_unknown(name: str, known: Iterable[str]) -> NoReturn:
    if "," in name:
        message = f"found the contestant `{name}`, expected names with spaces between them"
        raise InputError(message, found=name, nearest=name.replace(",", " "))
    refuse_unknown("contestant", name, known)


def _table(
    case: Case, contestants: Sequence[Contestant], results: Sequence[Result]
) -> Iterator[str]:
    yield heading(f"{case.name}: {case.question}")
    head = columns_of(case, results)
    rows = rows_of(case, contestants, results)
    yield from columns(["", *head], [[printable(row[0]), *row[1:]] for row in rows], words=1)
