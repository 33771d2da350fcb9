"""The errors that uplane raises, under one root."""

import re
from collections.abc import Iterable

__all__ = [
    "ApplicationError",
    "ControlError",
    "InputError",
    "LeftOutWarning",
    "MemoryLimitError",
    "OutputError",
    "PlaceError",
    "ProgramError",
    "RunStopped",
    "ScenarioError",
    "SimulationBug",
    "UntrustedError",
    "UplaneError",
]


class UplaneError(Exception):
    """Root of all errors of uplane."""


class LeftOutWarning(UserWarning):
    """A view of a run, such as a capture, leaves out something that the run has."""


class ScenarioError(UplaneError):
    """A scenario that was refused; `str(error)` is one paragraph for people.

    Attributes:
        file: Where the scenario came from.
        line: Line in that file, when one is known.
        key: Path of the key, with dots: `radio.lte.tti`.
        found: The value found. Empty if `expected` is a rule about the key.
        expected: The valid values, or a rule about the key.
        nearest: The nearest valid word, if one is near.
        reason: Reason of the rule. Empty if the rule needs none.
    """

    def __init__(
        self,
        message: str,
        file: str = "",
        line: int | None = None,
        key: str = "",
        found: str = "",
        expected: str = "",
        nearest: str | None = None,
        reason: str = "",
    ) -> None:
        """Keeps each fact as an attribute."""
        super().__init__(message, file, line, key, found, expected, nearest, reason)
        self.file = file
        self.line = line
        self.key = key
        self.found = found
        self.expected = expected
        self.nearest = nearest
        self.reason = reason

    def __str__(self) -> str:
        """Returns the message of the error, in one line."""
        return str(self.args[0])

    def found_in(self, file: str) -> "ScenarioError":
        """Returns this error with another file, and without the line number."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        message = file + str(self).removeprefix(place)
        return ScenarioError(message, file, None, *self.args[3:])

    def is_in(self, keys: Iterable[str]) -> bool:
        """Reports whether the error is in the value of one of these keys."""
        return any(self.key == key or self.key.startswith(f"{key}.") for key in keys)


class SimulationBug(UplaneError):  # noqa: N818 - it is not the user's error
    """A broken invariant inside the simulator: a bug of uplane, with the seed that shows it."""

    def __init__(self, message: str, seed: int) -> None:
        """Keeps the seed as an attribute."""
        super().__init__(message, seed)
        self.seed = seed

    def __str__(self) -> str:
        """Returns the broken invariant and the seed that reproduces it."""
        return f"a bug of uplane, shown by seed {self.seed}: {self.args[0]}"


class RunStopped(UplaneError):  # noqa: N818 - nobody erred
    """A run that was stopped before its end, since nobody waits for it any more."""


class MemoryLimitError(UplaneError):
    """A run that takes more memory than it may, and was ended.

    Attributes:
        needed: Estimated bytes that it took when it ended.
        limit: Bytes that it might take.
        rows: Rows of its tables until then.
        largest: Name and rows of the table with most of its memory.
        seed: The seed of the run.
        time_s: The simulated time.
    """

    def __init__(
        self,
        needed: int,
        limit: int,
        rows: int,
        largest: tuple[str, int] | None,
        seed: int,
        time_s: float,
    ) -> None:
        """Keeps each fact as an attribute."""
        super().__init__(needed, limit, rows, largest, seed, time_s)
        self.needed = needed
        self.limit = limit
        self.rows = rows
        self.largest = largest
        self.seed = seed
        self.time_s = time_s

    def __str__(self) -> str:
        """Returns the rule, the largest users of memory, and the remedy."""
        from uplane.digits import in_bytes

        when = f"at {self.time_s:.6g} s simulated" if self.rows else "before its first event"
        table, rows = self.largest or ("", 0)
        key = RECORDED_BY.get(table)
        if self.rows and key:
            what = f", {rows} rows of {table} among them"
            remedy = f"set `{key}` to less, shorten the run"
        else:
            what, remedy = "", "simulate fewer UEs, applications or packets"
        return (
            f"the run of seed {self.seed} takes {in_bytes(self.needed)} of memory {when}{what}; "
            f"it may take {in_bytes(self.limit)}: {remedy}, "
            "raise the limit (`--memory`, `memory=`), or make fewer runs at a time"
        )


RECORDED_BY = {
    **{name: f"record.{name}" for name in ("packets", "deliveries", "headers", "qlog")},
    "critical_path": "record.critical_path",
    **dict.fromkeys(("series", "link_series", "bearer_series", "radio_series"), "record.series"),
    **dict.fromkeys(("transport_blocks", "rlc_pdus", "rlc_sdus", "transmissions"), "record.radio"),
}
"""The key that asks for each optional table."""


class InputError(UplaneError, ValueError):
    """An argument or option that makes no sense; `str(error)` is one paragraph for people.

    Attributes:
        file: The file that has the error.
        line: Line in that file, when one is known.
        key: Path of the key, or the option.
        found: The value found.
        expected: The valid values.
        nearest: The nearest valid word, if one is near.
    """

    def __init__(
        self,
        message: str = "",
        *,
        file: str = "",
        line: int | None = None,
        key: str = "",
        found: str = "",
        expected: str = "",
        nearest: str | None = None,
    ) -> None:
        """Keeps each fact as an attribute; reads `found` and `expected` from the message."""
        super().__init__(message)
        stated = FORM.search(message) if not found and not expected else None
        self.file = file
        self.line = line
        self.key = key
        self.found = stated["found"] if stated else found
        self.expected = stated["expected"] if stated else expected
        self.nearest = nearest


FORM = re.compile(r"(?:^|: )found (?P<found>.+?), expected (?P<expected>.+)")
"""The form of most messages about an argument."""


class UntrustedError(UplaneError):
    """A program that a scenario names is not trusted; nothing of it has run.

    Attributes:
        file: The file of the program.
        digest: The SHA-256 of its text, in hexadecimal digits.
    """

    def __init__(self, file: str, digest: str) -> None:
        """Keeps each fact as an attribute."""
        super().__init__(file, digest)
        self.file = file
        self.digest = digest

    def __str__(self) -> str:
        """Returns the error, and the argument that states trust."""
        return f"{self.fact()}; in Python, `trust=True` says that you trust it"

    def fact(self) -> str:
        """States which program is not trusted."""
        return (
            f'the program "{self.file}" is not trusted (sha256 {self.digest}): it would run with '
            "your rights, so read it first"
        )


class ProgramError(UplaneError):
    """A program of the user's own has failed in a run, which ended there.

    The cause (`__cause__`) is what the program raised.

    Attributes:
        file: The file of the program.
        seed: The seed of the run.
        time_s: The simulated time.
    """

    def __init__(self, message: str, file: str, seed: int, time_s: float) -> None:
        """Keeps each fact as an attribute."""
        super().__init__(message, file, seed, time_s)
        self.file = file
        self.seed = seed
        self.time_s = time_s

    def __str__(self) -> str:
        """Returns the failure with file, time and seed."""
        return f"{self.file}, {self.args[0]} (at {self.time_s:.6f} s of seed {self.seed})"


class ControlError(ProgramError):
    """A congestion control in Python has failed in a run, which ended there."""


class ApplicationError(ProgramError):
    """An application in Python has failed in a run, which ended there."""


class OutputError(UplaneError):
    """Results that could not be written or read back."""


class PlaceError(OutputError, InputError):
    """A place of results that holds something else."""
