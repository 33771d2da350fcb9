"""The request of a page: changed values, and seeds.

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
"""Number of seeds of each side. A single run gives no interval."""
MOST_CHANGES = 200
LONGEST = 10_000
"""Maximum number of characters of a key and its value."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Changed values, and the seeds.

    Attributes:
        changes: Typed text of each changed key.
        first: The first seed.
        runs: Number of seeds.
    """

    changes: Mapping[str, str] = field(default_factory=dict)
    first: int
    runs: int

    @classmethod
    def of(cls, content: object) -> "Asked":
        """Reads a request from JSON.

        Raises:
            InputError: The JSON does not have this form.
        """
        given = content if isinstance(content, dict) else {}
        changes = given.get("set", {})
        if not isinstance(changes, dict) or len(changes) > MOST_CHANGES:
            raise InputError(f"expected an object of at most {MOST_CHANGES} keys as `set`")
        for key, value in changes.items():
            if not (_is_text(key) and _is_text(value)):
                raise InputError("found half of a surrogate pair, expected text in Unicode")
            if not isinstance(value, str) or len(key) + len(value) > LONGEST:
                raise InputError(f"{key:.80}: expected a text of at most {LONGEST} characters")
        return cls(
            changes=changes,
            first=_whole(given, "seed", 0, LAST_SEED - MOST_RUNS),
            runs=_whole(given, "runs", LEAST_RUNS, MOST_RUNS),
        )


def _is_text(value: object) -> bool:
    """Returns whether UTF-8 can encode a text. Other types count as text here."""
    return not isinstance(value, str) or not any("\ud800" <= it <= "\udfff" for it in value)


def _whole(given: Mapping[str, object], name: str, least: int, most: int) -> int:
    value = given.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        found = "nothing" if value is None else repr(value)
        raise InputError(
            f"{name}: found {found:.40}, expected a whole number from {least} to {most}"
        )
    return value


def laid_over(scenario: Scenario, changes: Mapping[str, str]) -> Scenario:
    """Returns the scenario with the typed values, parsed like values of `--set`.

    Raises:
        ScenarioError: The scenario cannot be simulated. The message is that of the command, without
            the name of the option.
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
