"""Instructions to repeat the runs of a report: the command, and the scenario with all values.

In: a campaign. Out: texts. The page shows programs of the scenario beside it, as files on a disk;
none of them runs.
"""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from uplane import _toml
from uplane.program import outside
from uplane.runs import Runs

__all__ = ["Repeat", "command", "overrides", "repeat_of", "scenario"]


@dataclass(frozen=True, kw_only=True)
class Repeat:
    """The command, and the scenario with every value."""

    command: str
    which: str
    scenario: str
    programs: Mapping[str, str]
    is_file: bool


def repeat_of(campaign: Runs) -> Repeat:
    """Returns the command and the scenario that repeat a campaign."""
    which = "The scenario, every value in effect"
    if campaign.vary:
        settings = ", ".join(
            f"{key} = {value}" for key, value in next(iter(campaign)).settings.items()
        )
        which += f", in the first variant ({settings})"
    return Repeat(
        command=command(campaign),
        which=which,
        scenario=scenario(campaign.first["scenario"]),
        programs=outside(campaign.first["scenario"])[1],
        is_file=_is_file(campaign),
    )


def command(campaign: Runs) -> str:
    """Returns the command line that gives the same numbers."""
    manifest = campaign.first
    source = str(manifest["source"]) if _is_file(campaign) else "scenario.toml"
    words = ["uplane", "sweep" if campaign.vary else "run", source]
    for key, values in campaign.vary.items():
        words += ["--vary", f"{key}={','.join(map(_toml.value, values))}"]
    for key, text in overrides(campaign):
        words += ["--set", f"{key}={text}"]
    seeds = campaign.seeds
    if seeds[0] != manifest["scenario"].get("seed"):
        words += ["--seed", str(seeds[0])]
    if len(seeds) > 1:
        words += ["--runs", str(len(seeds))]
    return shlex.join(words)


def overrides(campaign: Runs) -> list[tuple[str, str]]:
    """Returns the keys that override the file in all variants, with TOML values."""
    settings: Mapping[str, str] = campaign.first["settings"]
    return [(key, text) for key, text in settings.items() if key not in campaign.vary]


def scenario(effective: Mapping[str, object]) -> str:
    """Returns the scenario as TOML, without keys that have no value; programs are file names."""
    return _toml.document(_with_values(outside(effective)[0]))


def _with_values(table: Mapping[str, object]) -> dict[str, object]:
    return {key: _valued(value) for key, value in table.items() if value is not None}


def _valued(value: object) -> object:
    if isinstance(value, Mapping):
        return _with_values(value)
    return [_valued(part) for part in value] if isinstance(value, list) else value


def _is_file(campaign: Runs) -> bool:
    return not str(campaign.first["source"]).startswith("<")
