"""The items of a study: what its runs measured, and the claims made of that.

In: readings. Out: samples by item, under the study as it stands, a variation or a null model.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from uplane.study.case import fill, grid, matches, points
from uplane.study.errors import StudyError
from uplane.study.folder import Study
from uplane.study.runs import OWN, Reading, Under
from uplane.study.sample import Sample
from uplane.study.sections import PUBLISHED, Claim, Null, Value

__all__ = ["Samples", "samples", "under_null"]

Samples = Mapping[str, Sample]
"""The sample of each item."""


def samples(study: Study, readings: Iterable[Reading], under: Under = OWN) -> Samples:
    """Returns measured items in the order of the study, then claims whose items all exist."""
    return _with_claims(study, _measured(readings, under))


def under_null(study: Study, readings: Sequence[Reading], null: Null) -> Samples:
    """Returns all items under a null model; unchanged items are those of the quick variant."""
    quick = {point.name: point.seeds for point in points(study.file.case, full=False)}
    own = [each for each in readings if each.seed in quick.get(each.point, ())]
    wrong = {
        **_measured(own, OWN),
        **_measured(readings, Under("null", null.name)),
    }
    closed = _claims(study, null.claim, wrong)
    return {**_with_claims(study, {**wrong, **closed}), **closed}


def _with_claims(study: Study, measured: Samples) -> Samples:
    return {**measured, **_claims(study, study.file.claim, measured)}


def _measured(readings: Iterable[Reading], under: Under) -> Samples:
    runs: dict[str, list[float]] = defaultdict(list)
    units: dict[str, str] = {}
    for reading in readings:
        for item, unit, value in reading.values if reading.under == under else ():
            runs[item].append(value)
            units[item] = unit
    return {item: Sample.measured(units[item], values) for item, values in runs.items()}


def _claims(study: Study, claims: Iterable[Claim], measured: Samples) -> Samples:
    """Computes each claim from measured items, earlier claims and published values."""
    made: dict[str, Sample] = {}
    known = {**_published(study), **measured}
    for item, claim, values in _filled(claims):
        of = {name: fill(text, values) for name, text in claim.of.items()}
        parts = _parts(of, known)
        if parts is not None:
            text = fill(claim.value, values)
            try:
                made[item] = known[item] = Sample.claimed(claim.unit, text, parts)
            except StudyError as error:
                raise error.within(f"claim {item!r}: value").at(
                    study.path / "study.toml"
                ) from error
    return made


def _parts(of: Mapping[str, str], known: Samples) -> Samples | None:
    """Returns the parts of a claim if all exist; the items of a pattern form a list."""
    parts: dict[str, Sample] = {}
    for name, text in of.items():
        if "*" in text:
            found = sorted(item for item in known if matches(item, text))
            parts |= {f"{name}[{position}]": known[item] for position, item in enumerate(found)}
            missing = not found
        elif not (missing := text not in known):
            parts[name] = known[text]
        if missing:
            return None
    return parts


def _filled(claims: Iterable[Claim]) -> Iterator[tuple[str, Claim, Mapping[str, Value]]]:
    for claim in claims:
        for values in grid(claim.over, claim.points):
            yield fill(claim.item, values), claim, values


def _published(study: Study) -> Samples:
    """Returns the published values, as exact samples that claims may use."""
    return {
        f"{PUBLISHED}{item}": Sample(cell.unit, cell.value, ())
        for item, cell in study.published.items()
        if cell.value is not None
    }
