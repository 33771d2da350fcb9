"""Programs of the user's beside a scenario: congestion controls and applications.

In: the text of a file. Out: an error if the text is no Python, without executing it; when a run
begins, the one class of the right base in it, and the calls that the class answers.

`trust.py` decides whether a program may run.
"""

import difflib
import logging
import threading
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

__all__ = ["check", "described", "load", "outside"]

T = TypeVar("T")


def check(file: str, text: str) -> None:
    """Compiles a program without executing it.

    Raises:
        ValueError: The text is no Python.
    """
    try:
        compile(text, file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        message = f'"{file}", {described(error, file)}'
        raise ValueError(message) from None


def load(file: str, text: str, base: type[T]) -> tuple[type[T], list[str]]:
    """Executes a program; returns its class of this base, and the calls that the class answers.

    Raises:
        ValueError: The program fails, or has no such class, or several.
        KeyboardInterrupt: Ctrl-C, if the main thread executes the program.
    """
    space: dict[str, Any] = {"__name__": file.removesuffix(".py"), "__file__": file}
    try:
        exec(compile(text, file, "exec", dont_inherit=True), space)  # noqa: S102 - it is trusted
        found = [one for one in _classes(space, base) if one.__module__ == space["__name__"]]
        outermost = [one for one in found if not any(one in other.__mro__[1:] for other in found)]
        calls = [name for name in vars(base) if name.startswith("on_")]
        answers = [
            [it for it in calls if getattr(one, it) is not getattr(base, it)] for one in outermost
        ]
    except BaseException as error:
        # Python brings Ctrl-C to the main thread alone; elsewhere the program has raised it.
        if isinstance(error, KeyboardInterrupt) and _is_main():
            raise
        message = f'"{file}", {described(error, file)}'
        raise ValueError(message) from error
    if len(outermost) != 1:
        names = ", ".join(one.__name__ for one in outermost)
        message = f'"{file}" with {f"the classes {names}" if names else "no such class"}'
        raise ValueError(message)
    _warn_of_unknown(file, outermost[0], calls)
    return outermost[0], answers[0]


def _warn_of_unknown(file: str, found: type, calls: list[str]) -> None:
    """Warns once of methods that look like calls and are none, such as `on_strat`."""
    own = (name for name in dir(found) if name.startswith("on_"))
    for name in own:
        if name not in calls and (file, name) not in _warned:
            _warned.add((file, name))
            near = difflib.get_close_matches(name, calls, n=1)
            meant = f"did you mean `{near[0]}`?" if near else f"calls are {', '.join(calls)}"
            log.warning("warning: %s: nothing calls the method `%s`: %s", file, name, meant)


log = logging.getLogger("uplane")
_warned: set[tuple[str, str]] = set()
"""Methods that were warned of."""


def described(error: BaseException, file: str) -> str:
    """Returns the error of a user's program, with the line if it is in the program's file."""
    import traceback

    if isinstance(error, SyntaxError) and error.filename == file:
        line = error.lineno
    else:
        frames = traceback.extract_tb(error.__traceback__)
        line = next((frame.lineno for frame in reversed(frames) if frame.filename == file), None)
    place = f"line {line}: " if line else ""
    try:
        said = str(error.msg if isinstance(error, SyntaxError) else error)
    except BaseException as other:
        said = f"without words, since its __str__ raises {type(other).__name__}"
    return f"{place}{type(error).__name__}{f': {said}' if said else ''}"


def outside(effective: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Returns the values in effect with names of programs alone, and the texts by name."""
    texts: dict[str, str] = {}

    def name_of(value: object) -> object:
        if not (isinstance(value, str) and value.startswith(NAMED) and "\n" in value):
            return value
        name, _, text = value.removeprefix(NAMED).partition("\n")
        texts[name] = text
        return name

    named = dict(effective)
    if sets := effective.get("tcp"):
        key = "congestion_control"
        named["tcp"] = {name: {**keys, key: name_of(keys[key])} for name, keys in sets.items()}
    if programs := effective.get("program"):
        named["program"] = [{**keys, "file": name_of(keys["file"])} for keys in programs]
    return named, texts


NAMED = "# "
"""Prefix of the line with the name of the file, in front of the text of a program."""


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def _classes(space: dict[str, Any], base: type[T]) -> Iterator[type[T]]:
    for value in space.values():
        if isinstance(value, type) and issubclass(value, base):
            yield value
