"""Messages that name the mistake and its remedy."""

import json
import shlex
from pathlib import Path

import pytest

import uplane
from conftest import PINGS, Command
from test_studies import PUBLISHED, STUDY
from uplane import study


def test_a_metric_without_its_statistic_has_near_names(command: Command, file: Path) -> None:
    done = command("run", file, "--until", "file.duration < 2 %")
    assert done.stderr == (
        "error: no metric has the name `file.duration`: did you mean `file.duration_mean_s` or "
        "`file.duration_p50_s` or `file.duration_p95_s`?\n"
    )


def test_an_unknown_subject_has_the_list_of_subjects(command: Command, file: Path) -> None:
    done = command("run", file, "--until", "tower.duration_mean < 2 %")
    assert done.stderr.startswith("error: no result has the name `tower`; there are file download,")


def test_a_missing_trace_names_the_folder(command: Command, file: Path) -> None:
    folder = file.parent / "scenarios"
    folder.mkdir()
    file.rename(folder / file.name)
    done = command("run", "scenarios/small.toml", "--set", "link.server.trace=bad.trace")
    assert '"bad.trace": no such file or directory in "scenarios", expected' in done.stderr


def test_explore_names_the_way_from_another_machine(command: Command, file: Path) -> None:
    done = command("explore", file, "--host", "0.0.0.0")  # noqa: S104 - refused
    assert done.returncode == 2
    assert "ssh -L 8321:localhost:8321" in done.stderr


def test_compare_refuses_a_scenario_with_itself(command: Command, file: Path) -> None:
    done = command("compare", file, "--change", "radio.geran.bler=0.1")
    assert done.returncode == 2
    assert "both sides are the same scenario" in done.stderr


def test_vary_names_the_value_that_it_lists_twice(command: Command, file: Path) -> None:
    done = command("sweep", file, "--vary", "radio.geran.bler=0.1,0.1")
    assert done.stderr == "error: radio.geran.bler lists 0.1 twice; name each value once\n"


def test_advice_of_one_run_states_that_no_interval_is_known(command: Command) -> None:
    command("new", "edge-download")
    words = ("advise", "edge-download.toml", "--set", "duration=60 s", "--runs")
    once = command(*words, "1").stdout
    assert "One run of each MTU: no interval is known. --runs 5 gives intervals." in once
    assert "1480 bytes were faster in this run" in once
    assert "no interval is known" not in command(*words, "2").stdout


def test_an_unknown_call_of_a_program_has_a_near_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text = (
        "from uplane.application import Application\n"
        "class Own(Application):\n"
        "    def on_strat(self):\n"
        "        self.send('up', 100)\n"
    )
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    (tmp_path / "own.toml").write_text(
        '[radio.fixed]\nrtt = "10 ms"\n[[program]]\nname = "own"\nfile = "mine.py"\n',
        encoding="utf-8",
    )
    uplane.run(tmp_path / "own.toml", trust=True)
    uplane.run(tmp_path / "own.toml", trust=True)
    assert [record.getMessage() for record in caplog.records] == [
        "warning: mine.py: nothing calls the method `on_strat`: did you mean `on_start`?"
    ]


def study_in(folder: Path, setting: str) -> Path:
    """The study of pings with one more setting."""
    text = STUDY.replace("set = { ", f"set = {{ {setting}, ")
    (folder / "study.toml").write_text(text, encoding="utf-8")
    (folder / "scenario.toml").write_text(PINGS, encoding="utf-8")
    (folder / "published.csv").write_text(PUBLISHED, encoding="utf-8")
    return folder


def test_a_quoted_whole_number_of_a_study_is_whole(tmp_path: Path) -> None:
    [outcome] = study.reproduce([str(study_in(tmp_path, '"ping.echo.count" = "4"'))])
    assert outcome.rows[0].ours == pytest.approx(21.0)


def test_a_wrong_setting_of_a_study_names_its_case(tmp_path: Path) -> None:
    with pytest.raises(
        uplane.ScenarioError, match=r"study\.toml:11: case ping/1000: ping\.echo\.count"
    ):
        study.reproduce([str(study_in(tmp_path, '"ping.echo.count" = "four"'))])


