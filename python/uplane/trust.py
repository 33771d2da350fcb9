"""Trust in programs: a program of a scenario runs only if the user trusts its text.

In: programs, and the trust that the user has stated. Out: an error for a program that is not
trusted.

`--trust` of the command remembers a digest in a file of the user's state folder, as direnv does.
Another text has another digest, so a program that has changed is asked about again.
"""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Literal

from uplane import files
from uplane.errors import OutputError, UntrustedError

__all__ = ["Exactly", "Trust", "digest_of", "place", "require"]


class Trust(Enum):
    """Stated trust in the programs of a scenario."""

    ASKED = "in programs that were trusted before"
    GIVEN = "in all programs, for this call"
    REMEMBERED = "in all programs, and it is remembered"

    @classmethod
    def given(cls, trust: "Trust | bool") -> "Trust":
        """Converts an argument `trust=` of Python."""
        if isinstance(trust, cls):
            return trust
        return cls.GIVEN if trust else cls.ASKED


@dataclass(frozen=True)
class Exactly:
    """Trust in programs of these digests alone, which a client sends to workers of a cluster."""

    digests: frozenset[str]


def digest_of(text: str) -> str:
    """Returns the digest by which a program is trusted."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def require(programs: Iterable[tuple[str, str]], trust: "Trust | Exactly") -> None:
    """Checks that these programs, pairs of name and text, are trusted.

    Raises:
        UntrustedError: A program is not trusted.
        OutputError: The trust cannot be remembered.
    """
    if trust is Trust.GIVEN:
        return
    asked = {digest_of(text): name for name, text in programs}
    if not asked:
        return
    known = trust.digests if isinstance(trust, Exactly) else _remembered()
    unknown = {digest: name for digest, name in asked.items() if digest not in known}
    if trust is Trust.REMEMBERED:
        _remember(unknown)
    elif unknown:
        digest, name = next(iter(unknown.items()))
        raise UntrustedError(name, digest)


def place() -> Path:
    """Returns the path of the list of trusted digests.

    Raises:
        OutputError: The user has no home folder.
    """
    home = Path(os.environ.get("XDG_STATE_HOME") or "")
    try:
        state = home if home.is_absolute() else Path.home() / ".local/state"
    except RuntimeError:
        message = "found no home folder to remember trust in, expected one, or XDG_STATE_HOME"
        raise OutputError(message) from None
    return state / "uplane" / "trusted"


def _remembered() -> frozenset[str]:
    """Reads the list of trusted digests; empty if others could have written to it."""
    with suppress(OSError, OutputError), _opened(place(), "rb") as file:
        if _is_private(file.fileno()):
            lines = file.read(MOST_BYTES).decode("utf-8", "replace").splitlines()
            return frozenset(line.partition(" ")[0] for line in lines)
    return frozenset()


def _remember(programs: "dict[str, str]") -> None:
    if not programs:
        return
    path = place()
    with files.writing("remember the trust in", path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # One call, so that lines of two commands are not mixed.
        with _opened(path, "ab") as file:
            _make_private(file.fileno())
            lines = (f"{digest}  {_shown(name)}\n" for digest, name in programs.items())
            file.write("".join(lines).encode("utf-8", "replace"))


def _is_private(file: int) -> bool:
    """Returns whether an open file is regular, the user's own, and accessible to no one else."""
    status = os.fstat(file)
    return (
        stat.S_ISREG(status.st_mode)
        and status.st_uid == os.geteuid()
        and not status.st_mode & OTHERS
    )


def _make_private(file: int) -> None:
    """Empties a file to which others could have written, and closes it to them."""
    if not _is_private(file):
        os.fchmod(file, 0o600)
        os.ftruncate(file, 0)


def _opened(path: Path, mode: Literal["rb", "ab"]) -> FileIO:
    """Opens a file that is no link; a new one is accessible to its owner alone."""

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)

    return FileIO(path, mode, opener=opener)


def _shown(name: str) -> str:
    return name if name.isprintable() else ascii(name)


OTHERS = stat.S_IRWXG | stat.S_IRWXO
MOST_BYTES = 64_000_000
