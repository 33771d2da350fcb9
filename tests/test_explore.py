"""The server of `uplane explore`: what it answers, to whom, and that it stops what nobody wants."""

import asyncio
import json
import re
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

import uplane
from conftest import COMMAND
from uplane import runner, watch
from uplane.cli import app
from uplane.cli.runs import parse_value
from uplane.explore.asked import Asked, laid_over
from uplane.explore.engine import Engine, Progress
from uplane.explore.keys import keys_of, values_of
from uplane.explore.saved import saved
from uplane.explore.server import application

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
LTE = ROOT / "examples/lte-download.toml"
HOST = "http://127.0.0.1:8321"
TOKEN = "a-token"  # noqa: S105 - of this test
PERIOD = {"radio.lte.sr_period": "40"}

Page = Callable[..., Any]


@cache
def served() -> Any:
    """One server for all clients: its library of figures takes longer than all that they ask."""
    return application(uplane.load(LTE), port=8321, token=TOKEN)


@pytest.fixture(scope="module")
def client() -> TestClient:
    """The owner's browser, who has come in by the printed address."""
    made = TestClient(served(), base_url=HOST)
    assert made.get("/", params={"token": TOKEN}).status_code == 200
    made.headers["origin"] = HOST
    return made


def asked(**more: object) -> dict[str, object]:
    return {"set": {}, "seed": 1, "runs": 3, **more}


def lines(client: TestClient, path: str, **more: object) -> list[dict[str, Any]]:
    told = client.post(path, json=asked(**more))
    assert told.status_code == 200, told.text
    return [json.loads(line) for line in told.text.splitlines()]


