"""Which TCP MTU for a path of one's own: the three options of study 002, answered by simulation.

In: a scenario with a download (and, usually, a GTP-U tunnel over its links). Out: what each MTU gives, how
many frames a packet takes, and which option of the document follows.

Left out: what cannot be simulated from a scenario: whether the operator's routers really behave so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from uplane import pool
from uplane.results import Results
from uplane.runner import run_once
from uplane.scenario import ScenarioLike, as_scenario
from uplane.statistics import Interval, mean_interval

__all__ = ["MtuAdvice", "Trial", "advise_mtu"]

CANDIDATES = (1280, 1358, 1400, 1428, 1440, 1456, 1464, 1480, 1492, 1500)
"""Least IPv6 MTU, usual defaults of drivers, the edges of common tunnels, and Ethernet's own."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One MTU on the path.

    Attributes:
        mtu: The TCP MTU in bytes.
        goodput_mbps: Payload over the download's time; zero when it did not end.
        frames_per_packet: Frames on the busiest link for each packet; 1 means that nothing is cut.
        completed: Whether every download ended.
    """

    mtu: int
    goodput_mbps: Interval
    frames_per_packet: float
    completed: bool

    @property
    def is_cut(self) -> bool:
        """Whether packets of this MTU are fragmented, or do not pass at all."""
        return self.frames_per_packet > 1.001 or not self.completed


@dataclass(frozen=True, kw_only=True)
class MtuAdvice:
    """What follows for a path.

    Attributes:
        option: 1: 1500 bytes. 2: one smaller value. 3: a range, so that drivers keep their defaults.
        low: The smallest MTU to allow.
        high: The largest MTU to allow; `low` where there is one value.
        reason: Why, in a sentence.
        trials: What each MTU gave.
    """

    option: Literal[1, 2, 3]
    low: int
    high: int
    reason: str
    trials: tuple[Trial, ...]


def advise_mtu(
    scenario: ScenarioLike,
    *,
    can_change: bool = True,
    mtus: Sequence[int] = CANDIDATES,
    runs: int = 5,
    key: str = "tcp.default.mtu",
    jobs: int | None = None,
) -> MtuAdvice:
    """Tries MTUs on a path and says which option of study 002 fits.

    Args:
        scenario: The path, with a download.
        can_change: Whether the MTU of every UE's driver can be set.
        mtus: The MTUs to try.
        runs: Runs of each, with seeds from 1.
        key: Where the scenario holds the MTU.
        jobs: Threads; all cores when not given.

    Raises:
        ScenarioError: The scenario cannot be simulated, or has no such key.
    """
    path = as_scenario(scenario)
    variants = {mtu: path.with_settings({key: f"{mtu} B"}) for mtu in sorted(mtus)}
    tasks = [(mtu, seed) for mtu in variants for seed in range(1, runs + 1)]
    results: dict[int, list[Results]] = {mtu: [] for mtu in variants}
    for index, result in sorted(
        pool.work(tasks, lambda task: run_once(variants[task[0]], task[1]), jobs=jobs),
        key=lambda done: done[0],
    ):
        results[tasks[index][0]].append(result)
    return _advice([_trial(mtu, made) for mtu, made in results.items()], can_change=can_change)


def _trial(mtu: int, results: Sequence[Results]) -> Trial:
    goodputs, completed = [], True
    for result in results:
        transfers = result["transfers"].to_polars()
        rates = transfers["rate_kbps"]
        completed = completed and rates.null_count() == 0
        goodputs.append(0.0 if rates.null_count() else float(rates.mean() or 0.0) / 1000)
    return Trial(
        mtu=mtu,
        goodput_mbps=mean_interval(goodputs),
        frames_per_packet=max(_frames_per_packet(result) for result in results),
        completed=completed,
    )


def _frames_per_packet(result: Results) -> float:
    """Frames on the link that cuts most, for each packet that the radio took down."""
    import polars

    down = result["places"].to_polars().filter(polars.col("direction") == "down")
    sent = down.filter(polars.col("place") == "radio")["packets_in"].sum()
    links = down.filter(polars.col("place").str.starts_with("link"))["packets_out"]
    return float(links.max() or 0) / sent if sent else 1.0


def _advice(trials: Sequence[Trial], *, can_change: bool) -> MtuAdvice:
    whole = [trial.mtu for trial in trials if not trial.is_cut]
    best = max(trials, key=lambda trial: trial.goodput_mbps.value)
    cut = trials[-1].is_cut
    largest = trials[-1].mtu
    if not can_change:
        high = max(whole, default=best.mtu)
        reason = (
            "the MTU of some drivers cannot be changed, so a range has to be allowed; "
            f"above {high} bytes packets are cut"
            if cut
            else "the MTU of some drivers cannot be changed, so a range has to be allowed"
        )
        return _made(3, trials[0].mtu, high if cut else largest, reason, trials)
    if not cut:
        reason = f"packets of {largest} bytes cross the path in one piece, and waste least on headers"
        return _made(1, largest, largest, reason, trials)
    reason = (
        f"packets of {largest} bytes are cut; {best.mtu} bytes give the most, "
        f"{_gain(best, trials[-1])}"
    )
    return _made(2, best.mtu, best.mtu, reason, trials)


def _gain(best: Trial, other: Trial) -> str:
    if not other.completed:
        return f"and with {other.mtu} the download never ends"
    gain = 100 * (best.goodput_mbps.value / other.goodput_mbps.value - 1)
    return f"{gain:.1f} % more than {other.mtu}"


def _made(
    option: Literal[1, 2, 3], low: int, high: int, reason: str, trials: Sequence[Trial]
) -> MtuAdvice:
    return MtuAdvice(option=option, low=low, high=high, reason=reason, trials=tuple(trials))
