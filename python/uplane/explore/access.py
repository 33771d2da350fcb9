"""Access control: admits only the person with the printed address, and no page of another site.

In: requests. Out: the requests of the owner; a refusal for all others.

* The server listens at 127.0.0.1 only and refuses any other name in `Host`. So a page of another
  site whose name points to this machine (DNS rebinding) is refused.
* The printed address has a random token after `#`, which browsers never send. The page exchanges
  the token, once, for another secret, and sends the secret in a header with each request. A browser
  keeps it for this port only; a cookie would reach servers at other ports of this machine. Requests
  without the secret get only the files of the page, which say nothing of the scenario.
* Runs start only by a `POST` of JSON from a page of this server (its `Origin`). Pages at other
  ports of this machine are refused.
* Pages may fetch from this server only (`Content-Security-Policy`), and are shown in no frame.
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
"""Headers of each answer."""

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
    """Passes the owner's requests to an application."""

    def __init__(self, inside: App, *, port: int, entry: Entry) -> None:
        """Admits requests to this port with the secret of this entry."""
        self._inside = inside
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._entry = entry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes or refuses one request."""
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
        """Returns the refusal of a request that no page of this server has sent, if any."""
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
