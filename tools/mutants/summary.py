"""Summary of outcomes: a table of the share caught in each folder, and the survivors.

In: the mutants that were drawn from each folder, and what became of each. Out: lines of text.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

COLUMNS = "drawn", "compile", "played", "caught", "by time", "share", "95 % interval"
CAUGHT = {"caught", "time limit"}
MISSED = {"survived", "not reached"}
NOT_PLAYED = {"does not compile", "no switch", "not played"}


@dataclass(frozen=True)
class Folder:
    """A folder, and of each mutant that was drawn from it the word for its end."""

    name: str
    mutants: int  # all that it has
    words: dict[str, str]


def report(folders: Iterable[Folder]) -> Iterator[str]:
    """The survivors of each folder, and then a row for each."""
    folders = list(folders)
    for folder in folders:
        yield from survivors(folder)
    width = max((len(folder.name) for folder in folders), default=0)
    yield ""
    yield " ".join([" " * width, f"{'mutants':>8}", *(f"{name:>8}" for name in COLUMNS)])
    for folder in folders:
        cells = [str(folder.mutants), *row(folder)]
        yield " ".join([folder.name.ljust(width), *(f"{cell:>8}" for cell in cells)])


def survivors(folder: Folder) -> Iterator[str]:
    """Mutants that no test noticed, and those that could not be played."""
    for word, title in (
        ("survived", "survived"),
        ("not reached", "reached by no test"),
        ("no switch", "no switch expresses"),
    ):
        names = sorted(name for name, found in folder.words.items() if found == word)
        if names:
            yield f"\n{folder.name}, {title}:"
            yield from (f"  {name}" for name in names)


def row(folder: Folder) -> list[str]:
    """The numbers of a folder, below COLUMNS."""
    words = Counter(folder.words.values())
    caught = sum(words[word] for word in CAUGHT)
    played = caught + sum(words[word] for word in MISSED)
    drawn = len(folder.words)
    counts = [drawn, drawn - words["does not compile"], played, caught, words["time limit"]]
    low, high = interval(caught, played)
    share = f"{caught / played:.1%}" if played else "-"
    return [*map(str, counts), share, f"{low:.0%} to {high:.0%}"]


def interval(hits: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    if count == 0:
        return 0.0, 1.0
    z = 1.96
    centre = (hits + z * z / 2) / (count + z * z)
    half = z / (count + z * z) * (hits * (count - hits) / count + z * z / 4) ** 0.5
    return centre - half, centre + half
