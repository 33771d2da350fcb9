"""`.ci/run` says which of its optional parts ran, with tools that stand in for the real ones."""

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHELL = ("bash", "cat", "dirname", "env", "grep", "head", "mktemp", "rm", "sed", "tail", "tee")
"""Tools of the system that the script may call; all others are stand-ins."""
THERE = ("git", "cc", "c++", "python3", "tshark", "chromium", "valgrind", "npm")

MAKE = r"""
case "$*" in
  *test*) echo '3 passed in 1.00s' ;;
  *deny*) echo 'bans ok, licenses ok, sources ok'; echo "$ADVISORIES" ;;
  *pages*) echo 'pages run uplane: 1 bytes, 1 as servers send it'; echo '2 passed in 1.00s' ;;
esac
[[ -z "$SAID" ]] || echo "$SAID"
[[ -z "$FAILS" || "$*" != *"$FAILS"* ]]
"""
RUSTUP = """
case "$*" in
  'target list'*) echo wasm32-unknown-unknown ;;
  'component list'*) echo llvm-tools-x86_64 ;;
esac
"""
ALL = "tshark, browser, axe, wasm, profile, valgrind, deny"


@dataclass
class Machine:
    """A machine whose tools are scripts."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def has(self, name: str, script: str = "") -> None:
        path = self.folder / "bin" / name
        path.write_text(f"#!{shutil.which('bash')}\n{script}\n")
        path.chmod(0o755)

    def lacks(self, name: str) -> None:
        (self.folder / "bin" / name).unlink()

    def run(self, **environment: str) -> tuple[int, str, str]:
        """Runs `.ci/run`; returns exit code, output and last line."""
        values = {"PATH": str(self.folder / "bin"), "ADVISORIES": "advisories ok"}
        values |= {"SAID": "", "FAILS": "", **environment}
        bash = shutil.which("bash")
        assert bash
        done = subprocess.run(
            [bash, ".ci/run"],
            cwd=self.folder,
            env=values,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout, done.stderr
        return done.returncode, done.stdout, done.stdout.splitlines()[-1]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine on which every part runs, but for `builds`."""
    for name in (".ci/run", "tools/parts.sh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    (tmp_path / ".boot/node_modules/axe-core").mkdir(parents=True)
    for name in SHELL:
        found = shutil.which(name)
        assert found
        (tmp_path / "bin" / name).symlink_to(found)
    made = Machine(tmp_path)
    for name in THERE:
        made.has(name)
    made.has("make", MAKE)
    made.has("rustup", RUSTUP)
    made.has("id", "echo 0")
    made.has("timeout", 'shift; "$@"')
    made.has("apt-get", 'echo "E: Temporary failure resolving"; exit 100')
    return made


def test_the_last_line_names_every_part(machine: Machine) -> None:
    code, printed, last = machine.run(CI="1")
    assert code == 0
    assert "\n3 passed in 1.00s\n2 passed in 1.00s\n" in printed
    assert last.startswith("passed: test, lint, deny, ")
    assert f"; ran: {ALL}, advisories; not run: builds (left out by decision: " in last


@pytest.mark.parametrize("name", ["tshark", "valgrind", "chromium"])
def test_a_tool_that_cannot_be_installed_fails_ci(machine: Machine, name: str) -> None:
    machine.lacks(name)
    part = {"chromium": "browser"}.get(name, name)
    for ci in ("1", "true"):
        code, _, last = machine.run(CI=ci)
        assert code == 1
        assert last.startswith("FAILED: missing parts: ")
        assert f"{part} ('bash -c install {name}' failed: E: Temporary failure resolving)" in last
    code, _, last = machine.run()
    assert code == 0
    ran, _, rest = last.partition("; not run: ")
    assert part not in ran.partition("; ran: ")[2]
    assert part in rest


def test_missing_tool_is_named_with_its_error(machine: Machine) -> None:
    machine.lacks("valgrind")
    machine.has("apt-get", 'echo "E: Unable to locate package valgrind" >&2; exit 100')
    code, _, last = machine.run(CI="1")
    assert code == 0
    assert "not run: valgrind (E: Unable to locate package valgrind)" in last


def test_a_tool_is_installed_where_it_is_missing(machine: Machine) -> None:
    machine.lacks("tshark")
    tool = machine.folder / "bin/tshark"
    machine.has("apt-get", f'[[ "$*" != *tshark* ]] || {{ : >{tool}; {_chmod()} +x {tool}; }}')
    code, _, last = machine.run(CI="1")
    assert code == 0
    assert f"; ran: {ALL}" in last


def _chmod() -> str:
    found = shutil.which("chmod")
    assert found
    return found


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("tshark", "SKIPPED [2] tests/test_pcap.py:309: tshark is not installed"),
        ("browser", "SKIPPED [9] tests/test_browser.py:23: there is no Chromium"),
        ("wasm", "pages that run uplane: passed over, no standard library for wasm32"),
        ("profile", "built without a profile of the examples: there is no llvm-profdata"),
        ("valgrind", "Instructions are not counted: there is no valgrind (Debian: apt install)."),
    ],
)
def test_a_part_that_the_log_says_was_skipped_is_missing(
    machine: Machine, part: str, said: str
) -> None:
    code, _, last = machine.run(CI="true", SAID=said)
    assert code == 1
    assert f"{part} ({said})" in last


def test_advisories_that_cannot_be_fetched_are_not_run(machine: Machine) -> None:
    code, _, last = machine.run(CI="1", ADVISORIES="advisories: not run: fatal: no such host")
    assert code == 0
    assert "advisories (fatal: no such host)" in last.partition("; not run: ")[2]
    code, _, last = machine.run(CI="1", ADVISORIES="nothing")
    assert code == 1
    assert "FAILED: missing parts: advisories" in last


def test_a_target_that_fails_is_named_first(machine: Machine) -> None:
    code, _, last = machine.run(CI="1", FAILS="lint")
    assert code == 1
    assert last.startswith("FAILED: lint (")
    assert f"; ran: {ALL}" in last


def test_bootstrap_of_uv_is_pinned_with_digests() -> None:
    lines = (ROOT / "tools/uv.txt").read_text("utf-8").splitlines()
    (pinned,) = (line for line in lines if line.startswith("uv=="))
    assert sum(line.strip().startswith("--hash=sha256:") for line in lines) > 5, pinned
    script = (ROOT / "tools/bootstrap.sh").read_text("utf-8")
    assert "--require-hashes" in script
    assert os.access(ROOT / "tools/bootstrap.sh", os.X_OK)
