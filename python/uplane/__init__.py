"""Effects of a cellular user plane on a transport protocol, and their causes.

>>> import uplane
>>> results = uplane.run("scenario.toml", seed=1)  # doctest: +SKIP
>>> results["transfers"].to_polars()  # doctest: +SKIP

Nothing heavy is imported before it is used: `import uplane` costs a few milliseconds.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uplane import campaign
    from uplane.analysis.compare import Comparison
    from uplane.campaign import Campaign, compare, sweep
    from uplane.errors import (
        ApplicationError,
        ControlError,
        InputError,
        LeftOutWarning,
        MemoryLimitError,
        OutputError,
        ProgramError,
        ScenarioError,
        SimulationBug,
        UntrustedError,
        UplaneError,
    )
    from uplane.results import Results
    from uplane.runner import run
    from uplane.scenario import Scenario, load, loads, schema
    from uplane.table import Table

    __version__: str

__all__ = [
    "ApplicationError",
    "Campaign",
    "Comparison",
    "ControlError",
    "InputError",
    "LeftOutWarning",
    "MemoryLimitError",
    "OutputError",
    "ProgramError",
    "Results",
    "Scenario",
    "ScenarioError",
    "SimulationBug",
    "Table",
    "UntrustedError",
    "UplaneError",
    "campaign",
    "compare",
    "load",
    "loads",
    "run",
    "schema",
    "sweep",
]

_HOME = {
    "ApplicationError": "errors",
    "Campaign": "campaign",
    "Comparison": "analysis.compare",
    "ControlError": "errors",
    "InputError": "errors",
    "LeftOutWarning": "errors",
    "MemoryLimitError": "errors",
    "OutputError": "errors",
    "ProgramError": "errors",
    "Results": "results",
    "Scenario": "scenario",
    "ScenarioError": "errors",
    "SimulationBug": "errors",
    "Table": "table",
    "UntrustedError": "errors",
    "UplaneError": "errors",
    "compare": "campaign",
    "load": "scenario",
    "loads": "scenario",
    "run": "runner",
    "schema": "scenario",
    "sweep": "campaign",
}
"""In which module each public name lives."""


def __getattr__(name: str) -> object:
    """Imports a public name, or the campaign module, at its first use."""
    if name == "campaign":
        return import_module("uplane.campaign")
    if name == "__version__":
        return import_module("uplane._core").version()
    if name not in _HOME:
        message = f"module 'uplane' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"uplane.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    """Returns the public names and `__version__`, for completion."""
    return sorted([*__all__, "__version__"])
