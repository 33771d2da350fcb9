"""The commands `uplane run` and `uplane sweep`: run, print, and write the files."""

import re
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import prod
from pathlib import Path
from typing import Any

from uplane import campaign, folder
from uplane.activity import stage
from uplane.campaign import Campaign
from uplane.campaign.until import Until
from uplane.cli import output
from uplane.cli.guard import FAILED, fail
from uplane.cli.inside import Inside
from uplane.cli.places import is_file, is_folder
from uplane.cli.progress import progress, quiet
from uplane.cli.show import show
from uplane.cli.signals import leave, said
from uplane.errors import InputError, ScenarioError
from uplane.example import examples
from uplane.near import meant, nearest
from uplane.scenario import Scenario, load
from uplane.trust import Trust

__all__ = [
    "Inside",
    "Seeds",
    "Variants",
    "claim",
    "give_runs",
    "parse_value",
    "read",
    "run",
    "scenario_of",
    "settings_of",
    "split_values",
    "sweep",
    "trust_of",
    "vary_of",
]


def run(  # noqa: PLR0913 - one argument an option
    file: Path,
    pairs: Sequence[str],
    seeds: "Seeds",
    *,
    trust: bool,
    jobs: int | None,
    memory: str | None,
    threads: int,
    out: Path | None,
    report: Path | None,
    inside: Inside,
) -> None:
    """Runs one scenario with one or several seeds."""
    scenario = inside.recorded(scenario_of(file, pairs, trust=trust))
    claim(report)
    inside.claim(is_one=seeds.runs == 1 and seeds.until is None)
    options = {**seeds.options(), "threads": threads, "memory": memory}
    if seeds.runs > 1 or seeds.until or out is None:
        tables = bool(inside) or _keeps_tables(report, seeds, 1)
        done = _run(scenario, {}, jobs=jobs, out=out, tables=tables, **options)
    else:
        folder.claim(out, scenario=scenario.effective)
        done = _run(scenario, {}, tables=True, **options)
        with stage("saving the results"):
            done.runs[0].results.save(out)
    written = []
    if inside:
        with stage("writing the inside of the run"):
            written = list(inside.write(done.runs[0].results, scenario))
    _tell(done, out, report, seeds.until, inside)
    sys.stdout.write("".join(written))
    _fail_if_incomplete(done)


@dataclass(frozen=True)
class Seeds:
    """The seeds of the command line: the first, their number, and the stopping condition."""

    first: int | None
    runs: int
    until: str | None

    def options(self) -> dict[str, Any]:
        """Returns the seeds as arguments of `uplane.sweep`."""
        return {"seed": self.first, "runs": self.runs, "until": self.until}


@dataclass(frozen=True)
class Variants:
    """The variants of the command line.

    Attributes:
        vary: Keys with their values.
        is_zipped: Whether they are varied together.
        shard: Which part of the runs is made, as in `2/3`.
        dask: The cluster that makes them.
    """

    vary: Sequence[str]
    is_zipped: bool
    shard: str | None
    dask: str | None


def sweep(  # noqa: PLR0913 - the options of the command
    files: Sequence[Path],
    variants: Variants,
    pairs: Sequence[str],
    seeds: Seeds,
    *,
    trust: bool,
    jobs: int | None,
    memory: str | None,
    out: Path | None,
    report: Path | None,
) -> None:
    """Runs variants: values of settings, several files, or both."""
    vary = vary_of(variants.vary)
    if not vary and len(files) == 1:
        raise InputError("found nothing to vary, expected --vary KEY=A,B,C, or several files")
    shard = _shard(variants.shard)
    if shard != (1, 1) and out is None:
        message = (
            f"--shard {variants.shard} needs --out DIR: `uplane merge` joins the folders of all "
            "parts"
        )
        raise InputError(message, key="--shard", found=variants.shard or "")
    scenarios = [read(file, trust=trust) for file in files]
    settings = settings_of(pairs)
    claim(report)
    done = _run(
        scenarios,
        vary,
        set=settings,
        zip=variants.is_zipped,
        shard=shard,
        dask=variants.dask,
        jobs=jobs,
        memory=memory,
        out=out,
        tables=_keeps_tables(report, seeds, len(files) * prod(map(len, vary.values()))),
        **seeds.options(),
    )
    _tell(done, out, report, seeds.until, Inside())
    _fail_if_incomplete(done)


