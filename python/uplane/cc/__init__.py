"""A kit that runs congestion controls through the same cases, side by side.

In: contestants (parameter sets of TCP and QUIC), cases (those of the kit, or a user's scenario),
seeds. Out: utilisation, delay, losses, fairness and convergence of each contestant in each case,
with intervals; logs of their connections.

The cases are those that RFC 9743 asks of a new congestion control, some with the numbers of RFC
8867. Left out: media flows with encoders, as in RFC 8867. The flows on its paths always have data.
"""

from uplane.cc.cases import Case, Contestant, built_in, cases, read_contestants
from uplane.cc.kit import Result, compete
from uplane.cc.measures import MEASURES, Measure, measures_of
from uplane.cc.own_scenario import case_of

__all__ = [
    "MEASURES",
    "Case",
    "Contestant",
    "Measure",
    "Result",
    "built_in",
    "case_of",
    "cases",
    "compete",
    "measures_of",
    "read_contestants",
]
