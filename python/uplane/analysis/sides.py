"""One side of a comparison: a variant and the metrics of its runs.

In: a scenario and its samples. Out: samples by seed; the settings in which two sides differ.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from uplane.analysis.metrics import CAUSES, Key
from uplane.analysis.samples import Sample

__all__ = ["Side", "differing", "with_causes_of"]


@dataclass(frozen=True, kw_only=True)
class Side:
    """One of two variants that are compared.

    Attributes:
        name: The name of the side in output.
        scenario: Every value in effect.
        seeds: The seeds of its runs.
        samples: The metrics of each run, by seed.
        limits: Limits that held data back in a cell, and the time UEs were awake, in words.
    """

    name: str
    scenario: Mapping[str, object] = field(repr=False)
    seeds: Sequence[int]
    samples: Mapping[Key, Mapping[int, float]] = field(repr=False)
    limits: Sequence[str] = ()

    @classmethod
    def of(
        cls, name: str, scenario: Mapping[str, object], seeds: Sequence[int], told: Iterable[Sample]
    ) -> "Side":
        """Creates a side from samples; run `n` has the seed `seeds[n]`."""
        samples = {
            each.key: {seeds[run]: value for run, value in zip(each.runs, each.values, strict=True)}
            for each in told
        }
        used = sorted({seed for values in samples.values() for seed in values})
        return cls(name=name, scenario=scenario, seeds=used, samples=samples)

    def shared_with(self, other: "Side") -> "Side":
        """Returns the side with only those seeds that the other side has too."""
        seeds = [seed for seed in self.seeds if seed in set(other.seeds)]
        samples = {
            key: {seed: values[seed] for seed in seeds if seed in values}
            for key, values in self.samples.items()
        }
        return replace(self, seeds=seeds, samples=samples)


def with_causes_of(side: Side, other: Side) -> dict[Key, Mapping[int, float]]:
    """Returns the samples of a side, with zeros for causes that only the other side has."""
    samples = dict(side.samples)
    seeds: dict[tuple[str, str], dict[int, float]] = {}
    for key, values in side.samples.items():
        table = "drops" if key.table == "hops" else key.table
        seeds.setdefault((table, key.subject), {}).update(dict.fromkeys(values, 0.0))
    for key in other.samples:
        if key.table in CAUSES and key not in samples and key[:2] in seeds:
            samples[key] = seeds[key[:2]]
    return samples


def differing(
    first: Mapping[str, object], second: Mapping[str, object]
) -> dict[str, tuple[object, object]]:
    """Returns the keys that differ, with both values."""
    one, other = dict(_flat("", first)), dict(_flat("", second))
    keys = [key for key in {**one, **other} if key not in {"title", "seed"}]
    pairs = {key: (one.get(key), other.get(key)) for key in keys}
    return {
        key: (_brief(value, against), _brief(against, value))
        for key, (value, against) in pairs.items()
        if value != against
    }


def _brief(value: object, against: object) -> object:
    """Returns the first line that differs of a file (a trace or a program), or else the value.

    The text of a program begins with a comment that names its file.
    """
    if not isinstance(value, str) or "\n" not in value:
        return value
    is_file = isinstance(against, str) and "\n" in against
    lines, others = value.splitlines(), str(against).splitlines()
    name: list[str] = []
    if value.startswith("# "):
        name, lines, others = [lines[0].removeprefix("# ")], lines[1:], others[1:]
    if not is_file:
        told = [f"{len(lines)} lines"]
    elif lines == others:
        told = []
    else:
        both = enumerate(zip_longest(lines, others, fillvalue="the end"))
        place = next(at for at, (line, other) in both if line != other)
        line = lines[place].strip() if place < len(lines) else "the end"
        told = [f"line {place + 1}: {line}"]
    return ", ".join(name + told)


def _flat(path: str, value: object) -> Iterator[tuple[str, object]]:
    """Yields each value with its path; entries of a list have their names."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flat(f"{path}.{key}" if path else key, item)
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        for place, item in enumerate(value):
            yield from _flat(f"{path}.{item.get('name') or place}", item)
    else:
        yield path, value
