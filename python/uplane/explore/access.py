"""Access control: only the person with the printed address comes in, and no page of other sites.

In: requests. Out: those of the owner; for the others a refusal.

* The server listens at 127.0.0.1 alone, and knows no other name for itself: a page of another site
  that makes its own name point here (DNS rebinding) is told that it is wrong.
* The printed address has a random token behind `#`, which browsers send to nobody. The page
  exchanges it, once, for another secret, and sends that as a header with each request. A browser
  keeps the secret for this port alone: a server at another port of this machine is not sent it, as
  it would be sent a cookie. Without it only the files of the page are given, which say nothing of
  the scenario.
* What runs anything is a `POST` of JSON from a page of this server (its `Origin`). A page at
  another port of this machine is refused.
* Pages may fetch from here alone (`Content-Security-Policy`), and stand in no frame.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from hmac import compare_digest
from threading import Event, Lock
from typing import Any

__all__ = ["HEADERS", "SESSION", "AccessControl", "Entry"]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""What every answer says."""

SESSION = "x-uplane-session"
"""The header with the secret of the session."""

ENTER = "/enter"
"""Path at which a token is exchanged."""


class Entry:
    """The token of the printed address, and the secret that is exchanged for it once."""

    def __init__(self) -> None:
        """Draws the token and the secret."""
        self.token = secrets.token_urlsafe(24)
        self.is_used = Event()
        self._secret = secrets.token_urlsafe(24)
        self._lock = Lock()

    def exchange(self, token: str) -> str | None:
        """Returns the secret; `None` for a wrong token and for a token that was used before."""
        with self._lock:
            if self.is_used.is_set() or not _same(token, self.token):
                return None
            self.is_used.set()
            return self._secret

    def admits(self, secret: str) -> bool:
        """Returns whether this is the secret; before the exchange nothing is."""
        return self.is_used.is_set() and _same(secret, self._secret)


class AccessControl:
    """Lets the owner's requests through to an application."""

    def __init__(self, inside: App, *, port: int, entry: Entry) -> None:
        """Opens for this port and token."""
        self._inside = inside
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._entry = entry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Looks at one request."""
        if scope["type"] != "http":
            await self._inside(scope, receive, send)
            return
        headers = {name.decode("latin-1"): it.decode("latin-1") for name, it in scope["headers"]}
        if refusal := self._refusal(scope, headers):
            await _say(send, *refusal)
        else:
            await self._inside(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if host not in self._hosts:
            return 421, f"This server is 127.0.0.1, not {host[:100]!r}.\n"
        path = scope["path"]
        is_read = scope["method"] in {"GET", "HEAD"}
        is_public = path == ENTER or (is_read and (path == "/" or path.startswith("/page/")))
        if not is_public and not self._entry.admits(headers.get(SESSION, "")):
            return 403, "Open the address that `uplane explore` has printed, then this one again.\n"
        return None if is_read else self._of_a_page(headers)

    def _of_a_page(self, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """Why a request that runs something is not of a page of this server."""
        if headers.get("origin") not in {f"http://{host}" for host in self._hosts}:
            return 403, "Only the page of this server may ask for that.\n"
        if headers.get("content-type", "").partition(";")[0] != "application/json":
            return 415, "Expected application/json.\n"
        return None


def _same(given: str, own: str) -> bool:
    return compare_digest(given.encode("utf-8", "surrogatepass"), own.encode())


def _with_headers(send: Send) -> Send:
    async def sent(message: Any) -> None:  # noqa: ANN401 - of the server's protocol
        if message["type"] == "http.response.start":
            own = [(name.encode(), text.encode()) for name, text in HEADERS.items()]
            message = {**message, "headers": [*message["headers"], *own]}
        await send(message)

    return sent


async def _say(send: Send, status: int, text: str) -> None:
    headers = {"content-type": "text/plain; charset=utf-8", **HEADERS}
    encoded = [
        (name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()
    ]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": text.encode()})
