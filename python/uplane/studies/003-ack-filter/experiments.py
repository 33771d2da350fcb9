"""Two experiments with the deployment that are no cases of the study, to be run again by anybody.

    python experiments.py edge                 # what filters do to UEs like table I's UE5
    python experiments.py grants 40            # 40 random ways to grant: who gains over Granted?

In: `deployment.toml`. Out: lines of CSV on standard output.

`edge` answers for table I's UE5, the one with the least mean MCS of its ten, 9. A network takes no
SINR, so UEs are taken as they are drawn: of 40 drops of ten those with a mean MCS of 8.5 to 9.5
without a filter, and of each drop the worst.

`grants` draws settings at random from `RANGES`. It is not the search of which README tells, of
which nothing but its result was kept; it asks the same question with ranges that stand here.
"""

import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl

import uplane
from uplane import pool

HOME = Path(__file__).parent
OPT = {
    "radio.lte.ack_filter.rule": "hybrid_opt",
    "radio.lte.ack_filter.segment": "536 B",
    "radio.lte.ack_filter.whole_band": True,
}
SCHEMES: Mapping[str, Mapping[str, object]] = {
    "basic": {},
    "granted": {"radio.lte.ack_filter.rule": "granted"},
    "hybrid": {"radio.lte.ack_filter.rule": "hybrid", "radio.lte.ack_filter.threshold": 6},
    "opt": OPT,
}
DROPS = range(2001, 2041)
CHOICE = (501, 502)
"""Seeds that judge nothing."""

RANGES: Mapping[str, list[object]] = {
    "radio.lte.sr_rule": ["standard", "ideal_reports"],
    "radio.lte.uplink_scheduler": ["proportional_fair", "round_robin", "maximum_throughput"],
    "radio.lte.sr_period": [5, 10, 20, 40],
    "radio.lte.sr_grant": ["60 B", "250 B", "800 B"],
    "radio.lte.uplink_prbs": [6, 8, 10, 12, 16],
    "radio.lte.bearer.default.buffer": ["10240 B", "20 kB"],
    "link.internet.delay": ["5 ms", "9 ms", "15 ms"],
}
"""On requests; the settings of the search that was not kept were more."""


def edge() -> Iterator[str]:
    """By group of UEs: how many, and how many acknowledgements less a filter sends of them."""
    schemes = ("basic", "hybrid", "opt")
    tasks = [(scheme, seed) for seed in DROPS for scheme in schemes]
    base = uplane.load(HOME / "deployment.toml")

    def acks(task: tuple[str, int]) -> pl.DataFrame:
        scheme, seed = task
        chosen = base.with_settings({"ue.ue.count": 10, **SCHEMES[scheme]})
        results = uplane.run(chosen, seed=seed)
        sent = results["ack_filters"].to_polars().select("ue", "sent")
        places = results["ues"].to_polars().select("ue", "mean_mcs")
        named = {"scheme": pl.lit(scheme), "seed": pl.lit(seed)}
        return sent.join(places, on="ue").with_columns(**named)

    rows = pl.concat([frame for _, frame in pool.work(tasks, acks)])
    basic = rows.filter(pl.col("scheme") == "basic")
    like = basic.filter(pl.col("mean_mcs").is_between(8.5, 9.5)).select("seed", "ue")
    worst = basic.sort("mean_mcs").group_by("seed", maintain_order=True).first()
    groups = {"all": basic, "mean MCS 8.5 to 9.5": like, "the worst of ten": worst}
    yield "group,UEs,opt against basic,opt against hybrid,hybrid against basic"
    for name, chosen in ((name, some) for name, some in groups.items() if len(some)):
        of = rows.join(chosen.select("seed", "ue"), on=["seed", "ue"])
        sent = dict(of.group_by("scheme").agg(pl.col("sent").sum()).iter_rows())
        pairs = ("opt", "basic"), ("opt", "hybrid"), ("hybrid", "basic")
        less = [f"{100 * (1 - sent[own] / sent[other]):.1f}" for own, other in pairs]
        yield ",".join([name, str(len(chosen)), *less])


def grants(draws: int) -> Iterator[str]:
    """By way to grant, drawn from `RANGES`: what forty UEs gain, and ten change by."""
    base = uplane.load(HOME / "requests.toml")
    drawn = random.Random(1)  # noqa: S311 - settings, not secrets
    yield ",".join([*RANGES, "over basic", "over granted", "acks against granted", "ten UEs"])
    for _ in range(draws):
        way = {key: drawn.choice(values) for key, values in RANGES.items()}
        rate: dict[tuple[str, int], float] = {}
        acks: dict[tuple[str, int], float] = {}
        tasks = [
            (scheme, ues, seed)
            for scheme, ues in [
                ("basic", 40),
                ("granted", 40),
                ("opt", 40),
                ("basic", 10),
                ("opt", 10),
            ]
            for seed in CHOICE
        ]

        def sums(
            task: tuple[str, int, int], way: Mapping[str, object] = way
        ) -> tuple[float, float]:
            scheme, ues, seed = task
            chosen = base.with_settings({"ue.ue.count": ues, **way, **SCHEMES[scheme]})
            results = uplane.run(chosen, seed=seed)
            at_server = results["connections"].to_polars().filter(pl.col("sender") == "server")
            sent = results["ack_filters"].to_polars()["sent"].sum()
            return float(at_server["acked_bytes"].sum()), float(sent)

        for index, (data, sent) in pool.work(tasks, sums):
            scheme, ues, _ = tasks[index]
            rate[scheme, ues] = rate.get((scheme, ues), 0.0) + data
            acks[scheme, ues] = acks.get((scheme, ues), 0.0) + sent
        gains = [
            rate["opt", 40] / rate["basic", 40],
            rate["opt", 40] / rate["granted", 40],
            acks["opt", 40] / acks["granted", 40],
            rate["opt", 10] / rate["basic", 10],
        ]
        yield ",".join([*map(str, way.values()), *(f"{100 * (gain - 1):.1f}" for gain in gains)])


if __name__ == "__main__":
    lines = edge() if sys.argv[1] == "edge" else grants(int(sys.argv[2]))
    for line in lines:
        print(line, flush=True)  # noqa: T201 - a table for a pipe
