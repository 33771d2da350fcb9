"""The commands that only print: `uplane profile`, `schema` and `doctor`."""

import json
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import click

from uplane.cli import output
from uplane.cli.guard import FAILED
from uplane.errors import InputError
from uplane.near import refuse_unknown

__all__ = ["doctor", "first_sentence", "print_profile", "print_schema"]

OPTIONAL = ("pandas", "distributed")


def print_schema(*, of_output: bool) -> None:
    """Prints the JSON Schema of a scenario, or of the answers with `--json`."""
    if of_output:
        from uplane.cli.answers import output_schema

        found = output_schema()
    else:
        from uplane.editor_schema import for_editors
        from uplane.scenario import schema as scenario_schema

        found = for_editors(scenario_schema())
    sys.stdout.write(json.dumps(found, indent=2) + "\n")
    output.give(found)


def print_profile(name: str | None) -> None:
    """Prints the base file of this name, or lists all base files."""
    from uplane._core import profiles

    if name is None:
        found = [(section, known, first_sentence(text)) for section, known, text in profiles()]
        for section, known, meaning in found:
            sys.stdout.write(f"{section:11} {known:24} {meaning}\n")
        named = [{"name": known, "meaning": meaning} for _, known, meaning in found]
        output.give({"profiles": named})
        return
    texts = {known: text for _, known, text in profiles()}
    if name not in texts:
        refuse_unknown("profile", name, texts)
    sys.stdout.write(texts[name])
    output.give({"name": name, "text": texts[name]})


def first_sentence(text: str) -> str:
    """Returns the first sentence of the comment that opens a base file."""
    opening = text.split("\n\n", 1)[0].replace("# ", "").replace("\n", " ")
    return opening.split(". ")[0].split(": ")[0].rstrip(".")


def doctor(*, is_alone: bool = True) -> None:
    """Prints one line for each check; exits with 1 if a required part is missing."""
    if not is_alone:
        message = "found no DIR, expected the folder to be mended: uplane doctor DIR --mend"
        raise InputError(message)
    checks = list(_checks())
    width = max(len(name) for name, _, _ in checks) + 2
    for name, found, is_fine in checks:
        sys.stdout.write(f"{'ok' if is_fine else 'MISSING':8}{name:{width}}{found}\n")
    fields = ("name", "found", "is_fine")
    output.give({"checks": [dict(zip(fields, check, strict=True)) for check in checks]})
    missing = [name for name, _, is_fine in checks if not is_fine]
    if missing:
        output.fail("files", f"missing: {', '.join(missing)}")
        raise click.exceptions.Exit(FAILED)


def _checks() -> Iterator[tuple[str, str, bool]]:
    """Returns for each check its name, the finding, and whether uplane can work with it."""
    yield "python", f"{platform.python_version()} ({sys.executable})", True
    yield "platform", platform.platform(), True
    yield _cores()
    yield _simulator()
    for package in _needed():
        found = _version_of(package)
        yield package, found or "not installed", found is not None
    for package in OPTIONAL:
        yield package, _version_of(package) or "not installed (optional)", True
    kind = "a terminal" if sys.stdout.isatty() else "not a terminal"
    yield "output", f"{kind}, {sys.stdout.encoding}", True
    free = shutil.disk_usage(Path.cwd()).free
    yield "disk", f"{free / 1e9:.1f} GB free here", free > 1e8


def _needed() -> list[str]:
    """Returns the packages that uplane requires."""
    needed = (each for each in requires("uplane") or () if "extra ==" not in each)
    return [re.split(r"[^\w-]", requirement)[0] for requirement in needed]


def _cores() -> tuple[str, str, bool]:
    from uplane.pool import default_jobs

    return "cores", str(default_jobs()), True


def _simulator() -> tuple[str, str, bool]:
    try:
        from uplane import _core
        from uplane.runner import extension_digest
    except ImportError as error:
        return "simulator", f"{error}: run `make build`", False
    return "simulator", f"{_core.version()} (build {extension_digest()})", True


def _version_of(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