OVERWRITING = {
    "a trace over its scenario": ("run", "small.toml", "--perfetto", "small.toml"),
    "a report over its scenario": ("run", "small.toml", "--report", "small.toml"),
    "numbers over their scenario": ("cc", "cubic", "--on", "small.toml", "--out", "small.toml"),
    "numbers over parameter sets": ("cc", "cubic", "--sets", "small.toml", "--out", "small.toml"),
    "numbers over a file of the scenario": ("cc", "--on", "named.toml", "--out", "rates.csv"),
    "a table over the results": ("table", "one", "pings", "--out", "one/pings.parquet"),
}


@pytest.mark.parametrize("words", OVERWRITING.values(), ids=OVERWRITING)
def test_an_output_over_an_input_is_refused(
    words: tuple[str, ...], command: Command, file: Path
) -> None:
    home = file.parent
    (home / "named.toml").write_text('[[program]]\nrates = "rates.csv"\n', encoding="utf-8")
    (home / "rates.csv").write_text("time_s,rate\n", encoding="utf-8")
    (home / "one").mkdir()
    (home / "one/pings.parquet").write_text("rows", encoding="utf-8")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    done = command(*words, "--json")
    assert done.returncode == 2
    assert f"{words[-2]} {words[-1]} would overwrite" in done.stderr
    assert json.loads(done.stdout)["error"]["found"] == words[-1]
    assert before == {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}


ENDINGS = {
    "a sheet": (("cc", "cubic", "--out", "x.xlsx"), ".csv"),
    "a page of verdicts": (("reproduce", "004", "--verdicts", "x.html"), ".json"),
    "a trace as text": (("run", "small.toml", "--perfetto", "x.toml"), ".pftrace"),
    "a report in a text file": (("run", "small.toml", "--report", "x.text"), "an HTML file"),
}


@pytest.mark.parametrize(("words", "ending"), ENDINGS.values(), ids=ENDINGS)
def test_an_output_with_the_ending_of_another_kind_is_refused(
    words: tuple[str, ...], ending: str, command: Command, file: Path
) -> None:
    (file.parent / "x.text").write_text("mine", encoding="utf-8")
    done = command(*words)
    assert done.returncode == 2
    assert words[-1] in done.stderr
    assert ending in done.stderr
    assert (file.parent / words[-1]).exists() == (words[-1] == "x.text")


VARIED = ("sweep", "small.toml", "--vary", "radio.geran.bler=0.1,0.2")


def test_a_shard_without_a_folder_is_refused(command: Command, file: Path) -> None:
    assert file.is_file()
    done = command(*VARIED, "--shard", "1/2")
    assert done.returncode == 2
    assert done.stderr.startswith("error: --shard 1/2 needs --out DIR")


def test_merge_names_the_missing_runs(command: Command, file: Path) -> None:
    assert file.is_file()
    for part in (1, 2):
        command(*VARIED, "--runs", "3", "--shard", f"{part}/3", "--out", f"part{part}")
    done = command("merge", "part1", "part2", "--out", "whole")
    assert done.returncode == 0
    assert done.stderr == (
        "missing: radio.geran.bler = 0.1, seed 3; radio.geran.bler = 0.2, seed 3\n"
    )


def test_merge_of_zipped_variants_knows_their_pairs(command: Command, file: Path) -> None:
    assert file.is_file()
    zipped = (*VARIED, "--vary", "link.server.delay=1 ms,2 ms", "--zip", "--runs", "3")
    for part in (1, 2):
        command(*zipped, "--shard", f"{part}/2", "--out", f"part{part}")
    assert command("merge", "part1", "part2", "--out", "whole").stderr == ""


def test_a_seed_is_no_change_and_no_variant(command: Command, file: Path) -> None:
    for words in (
        ("compare", file, "--change", "seed=5"),
        ("compare", file, "--vary", "seed=5,6"),
        ("sweep", file, "--vary", "seed=5,6"),
    ):
        done = command(*words)
        assert done.returncode == 2
        assert "--seed and --runs" in done.stderr


def test_a_title_is_no_change(command: Command, file: Path) -> None:
    done = command("compare", file, "--change", "title=x")
    assert done.returncode == 2
    assert "a title changes no result" in done.stderr


def test_a_contestant_named_twice_is_refused(command: Command) -> None:
    done = command("cc", "cubic", "cubic", "--case", "short-file", "--runs", "1")
    assert done.stderr == "error: found the contestant `cubic` twice; name each once\n"


