"""The command `uplane doctor DIR`: the state of a folder of results, and its repair."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from uplane.campaign.examine import Finding, Kind, examine, mend
from uplane.cli import output
from uplane.cli.guard import FAILED
from uplane.cli.stored import expect_results

__all__ = ["examined"]

FAULTS = (Kind.DAMAGED, Kind.LEFTOVER)
NAMED_AT_MOST = 20
"""Maximum number of findings of one kind that are named."""


def examined(folder: Path, *, mends: bool, removes_other_builds: bool) -> None:
    """Prints the content of the folder; exits with 1 if damage or leftovers stay in it."""
    expect_results(folder)
    found = list(examine(folder))
    for kind in Kind:
        _tell(kind, [each for each in found if each.kind is kind], folder)
    kinds = [*FAULTS * mends, *[Kind.OTHER_BUILD] * removes_other_builds]
    removed = mend(folder, found, kinds)
    output.give({"findings": [_plain(each, is_removed=each in removed) for each in found]})
    if kinds:
        sys.stdout.write(f"removed: {len(removed)}\n")
    elif any(each.kind in FAULTS and each.path != folder for each in found):
        sys.stdout.write("`--mend` removes what is damaged or left over\n")
    if any(each.kind in FAULTS for each in found if each not in removed):
        output.fail("files", f"{folder} has damage or leftovers", remedy="uplane doctor DIR --mend")
        raise click.exceptions.Exit(FAILED)


def _plain(finding: Finding, *, is_removed: bool) -> Mapping[str, object]:
    return {
        "kind": finding.kind.value,
        "path": str(finding.path),
        "reason": finding.reason,
        "removed": is_removed,
    }


def _tell(kind: Kind, found: list[Finding], folder: Path) -> None:
    if not found:
        return
    sys.stdout.write(f"{kind.value}: {len(found)}\n")
    if kind is not Kind.WHOLE:
        sys.stdout.writelines(_lines(found[:NAMED_AT_MOST], folder))
        if len(found) > NAMED_AT_MOST:
            sys.stdout.write(f"  and {len(found) - NAMED_AT_MOST} more\n")


def _lines(found: Iterable[Finding], folder: Path) -> Iterable[str]:
    for each in found:
        path = each.path.relative_to(folder) if each.path.is_relative_to(folder) else each.path
        yield f"  {path}{': ' * bool(each.reason)}{each.reason}\n"
