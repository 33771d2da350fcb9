"""The server of `uplane explore`: what it answers, to whom, and that it stops what nobody wants."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import uvicorn
from click.testing import CliRunner
from starlette.testclient import TestClient

import uplane
from conftest import COMMAND
from uplane import runner, watch
from uplane.cli import app
from uplane.cli.runs import parse_value
from uplane.explore import patience, server
from uplane.explore.access import SESSION, Entry
from uplane.explore.asked import Asked, laid_over
from uplane.explore.engine import Engine, Progress
from uplane.explore.keys import keys_of, values_of
from uplane.explore.saved import saved
from uplane.explore.server import application

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
LTE = ROOT / "examples/lte-download.toml"
HOST = "http://127.0.0.1:8321"
PERIOD = {"radio.lte.sr_period": "40"}

Page = Callable[..., Any]


@cache
def served() -> tuple[Any, Entry]:
    """One server for all clients: its library of figures takes longer than all that they ask."""
    entry = Entry()
    return application(uplane.load(LTE), port=8321, entry=entry), entry


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> tuple[TestClient, Entry]:
    """A server into which nobody has come, without its library of figures."""
    monkeypatch.setattr(server._Pages, "_bundle", lambda _: None)
    entry = Entry()
    inside = application(uplane.load(LTE), port=8321, entry=entry)
    return TestClient(inside, base_url=HOST, headers={"origin": HOST}), entry


def entered(made: TestClient, entry: Entry) -> TestClient:
    """The client, after its page has exchanged the token of the printed address."""
    response = made.post("/enter", json={"token": entry.token})
    assert response.status_code == 200
    made.headers[SESSION] = response.json()["session"]
    return made


@pytest.fixture(scope="module")
def client() -> TestClient:
    """The owner's browser, which has opened the printed address."""
    inside, entry = served()
    return entered(TestClient(inside, base_url=HOST, headers={"origin": HOST}), entry)


def asked(**more: object) -> dict[str, object]:
    return {"set": {}, "seed": 1, "runs": 3, **more}


def lines(client: TestClient, path: str, **more: object) -> list[dict[str, Any]]:
    response = client.post(path, json=asked(**more))
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


