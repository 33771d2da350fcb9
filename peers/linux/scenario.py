"""A cell of `cell.c` as a scenario of the simulator."""

# When the first flow begins; packets of the gate (below) are there before.
START_MS = 10
GATE = 1500
# Which segments have an acknowledgement of their own decides how often a queue marks; the profile
# `linux` has these rules by keys.
PUSHES = ("acks = { at_push = true }", "push_often = true", "send_buffer_tuning = true")
MASK = (1 << 64) - 1


def scenario(words: str) -> str:
    """Write the path and the flows of a cell as a scenario."""
    cell = dict(word.split("=", 1) for word in words.split())
    links = [path(cell)]
    if "outage" in cell or "upoutage" in cell:
        links.append(gate(cell))
    return "\n".join(
        [
            'duration = "1000 s"',
            "[radio.fixed]",
            'down = "unlimited"',
            'up = "unlimited"',
            'rtt = "0 s"',
            *links,
            hosts(cell),
            *flows(cell, words),
        ]
    )


def path(cell: dict[str, str]) -> str:
    """Write the link with its rates, queues and losses."""
    lines = ["[[link]]", 'name = "path"', f'delay = "{float(cell["rtt"]) * 500:g} us"']
    lines += direction(cell, "down", "") + direction(cell, "up", "up")
    if "late" in cell:
        share, by = cell["late"].split(":")
        lines.append(f'reordering = {{ probability = {share}, delay = "{by} ms" }}')
    if "codel" in cell:
        lines.append(f"aqm.codel = {{ ecn = {'true' if cell['codel'] == 'mark' else 'false'} }}")
    if "mark" in cell:
        lines.append(f'aqm.step = {{ threshold = "{cell["mark"]} ms", ect0 = true }}')
    return "\n".join(lines)


def direction(cell: dict[str, str], way: str, prefix: str) -> list[str]:
    """Write what one direction of the link has."""
    lines = []
    if f"{prefix}rates" in cell:
        lines.append(f"{way}.rates = [{rates(cell[f'{prefix}rates'])}]")
    elif float(cell.get(f"{prefix}rate", "0")) > 0:
        lines.append(f'{way}.rate = "{float(cell[f"{prefix}rate"]):.0f} bit/s"')
    if f"{prefix}queue" in cell:
        lines.append(f'{way}.queue = "{cell[f"{prefix}queue"]} B"')
    if lost := numbers(cell, prefix):
        lines.append(f"{way}.lost_packets = {lost}")
    if f"{prefix}anyloss" in cell:
        lines.append(f"{way}.packet_loss = {cell[f'{prefix}anyloss']}")
    return lines


def rates(text: str) -> str:
    """Write rates over time; those of a cell begin with the first flow."""
    steps = [step.split(":") for step in text.split("+")]
    later = [START_MS if float(at) else 0 for at, _ in steps]
    return ", ".join(
        f'{{ at = "{float(at) + more:g} ms", rate = "{float(bps):.0f} bit/s" }}'
        for (at, bps), more in zip(steps, later, strict=True)
    )


def numbers(cell: dict[str, str], prefix: str) -> list[int]:
    """Return the numbers of the packets with payload that are lost."""
    lost: list[int] = []
    for word in filter(None, cell.get(f"{prefix}drop", "").split("+")):
        first, _, last = word.partition("-")
        lost += range(int(first), int(last or first) + 1)
    if share := float(cell.get(f"{prefix}loss", "0")):
        most = 3 * int(cell["steps"]) // 1448 + 200
        lost += [n for n in range(1, most) if drawn(int(cell["seed"]), n) < share]
    return sorted(set(lost))


def gate(cell: dict[str, str]) -> str:
    """Write an outage from the start: a datagram is on a slow link, and another fills its queue."""
    lines = ["[[link]]", 'name = "gate"']
    datagrams = []
    for way, key in (("down", "outage"), ("up", "upoutage")):
        if key not in cell:
            continue
        until = float(cell[key].split(":")[1]) + START_MS
        steps = (("0 s", "1 bit/s"), (f"{until:g} ms", "100 Gbit/s"))
        text = ", ".join(f'{{ at = "{at}", rate = "{rate}" }}' for at, rate in steps)
        lines.append(f"{way}.rates = [{text}]")
        lines.append(f'{way}.queue = "{GATE} B"')
        datagrams.append(
            f'[[voice]]\nname = "gate {way}"\ndirection = "{way}"\npayload = "{GATE - 28} B"\n'
            'interval = "1 ms"\ncount = 2'
        )
    return "\n".join(lines + datagrams)


def hosts(cell: dict[str, str]) -> str:
    """Write the parameters of TCP."""
    lines = ["[tcp.default]", 'base = "linux"']
    if cell.get("cc") == "reno":
        lines += ['congestion_control = "new_reno"', "hystart = false"]
    if cell.get("tcp_ecn") == "1":
        lines.append('ecn = "classic"')
    if cell.get("tcp_ecn") == "3":
        lines += ['ecn = "accurate"', 'ecn_option = "full"', *PUSHES]
    if cell.get("fastopen") == "1":
        lines.append('fast_open = "cold"')
    return "\n".join(lines)


def flows(cell: dict[str, str], words: str) -> list[str]:
    """Write one transfer for each flow."""
    kind = "upload" if cell.get("upload") == "1" else "download"
    found = []
    others = [word[5:] for word in words.split() if word.startswith("flow=")]
    for number, plan in enumerate(["0:" + cell["steps"], *others]):
        start, size = plan.split(":")
        lines = [f"[[{kind}]]", f'name = "flow {number}"', f'file = "{size} B"']
        lines.append(f'start = "{float(start) + START_MS:g} ms"')
        if "read" in cell:
            lines.append(f'read_rate = "{float(cell["read"]):.0f} bit/s"')
        found.append("\n".join(lines))
    return found


def drawn(seed: int, number: int) -> float:
    """Draw from 0 to 1 for a packet, as `cell.c` does: splitmix64's output function."""
    z = (seed * 1_000_003 + number + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return ((z ^ (z >> 31)) >> 11) / 2**53
