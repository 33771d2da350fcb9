"""Arguments of Python functions that make no sense: refused by name, as uplane's own errors."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import uplane

API: Any = uplane
"""As a notebook has it, without a look at types."""

WRONG: dict[str, tuple[Callable[[Any], object], str]] = {
    "a number to load": (lambda _: API.load(42), r"path: found int 42, expected a path"),
    "nothing to read": (lambda _: API.loads(None), "text: found NoneType None, expected a text"),
    "settings as a list": (lambda it: API.run(it, set=["a=1"]), "`set`: found list"),
    "a key that is a number": (lambda it: API.run(it, set={5: 1}), "a key of `set`: found int 5"),
    "a value of nothing": (
        lambda it: API.run(it, set={"ping.echo.count": None}),
        r"ping\.echo\.count: a scenario has no place for NoneType None",
    ),
    "a varied value of nothing": (
        lambda it: API.sweep(it, vary={"ping.echo.count": [3, None]}),
        r"ping\.echo\.count: a scenario has no place for NoneType None",
    ),
    "variants as a list": (lambda it: API.sweep(it, vary=["a"]), "vary: found list"),
    "a change as a list": (lambda it: API.compare(it, change=["a"]), "`change`: found list"),
    "jobs in words": (lambda it: API.sweep(it, jobs="2"), "jobs: found str '2', expected a whole"),
    "no jobs": (lambda it: API.sweep(it, jobs=0), "jobs: found int 0, expected a whole number"),
    "a shard in words": (lambda it: API.sweep(it, shard="1/2"), "shard: found str '1/2', exp"),
    "a shard of three": (lambda it: API.sweep(it, shard=(1, 2, 3)), "shard: found tuple"),
    "a number as a folder": (lambda it: API.sweep(it, out=5), "out: found int 5, expected a path"),
    "an end that is a number": (lambda it: API.sweep(it, until=0.02), "until: found float 0.02"),
}


@pytest.mark.parametrize(("call", "said"), WRONG.values(), ids=WRONG)
def test_invalid_arguments_are_refused_by_name(
    call: Callable[[Any], object], said: str, scenario: uplane.Scenario
) -> None:
    with pytest.raises(uplane.InputError, match=said):
        call(scenario)


def test_path_like_and_number_like_values_are_accepted(file: Path, tmp_path: Path) -> None:
    class Two:
        def __index__(self) -> int:
            return 2

    done = API.sweep(API.load(file), runs=4, jobs=Two(), shard=(Two(), 2), out=tmp_path / "o")
    assert len(done) == 2