def test_compare_refuses_one_folder_twice(command: Command, file: Path) -> None:
    assert file.is_file()
    command(*VARIED, "--out", "done")
    done = command("compare", "done", "./done")
    assert done.stderr == "error: found done twice, expected two different folders\n"


@pytest.mark.parametrize("words", [("report",), ("table",), ("merge", "--out", "m"), ("doctor",)])
def test_a_missing_folder_is_named_with_the_nearest(
    words: tuple[str, ...], command: Command, tmp_path: Path
) -> None:
    (tmp_path / "results").mkdir()
    done = command(*words, "resluts", "--json")
    assert done.returncode == 2
    assert done.stderr == "error: resluts: no such folder; did you mean `results`?\n"
    assert json.loads(done.stdout)["error"]["nearest"] == "results"


def test_a_file_is_no_folder_of_results(command: Command, file: Path) -> None:
    done = command("report", file.name)
    assert done.returncode == 2
    assert done.stderr.startswith("error: small.toml is a file, expected the folder of results")


def test_taken_places_are_bad_input(command: Command, file: Path) -> None:
    command("run", file, "--out", "one")
    command("new", "lte-download")
    for words in (
        ("new", "lte-download"),
        ("run", file, "--set", "radio.geran.bler=0.3", "--out", "one"),
    ):
        assert command(*words).returncode == 2


@pytest.mark.parametrize("name", ["campaign.json", "manifest.json", "pings.parquet"])
def test_a_damaged_campaign_has_the_command_that_mends_it(
    name: str, command: Command, file: Path
) -> None:
    command(*VARIED, "--out", "done")
    damaged = sorted((file.parent / "done").rglob(name))[-1]
    damaged.write_bytes(damaged.read_bytes()[:-9])
    done = command("report", "done", "--json")
    assert "`uplane doctor done --mend`" in done.stderr
    assert json.loads(done.stdout)["error"]["remedy"] == "uplane doctor done --mend"
    assert command("doctor", "done", "--mend").returncode == 0
    assert command("report", "done").returncode == 0


MISTYPED = {
    "an option": ("run small.toml --rns 5", "No such option '--rns'; did you mean `--runs`? See"),
    "an option of explore": ("explore small.toml --set a=1", "'--set'; change the value on the"),
    "an option for a number": ("follow small.toml --packet 5", "`uplane follow FILE 5`"),
    "an option of another command": ("run small.toml --shard 1/2", "an option of `uplane sweep`"),
    "vary of run": ("run small.toml --vary a=1,2", "`uplane sweep` varies keys"),
    "an option unlike all": ("advise small.toml --mtu 1400", "No such option '--mtu'; see"),
    "a scenario as a command": ("small.toml --runs 2", "did you mean `uplane run small.toml --ru"),
    "an option before the command": ("--runs 5", "No such option '--runs'; see `uplane --help`"),
    "the number of seeds": ("run small.toml --seeds 4", "`--runs` is the number of seeds"),
    "a scenario of a letter": ("run x.toml", "found no such file or directory, expected"),
    "a folder without results": ("report .", "is not a folder of a campaign"),
    "a folder without tables": ("table .", "is not a run folder"),
    "another word": ("simulate small.toml", "No such command 'simulate'; did you mean `run`?"),
    "a contestant": ("cc cubbic", "found no contestant `cubbic`; did you mean `cubic`?"),
    "a version of BBR": ("cc bbr2", "did you mean `bbr`?"),
    "a short name": ("cc reno", "did you mean `new_reno`?"),
    "a list of contestants": ("cc cubic,bbr", "expected names with spaces between them"),
    "a case": ("cc --case pages", "found no case `pages`; did you mean `page`?"),
    "a number of a study": (
        "reproduce 04",
        "no study '04'; did you mean '004-geran-latency'?",
    ),
    "a name of a study": ("reproduce loss-latncy", "did you mean '001-loss-latency'?"),
    "a profile": ("profile linx", "found no profile `linx`; did you mean `linux`?"),
    "an example": (
        "new lte-dowload",
        "found no example `lte-dowload`; did you mean `lte-download`?",
    ),
    "a section": ("list profile", "found no section `profile`; did you mean `profiles`?"),
    "a scenario": ("run smal.toml", "smal.toml: found no such file or directory; did you mean `sm"),
    "a scenario without ending": ("run small", "did you mean `small.toml`?"),
    "an example as a scenario": ("run lte-download.toml", "`uplane new lte-download` writes this"),
    "a subject": (
        "run small.toml --until 'flie.duration_mean < 2 %'",
        "no result has the name `flie`; did you mean `file.duration_mean`?",
    ),
    "a condition without a subject": (
        "run small.toml --until 'duration_mean < 2 %'",
        "did you mean APPLICATION.duration_mean < 2 %",
    ),
    "a radio that a scenario varies and does not have": (
        "sweep small.toml --vary radio.lte.sr_period=5,10",
        "error: --vary: radio: found `[radio.geran]` and `[radio.lte]`",
    ),
    "a key as a subject": (
        "run small.toml --until 'download.file.duration_mean < 2 %'",
        "did you mean `file.duration_mean`?",
    ),
    "a number in words": (
        "run small.toml --runs ten",
        "Invalid value for '--runs': found ten, expected a whole number from 1; see",
    ),
    "a number out of its range": ("run small.toml --jobs 0", "a whole number from 1 to 1024"),
    "an option without its value": ("follow small.toml --slowest", "see `uplane follow --help`"),
    "several values of set": (
        "run small.toml --set duration='1 s,2 s'",
        "; to run several values: uplane sweep FILE --vary 'duration=1 s,2 s'",
    ),
    "a range of set": (
        "run small.toml --set duration='1 s:2 s:1 s'",
        "; to run several values: uplane sweep FILE --vary 'duration=1 s:2 s:1 s'",
    ),
    "a range of two parts": (
        "sweep small.toml --vary ping.echo.count=5:40",
        "FIRST:LAST:STEP",
    ),
}


