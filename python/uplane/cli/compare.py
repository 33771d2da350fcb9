"""The command `uplane compare`: the differences of two variants, and their causes."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from uplane import campaign
from uplane.activity import stage
from uplane.analysis.changes import of_comparison
from uplane.analysis.compare import Comparison
from uplane.campaign import Campaign
from uplane.cli import output
from uplane.cli.places import is_folder
from uplane.cli.progress import progress, quiet
from uplane.cli.runs import claim, read, settings_of, vary_of
from uplane.cli.show import columns, heading, keys_of
from uplane.cli.signals import leave, said
from uplane.cli.stored import loaded
from uplane.cli.text import printable
from uplane.errors import InputError

__all__ = ["compare"]


def compare(  # noqa: PLR0913 - one argument an option
    files: Sequence[Path],
    *,
    change: Sequence[str],
    varied: Sequence[str],
    pairs: Sequence[str],
    trust: bool,
    seed: int | None,
    runs: int | None,
    jobs: int | None,
    memory: str | None,
    report: Path | None,
) -> None:
    """Compares two scenarios, two variants of one, or two folders of campaigns."""
    claim(report)
    if len(files) > 2:
        message = f"found {len(files)} files, expected one or two"
        raise InputError(message)
    sides = [loaded(file) if is_folder(file) else read(file, trust=trust) for file in files]
    changed = settings_of(change)
    _refuse_no_difference(files, changed)
    runs_asked = change or varied or pairs or seed is not None or runs is not None
    if runs_asked and any(isinstance(side, Campaign) for side in sides):
        raise InputError("found options of runs, expected none for finished campaigns")
    try:
        with progress("runs") as advance:
            found = campaign.compare(
                *sides,
                change=changed,
                vary=vary_of(varied) or None,
                runs=runs or campaign.COMPARED_RUNS,
                seed=seed,
                set=settings_of(pairs),
                jobs=jobs,
                memory=memory,
                progress=advance,
            )
    except campaign.Interrupted as stopped:
        quiet()
        word, code = said()
        done = stopped.campaign
        sys.stderr.write(f"{word}: {len(done)} of {done.planned} runs are finished\n")
        output.fail("interrupted", word)
        output.end(code)
        leave(code)
    written = None
    if report is not None:
        from uplane.report import write_comparison

        with stage("writing the report"):
            written = write_comparison(found, report)
    if output.is_json():
        from uplane.cli import answered

        output.give(answered.compared(found, written))
    sys.stdout.write("".join(_text(found)))
    if written is not None:
        sys.stdout.write(f"\nreport in {written}\n")


def _refuse_no_difference(files: Sequence[Path], changed: Mapping[str, object]) -> None:
    """Refuses one folder as both sides, and changes of keys that change no result."""
    if len({file.resolve() for file in files if is_folder(file)}) < sum(map(is_folder, files)):
        raise InputError(f"found {files[0]} twice, expected two different folders")
    if "seed" in changed:
        message = "both sides get the same seeds: choose them with --seed and --runs"
        raise InputError(message, key="seed", found=str(changed["seed"]))
    if changed.keys() == {"title"}:
        message = "--change title is no difference: a title changes no result"
        raise InputError(message, key="title", found=str(changed["title"]))


def _text(found: Comparison) -> Iterable[str]:
    names = [printable(side.name) for side in (found.first, found.second)]
    yield heading(found.sentence)
    yield f"{found.how()}\n"
    if found.settings:
        yield "\n" + heading("What differs")
        settings = [(key, *map(_value, both)) for key, both in found.settings.items()]
        yield from columns(["", *names], settings[:MOST], words=1)
        if len(settings) > MOST:
            yield f"… and {len(settings) - MOST} more keys\n"
    if rows := found.rows():
        yield "\n" + heading("By how much")
        yield from columns(["", "", *names, "difference"], rows, words=2)
    if rows := found.cause_rows():
        yield "\n" + heading("Which causes made it, in ms")
        yield from columns(["", "", *names, "difference"], rows, words=2)
    if lines := list(keys_of(of_comparison(found))):
        yield from ("\n", *lines)
    if found.limits:
        yield from ("\n", *(f"{printable(text)}\n" for text in found.limits))


MOST = 25
"""Maximum number of keys in the list of settings."""


def _value(value: object) -> str:
    return "–" if value is None else printable(str(value))
