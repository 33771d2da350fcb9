"""The web application: the page, and the answers to its requests.

In: requests of the page. Out: files of the page, keys, and lines of JSON, each when it is ready.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import Any, cast

from starlette.applications import Starlette
from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from uplane.errors import InputError, RunStopped, ScenarioError, UntrustedError, UplaneError
from uplane.explore import views
from uplane.explore.access import ENTER, AccessControl, App, Entry
from uplane.explore.asked import MOST_RUNS, Asked, laid_over
from uplane.explore.engine import Engine, Job
from uplane.explore.importance import by_importance
from uplane.explore.keys import keys_of, values_of
from uplane.explore.saved import said, saved
from uplane.report.figure import VEGA_LITE
from uplane.report.render import style_and_script
from uplane.runner import made_by
from uplane.scenario import Scenario, schema

__all__ = ["application"]

LIBRARY = "vega.js"
RUNS = 5
"""Default number of seeds of each side."""
LONGEST = 1_000_000
"""Maximum size of a request, in bytes."""
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}


def application(scenario: Scenario, *, port: int, entry: Entry) -> App:
    """Returns the application for one scenario, behind its access control."""
    pages = _Pages(scenario.sealed(), entry)
    routes = [
        Route(ENTER, pages.enter, methods=["POST"]),
        Route("/", pages.index),
        Route("/keys", pages.keys),
        Route("/page/{name}", pages.file),
        Route("/run", pages.run, methods=["POST"]),
        Route("/packets", pages.packets, methods=["POST"]),
        Route("/follow", pages.follow, methods=["POST"]),
        Route("/scenario", pages.scenario, methods=["POST"]),
        Route("/report", pages.report, methods=["POST"]),
        Route("/comparison", pages.comparison, methods=["POST"]),
    ]
    refused = dict.fromkeys((ScenarioError, InputError, UntrustedError), _refused)
    handlers = {**refused, UplaneError: _failed}
    inside = Starlette(routes=routes, exception_handlers=cast("Any", handlers))
    return AccessControl(cast("App", inside), port=port, entry=entry)


class _Pages:
    """The answers to the requests of a page."""

    def __init__(self, scenario: Scenario, entry: Entry) -> None:
        self._entry = entry
        self._engine = Engine(scenario)
        self._base = scenario
        here = files("uplane.explore").joinpath("page")
        names = (Path(str(here))).iterdir()
        self._files = {path.name: path.read_text("utf-8") for path in names if path.suffix in TYPES}
        style, script = style_and_script()
        self._files |= {"report.css": style, "figures.js": script}
        # This takes seconds, in which the person opens the address.
        self._library = Thread(target=self._bundle, daemon=True)
        self._library.start()

    def _bundle(self) -> None:
        """Makes the library that draws figures in the browser, from the renderer of reports."""
        from vl_convert import javascript_bundle

        self._files[LIBRARY] = javascript_bundle("window.vegaEmbed = vegaEmbed;", VEGA_LITE)

    async def enter(self, request: Request) -> Response:
        """Answers with the secret of the session, for the token of the printed address."""
        secret = self._entry.exchange(str((await _json(request)).get("token")))
        if secret is None:
            text = "This address was opened before, or is not of this server: start it again."
            return JSONResponse({"key": "", "text": text}, status_code=403)
        return JSONResponse({"session": secret})

    async def index(self, _: Request) -> Response:
        """Answers with the page. It requests its content later."""
        return Response(self._files["index.html"], media_type="text/html")

    async def file(self, request: Request) -> Response:
        """Answers with a file of the page."""
        name = request.path_params["name"]
        if name == LIBRARY:
            await run_in_threadpool(self._library.join)
        if name not in self._files:
            return Response("There is no such file.\n", status_code=404, media_type="text/plain")
        return Response(self._files[name], media_type=TYPES[Path(name).suffix])

    async def keys(self, _: Request) -> Response:
        """Answers with the keys of the scenario, and which of them the file sets."""
        effective = self._base.values
        # The spelling of the file: 1 MB, not 1000000 B.
        in_file = dict(values_of(said(self._base)))
        steps = await run_in_threadpool(self._engine.grid.steps, {})
        known = [
            {
                **key.__dict__,
                "value": in_file.get(key.path, key.value),
                "step": steps.get(key.path),
            }
            for key in keys_of(schema(), effective)
        ]
        return JSONResponse(
            {
                "title": str(effective["title"] or Path(self._base.source).name),
                "source": self._base.source,
                "version": made_by()["version"],
                "seed": min(self._base.seed, 2**53),
                "runs": RUNS,
                "most_runs": MOST_RUNS,
                "keys": known,
                "said": by_importance([key["path"] for key in known if key["path"] in in_file]),
            }
        )

    async def run(self, request: Request) -> Response:
        """Runs both sides and answers part by part."""
        content = await _json(request)
        asked = Asked.of(content)
        return self._lines(content, "run", lambda job: views.parts(self._engine, asked, job))

    async def packets(self, request: Request) -> Response:
        """Answers with the packets of one run."""
        content = await _json(request)
        asked = Asked.of(content)
        return self._lines(
            content,
            "packets",
            lambda job: views.packet_parts(self._engine, asked.changes, asked.first, job),
        )

    async def follow(self, request: Request) -> Response:
        """Answers with the path of one packet of that run."""
        content = await _json(request)
        asked = Asked.of(content)
        packet = content.get("packet")
        if not isinstance(packet, int) or isinstance(packet, bool) or packet < 0:
            raise InputError(f"packet: found {packet!r:.40}, expected a whole number from 0")
        return self._lines(
            content,
            "packets",
            lambda job: views.followed(self._engine, asked.changes, asked.first, packet, job),
        )

    async def scenario(self, request: Request) -> Response:
        """Answers with the scenario as a file."""
        asked = Asked.of(await _json(request))
        text = saved(self._base, asked.changes, laid_over(self._base, asked.changes))
        return Response(text, media_type="application/toml")

    async def report(self, request: Request) -> Response:
        """Answers with the report of the changed scenario, as `uplane run` writes it."""
        return await self._page(request, views.report)

    async def comparison(self, request: Request) -> Response:
        """Answers with the report of both sides, as `uplane compare` writes it."""
        return await self._page(request, views.comparison)

    async def _page(self, request: Request, make: Callable[[Engine, Asked, Job], str]) -> Response:
        """Answers with a report. Its runs stop if the page closes the connection."""
        content = await _json(request)
        asked = Asked.of(content)
        job = self._engine.begin(f"{make.__name__} {str(content.get('page'))[:40]}")
        leaving = asyncio.create_task(_stopped_by_leaving(request, job))
        try:
            text = await run_in_threadpool(make, self._engine, asked, job)
        finally:
            leaving.cancel()
        return Response(text, media_type="text/html")

    def _lines(
        self, content: dict[str, Any], kind: str, parts: Callable[[Job], Iterator[views.Part]]
    ) -> Response:
        """Answers with lines of JSON, and stops the page's job of this kind before it."""
        job = self._engine.begin(f"{kind} {str(content.get('page'))[:40]}")
        return StreamingResponse(_lines(parts(job), job), media_type="application/x-ndjson")