def of_kind(parts: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [part for part in parts if part["kind"] == kind]


# Who may come in.


def test_the_token_is_good_for_one_exchange(fresh: tuple[TestClient, Entry]) -> None:
    client, entry = fresh
    for wrong in ("", "wrong", f"{entry.token}x", entry.token[:-1], None, 3, "\ud800", "é"):
        content = json.dumps({"token": wrong})
        assert client.post("/enter", content=content, headers=JSON).status_code == 403
    response = client.post("/enter", json={"token": entry.token})
    assert response.status_code == 200
    secret = response.json()["session"]
    assert len(secret) == 32
    assert secret != entry.token
    again = client.post("/enter", json={"token": entry.token})
    assert again.status_code == 403
    assert again.json()["text"].startswith("This address was opened before")
    # The token itself opens nothing.
    for given, status in ((entry.token, 403), (secret, 200)):
        assert client.get("/keys", headers={SESSION: given}).status_code == status


def test_the_secret_is_no_cookie(fresh: tuple[TestClient, Entry]) -> None:
    """Cookies know no ports: a server at another port of this machine would be sent one."""
    client, entry = fresh
    response = client.post("/enter", json={"token": entry.token})
    secret = response.json()["session"]
    assert "set-cookie" not in response.headers
    assert not list(client.cookies.jar)
    for name in ("uplane-8321", SESSION):
        client.cookies.set(name, secret)
    assert client.get("/keys").status_code == 403
    assert client.post("/run", json=asked()).status_code == 403


def test_before_the_exchange_no_secret_opens(fresh: tuple[TestClient, Entry]) -> None:
    client, entry = fresh
    assert client.get("/keys", headers={SESSION: entry._secret}).status_code == 403


PATHS = ["/keys", "/run", "/packets", "/follow", "/scenario", "/report", "/comparison", "/no"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("secret", [None, "", "another", "é"])
def test_without_the_secret_nothing_of_the_scenario_is_shown(path: str, secret: str | None) -> None:
    client = TestClient(served()[0], base_url=HOST, headers={"origin": HOST})
    headers = [] if secret is None else [(SESSION.encode(), secret.encode("latin-1"))]
    response = client.get(path, headers=headers)
    assert response.status_code == 403
    assert response.text.startswith("Open the address that `uplane explore` has printed")
    if path != PATHS[0]:
        assert client.post(path, json=asked(), headers=headers).status_code == 403
    assert client.get("/").status_code == 200
    assert LTE.name not in client.get("/").text


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8321", "127.0.0.1:9", "127.0.0.1", "[::1]:8321"]
)
def test_a_name_that_points_here_is_refused(client: TestClient, host: str) -> None:
    response = client.get("/keys", headers={"host": host})
    assert response.status_code == 421
    assert client.get("/", headers={"host": host}).status_code == 421
    entering = client.post("/enter", json={}, headers={"host": host})
    assert entering.status_code == 421


ELSEWHERE = ["http://127.0.0.1:9999", "http://evil.example", "null", "https://127.0.0.1:8321", ""]


@pytest.mark.parametrize("origin", ELSEWHERE)
def test_a_page_from_elsewhere_runs_nothing(client: TestClient, origin: str) -> None:
    for path in ("/enter", *PATHS[1:]):
        response = client.post(path, json=asked(), headers={"origin": origin})
        assert response.status_code == 403
        assert response.text == "Only the page of this server may ask for that.\n"


def test_a_form_runs_nothing(client: TestClient) -> None:
    response = client.post("/run", data={"set": "{}"})
    assert (response.status_code, response.text) == (415, "Expected application/json.\n")


def test_every_response_forbids_foreign_content(client: TestClient) -> None:
    stranger = TestClient(served()[0], base_url=HOST)
    for response in (
        client.get("/"),
        client.get("/nothing"),
        stranger.get("/"),
        stranger.get("/keys"),
        client.post("/run", json=[]),
    ):
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http:" not in policy
        assert response.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in response.headers


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
    ({"set": {"title": '"\ud800"'}, "seed": 1, "runs": 2}, "found half of a surrogate pair"),
    ({"set": {"a\udfff": "1"}, "seed": 1, "runs": 2}, "found half of a surrogate pair"),
    ({"set": {"\ud800" * 9_999: "11"}, "seed": 1, "runs": 2}, "found half of a surrogate pair"),
    ({"set": {}, "seed": "\ud800", "runs": 2}, "seed: found"),
]


@pytest.mark.parametrize(("content", "text"), BAD)
def test_invalid_requests_are_refused(client: TestClient, content: object, text: str) -> None:
    for path in PATHS[1:-1]:
        response = client.post(path, content=json.dumps(content), headers=JSON)
        assert response.status_code == 422, path
        assert response.json()["text"].startswith(text)


JSON = {"content-type": "application/json"}
SHOT = 'open({mark!r}, "w")\nfrom uplane.control import CongestionControl as C\nclass A(C): ...\n'