def _fail_if_incomplete(done: Campaign) -> None:
    """Exits with 1 where runs have failed; their reasons stand among the warnings."""
    if done.failed:
        message = f"{len(done.failed)} of {done.planned} runs took more memory than they may"
        output.fail("incomplete", message)
        raise fail(message, FAILED)


def _keeps_tables(report: Path | None, seeds: Seeds, variants: int) -> bool:
    """Returns whether tables are kept for the page: for at most `MOST_KEPT` runs."""
    return report is not None and seeds.until is None and variants * seeds.runs <= MOST_KEPT


def _shard(text: str | None) -> tuple[int, int]:
    """Returns `2/3` as numbers."""
    if text is None:
        return 1, 1
    part, _, of = text.partition("/")
    if not (part.isdecimal() and of.isdecimal() and len(text) < 20):
        message = f"found the shard {text!r}, expected K/N, as in 2/3"
        raise InputError(message)
    return int(part), int(of)


def claim(report: Path | None) -> None:
    """Checks before all runs that the report can be written."""
    if report is not None:
        from uplane import report as pages

        pages.claim(report)


def _tell(
    done: Campaign, out: Path | None, report: Path | None, until: str | None, inside: Inside
) -> None:
    """Writes the report, then prints, so that a closed pipe does not lose the report."""
    with stage("writing the report"):
        written = None if report is None else done.report(report)
    give_runs(done, {"results": out, "report": written, **vars(inside)})
    show(done)
    if until is not None:
        sys.stdout.write(f"\n{Until.parsed(until).said(done.samples(), len(done.seeds))}\n")
    kept = {"results": out, "report": written}
    lines = [f"{what} in {place}\n" for what, place in kept.items() if place is not None]
    sys.stdout.write("\n" * bool(lines) + "".join(lines))
    if written and not _has_tables(done):
        sys.stderr.write(
            f"left out: the report has no distributions and no figures over time: tables are kept "
            f"for at most {MOST_KEPT} runs and without --until; --out keeps them in files\n"
        )


def give_runs(done: Campaign, files: Mapping[str, Path | None]) -> None:
    """Gives the runs as the result of the command, if it is to print JSON."""
    if output.is_json():
        from uplane.cli import answered

        with stage("summarising"):
            output.give(answered.runs(done, files))


def _has_tables(done: Campaign) -> bool:
    try:
        return bool(done["warnings"].columns)
    except InputError:
        return False


def _run(
    scenario: campaign.Scenarios,
    vary: Mapping[str, Sequence[object]],
    *,
    tables: bool = False,
    **options: Any,  # noqa: ANN401 - those of `uplane.sweep`
) -> Campaign:
    try:
        with progress("runs") as advance:
            return campaign.sweep(scenario, vary=vary, tables=tables, progress=advance, **options)
    except campaign.Interrupted as stopped:
        quiet()
        word, code = said()
        _say_what_is_kept(word, stopped.campaign, options.get("out"))
        output.fail("interrupted", word)
        output.end(code)
        leave(code)


def _say_what_is_kept(word: str, done: Campaign, out: Path | None) -> None:
    if len(done):
        give_runs(done, {"results": out})
        show(done)
    kept = f"; they are kept in {out}, and the same command goes on from there" if out else ""
    sys.stderr.write(f"{word}: {len(done)} of {done.planned} runs are finished{kept}\n")


def read(file: Path, *, trust: bool) -> Scenario:
    """Returns the scenario of a file; `trust` is `--trust` for its programs."""
    with stage(f"reading {file}"):
        try:
            return load(file).trusting(trust_of(is_given=trust))
        except ScenarioError as error:
            if error.file != str(file) or is_file(file) or is_folder(file) or str(file) == "-":
                raise
            raise _absent(file, error) from None


def _absent(file: Path, error: ScenarioError) -> ScenarioError:
    """Returns the error of a missing file, with the file or the example of a similar name."""
    beside = file.parent.glob("*.toml") if is_folder(file.parent) else ()
    near = nearest(file.stem, (path.stem for path in beside))
    if near is not None:
        place = str(file.with_name(f"{near}.toml"))
        message = f"{file}: found {error.found}{meant(place)}"
        return ScenarioError(message, error.file, None, "", error.found, error.expected, place)
    if file.stem in {each.name for each in examples()}:
        message = f"{file}: found {error.found}; `uplane new {file.stem}` writes this example"
        return ScenarioError(message, error.file, None, "", error.found, error.expected)
    return error


def trust_of(*, is_given: bool) -> Trust:
    """Returns the trust of `--trust`, which is remembered."""
    return Trust.REMEMBERED if is_given else Trust.ASKED


