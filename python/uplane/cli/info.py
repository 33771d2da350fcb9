"""The commands that only print: `uplane list`, `profile`, `schema` and `doctor`."""

import difflib
import json
import platform
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

import click

from uplane.cli.guard import FAILED
from uplane.errors import InputError

__all__ = ["doctor", "list_known", "print_profile", "print_schema"]

OPTIONAL = ("pandas", "distributed")


def list_known() -> None:
    """Prints what a scenario can be made of, and which studies there are."""
    from uplane import study
    from uplane._core import tcp_profiles
    from uplane.scenario import schema

    sys.stdout.write("Studies (uplane reproduce NAME)\n")
    for path in study.shipped():
        sys.stdout.write(f"  {path.name}\n")
    sys.stdout.write('\nTCP parameter sets (tcp = "NAME", or base = "NAME" in [tcp.…])\n')
    for name in tcp_profiles():
        sys.stdout.write(f"  {name}\n")
    for heading, entries in _known(schema()).items():
        sys.stdout.write(f"\n{heading}\n")
        width = max(len(name) for name in entries)
        for name, meaning in entries.items():
            sys.stdout.write(f"  {name:{width}}  {meaning}\n")


def _known(schema: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Names with their meaning, by heading, as the schema has them."""
    definitions, sections = schema["$defs"], schema["properties"]

    def section_of(field: Mapping[str, Any]) -> Mapping[str, Any]:
        name = field.get("items", {}).get("$ref", "").rsplit("/", 1)[-1]
        return dict(definitions.get(name, {}))

    radios = definitions["Radio"]["oneOf"]
    known = {
        "Radios ([radio.NAME])": {
            name: option["description"] for option in radios for name in option["properties"]
        },
        "Applications ([[NAME]])": {
            name: field["description"]
            for name, field in sections.items()
            if "start" in section_of(field).get("properties", {})
        },
    }
    for name, definition in definitions.items():
        options = definition.get("oneOf", ())
        if options and all("const" in option for option in options):
            heading = f"{name}: {definition['description']}"
            known[heading] = {option["const"]: option["description"] for option in options}
    return known


def print_schema() -> None:
    """Prints the JSON Schema for editors."""
    from uplane.editor_schema import for_editors
    from uplane.scenario import schema

    sys.stdout.write(json.dumps(for_editors(schema()), indent=2) + "\n")


def print_profile(name: str | None) -> None:
    """Prints the base file of this name, or which there are."""
    from uplane._core import profiles

    if name is None:
        for section, known, text in profiles():
            first = text.split("\n\n", 1)[0].replace("# ", "").replace("\n", " ")
            sys.stdout.write(f"{section:10} {known:24} {first.split('. ')[0].split(': ')[0]}\n")
        return
    texts = {known: text for _, known, text in profiles()}
    if name not in texts:
        alike = difflib.get_close_matches(name, texts, n=1)
        meant = f"; did you mean `{alike[0]}`?" if alike else ""
        message = f"found no profile `{name}`, expected one of {', '.join(texts)}{meant}"
        raise InputError(message)
    sys.stdout.write(texts[name])


def doctor(*, is_alone: bool = True) -> None:
    """Prints one line a check; exits with 1 when a needed part is missing."""
    if not is_alone:
        message = "found no DIR, expected the folder to be mended: uplane doctor DIR --mend"
        raise InputError(message)
    is_well = True
    for name, found, is_fine in _checks():
        is_well &= is_fine
        sys.stdout.write(f"{'ok' if is_fine else 'MISSING':8}{name:20}{found}\n")
    if not is_well:
        raise click.exceptions.Exit(FAILED)


def _checks() -> Iterator[tuple[str, str, bool]]:
    """Name, what was found, and whether that will do."""
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
    """The packages that the installed one declares that it needs."""
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
