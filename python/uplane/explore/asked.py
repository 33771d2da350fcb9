"""What a page asks for: other values, and seeds.

In: JSON of a page. Out: values that are safe to use, or an error with a sentence.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from uplane.cli.runs import parse_value
from uplane.errors import InputError, ScenarioError
from uplane.runner import LAST_SEED
from uplane.scenario import Scenario

__all__ = ["MOST_RUNS", "Asked", "laid_over"]

LEAST_RUNS, MOST_RUNS = 2, 100
"""Seeds of each side: one alone says nothing of chance."""
MOST_CHANGES = 200
LONGEST = 10_000
"""Characters of a value."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Values instead of those of the file, and the seeds.

    Attributes:
        changes: What was typed, by key.
        first: The first seed.
        runs: How many seeds.
    """

    changes: Mapping[str, str] = field(default_factory=dict)
    first: int
    runs: int

    @classmethod
    def of(cls, content: object) -> "Asked":
        """What some JSON says.

        Raises:
            InputError: It is not of this form.
        """
        told = content if isinstance(content, dict) else {}
        changes = told.get("set", {})
        if not isinstance(changes, dict) or len(changes) > MOST_CHANGES:
            raise InputError(f"expected an object of at most {MOST_CHANGES} keys as `set`")
        for key, value in changes.items():
            if not (_is_text(key) and _is_text(value)):
                raise InputError("found half of a surrogate pair, expected text in Unicode")
            if not isinstance(value, str) or len(key) + len(value) > LONGEST:
                raise InputError(f"{key:.80}: expected a text of at most {LONGEST} characters")
        return cls(
            changes=changes,
            first=_whole(told, "seed", 0, LAST_SEED - MOST_RUNS),
            runs=_whole(told, "runs", LEAST_RUNS, MOST_RUNS),
        )


def _is_text(value: object) -> bool:
    """Whether it can be written as UTF-8; what is no text at all is refused elsewhere."""
    return not isinstance(value, str) or not any("\ud800" <= it <= "\udfff" for it in value)


def _whole(told: Mapping[str, object], name: str, least: int, most: int) -> int:
    value = told.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        found = "nothing" if value is None else repr(value)
        raise InputError(
            f"{name}: found {found:.40}, expected a whole number from {least} to {most}"
        )
    return value


def laid_over(scenario: Scenario, changes: Mapping[str, str]) -> Scenario:
    """The scenario with what was typed, read as `--set` reads it.

    Raises:
        ScenarioError: It cannot be simulated; its words are those of the command, without the name
            of the option.
        InputError: A text is no value.
    """
    for key, text in changes.items():
        if not text.strip():
            message = f"{key}: found nothing, expected a value"
            raise ScenarioError(message, "", None, key, "nothing", "a value")
    try:
        return scenario.with_settings({key: parse_value(it) for key, it in changes.items()})
    except ScenarioError as error:
        if error.file != "`set`":
            raise
        words = str(error).removeprefix("`set`: ")
        raise ScenarioError(words, "", None, *error.args[3:]) from None
