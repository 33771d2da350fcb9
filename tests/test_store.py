"""The store of a campaign: damage, several writers, kills, power cuts, other campaigns."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import polars
import pytest

import uplane
from conftest import COMMAND, PINGS, WIDE, Command
from uplane import atomic_files, campaign, files
from uplane import folder as run_folder
from uplane.campaign import cluster
from uplane.campaign.examine import Kind, examine
from uplane.campaign.plan import Task
from uplane.campaign.store import Store, name_of
from uplane.runner import run_once

VARY: dict[str, Sequence[object]] = {"ping.echo.count": [3, 4]}
TABLE = "pings.parquet"


@pytest.fixture(scope="module")
def small() -> uplane.Scenario:
    return uplane.loads(PINGS, source="pings.toml")


@pytest.fixture(scope="module")
def whole(small: uplane.Scenario, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished store of four runs, which no test changes."""
    out = tmp_path_factory.mktemp("store") / "out"
    campaign.sweep(small, vary=VARY, runs=2, out=out)
    return out


@pytest.fixture
def store(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "out"))


def runs_of(store: Path) -> list[Path]:
    return sorted((store / "runs").glob("[!.]*"))


def two_runs(store: Path) -> tuple[Path, Path]:
    """A run, and one whose tables are others."""
    first, *rest = runs_of(store)
    pings = (first / TABLE).read_bytes()
    return first, next(each for each in rest if (each / TABLE).read_bytes() != pings)


def tables_of(store: Path) -> dict[str, polars.DataFrame]:
    return {path.name: polars.read_parquet(path) for path in sorted(store.glob("*.parquet"))}


def assert_same_tables(one: Path, other: Path) -> None:
    ours, theirs = tables_of(one), tables_of(other)
    assert ours.keys() == theirs.keys()
    assert [name for name in ours if not ours[name].equals(theirs[name])] == []


def again(small: uplane.Scenario, store: Path) -> campaign.Campaign:
    return campaign.sweep(small, vary=VARY, runs=2, out=store)


Damage = Callable[[Path, Path], object]
"""Damages the first of two runs."""


def flip(name: str, part: float, bit: int = 0) -> Damage:
    def damage(run: Path, _: Path) -> None:
        content = bytearray((run / name).read_bytes())
        content[int(part * (len(content) - 1))] ^= 1 << bit
        (run / name).write_bytes(content)

    return damage


def cut(name: str, part: float) -> Damage:
    return lambda run, _: os.truncate(run / name, int((run / name).stat().st_size * part))


def empty(run: Path) -> None:
    for file in run.iterdir():
        os.truncate(file, 0)


def says(text: str) -> Damage:
    return lambda run, _: (run / "manifest.json").write_text(text, encoding="utf-8")


