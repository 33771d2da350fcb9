"""`uplane table`: one table of a folder of results, as other programs take it."""

from io import BytesIO
from pathlib import Path

import polars
import pytest

import uplane
from conftest import Command

KEY = "radio.geran.bler"


@pytest.fixture
def run(command: Command, file: Path, tmp_path: Path) -> Path:
    """The folder of a finished run."""
    assert command("run", file, "--out", "one").returncode == 0
    return tmp_path / "one"


@pytest.fixture
def campaign(command: Command, file: Path, tmp_path: Path) -> Path:
    """The folder of a campaign."""
    words = ("sweep", file, "--vary", f"{KEY}=0.1,0.2", "--runs", 2, "--out", "many")
    assert command(*words).returncode == 0
    return tmp_path / "many"


def test_a_table_of_a_run_is_printed_with_all_its_rows(command: Command, run: Path) -> None:
    done = command("table", run, "pings")
    assert (done.returncode, done.stderr) == (0, "")
    ours = uplane.Results.load(run)["pings"].to_polars()
    assert len(ours) == 10
    assert polars.read_csv(BytesIO(done.stdout.encode()), schema=ours.schema).equals(ours)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_has_the_rows_of_all_runs(
    ending: str, command: Command, campaign: Path, tmp_path: Path
) -> None:
    done = command("table", campaign, "transfers", "--out", f"t.{ending}")
    assert (done.returncode, done.stdout) == (0, f"4 rows of transfers in t.{ending}\n")
    ours = uplane.Campaign.load(campaign)["transfers"]
    path = tmp_path / f"t.{ending}"
    read = {"csv": lambda: polars.read_csv(path, schema=ours.schema)}
    found = read.get(ending, lambda: polars.read_parquet(path))()
    assert found.equals(ours)
    assert found[KEY].to_list() == [0.1, 0.1, 0.2, 0.2]


def test_a_campaign_has_a_table_of_means(command: Command, campaign: Path) -> None:
    done = command("table", campaign, "summary")
    found = polars.read_csv(BytesIO(done.stdout.encode()))
    ours = uplane.Campaign.load(campaign).summary()
    assert found.columns == ours.columns
    assert found["mean"].to_list() == ours["mean"].to_list()


def test_the_folder_of_a_campaign_is_none_of_a_run(campaign: Path) -> None:
    with pytest.raises(uplane.OutputError, match=r"`uplane.Campaign.load` reads a campaign"):
        uplane.Results.load(campaign)


@pytest.mark.parametrize("words", [("report", "one"), ("compare", "one", "one")])
def test_a_single_run_is_no_campaign(words: tuple[str, ...], command: Command, run: Path) -> None:
    assert run.name == "one"
    done = command(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        "found a single run in one, expected a campaign: `uplane run FILE --runs 2" in done.stderr
    )


def test_all_tables_are_listed_with_their_rows(command: Command, run: Path, campaign: Path) -> None:
    of_run = command("table", run).stdout.splitlines()
    assert {line.split()[0]: line.split()[1] for line in of_run}["pings"] == "10"
    assert {line.split()[0] for line in of_run[1:]} == set(uplane.Results.load(run).tables)
    listed = {
        line.split()[0]: line.split()[1] for line in command("table", campaign).stdout.splitlines()
    }
    assert (listed["transfers"], listed["pings"]) == ("4", "40")
    assert int(listed["summary"]) > 0


def test_an_empty_table_says_why(command: Command, run: Path) -> None:
    done = command("table", run, "packets")
    assert done.returncode == 0
    assert "on request: `record.packets`" in done.stderr
    assert done.stdout.startswith("packet,")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing",), "found no table `nothing` in one, expected run, "),
        (("transfer",), "found no table `transfer` in one; did you mean `transfers`?"),
        (("summary",), "one holds a single run, which has no table `summary`"),
        (("pings", "--out", "t.xls"), "found --out t.xls, expected a file that ends in .csv or"),
        (("--out", "t.csv"), "found no TABLE to write to t.csv"),
    ],
)
def test_unwritable_tables_are_refused(
    words: tuple[str, ...], said: str, command: Command, run: Path, tmp_path: Path
) -> None:
    done = command("table", run.name, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not list(tmp_path.glob("t.*"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "--out", "x.csv"), "`uplane table FOLDER TABLE --out x.csv` writes one table"),
        (("run", "--runs", "2", "--out", "x.parquet"), "`uplane table FOLDER TABLE --out x.par"),
        (("sweep", "--vary", f"{KEY}=0.1,0.2", "--out", "x.CSV"), "found x.CSV, expected a folder"),
        (("run", "--out", "x.json"), "found x.json, expected a folder, since several files are"),
        (("run", "--report", "x.pdf"), "found x.pdf, expected an HTML file, or a folder"),
        (("compare", "--vary", f"{KEY}=0.1,0.2", "--report", "x.csv"), "expected an HTML file"),
    ],
)
def test_no_folder_gets_the_name_of_a_file(
    words: tuple[str, ...], said: str, command: Command, file: Path, tmp_path: Path
) -> None:
    done = command(words[0], file, *words[1:])
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not list(tmp_path.glob("x.*"))


def test_no_folder_gets_the_name_of_a_file_from_python(
    scenario: uplane.Scenario, tmp_path: Path
) -> None:
    results = uplane.run(scenario)
    with pytest.raises(uplane.InputError, match="expected a folder"):
        results.save(tmp_path / "x.csv")
    with pytest.raises(uplane.InputError, match="expected a folder"):
        uplane.sweep(scenario, out=tmp_path / "x.csv")
    assert list(tmp_path.iterdir()) == []


def test_folder_named_like_a_file_works(command: Command, file: Path, tmp_path: Path) -> None:
    (tmp_path / "x.csv").mkdir()
    assert command("run", file, "--out", "x.csv").returncode == 0
    assert len(uplane.Results.load(tmp_path / "x.csv")["pings"]) == 10
