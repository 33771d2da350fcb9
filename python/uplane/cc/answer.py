"""The result of the kit in a sentence.

In: cases, results. Out: the contestants with the highest goodput, and those with the lowest delay.
With rivals, the goodput is replaced by how evenly all share: taking it from a rival is no merit.

Contestants count as equal to the best one if their 95 % intervals overlap with its interval, or if
their values are equal in three digits.
"""

from collections.abc import Sequence
from typing import NamedTuple

from uplane.cc.cases import Case
from uplane.cc.kit import Result
from uplane.cc.table import shown
from uplane.digits import number
from uplane.statistics import Interval

__all__ = ["answer"]


Numbers = dict[str, Interval]
"""A measure of each contestant, by name."""


class Aim(NamedTuple):
    """A measure that a sentence is about.

    Attributes:
        measure: Name of the measure.
        words: The measure of the best contestant, in words.
        noun: The measure in words.
        unit: Its unit.
        sign: 1 if more is better, otherwise −1.
    """

    measure: str
    words: str
    noun: str
    unit: str
    sign: int


RATES = (
    Aim("goodput", "the highest goodput", "goodput", "Mbit/s", 1),
    Aim("page", "the shortest page load time", "page load time", "s", -1),
)
SHARES = Aim("jain", "the most even shares", "Jain's index of the shares", "", 1)
DELAY = Aim("delay_p95", "the lowest 95th-percentile delay", "95th-percentile delay", "ms", -1)


def answer(asked: Sequence[Case], results: Sequence[Result]) -> str:
    """Returns the sentence; empty if no case has the numbers for one."""
    if len(asked) == 1:
        return _of_one(asked[0], results)
    clauses = []
    alone = [case for case in asked if not case.has_rivals]
    rivals = [case for case in asked if case.has_rivals]
    for aim, cases in ((RATES[0], alone), (SHARES, rivals), (DELAY, asked)):
        best = [_best(aim, found) for case in cases if len(found := _of(case, aim, results)) > 1]
        wins = {name: sum(name in each for each in best) for each in best for name in each}
        if wins:
            most = max(wins.values())
            leaders = [name for name, count in wins.items() if count == most]
            clauses.append(f"{aim.words}: {_joined(leaders)} in {most} of {len(best)} cases")
    text = _sentence("; ".join(clauses))
    return f"{text} Equal if intervals overlap." if text else ""


def _of_one(case: Case, results: Sequence[Result]) -> str:
    """Returns the sentence of a single case."""
    rates = (SHARES, *RATES) if case.has_rivals else RATES
    rate = next((it for it in rates if _of(case, it, results)), RATES[0])
    clauses = [
        _clause(aim, _of(case, aim, results), other, _of(case, other, results))
        for aim, other in ((rate, DELAY), (DELAY, rate))
        if len(_of(case, aim, results)) > 1
    ]
    return _sentence("; ".join(clauses))


def _clause(aim: Aim, found: Numbers, other: Aim, others: Numbers) -> str:
    """Returns the best in one measure, and what it has in the other one."""
    best = _best(aim, found)
    if len(best) == len(found):
        low, high = (number(end(each.value for each in found.values())) for end in (min, max))
        runs = min(interval.runs for interval in found.values())
        seeds = f"{runs} run{'s' if runs != 1 else ''}"
        span = f"{low} to {high} {aim.unit}".rstrip()
        return f"the {aim.noun} is not distinguishable with {seeds}: {span}"
    verb = "has" if len(best) == 1 else "have"
    value = f"{shown(found[best[0]])} {aim.unit}".rstrip()
    cost = others.get(best[0]) if len(best) == 1 else None
    beside = f" ({f'{other.noun} {shown(cost)} {other.unit}'.rstrip()})" if cost else ""
    return f"{_joined(best)} {verb} {aim.words}, {value}{beside}"


def _of(case: Case, aim: Aim, results: Sequence[Result]) -> Numbers:
    """Returns the measure of each contestant in a case."""
    return {
        result.contestant: result.interval
        for result in results
        if (result.case, result.measure) == (case.name, aim.measure)
    }


def _best(aim: Aim, found: Numbers) -> list[str]:
    """Returns the best contestant, and those whose intervals overlap with that of the best."""
    ranked = sorted(found, key=lambda name: -aim.sign * found[name].value)
    first = found[ranked[0]]
    return [name for name in ranked if _are_equal(first, found[name])]


def _are_equal(first: Interval, second: Interval) -> bool:
    """Returns whether two intervals overlap, or their values are equal in three digits."""
    if number(first.value) == number(second.value):
        return True
    lows, highs = (
        [each.value if end is None else end for each, end in ends]
        for ends in (
            [(first, first.low), (second, second.low)],
            [(first, first.high), (second, second.high)],
        )
    )
    return max(lows) <= min(highs)


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _sentence(text: str) -> str:
    """Returns clauses as a sentence. The name of a contestant keeps its small letter."""
    start = "The " if text.startswith("the ") else text[:4]
    return f"{start}{text[4:]}." if text else ""
