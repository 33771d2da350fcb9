"""Programs of the user's beside a scenario: congestion controls and applications.

In: the text of a file. Out: the one class in it that is made for this, and which calls it answers;
or what is wrong with it, in the user's words.
"""

from collections.abc import Iterator
from typing import Any, TypeVar

__all__ = ["described", "load"]

T = TypeVar("T")


def load(file: str, text: str, base: type[T]) -> tuple[type[T], list[str]]:
    """The class of this base in a file, and the calls that it answers.

    Raises:
        ValueError: The file cannot be run, or has no such class, or several; the message says what
            was found.
    """
    space: dict[str, Any] = {"__name__": file.removesuffix(".py"), "__file__": file}
    try:
        exec(compile(text, file, "exec"), space)  # noqa: S102 - the user's own program
    except Exception as error:
        message = f'"{file}", {described(error, file)}'
        raise ValueError(message) from error
    found = [one for one in _classes(space, base) if one.__module__ == space["__name__"]]
    outermost = [one for one in found if not any(one in other.__mro__[1:] for other in found)]
    if len(outermost) != 1:
        names = ", ".join(one.__name__ for one in outermost)
        message = f'"{file}" with {f"the classes {names}" if names else "no such class"}'
        raise ValueError(message)
    (own,) = outermost
    calls = [name for name in vars(base) if name.startswith("on_")]
    return own, [call for call in calls if getattr(own, call) is not getattr(base, call)]


def described(error: BaseException, file: str) -> str:
    """What went wrong in a user's program, in which line of its file, if it is one of it."""
    import traceback

    if isinstance(error, SyntaxError) and error.filename == file:
        line = error.lineno
    else:
        frames = traceback.extract_tb(error.__traceback__)
        line = next((frame.lineno for frame in reversed(frames) if frame.filename == file), None)
    place = f"line {line}: " if line else ""
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{place}{type(error).__name__}: {said}"


def _classes(space: dict[str, Any], base: type[T]) -> Iterator[type[T]]:
    for value in space.values():
        if isinstance(value, type) and issubclass(value, base):
            yield value
