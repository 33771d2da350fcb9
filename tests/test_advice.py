"""Advice on the MTU of a path: the three options of study 002."""

from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

import uplane
from uplane import study
from uplane.advice import MtuAdvice, advise_mtu

Settings = dict[str, object]


def advice(settings: Settings, *, can_change: bool = True) -> MtuAdvice:
    path = uplane.load(study.find("002") / "tunnel.toml")
    short: Settings = {"download.file.file": "2 MB", "link.backhaul.rate": "50 Mbit/s"}
    return advise_mtu(path.with_settings({**short, **settings}), can_change=can_change, runs=1)


def test_where_nothing_is_cut_1500_is_the_mtu() -> None:
    given = advice({"link.backhaul.mtu": "1536 B"})
    assert (given.option, given.low, given.high) == (1, 1500, 1500)


# 1500 less IPv4 20 (RFC 791) or IPv6 40 (RFC 8200), UDP 8, and GTP-U 8 or 12 (TS 29.281 §5.1).
@pytest.mark.parametrize(
    ("settings", "mtu"),
    [
        ({}, 1464),
        ({"gtpu.sequence_number": True}, 1460),
        ({"gtpu.outer_ip": "v6"}, 1444),
        ({"link.backhaul.mtu": "1400 B"}, 1364),
    ],
)
def test_a_tunnel_has_a_largest_packet_that_is_not_cut(settings: Settings, mtu: int) -> None:
    given = advice(settings)
    assert (given.option, given.low, given.high) == (2, mtu, mtu)
    assert {trial.mtu for trial in given.trials if trial.is_cut} == {
        trial.mtu for trial in given.trials if trial.mtu > mtu
    }


def test_a_range_is_for_drivers_that_cannot_be_changed() -> None:
    given = advice({}, can_change=False)
    assert (given.option, given.low, given.high) == (3, 1280, 1464)


def test_a_black_hole_is_seen_though_nothing_is_cut() -> None:
    hole: Settings = {
        "gtpu.dont_fragment": True,
        "link.backhaul.icmp": False,
        "tcp.default.path_mtu_discovery": True,
        "duration": "10 s",
    }
    given = advice(hole)
    assert (given.option, given.low) == (2, 1464)
    assert "never ends" in given.reason


def test_cost_of_smaller_mtu_is_stated_without_fragments() -> None:
    free: Settings = {"link.backhaul.rate": "unlimited", "radio.fixed.down": "50 Mbit/s"}
    given = advice(free)
    assert given.low == 1464
    assert " % less goodput" in given.reason


def test_decisive_queue_is_a_warning() -> None:
    assert advice({}).warnings == ()
    (warning,) = advice({"link.backhaul.queue": "20 packets"}).warnings
    assert "limited by the queue of the link backhaul" in warning


@pytest.mark.parametrize(
    ("apps", "message"),
    [
        ('[[ping]]\nname = "p"\ncount = 1\n', "found nothing that goes down"),
        ('[[upload]]\nname = "u"\nfile = "1 kB"\n', "found nothing that goes down"),
        ('[[download]]\nname = "d"\nfile = "1 GB"\n', "no download ended with any MTU"),
    ],
)
def test_a_path_without_a_download_that_ends_is_refused(apps: str, message: str) -> None:
    radio = 'duration = "1 s"\n[radio.fixed]\ndown = "1 Mbit/s"\nrtt = "20 ms"\n'
    with pytest.raises(uplane.UplaneError, match=message):
        advise_mtu(uplane.loads(radio + apps), runs=1)


def test_the_command_prints_the_option(command: Callable[..., CompletedProcess[str]]) -> None:
    file = study.find("002") / "tunnel.toml"
    settings = ["download.file.file=2 MB", "link.backhaul.rate=50 Mbit/s"]
    done = command("advise", file, "--runs", 1, *(f"--set={each}" for each in settings))
    assert done.returncode == 0, done.stderr
    assert "Option 2: 1464 bytes." in done.stdout
