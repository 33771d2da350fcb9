"""Warnings in words, each once: equal ones of many UEs, places and runs are merged.

In: rows of tables `warnings`, and who gave each. Out: sentences, and who gave their rows.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import polars

    from uplane.table import Table

__all__ = ["Warned", "gathered", "sentences", "warned", "warnings_of"]

SHOWN = 3
"""Maximum number of UEs or places that a sentence names."""


class Warned(NamedTuple):
    """One row of a table `warnings`; see there."""

    kind: str
    app: str
    pattern: str
    ue: str
    place: str
    share: float | None
    amount: float | None
    of: float | None

    @property
    def key(self) -> tuple[str, str, str]:
        """Rows that agree in it say the same."""
        return self[:3]


def warnings_of(table: "Table") -> list[Warned]:
    """Returns the rows of a run; runs share equal texts in memory."""
    rows = zip(*table.lists(Warned._fields).values(), strict=True) if table.rows else ()
    return [Warned._make([*map(intern, row[:5]), *row[5:]]) for row in rows]


def sentences(rows: Iterable[tuple[int, Warned]]) -> dict[str, list[int]]:
    """Returns each distinct warning, in the order of runs, with the numbers of its runs.

    UEs and places become lists, amounts and shares ranges: `a on ue-1, 2: limited by the queue of
    the link s1 (3 to 5 packets dropped)`. What is counted of a whole is summed over the UEs of a
    run first.

    Args:
        rows: Numbers of runs, each with a row.
    """
    alike: dict[tuple[str, str, str], list[tuple[int, Warned]]] = defaultdict(list)
    for run, row in sorted(rows, key=lambda each: each[0]):
        alike[row.key].append((run, row))
    return {_sentence(same): list(dict.fromkeys(run for run, _ in same)) for same in alike.values()}


def warned(run: int, table: "Table") -> "list[polars.DataFrame]":
    """Returns the rows of a run with its number, in one frame; an empty list without warnings."""
    import polars

    if not table.rows:
        return []
    number = polars.lit(run, polars.UInt64).alias("run")
    return [table.to_polars().select(number, polars.exclude("text"))]


def gathered(frames: "Sequence[polars.DataFrame]") -> dict[str, list[int]]:
    """Returns the `sentences` of frames of warnings, each row with its run."""
    return sentences(
        (row["run"], Warned(*(row[name] for name in Warned._fields)))
        for frame in frames
        for row in frame.iter_rows(named=True)
    )


def _sentence(same: Sequence[tuple[int, Warned]]) -> str:
    """Returns one sentence for all rows with the same key."""
    rows = [row for _, row in same]
    ranges: Mapping[str, Iterable[float | None]] = {
        "amount": _amounts(same),
        "of": [row.of for row in rows],
        "share": [None if row.share is None else row.share * 100 for row in rows],
    }
    names = {"ue": {row.ue for row in rows}, "place": {row.place for row in rows}}
    return rows[0].pattern.format(
        app=rows[0].app,
        **{name: _listed(each) for name, each in names.items()},
        **{name: _range([it for it in each if it is not None]) for name, each in ranges.items()},
    )


def _amounts(same: Sequence[tuple[int, Warned]]) -> Iterator[float | None]:
    """Yields the amounts; counts of a whole are summed over their run."""
    whole: dict[int, float] = defaultdict(float)
    for run, row in same:
        whole[run] += row.amount or 0.0
    return (row.amount if row.of is None else whole[run] for run, row in same)


def _range(values: Sequence[float]) -> str:
    low, high = (f"{end:.0f}" for end in (min(values, default=0), max(values, default=0)))
    return low if low == high else f"{low} to {high}"


def _listed(names: Iterable[str]) -> str:
    """Lists the first names and the number of others; `ue-1, 2` for names that differ by number."""
    ordered = sorted(names, key=_stem_and_number)
    words, before = [], None
    for name in ordered[:SHOWN]:
        stem, number = _stem_and_number(name)
        words.append(name.removeprefix(f"{stem}-") if stem == before else name)
        before = stem if number else None
    more = f" and {len(ordered) - SHOWN} more" if len(ordered) > SHOWN else ""
    return ", ".join(words) + more


def _stem_and_number(name: str) -> tuple[str, int]:
    """Splits a UE's name into section and number: from 1, or 0 for a lone UE."""
    stem, dash, number = name.rpartition("-")
    return (stem, int(number)) if dash and number.isdecimal() else (name, 0)
