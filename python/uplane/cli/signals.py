"""Ctrl-C and SIGTERM: one line and an exit code at any time.

In: the two signals. Out: `interrupted` and 130, or `terminated` and 143.

Signals are handled before heavy modules are imported. By default the process ends at once. Work
that cleans up or reports asks for an exception (`raised`), which is raised after an import under
way: within an import it may be garbled or lost. Native code delays a signal; then a thread ends the
process after `PATIENCE_S`, or after `PATIENCE_TO_TELL_S` if there is something to report.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread, Timer
from types import FrameType
from typing import NoReturn

__all__ = ["leave", "listen", "raised", "said"]

WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
PATIENCE_S = 0.3
"""Maximum time, in seconds, that a signal waits for its handler."""
PATIENCE_TO_TELL_S = 3.0
"""Maximum time, in seconds, if the handler reports; a busy machine calls it late."""
LATER_S = 0.02
"""Time, in seconds, after which a signal during an import is repeated."""
MANY = 64
"""Maximum number of signals that are read together."""


class _State:
    """The received signal, and the reaction to it."""

    raises = 0
    heard: signal.Signals | None = None
    handled = Event()


def listen() -> None:
    """Installs the handlers; call it in the main thread of a command."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    for number in WORDS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as `nohup` and `&` may wish
            signal.signal(number, _on_signal)
    Thread(target=_watch, args=(reader,), daemon=True).start()


@contextmanager
def raised() -> Iterator[None]:
    """Raises a signal as `KeyboardInterrupt` within the context."""
    _State.raises += 1
    try:
        yield
    finally:
        _State.raises -= 1


def said() -> tuple[str, int]:
    """Returns the word for the received signal, and its exit code."""
    number = _State.heard or signal.SIGINT
    return WORDS[number], 128 + number


def leave(code: int) -> NoReturn:
    """Ends the process now, without waiting for other threads."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            continue
    os._exit(code)


def _on_signal(number: int, frame: FrameType | None) -> None:
    _State.heard = signal.Signals(number)
    if not _State.raises:
        _end()
    _State.handled.set()
    if not _imports(frame):
        raise KeyboardInterrupt
    # The handler reports after the import.
    Timer(LATER_S, os.kill, (os.getpid(), number)).start()


def _imports(frame: FrameType | None) -> bool:
    """Returns whether a module is being imported in this frame."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _watch(reader: int) -> None:
    """Ends the process if the main thread does not handle a signal in time."""
    while number := os.read(reader, MANY):
        patience = PATIENCE_TO_TELL_S if _State.raises else PATIENCE_S
        if number[0] in WORDS and not _State.handled.wait(patience):
            _State.heard = signal.Signals(number[0])
            _end()
        _State.handled.clear()


def _end() -> NoReturn:
    word, code = said()
    try:
        os.write(2, f"{CLEAR if os.isatty(2) else ''}{word}\n".encode())
    finally:
        os._exit(code)


CLEAR = "\r\x1b[K"
"""Clears the progress line of a terminal."""
