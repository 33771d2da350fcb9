"""The command `uplane advise`: which TCP MTU fits a path, tried on that path."""

import sys
from collections.abc import Sequence
from pathlib import Path

from uplane.advice import MtuAdvice, Trial, advise_mtu
from uplane.cli.progress import progress
from uplane.cli.runs import scenario_of

__all__ = ["advise"]


def advise(
    file: Path, pairs: Sequence[str], *, fixed_drivers: bool, runs: int, jobs: int | None
) -> None:
    """Tries MTUs on the path of a scenario and prints the option that fits."""
    path = scenario_of(file, pairs)
    with progress("runs"):
        advice = advise_mtu(path, can_change=not fixed_drivers, runs=runs, jobs=jobs)
    sys.stdout.write(_text(advice))


def _text(advice: MtuAdvice) -> str:
    goodputs = [_goodput(trial) for trial in advice.trials]
    width = max(map(len, goodputs))
    lines = [f"   MTU  {'goodput':>{width}}  frames a packet"]
    lines += [
        f"{trial.mtu:6}  {goodput:>{width}}  {trial.frames_per_packet:15.2f}"
        for trial, goodput in zip(advice.trials, goodputs, strict=True)
    ]
    value = f"{advice.low}" if advice.low == advice.high else f"{advice.low} to {advice.high}"
    lines += ["", f"Option {advice.option}: {value} bytes. {_sentence(advice.reason)}"]
    lines += [f"warning: {warning}" for warning in advice.warnings]
    return "\n".join([*lines, ""])


def _goodput(trial: Trial) -> str:
    """The mean over runs, and half of its interval where runs differ."""
    if not trial.completed:
        return "never ends"
    goodput = trial.goodput_mbps
    half = 0.0 if goodput.high is None else goodput.high - goodput.value
    return f"{goodput.value:6.2f}{f' ± {half:.2f}' if half else ''} Mbit/s"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
