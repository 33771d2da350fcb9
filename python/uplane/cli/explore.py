"""The command `uplane explore`: serves the page of a scenario here, until Ctrl-C."""

import secrets
import socket
import sys
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from uplane.cli.runs import read
from uplane.cli.text import printable
from uplane.errors import InputError, OutputError
from uplane.scenario import Scenario

if TYPE_CHECKING:
    from uvicorn import Server

__all__ = ["explore"]

HOST = "127.0.0.1"


def explore(file: Path, *, trust: bool, port: int, opens: bool) -> None:
    """Serves until the process ends.

    Raises:
        InputError: Starlette or uvicorn is not installed.
        OutputError: The port is taken.
        ScenarioError: The scenario cannot be simulated.
    """
    scenario = read(file, trust=trust)
    scenario.permit()
    with _listening(port) as listener:
        own = listener.getsockname()[1]
        token = secrets.token_urlsafe(24)
        server = _server(scenario, own, token)
        address = f"http://{HOST}:{own}/?token={token}"
        # The main thread does nothing but wait: it hears Ctrl-C at once.
        Thread(target=server.run, args=([listener],), daemon=True).start()
        sys.stdout.write(
            f"{printable(scenario.source)} is explored at\n{address}\nCtrl-C ends it.\n"
        )
        sys.stdout.flush()
        if opens:
            import webbrowser

            webbrowser.open(address)
        Event().wait()


def _server(scenario: Scenario, port: int, token: str) -> "Server":
    try:
        from uvicorn import Config, Server

        from uplane.explore.server import application
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in {"starlette", "uvicorn"}:
            raise
        message = f"{name} is not installed, expected `pip install 'uplane[explore]'`"
        raise InputError(message) from None
    inside = application(scenario, port=port, token=token)
    return Server(Config(inside, log_level="warning", access_log=False, lifespan="off", ws="none"))


def _listening(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        message = f"cannot listen at port {port}: {why}; --port 0 takes a free one"
        raise OutputError(message) from None