@pytest.mark.parametrize(("words", "remedy"), MISTYPED.values(), ids=MISTYPED)
def test_a_mistyped_word_has_its_remedy(
    words: str, remedy: str, command: Command, file: Path
) -> None:
    assert file.is_file()
    done = command(*shlex.split(words))
    assert done.returncode == 2
    assert remedy in done.stderr
    assert done.stderr.count("\n") == 1


NEAREST = {
    "run small.toml --rns 5": {"kind": "usage", "found": "--rns", "nearest": "--runs"},
    "run small.toml --runs ten": {"key": "--runs", "found": "ten", "nearest": None},
    "cc cubbic": {"kind": "input", "found": "cubbic", "nearest": "cubic"},
    "run smal.toml": {"kind": "scenario", "file": "smal.toml", "nearest": "small.toml"},
    "run small.toml --memory 4": {"found": "the memory '4'", "expected": "an amount such as 4 GB"},
    "run small.toml --set bler": {"found": "'bler'", "kind": "input"},
    "reproduce 04": {"kind": "input", "nearest": "004-geran-latency"},
}


@pytest.mark.parametrize(("words", "facts"), NEAREST.items())
def test_the_json_error_has_the_nearest_word(
    words: str, facts: dict[str, str], command: Command, file: Path
) -> None:
    assert file.is_file()
    error = json.loads(command(*shlex.split(words), "--json").stdout)["error"]
    assert facts.items() <= error.items()


def test_a_range_states_a_last_value_that_is_not_its_end(command: Command, file: Path) -> None:
    assert file.is_file()
    words = ("sweep", "small.toml", "--vary")
    assert command(*words, "link.server.delay=5 ms:20 ms:7 ms").stderr == (
        "link.server.delay: the last value is 19 ms, since steps of 7 ms from 5 ms do not lead to "
        "20 ms\n"
    )
    assert command(*words, "link.server.delay=5 ms:19 ms:7 ms").stderr == ""


def test_merge_names_the_difference(command: Command, file: Path) -> None:
    assert file.is_file()
    command(*VARIED, "--out", "one")
    command(*VARIED, "--set", "ping.echo.count=3", "--out", "two")
    command("sweep", "small.toml", "--vary", "ping.echo.count=3,4", "--out", "three")
    assert command("merge", "one", "two", "--out", "m").stderr.endswith(": another ping\n")
    assert command("merge", "one", "three", "--out", "m").stderr.endswith(
        ": it varies ping.echo.count, and the other radio.geran.bler\n"
    )
