"""Ctrl-C and SIGTERM: one line and an exit code, whatever the process is doing.

In: the two signals. Out: `interrupted` and 130, or `terminated` and 143.

They are handled before anything heavy is imported. By default the process ends at once. Work that
has something to clean up or to report asks for the exception (`raised`), which comes after an
import that is under way: within one it may be garbled or lost. Code that is not Python's delays a
signal; a thread then ends the process after `PATIENCE_S`, or `PATIENCE_TO_TELL_S` where there is
something to report.
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
"""How long a signal may wait for its handler."""
PATIENCE_TO_TELL_S = 3.0
"""How long where the handler has something to tell; a busy machine comes to it late."""
LATER_S = 0.02
"""When a signal comes again that came during an import."""
MANY = 64
"""Signals that are looked at together."""


class _State:
    """Which signal has come, and what is to be done about it."""

    raises = 0
    heard: signal.Signals | None = None
    handled = Event()


def listen() -> None:
    """From now on the signals end the process; for the main thread of a command."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    for number in WORDS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as `nohup` and `&` may wish
            signal.signal(number, _on_signal)
    Thread(target=_watch, args=(reader,), daemon=True).start()


@contextmanager
def raised() -> Iterator[None]:
    """Meanwhile a signal is a `KeyboardInterrupt`."""
    _State.raises += 1
    try:
        yield
    finally:
        _State.raises -= 1


def said() -> tuple[str, int]:
    """The name of the signal that has come, and the exit code for it."""
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
    # What is to be told is told after the import.
    Timer(LATER_S, os.kill, (os.getpid(), number)).start()


def _imports(frame: FrameType | None) -> bool:
    """Whether a module is being imported in this frame."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _watch(reader: int) -> None:
    """Ends the process when the main thread does not come to handle a signal."""
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
"""Takes a line of progress off a terminal."""
