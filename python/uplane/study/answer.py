"""Answers in plain words: what the sign of an item says, as the study has it and in each variation.

In: intervals of items. Out: a word for each question and setting, and a sentence for each question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uplane.statistics import Interval
from uplane.study.sections import Answer

__all__ = ["OPEN", "Answered", "answered", "word"]

OPEN = "open"
"""The interval does not decide."""


@dataclass(frozen=True, kw_only=True)
class Answered:
    """One question with its answers.

    Attributes:
        question: The question.
        words: By setting, its answer.
        values: By setting, what it rests on.
    """

    question: str
    words: dict[str, str]
    values: dict[str, Interval]

    @property
    def sentence(self) -> str:
        """The answer of most settings, and the settings with another one."""
        counts = {each: list(self.words.values()).count(each) for each in self.words.values()}
        most = max(counts, key=lambda each: counts[each])
        others = [each for each in counts if each != most]
        parts = [f"{most}, in {counts[most]} of {len(self.words)} settings"]
        for other in others:
            names = [name for name, each in self.words.items() if each == other]
            parts.append(f"{other}: {', '.join(names)}")
        return f"{self.question} {'; '.join(parts)}."


def answered(
    answers: Sequence[Answer], settings: Mapping[str, Mapping[str, Interval]]
) -> list[Answered]:
    """Answers each question in each setting that has its item."""
    return [
        Answered(
            question=each.question,
            words={name: word(each, items[each.item]) for name, items in having.items()},
            values={name: items[each.item] for name, items in having.items()},
        )
        for each in answers
        if (having := {name: items for name, items in settings.items() if each.item in items})
    ]


def word(answer: Answer, interval: Interval) -> str:
    """Returns the answer of the whole interval, or that the question is open."""
    low = interval.value if interval.low is None else interval.low
    high = interval.value if interval.high is None else interval.high
    if high < -answer.margin:
        return answer.below
    if low > answer.margin:
        return answer.above
    if -answer.margin <= low and high <= answer.margin:
        return answer.between
    return OPEN
