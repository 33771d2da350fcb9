"""Changes that act on a result: the keys of a scenario for each of the largest causes.

In: a campaign or a comparison. Out: its largest causes, each with the keys that change it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from uplane.analysis.causes import REMEDIES, SAME
from uplane.analysis.compare import Comparison
from uplane.analysis.headline import headline_of
from uplane.analysis.samples import Sample
from uplane.runs import Runs

__all__ = ["TITLE", "Change", "changes", "in_words", "names", "of_campaign", "of_comparison"]

TITLE = "Keys that change the largest causes"
"""The heading of the list, in output and reports."""


class Change(NamedTuple):
    """A cause with the keys that change it in one scenario, each with its value."""

    cause: str
    advice: str
    keys: Sequence[tuple[str, object]]


def changes(causes: Iterable[str], scenario: Mapping[str, object]) -> list[Change]:
    """Returns what changes each cause in a scenario; causes without a key in it are left out.

    Args:
        causes: Causes of the ledger, or states of a sender.
        scenario: Every value in effect.
    """
    found = []
    scenario = {**scenario, **_sets_in_use(scenario)}
    for cause in dict.fromkeys(SAME.get(cause, cause) for cause in causes):
        if remedy := REMEDIES.get(cause):
            keys = [each for key in remedy.keys for each in _within(scenario, key.split("."))]
            if keys:
                found.append(Change(cause, remedy.advice, keys))
    return found


def _sets_in_use(scenario: Mapping[str, object]) -> dict[str, object]:
    """Returns the parameter sets of TCP and QUIC that an application uses."""
    lists = [each for each in scenario.values() if isinstance(each, list)]
    apps = [it for each in lists for it in each if isinstance(it, Mapping) and "tcp" in it]
    tcp, quic = _named(scenario.get("tcp")), _named(scenario.get("quic"))
    default = DEFAULT if DEFAULT in tcp else BUILT_IN
    used = {app["tcp"] or default for app in apps if not app.get("quic")}
    return {
        "tcp": {name: keys for name, keys in tcp.items() if name in used},
        "quic": {
            name: keys for name, keys in quic.items() if name in {it.get("quic") for it in apps}
        },
    }


DEFAULT, BUILT_IN = "default", "rfc"
"""Name of the set of applications that name none, and of the built-in set if that is missing."""


def of_campaign(campaign: Runs) -> list[Change]:
    """Returns what changes the largest causes of the headline; varied keys have all values."""
    samples = campaign.samples()
    key = headline_of(sample.key for sample in samples)
    if key is None:
        return []
    own = [it for it in samples if it.key[:2] == ("critical_path", key.subject)]
    app = key.subject.split(" ")[0]
    own = own or [it for it in samples if it.key.table == "anatomy" and _is_data(it, app)]
    varied = {key: ", ".join(map(str, values)) for key, values in campaign.vary.items()}
    return [
        change._replace(keys=[(it, varied.get(it, value)) for it, value in change.keys])
        for change in changes(_largest(own), campaign.first["scenario"])
    ]


def of_comparison(found: Comparison) -> list[Change]:
    """Returns what changes the causes of a difference; keys that differ have both values."""
    causes = found.causes()
    least = 0.1 * abs(causes[0].change.value) if causes else 0.0
    shown = [it.key.metric for it in causes if abs(it.change.value) >= least][:MOST_CAUSES]
    return [
        change._replace(keys=[(key, _both(found, key, value)) for key, value in change.keys])
        for change in changes(shown, found.first.scenario)
    ]


def _both(found: Comparison, key: str, value: object) -> object:
    both = found.settings.get(key)
    return value if both is None else " → ".join("–" if it is None else str(it) for it in both)


def _is_data(sample: Sample, app: str) -> bool:
    return sample.key.subject.split(" ")[0] == app and sample.key.subject.endswith(" data")


def _largest(samples: Sequence[Sample]) -> list[str]:
    """Returns the causes with at least a tenth of any variant's whole, the largest share first."""
    wholes: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for sample in samples:
        wholes[sample.variant][sample.key.metric] += sample.mean.value
    shares: dict[str, float] = {}
    for sizes in wholes.values():
        total = fsum(sizes.values())
        for cause, size in sizes.items():
            shares[cause] = max(shares.get(cause, 0.0), size / total if total else 0.0)
    ordered = sorted(shares, key=lambda cause: -shares[cause])
    return [cause for cause in ordered if shares[cause] >= LEAST][:MOST_CAUSES]


def names(change: Change) -> str:
    """Returns the keys of a change, as for `--set`."""
    return ", ".join(key for key, _ in change.keys)


def in_words(change: Change) -> list[str]:
    """Returns the keys of a change with their values: `radio.lte.sr_period = 10`."""
    return [
        f"{key} = {value}" if isinstance(value, str | int | float) else key
        for key, value in change.keys
    ]


def _within(
    table: Mapping[str, object], path: Sequence[str], above: str = ""
) -> Iterator[tuple[str, object]]:
    """Yields the keys of a path with their values; a section that is missing has none."""
    part, *rest = path
    if not rest:
        yield f"{above}{part}", table.get(part)
        return
    below = table.get(part)
    if rest[0] != "*":
        if isinstance(below, Mapping):
            yield from _within(below, rest, f"{above}{part}.")
        return
    named = _named(below)
    if len(named) > MOST:
        values = [value for each in named.values() for _, value in _within(each, rest[1:])]
        same = values[0] if values and all(value == values[0] for value in values) else None
        yield f"{above}{part}.*.{'.'.join(rest[1:])}", same
        return
    for name, each in named.items():
        yield from _within(each, rest[1:], f"{above}{part}.{name}.")


def _named(sections: object) -> dict[str, Mapping[str, object]]:
    """Returns sections by name: of a table of tables, or of a list."""
    if isinstance(sections, Mapping):
        return {name: each for name, each in sections.items() if isinstance(each, Mapping)}
    if not isinstance(sections, list):
        return {}
    return {
        str(each.get("name", place)): each
        for place, each in enumerate(sections)
        if isinstance(each, Mapping)
    }


MOST = 2
"""Maximum number of sections of one kind that are named one by one."""
MOST_CAUSES = 5
"""Maximum number of causes."""
LEAST = 0.1
"""A cause with a smaller share is left out."""
