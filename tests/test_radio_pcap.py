"""Captures at the radio hold what a cell sent, as the standards lay it out and tshark reads it."""

import os
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import uplane
from uplane.radio_pcap import mac, pdcp, rlc
from uplane.results import Results

pytestmark = pytest.mark.filterwarnings("ignore::uplane.LeftOutWarning")
"""`test_inside` tests the warnings about omissions of captures."""

if TYPE_CHECKING:
    from collections.abc import Callable

APPS = """
[[link]]
name = "core"
delay = "10 ms"

[[ue]]
name = "near"

[[ue]]
name = "far"

[tcp.default]
base = "linux"

[[download]]
name = "file"
ue = "near"
file = "60 kB"

[[upload]]
name = "photo"
ue = "far"
file = "60 kB"

[[voice]]
name = "call"
ue = "near"
count = 20
direction = "up"

[record]
headers = true
radio = true
series = "1 s"
"""

ERRORS = "[0.3, 0.3]"
NO_ERRORS = '"none"\nfeedback = { ack_as_nack = 0.0, nack_as_ack = 0.0 }'


def scenario(generation: str, cell: str, voice: str) -> str:
    """A small cell with a bearer in each mode, and these keys of the cell and of the voice's."""
    return f"""
duration = "10 s"

[radio.{generation}]
harq_transmissions = 2
bler = {ERRORS}
{cell}

[[radio.{generation}.bearer]]
name = "default"
rlc = "am"

[[radio.{generation}.bearer]]
name = "voice"
rlc = "um"
{voice}

[[radio.{generation}.bearer.filter]]
precedence = 1
protocol = "udp"
{APPS}
"""


LTE = scenario("lte", 'bandwidth = "1.4 MHz"', "qci = 7\nrlc_sn_length = 5")
NR = scenario(
    "nr", "bandwidth_mhz = 5\nsubcarrier_spacing_khz = 15", "five_qi = 7\nrlc_sn_length = 6"
)


def bits(text: str) -> bytes:
    """Bytes of bits in groups, with zeros behind."""
    digits = text.replace(" ", "")
    digits += "0" * (-len(digits) % 8)
    return bytes(int(digits[at : at + 8], 2) for at in range(0, len(digits), 8))


def channel(generation: str, mode: str, sn_bits: int, **others: Any) -> dict[str, Any]:
    shared = {"direction": "down", "bearer": 0, "pdcp_sn_bits": 12, "sdap_bytes": 0}
    shared |= {"generation": generation, "mode": mode, "rlc_sn_bits": sn_bits, "reflective": 0}
    return shared | others


def data(sn: int, so: int | None = None, last: int | None = None, poll: int = 0) -> dict[str, Any]:
    return {"sn": sn, "so": so, "last_segment": last, "poll": poll}


# TS 36.322 §6.2.1.3 to §6.2.1.5, figures with their fields in order.
@pytest.mark.parametrize(
    ("mode", "sn_bits", "pdu", "elements", "framing", "expected"),
    [
        ("um", 5, data(9), [100], 1, "01 0 01001"),
        ("um", 10, data(9), [100], 2, "000 10 0 0000001001"),
        ("um", 10, data(9), [7, 100], 0, "000 00 1 0000001001 0 00000000111"),
        ("um", 10, data(9), [7, 8, 1], 0, "000 00 1 0000001001 1 00000000111 0 00000001000"),
        ("am", 10, data(5, poll=1), [300, 1], 1, "1 0 1 01 1 0000000101 0 00100101100"),
        ("am", 10, data(5, 12, 1), [300], 3, "1 1 0 11 0 0000000101 1 000000000001100"),
        ("am", 16, data(5, poll=1), [3], 0, "1 0 1 00 0 0 0 0000000000000101"),
        ("am", 16, data(5, 12, 0), [3], 2, "1 1 0 10 0 0 0 0000000000000101 0000000000001100"),
        ("am", 16, data(5, 12, 1), [3], 2, "1 1 0 10 0 1 0 0000000000000101 0000000000001100"),
    ],
)
def test_a_header_of_rlc_of_lte_has_its_fields(
    mode: str, sn_bits: int, pdu: dict[str, Any], elements: list[int], framing: int, expected: str
) -> None:
    made = rlc.header(channel("lte", mode, sn_bits), pdu, elements, framing)
    assert made == bits(expected)


