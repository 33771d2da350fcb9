"""The simulator against the twins: the same times without errors, the same means with them."""

from collections.abc import Mapping
from math import sqrt
from random import Random
from statistics import fmean, variance

import pytest

import uplane
from twins import geran, slow_start
from twins.geran_radio import EDGE, GEV
from uplane import study

Settings = Mapping[str, object]

RADIOS = {"edge": EDGE, "gev": GEV}

READINGS = {
    "plain": geran.PLAIN,
    "held-handshake": geran.HELD_HANDSHAKE,
    "held-acks": geran.HELD_ACKS,
}

CLOCKS = {"syn": "open", "request": "request", "data": "first_data"}

PHASES = [(3, 11), (17, 4), (0, 9)]
"""Phases of the TTIs of downlink and uplink, in milliseconds."""


def simulated(file: str, column: str, settings: Settings, seed: int = 1) -> list[float]:
    """The numbers of `table.column` from one run of a study's scenario."""
    folder, scenario = file.split("/")
    table, name = column.split(".")
    results = uplane.run(study.find(folder) / f"{scenario}.toml", seed=seed, set=settings)
    frame = results[table].to_polars()
    if "kind" in frame.columns:
        frame = frame.filter(frame["kind"] != "object")
    values: list[float] = frame[name].to_list()
    return values


def radio_settings(radio: str, rlc: int, server: int, bler: int) -> Settings:
    return {
        "radio.geran.profile": radio,
        "radio.geran.rlc_rtt": f"{rlc} ms",
        "radio.geran.bler": f"{bler} %",
        "link.core.delay": f"{server} ms",
    }


def fixed(phases: tuple[int, int]) -> Settings:
    down, up = phases
    return {
        "radio.geran.phase": f"{down} ms",
        "radio.geran.uplink_shift": f"{(up - down) % 20} ms",
    }


def path(radio: str, rlc: int, server: int, seed: int) -> geran.Path:
    return geran.Path(RADIOS[radio], rlc_rtt_ms=rlc, server_ms=server, random=Random(seed))


def errorless_path(radio: str, server: int, phases: tuple[int, int]) -> geran.Path:
    micros = (phases[0] * 1000, phases[1] * 1000)
    return geran.Path(
        RADIOS[radio], rlc_rtt_ms=50, server_ms=server, random=Random(1), bler=0.0, phases=micros
    )


@pytest.mark.parametrize("mtu", [1280, 1500])
@pytest.mark.parametrize(("rate", "mbit"), [(14.4, 40), (51, 700), (100, 700)])
@pytest.mark.parametrize(("charge", "charged_bytes"), [("payload", 0), ("packet", 40)])
def test_slow_start_takes_the_same_time(
    mtu: int, rate: float, mbit: int, charge: str, charged_bytes: int
) -> None:
    settings = {
        "radio.fixed.down": f"{rate} Mbit/s",
        "radio.fixed.charge": charge,
        "download.file.file": f"{mbit * 125_000} B",
        "tcp.default.mtu": f"{mtu} B",
    }
    (ours,) = simulated("002/download", "transfers.duration_s", settings)
    channel = slow_start.Channel(rate * 1e6, charged_bytes=charged_bytes)
    assert ours == pytest.approx(slow_start.download_time(channel, mbit * 1e6, mtu), abs=0.001)


@pytest.mark.parametrize("phases", PHASES)
@pytest.mark.parametrize("server", [10, 200])
@pytest.mark.parametrize("radio", RADIOS)
@pytest.mark.parametrize("reading", READINGS)
def test_a_file_without_errors_takes_the_same_time(
    reading: str, radio: str, server: int, phases: tuple[int, int]
) -> None:
    rules = READINGS[reading]
    settings = {
        "tcp.default.base": f"tcp/{reading}.toml",
        "download.file.clock": CLOCKS[rules.clock_from],
        **radio_settings(radio, 50, server, bler=0),
        **fixed(phases),
    }
    (ours,) = simulated("004/file", "transfers.duration_s", settings)
    twin = geran.file_time(errorless_path(radio, server, phases), rules)
    assert ours == pytest.approx(twin, abs=0.001)


