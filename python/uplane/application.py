"""An application of your own in Python: for trials, since each message calls it.

In: a class in a file beside the scenario, which names it, `[[program]]` with `file = "mine.py"`.
Out: messages at both ends, and what the class reports at the end of a run.

>>> from uplane.application import Application, Message
>>> class Polling(Application):
...     def on_start(self) -> None:
...         self.send("up", 100)
...
...     def on_message(self, message: Message) -> None:
...         if message.direction == "up":
...             self.send("down", 20_000)
...         else:
...             self.wake_at(self.now_s + 1)
...
...     def on_time(self) -> None:
...         self.send("up", 100)
"""

from collections.abc import Mapping
from typing import Any, Literal, Self

from uplane._core import Message

__all__ = ["Application", "Message"]


class Application:
    """One conversation: it sees both ends, the UE and the server, and writes at both.

    A file has one class of these that is not the base of another. One is made for each UE that the
    application runs on. It must give the same answers to the same calls: a class that draws random
    numbers, or reads a clock, makes runs that cannot be repeated.

    Methods that the class does not define are not called. Once no message is under way and no call
    is requested, nothing can happen any more, and the application is finished.

    Attributes:
        now_s: The simulated time in seconds; set before each call.
    """

    now_s: float

    _written: list[tuple[bool, int]]
    _wake_s: float | None
    _next: int
    _longest: int

    def __new__(cls, *_: object, **__: object) -> Self:
        """Creates an object without messages, even if a subclass does not call `__init__`."""
        made = super().__new__(cls)
        made.now_s, made._written, made._wake_s, made._next = 0.0, [], None, 0
        made._longest = LONGEST
        return made

    def send(self, direction: Literal["up", "down"], size: int) -> int:
        """Writes a message of `size` bytes now: `up` at the UE, `down` at the server.

        Returns:
            Its number, from 0 on in both directions together.

        Raises:
            ValueError: This is no direction, or no size.
        """
        if direction not in {"up", "down"}:
            message = f'direction: found {direction!r}, expected "up" or "down"'
            raise ValueError(message)
        if type(size) is not int or not 1 <= size <= self._longest:
            expected = f"a whole number of bytes from 1 to {self._longest}"
            message = f"size: found {size!r}, expected {expected}"
            raise ValueError(message)
        self._written.append((direction == "up", size))
        self._next += 1
        return self._next - 1

    def wake_at(self, time_s: float | None) -> None:
        """Requests a call of `on_time` at this time instead of the pending call; `None` cancels.

        Raises:
            ValueError: The time has passed, or is not a valid time.
        """
        if time_s is not None and not self.now_s <= time_s <= LATEST_S:
            message = f"time_s: found {time_s!r}, expected from now, {self.now_s!r}, on"
            raise ValueError(message)
        self._wake_s = time_s

    def on_start(self) -> None:
        """Called once, when the application starts."""

    def on_message(self, message: Message) -> None:
        """Called when the other end has read the whole message."""

    def on_time(self) -> None:
        """Called at the time that `wake_at` requested."""

    def report(self) -> Mapping[str, Any]:
        """Returns numbers by name at the end of the run, for the table `program_values`."""
        return {}


LONGEST = 10**12
LATEST_S = 10**6