# TS 38.322 §6.2.2.3, §6.2.2.4
@pytest.mark.parametrize(
    ("mode", "sn_bits", "pdu", "expected"),
    [
        ("um", 6, data(9), "00 000000"),
        ("um", 6, data(9, 0, 0), "01 001001"),
        ("um", 6, data(9, 5, 0), "11 001001 0000000000000101"),
        ("um", 12, data(9, 5, 1), "10 00 000000001001 0000000000000101"),
        ("am", 12, data(9, poll=1), "1 1 00 000000001001"),
        ("am", 12, data(9, 0, 0), "1 0 01 000000001001"),
        ("am", 18, data(9), "1 0 00 00 000000000000001001"),
        ("am", 18, data(9, 5, 1), "1 0 10 00 000000000000001001 0000000000000101"),
    ],
)
def test_a_header_of_rlc_of_nr_has_its_fields(
    mode: str, sn_bits: int, pdu: dict[str, Any], expected: str
) -> None:
    assert rlc.header(channel("nr", mode, sn_bits), pdu, [1], 0) == bits(expected)


# TS 36.322 §6.2.1.6, TS 38.322 §6.2.2.5; ranges: TS 38.322 §6.2.3.14
@pytest.mark.parametrize(
    ("generation", "sn_bits", "nacks", "expected"),
    [
        ("lte", 10, "", "0 000 0000001000 0"),
        (
            *("lte", 10, "5 7:0-99"),
            "0 000 0000001000 1 0000000101 1 0 0000000111 0 1 000000000000000 000000001100011",
        ),
        (
            *("lte", 10, "7:1-end"),
            "0 000 0000001000 1 0000000111 0 1 000000000000001 111111111111111",
        ),
        ("lte", 16, "5", "0 000 0000000000001000 1 0000000000000101 0 0"),
        ("nr", 12, "5", "0 000 000000001000 1 0000000 000000000101 0 0 0 0"),
        (
            *("nr", 12, "4:0-9 5"),
            "0 000 000000001000 1 0000000 000000000100 1 1 0 0"
            "0000000000000000 0000000000001001 000000000101 0 0 0 0",
        ),
        (
            *("nr", 12, "4 5 6 1"),
            "0 000 000000001000 1 0000000 000000000100 1 0 1 0 00000011 000000000001 0 0 0 0",
        ),
        (
            *("nr", 18, "4:9-end 5 6:0-1"),
            "0 000 000000000000001000 1 0 000000000000000100 0 1 1 000"
            "0000000000001001 0000000000000001 00000011",
        ),
        (
            *("nr", 12, "4095 0:2-end"),
            "0 000 000000001000 1 0000000 111111111111 1 0 0 0"
            "000000000000 0 1 0 0 0000000000000010 1111111111111111",
        ),
    ],
)
def test_a_status_pdu_has_its_fields(
    generation: str, sn_bits: int, nacks: str, expected: str
) -> None:
    pdu = {"sn": 8, "nacks": nacks}
    assert rlc.status(channel(generation, "am", sn_bits), pdu) == bits(expected)


def block(length: int, bsr: str = "", levels: str = "", confirmed: str = "") -> dict[str, Any]:
    return {"bytes": length, "bsr": bsr, "bsr_levels": levels, "confirmation": confirmed}