def hostile(tmp_path: Path) -> dict[str, str]:
    """Values of a link that would run or read what its maker has chosen, by their keys."""
    program = tmp_path / "evil.py"
    program.write_text(SHOT.format(mark=str(tmp_path / "it-ran")), "utf-8")
    (tmp_path / "data.csv").write_text("time,direction,bytes\n0,up,1\n", "utf-8")
    (tmp_path / "trace").write_text("1 2 3\n", "utf-8")
    code = json.dumps(f"# a CongestionControl\n{SHOT.format(mark=str(tmp_path / 'it-ran'))}")
    control, file = "tcp.default.congestion_control", json.dumps(str(program))
    return {
        "the text of a control": f"{control}={code}",
        "the file of a control": f"{control}={file}",
        "a set with a control": f"tcp.default={{congestion_control = {file}}}",
        "another set": f"tcp={{evil = {{congestion_control = {file}}}}}",
        "an application": f'program=[{{name = "it", file = {file}}}]',
        "a replay": f'replay=[{{name = "it", file = "{tmp_path}/data.csv"}}]',
        "a trace": f'link.internet.trace="{tmp_path}/trace"',
        "a link with a trace": f'link=[{{name = "internet", trace = "{tmp_path}/trace"}}]',
        "a base file": f'tcp.default.base="{tmp_path}/mine.toml"',
        "a profile": f'radio.lte.profile="{tmp_path}/mine.toml"',
        "a log of SINRs": f'ue.ue.downlink_sinrs="{tmp_path}/data.csv"',
        "a log of rates": f'link.internet.rates="{tmp_path}/data.csv"',
    }


NAMES = (
    *("the text of a control", "the file of a control", "a set with a control", "another set"),
    *("an application", "a replay", "a trace", "a link with a trace", "a base file", "a profile"),
    *("a log of SINRs", "a log of rates"),
)
REFUSED = ("a file that the scenario did not name before", "expected one of new_reno")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_names_no_file_that_the_scenario_does_not(
    name: str, client: TestClient, tmp_path: Path
) -> None:
    key, _, text = hostile(tmp_path)[name].partition("=")
    for path in PATHS[1:-1]:
        response = client.post(path, json=asked(set={key: text}, packet=1))
        found = response.json() if response.status_code == 422 else json.loads(response.text)
        assert found.get("kind", "error") == "error", path
        assert any(words in found["text"] for words in REFUSED), found["text"]
    assert not (tmp_path / "it-ran").exists()


def test_invalid_json_is_refused(client: TestClient) -> None:
    for body in (b"", b"{", b"\xff", b"[" * 100_000):
        response = client.post("/run", content=body, headers={"content-type": "application/json"})
        assert (response.status_code, response.json()["text"]) == (422, "expected JSON")
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
        response = client.post(path, json=asked(set={key: text}))
        assert response.status_code == 422
        assert f"error: --set: {response.json()['text']}\n" == done.stderr
        assert response.json()["key"] == key
    for path in ("/run", "/packets", "/follow"):
        (part,) = lines(client, path, set={key: text}, packet=1)
        assert part == {"kind": "error", **response.json()}


def test_empty_value_is_an_error_at_its_key(client: TestClient) -> None:
    response = client.post("/scenario", json=asked(set={"link.internet.delay": " "}))
    assert response.json() == {
        "key": "link.internet.delay",
        "text": "link.internet.delay: found nothing, expected a value",
    }


# The keys.


# The file says the same by another key, which may not stand beside it.
TOLD_OTHERWISE = {("backhaul-mtu", "tcp.default.mss")}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_value_in_effect_can_be_set(path: Path) -> None:
    scenario = uplane.load(path).sealed()
    keys = keys_of(uplane.schema(), scenario.values)
    assert len({key.path for key in keys}) == len(keys)
    values = {key: text for key, text in values_of(scenario.values) if text}
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
    listed = client.get("/keys").json()
    keys = {key["path"]: key for key in listed["keys"]}
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
    choices = dict(keys["tcp.default.congestion_control"]["choices"])
    assert choices["bbr"].startswith("BBR version 3")
    assert "radio.nr.tti" not in keys
    assert listed["said"][:2] == ["radio.lte.bandwidth", "radio.lte.sr_period"]
    assert listed["said"][-1] == "duration"
    assert {"radio.lte.sr_period", "link.internet.delay", "tcp.default.base"} <= {*listed["said"]}
    assert not [key for key in listed["said"] if key.startswith("record")]


# The answer.


