"""Access control: only the person with the printed address comes in, and no page of other sites.

In: requests. Out: those of the owner; for the others a refusal.

* The server listens at 127.0.0.1 alone, and knows no other name for itself: a page of another site
  that makes its own name point here (DNS rebinding) is told that it is wrong.
* The printed address has a random token, which becomes a cookie; without it nothing is shown, also
  not to other users of this machine.
* What runs anything is a `POST` of JSON from a page of this server (its `Origin`). A page at
  another port of this machine, with which the cookie would be sent, is refused.
* Pages may fetch from here alone (`Content-Security-Policy`), and stand in no frame.
"""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

__all__ = ["HEADERS", "Door"]

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


class Door:
    """Lets the owner's requests through to an application."""

    def __init__(self, inside: App, *, port: int, token: str) -> None:
        """Opens for this port and token."""
        self._inside = inside
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._cookie = f"uplane-{port}"
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Looks at one request."""
        if scope["type"] != "http":
            await self._inside(scope, receive, send)
            return
        headers = {name.decode("latin-1"): it.decode("latin-1") for name, it in scope["headers"]}
        if refusal := self._refusal(scope, headers):
            await _say(send, *refusal)
        elif self._is_token(_asked(scope)):
            # The token goes out of the address, and what stands behind # stays there.
            cookie = f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict"
            await _say(send, 303, "", {"location": "/", "set-cookie": cookie})
        else:
            await self._inside(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if host not in self._hosts:
            return 421, f"This server is 127.0.0.1, not {host[:100]!r}.\n"
        if self._is_token(_asked(scope)) and scope["method"] == "GET":
            return None
        if not self._is_token(_cookie(headers, self._cookie)):
            return 403, "Open the address that `uplane explore` has printed, then this one again.\n"
        if scope["method"] != "GET":
            return self._of_a_page(headers)
        return None

    def _of_a_page(self, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """Why a request that runs something is not of a page of this server."""
        if headers.get("origin") not in {f"http://{host}" for host in self._hosts}:
            return 403, "Only the page of this server may ask for that.\n"
        if headers.get("content-type", "").partition(";")[0] != "application/json":
            return 415, "Expected application/json.\n"
        return None

    def _is_token(self, given: str) -> bool:
        return compare_digest(given.encode(), self._token.encode())


def _asked(scope: Scope) -> str:
    """The token in the address."""
    if scope["path"] != "/":
        return ""
    query: str = scope["query_string"].decode("latin-1")
    return parse_qs(query).get("token", [""])[0]


def _cookie(headers: Mapping[str, str], name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def _with_headers(send: Send) -> Send:
    async def sent(message: Any) -> None:  # noqa: ANN401 - of the server's protocol
        if message["type"] == "http.response.start":
            own = [(name.encode(), text.encode()) for name, text in HEADERS.items()]
            message = {**message, "headers": [*message["headers"], *own]}
        await send(message)

    return sent


async def _say(send: Send, status: int, text: str, more: Mapping[str, str] | None = None) -> None:
    headers = {"content-type": "text/plain; charset=utf-8", **HEADERS, **(more or {})}
    encoded = [
        (name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()
    ]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": text.encode()})
