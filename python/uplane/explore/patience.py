"""Limits of connections: their number, and the time in which a request has to arrive.

In: connections. Out: connections of uvicorn. The server closes a connection above the limit, and a
connection whose request is not complete in time. Answers may take any time.
"""

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["MOST_CONNECTIONS", "REQUEST_S", "Patience"]

MOST_CONNECTIONS = 256
"""Maximum number of connections; a browser opens up to six for a page."""
REQUEST_S = 10.0
"""Seconds from the start of a connection, or the first byte of a request, to its last byte."""


class Patience(H11Protocol):
    """A connection with a time limit for requests."""

    _limit: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Starts the limit of the first request, or closes a connection above the limit."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Stops the timer once a request is complete."""
        super().data_received(data)
        at: Any = self.cycle  # `None` before the first request
        if at is not None and not at.more_body and not at.response_complete:
            self._end_wait()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the timer of a connection that has ended."""
        self._end_wait()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._limit is None:
            self._limit = self.loop.call_later(REQUEST_S, self.transport.abort)

    def _end_wait(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
