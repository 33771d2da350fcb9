"""The command `uplane advise`: which TCP MTU fits a path, tried on that path."""

import sys
from collections.abc import Sequence
from pathlib import Path

from uplane.advice import MtuAdvice, advise_mtu
from uplane.cli.runs import scenario_of

__all__ = ["advise"]


def advise(
    file: Path, pairs: Sequence[str], *, fixed_drivers: bool, runs: int, jobs: int | None
) -> None:
    """Tries MTUs on the path of a scenario and prints the option that fits."""
    path = scenario_of(file, pairs)
    sys.stdout.write(_text(advise_mtu(path, can_change=not fixed_drivers, runs=runs, jobs=jobs)))


def _text(advice: MtuAdvice) -> str:
    lines = ["   MTU        goodput  frames a packet"]
    lines += [
        f"{trial.mtu:6}  {_goodput(trial.goodput_mbps.value, completed=trial.completed)}"
        f"  {trial.frames_per_packet:15.2f}"
        for trial in advice.trials
    ]
    value = f"{advice.low}" if advice.low == advice.high else f"{advice.low} to {advice.high}"
    lines += ["", f"Option {advice.option}: {value} bytes. {_sentence(advice.reason)}", ""]
    return "\n".join(lines)


def _goodput(mbps: float, *, completed: bool) -> str:
    return f"{mbps:6.2f} Mbit/s" if completed else "   never ends"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
