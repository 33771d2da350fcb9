"""The summary of a campaign as one tidy frame.

In: samples. Out: one row for each variant, subject and metric, with the mean over runs and half the
width of its 95 % interval.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from uplane.analysis.samples import Sample

if TYPE_CHECKING:
    import polars

__all__ = ["repeated", "summarise"]


def summarise(
    samples: Sequence[Sample], settings: Mapping[int, Mapping[str, object]]
) -> "polars.DataFrame":
    """Returns one row for each sample.

    Args:
        samples: The metrics of all runs.
        settings: The varied settings of each variant, by its number.

    Returns:
        The varied settings, `table`, `subject`, `metric`, `mean`, `half_width` (missing for one
        run), `runs`.
    """
    import polars

    means = [sample.mean for sample in samples]
    frame = polars.DataFrame(
        {
            "table": [sample.key.table for sample in samples],
            "subject": [sample.key.subject for sample in samples],
            "metric": [sample.key.metric for sample in samples],
            "mean": [mean.value for mean in means],
            "half_width": [mean.half_width for mean in means],
            "runs": [mean.runs for mean in means],
        },
        schema_overrides={
            **dict.fromkeys(("table", "subject", "metric"), polars.String),
            **dict.fromkeys(("mean", "half_width"), polars.Float64),
            "runs": polars.UInt32,
        },
    )
    names = next(iter(settings.values()), {})
    if not names:
        return frame
    places = {variant: place for place, variant in enumerate(settings)}
    columns = {key: [each[key] for each in settings.values()] for key in names}
    variants = polars.Series([places[it.variant] for it in samples], dtype=polars.UInt32)
    return polars.DataFrame(columns, strict=False)[variants].hstack(frame)


def repeated(values: "polars.Series", times: Sequence[int]) -> "polars.Series":
    """Returns a series in which each value is repeated by its own count."""
    import polars

    repeats = polars.Series(times, dtype=polars.UInt32)
    places = polars.Series(range(len(times)), dtype=polars.UInt32).repeat_by(repeats)
    return values[places.explode(empty_as_null=False)]
