"""Failed connections appear in the summary, on the console and in a warning."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import uplane
from uplane.cli import app
from uplane.result_sections import sections

HOPELESS = """
[radio.geran]
[tcp.default]
initial_rto = "{}"
syn_retries = 2
[[upload]]
name = "photo"
file = "300 kB"
"""


MANY = """
duration = "5 s"
link = [{ name = "s1", rate = "1 Mbit/s", queue = "1 packets" }]
[radio.fixed]
rtt = "20 ms"
[[ping]]
name = "first"
count = 1
[[ping]]
name = "second"
count = 1
[[upload]]
name = "third"
file = "300 kB"
"""


def test_the_first_rows_of_many_are_those_of_all() -> None:
    """The drops of every hop appear, wherever its rows are."""
    campaign = uplane.sweep(uplane.loads(MANY), vary={"title": ["one", "other"]}, runs=2)
    every, some = sections(campaign), sections(campaign, 1)
    assert [part.name for part in some] == [part.name for part in every]
    assert {part.name for part in every} >= {"pings", "transfers", "connections", "dropped"}
    for part, whole in zip(some, every, strict=True):
        assert part.rows == whole.rows[:1]
        assert (part.rest, whole.rest) == (len(whole.rows) - 1, 0)


def test_a_crowd_of_applications_is_shown_in_part(tmp_path: Path) -> None:
    file = tmp_path / "crowd.toml"
    pings = (f'[[ping]]\nname = "p{number}"\ncount = 1\n' for number in range(1003))
    file.write_text('duration = "1 s"\n[radio.fixed]\n' + "".join(pings), encoding="utf-8")
    shown = CliRunner().invoke(app, ["run", str(file)]).output
    assert "… and 3 more; all of them are in the files of --out\n" in shown
    assert "\np999 " in shown
    assert "\np1000 " not in shown


def _columns(rto: str) -> list[str]:
    campaign = uplane.sweep(uplane.loads(HOPELESS.format(rto)), runs=3, seed=12)
    return next(part for part in sections(campaign) if part.name == "connections").metrics


def test_a_column_counts_the_connections_that_failed_where_one_did() -> None:
    assert "failed" in _columns("1 ms")
    assert "failed" not in _columns("1 s")


def test_the_console_names_connections_that_failed(tmp_path: Path) -> None:
    path = tmp_path / "hopeless.toml"
    path.write_text(HOPELESS.format("1 ms"))
    shown = CliRunner().invoke(app, ["run", str(path), "--seed", "12"])
    assert shown.exit_code == 0
    assert "1 of 1 connections never opened: the handshake timed out" in shown.output
    assert "failed" in shown.output


def test_events_of_hidden_rows_have_columns() -> None:
    """The first of two variants loses nothing, and its row alone is shown."""
    vary = {"link.s1.packet_loss": [0, 0.9]}
    settings = {"ping.first.count": 5, "link.s1.queue": "unlimited", "duration": "60 s"}
    campaign = uplane.sweep(uplane.loads(MANY), vary=vary, set=settings)
    lost = campaign.summary().filter(table="pings", subject="first", metric="lost_share")["mean"]
    assert lost[0] == 0 < lost[1]
    for most in (None, 1):
        pings = next(part for part in sections(campaign, most) if part.name == "pings")
        assert "lost_share" in pings.metrics


def test_packets_in_flight_at_the_end_are_not_lost() -> None:
    """Of five datagrams three come, one is lost, and one leaves 19 ms before the end of the run."""
    text = """
        duration = "99 ms"
        [radio.fixed]
        rtt = "0 ms"
        [[link]]
        name = "lossy"
        delay = "30 ms"
        down.lost_packets = [2]
        [[voice]]
        name = "call"
        direction = "down"
        payload = "100 B"
        interval = "20 ms"
    """
    summary = uplane.sweep(uplane.loads(text)).summary()
    numbers = summary.filter(table="datagrams", subject="call")
    found = dict(zip(numbers["metric"], numbers["mean"], strict=True))
    assert (found["count"], found["lost_share"]) == (5, 0.25)


QUIC = """
[radio.fixed]
rtt = "40 ms"
[[{kind}]]
name = "file"
file = "300 kB"
quic = "q"
[quic.q]
send_buffer = "10 kB"
"""


@pytest.mark.parametrize(("kind", "sender"), [("download", "server"), ("upload", "ue")])
def test_a_sender_of_quic_says_why_it_was_not_sending(kind: str, sender: str) -> None:
    """Ten kilobytes for each round trip: the end that sends data waits, and no other is shown."""
    campaign = uplane.sweep(uplane.loads(QUIC.format(kind=kind)), runs=1)
    parts = {part.name: part for part in sections(campaign)}
    (row,) = parts["why"].rows
    assert row.subject == f"file {sender}"
    assert max(row.parts, key=lambda name: row.parts[name]) == "send buffer"
    assert sum(mean for mean, _ in row.parts.values()) == pytest.approx(1)
    (row,) = parts["quic"].rows
    assert row.values["throughput_mean_kbps"][0] <= 10 * 8 / 0.04
    # A download is asked for; an end that sends nothing has no row.
    senders = {sender, "ue"}
    subjects = campaign.summary().filter(table="quic")["subject"]
    assert set(subjects) == {f"file {name}" for name in senders}