# TS 36.321 §6.1.2: R/F2/E/LCID, F/L; §6.1.3.1: reports; Tables 6.2.1-1, -2: LCIDs.
@pytest.mark.parametrize(
    ("made", "sdus", "heads"),
    [
        (block(11), [10], "0 0 0 00011"),
        (block(12), [10], "0 0 1 11111 0 0 0 00011"),
        (block(13), [10], "0 0 1 11111 0 0 1 11111 0 0 0 00011"),
        (block(14), [10], "0 0 1 00011 0 0001010 0 0 0 11111"),
        (block(500), [128], "0 0 1 00011 1 000000010000000 0 0 0 11111"),
        (block(33), [10, 20], "0 0 1 00011 0 0001010 0 0 0 00011"),
        (block(40_003 + 8), [40_000, 7], "0 1 1 00011 1001110001000000 0 0 0 00011"),
        (block(13, "short", "3:5"), [10], "0 0 1 11101 0 0 0 00011 11 000101"),
        (block(13, "short_truncated", "3:5"), [10], "0 0 1 11100 0 0 0 00011 11 000101"),
        (block(9, "long", "0:1 3:63"), [], "0 0 1 11110 0 0 0 11111 000001 000000 000000 111111"),
    ],
)
def test_a_mac_pdu_of_lte_has_its_sub_headers(
    made: dict[str, Any], sdus: list[int], heads: str
) -> None:
    sdu_bytes = b"".join(b"\xaa" * length for length in sdus)
    pdu = mac.pdu("lte", made, [(3, b"\xaa" * length) for length in sdus])
    assert pdu == (bits(heads) + sdu_bytes).ljust(made["bytes"], b"\0")
    assert len(pdu) == made["bytes"]


# TS 38.321 §6.1.2: R/F/LCID/L; §6.1.3.1: reports, behind the SDUs; Tables 6.2.1-1, -2: LCIDs.
@pytest.mark.parametrize(
    ("made", "sdus", "before", "behind"),
    [
        (block(12), [10], "0 0 000100 00001010", ""),
        (block(13), [10], "0 0 000100 00001010", "00 111111"),
        (block(303), [300], "0 1 000100 0000000100101100", ""),
        (block(257), [255], "0 0 000100 11111111", ""),
        (block(259), [256], "0 1 000100 0000000100000000", ""),
        (block(14, "short", "3:5"), [10], "0 0 000100 00001010", "00 111101 011 00101"),
        (block(14, "short_truncated", "3:5"), [10], "0 0 000100 00001010", "00 111011 011 00101"),
        (
            *(block(9, "long", "0:1 7:254"), [], ""),
            "0 0 111110 00000011 1000 0001 00000001 11111110 00 111111",
        ),
        (block(13, confirmed="lone"), [10], "0 0 000100 00001010", "00 110111"),
        (
            *(block(22, "short", "3:5", "1 8"), [10], "0 0 000100 00001010"),
            "00 100010 11111100 00000010 00000001 00000000 00000000 00 111101 011 00101 00 111111",
        ),
        (
            *(block(5, "long_truncated", "6:200 0:1 7"), [], ""),
            "0 0 111100 00000011 1100 0001 11001000 00000001",
        ),
    ],
)
def test_a_mac_pdu_of_nr_has_its_sub_headers(
    made: dict[str, Any], sdus: list[int], before: str, behind: str
) -> None:
    pdu = mac.pdu("nr", made, [(4, b"\xaa" * length) for length in sdus])
    expected = bits(before) + b"".join(b"\xaa" * length for length in sdus) + bits(behind)
    assert pdu == expected.ljust(made["bytes"], b"\0")
    assert len(pdu) == made["bytes"]


# TS 36.323 §6.2.3 to §6.2.11, TS 38.323 §6.2.2.2, §6.2.2.3; TS 37.324 §6.2.2.2, §6.2.2.3
@pytest.mark.parametrize(
    ("own", "count", "expected"),
    [
        ({"pdcp_sn_bits": 7}, 130, "1 0000010"),
        ({"pdcp_sn_bits": 12}, 4097, "1 000 000000000001"),
        ({"pdcp_sn_bits": 15}, 1, "1 000000000000001"),
        ({"pdcp_sn_bits": 18}, 1, "1 00000 000000000000000001"),
        ({"sdap_bytes": 1, "bearer": 1, "reflective": 1}, 1, "1 000 000000000001 1 1 000010"),
        ({"sdap_bytes": 1, "bearer": 1}, 1, "1 000 000000000001 0 0 000010"),
        ({"sdap_bytes": 1, "direction": "up"}, 1, "1 000 000000000001 1 0 000001"),
    ],
)
def test_a_pdcp_pdu_begins_with_its_number(own: dict[str, Any], count: int, expected: str) -> None:
    head = bits(expected)
    sdu = {"count": count, "bytes": len(head) + 60, "packet_bytes": 60}
    assert pdcp.pdu(channel("nr", "am", 12, **own), sdu, None) == head + bytes(60)


