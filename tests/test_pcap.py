"""Captures hold what the hosts sent and got, as another reader and tshark read them."""

import shutil
import struct
import subprocess
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import uplane
from uplane.pcap import headers_of
from uplane.results import Results

SCENARIO = """
duration = "20 s"

[radio.fixed]
down = "unlimited"
up = "unlimited"
rtt = "0 s"

[[link]]
name = "core"
rate = "20 Mbit/s"
delay = "10 ms"
queue = "1 MB"
down = { packet_loss = 0.02 }

[[ue]]
name = "first"

[[ue]]
name = "second"
address = "10.9.8.7"

[tcp.marked]
base = "linux"
ecn = "classic"

[[download]]
name = "tcp"
ue = "first"
tcp = "marked"
file = "800 kB"

[[download]]
name = "quic"
ue = "second"
file = "100 kB"
quic = "default"

[[voice]]
name = "call"
ue = "second"
direction = "down"
count = 50
tos = 184

[[ping]]
name = "echo"
ue = "first"
count = 5

[record]
headers = true
"""


PAGE = """
[[web]]
name = "page"
ue = "first"
tcp = "marked"
objects = ["1 kB", "1 kB"]
parallel = 1
persistent = false
"""


class Block(NamedTuple):
    """An enhanced packet block."""

    time: int
    data: bytes
    length: int
    options: dict[int, bytes]


@pytest.fixture(scope="module")
def results() -> Results:
    return uplane.run(uplane.loads(SCENARIO), seed=5)


