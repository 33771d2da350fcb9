"""The simulator against the twins: the same traces without errors, the same means with them."""

from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, variance

import pytest
import uplane
from twins import geran, slow_start
from twins.geran_radio import EDGE, GEV
from uplane import study

RADIOS = {"edge": EDGE, "gev": GEV}

READINGS = {
    "plain": geran.PLAIN,
    "held-handshake": geran.HELD_HANDSHAKE,
    "held-acks": geran.HELD_ACKS,
}

PHASES = [(3, 11), (17, 4), (0, 9)]
"""Where the TTIs of the downlink and of the uplink start, in milliseconds."""


def simulated(scenario: str, column: str, seed: int = 1, **settings: object) -> list[float]:
    """The numbers of `table.column` from one run of a scenario of study 002 or 004."""
    folder = study.find("002" if scenario == "download" else "004")
    table, name = column.split(".")
    dotted = {key.replace("__", "."): value for key, value in settings.items()}
    results = uplane.run(Path(folder) / f"{scenario}.toml", seed=seed, set=dotted)
    values: list[float] = results[table].to_polars()[name].to_list()
    return values


def geran_settings(radio: str, rlc: int, server: int, bler: int) -> dict[str, object]:
    return {
        "radio__geran__profile": radio,
        "radio__geran__rlc_rtt": f"{rlc} ms",
        "radio__geran__bler": f"{bler} %",
        "link__core__delay": f"{server} ms",
    }


def reading_settings(reading: str) -> dict[str, object]:
    return {"tcp__default__base": f"study-004-{reading}"}


def fixed(phases: tuple[int, int]) -> dict[str, object]:
    down, up = phases
    return {
        "radio__geran__phase": f"{down} ms",
        "radio__geran__uplink_shift": f"{(up - down) % 20} ms",
    }


def path(radio: str, rlc: int, server: int, *, seed: int, bler: float = 0.1) -> geran.Path:
    return geran.Path(
        RADIOS[radio], rlc_rtt_ms=rlc, server_ms=server, random=Random(seed), bler=bler
    )


def still_path(radio: str, server: int, phases: tuple[int, int]) -> geran.Path:
    micros = (phases[0] * 1000, phases[1] * 1000)
    return geran.Path(
        RADIOS[radio], rlc_rtt_ms=50, server_ms=server, random=Random(1), bler=0.0, phases=micros
    )


@pytest.mark.parametrize("mtu", [1280, 1500])
@pytest.mark.parametrize(("rate", "mbit"), [(14.4, 40), (51, 700), (100, 700)])
@pytest.mark.parametrize(("charge", "charged_bytes"), [("payload", 0), ("packet", 40)])
def test_slow_start_takes_the_same_time(
    mtu: int, rate: float, mbit: int, charge: str, charged_bytes: int
):
    channel = slow_start.Channel(rate * 1e6, charged_bytes=charged_bytes)
    (ours,) = simulated(
        "download",
        "transfers.duration_s",
        radio__fixed__down=f"{rate} Mbit/s",
        radio__fixed__charge=charge,
        download__file__file=f"{mbit * 125_000} B",
        tcp__default__mtu=f"{mtu} B",
    )
    assert ours == pytest.approx(
        slow_start.download_time(channel, mbit * 1e6, mtu), abs=0.001
    )


@pytest.mark.parametrize("phases", PHASES)
@pytest.mark.parametrize("server", [10, 200])
@pytest.mark.parametrize("radio", RADIOS)
@pytest.mark.parametrize("reading", READINGS)
def test_a_file_without_errors_takes_the_same_time(
    reading: str, radio: str, server: int, phases: tuple[int, int]
):
    clock = {"syn": "open", "request": "request"}[READINGS[reading].clock_from]
    (ours,) = simulated(
        "file",
        "transfers.duration_s",
        download__file__clock=clock,
        **geran_settings(radio, 50, server, bler=0),
        **reading_settings(reading),
        **fixed(phases),
    )
    twin = geran.file_time(still_path(radio, server, phases), READINGS[reading])
    assert ours == pytest.approx(twin, abs=0.001)


@pytest.mark.parametrize("phases", PHASES)
@pytest.mark.parametrize("server", [10, 200])
@pytest.mark.parametrize("reading", READINGS)
def test_a_page_without_errors_takes_the_same_time(
    reading: str, server: int, phases: tuple[int, int]
):
    rules = READINGS[reading]
    page, *_ = simulated(
        "page",
        "transfers.duration_s",
        web__page__request=f"{rules.page_request - 40} B",
        web__page__completion="last_ack" if rules.complete_at_last_ack else "last_byte",
        **geran_settings("gev", 50, server, bler=0),
        **reading_settings(reading),
        **fixed(phases),
    )
    twin = geran.page_time(still_path("gev", server, phases), rules)
    assert page == pytest.approx(twin, abs=0.001)


@pytest.mark.parametrize("phases", PHASES)
@pytest.mark.parametrize("size", [64, 1500])
def test_pings_without_errors_take_the_same_time(size: int, phases: tuple[int, int]):
    ours = simulated(
        "ping",
        "pings.rtt_ms",
        ping__echo__packet=f"{size} B",
        **geran_settings("edge", 50, 10, bler=0),
        **fixed(phases),
    )
    twin = geran.ping_times(still_path("edge", 10, phases), size)
    assert ours == pytest.approx([1000 * time for time in twin], abs=1e-3)


@pytest.mark.parametrize(("rlc", "server"), [(50, 10), (300, 10), (300, 200)])
@pytest.mark.parametrize("radio", RADIOS)
def test_a_file_with_errors_takes_the_same_mean_time(radio: str, rlc: int, server: int):
    settings = geran_settings(radio, rlc, server, bler=10)
    ours = [simulated("file", "transfers.duration_s", seed, **settings)[0] for seed in SEEDS]
    twin = [
        geran.file_time(path(radio, rlc, server, seed=seed), geran.HELD_ACKS) for seed in SEEDS
    ]
    assert_same_mean(ours, twin)


@pytest.mark.parametrize(("rlc", "server"), [(50, 10), (300, 200)])
def test_a_page_with_errors_takes_the_same_mean_time(rlc: int, server: int):
    settings = geran_settings("gev", rlc, server, bler=10)
    ours = [simulated("page", "transfers.duration_s", seed, **settings)[0] for seed in SEEDS]
    twin = [
        geran.page_time(path("gev", rlc, server, seed=seed), geran.HELD_ACKS) for seed in SEEDS
    ]
    assert_same_mean(ours, twin)


@pytest.mark.parametrize("rlc", [50, 300])
@pytest.mark.parametrize("size", [64, 1500])
def test_pings_with_errors_have_the_same_mean_and_best(size: int, rlc: int):
    settings = geran_settings("edge", rlc, 10, bler=10)
    packet = {"ping__echo__packet": f"{size} B"}
    ours = [simulated("ping", "pings.rtt_ms", seed, **packet, **settings) for seed in SEEDS]
    twin = [
        [1000 * time for time in geran.ping_times(path("edge", rlc, 10, seed=seed), size)]
        for seed in SEEDS
    ]
    assert_same_mean([fmean(run) for run in ours], [fmean(run) for run in twin])
    assert_same_mean([min(run) for run in ours], [min(run) for run in twin])


def assert_same_mean(ours: list[float], twin: list[float]) -> None:
    """The means differ by less than 3.5 standard errors: one test in 2000 fails by chance."""
    error = sqrt(variance(ours) / len(ours) + variance(twin) / len(twin))
    assert abs(fmean(ours) - fmean(twin)) < 3.5 * error


SEEDS = range(1, 61)
