"""The TCP MTU for a path: the three options of study 002, by simulation.

In: a scenario with a download (and, usually, a GTP-U tunnel over its links). Out: for each MTU the
goodput and the frames per packet, and the option of the document that follows.

Left out: properties of real routers that the scenario does not state.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Literal

from uplane import pool
from uplane.errors import InputError
from uplane.merged_warnings import gathered, warned
from uplane.results import Results
from uplane.runner import run_once
from uplane.scenario import Scenario, ScenarioLike, as_scenario
from uplane.statistics import Interval, mean_interval

if TYPE_CHECKING:
    import polars

__all__ = ["MtuAdvice", "Trial", "advise_mtu"]

CANDIDATES = (1280, 1358, 1400, 1428, 1440, 1456, 1464, 1480, 1492, 1500)
"""MTUs to try: the IPv6 minimum, defaults of drivers, limits of common tunnels, Ethernet."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """The trial of one MTU on the path.

    Attributes:
        mtu: The TCP MTU in bytes.
        goodput_mbps: Payload over the download's time; zero when it did not end.
        frames_per_packet: Frames per data segment on the link with the most fragments. A value
            slightly above 1 counts packets without data, and nothing is cut.
        completed: Whether every download ended.
        warned: Rows of the tables `warnings` of the runs.
    """

    mtu: int
    goodput_mbps: Interval
    frames_per_packet: float
    completed: bool
    warned: "tuple[polars.DataFrame, ...]" = field(default=(), repr=False, compare=False)

    @property
    def is_cut(self) -> bool:
        """Returns whether packets of this MTU are fragmented, or do not pass."""
        return self.frames_per_packet > 1.3 or not self.completed


@dataclass(frozen=True, kw_only=True)
class MtuAdvice:
    """The advice for a path.

    Attributes:
        option: 1: 1500 bytes. 2: one smaller value. 3: a range, for drivers with their defaults.
        low: The smallest MTU to allow.
        high: The largest MTU to allow; `low` where there is one value.
        reason: Why, in a sentence.
        trials: The trial of each MTU.
        warnings: Other causes of the goodput, such as a queue that overflowed.
    """

    option: Literal[1, 2, 3]
    low: int
    high: int
    reason: str
    trials: tuple[Trial, ...]
    warnings: tuple[str, ...]


def advise_mtu(
    scenario: ScenarioLike,
    *,
    can_change: bool = True,
    mtus: Sequence[int] = CANDIDATES,
    runs: int = 5,
    key: str = "tcp.default.mtu",
    jobs: int | None = None,
    memory: str | int | None = None,
    trust: bool = False,
) -> MtuAdvice:
    """Tries MTUs on a path and returns the option of study 002 that fits.

    Args:
        scenario: The path, with a download.
        can_change: Whether the MTU of every UE's driver can be set.
        mtus: The MTUs to try.
        runs: Runs of each, with seeds from 1.
        key: Where the scenario holds the MTU.
        jobs: Threads; all cores when not given.
        memory: What runs may take together; half of the machine's memory when not given.
        trust: Whether the programs in Python that the scenario names may run, see `uplane.run`.

    Raises:
        InputError: The scenario downloads nothing, or no download ends with any of the MTUs.
        ScenarioError: The scenario cannot be simulated, or has no such key.
    """
    path = _Path(as_scenario(scenario, trust=trust), key, runs, jobs, memory)
    _demand_download(path.scenario)
    trials = {mtu: path.trial(mtu) for mtu in sorted(mtus)}
    if not any(trial.completed for trial in trials.values()):
        told = "no download ended with any MTU, expected a longer duration or a shorter file"
        message = f"{path.scenario.source}: {told}"
        raise InputError(message)
    edge = _edge(path, list(trials.values()))
    if edge is not None:
        trials.setdefault(edge, path.trial(edge))
    return _advice([trials[mtu] for mtu in sorted(trials)], can_change=can_change)


def _demand_download(scenario: Scenario) -> None:
    """Checks that the scenario has a download, since packets are cut on the way down."""
    has = scenario.effective
    if not (has["download"] or has["web"] or any(it["direction"] == "down" for it in has["bulk"])):
        told = "found nothing that goes down, expected [[download]], [[web]] or [[bulk]]"
        message = f"{scenario.source}: {told}"
        raise InputError(message)


@dataclass(frozen=True)
class _Path:
    """A path on which MTUs are tried."""

    scenario: Scenario
    key: str
    runs: int
    jobs: int | None
    memory: str | int | None

    def trial(self, mtu: int, runs: int | None = None) -> Trial:
        variant = self.scenario.with_settings({self.key: f"{mtu} B"})
        seeds = range(1, (runs or self.runs) + 1)
        made = pool.work(
            seeds, lambda seed: run_once(variant, seed), jobs=self.jobs, memory=self.memory
        )
        return _trial(mtu, [result for _, result in sorted(made, key=lambda done: done[0])])


def _edge(path: _Path, trials: Sequence[Trial]) -> int | None:
    """Returns the largest MTU that is not cut, by bisection; `None` if all or no MTUs are cut."""
    whole = [trial.mtu for trial in trials if not trial.is_cut]
    cut = [trial.mtu for trial in trials if trial.is_cut]
    if not whole or not cut or max(whole) > min(cut):
        return None
    low, high = max(whole), min(cut)
    while high - low > 1:
        middle = (low + high) // 2
        if path.trial(middle, runs=1).is_cut:
            high = middle
        else:
            low = middle
    return low


def _trial(mtu: int, results: Sequence[Results]) -> Trial:
    goodputs, completed = [], True
    for result in results:
        rates: list[float | None] = result["transfers"].to_polars()["rate_kbps"].to_list()
        done = [rate for rate in rates if rate is not None]
        completed = completed and len(done) == len(rates)
        goodputs.append(fmean(done) / 1000 if len(done) == len(rates) else 0.0)
    return Trial(
        mtu=mtu,
        goodput_mbps=mean_interval(goodputs),
        frames_per_packet=max(_frames_per_packet(result) for result in results),
        completed=completed,
        warned=tuple(rows for each in results for rows in warned(each.seed, each["warnings"])),
    )


def _frames_per_packet(result: Results) -> float:
    """Returns the frames per data segment on the link with the most fragments.

    A packet is cut on its way into a link, so the count compares the packets that enter a link with
    those that left the link before it.
    """
    flows = result["connections"].to_polars().to_dicts()
    before = sum(int(flow["segments"]) for flow in flows if flow["sender"] == "server")
    frames = most = 1.0
    for row in result["hops"].to_polars().to_dicts():
        if row["direction"] == "down" and row["hop"].startswith("link ") and before:
            frames *= max(1.0, int(row["packets_in"]) / before)
            before = int(row["packets_out"])
            most = max(most, frames)
    return most


def _advice(trials: Sequence[Trial], *, can_change: bool) -> MtuAdvice:
    largest, whole = trials[-1], [trial for trial in trials if not trial.is_cut]
    best = whole[-1] if whole else max(trials, key=lambda trial: trial.goodput_mbps.value)
    if not can_change:
        high = largest if not largest.is_cut else (whole or trials)[-1]
        reason = "the MTU of some drivers cannot be changed, so a range has to be allowed"
        if largest.is_cut:
            reason += f"; above {high.mtu} bytes packets are cut"
        return _made(3, trials[0], high, reason, trials)
    if not largest.is_cut:
        reason = f"packets of {largest.mtu} bytes cross the path whole, and waste least on headers"
        reason += _ahead(trials)
        return _made(1, largest, largest, reason, trials)
    reason = (
        f"packets of {largest.mtu} bytes are cut; {best.mtu} bytes are the most that stays whole, "
        f"{_against(best, largest)}"
        if whole
        else f"packets are cut whatever their size; {best.mtu} bytes give the most"
    )
    return _made(2, best, best, reason, trials)


def _ahead(trials: Sequence[Trial]) -> str:
    """Returns what to know if a smaller MTU has the highest mean; nothing otherwise."""
    best, largest = max(trials, key=lambda trial: trial.goodput_mbps.value), trials[-1]
    if best is largest or best.goodput_mbps.value <= largest.goodput_mbps.value:
        return ""
    runs = largest.goodput_mbps.runs
    if runs == 1:
        return f"; {best.mtu} bytes were faster in this run"
    is_clear = (best.goodput_mbps.low or 0.0) > (largest.goodput_mbps.high or 0.0)
    word = "are apart" if is_clear else "overlap"
    return f"; {best.mtu} bytes have the highest mean of {runs} runs, and the intervals {word}"


def _against(best: Trial, other: Trial) -> str:
    if not other.completed:
        return f"and with {other.mtu} the download never ends"
    gain = 100 * (best.goodput_mbps.value / other.goodput_mbps.value - 1)
    if gain < 0:
        return f"at {-gain:.2f} % less goodput, and no packet hangs on two frames"
    return f"at {gain:.1f} % more goodput"


def _made(
    option: Literal[1, 2, 3], low: Trial, high: Trial, reason: str, trials: Sequence[Trial]
) -> MtuAdvice:
    told = [rows for trial in trials for rows in trial.warned]
    return MtuAdvice(
        option=option,
        low=low.mtu,
        high=high.mtu,
        reason=reason,
        trials=tuple(trials),
        warnings=tuple(gathered(told)),
    )
