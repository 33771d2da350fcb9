"""Warnings in words, each once: those of many UEs, places and runs that say the same are one.

In: rows of tables `warnings`, and who gave each. Out: sentences, and who gave their rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

    from uplane.table import Table

__all__ = ["gathered", "together", "warned"]

KEY = ("kind", "app", "pattern")
"""Rows that agree in these say the same."""

SHOWN = 3
"""So many UEs or places are named."""


def warned(run: int, table: "Table") -> "list[polars.DataFrame]":
    """The rows of a run, with its number; nothing when it warned of nothing."""
    import polars

    if not table.rows:
        return []
    number = polars.lit(run, polars.UInt64).alias("run")
    return [table.to_polars().select(number, polars.exclude("text"))]


def together(frames: "Sequence[polars.DataFrame]") -> "list[polars.DataFrame]":
    """The rows of many runs in one frame, which takes less memory; nothing of nothing."""
    import polars

    return [polars.concat(frames, rechunk=True)] if frames else []


def gathered(frames: "Sequence[polars.DataFrame]") -> dict[str, list[int]]:
    """Each warning once, in the order of runs, with the numbers of the runs that gave it.

    UEs and places become lists, amounts and shares ranges: `a on ue-1, 2: limited by the queue of
    the link s1 (3 to 5 packets dropped)`. What is counted of a whole is summed over the UEs of a
    run first.
    """
    import polars
    from polars import col

    whole = col("amount").sum().over(*KEY, "run")
    return {
        _sentence(row): row["run"]
        for rows in together(frames)
        for row in rows.sort("run", maintain_order=True)
        .with_columns(amount=polars.when(col("of").is_null()).then("amount").otherwise(whole))
        .group_by(KEY, maintain_order=True)
        .agg(
            col("ue", "place", "run").unique(maintain_order=True),
            col("amount", "of").drop_nulls(),
            (col("share") * 100).drop_nulls(),
        )
        .iter_rows(named=True)
    }


def _sentence(row: Mapping[str, Any]) -> str:
    lists = {name: _listed(row[name]) for name in ("ue", "place")}
    ranges = {name: _range(row[name]) for name in ("amount", "of", "share")}
    return str(row["pattern"].format(app=row["app"], **lists, **ranges))


def _range(values: Sequence[float]) -> str:
    low, high = (f"{end:.0f}" for end in (min(values, default=0), max(values, default=0)))
    return low if low == high else f"{low} to {high}"


def _listed(names: Iterable[str]) -> str:
    """The first few, and how many more; `ue-1, 2` for two that differ in their number."""
    ordered = sorted(names, key=_stem_and_number)
    words, before = [], None
    for name in ordered[:SHOWN]:
        stem, number = _stem_and_number(name)
        words.append(name.removeprefix(f"{stem}-") if stem == before else name)
        before = stem if number else None
    more = f" and {len(ordered) - SHOWN} more" if len(ordered) > SHOWN else ""
    return ", ".join(words) + more


def _stem_and_number(name: str) -> tuple[str, int]:
    """The name of a section of UEs, and the number of one of them: from 1, or 0 for a lone UE."""
    stem, dash, number = name.rpartition("-")
    return (stem, int(number)) if dash and number.isdecimal() else (name, 0)