def edited(change: Callable[[dict[str, Any]], object]) -> Damage:
    def damage(run: Path, _: Path) -> None:
        manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
        change(manifest)
        (run / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")

    return damage


def instead(make: Callable[[Path, Path], object], name: str = "") -> Damage:
    """Something else in the place of the run, or of a file in it."""

    def damage(run: Path, other: Path) -> None:
        place = run / name if name else run
        atomic_files.remove(place)
        make(place, other)

    return damage


def absurd(manifest: dict[str, Any]) -> None:
    manifest["tables"]["pings"]["rows"] = 10**9


def renamed_column(manifest: dict[str, Any]) -> None:
    manifest["tables"]["pings"]["unknown"] = 1


DAMAGES: dict[str, Damage] = {
    **{f"a bit at {part} of {TABLE}": flip(TABLE, part) for part in (0, 0.01, 0.3, 0.6, 0.9, 1)},
    **{f"a bit at {part} of the manifest": flip("manifest.json", part) for part in (0, 0.3, 0.9)},
    f"{TABLE} cut": cut(TABLE, 0.5),
    f"{TABLE} cut at its end": cut(TABLE, 0.99),
    f"{TABLE} of zero bytes": cut(TABLE, 0),
    f"{TABLE} longer": lambda run, _: os.truncate(run / TABLE, 10_000),
    f"{TABLE} missing": lambda run, _: (run / TABLE).unlink(),
    f"{TABLE} of another run": lambda run, other: shutil.copy(other / TABLE, run / TABLE),
    f"{TABLE} a folder": instead(lambda place, _: place.mkdir(), TABLE),
    f"{TABLE} a FIFO": instead(lambda place, _: os.mkfifo(place), TABLE),
    f"{TABLE} a link to nothing": instead(lambda place, _: place.symlink_to("nowhere"), TABLE),
    "all tables of zero bytes": lambda run, _: empty(run),
    "manifest cut": cut("manifest.json", 0.5),
    "manifest of zero bytes": cut("manifest.json", 0),
    "manifest missing": lambda run, _: (run / "manifest.json").unlink(),
    "manifest a FIFO": instead(lambda place, _: os.mkfifo(place), "manifest.json"),
    "manifest a folder": instead(lambda place, _: place.mkdir(), "manifest.json"),
    "manifest of another run": lambda run, other: shutil.copy(other / "manifest.json", run),
    **{
        f"manifest {text}": says(text)
        for text in ("{}", "[]", "null", "5", '"run"', "{", '{"kind":"run","tables":[]}', "\0")
    },
    "manifest of 100000 brackets": says("[" * 100_000),
    "manifest nested 900 deep": says('{"kind":"run","format":3,"a":' + "[" * 900 + "]" * 900 + "}"),
    "manifest not UTF-8": lambda run, _: (run / "manifest.json").write_bytes(b"\xff{}"),
    "manifest without tables": edited(lambda manifest: manifest.pop("tables")),
    "manifest with tables = []": edited(lambda manifest: manifest.update(tables=[])),
    "manifest with an unknown key in a table": edited(renamed_column),
    "manifest without CPU time": edited(lambda manifest: manifest.pop("cpu_s")),
    "manifest without events": edited(lambda manifest: manifest.pop("events")),
    "manifest with other events": edited(lambda manifest: manifest.update(events=7)),
    "manifest with another seed": edited(lambda manifest: manifest.update(seed=7)),
    "manifest with another build": edited(lambda manifest: manifest.update(build="0")),
    "manifest of an older format": edited(lambda manifest: manifest.update(format=2)),
    "manifest with 10^9 rows": edited(absurd),
    "the folder of another run": instead(lambda place, other: shutil.copytree(other, place)),
    "a link to another run": instead(lambda place, other: place.symlink_to(other)),
    "a foreign folder": instead(lambda place, _: (place / "deep").mkdir(parents=True)),
    "an empty folder": instead(lambda place, _: place.mkdir()),
    "a file": instead(lambda place, _: place.write_text("mine")),
    "a FIFO": instead(lambda place, _: os.mkfifo(place)),
    "a link to nothing": instead(lambda place, _: place.symlink_to("nowhere")),
    "a link to itself": instead(lambda place, _: place.symlink_to(place.name)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_run_is_reported_once_and_repeated(
    damage: Damage,
    small: uplane.Scenario,
    whole: Path,
    store: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    run, other = two_runs(store)
    damage(run, other)
    done = again(small, store)
    assert_same_tables(store, whole)
    assert done.warnings == []
    assert all(file_of(each) for each in runs_of(store))
    (line,) = caplog.messages
    assert line.startswith(f"{run} is made again: ")
    assert "\n" not in line
    assert not list(store.rglob(".*"))


def file_of(run: Path) -> bool:
    return run_folder.verify(run)["kind"] == "run" and not run.is_symlink()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_the_doctor_finds_each_damage(damage: Damage, store: Path) -> None:
    run, other = two_runs(store)
    damage(run, other)
    found = {each.path: each for each in examine(store)}
    assert found[run].kind in (Kind.DAMAGED, Kind.OTHER_BUILD)
    assert found[run].reason
    rest = [each.kind for path, each in found.items() if path != run]
    assert rest == [Kind.WHOLE] * 3


def test_many_damaged_runs_are_not_all_named(
    small: uplane.Scenario, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As a power cut leaves them: names are there, contents are not."""
    first = campaign.sweep(small, runs=30, out=tmp_path)
    for run in runs_of(tmp_path):
        empty(run)
    after = campaign.sweep(small, runs=30, out=tmp_path)
    assert after["pings"].equals(first["pings"])
    assert len(caplog.messages) == 11
    assert caplog.messages[-1].startswith("more runs in ")


def test_a_whole_store_says_nothing_and_makes_nothing(
    small: uplane.Scenario,
    whole: Path,
    store: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("uplane.campaign.execute.run_once", None)
    again(small, store)
    assert_same_tables(store, whole)
    assert caplog.messages == []


def test_the_command_says_one_line_of_a_damaged_run(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(PINGS, encoding="utf-8")
    words = [str(COMMAND), "run", "p.toml", "--runs", "2", "--out", "out"]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    run = runs_of(tmp_path / "out")[0]
    os.truncate(run / TABLE, 5)
    done = subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, text=True)
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"out/runs/{run.name} is made again: {TABLE} has 5 of ")


CHILD = """
import sys, uplane
scenario, out, runs = sys.argv[1:]
uplane.sweep(scenario, vary={"ping.echo.count": [3, 4]}, runs=int(runs), jobs=2, out=out)
"""


def child(scenario: Path, out: Path, runs: int) -> "subprocess.Popen[str]":
    words = [sys.executable, "-c", CHILD, str(scenario), str(out), str(runs)]
    return subprocess.Popen(words, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def pings(tmp_path: Path) -> Path:
    path = tmp_path / "pings.toml"
    path.write_text(PINGS, encoding="utf-8")
    return path


@pytest.mark.parametrize("time_around", range(3 if WIDE else 1))
def test_three_writers_of_one_store_all_succeed(
    time_around: int, pings: Path, tmp_path: Path
) -> None:
    writers = [child(pings, tmp_path / "out", 10) for _ in range(3)]
    assert [(each.communicate()[1], each.returncode) for each in writers] == [("", 0)] * 3
    assert [each.kind for each in examine(tmp_path / "out")] == [Kind.WHOLE] * 20, time_around
    assert not list((tmp_path / "out").rglob(".*"))


def test_a_run_that_another_writer_put_meanwhile_is_taken(
    small: uplane.Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The race, without chance: the other is faster between the look and the renaming."""
    real = run_once

    def slower(scenario: uplane.Scenario, seed: int, threads: int) -> uplane.Results:
        monkeypatch.setattr("uplane.campaign.execute.run_once", real)
        campaign.sweep(small, out=tmp_path)
        return real(scenario, seed, threads)

    monkeypatch.setattr("uplane.campaign.execute.run_once", slower)
    assert len(campaign.sweep(small, jobs=1, out=tmp_path)["pings"]) == 3
    assert not list(tmp_path.rglob(".*"))


def test_a_store_survives_kills_at_any_moment(
    small: uplane.Scenario, pings: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    chance, out = random.Random(3), tmp_path / "out"
    for _ in range(3):
        with child(pings, out, 200) as victim:
            begun, before = time.monotonic() + 20, len(runs_of(out))
            while len(runs_of(out)) <= before and time.monotonic() < begun:
                time.sleep(0.002)
            time.sleep(chance.random() * 0.1)
            victim.send_signal(signal.SIGKILL)
    campaign.sweep(small, vary=VARY, runs=5, out=out)
    campaign.sweep(small, vary=VARY, runs=5, out=tmp_path / "fresh")
    assert_same_tables(out, tmp_path / "fresh")
    assert {each.kind for each in examine(out)} == {Kind.WHOLE}
    assert not list(out.rglob(".*"))
    assert caplog.messages == []


def test_only_drafts_of_the_dead_are_swept(store: Path) -> None:
    place = store / "runs" / "a"
    with atomic_files.drafted(place, Path.mkdir) as living:
        dead = place.with_name(".b.0123456789ab")
        dead.mkdir()
        (dead / TABLE).touch()
        kinds = {each.path: each.kind for each in examine(store)}
        assert (kinds[living], kinds[dead]) == (Kind.IN_USE, Kind.LEFTOVER)
        atomic_files.sweep(store / "runs")
        assert living.is_dir()
        assert not dead.exists()


def test_a_single_run_sweeps_its_own_drafts_only(small: uplane.Scenario, tmp_path: Path) -> None:
    ours, other = tmp_path / ".out.0123456789ab", tmp_path / ".mine.0123456789ab"
    ours.mkdir()
    other.mkdir()
    uplane.run(small).save(tmp_path / "out")
    assert not ours.exists()
    assert other.exists()


def test_only_tables_with_rows_are_rewritten(
    small: uplane.Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are the same from run to run: most of what a short run takes to be stored."""
    uplane.run(small, seed=1).save(tmp_path / "first")
    written: list[polars.DataFrame] = []
    real = polars.DataFrame.write_parquet

    def noted(frame: polars.DataFrame, file: Any) -> None:
        written.append(frame)
        real(frame, file)

    monkeypatch.setattr(polars.DataFrame, "write_parquet", noted)
    results = uplane.run(small, seed=2)
    results.save(tmp_path / "second")
    assert all(len(frame) for frame in written)
    assert len(written) == sum(len(table) > 0 for table in results) < len(list(results)) / 2
    for table in results:
        real(table.to_polars(), tmp_path / "anew")
        stored = (tmp_path / "second" / f"{table.name}.parquet").read_bytes()
        assert stored == (tmp_path / "anew").read_bytes(), table.name


def test_settled_files_are_flushed_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file and the names in its folder: `fsync` gets what each path refers to, still open."""
    flushed: list[tuple[int, int]] = []

    def fsync(opened: int) -> None:
        found = os.fstat(opened)
        flushed.append((found.st_dev, found.st_ino))

    monkeypatch.setattr(os, "fsync", fsync)
    paths = [tmp_path / "file", tmp_path]
    paths[0].touch()
    for path in paths:
        atomic_files.settle(path)
    assert flushed == [(it.stat().st_dev, it.stat().st_ino) for it in paths]


def test_files_and_folders_are_settled_before_they_have_their_names(
    small: uplane.Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled: list[str] = []
    real = atomic_files.settle

    def settle(path: Path) -> None:
        assert path.exists()
        settled.append(path.name)
        real(path)

    monkeypatch.setattr("uplane.atomic_files.settle", settle)
    uplane.run(small).save(tmp_path / "out")
    assert {TABLE, "manifest.json", tmp_path.name} <= set(settled)
    assert settled[-1] == tmp_path.name
    settled.clear()
    campaign.sweep(small).save(tmp_path / "saved")
    assert sum(name.startswith(".campaign.json") for name in settled) == 1
    assert settled[-1] == "saved"


@pytest.mark.parametrize("from_s", [1.0, 0.0])
def test_a_run_from_elsewhere_is_settled_when_it_was_dear(
    from_s: float, small: uplane.Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for a local run: a cheap run may be lost in a power cut, and is then repeated."""
    monkeypatch.setattr("uplane.campaign.store.SETTLED_FROM_S", from_s)
    settled: list[Path] = []
    monkeypatch.setattr("uplane.atomic_files.settle", settled.append)
    task = Task(settings={}, scenario=small, seed=1)
    content = cluster.run_there(cluster._request(task))
    store = Store(tmp_path / "out")
    store.claim({"source": "", "scenario": {}, "vary": []})
    settled.clear()
    assert len(store.receive(task, content).pings) == 3
    assert bool(settled) == (from_s == 0)


@pytest.mark.parametrize("key", ["scenario", "seed", "version", "build"])
def test_a_run_has_its_name_by_all_that_decides_it(key: str) -> None:
    manifest = {"scenario": {"duration": "1 s"}, "seed": 1, "version": "0.1.0", "build": "a"}
    assert name_of(manifest) == name_of({**manifest, "cpu_s": 3.0})
    assert name_of(manifest) != name_of({**manifest, key: "another"})


def test_a_manifest_of_too_many_bytes_is_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "manifest.json"
    path.write_text('{"kind": "run"}')
    monkeypatch.setattr("uplane.files.LARGEST_JSON", 15)
    assert files.read_json(path) == {"kind": "run"}
    monkeypatch.setattr("uplane.files.LARGEST_JSON", 14)
    with pytest.raises(files.DamageError, match="has more than 14 bytes"):
        files.read_json(path)


def test_a_run_of_another_seed_from_elsewhere_is_refused(
    small: uplane.Scenario, tmp_path: Path
) -> None:
    mine, other = (Task(settings={}, scenario=small, seed=seed) for seed in (1, 2))
    store = Store(tmp_path / "out")
    store.claim({"source": "", "scenario": {}, "vary": []})
    with pytest.raises(uplane.OutputError, match="it is another run"):
        store.receive(mine, cluster.run_there(cluster._request(other)))
    assert list((tmp_path / "out/runs").iterdir()) == []


def _with(**files_: object) -> Callable[[dict[str, bytes]], object]:
    names = {name.replace("__", "."): data for name, data in files_.items()}
    return lambda content: {**content, **names}


def _resealed(**changes: object) -> Callable[[dict[str, bytes]], object]:
    """The run with another manifest, and a digest that fits it."""

    def change(content: dict[str, bytes]) -> object:
        manifest = json.loads(content["manifest.json"])
        new = files.json_text(files.sealed({**manifest, **changes}))
        return {**content, "manifest.json": new.encode()}

    return change


GARBAGE: dict[str, Callable[[dict[str, bytes]], object]] = {
    "a number": lambda _: 7,
    "nothing": lambda _: None,
    "no files": lambda _: {},
    "a list": lambda content: list(content.items()),
    "text for bytes": lambda content: {name: str(data) for name, data in content.items()},
    "a number as a name": lambda content: {7: b"", "manifest.json": content["manifest.json"]},
    "a NUL in a name": lambda content: {**content, "a\0.parquet": b""},
    "a path as a name": lambda content: {**content, "../out.parquet": b""},
    "a further file": _with(zz__parquet=b"zz"),
    "a file of another kind": _with(run__py=b"print()"),
    "an empty manifest": _with(manifest__json=b"{}"),
    "a manifest of a list": _with(manifest__json=b"[]"),
    "a manifest cut": lambda content: {**content, "manifest.json": content["manifest.json"][:99]},
    "a missing table": lambda content: {"manifest.json": content["manifest.json"]},
    "tables of a wrong type": _resealed(tables=[]),
    "a table of a wrong type": _resealed(tables={"pings": 3}),
    "a time of a wrong type": _resealed(cpu_s=None),
    "another seed": _resealed(seed=99),
    "no version": _resealed(version=None),
}


@pytest.mark.parametrize("kind", GARBAGE)
def test_garbage_from_elsewhere_is_damage(
    kind: str, small: uplane.Scenario, tmp_path: Path
) -> None:
    task = Task(settings={}, scenario=small, seed=1)
    content = cluster.run_there(cluster._request(task))
    store = Store(tmp_path / "out")
    store.claim({"source": "", "scenario": {}, "vary": []})
    with pytest.raises(files.DamageError) as damage:
        store.receive(task, GARBAGE[kind](dict(content)))
    assert damage.value.path.parent == tmp_path / "out" / "runs"
    assert not atomic_files.is_draft(damage.value.path)
    assert list((tmp_path / "out" / "runs").iterdir()) == []
    assert len(store.receive(task, content).pings) == 3


def _bits_flipped(path: Path) -> Iterator[bytes]:
    """The file with one bit changed, at many places."""
    content = path.read_bytes()
    for place in range(0, len(content), max(1, len(content) // 40)):
        yield content[:place] + bytes([content[place] ^ 1 << place % 8]) + content[place + 1 :]


BROKEN: tuple[bytes, ...] = (b"", b"{}", b"[]", b'{"format": "2"}', b'{"format": 2, "vary": 3}')


def test_campaign_continues_with_damaged_store_file(small: uplane.Scenario, store: Path) -> None:
    path, before = store / "store.json", tables_of(store)
    for content in [*_bits_flipped(path), *BROKEN]:
        path.write_bytes(content)
        assert len(again(small, store)) == 4
        assert all(before[name].equals(frame) for name, frame in tables_of(store).items())
        assert files.is_sealed(files.read_json(path))


def test_damaged_subject_admits_no_other_campaign(small: uplane.Scenario, store: Path) -> None:
    for content in (b"{}", None):
        (store / "store.json").unlink()
        if content is not None:
            (store / "store.json").write_bytes(content)
        said = r"none of its runs is one of this campaign, .*; `uplane doctor .* --mend`"
        with pytest.raises(uplane.OutputError, match=said):
            campaign.sweep(small, vary={"radio.fixed.rtt": ["1 ms"]}, out=store)
        (store / "store.json").touch()


def test_store_file_is_rebuilt_from_runs(
    small: uplane.Scenario, store: Path, command: Command
) -> None:
    before = tables_of(store)
    path = store / "store.json"
    for content in (b"{}", None):
        path.unlink()
        if content is not None:
            path.write_bytes(content)
            with pytest.raises(uplane.OutputError, match=r"doctor .* --mend` writes it again"):
                campaign.Campaign.load(store)
        found = [each for each in examine(store) if each.kind is Kind.DAMAGED]
        assert [each.path for each in found] == [path]
        assert command("doctor", str(store)).returncode == 1
        assert command("doctor", str(store), "--mend").returncode == 0
        assert command("doctor", str(store)).returncode == 0
        loaded = campaign.Campaign.load(store)
        assert (len(loaded), list(loaded.vary)) == (4, ["ping.echo.count"])
        assert loaded["pings"].equals(before["pings.parquet"])
        assert len(again(small, store)) == 4
        assert all(before[name].equals(frame) for name, frame in tables_of(store).items())


def test_mended_store_of_another_build_continues(
    small: uplane.Scenario, store: Path, command: Command
) -> None:
    for run in runs_of(store):
        manifest = files.sealed(run_folder.verify(run) | {"build": "0123"})
        (run / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        run.rename(run.with_name(name_of(manifest)))
    (store / "store.json").unlink()
    with pytest.raises(uplane.OutputError, match=r"`uplane doctor .* --mend`"):
        again(small, store)
    assert command("doctor", str(store), "--mend").returncode == 0
    with pytest.raises(uplane.OutputError, match=r"that varies ping\.echo\.count, and this one "):
        campaign.sweep(small, vary={"radio.fixed.rtt": ["1 ms"]}, out=store)
    assert len(again(small, store)) == 4
    assert len(runs_of(store)) == 8


def test_changed_summary_of_a_campaign_is_damage(store: Path) -> None:
    path = store / "campaign.json"
    said = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**said, "planned": 5}), encoding="utf-8")
    with pytest.raises(uplane.OutputError, match="has changed since it was written"):
        campaign.Campaign.load(store)
    assert path in [each.path for each in examine(store) if each.kind is Kind.DAMAGED]


def test_another_campaign_does_not_replace_the_results(small: uplane.Scenario, store: Path) -> None:
    before = tables_of(store)
    others: list[tuple[dict[str, Any], str]] = [
        ({"vary": VARY, "set": {"radio.fixed.rtt": "30 ms"}}, r"with another radio\.fixed\.rtt"),
        ({"vary": {"radio.fixed.rtt": ["1 ms"]}}, r"that varies ping\.echo\.count, and this one"),
        ({}, "and this one nothing"),
    ]
    for options, said in others:
        with pytest.raises(uplane.OutputError, match=said):
            campaign.sweep(small, out=store, **options)
    assert all(before[name].equals(frame) for name, frame in tables_of(store).items())


def test_store_of_another_version_stays_unchanged(small: uplane.Scenario, store: Path) -> None:
    path = store / "store.json"
    said = json.loads(path.read_text(encoding="utf-8"))
    said["version"] = "9.9.9"
    later = {**said, "format": 3}
    key = "radio.fixed.down"
    grown = files.sealed({**said, "scenario": {**said["scenario"], "radio": {"fixed": {}}}})
    for content, words in (
        (later, "a campaign of the format 3 by uplane 9.9.9, and this is uplane "),
        (grown, f"with another {key} (it was begun by uplane 9.9.9); choose another folder"),
    ):
        path.write_text(json.dumps(content), encoding="utf-8")
        before = {it: it.read_bytes() for it in store.rglob("*") if it.is_file()}
        with pytest.raises(uplane.OutputError, match=re.escape(words)):
            again(small, store)
        assert {it: it.read_bytes() for it in store.rglob("*") if it.is_file()} == before
    path.write_text(json.dumps(later), encoding="utf-8")
    with pytest.raises(uplane.OutputError, match=r"found format 3 of store\.json, expected 2"):
        campaign.Campaign.load(store)


def test_values_and_seeds_of_a_store_may_grow(small: uplane.Scenario, store: Path) -> None:
    done = campaign.sweep(small, vary={"ping.echo.count": [3, 4, 5]}, runs=3, out=store)
    assert len(done) == 9
    assert len(runs_of(store)) == 9


def test_a_single_run_is_replaced_by_its_scenario_only(
    small: uplane.Scenario, tmp_path: Path
) -> None:
    out = uplane.run(small, seed=1).save(tmp_path / "out")
    uplane.run(small, seed=2).save(out)
    other = {"title": "one more", "radio.fixed.rtt": "1 ms"}
    with pytest.raises(uplane.OutputError, match=r"pings\.toml with another radio\.fixed\.rtt"):
        uplane.run(small, seed=1, set=other).save(out)
    with pytest.raises(uplane.OutputError, match=r"pings\.toml with another radio\.fixed\.rtt"):
        uplane.run(small, seed=1, set={"radio.fixed.rtt": "1 ms"}).save(out)
    assert uplane.Results.load(out).seed == 2


def test_a_damaged_run_folder_is_not_loaded(small: uplane.Scenario, tmp_path: Path) -> None:
    out = uplane.run(small).save(tmp_path / "out")
    results = uplane.Results.load(out)
    flip(TABLE, 0.3)(out, out)
    with pytest.raises(uplane.OutputError, match=r"out: pings.parquet has changed"):
        uplane.Results.load(out)
    polars.DataFrame({"seed": [1]}).write_parquet(out / TABLE)
    with pytest.raises(uplane.OutputError, match="rows or columns"):
        results.pings.to_polars()


@pytest.fixture
def sick(store: Path) -> Path:
    """A store with one of each ailment."""
    damaged, older = runs_of(store)[:2]
    os.truncate(damaged / TABLE, 5)
    manifest = files.sealed(run_folder.verify(older) | {"build": "0123"})
    (older / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    older.rename(older.with_name(name_of(manifest)))
    (store / "runs" / ".a.0123456789ab").mkdir()
    (store / "runs" / "notes.txt").touch()
    os.truncate(store / TABLE, 5)
    return store


def test_the_doctor_counts_and_mends(sick: Path, command: Command) -> None:
    said = command("doctor", sick)
    assert said.returncode == 1
    lines = said.stdout.splitlines()
    for line in (
        "complete runs: 2",
        "damaged: 2",
        "leftover draft: 1",
        "of another build: 1",
        "not of uplane: 1",
        "  runs/notes.txt",
    ):
        assert line in lines
    assert any(line.startswith(f"  {TABLE}: {TABLE} has 5 of ") for line in lines)
    assert command("doctor", sick, "--mend").returncode == 0
    kinds = {each.kind for each in examine(sick)}
    assert Kind.OTHER_BUILD in kinds
    assert Kind.LEFTOVER not in kinds
    assert command("doctor", sick, "--remove-other-builds").stdout.endswith("removed: 1\n")


def test_doctor_refuses_other_folders(tmp_path: Path, command: Command) -> None:
    said = command("doctor", tmp_path)
    assert said.returncode == 2
    assert "neither a campaign nor a run" in said.stderr
    assert command("doctor", "--mend").returncode == 2