@pytest.fixture(scope="module")
def captures(results: Results, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    paths = results.write_pcap(tmp_path_factory.mktemp("captures"))
    return {path.name: path for path in paths}


def test_captures_of_nothing_recorded_are_refused(tmp_path: Path) -> None:
    results = uplane.run(uplane.loads(SCENARIO.replace("headers = true", "packets = true")), seed=5)
    with pytest.raises(
        uplane.InputError, match=r"a capture: .* has to say `record.headers = true`"
    ):
        results.write_pcap(tmp_path / "captures")
    assert list(tmp_path.iterdir()) == []


def blocks(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Type and body of each block; the length stands at both ends of it."""
    at = 0
    while at < len(content):
        kind, length = struct.unpack_from("<II", content, at)
        assert length % 4 == 0
        assert struct.unpack_from("<I", content, at + length - 4) == (length,)
        yield kind, content[at + 8 : at + length - 4]
        at += length
    assert at == len(content)


def options_in(body: bytes) -> dict[int, bytes]:
    found, at = {}, 0
    while at < len(body):
        code, length = struct.unpack_from("<HH", body, at)
        if code == 0:
            assert at + 4 == len(body)
            break
        found[code] = body[at + 4 : at + 4 + length]
        at += 4 + (length + 3) // 4 * 4
    return found


def packets_in(path: Path) -> list[Block]:
    (section, head), (interface, described), *rest = blocks(path.read_bytes())
    assert section == 0x0A0D0D0A
    assert struct.unpack_from("<I", head) == (0x1A2B3C4D,)
    assert interface == 1
    assert struct.unpack_from("<H", described) == (101,)
    assert options_in(described[8:])[9] == b"\x09", "times in nanoseconds"
    found = []
    for kind, body in rest:
        assert kind == 6
        number, high, low, kept, length = struct.unpack_from("<IIIII", body)
        assert number == 0
        options = options_in(body[20 + (kept + 3) // 4 * 4 :])
        found.append(Block(high << 32 | low, body[20 : 20 + kept], length, options))
    return found


def ones_sum(data: bytes) -> int:
    """Returns the sum of RFC 1071, which is all ones if the checksum is right."""
    total = 0
    for at in range(0, len(data), 2):
        total += data[at] << 8 | (data[at + 1] if at + 1 < len(data) else 0)
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def tcp_options(content: bytes) -> dict[int, bytes]:
    found, at = {}, 0
    while at < len(content):
        if content[at] == 1:
            at += 1
            continue
        length = content[at + 1]
        found[content[at]] = content[at + 2 : at + length]
        at += length
    return found


def thirds(content: bytes) -> list[int]:
    """Splits bytes into 24-bit numbers."""
    return [int.from_bytes(content[at : at + 3]) for at in range(0, len(content), 3)]


def rows_of(results: Results, host: str, ue: str | None = None) -> list[dict[str, Any]]:
    rows = results["headers"].to_polars().filter(host=host)
    return (rows if ue is None else rows.filter(ue=ue)).rows(named=True)


def test_each_host_has_a_file_with_its_packets(results: Results, captures: dict[str, Path]) -> None:
    assert sorted(captures) == ["server.pcapng", "ue-first.pcapng", "ue-second.pcapng"]
    for name, path in captures.items():
        host, _, ue = name.removesuffix(".pcapng").partition("-")
        rows, packets = rows_of(results, host, ue or None), packets_in(path)
        assert len(rows) == len(packets) > 0
        for row, packet in zip(rows, packets, strict=True):
            assert packet.time == round(row["time_s"] * 1e9)
            assert packet.length == row["bytes"]
            assert len(packet.data) == row["bytes"] - row["payload_bytes"]
            assert struct.unpack("<Q", packet.options[5]) == (row["packet"],)
            flags = 1 if row["event"] == "received" else 2
            assert struct.unpack("<I", packet.options[2]) == (flags,)
            identification = struct.unpack_from(">H", packet.data, 4)
            assert identification == (row["packet"] & 0xFFFF,)


def test_headers_are_those_of_the_table_and_checksums_are_right(
    results: Results, captures: dict[str, Path]
) -> None:
    seen = set()
    packets = packets_in(captures["server.pcapng"])
    for row, packet in zip(rows_of(results, "server"), packets, strict=True):
        data = packet.data
        assert data[0] == 0x45
        assert data[1] == row["tos"]
        assert struct.unpack_from(">H", data, 2) == (row["bytes"],)
        assert ones_sum(data[:20]) == 0xFFFF
        assert [str(ip_address(data[at : at + 4])) for at in (12, 16)] == [
            row["source"],
            row["destination"],
        ]
        assert bool(data[6] & 0x40) == bool(row["dont_fragment"])
        inner = data[20:]
        pseudo = data[12:20] + struct.pack(">HH", data[9], row["bytes"] - 20)
        covered = inner if row["protocol"] == "icmp" else pseudo + inner
        assert ones_sum(covered) == 0xFFFF, "what is carried is zeros"
        seen.add(row["protocol"])
        if row["protocol"] == "tcp":
            hold_tcp(row, inner)
        elif row["protocol"] == "icmp":
            assert (inner[0], inner[1]) == (row["icmp_type"], 0)
        else:
            ports = (row["source_port"], row["destination_port"], row["bytes"] - 20)
            assert struct.unpack_from(">HHH", inner) == ports
    assert seen == {"tcp", "udp", "quic", "icmp"}


def hold_tcp(row: dict[str, Any], header: bytes) -> None:
    source, destination, seq, ack, first, window = struct.unpack_from(">HHIIHH", header)
    assert (source, destination) == (row["source_port"], row["destination_port"])
    assert (seq, ack, window) == (row["seq"], row["ack"] or 0, row["window"])
    assert first >> 12 == len(header) / 4
    assert first & 0x1FF == row["flags"]
    options = tcp_options(header[20:])
    mss, scale = options.get(2), options.get(3)
    assert row["mss"] == (None if mss is None else int.from_bytes(mss))
    assert row["window_scale"] == (None if scale is None else scale[0])
    assert bool(row["sack_permitted"]) == (4 in options)
    assert struct.unpack(">II", options[8]) == (row["ts_value"], row["ts_echo"])
    kind = next((kind for kind in (172, 174) if kind in options), 0)
    counters = [str(counter) for counter in thirds(options.get(kind, b""))]
    assert row["byte_counters"] == " ".join([str(kind), *counters] if kind else [])
    cookie = options.get(34)
    assert row["fast_open"] == ("" if cookie is None else cookie.hex() or "request")
    edges = [edge for (edge,) in struct.iter_unpack(">I", options.get(5, b""))]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    assert row["sack"] == " ".join(f"{left}-{right}" for left, right in pairs)


@pytest.mark.parametrize("length", [4, 8, 16])
def test_a_cookie_of_fast_open_is_option_34(length: int) -> None:
    text = SCENARIO.replace("ecn =", f'fast_open_cookie = "{length} B"\nfast_open = true\necn =')
    text = text.split("[[download]]")[0].replace("packet_loss = 0.02", "packet_loss = 0.0")
    run = uplane.run(uplane.loads(text + PAGE + "[record]\nheaders = true\n"), seed=1)
    rows = [row for row in rows_of(run, "server") if int(row["flags"]) & 2]
    for row in rows:
        hold_tcp(row, headers_of(row)[20:])
    options = [tcp_options(headers_of(row)[40:]).get(34) for row in rows]
    given = options[1]
    assert given is not None
    assert len(given) == length
    # Asked and given; then shown with data, and taken.
    assert options == [b"", given, given, None]
    assert [row["payload_bytes"] for row in rows] == [0, 0, 400, 0]


def test_counters_of_bytes_are_options_172_and_174() -> None:
    text = SCENARIO.replace('ecn = "classic"', 'ecn = "accurate"\necn_option = true')
    run = uplane.run(uplane.loads(text), seed=1)
    rows = [row for row in rows_of(run, "ue") if row["protocol"] == "tcp"]
    for row in rows:
        hold_tcp(row, headers_of(row)[20:])
    lengths = {len(row["byte_counters"].split()) for row in rows}
    assert lengths == {0, 3, 4}, "full ones, and beside two SACK blocks and timestamps two counters"
    newest = [row for row in rows if row["byte_counters"] and row["event"] == "sent"][-1]
    kind, first, *others = newest["byte_counters"].split()
    assert (kind, others) == ("172", ["0", "1"])
    # What goes again is not ECN-capable (RFC 3168 §6.1.5).
    came = [row for row in rows if row["event"] == "received" and row["tos"] & 3 == 2]
    assert int(first) == 1 + sum(it["payload_bytes"] for it in came if it["seq"] < newest["ack"])


def test_each_packet_is_received_after_sending_or_dropped(results: Results) -> None:
    headers = results["headers"].to_polars()
    sent, came = (headers.filter(event=event) for event in ("sent", "received"))
    assert sent["packet"].is_unique().all()
    assert came["packet"].is_unique().all()
    both = came.join(sent, on="packet", suffix="_sent")
    assert len(both) == len(came)
    assert (both["time_s"] > both["time_s_sent"]).all()
    for name in ("seq", "ack", "flags", "sack", "bytes", "source", "destination_port"):
        assert both[name].equals(both[f"{name}_sent"], null_equal=True), name
    drops = results["drops"].to_polars()
    assert len(sent) - len(came) == drops["packets"].sum() > 0


def test_a_udp_checksum_of_zero_is_sent_as_all_ones(results: Results) -> None:
    row = next(row for row in rows_of(results, "server") if row["protocol"] == "udp")
    found = int.from_bytes(headers_of(row)[26:28])
    port = row["source_port"] + found
    # The sum is that of all ones then, for what the checksum was is in the port.
    row |= {"source_port": port - 0xFFFF if port > 0xFFFF else port}
    assert headers_of(row)[26:28] == b"\xff\xff"


@pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")
def test_tshark_counts_equal_the_runs(
    results: Results, captures: dict[str, Path], tmp_path: Path
) -> None:
    path = tmp_path / "whole.pcapng"
    path.write_bytes(whole(captures["server.pcapng"].read_bytes()))
    row = results["connections"].to_polars().filter(sender="server").row(0, named=True)
    assert row["retransmissions"] > 0
    again = "tcp.analysis.retransmission || tcp.analysis.out_of_order"
    assert found_by_tshark(path, again) == row["retransmissions"]
    assert found_by_tshark(path, "tcp.analysis.duplicate_ack") == row["duplicate_acks"] > 0
    assert found_by_tshark(path, "tcp.len > 0 && tcp.srcport == 80") == row["segments"]
    for wrong in (
        "_ws.malformed",
        "ip.checksum.status == 0",
        "tcp.checksum.status == 0",
        "udp.checksum.status == 0",
        "icmp.checksum.status == 0",
    ):
        assert found_by_tshark(path, wrong) == 0, wrong
    rows = rows_of(results, "server")
    for protocol, names in (("tcp", {"tcp"}), ("udp", {"udp", "quic"})):
        count = sum(each["protocol"] in names for each in rows)
        assert found_by_tshark(path, f"{protocol}.checksum.status == 1") == count


def whole(content: bytes) -> bytes:
    """The capture with the zeros that it leaves out, for tshark to check sums over."""
    made = b""
    for kind, body in blocks(content):
        if kind == 6:
            *head, kept, length = struct.unpack_from("<IIIII", body)
            packet = body[20 : 20 + kept] + bytes(length - kept)
            body = struct.pack("<IIIII", *head, length, length) + packet + bytes(-length % 4)
        made += struct.pack("<II", kind, 12 + len(body)) + body + struct.pack("<I", 12 + len(body))
    return made


def found_by_tshark(path: Path, condition: str) -> int:
    """Returns the number of packets that match a display filter."""
    checks = [f"-o{protocol}.check_checksum:TRUE" for protocol in ("ip", "tcp", "udp")]
    tshark = shutil.which("tshark")
    assert tshark
    done = subprocess.run(
        [tshark, "-r", str(path), "-n", *checks, "-Y", condition, "-Tfields", "-eframe.number"],
        capture_output=True,
        text=True,
        check=True,
    )
    return len(done.stdout.split())
