"""The command `uplane explore`: serves the page of a scenario here, until Ctrl-C."""

import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from uplane.cli import output
from uplane.cli.runs import read
from uplane.cli.text import printable
from uplane.errors import InputError, OutputError
from uplane.report.room import expect_room
from uplane.scenario import Scenario

if TYPE_CHECKING:
    from uvicorn import Server

    from uplane.explore.access import Entry

__all__ = ["explore"]

HOST = "127.0.0.1"


def explore(file: Path, *, trust: bool, port: int, opens: bool) -> None:
    """Serves the page of a scenario until the process ends.

    Raises:
        InputError: Starlette or uvicorn is not installed.
        OutputError: The port is taken, or figures cannot be drawn.
        ScenarioError: The scenario cannot be simulated.
        UntrustedError: The scenario names a program that is not trusted.
    """
    expect_room()
    # A page changes values; no value of a page makes this process read another file.
    scenario = read(file, trust=trust).sealed()
    scenario.permit()
    with _listening(port) as listener:
        own = listener.getsockname()[1]
        server, entry = _server(scenario, own)
        address = f"http://{HOST}:{own}/#token={entry.token}"
        # The main thread does nothing but wait: it hears Ctrl-C at once.
        Thread(target=server.run, args=([listener],), daemon=True).start()
        output.give({"address": address, "source": scenario.source})
        sys.stdout.write(
            f"{printable(scenario.source)} is explored at\n{address}\nCtrl-C ends it.\n"
        )
        sys.stdout.flush()
        output.end(0)
        if opens:
            with _leading_to(address) as page:
                import webbrowser

                webbrowser.open(page.as_uri())
                entry.is_used.wait(OPENED_S)
        Event().wait()


@contextmanager
def _leading_to(address: str) -> Iterator[Path]:
    """Writes a page that leads to an address, and removes it after use.

    Only the owner can read the page. All users of this machine can read the list of processes, so
    the command of the browser names the page and not the token.
    """
    place, name = tempfile.mkstemp(prefix="uplane-explore-", suffix=".html")  # of mode 0600
    try:
        with os.fdopen(place, "w", encoding="utf-8") as file:
            file.write(LEADING.format(address=address))
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


LEADING = """<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={address}">
<title>uplane explore</title>
"""
OPENED_S = 60.0
"""Maximum time, in seconds, that a browser takes to open a page."""


def _server(scenario: Scenario, port: int) -> "tuple[Server, Entry]":
    try:
        from uvicorn import Config, Server

        from uplane.explore.access import Entry
        from uplane.explore.patience import Patience
        from uplane.explore.server import application
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in {"starlette", "uvicorn", "h11"}:
            raise
        message = f"{name} is not installed, expected `pip install 'uplane[explore]'`"
        raise InputError(message) from None
    entry = Entry()
    inside = application(scenario, port=port, entry=entry)
    config = Config(
        inside, http=Patience, log_level="warning", access_log=False, lifespan="off", ws="none"
    )
    return Server(config), entry


def _listening(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        message = f"cannot listen at port {port}: {why}; --port 0 takes a free one"
        raise OutputError(message) from None
