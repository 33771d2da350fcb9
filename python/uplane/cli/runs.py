"""The commands `uplane run` and `uplane sweep`: run, show, and keep what was asked to be kept."""

import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from uplane import campaign, folder
from uplane.campaign import Campaign
from uplane.cli.progress import progress, quiet
from uplane.cli.show import show
from uplane.cli.signals import leave, said
from uplane.errors import InputError
from uplane.scenario import Scenario, load
from uplane.stage import stage

__all__ = ["parse_value", "run", "scenario_of", "split_values", "sweep"]


def run(
    file: Path,
    pairs: Sequence[str],
    *,
    seed: int | None,
    runs: int,
    jobs: int | None,
    out: Path | None,
    report: Path | None,
) -> None:
    """Runs one scenario with one or several seeds."""
    scenario = scenario_of(file, pairs)
    _claim(report)
    if runs > 1:
        done = _run(scenario, {}, runs=runs, seed=seed, jobs=jobs, out=out)
    elif out is None:
        done = _run(scenario, {}, runs=1, seed=seed)
    else:
        folder.claim(out, scenario=scenario.effective)
        done = _run(scenario, {}, runs=1, seed=seed, tables=True)
        with stage("saving the results"):
            done.runs[0].results.save(out)
    _tell(done, out, report)


def sweep(
    file: Path,
    varied: Sequence[str],
    pairs: Sequence[str],
    *,
    seed: int | None,
    runs: int,
    jobs: int | None,
    out: Path | None,
    report: Path | None,
) -> None:
    """Runs all combinations of varied settings."""
    vary: dict[str, list[object]] = {}
    for key, text in _pairs(varied):
        if key in vary:
            message = f"found --vary {key} twice, expected all its values in one: {key}=A,B,C"
            raise InputError(message)
        vary[key] = [parse_value(value) for value in split_values(text)]
    scenario = scenario_of(file, pairs)
    _claim(report)
    _tell(_run(scenario, vary, runs=runs, seed=seed, jobs=jobs, out=out), out, report)


def _claim(report: Path | None) -> None:
    """An unwritable place for the report is found before any run is made."""
    if report is not None:
        from uplane.report import claim

        claim(report)


def _tell(done: Campaign, out: Path | None, report: Path | None) -> None:
    """Writes the report, then prints: a closed pipe must not lose what was asked to be kept."""
    with stage("writing the report"):
        written = None if report is None else done.report(report)
    show(done)
    kept = {"results": out, "report": written}
    lines = [f"{what} in {place}\n" for what, place in kept.items() if place is not None]
    sys.stdout.write("\n" * bool(lines) + "".join(lines))


def _run(
    scenario: Scenario,
    vary: Mapping[str, Sequence[object]],
    *,
    runs: int,
    seed: int | None,
    jobs: int | None = None,
    out: Path | None = None,
    tables: bool = False,
) -> Campaign:
    try:
        with progress("runs") as advance:
            return campaign.sweep(
                scenario,
                vary=vary,
                runs=runs,
                seed=seed,
                jobs=jobs,
                out=out,
                tables=tables,
                progress=advance,
            )
    except campaign.Interrupted as stopped:
        quiet()
        word, code = said()
        _say_what_is_kept(word, stopped.campaign, out)
        leave(code)


def _say_what_is_kept(word: str, done: Campaign, out: Path | None) -> None:
    if len(done):
        show(done)
    kept = f"; they are kept in {out}, and the same command goes on from there" if out else ""
    sys.stderr.write(f"{word}: {len(done)} of {done.planned} runs are finished{kept}\n")


def scenario_of(file: Path, pairs: Sequence[str]) -> Scenario:
    """The scenario of a file with the values of `--set` laid over it."""
    settings = {key: parse_value(text) for key, text in _pairs(pairs)}
    with stage(f"reading {file}"):
        return load(file).with_settings(settings)


def _pairs(texts: Iterable[str]) -> Iterable[tuple[str, str]]:
    for text in texts:
        key, equals, value = text.partition("=")
        if not (equals and key.strip() and value.strip()):
            message = f"found {text!r}, expected KEY=VALUE, as in radio.tti='0.5 ms'"
            raise InputError(message)
        yield key.strip(), value.strip()


def parse_value(text: str) -> object:
    """A value as TOML reads it; what TOML cannot read is a text: no quotes needed for `5 ms`."""
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
    """Splits at the commas that no bracket, brace or quote encloses."""
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