@pytest.fixture(scope="module", params=["lte", "nr"])
def run(request: pytest.FixtureRequest) -> tuple[str, Results]:
    text = {"lte": LTE, "nr": NR}[request.param]
    return request.param, uplane.run(uplane.loads(text), seed=3)


def rows(results: Results, table: str) -> list[dict[str, Any]]:
    return results[table].to_polars().rows(named=True)


def test_blocks_of_a_capture_are_those_that_are_counted(run: tuple[str, Results]) -> None:
    _, results = run
    blocks, sent = rows(results, "transport_blocks"), rows(results, "transmissions")
    for counted in rows(results, "blocks"):
        way = counted["direction"]
        own = [it for it in blocks if it["direction"] == way]
        assert len(own) == counted["blocks"] > 0
        assert sum(it["direction"] == way for it in sent) == counted["transmissions"]
        numbers = {it["block"] for it in own}
        carried = [it for it in rows(results, "rlc_pdus") if it["block"] in numbers]
        assert sum(it["bytes"] for it in carried) == counted["sdu_bytes"]
        total = counted["sdu_bytes"] + counted["header_bytes"] + counted["padding_bytes"]
        assert sum(it["bytes"] for it in own) == total
    again = [it for it in sent if it["transmission"] > 1]
    assert again
    assert any(it["retransmission"] for it in rows(results, "rlc_pdus"))
    assert any(it["nacks"] for it in rows(results, "rlc_pdus"))


def test_transmissions_fail_as_often_as_is_counted(run: tuple[str, Results]) -> None:
    failed = Counter(it["direction"] for it in rows(run[1], "transmissions") if not it["decoded"])
    counted = Counter[str]()
    for row in rows(run[1], "radio_series"):
        counted[row["direction"]] += row["failures"]
    assert failed == counted
    assert min(failed["down"], failed["up"]) > 0


def test_status_pdu_acknowledges_sent_pdus(run: tuple[str, Results]) -> None:
    sent, seen = dict[tuple[str, str], int](), 0
    for pdu in rows(run[1], "rlc_pdus"):
        key = (pdu["ue"], pdu["direction"])
        other = (pdu["ue"], {"down": "up", "up": "down"}[pdu["direction"]])
        if pdu["kind"] == "data" and pdu["bearer"] == 0:
            sent[key] = max(pdu["sn"], sent.get(key, 0))
        elif pdu["kind"] == "status":
            assert pdu["sn"] <= sent[other] + 1
            seen += 1
    assert seen > 0
    last = {
        (pdu["ue"], pdu["direction"]): pdu["sn"]
        for pdu in rows(run[1], "rlc_pdus")
        if pdu["kind"] == "status"
    }
    # Nothing goes down to the first UE behind the end of its file but what acknowledges it.
    assert last["near", "up"] == sent["near", "down"] + 1


def test_nothing_is_recorded_unless_asked_for(run: tuple[str, Results]) -> None:
    generation, asked = run
    text = {"lte": LTE, "nr": NR}[generation].replace("radio = true", "radio = false")
    plain = uplane.run(uplane.loads(text), seed=3)
    own = {"transport_blocks", "transmissions", "rlc_pdus", "rlc_sdus", "radio_channels"}
    for table in plain:
        if table.name in own:
            assert len(table) == 0
        else:
            assert table.to_polars().equals(asked[table.name].to_polars()), table.name


WARNING = 0x600000
"""The severity of what Wireshark warns of."""

needs_tshark = pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")


class Capture:
    """A capture at a radio, as tshark reads it."""

    def __init__(self, generation: str, folder: Path) -> None:
        self.generation, self.folder = generation, folder

    def read(self, condition: str, *names: str) -> list[list[list[str]]]:
        """Of each frame that meets a condition the values of fields."""
        fields = [word for name in names for word in ("-e", name)]
        form = ["-Tfields", "-Eseparator=/t", "-Eoccurrence=a", "-Eaggregator=;"]
        lines = self._read(condition, *form, *fields).splitlines()
        return [[cell.split(";") if cell else [] for cell in line.split("\t")] for line in lines]

    def whole(self, condition: str) -> str:
        """All that tshark says of the frames that meet a condition."""
        return self._read(condition, "-V")

    def _read(self, condition: str, *options: str) -> str:
        tshark = shutil.which("tshark")
        assert tshark
        settings = {"WIRESHARK_CONFIG_DIR": str(self.folder / "wireshark")}
        file = str(self.folder / "radio.pcapng")
        done = subprocess.run(
            [tshark, "-2", "-n", "-r", file, "-Y", condition, *options],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, **settings},
        )
        return done.stdout