@pytest.mark.parametrize("phases", PHASES)
@pytest.mark.parametrize("server", [10, 200])
@pytest.mark.parametrize("reading", READINGS)
def test_a_page_without_errors_takes_the_same_time(
    reading: str, server: int, phases: tuple[int, int]
) -> None:
    rules = READINGS[reading]
    settings = {
        "tcp.default.base": f"tcp/{reading}.toml",
        "web.page.request": f"{rules.page_request - 40} B",
        "web.page.completion": "last_ack" if rules.complete_at_last_ack else "last_byte",
        **radio_settings("gev", 50, server, bler=0),
        **fixed(phases),
    }
    (ours,) = simulated("004/page", "transfers.duration_s", settings)
    twin = geran.page_time(errorless_path("gev", server, phases), rules)
    assert ours == pytest.approx(twin, abs=0.001)


@pytest.mark.parametrize("phases", PHASES)
@pytest.mark.parametrize("size", [64, 1500])
def test_pings_without_errors_take_the_same_times(size: int, phases: tuple[int, int]) -> None:
    settings = {
        "ping.echo.packet": f"{size} B",
        **radio_settings("edge", 50, 10, bler=0),
        **fixed(phases),
    }
    ours = simulated("004/ping", "pings.rtt_ms", settings)
    twin = geran.ping_times(errorless_path("edge", 10, phases), size)
    assert ours == pytest.approx([1000 * time for time in twin], abs=1e-3)


@pytest.mark.parametrize(("rlc", "server"), [(50, 10), (300, 10), (300, 200)])
@pytest.mark.parametrize("radio", RADIOS)
def test_a_file_with_errors_takes_the_same_mean_time(radio: str, rlc: int, server: int) -> None:
    settings = radio_settings(radio, rlc, server, bler=10)
    ours = [simulated("004/file", "transfers.duration_s", settings, s)[0] for s in SEEDS]
    twin = [geran.file_time(path(radio, rlc, server, s), geran.HELD_ACKS) for s in SEEDS]
    assert_same_mean(ours, twin)


@pytest.mark.parametrize(("rlc", "server"), [(50, 10), (300, 10), (300, 200)])
def test_a_page_with_errors_takes_the_same_mean_time(rlc: int, server: int) -> None:
    settings = radio_settings("gev", rlc, server, bler=10)
    ours = [simulated("004/page", "transfers.duration_s", settings, s)[0] for s in SEEDS]
    twin = [geran.page_time(path("gev", rlc, server, s), geran.HELD_ACKS) for s in SEEDS]
    assert_same_mean(ours, twin)


@pytest.mark.parametrize("rlc", [50, 300])
@pytest.mark.parametrize("size", [64, 1500])
def test_pings_with_errors_have_the_same_mean_and_best(size: int, rlc: int) -> None:
    settings = {"ping.echo.packet": f"{size} B", **radio_settings("edge", rlc, 10, bler=10)}
    ours = [simulated("004/ping", "pings.rtt_ms", settings, s) for s in SEEDS]
    twin = [[1000 * t for t in geran.ping_times(path("edge", rlc, 10, s), size)] for s in SEEDS]
    assert_same_mean([fmean(run) for run in ours], [fmean(run) for run in twin])
    assert_same_mean([min(run) for run in ours], [min(run) for run in twin])


def assert_same_mean(ours: list[float], twin: list[float]) -> None:
    """The means differ by less than 3.5 standard errors: one test in 2000 fails by chance."""
    error = sqrt(variance(ours) / len(ours) + variance(twin) / len(twin))
    assert abs(fmean(ours) - fmean(twin)) < 3.5 * error


SEEDS = range(1, 81)
