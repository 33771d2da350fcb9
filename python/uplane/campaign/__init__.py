"""Campaigns: one scenario, several variants, several seeds, all cores.

In: scenarios, the settings to vary and the number of runs. Out: the same rows at any number of
workers, each keyed by its settings and its seed.

Every variant gets the same seeds, and the simulator's random streams are named, so two variants
have the same channel, arrivals and errors: their difference is due to the variant.

With a folder given, each finished run is put into a content-addressed store at once. A campaign
that was killed continues where it stopped, and no run is made twice.
"""

from uplane.campaign.execute import Interrupted, Progress, Scenarios, sweep
from uplane.campaign.finished import Campaign
from uplane.campaign.finished_runs import Run
from uplane.campaign.merge import merge, missing
from uplane.campaign.sides import COMPARED_RUNS, compare

__all__ = [
    "COMPARED_RUNS",
    "Campaign",
    "Interrupted",
    "Progress",
    "Run",
    "Scenarios",
    "compare",
    "merge",
    "missing",
    "sweep",
]