@pytest.fixture(scope="module")
def capture(run: tuple[str, Results], tmp_path_factory: pytest.TempPathFactory) -> Capture:
    generation, results = run
    folder = tmp_path_factory.mktemp(generation)
    names = {path.name for path in results.write_pcap(folder)}
    assert names == {"radio.pcapng", "server.pcapng", "ue-near.pcapng", "ue-far.pcapng"}
    return Capture(generation, folder)


def frames(results: Results, *, decoded: bool) -> list[dict[str, Any]]:
    """Transmissions in the order of a capture."""
    sent = results["transmissions"].to_polars().sort("time_s", maintain_order=True)
    return [row for row in sent.rows(named=True) if row["decoded"] or not decoded]


def pdus_of(results: Results) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = {}
    for pdu in rows(results, "rlc_pdus"):
        found.setdefault(pdu["block"], []).append(pdu)
    return found


def numbers(cells: list[str]) -> list[int]:
    return [int(cell, 0) for cell in cells]


def truths(cells: list[str]) -> list[int]:
    return [int(cell in {"1", "0x01", "True"}) for cell in cells]


@needs_tshark
def test_tshark_finds_nothing_wrong(run: tuple[str, Results], capture: Capture) -> None:
    generation, results = run
    assert len(capture.read("frame", "frame.number")) == len(frames(results, decoded=False))
    not_decoded = 'frame.comment contains "not decoded"'
    assert capture.read(not_decoded, "frame.number")
    for wrong in (
        # Wireshark calls what failed malformed, too.
        "_ws.malformed && !(mac-lte.crc-status == 0)",
        "_ws.short",
        f"frame.packet_flags_crc_error == 0 && {not_decoded}",
        f"frame.packet_flags_crc_error == 1 && !({not_decoded})",
        f"rlc-{generation}.reserved-bits-not-zero",
        f"rlc-{generation}.bytes-after-status-pdu-complete",
    ):
        assert capture.read(wrong, "frame.number") == [], wrong


@needs_tshark
def test_each_frame_has_its_context(run: tuple[str, Results], capture: Capture) -> None:
    generation, results = run
    slot = {"lte": "subframe", "nr": "slot"}[generation]
    own = {"lte": ["crc-status", "retx-count"], "nr": ["harqid"]}[generation]
    names = [f"mac-{generation}.{name}" for name in ("sfn", slot, "direction", "ueid", *own)]
    found = capture.read(f"mac-{generation}", *names, "frame.time_epoch", "frame.comment")
    sent = frames(results, decoded=generation == "nr")
    order = list(dict.fromkeys(row["ue"] for row in frames(results, decoded=False)))
    assert len(found) == len(sent)
    for cells, row in zip(found, sent, strict=True):
        down = row["direction"] == "down"
        expected = [[row["frame"]], [row["slot"]], [int(down)], [order.index(row["ue"]) + 1]]
        assert [numbers(cell) for cell in cells[:4]] == expected
        # Half a subframe or slot, for times are of nanoseconds.
        unit = 0.001
        at = row["frame"] * 10 * unit + row["slot"] * unit
        assert float(cells[-2][0]) % 10.24 == pytest.approx(at, abs=unit / 2)
        words = f"{row['ue']}, block {row['block']}, transmission {row['transmission']}, "
        assert cells[-1][0].startswith(words)
        if generation == "lte":
            assert numbers(cells[4]) == [row["decoded"]]
            # Shown of what was sent before.
            again = row["transmission"] - 1
            assert numbers(cells[5]) == ([again] if again and not down else [])
        else:
            assert numbers(cells[4]) == [row["process"]]


