"""A full variant that was cut short goes on, and says beforehand how long it will take."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conftest import PINGS, Command
from test_studies import PUBLISHED, STUDY, written
from uplane import pool, runner, study
from uplane.study import runs, saved_readings, work
from uplane.study.forecast import Forecast, forecast
from uplane.study.runs import Cost, Made, Task, tasks

COSTS = "case,events\nping/1000,40\nping/500,20\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path / "my-study")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Task]:
    """The tasks that are run, in their order."""
    seen: list[Task] = []
    read = runs.read

    def noted(loaded: study.Study, task: Task) -> Made:
        seen.append(task)
        return read(loaded, task)

    monkeypatch.setattr(work, "read", noted)
    return seen


def full(folder: Path, store: Path, **options: Any) -> study.Outcome:
    return study.run_study(study.load(folder), full=True, kept=store, jobs=1, **options)


def test_interrupted_study_continues(folder: Path, tmp_path: Path, made: list[Task]) -> None:
    def stop(done: int, total: int) -> None:
        if done == total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        full(folder, tmp_path / "kept", progress=stop)
    planned = len(tasks(study.load(folder), full=True))
    calls: list[tuple[int, int]] = []
    before = len(made)
    made.clear()
    outcome = full(folder, tmp_path / "kept", progress=lambda *state: calls.append(state))
    assert planned // 2 <= before < planned
    assert calls[0] == (planned // 2, planned)
    assert len(made) == planned - planned // 2
    assert outcome.rows == study.run_study(study.load(folder), full=True).rows


def test_kept_readings_give_equal_rows_without_runs(
    folder: Path, tmp_path: Path, made: list[Task]
) -> None:
    first = full(folder, tmp_path / "kept")
    made.clear()
    again = full(folder, tmp_path / "kept")
    assert made == []
    assert again.rows == first.rows
    assert (again.warnings, again.anatomy, again.power) == (
        first.warnings,
        first.anatomy,
        first.power,
    )


@pytest.mark.parametrize(
    ("change", "runs"),
    [
        (lambda toml: toml.replace('"avg(rtt_ms)"', '"max(rtt_ms)"'), 8),
        (lambda toml: toml.replace('unit = "ms"\ntable', 'unit = "s"\ntable'), 8),
        (lambda toml: toml.replace('"{bytes} B"', '"{bytes} B", "ping.echo.count" = 2'), 8),
        (lambda toml: toml.replace("full = 4", "full = 6"), 4),
        (lambda toml: toml.replace("tolerance = 0.001", "tolerance = 0.002"), 0),
        (lambda toml: toml.replace("one size", "another name"), 0),
    ],
)
def test_only_changes_of_inputs_repeat_a_run(
    folder: Path, tmp_path: Path, made: list[Task], change: Callable[[str], str], runs: int
) -> None:
    full(folder, tmp_path / "kept")
    made.clear()
    changed = change(STUDY)
    assert changed != STUDY
    (folder / "study.toml").write_text(changed, encoding="utf-8")
    if 'unit = "s"' in changed:
        in_s = PUBLISHED.replace("21.0,,,ms", "21.0,,,s")
        (folder / "published.csv").write_text(in_s, encoding="utf-8")
    full(folder, tmp_path / "kept")
    assert len(made) == runs


def test_changed_study_program_invalidates_readings(
    folder: Path, tmp_path: Path, made: list[Task]
) -> None:
    own = STUDY.replace('"avg(rtt_ms)"', '"study:worst"')
    (folder / "study.toml").write_text(own, encoding="utf-8")
    for function in ("max", "min"):
        program = f'def worst(frame):\n    return frame["rtt_ms"].{function}()\n'
        (folder / "study.py").write_text(program, encoding="utf-8")
        made.clear()
        full(folder, tmp_path / "kept")
        assert len(made) == 8


def test_another_build_knows_nothing_of_it(
    folder: Path, tmp_path: Path, made: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    full(folder, tmp_path / "kept")
    made.clear()
    other = {**runner.made_by(), "build": "another"}
    monkeypatch.setattr(saved_readings, "made_by", lambda: other)
    full(folder, tmp_path / "kept")
    assert len(made) == 8


def test_readings_of_other_code_are_repeated(
    folder: Path, tmp_path: Path, made: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    full(folder, tmp_path / "kept")
    made.clear()
    monkeypatch.setattr(saved_readings, "READERS", ("measure.py",))
    full(folder, tmp_path / "kept")
    assert len(made) == 8


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-40],
        lambda text: text.replace('"ms",', '"s",', 1),
        lambda text: f"x{text}",
    ],
)
def test_a_damaged_line_is_a_run_that_was_not_made(
    folder: Path, tmp_path: Path, made: list[Task], damage: Callable[[str], str]
) -> None:
    first = full(folder, tmp_path / "kept")
    [path] = (tmp_path / "kept").rglob("*.jsonl")
    path.write_text(damage(path.read_text("utf-8")), encoding="utf-8")
    for left in (1, 0):
        made.clear()
        again = full(folder, tmp_path / "kept")
        assert len(made) == left
        assert again.rows == first.rows


def test_a_warning_is_kept_too(folder: Path, tmp_path: Path) -> None:
    unused = PINGS + '\n[tcp.other]\nbase = "linux"\n'
    (folder / "scenario.toml").write_text(unused, encoding="utf-8")
    first = full(folder, tmp_path / "kept")
    assert first.warnings
    assert full(folder, tmp_path / "kept").warnings == first.warnings


# How long it takes


def test_a_first_run_says_how_long_the_others_take(
    folder: Path, tmp_path: Path, made: list[Task]
) -> None:
    (folder / "costs.csv").write_text(COSTS, encoding="utf-8")
    said: list[tuple[int, Forecast]] = []
    full(folder, tmp_path / "kept", forecasts=lambda each: said.append((len(made), each)))
    [(runs_before, first)] = said
    assert runs_before == 1
    assert (first.study, first.runs, first.kept, first.by) == ("901", 8, 0, 1)
    assert first.seconds is not None
    assert 0 < first.seconds < 60
    full(folder, tmp_path / "kept", forecasts=lambda each: said.append((len(made), each)))
    assert (said[1][1].runs, said[1][1].kept) == (8, 8)


def test_events_share_the_threads_and_reading_does_not(folder: Path) -> None:
    (folder / "costs.csv").write_text(COSTS, encoding="utf-8")
    loaded = study.load(folder)
    left = tasks(loaded, full=True)
    costs: Sequence[Cost] = [Cost(10, 1.0, 0.5), Cost(30, 3.0, 1.5)]
    # 4 runs of 40 events and 4 of 20, 0.1 s each, in two threads; a second to read each of 8
    said = forecast(loaded, left, runs=10, kept=2, costs=costs, jobs=2)
    assert said.seconds == pytest.approx(240 * 0.1 / 2 + 8 * 1.0)
    assert (said.runs, said.kept, said.by) == (10, 2, 2)


def test_without_a_list_of_costs_nobody_knows(folder: Path) -> None:
    loaded = study.load(folder)
    said = forecast(
        loaded, tasks(loaded, full=True), runs=8, kept=0, costs=[Cost(1, 1.0, 1.0)], jobs=1
    )
    assert said.seconds is None


def test_the_command_says_it_and_keeps_the_runs(
    folder: Path, tmp_path: Path, command: Command
) -> None:
    (folder / "costs.csv").write_text(COSTS, encoding="utf-8")
    words = ("reproduce", str(folder), "--full", "--kept", str(tmp_path / "kept"))
    first, again = command(*words), command(*words)
    assert "study 901: 8 runs; about" in first.stderr
    assert "for the others, by the first run" in first.stderr
    assert "study 901: 8 runs, 8 of them kept from before\n" in again.stderr
    assert again.stdout == first.stdout


def test_a_quick_variant_keeps_nothing_by_default(
    folder: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    command("reproduce", str(folder))
    assert not (tmp_path / "cache").exists()
    command("reproduce", str(folder), "--full")
    [path] = (tmp_path / "cache" / "uplane" / "reproduce").rglob("*.jsonl")
    assert len(path.read_text("utf-8").splitlines()) == 8


def test_unwritable_folder_is_refused_before_any_run(
    folder: Path, tmp_path: Path, made: list[Task], command: Command
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = command("reproduce", str(folder), "--full", "--kept", str(tmp_path / "file"))
    assert done.returncode == 1
    assert "keep readings in" in done.stderr
    assert made == []


@pytest.mark.parametrize("name", [path.name for path in study.shipped()])
def test_each_shipped_study_has_costs_of_its_cases(name: str) -> None:
    from uplane.study.case import points

    loaded = study.load(study.find(name))
    lines = (loaded.path / "costs.csv").read_text("utf-8").splitlines()[1:]
    listed = [line.rsplit(",", 1)[0] for line in lines]
    assert listed == [point.name for point in points(loaded.file.case, full=True)]
    assert all(int(line.rsplit(",", 1)[1]) > 0 for line in lines)


def test_a_byte_that_is_no_text_spoils_one_line(
    folder: Path, tmp_path: Path, made: list[Task]
) -> None:
    first = full(folder, tmp_path / "kept")
    [path] = (tmp_path / "kept").rglob("*.jsonl")
    content = bytearray(path.read_bytes())
    content[content.index(b"\n") - 5] = 0xFF
    path.write_bytes(content)
    made.clear()
    assert full(folder, tmp_path / "kept").rows == first.rows
    assert len(made) == 1


def test_two_writers_keep_whole_lines(folder: Path, tmp_path: Path, made: list[Task]) -> None:
    """A line goes to the file by one call, however long it is: neither cuts the other's."""
    full(folder, tmp_path / "first")
    loaded, task = study.load(folder), made[0]
    read = runs.read(loaded, task)
    long = replace(read.readings[0], values=[("x" * 50_000, "ms", 1.0)])
    content = read._replace(readings=[long, *read.readings[1:]])

    def write(kept: saved_readings.Kept) -> None:
        for seed in range(100):
            kept.put(replace(task, seed=seed), content)
        kept.close()

    writers = [saved_readings.Kept(tmp_path / "kept", loaded) for _ in range(4)]
    assert len(list(pool.work(writers, write, jobs=4))) == 4
    [path] = (tmp_path / "kept").rglob("*.jsonl")
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) == 400
    assert all(map(saved_readings._line, lines))