async def _stopped_by_leaving(request: Request, job: Job) -> None:
    """Waits until the page closes the connection, then stops the job."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    job.stop()


async def _lines(parts: Iterator[views.Part], job: Job) -> AsyncIterator[str]:
    try:
        async for part in iterate_in_threadpool(_caught(parts)):
            yield json.dumps(part) + "\n"
    finally:
        # Reached too if the page closes the connection.
        job.stop()


def _caught(parts: Iterator[views.Part]) -> Iterator[views.Part]:
    """Yields the parts; an error becomes the last part."""
    try:
        yield from parts
    except RunStopped:
        yield {"kind": "stopped"}
    except UplaneError as error:
        yield {"kind": "error", **_error(error)}


async def _json(request: Request) -> dict[str, Any]:
    """Returns the object in a request."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LONGEST:
                raise InputError(f"found more than {LONGEST} bytes")
        content = json.loads(body)
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("expected JSON") from None
    except ClientDisconnect:
        raise InputError("the page has gone") from None
    if not isinstance(content, dict):
        raise InputError("expected an object")
    return content


def _error(error: UplaneError) -> dict[str, str]:
    return {"key": getattr(error, "key", ""), "text": str(error)}


async def _refused(_: Request, error: UplaneError) -> Response:
    return JSONResponse(_error(error), status_code=422)


async def _failed(_: Request, error: UplaneError) -> Response:
    return JSONResponse(_error(error), status_code=500)