def scenario_of(file: Path, pairs: Sequence[str], *, trust: bool) -> Scenario:
    """Returns the scenario of a file with the values of `--set`."""
    settings = settings_of(pairs)
    return read(file, trust=trust).with_settings(settings)


def settings_of(pairs: Sequence[str]) -> dict[str, object]:
    """Returns the values of `--set` by key; the last value of a key wins."""
    return {key: parse_value(text) for key, text in _pairs(pairs, "KEY=VALUE", "0.2")}


def vary_of(texts: Sequence[str]) -> dict[str, list[object]]:
    """Returns the values of `--vary` by key."""
    vary: dict[str, list[object]] = {}
    for key, text in _pairs(texts, "KEY=A,B,C or KEY=FIRST:LAST:STEP", "0.1,0.2"):
        if key == "seed":
            message = "all variants get the same seeds: choose them with --seed and --runs"
            raise InputError(message, key="--vary", found=f"seed={text}")
        if key in vary:
            message = f"found --vary {key} twice, expected all its values in one: {key}=A,B,C"
            raise InputError(message)
        parts = split_values(text)
        vary[key] = [parse_value(value) for each in parts for value in spread(each)]
        for part in parts:
            _tell_last(key, part)
    return vary


def spread(text: str) -> list[str]:
    """Returns `5 ms:15 ms:5 ms` as `5 ms`, `10 ms`, `15 ms`, and any other text unchanged."""
    found = [QUANTITY.fullmatch(part.strip()) for part in text.split(":")]
    if len(found) != 3 or not all(found):
        return [text]
    first, last, step = (Decimal(part[1]) for part in found if part)
    units = {part[2] for part in found if part}
    if len(units) > 1 or step <= 0 or last < first or (last - first) / step > MOST_VALUES:
        expected = f"FIRST:LAST:STEP of one unit, upwards, with at most {MOST_VALUES} values"
        message = f"found {text!r}, expected {expected}"
        raise InputError(message)
    unit = units.pop()
    count = int((last - first) / step) + 1
    return [f"{(first + number * step).normalize():f} {unit}".strip() for number in range(count)]


def _tell_last(key: str, text: str) -> None:
    """States the last value of a range whose step does not lead to its end."""
    values = spread(text)
    end = QUANTITY.fullmatch(text.rpartition(":")[0].rpartition(":")[2].strip())
    last = QUANTITY.fullmatch(values[-1])
    if len(values) > 1 and end and last and Decimal(end[1]) != Decimal(last[1]):
        step = text.rpartition(":")[2].strip()
        sys.stderr.write(
            f"{key}: the last value is {values[-1]}, since steps of {step} from {values[0]} do not "
            f"lead to {end[0]}\n"
        )


def _pairs(texts: Iterable[str], form: str, example: str) -> Iterable[tuple[str, str]]:
    for text in texts:
        key, equals, value = text.partition("=")
        if not (equals and key.strip() and value.strip()):
            message = f"found {text!r}, expected {form}, as in radio.geran.bler={example}"
            raise InputError(message)
        yield key.strip(), value.strip()


def parse_value(text: str) -> object:
    """Returns a value as TOML reads it, and other text as a string, such as `5 ms`."""
    try:
        content = tomllib.loads(f"value = {text}")
    except RecursionError:
        message = f"found {text!r}, expected a value that is not nested so deep"
        raise InputError(message) from None
    except ValueError:  # not TOML, or a number of thousands of digits
        return text
    if content.keys() != {"value"}:
        message = f"found {text!r}, expected one value; each further one needs its own --set"
        raise InputError(message)
    value = content["value"]
    return value if isinstance(value, bool | int | float | str | list | dict) else text


def split_values(text: str) -> list[str]:
    """Splits a text at commas outside of brackets, braces and quotes."""
    parts, depth, quote = [""], 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        else:
            depth += (character in "[{") - (character in "]}")
        if character == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += character
    values = [part.strip() for part in parts]
    if not all(values):
        message = f"found an empty value in {text!r}, expected values with commas between them"
        raise InputError(message)
    return values


QUANTITY = re.compile(r"([-+]?\d+(?:\.\d+)?)\s*([A-Za-zµ%/]*)")
MOST_KEPT = 500
"""Maximum number of runs whose tables are kept for a page, at about 150 kB each."""
MOST_VALUES = 100_000
"""Maximum number of values of a range."""