@needs_tshark
def test_tshark_reads_the_pdus_that_a_block_carried(
    run: tuple[str, Results], capture: Capture
) -> None:
    generation, results = run
    length = {"lte": "rlc-lte.pdu-length", "nr": "mac-nr.subheader.sdu-length"}[generation]
    sn = {"lte": "rlc-lte.am.fixed.sn", "nr": "rlc-nr.am.sn"}[generation]
    offset = {"lte": "rlc-lte.am.segment.offset", "nr": "rlc-nr.am.so"}[generation]
    am, um = (f"rlc-{generation}.{mode}." for mode in ("am", "um"))
    names = [length, sn, am + "p", offset, um + "sn", am + "ack-sn"]
    found = capture.read(decoded_in(generation), *names)
    carried, seen = pdus_of(results), Counter[str]()
    for cells, row in zip(found, frames(results, decoded=True), strict=True):
        pdus = carried.get(row["block"], [])
        data = [it for it in pdus if it["kind"] == "data"]
        acknowledged, others = ([it for it in data if it["bearer"] == at] for at in (0, 1))
        if generation == "nr":  # a whole SDU has no number, and the first segment no offset
            others = [it for it in others if it["so"] is not None]
        # The length of the last PDU of LTE is what is left, and reports have one in NR.
        lengths = [it["bytes"] for it in pdus]
        assert numbers(cells[0])[: len(lengths)] == lengths
        assert numbers(cells[1]) == [it["sn"] for it in acknowledged]
        assert truths(cells[2]) == [it["poll"] for it in acknowledged]
        # In LTE a segment that begins its PDU has an offset, too.
        least = {"lte": 0, "nr": 1}[generation]
        offsets = [it["so"] for it in acknowledged if it["so"] is not None and it["so"] >= least]
        assert numbers(cells[3]) == offsets
        assert numbers(cells[4]) == [it["sn"] for it in others]
        assert numbers(cells[5]) == [it["sn"] for it in pdus if it["kind"] == "status"]
        seen.update(again=sum(it["retransmission"] for it in data), polls=sum(map(bool, cells[2])))
        seen.update(segments=len(offsets), statuses=len(cells[5]), others=len(others))
    assert all(seen[name] for name in ("again", "polls", "statuses", "others")), seen


def decoded_in(generation: str) -> str:
    return {"lte": "mac-lte.crc-status == 1", "nr": "mac-nr"}[generation]


@needs_tshark
def test_tshark_reads_missing_pdus(run: tuple[str, Results], capture: Capture) -> None:
    generation, results = run
    names = [f"rlc-{generation}.am.{name}" for name in ("nack-sn", "so-start", "so-end")]
    ranges = ["rlc-nr.am.nack-range"] if generation == "nr" else []
    found = capture.read(decoded_in(generation), *names, *ranges)
    carried, seen = pdus_of(results), 0
    for cells, row in zip(found, frames(results, decoded=True), strict=True):
        words = [word for it in carried.get(row["block"], []) for word in it["nacks"].split()]
        reported, *offsets = (numbers(cell) for cell in cells[:3])
        told_more = numbers(cells[3]) if ranges else []
        assert sum(told_more) + len(reported) - len(told_more) == len(words)
        assert set(reported) <= {int(word.partition(":")[0]) for word in words}
        if not told_more:
            pairs = [word.partition(":")[2].partition("-") for word in words if ":" in word]
            last = {"lte": 0x7FFF, "nr": 0xFFFF}[generation]
            ends = [last if end == "end" else int(end) for _, _, end in pairs]
            assert offsets == [[int(start) for start, _, _ in pairs], ends]
        seen += len(words)
    assert seen > 0


@needs_tshark
def test_tshark_reads_the_reports(run: tuple[str, Results], capture: Capture) -> None:
    generation, results = run
    if generation == "lte":
        start = "mac-lte.control.bsr."
        names = [start + name for name in ("lcg-id", "buffer-size")]
        groups = [f"{start}buffer-size-{group}" for group in range(4)]
    else:
        start = "mac-nr.control.bsr."
        names = [start + "short.lcg"]
        groups = [f"{start}bs-lcg{group}" for group in range(8)]
    found = capture.read(decoded_in(generation), *names, *groups)
    blocks = {it["block"]: it for it in rows(results, "transport_blocks")}
    kinds = Counter[str]()
    for cells, row in zip(found, frames(results, decoded=True), strict=True):
        block = blocks[row["block"]]
        levels = dict(word.split(":") for word in block["bsr_levels"].split())
        expected = {int(group): int(level) for group, level in levels.items()}
        kinds[block["bsr"]] += 1
        of_groups = {at: int(cell[0], 0) for at, cell in enumerate(cells[len(names) :]) if cell}
        if generation == "nr":
            assert of_groups == expected
        elif block["bsr"] == "long":
            assert {at: level for at, level in of_groups.items() if level} == expected
        else:
            shown = dict(zip(numbers(cells[0]), numbers(cells[1]), strict=True))
            assert shown == expected
    assert kinds["short"] > 0


