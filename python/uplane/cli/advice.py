"""The command `uplane advise`: the TCP MTU for a path, by trials on that path."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from uplane.advice import MtuAdvice, Trial, advise_mtu
from uplane.cli import output
from uplane.cli.progress import progress
from uplane.cli.runs import scenario_of
from uplane.digits import with_interval

__all__ = ["advise"]


def advise(
    file: Path,
    pairs: Sequence[str],
    *,
    trust: bool,
    fixed_drivers: bool,
    runs: int,
    jobs: int | None,
    memory: str | None,
) -> None:
    """Tries MTUs on the path of a scenario and prints the option that fits."""
    path = scenario_of(file, pairs, trust=trust)
    with progress("runs"):
        advice = advise_mtu(path, can_change=not fixed_drivers, runs=runs, jobs=jobs, memory=memory)
    output.give(
        {
            "option": advice.option,
            "low": advice.low,
            "high": advice.high,
            "reason": advice.reason,
            "trials": [_plain(trial) for trial in advice.trials],
            "warnings": list(advice.warnings),
        }
    )
    sys.stdout.write(_text(advice))


def _plain(trial: Trial) -> Mapping[str, object]:
    return {
        "mtu": trial.mtu,
        "goodput_mbps": trial.goodput_mbps.value,
        "half_width_mbps": trial.goodput_mbps.half_width,
        "is_cut": trial.is_cut,
        "frames_per_packet": trial.frames_per_packet,
        "completed": trial.completed,
    }


def _text(advice: MtuAdvice) -> str:
    most = max(trial.goodput_mbps.value for trial in advice.trials)
    unit, scale = ("Mbit/s", 1.0) if most >= 1 else ("kbit/s", 1e3)
    goodputs = [_goodput(trial, unit, scale) for trial in advice.trials]
    width = max(map(len, goodputs))
    lines = [f"   MTU  {'goodput':>{width}}  frames a packet"]
    lines += [
        f"{trial.mtu:6}  {goodput:>{width}}  {_frames(trial):>15}"
        for trial, goodput in zip(advice.trials, goodputs, strict=True)
    ]
    value = f"{advice.low}" if advice.low == advice.high else f"{advice.low} to {advice.high}"
    lines += ["", f"Option {advice.option}: {value} bytes. {_sentence(advice.reason)}"]
    if all(trial.goodput_mbps.runs == 1 for trial in advice.trials):
        lines += ["One run of each MTU: no interval is known. --runs 5 gives intervals."]
    lines += [f"warning: {warning}" for warning in advice.warnings]
    return "\n".join([*lines, ""])


def _frames(trial: Trial) -> str:
    """Returns the frames per packet, or `whole` if packets are not cut."""
    return f"{trial.frames_per_packet:.2f}" if trial.is_cut else "whole"


def _goodput(trial: Trial, unit: str, scale: float) -> str:
    """Returns the mean over the runs, with half of its interval if the runs differ."""
    if not trial.completed:
        return "never ends"
    half, value = trial.goodput_mbps.half_width, trial.goodput_mbps.value * scale
    shown = with_interval(value, half * scale) if half else f"{value:6.2f}"
    return f"{shown} {unit}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