def test_the_answer_is_that_of_a_comparison(client: TestClient) -> None:
    parts = lines(client, "/run", set=PERIOD)
    (answer,) = of_kind(parts, "answer")
    found = uplane.compare(LTE, change={"radio.lte.sr_period": 40}, runs=3)
    assert answer["sentence"] == f"{found.sentence}."
    assert answer["how"] == found.how()
    for row in found.rows():
        assert all(f">{cell.partition(' ± ')[0]}" in answer["tables"] for cell in row)
    assert answer["seeds"] == [1, 2, 3]
    assert answer["values"] == {"radio.lte.sr_period": "40"}
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
    (reply,) = of_kind(lines(client, "/run"), "answer")
    campaign = uplane.sweep(LTE, runs=3)
    from uplane.analysis.answer import answer

    assert reply["sentence"] == answer(campaign)
    assert reply["how"].startswith("Means over 3 runs")
    assert reply["values"] == {}


def test_change_of_profile_shows_changed_values(client: TestClient) -> None:
    (answer,) = of_kind(lines(client, "/run", set={"tcp.default.base": "rfc"}, runs=2), "answer")
    assert answer["values"]["tcp.default.congestion_control"] == "new_reno"
    assert "radio.lte.sr_period" not in answer["values"]


def test_warnings_of_the_runs_are_shown(client: TestClient) -> None:
    (answer,) = of_kind(lines(client, "/run", set={"duration": "100 ms"}, runs=2), "answer")
    assert any("download" in text or "transfer" in text for text in answer["warnings"])


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
    (slowest_packets,) = of_kind(parts, "slowest")
    assert [row["packet"] for row in slowest_packets["rows"]] == slowest["packet"].to_list()
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
        response = client.post("/follow", json=asked(packet=packet))
        assert response.status_code == 422
        assert response.json()["text"].startswith(
            f"packet: found {packet!r}, expected a whole number"
        )
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
    (error,) = lines(client, "/packets", set=change)
    assert re.match(
        r"the run has \d+ packets, and the way of each is kept of up to 100", error["text"]
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
    response = client.post("/scenario", json=asked(set=change))
    assert response.headers["content-type"].startswith("application/toml")
    ours = uplane.run(uplane.loads(response.text))
    theirs = uplane.run(LTE, set={key: parse_value(text) for key, text in change.items()})
    for table in ours:
        assert table.to_polars().equals(theirs[table.name].to_polars())


def timeless(page: str) -> str:
    return re.sub(r"<dt>CPU</dt><dd>[^<]*</dd>", "", page)


def test_reports_are_those_of_the_command(client: TestClient, tmp_path: Path) -> None:
    words = ["--set", "radio.lte.sr_period=40", "--runs", "3", "--report", str(tmp_path / "a.html")]
    assert CliRunner().invoke(app, ["run", str(LTE), *words]).exit_code == 0
    page = client.post("/report", json=asked(set=PERIOD)).text
    assert timeless(page) == timeless((tmp_path / "a.html").read_text("utf-8"))
    words = [
        "--change",
        "radio.lte.sr_period=40",
        "--runs",
        "3",
        "--report",
        str(tmp_path / "b.html"),
    ]
    assert CliRunner().invoke(app, ["compare", str(LTE), *words]).exit_code == 0
    page = client.post("/comparison", json=asked(set=PERIOD)).text
    assert page == (tmp_path / "b.html").read_text("utf-8")
    none = client.post("/comparison", json=asked())
    assert (none.status_code, none.json()["text"]) == (
        422,
        "found no change, expected one to compare with",
    )


# Long runs.


LONG = {"download.file.file": "1000 GB", "duration": "1000000 s"}


@pytest.mark.parametrize("path", ["/run", "/report", "/comparison"])
def test_runs_of_a_page_that_has_gone_stop(path: str) -> None:
    process, address = started()
    try:
        port = int(address.partition("/#")[0].rpartition(":")[2])
        secret = json.loads(answered(port, "/enter", {"token": address.partition("token=")[2]}))
        # Else the library would be what takes time.
        urllib.request.urlopen(f"http://127.0.0.1:{port}/page/vega.js", timeout=120).close()
        with request(port, path, asked(set=LONG), secret["session"]):
            wait_for(lambda: busy_s(process.pid, 2.0) > 0.1, "runs are under way")
        wait_for(lambda: busy_s(process.pid, 2.0) < 0.05, "runs have stopped", seconds=30)
    finally:
        process.kill()
        process.communicate()


def request(port: int, path: str, content: object, secret: str = "") -> socket.socket:
    """A connection that has sent a request of a page."""
    body = json.dumps(content).encode()
    origin = f"http://127.0.0.1:{port}"
    head = (
        f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\norigin: {origin}\r\n{SESSION}: {secret}"
        f"\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    made = socket.create_connection(("127.0.0.1", port), timeout=20)
    made.sendall(head.encode() + body)
    return made


def answered(port: int, path: str, content: object) -> bytes:
    """The body of the answer."""
    with request(port, path, content) as made:
        received = made.recv(100_000)
        while b"}" not in received.partition(b"\r\n\r\n")[2]:
            received += made.recv(100_000)
    return received.partition(b"\r\n\r\n")[2]


def busy_s(pid: int, span_s: float) -> float:
    """Seconds of processor time that a process takes in a span."""

    def spent() -> float:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    before = spent()
    time.sleep(span_s)
    return spent() - before


def wait_for(condition: Callable[[], bool], what: str, seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, what


# Connections.


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server with little patience."""
    monkeypatch.setattr(patience, "REQUEST_S", 0.5)
    monkeypatch.setattr(patience, "MOST_CONNECTIONS", 20)

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        await asyncio.sleep(1.5 if scope["path"] == "/slow" else 0)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"here"})

    config = uvicorn.Config(
        inside, http=patience.Patience, log_level="error", lifespan="off", timeout_keep_alive=1
    )
    served = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=served.run, args=([listener],), daemon=True)
        thread.start()
        wait_for(lambda: served.started, "the server has begun")
        yield listener.getsockname()[1]
        served.should_exit = True
        thread.join(20)


GET = b"GET {path} HTTP/1.1\r\nhost: here\r\n\r\n"
HALVES = {
    "nothing": b"",
    "half of a line": b"GET / HT",
    "half of a header": b"GET / HTTP/1.1\r\nhost: he",
    "half of a body": b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 100\r\n\r\nhalf",
    "half after a whole one": GET.replace(b"{path}", b"/") + b"GET / HT",
}


@pytest.mark.parametrize("half", HALVES)
def test_half_a_request_ends_after_its_time(half: str, listening: int) -> None:
    with socket.create_connection(("127.0.0.1", listening), timeout=20) as made:
        made.sendall(HALVES[half])
        begun = time.monotonic()
        with suppress(ConnectionResetError):
            while made.recv(10_000):
                pass
        assert time.monotonic() - begun < 4


def test_bytes_that_trickle_do_not_extend_the_time(listening: int) -> None:
    with socket.create_connection(("127.0.0.1", listening), timeout=20) as made:
        begun = time.monotonic()
        with suppress(ConnectionError):
            for byte in range(100):
                made.sendall(b"GET / HTTP/1.1\r\n" if not byte else b"x")
                time.sleep(0.1)
        assert time.monotonic() - begun < 5


def test_an_answer_may_take_longer_than_a_request(listening: int) -> None:
    with socket.create_connection(("127.0.0.1", listening), timeout=20) as made:
        made.sendall(GET.replace(b"{path}", b"/slow"))
        received = b""
        while b"here" not in received:
            received += made.recv(10_000)
        assert received.startswith(b"HTTP/1.1 200")


def test_connections_have_a_limit(listening: int) -> None:
    def is_closed(made: socket.socket) -> bool:
        made.settimeout(0.2)
        try:
            return made.recv(1) == b""
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False

    with ExitStack() as open_:
        address = ("127.0.0.1", listening)
        made = [open_.enter_context(socket.create_connection(address)) for _ in range(40)]
        # Before their time is over.
        assert [is_closed(made[-1]), is_closed(made[0])] == [True, False]
    time.sleep(1)
    with socket.create_connection(address, timeout=20) as one:
        one.sendall(GET.replace(b"{path}", b"/"))
        assert one.recv(12) == b"HTTP/1.1 200"


def test_newer_change_stops_older_runs_which_report_progress() -> None:
    engine = Engine(uplane.load(LTE))
    reports: list[Progress] = []
    failed: list[BaseException] = []

    def ask() -> None:
        try:
            reports.extend(engine.campaign(Asked(changes=LONG, first=1, runs=2), job))
        except uplane.UplaneError as error:
            failed.append(error)

    job = engine.begin("page")
    thread = Thread(target=ask)
    thread.start()
    until = time.monotonic() + 30
    while not any(at.share > 0 for at in reports[:]) and time.monotonic() < until:
        time.sleep(0.01)
    assert any(at.share > 0 for at in reports)
    assert all(0 <= at.share <= 1 and at.of in {1, 4} for at in reports)
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

        await asyncio.wait_for(served()[0](scope, receive, send), 60)

    asyncio.run(serve())
    assert sent[0]["status"] == 200
    until = time.monotonic() + 10
    while watch.tally().under_way and time.monotonic() < until:
        time.sleep(0.01)
    assert not watch.tally().under_way


def yielded(made: Any) -> Any:
    """Returns the final value of a generator."""
    while True:
        try:
            next(made)
        except StopIteration as ended:
            return ended.value


def test_finished_runs_are_reused(monkeypatch: pytest.MonkeyPatch) -> None:
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


def started(*words: str, env: Mapping[str, str] | None = None) -> tuple[subprocess.Popen[str], str]:
    command = [str(COMMAND), "explore", str(LTE), "--port", "0", *words]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=env)
    assert process.stdout
    lines = [process.stdout.readline() for _ in range(3)]
    assert lines[0] == f"{LTE} is explored at\n"
    assert lines[2] == "Ctrl-C ends it.\n"
    return process, lines[1].strip()


def test_the_token_is_in_no_list_of_processes(tmp_path: Path) -> None:
    """The command of the browser names a file that its owner alone can read, for a while."""
    browser = tmp_path / "browser"
    script = '#!/bin/sh\necho "$1" > opened\nls -l "${1#file://}" > mode\ncp "${1#file://}" page\n'
    browser.write_text(
        script.replace("opened", f"{tmp_path}/opened")
        .replace(" mode", f" {tmp_path}/mode")
        .replace(" page", f" {tmp_path}/page")
    )
    browser.chmod(0o755)
    process, address = started("--open", env={**os.environ, "BROWSER": f"{browser} %s"})
    try:
        wait_for(lambda: (tmp_path / "page").exists(), "the browser was called")
        wait_for(lambda: (tmp_path / "page").stat().st_size > 0, "it has read the page")
        token = address.partition("token=")[2]
        opened = (tmp_path / "opened").read_text().strip()
        assert token not in opened
        assert (tmp_path / "mode").read_text().startswith("-rw-------")
        assert f'content="0; url={address}"' in (tmp_path / "page").read_text()
        place = Path(opened.removeprefix("file://"))
        port = int(address.partition("/#")[0].rpartition(":")[2])
        answered(port, "/enter", {"token": token})
        wait_for(lambda: not place.exists(), "the page is removed")
    finally:
        process.send_signal(2)
        process.communicate(timeout=20)
    assert not place.exists()


def test_the_command_serves_here_alone_until_it_is_interrupted() -> None:
    process, address = started()
    try:
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=[\w-]{32}", address)
        assert found
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/keys", timeout=20)
        with urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/", timeout=20) as page:
            assert b"main.js" in page.read()
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
def test_missing_extra_names_its_installation(missing: str) -> None:
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
