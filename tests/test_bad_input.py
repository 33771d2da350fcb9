"""Scenarios that cannot be simulated end with exit code 2 and say what to mend.

A message names file, line, key, found value, expected values, and the nearest known word.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import uplane
from conftest import SCENARIO, refused
from uplane.cli import app


@dataclass(frozen=True, kw_only=True)
class Bad:
    """A change of the small scenario, and the expected message."""

    old: str = ""
    new: str = ""
    append: str = ""
    line: int | None
    key: str
    found: str
    expected: str
    nearest: str | None = None

    @property
    def text(self) -> str:
        assert SCENARIO.count(self.old) == 1 or not self.old
        return (
            SCENARIO.replace(self.old, self.new) + self.append
            if self.old
            else self.new + SCENARIO + self.append
        )


A_TIME, A_RATE, A_SIZE, A_CHANCE = (
    "a time such as",
    "a rate such as",
    "an amount such as",
    "a probability",
)

# fmt: off
CASES = {
    # the text as a whole
    "a bracket is missing": Bad(old="[radio.geran]", new="[radio.geran", line=4, key="", found="[radio.geran", expected="TOML"),
    "a key stands twice": Bad(old="bler = 0.1", new="bler = 0.1\nbler = 0.2", line=8, key="", found="bler = 0.2", expected="TOML"),
    "a section stands twice": Bad(append="\n[radio.geran]\n", line=23, key="", found="[radio.geran]", expected="TOML"),
    "a text holds a NUL": Bad(old='"edge"', new='"ed\0ge"', line=5, key="", found="ed\\u{0}ge", expected="TOML"),
    "a number beyond 64 bits": Bad(old="count = 10", new="count = 99999999999999999999", line=21, key="", found="99999999999999999999", expected="TOML"),
    # names
    "an unknown key at the top": Bad(new='colour = "red"\n', line=1, key="colour", found="an unknown key", expected="title, seed, duration"),
    "an unknown key in a section": Bad(old="rlc_rtt", new="rlc_rttt", line=6, key="radio.geran.rlc_rttt", found="an unknown key", expected="rlc_rtt", nearest="rlc_rtt"),
    "an unknown section": Bad(old="[[ping]]", new="[[pong]]", line=19, key="pong", found="an unknown key", expected="ping", nearest="ping"),
    "an unknown radio": Bad(old="radio.geran", new="radio.gerann", line=4, key="radio", found="gerann", expected="one of", nearest="geran"),
    "an unknown profile": Bad(old='"edge"', new='"edgy"', line=5, key="radio.geran.profile", found="edgy", expected="one of edge, gev", nearest="edge"),
    "another name of a congestion control": Bad(append='[tcp.default]\ncongestion_control = "reno"\n', line=23, key="tcp.default.congestion_control", found="reno", expected="new_reno, cubic", nearest="new_reno"),
    "an unknown congestion control": Bad(append='[tcp.default]\ncongestion_control = "cubik"\n', line=23, key="tcp.default.congestion_control", found="cubik", expected="new_reno, cubic", nearest="cubic"),
    "an unknown TCP parameter set": Bad(old='"20 kB"', new='"20 kB"\ntcp = "linus"', line=18, key="download.0.tcp", found="linus", expected="linux", nearest="linux"),
    "an unknown UE": Bad(old="count = 10", new='ue = "nobody"', line=21, key="ping.0.ue", found="nobody", expected="the name of a UE or of several equal ones: ue"),
    "an unknown link in the tunnel": Bad(append='[gtpu]\nlinks = ["serer"]\n', line=23, key="gtpu.links.0", found="serer", expected="the name of a link", nearest="server"),
    "a name is missing": Bad(old='name = "server"\n', new="", line=9, key="link.0.name", found="", expected="required"),
    "a name is empty": Bad(old='"server"', new='""', line=10, key="link.0.name", found='""', expected="1 to 64 letters"),
    "a name with a slash": Bad(old='"server"', new='"ser/ver"', line=10, key="link.0.name", found="ser/ver", expected="letters, digits"),
    "two links of one name": Bad(append='[[link]]\nname = "server"\n', line=23, key="link.1.name", found="server", expected="no other"),
    "two applications of one name": Bad(old='"echo"', new='"file"', line=20, key="ping.0.name", found="file", expected="no other"),
    "a UE called all": Bad(append='[[ue]]\nname = "all"\n', line=23, key="ue.0.name", found="all", expected="another name"),
    # wrong types
    "a section in place of a list": Bad(old="[[link]]", new="[link]", line=9, key="link", found="a section", expected="sections `[[…]]`"),
    "a list in place of a time": Bad(old='delay = "10 ms"', new='delay = ["10 ms"]', line=12, key="link.0.delay", found="a list", expected=A_TIME),
    "a bare number in place of a time": Bad(old='"30 s"', new="30", line=2, key="duration", found="30", expected=A_TIME),
    "a bare number in place of a rate": Bad(old='"10 Mbit/s"', new="10", line=11, key="link.0.rate", found="10", expected=A_RATE),
    "a bare number in place of a size": Bad(old='"20 kB"', new="20e3", line=17, key="download.0.file", found="20000", expected=A_SIZE),
    "a date in place of a time": Bad(old='"30 s"', new="2026-01-01", line=2, key="duration", found="2026-01-01", expected=A_TIME),
    "a word in place of a count": Bad(old="count = 10", new='count = "ten"', line=21, key="ping.0.count", found="ten", expected="a whole number"),
    "a fraction in place of a count": Bad(old="count = 10", new="count = 1.5", line=21, key="ping.0.count", found="1.5", expected="a whole number"),
    "a number in place of a title": Bad(old='"a file and some pings over EDGE"', new="5", line=1, key="title", found="5", expected="a text"),
    "a word in place of a switch": Bad(append='[record]\npackets = "yes"\n', line=23, key="record.packets", found="yes", expected="true or false"),
    "a switch in place of a probability": Bad(old="bler = 0.1", new="bler = true", line=7, key="radio.geran.bler", found="true", expected=A_CHANCE),
    # wrong units
    "a rate in Mbps": Bad(old="Mbit/s", new="Mbps", line=11, key="link.0.rate", found="10 Mbps", expected="Mbit/s"),
    "a rate in bytes": Bad(old="Mbit/s", new="MB/s", line=11, key="link.0.rate", found="10 MB/s", expected="Mbit/s"),
    "a rate without a unit": Bad(old='"10 Mbit/s"', new='"10"', line=11, key="link.0.rate", found='"10"', expected=A_RATE),
    "a time where a rate belongs": Bad(old='"10 Mbit/s"', new='"10 ms"', line=11, key="link.0.rate", found="10 ms", expected=A_RATE),
    "a decimal comma": Bad(old='delay = "10 ms"', new='delay = "1,5 ms"', line=12, key="link.0.delay", found="1,5 ms", expected=A_TIME),
    "part of a nanosecond": Bad(old='delay = "10 ms"', new='delay = "0.1 ns"', line=12, key="link.0.delay", found="0.1 ns", expected=A_TIME),
    "part of a byte": Bad(old='"20 kB"', new='"12001 bit"', line=17, key="download.0.file", found="12001 bit", expected="whole bytes"),
    "a queue in words": Bad(old='delay = "10 ms"', new='queue = "many"', line=12, key="link.0.queue", found="many", expected="100 packets"),
    # out of range
    "a negative rate": Bad(old='"10 Mbit/s"', new='"-10 Mbit/s"', line=11, key="link.0.rate", found="-10 Mbit/s", expected=A_RATE),
    "a rate of zero": Bad(old='"10 Mbit/s"', new='"0 bit/s"', line=11, key="link.0.rate", found="0 bit/s", expected="1 bit/s"),
    "a rate beyond all links": Bad(old='"10 Mbit/s"', new='"99999 Gbit/s"', line=11, key="link.0.rate", found="99999 Gbit/s", expected="1000 Gbit/s"),
    "a TTI of zero": Bad(old="bler", new='tti = "0 ms"\nbler', line=7, key="radio.geran.tti", found="0 ms", expected="1 us"),
    "a negative TTI": Bad(old="bler", new='tti = "-1 ms"\nbler', line=7, key="radio.geran.tti", found="-1 ms", expected=A_TIME),
    "an RLC round trip within a TTI": Bad(old="50 ms", new="5 ms", line=6, key="radio.geran.rlc_rtt", found="5 ms", expected="at least one TTI"),
    "a radio that loses everything": Bad(old="bler = 0.1", new="bler = 1", line=7, key="radio.geran.bler", found="1", expected="below 1"),
    "a link that loses everything": Bad(old="packet_loss = 0.01", new="packet_loss = 1.0", line=13, key="link.0.packet_loss", found="1", expected="below 1"),
    "a negative probability": Bad(old="bler = 0.1", new="bler = -0.1", line=7, key="radio.geran.bler", found="-0.1", expected=A_CHANCE),
    "a probability that is not a number": Bad(old="bler = 0.1", new="bler = nan", line=7, key="radio.geran.bler", found="NaN", expected=A_CHANCE),
    "an infinite probability": Bad(old="bler = 0.1", new="bler = inf", line=7, key="radio.geran.bler", found="inf", expected=A_CHANCE),
    "a probability above 100 %": Bad(old="bler = 0.1", new='bler = "120 %"', line=7, key="radio.geran.bler", found="120 %", expected=A_CHANCE),
    "an MTU below 68 bytes": Bad(old='delay = "10 ms"', new='mtu = "67 B"', line=12, key="link.0.mtu", found="67 B", expected="68 B"),
    "an MTU beyond IPv4": Bad(old='delay = "10 ms"', new='mtu = "70 kB"', line=12, key="link.0.mtu", found="70 kB", expected="65535 B"),
    "an empty file": Bad(old='"20 kB"', new='"0 B"', line=17, key="download.0.file", found="0 B", expected="at least 1 B"),
    "a negative file": Bad(old='"20 kB"', new='"-1 B"', line=17, key="download.0.file", found="-1 B", expected=A_SIZE),
    "a file beyond all disks": Bad(old='"20 kB"', new='"1000000 GB"', line=17, key="download.0.file", found="1000000 GB", expected="at most 1000 GB"),
    "no ping": Bad(old="count = 10", new="count = 0", line=21, key="ping.0.count", found="0", expected="from 1"),
    "a negative count": Bad(old="count = 10", new="count = -1", line=21, key="ping.0.count", found="-1", expected="a whole number"),
    "a ping without room for its header": Bad(old="count = 10", new='packet = "27 B"', line=21, key="ping.0.packet", found="27 B", expected="28 B"),
    "a replay of no file": Bad(append='[[replay]]\nname = "own"\n', line=22, key="replay.0.file", found="", expected="the name of a file beside the scenario"),
    "a replay of a number": Bad(append='[[replay]]\nname = "own"\nfile = 5\n', line=24, key="replay.0.file", found="5", expected="the name of a file beside the scenario"),
    "a replay of something else": Bad(append='[[replay]]\nname = "own"\nfile = "time,direction,bytes\\n0,up,none\\n"\n', line=24, key="replay.0.file", found='in line 2 of the text "none"', expected="a whole number of bytes"),
    "a payload without datagrams": Bad(append='[[replay]]\nname = "own"\npayload = "9 B"\nfile = "time,direction,bytes\\n0,up,1\\n"\n', line=24, key="replay.0.payload", found="", expected="datagrams = true"),
    "a parameter set for datagrams": Bad(append='[[replay]]\nname = "own"\ndatagrams = true\ntcp = "linux"\nfile = "time,direction,bytes\\n0,up,1\\n"\n', line=25, key="replay.0.tcp", found="", expected="not valid together with `datagrams`"),
    "a program of no file": Bad(append='[[program]]\nname = "own"\n', line=22, key="program.0.file", found="", expected="the name of a Python file beside the scenario"),
    "a program of something else": Bad(append='[[program]]\nname = "own"\nfile = "x = 1\\n"\n', line=24, key="program.0.file", found="x = 1", expected="the name of a Python file beside the scenario"),
    "pings without a pause": Bad(old="count = 10", new='interval = "0 s"', line=21, key="ping.0.interval", found="0 s", expected="at least 1 us"),
    "a start after the end": Bad(old="count = 10", new='start = "31 s"', line=21, key="ping.0.start", found="31 s", expected="before the end"),
    "no duration": Bad(old='"30 s"', new='"0 s"', line=2, key="duration", found="0 s", expected="from 1 ns"),
    "a negative duration": Bad(old='"30 s"', new='"-3 s"', line=2, key="duration", found="-3 s", expected=A_TIME),
    "a negative seed": Bad(new="seed = -1\n", line=1, key="seed", found="-1", expected="a whole number"),
    "no UE": Bad(append='[[ue]]\nname = "a"\ncount = 0\n', line=24, key="ue.0.count", found="0", expected="from 1"),
    "a series finer than its clock": Bad(append='[record]\nseries = "1 ns"\n', line=23, key="record.series", found="1 ns", expected="at least 10 us"),
    "a segment without payload": Bad(append='[tcp.default]\nmss = "0 B"\n', line=23, key="tcp.default.mss", found="0 B", expected="8 B"),
    "an initial window of nothing": Bad(append="[tcp.default]\ninitial_window = 0\n", line=23, key="tcp.default.initial_window", found="0", expected="from 1"),
    "a receive buffer below a segment": Bad(append='[tcp.default]\nreceive_buffer = "10 B"\n', line=23, key="tcp.default.receive_buffer", found="10 B", expected="one segment"),
    "no retransmission timeout": Bad(append='[tcp.default]\nmin_rto = "0 s"\n', line=23, key="tcp.default.min_rto", found="0 s", expected="1 us"),
    # contradictions
    "MSS and MTU at once": Bad(append='[tcp.default]\nmss = "1000 B"\nmtu = "1500 B"\n', line=24, key="tcp.default.mtu", found="", expected="not valid together with `mss`"),
    "an error rate beside those of both ways": Bad(append='[radio.geran.down]\nbler = 0.1\n[radio.geran.up]\nbler = 0.1\n', line=7, key="radio.geran.bler", found="", expected="has no effect beside down.bler and up.bler"),
    "bases in a circle": Bad(append='[tcp.default]\nbase = "a"\n[tcp.a]\nbase = "b"\n[tcp.b]\nbase = "a"\n', line=27, key="tcp.b.base", found="a → b → a", expected="bases that end"),
    "a set that is its own base": Bad(append='[tcp.default]\nbase = "default"\n', line=23, key="tcp.default.base", found="default → default", expected="bases that end"),
    "a tunnel over no link": Bad(append="[gtpu]\nlinks = []\n", line=23, key="gtpu.links", found="an empty list", expected="the names of the links"),
    "two radios": Bad(append='[radio.fixed]\nrtt = "1 ms"\n', line=4, key="radio", found="`[radio.fixed]` and `[radio.geran]`", expected="one section of fixed, geran, lte, nr"),
}
# fmt: on

WHOLE = {
    "an empty file": ("", "radio", ""),
    "only a comment": ("# nothing yet\n", "radio", ""),
    "plain words": ("hello world", "", "hello world"),
    "another format": ('{"radio": {"geran": {}}}', "", '{"radio"'),
    "no application": ("[radio.geran]\n", "", "no application"),
    "a greedy sender without any rate": (
        '[radio.fixed]\nrtt = "1 ms"\n[[bulk]]\nname = "x"\n',
        "bulk.0",
        "a greedy sender",
    ),
}


@pytest.mark.parametrize("bad", CASES.values(), ids=CASES.keys())
def test_error_of_bad_scenario_has_place_found_and_expected(bad: Bad, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    error = refused(bad.text, path)
    assert (error.file, error.line, error.key) == (str(path), bad.line, bad.key)
    assert bad.found in error.found
    assert bad.expected in error.expected
    assert error.nearest == bad.nearest
    place = f"{path}:{bad.line}: {bad.key}".removesuffix(": ")
    assert str(error).startswith(f"{place}: {_said(error)}")


def _said(error: uplane.ScenarioError) -> str:
    """Returns the message after its place: a rule, a suggestion, or found and expected."""
    if not error.found:
        return error.expected
    if error.nearest:
        return f"found {error.found}; did you mean `{error.nearest}`?"
    return f"found {error.found}, expected {error.expected}"


@pytest.mark.parametrize(("text", "key", "found"), WHOLE.values(), ids=WHOLE.keys())
def test_files_that_are_no_scenario_are_refused(
    text: str, key: str, found: str, tmp_path: Path
) -> None:
    error = refused(text, tmp_path / "bad.toml")
    assert error.key == key
    assert found in error.found


@pytest.mark.parametrize(
    ("content", "line", "found"),
    [
        (b"\x7fELF\x02\x01\x01\x00\x00", 1, "expected TOML"),
        (b'title = "a"\n# caf\xe9\n', 2, "a byte 0xe9 that is not UTF-8"),
        (b"\xff\xfet\x00i\x00t\x00", 1, "a byte 0xff that is not UTF-8"),
    ],
    ids=["a program", "Latin-1", "UTF-16"],
)
def test_a_file_of_bytes_is_refused(content: bytes, line: int, found: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(uplane.ScenarioError, match=found) as caught:
        uplane.load(path)
    assert caught.value.line == line
    assert CliRunner().invoke(app, ["run", str(path)]).exit_code == 2


def test_a_byte_order_mark_is_no_reason_to_refuse(tmp_path: Path) -> None:
    path = tmp_path / "notepad.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SCENARIO.replace("\n", "\r\n").encode())
    assert uplane.load(path).effective == uplane.loads(SCENARIO).effective


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("absent.toml", "no such file or directory"),
        (".", "a folder, not a regular file"),
        ("small.toml/inside", "not a directory"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(name: str, found: str, file: Path) -> None:
    path = file.parent / name
    with pytest.raises(uplane.ScenarioError, match=f"{found}, expected a TOML file that can be"):
        uplane.load(path)
    assert CliRunner().invoke(app, ["run", str(path)]).exit_code == 2


@pytest.mark.parametrize(
    ("key", "value", "nearest"),
    [
        ("radio.geran.blr", "0.1", "bler"),
        ("link.sever.delay", "1 ms", "server"),
        ("link.7.delay", "1 ms", None),
        ("title.more", "x", None),
        ("ping.echo.count", "many", None),
    ],
)
def test_a_bad_setting_names_the_setting(
    key: str, value: str, nearest: str | None, file: Path
) -> None:
    with pytest.raises(uplane.ScenarioError) as caught:
        uplane.load(file).with_settings({key: value})
    assert caught.value.key == key
    assert caught.value.nearest == nearest
    done = CliRunner().invoke(app, ["run", str(file), "--set", f"{key}={value}"])
    assert done.exit_code == 2
    assert done.stderr.startswith("error: --set: ")


mutations = st.tuples(
    st.integers(0, len(SCENARIO)),
    st.integers(0, 30),
    st.text(max_size=8) | st.sampled_from("[]{}=\".'-\n0"),
)


@given(st.lists(mutations, min_size=1, max_size=3))
@settings(max_examples=300)
def test_no_text_breaks_the_reader(changes: list[tuple[int, int, str]]) -> None:
    text = SCENARIO
    for start, length, new in changes:
        text = text[:start] + new + text[start + length :]
    with suppress(uplane.ScenarioError):
        uplane.loads(text.encode("utf-8", "replace").decode())