def of_kind(parts: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [part for part in parts if part["kind"] == kind]


# Who may come in.


def test_the_token_becomes_a_cookie_and_leaves_the_address() -> None:
    client = TestClient(served(), base_url=HOST, follow_redirects=False)
    told = client.get("/", params={"token": TOKEN})
    assert (told.status_code, told.headers["location"]) == (303, "/")
    assert re.fullmatch(
        rf"uplane-8321={TOKEN}; Path=/; HttpOnly; SameSite=Strict", told.headers["set-cookie"]
    )
    assert client.get("/").status_code == 200


PATHS = ["/", "/keys", "/page/main.js", "/run", "/packets", "/follow", "/scenario", "/report"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("cookie", [None, "another", f"{TOKEN}x"])
def test_without_the_token_nothing_is_shown(path: str, cookie: str | None) -> None:
    client = TestClient(served(), base_url=HOST)
    if cookie:
        client.cookies.set("uplane-8321", cookie)
    method = client.get if path in PATHS[:3] else client.post
    told = method(path, headers={"origin": HOST, "content-type": "application/json"})
    assert told.status_code == 403
    assert told.text.startswith("Open the address that `uplane explore` has printed")
    assert client.get("/", params={"token": "wrong"}).status_code == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8321", "127.0.0.1:9", "127.0.0.1", "[::1]:8321"]
)
def test_a_name_that_points_here_is_refused(client: TestClient, host: str) -> None:
    told = client.get("/keys", headers={"host": host})
    assert told.status_code == 421
    assert client.get("/", params={"token": TOKEN}, headers={"host": host}).status_code == 421


ELSEWHERE = ["http://127.0.0.1:9999", "http://evil.example", "null", "https://127.0.0.1:8321", ""]


@pytest.mark.parametrize("origin", ELSEWHERE)
def test_a_page_from_elsewhere_runs_nothing(client: TestClient, origin: str) -> None:
    for path in PATHS[3:]:
        told = client.post(path, json=asked(), headers={"origin": origin})
        assert told.status_code == 403
        assert told.text == "Only the page of this server may ask for that.\n"


def test_a_form_runs_nothing(client: TestClient) -> None:
    told = client.post("/run", data={"set": "{}"})
    assert (told.status_code, told.text) == (415, "Expected application/json.\n")


def test_every_answer_forbids_what_comes_from_elsewhere(client: TestClient) -> None:
    stranger = TestClient(served(), base_url=HOST)
    for told in (
        client.get("/"),
        client.get("/nothing"),
        stranger.get("/"),
        client.post("/run", json=[]),
    ):
        policy = told.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http:" not in policy
        assert told.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in told.headers


def test_only_files_of_the_page_are_given(client: TestClient) -> None:
    for name in ("nothing.js", "..%2Fserver.py", "%2E%2E%2Fserver.py", "server.py"):
        assert client.get(f"/page/{name}").status_code == 404
    assert "text/javascript" in client.get("/page/main.js").headers["content-type"]
    assert "http" not in client.get("/").text.replace("http-equiv", "")


# What is asked.


BAD = [
    ([], "expected an object"),
    ({}, "seed: found nothing, expected a whole number from 0"),
    ({"seed": 1}, "runs: found nothing, expected a whole number from 2 to 100"),
    ({"seed": 1, "runs": 1}, "runs: found 1, expected a whole number from 2 to 100"),
    ({"seed": 1, "runs": 101}, "runs: found 101, expected"),
    ({"seed": -1, "runs": 2}, "seed: found -1, expected"),
    ({"seed": True, "runs": 2}, "seed: found True, expected"),
    ({"seed": 1.5, "runs": 2}, "seed: found 1.5, expected"),
    ({"set": [], "seed": 1, "runs": 2}, "expected an object of at most 200 keys as `set`"),
    ({"set": {"a": 1}, "seed": 1, "runs": 2}, "a: expected a text of at most 10000 characters"),
    ({"set": {"a": "x" * 10_000}, "seed": 1, "runs": 2}, "a: expected a text of at most"),
]


@pytest.mark.parametrize(("content", "text"), BAD)
def test_what_a_page_cannot_ask_is_refused(client: TestClient, content: object, text: str) -> None:
    told = client.post("/run", json=content)
    assert told.status_code == 422
    assert told.json()["text"].startswith(text)


def test_what_is_no_json_is_refused(client: TestClient) -> None:
    for body in (b"", b"{", b"\xff", b"[" * 100_000):
        told = client.post("/run", content=body, headers={"content-type": "application/json"})
        assert (told.status_code, told.json()["text"]) == (422, "expected JSON")
    long = client.post(
        "/run", content=b" " * 1_000_001, headers={"content-type": "application/json"}
    )
    assert long.json()["text"] == "found more than 1000000 bytes"


WRONG = [
    ("radio.lte.sr_period", "3"),
    ("link.internet.delay", "10 parsecs"),
    ("link.internet.delay", "-5 ms"),
    ("tcp.default.congestion_control", "vegas"),
    ("radio.lte.downlink_sinr_db", "15 dB"),
    ("download.file.fil", "1 MB"),
    ("nothing", "1"),
]


@pytest.mark.parametrize(("key", "text"), WRONG)
def test_a_wrong_value_gets_the_message_of_the_command(
    client: TestClient, key: str, text: str
) -> None:
    done = CliRunner().invoke(app, ["run", str(LTE), "--set", f"{key}={text}"])
    assert done.exit_code == 2
    for path in ("/scenario", "/report", "/comparison"):
        told = client.post(path, json=asked(set={key: text}))
        assert told.status_code == 422
        assert f"error: --set: {told.json()['text']}\n" == done.stderr
        assert told.json()["key"] == key
    for path in ("/run", "/packets", "/follow"):
        (part,) = lines(client, path, set={key: text}, packet=1)
        assert part == {"kind": "error", **told.json()}


def test_an_empty_value_is_told_at_its_key(client: TestClient) -> None:
    told = client.post("/scenario", json=asked(set={"link.internet.delay": " "}))
    assert told.json() == {
        "key": "link.internet.delay",
        "text": "link.internet.delay: found nothing, expected a value",
    }


# The keys.


# The file says the same by another key, which may not stand beside it.
TOLD_OTHERWISE = {("backhaul-mtu", "tcp.default.mss")}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_value_in_effect_is_a_key_that_can_be_set_to_it(path: Path) -> None:
    scenario = uplane.load(path)
    keys = keys_of(uplane.schema(), scenario.effective)
    assert len({key.path for key in keys}) == len(keys)
    values = {key: text for key, text in values_of(scenario.effective) if text}
    for key in keys:
        if key.value:
            assert values[key.path] == key.value
            if (path.stem, key.path) not in TOLD_OTHERWISE:
                laid = laid_over(scenario, {key.path: key.value})
                assert laid.effective == scenario.effective, key
        assert key.about, key
        assert key.kind in {"choice", "number", "quantity", "text"}
    said = dict(values_of(tomllib.loads(path.read_text("utf-8"))))
    missing = {it for it in said if not it.startswith(("title", "seed", "record."))}
    assert {it for it in missing if not it.endswith(".name")} <= {key.path for key in keys}


def test_a_key_has_its_range_unit_choices_and_meaning(client: TestClient) -> None:
    told = client.get("/keys").json()
    keys = {key["path"]: key for key in told["keys"]}
    period = keys["radio.lte.sr_period"]
    assert (period["kind"], period["unit"], period["value"]) == ("choice", "TTIs", "10")
    assert [word for word, _ in period["choices"]] == [
        "auto",
        "1",
        "2",
        "5",
        "10",
        "20",
        "40",
        "80",
    ]
    sinr = keys["radio.lte.downlink_sinr_db"]
    assert (sinr["kind"], sinr["low"], sinr["high"], sinr["unit"]) == ("number", -30, 60, "dB")
    assert keys["link.internet.delay"]["form"].startswith('a time such as "5 ms"')
    assert keys["link.internet.delay"]["default"] == "0 s"
    assert keys["download.file.file"]["value"] == "1 MB"
    assert ["bbr", "BBR, version 3 (draft-ietf-ccwg-bbr)."] in keys[
        "tcp.default.congestion_control"
    ]["choices"]
    assert "radio.nr.tti" not in keys
    assert told["said"][:2] == ["duration", "radio.lte.bandwidth"]
    assert {"radio.lte.sr_period", "link.internet.delay", "tcp.default.base"} <= {*told["said"]}
    assert not [key for key in told["said"] if key.startswith("record")]


# The answer.


def test_the_answer_is_that_of_a_comparison(client: TestClient) -> None:
    parts = lines(client, "/run", set=PERIOD)
    (told,) = of_kind(parts, "answer")
    found = uplane.compare(LTE, change={"radio.lte.sr_period": 40}, runs=3)
    assert told["sentence"] == f"{found.sentence}."
    assert told["how"] == found.how()
    for row in found.rows():
        assert all(f">{cell.partition(' ± ')[0]}" in told["tables"] for cell in row)
    assert told["seeds"] == [1, 2, 3]
    assert told["values"] == {"radio.lte.sr_period": "40"}
    figures = of_kind(parts, "figure")
    assert {figure["place"] for figure in figures} == {"causes", "more", "anatomy"}
    assert all(figure["spec"]["data"]["values"] for figure in figures)
    assert "as set here, scheduling request wait: " in json.dumps(figures[0]["spec"])
    # The figures have the time of both sides, and a band of several runs.
    (band,) = (figure for figure in figures if figure["title"].startswith("In flight"))
    assert "area" in json.dumps(band["spec"]["layer"])
    assert {row[0] for row in band["data"]["rows"]} == {"as in the file", "as set here"}
    assert [part["kind"] for part in parts][-1] == "done"


def test_without_a_change_the_answer_is_that_of_the_file(client: TestClient) -> None:
    (told,) = of_kind(lines(client, "/run"), "answer")
    campaign = uplane.sweep(LTE, runs=3)
    from uplane.analysis.answer import answer

    assert told["sentence"] == answer(campaign)
    assert told["how"].startswith("Means over 3 runs")
    assert told["values"] == {}


def test_a_change_of_a_profile_shows_what_it_changes(client: TestClient) -> None:
    (told,) = of_kind(lines(client, "/run", set={"tcp.default.base": "rfc"}, runs=2), "answer")
    assert told["values"]["tcp.default.congestion_control"] == "new_reno"
    assert "radio.lte.sr_period" not in told["values"]


def test_warnings_of_the_runs_are_told(client: TestClient) -> None:
    (told,) = of_kind(lines(client, "/run", set={"duration": "100 ms"}, runs=2), "answer")
    assert any("download" in text or "transfer" in text for text in told["warnings"])


def test_an_error_of_a_run_is_the_last_part(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise uplane.SimulationBug("broke", 7)

    monkeypatch.setattr("uplane.explore.engine.run_once", fails)
    parts = lines(client, "/run", set={"link.internet.delay": "77 ms"})
    assert parts[-1]["kind"] == "error"
    assert parts[-1]["text"] == "a bug of uplane, shown by seed 7: broke"


# Single packets.


def test_packets_are_those_of_the_run(client: TestClient) -> None:
    parts = lines(client, "/packets", set=PERIOD, seed=2)
    results = uplane.run(LTE, seed=2, set={"radio.lte.sr_period": 40, "record.packets": True})
    slowest = results.slowest(10)
    (told,) = of_kind(parts, "slowest")
    assert [row["packet"] for row in told["rows"]] == slowest["packet"].to_list()
    (figure,) = of_kind(parts, "figure")
    assert figure["count"] == len({*results["packets"].to_polars()["packet"]})
    for number in slowest["packet"]:
        assert f'"told": "packet {number}: ' in json.dumps(figure["spec"])
    (way,) = of_kind(
        lines(client, "/follow", set=PERIOD, seed=2, packet=slowest["packet"][0]), "way"
    )
    for cause in results.follow(slowest["packet"][0])["cause"]:
        assert f"<td>{cause}</td>" in way["table"]
    assert way["figure"]["title"].endswith(f"packet {way['packet']} went")


def test_a_packet_that_is_none_is_refused(client: TestClient) -> None:
    for packet in (None, -1, "1", True, 1.5):
        told = client.post("/follow", json=asked(packet=packet))
        assert told.status_code == 422
        assert told.json()["text"].startswith(f"packet: found {packet!r}, expected a whole number")
    parts = lines(client, "/follow", packet=10**9)
    assert parts[-1]["text"].startswith("found the packet 1000000000, expected one of those")
    none = lines(client, "/packets", set={"duration": "1 ms"})
    assert none[-1]["text"].startswith("the run recorded no packet")


def test_a_run_of_too_many_packets_is_not_followed(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("uplane.explore.engine.MOST_PACKETS", 100)
    change = {"link.internet.delay": "13 ms"}
    lines(client, "/run", set=change)
    (told,) = lines(client, "/packets", set=change)
    assert re.match(
        r"the run has \d+ packets, and the way of each is kept of up to 100", told["text"]
    )


# What is kept.


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_saved_scenario_is_the_same_scenario(path: Path) -> None:
    scenario = uplane.load(path)
    more = f"ue.{scenario.effective['ue'][0]['name']}.count"
    for changes in ({}, {"duration": "150 s"}, {"duration": "151 s", more: "2"}):
        changed = laid_over(scenario, changes)
        text = saved(scenario, changes, changed)
        # It lies beside the file, as what both name does.
        read = uplane.Scenario(source=str(path), text=text)
        assert read.effective == changed.effective
        assert text.startswith(f"# {scenario.source}, as it was explored")
        # What profiles and defaults say is left to them.
        assert len(text) < len(path.read_text("utf-8")) + 300


def test_a_saved_scenario_runs_equal(client: TestClient) -> None:
    change = {
        "link.internet.aqm.codel.target": "7 ms",
        "radio.lte.sr_period": "5",
        "download.file.tcp": "default",
    }
    told = client.post("/scenario", json=asked(set=change))
    assert told.headers["content-type"].startswith("application/toml")
    ours = uplane.run(uplane.loads(told.text))
    theirs = uplane.run(LTE, set={key: parse_value(text) for key, text in change.items()})
    for table in ours:
        assert table.to_polars().equals(theirs[table.name].to_polars())


def timeless(page: str) -> str:
    return re.sub(r"<dt>CPU</dt><dd>[^<]*</dd>", "", page)


def test_reports_are_those_of_the_command(client: TestClient, tmp_path: Path) -> None:
    words = ["--set", "radio.lte.sr_period=40", "--runs", "3", "--report", str(tmp_path / "a.html")]
    assert CliRunner().invoke(app, ["run", str(LTE), *words]).exit_code == 0
    told = client.post("/report", json=asked(set=PERIOD)).text
    assert timeless(told) == timeless((tmp_path / "a.html").read_text("utf-8"))
    words = [
        "--change",
        "radio.lte.sr_period=40",
        "--runs",
        "3",
        "--report",
        str(tmp_path / "b.html"),
    ]
    assert CliRunner().invoke(app, ["compare", str(LTE), *words]).exit_code == 0
    told = client.post("/comparison", json=asked(set=PERIOD)).text
    assert told == (tmp_path / "b.html").read_text("utf-8")
    none = client.post("/comparison", json=asked())
    assert (none.status_code, none.json()["text"]) == (
        422,
        "found no change, expected one to compare with",
    )


# Long runs.


LONG = {"download.file.file": "1000 GB", "duration": "1000000 s"}


def test_a_newer_change_stops_the_older_runs_and_they_tell_how_far_they_are() -> None:
    engine = Engine(uplane.load(LTE))
    told: list[Progress] = []
    failed: list[BaseException] = []

    def ask() -> None:
        try:
            told.extend(engine.campaign(Asked(changes=LONG, first=1, runs=2), job))
        except uplane.UplaneError as error:
            failed.append(error)

    job = engine.begin("page")
    thread = Thread(target=ask)
    thread.start()
    until = time.monotonic() + 30
    while not any(at.share > 0 for at in told[:]) and time.monotonic() < until:
        time.sleep(0.01)
    assert any(at.share > 0 for at in told)
    assert all(0 <= at.share <= 1 and at.of in {1, 4} for at in told)
    begun = time.monotonic()
    newer = engine.begin("page")
    thread.join(20)
    was_stopped = job.is_stopped
    job.stop()
    assert was_stopped
    assert not thread.is_alive()
    assert time.monotonic() - begun < 10
    assert [type(error).__name__ for error in failed] == ["RunStopped"]
    while watch.tally().under_way and time.monotonic() < begun + 10:
        time.sleep(0.01)
    assert not watch.tally().under_way
    # The newer one is not stopped, nor is that of another page.
    assert not newer.is_stopped
    campaign = yielded(engine.campaign(Asked(changes=PERIOD, first=1, runs=2), newer))
    assert len(campaign) == 4


def test_a_page_that_has_gone_stops_its_runs(client: TestClient) -> None:
    """As the server does it: the connection ends after the first line, and nobody sends more."""
    content = json.dumps(asked(set=LONG, page="gone")).encode()
    cookies = "; ".join(f"{it.name}={it.value}" for it in client.cookies.jar)
    headers = {**client.headers, "host": "127.0.0.1:8321", "cookie": cookies}
    headers |= {"content-type": "application/json", "content-length": str(len(content))}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "root_path": "",
        "path": "/run",
        "raw_path": b"/run",
        "query_string": b"",
        "headers": [(key.encode(), value.encode()) for key, value in headers.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8321),
    }
    sent: list[dict[str, Any]] = []

    async def serve() -> None:
        under_way, requests = asyncio.Event(), [{"type": "http.request", "body": content}]

        async def receive() -> dict[str, Any]:
            if requests:
                return requests.pop()
            await under_way.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)
            if watch.tally().under_way:
                under_way.set()

        await asyncio.wait_for(served()(scope, receive, send), 60)

    asyncio.run(serve())
    assert sent[0]["status"] == 200
    until = time.monotonic() + 10
    while watch.tally().under_way and time.monotonic() < until:
        time.sleep(0.01)
    assert not watch.tally().under_way


def yielded(made: Any) -> Any:
    """What a generator gives at its end."""
    while True:
        try:
            next(made)
        except StopIteration as ended:
            return ended.value


def test_runs_that_were_made_are_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from uplane.explore import engine as module

    made: list[int] = []

    def counted(scenario: uplane.Scenario, seed: int) -> uplane.Results:
        made.append(seed)
        return runner.run_once(scenario, seed)

    monkeypatch.setattr(module, "run_once", counted)
    engine = Engine(uplane.load(LTE))
    for changes, count in (({}, 1 + 3), (PERIOD, 3), (PERIOD, 0), ({}, 0)):
        made.clear()
        yielded(engine.campaign(Asked(changes=changes, first=1, runs=3), engine.begin("page")))
        assert len(made) == count
    monkeypatch.setattr(module, "MOST_ROWS", 0)
    yielded(engine.campaign(Asked(changes={}, first=8, runs=3), engine.begin("page")))
    assert len(engine._runs) == 1


# The command.


def started(*words: str) -> tuple[subprocess.Popen[str], str]:
    command = [str(COMMAND), "explore", str(LTE), "--port", "0", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    lines = [process.stdout.readline() for _ in range(3)]
    assert lines[0] == f"{LTE} is explored at\n"
    assert lines[2] == "Ctrl-C ends it.\n"
    return process, lines[1].strip()


def test_the_command_serves_here_alone_until_it_is_interrupted() -> None:
    process, address = started()
    try:
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=[\w-]{32}", address)
        assert found
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/keys", timeout=20)
        cookies = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        assert b"main.js" in cookies.open(address, timeout=20).read()
        listening = Path("/proc/net/tcp")
        if listening.exists():
            ports = [line.split()[1:4] for line in listening.read_text().splitlines()[1:]]
            own = [
                place
                for place, _, state in ports
                if state == "0A" and place.endswith(f":{int(found[1]):04X}")
            ]
            assert own == [f"0100007F:{int(found[1]):04X}"]
        taken = subprocess.run(
            [COMMAND, "explore", str(LTE), "--port", found[1]],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (taken.returncode, taken.stdout) == (1, "")
        assert taken.stderr.startswith(f"error: cannot listen at port {found[1]}: ")
        assert taken.stderr.endswith("--port 0 takes a free one\n")
    finally:
        begun = time.monotonic()
        process.send_signal(2)
        _, stderr = process.communicate(timeout=20)
    assert process.returncode == 130
    assert stderr == "interrupted\n"
    assert time.monotonic() - begun < 5


def test_a_bad_scenario_is_refused_before_anything_is_served(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("radio = 1\n")
    done = CliRunner().invoke(app, ["explore", str(tmp_path / "bad.toml"), "--port", "0"])
    assert done.exit_code == 2
    assert done.stdout == ""


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_without_the_extra_the_way_to_install_it_is_told(missing: str) -> None:
    script = f"""import sys
sys.modules[{missing!r}] = None
from uplane.cli import call
sys.exit(call(["explore", {str(LTE)!r}, "--port", "0"]))"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    expected = f"error: {missing} is not installed, expected `pip install 'uplane[explore]'`\n"
    assert done.stderr == expected


def test_other_commands_import_nothing_of_it() -> None:
    script = f"""import sys
from uplane.cli import call
code = call(["run", {str(LTE)!r}])
heavy = {{"starlette", "uvicorn", "anyio", "jinja2", "vl_convert", "uplane.explore"}}
sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else code)"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
