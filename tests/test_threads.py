"""Threads for the cells of one network: equal results, and refused options."""

import pytest

import uplane

NETWORK = """
duration = "0.3 s"
[radio.lte.network]
rings = 1
edge = "wrapped"
fading = "epa"
[[ue]]
name = "ue"
count = 30
[[download]]
name = "file"
ue = "ue"
file = "1 MB"
"""


@pytest.mark.parametrize("threads", [2, 3])
def test_results_are_the_same_with_any_number_of_threads(threads: int) -> None:
    alone = uplane.run(uplane.loads(NETWORK))
    shared = uplane.run(uplane.loads(NETWORK), threads=threads)
    assert len(alone["ues"]) == 30
    assert list(alone.tables) == list(shared.tables)
    for name, table in alone.tables.items():
        assert table.to_polars().equals(shared.tables[name].to_polars()), name


def test_threads_go_with_every_run_of_a_sweep() -> None:
    alone = uplane.sweep(uplane.loads(NETWORK), runs=2)
    shared = uplane.sweep(uplane.loads(NETWORK), runs=2, jobs=1, threads=2)
    assert alone.summary().equals(shared.summary())


@pytest.mark.parametrize("threads", [0, -1, 1.5, "two", True])
def test_a_number_of_threads_that_cannot_be_is_refused(threads: object) -> None:
    for run in (uplane.run, uplane.sweep):
        with pytest.raises(uplane.InputError, match="threads"):
            run(uplane.loads(NETWORK), threads=threads)  # type: ignore[arg-type]


def test_cluster_has_its_own_threads(tmp_path: object) -> None:
    with pytest.raises(uplane.InputError, match="a cluster and 2 threads, expected one of both"):
        uplane.sweep(uplane.loads(NETWORK), threads=2, dask="local", out=f"{tmp_path}/out")