@needs_tshark
@pytest.mark.parametrize("generation", ["lte", "nr"])
def test_tshark_finds_the_packets_of_hosts_in_blocks(generation: str, tmp_path: Path) -> None:
    text = {"lte": LTE, "nr": NR}[generation].replace(ERRORS, NO_ERRORS)
    results = uplane.run(uplane.loads(text), seed=3)
    results.write_pcap(tmp_path)
    capture = Capture(generation, tmp_path)
    # Long queues alarm Wireshark; and it looks for the numbers of PDCP in PDUs that are segments.
    known = "tcp || mac-lte.control.bsr || rlc-nr.um"
    wrong = f"_ws.expert.severity >= {WARNING} && !({known})"
    assert capture.read(wrong, "frame.number") == []
    headers = results["headers"].to_polars()
    sent, came = (headers.filter(event=event).rows(named=True) for event in ("sent", "received"))
    assert {row["protocol"] for row in came} == {"tcp", "udp"}
    expected: dict[str, Callable[[dict[str, Any]], int | None]] = {
        "ip.len": lambda row: row["bytes"],
        "ip.dsfield": lambda row: row["tos"],
        "tcp.seq_raw": lambda row: int(row["seq"]) if row["protocol"] == "tcp" else None,
        "tcp.ack_raw": lambda row: int(row["ack"] or 0) if row["protocol"] == "tcp" else None,
        "udp.length": lambda row: row["bytes"] - 20 if row["protocol"] == "udp" else None,
    }
    inside = capture.read("ip", *expected)
    for place, (name, value) in enumerate(expected.items()):
        found = Counter[int | None](it for cells in inside for it in numbers(cells[place]))
        reported, received = (Counter(map(value, some)) for some in (sent, came))
        del reported[None], received[None]
        # A packet may have crossed the radio, and not be at its host when the run ends.
        assert found <= reported, name
        # Wireshark puts no SDU of NR's unacknowledged mode together that is cut into segments.
        if generation == "lte" or name.startswith("tcp"):
            assert received <= found, name
    for direction in (0, 1):
        condition = f"ip && mac-{generation}.direction == {direction}"
        counts = capture.read(condition, f"pdcp-{generation}.seq-num")
        assert counts


PING = """
duration = "1 s"

[radio.{generation}]
{cell}

[[ping]]
name = "echo"
packet = "1000 B"
count = 1

[record]
headers = true
radio = true
"""
CELLS = {
    "lte": 'bandwidth = "1.4 MHz"\nbler = "none"',
    "nr": 'bandwidth_mhz = 5\nsubcarrier_spacing_khz = 15\nbler = "none"',
}


@needs_tshark
@pytest.mark.parametrize("generation", ["lte", "nr"])
def test_report_states_the_rest_of_a_packet(generation: str, tmp_path: Path) -> None:
    text = PING.format(generation=generation, cell=CELLS[generation])
    results = uplane.run(uplane.loads(text), seed=1)
    results.write_pcap(tmp_path)
    up = [row for row in rows(results, "rlc_pdus") if row["direction"] == "up"]
    (sdu,) = (row for row in rows(results, "rlc_sdus") if row["direction"] == "up")
    sent = {row["block"]: row["to"] for row in up if row["kind"] == "data"}
    first = min(sent)
    left = sdu["bytes"] - sent[first]
    assert left > 0
    condition = f'frame.comment contains "block {first}, transmission 1,"'
    reported = Capture(generation, tmp_path).whole(condition)
    ((least, most),) = re.findall(r"(\d+) < BS <= (\d+)", reported)[:1]
    assert int(least) < left <= int(most)
