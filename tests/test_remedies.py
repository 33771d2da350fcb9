"""Messages that name the mistake and its remedy."""

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
    done = command("run", file, "--until", "files.duration_mean < 2 %")
    assert done.stderr.startswith("error: no result has the name `files`; there are file download,")


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
