"""The scenario with the changed values, as a file with equal results.

In: a scenario and changed values. Out: TOML with the keys of the file and the changed keys; with
all values in effect if these keys alone would make another scenario.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from uplane import _toml
from uplane.cli.runs import parse_value
from uplane.errors import UplaneError
from uplane.report.repeat import scenario as whole
from uplane.scenario import Scenario

__all__ = ["said", "saved"]


def said(scenario: Scenario) -> dict[str, Any]:
    """Returns the keys that the file sets, without profiles and defaults."""
    return tomllib.loads(scenario.text)


def saved(scenario: Scenario, changes: Mapping[str, str], changed: Scenario) -> str:
    """Returns the text of a file with the changed values.

    Args:
        scenario: The scenario of the file.
        changes: Typed text of each changed key.
        changed: The scenario with these values.
    """
    content = said(scenario)
    for key, text in changes.items():
        _lay(content, key.split("."), parse_value(text))
    text = _toml.document(content)
    if not _is_same(text, changed):
        text = whole(changed.effective)
    laid = "".join(f"#   {key} = {' '.join(text.split())}\n" for key, text in changes.items())
    about = f"# {scenario.source}, as it was explored"
    return f"{about}, with\n{laid}\n{text}" if laid else f"{about}.\n\n{text}"


def _is_same(text: str, changed: Scenario) -> bool:
    try:
        read = replace(changed, text=text, settings=())
    except UplaneError:
        return False
    return read.effective == changed.effective


def _lay(table: dict[str, Any], path: list[str], value: object) -> None:
    """Sets a value at its path through sections, and through list entries by their names."""
    key, *rest = path
    if not rest:
        table[key] = value
        return
    inner = table.setdefault(key, [] if key in LISTS else {})
    if isinstance(inner, list):
        name, *rest = rest
        entry = next((it for it in inner if it.get("name") == name), None)
        if entry is None:
            entry = {"name": name}
            inner.append(entry)
        inner = entry
    if rest:
        _lay(inner, rest, value)


LISTS = {"ue"}
"""Lists of sections with a default entry, which can be changed if the scenario has no list."""
