"""Draws whole scenarios from the schema, and mends what contradicts itself.

In: a random stream, and optionally a required place. Out: an accepted scenario, and the values
removed to make it acceptable. This file has the rules that the schema does not express: limits on
the length of a run, and sections that need another section.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

import uplane
from drawing.naming import WORD, Content, applications, connect
from drawing.quantities import RATES, SIZES, TAME, TIMES, Taste, amounts, draw_number, draw_text
from drawing.reading import read
from drawing.schema import Node, Path, alternatives, at, inside, named, whole
from uplane import _toml

__all__ = ["Content", "Drawing", "Manner", "draw", "goes_on", "tti"]

# What a run of a second can bear; in the smallest unit of a quantity. A longer path goes before.
COSTS: dict[Path, float] = {
    ("ue", "[]", "count"): 5,
    ("count",): 40,
    ("rings",): 2,
    ("file",): 200_000,
    ("objects", "[]"): 100_000,
    ("request",): 20_000,
    ("pdus",): 1000,
    ("start",): 10**9,
    ("spread",): 10**9,
    ("stop",): 2 * 10**9,
    ("think",): 10**9,
}
SLOWEST = {("interval",): "5 ms", ("record", "series"): "10 ms"}
"""Minimum of these values."""

SLOTS = 4 * 10**7
"""Maximum number of slots of a run, about 10 s of CPU time if UEs request grants in each."""
FLOOD_BPS, SMALL = 10**10, 256

BOUNDS = ("count", "stop")
"""Keys without which an application continues until the end of the run."""


@dataclass(frozen=True)
class Manner:
    """Kind of scenarios to draw.

    Attributes:
        taste: Probabilities of unusual values.
        is_long: True for runs of 900 s to 90 000 s, with applications that end on their own.
    """

    taste: Taste = field(default_factory=Taste)
    is_long: bool = False


@dataclass
class Drawing:
    """A drawn scenario, with its effort.

    Attributes:
        content: As it was accepted; nothing when it could not be mended.
        drawn: How many places it had at first, and how many of them it has kept.
    """

    content: Content | None
    drawn: int
    kept: int
    places: frozenset[Path]


def draw(random: Random, manner: Manner | None = None, wanted: Path = ()) -> Drawing:
    """A scenario with the wanted place, if any, as it was drawn and mended."""
    painter = _Painter(random, manner or Manner(), wanted)
    content = painter.scenario()
    first = set(named(content))
    if not painter.mend(content) or (painter.manner.is_long and goes_on(content)):
        return Drawing(None, len(first), 0, frozenset())
    last = frozenset(named(content))
    return Drawing(content, len(first), len(first & last), last)


def goes_on(content: Content) -> bool:
    """Some application goes on until the end of the run, however long it is."""
    for kind in applications():
        found = at([kind, "0"])
        ends = [key for it in alternatives(found[1]) for key in inside(it)] if found else []
        for key in BOUNDS:
            if key in ends and any(key not in app for app in content.get(kind, [])):
                return True
    return False


@dataclass
class _Painter:
    random: Random
    manner: Manner
    wanted: Path

    def scenario(self) -> Content:
        """A scenario with an application, not mended."""
        random, properties = self.random, whole()["properties"]
        apps = applications()
        keys = {"radio", *random.sample(apps, random.choice([1, 1, 2]))}
        if random.random() < 0.5:
            keys |= {"record"}
        keys |= {key for key in properties if key not in apps and random.random() < 0.4}
        keys |= set(self.wanted[:1])
        if "gtpu" in keys:
            keys.add("link")
        content = {
            key: self.value((key,), node, _rest(key, self.wanted))
            for key, node in properties.items()
            if key in keys
        }
        if self.wanted[:1] != ("duration",):
            content["duration"] = self._duration()
        if "record" not in self.wanted:
            self._record(content)
        self._bound(content)
        self._surround(content)
        connect(content, self.random)
        return content

    def _surround(self, content: Content) -> None:
        """Adds the sections that the wanted place requires."""
        if "urgent" in self.wanted:
            _surround_urgent(content["radio"]["nr"])
        if self.wanted[-2:-1] in {("duplication",), ("uplink_duplication",)}:
            _surround_duplication(content["radio"]["nr"])
        if "allowed_serving_cells" in self.wanted:
            _surround_serving_cells(content["radio"]["nr"])
        if "en_dc" in content["radio"]:
            _surround_en_dc(content, self.wanted)

    def _duration(self) -> str:
        if self.manner.is_long:
            return f"{self.random.choice([900, 3600, 10_000, 90_000])} s"
        return f"{self.random.choice([200, 500, 1000, 1500])} ms"

    def _record(self, content: Content) -> None:
        """All that shows mistakes; a series only now and then, and not of a long run."""
        record = content.setdefault("record", {})
        record.update(dict.fromkeys(("packets", "deliveries", "critical_path"), True))
        if self.manner.is_long:
            record.pop("series", None)

    def _bound(self, content: Content) -> None:
        """In a long run an application ends by itself."""
        for kind in applications() if self.manner.is_long else ():
            for index, item in enumerate(content.get(kind, [])):
                for key in BOUNDS:
                    if key not in item and self._draw_in(content, [kind, str(index), key]):
                        item.pop("start", None)  # it would have to be before the end

    def value(self, path: Path, node: Node, wanted: Path | None = None) -> Any:
        """Draws a value for this place, with the wanted place inside."""
        choices = alternatives(node)
        if wanted:
            choices = [it for it in choices if _leads(it, wanted[0])] or choices
            if wanted[0] != "en_dc":
                choices = [it for it in choices if "en_dc" not in inside(it)]
        chosen = self.random.choice(choices)
        if "const" in chosen:
            return chosen["const"]
        match chosen.get("type"):
            case "boolean":
                return wanted == ("=True",) if wanted else self.random.random() < 0.5
            case "array":
                return self._list(path, chosen, wanted)
            case "object":
                return self._section(path, chosen, wanted)
        return self._plain(path, chosen)

    def _list(self, path: Path, node: Node, wanted: Path | None) -> list[Any]:
        least, most = node.get("minItems", 1), node.get("maxItems", 3)
        count = max(least, self.random.choice([1, 1, 2, 3][: most + 1]))
        items = [self.value((*path, "[]"), node["items"]) for _ in range(count)]
        if wanted:
            place = self.random.randrange(len(items))
            items[place] = self.value((*path, "[]"), node["items"], wanted[1:])
        return items

    def _section(self, path: Path, node: Node, wanted: Path | None) -> Content:
        share = self.random.choice([0.05, 0.2, 0.2, 0.5])
        content = {}
        for key, inner in inside(node).items():
            is_there = key in node.get("required", []) or (wanted and wanted[0] == key)
            if is_there or self.random.random() < share:
                name = self.random.choice(["default", "default", "other"]) if key == "*" else key
                rest = _rest(key, wanted or ())
                content[name] = self.value((*path, key), inner, rest)
        return content

    def _plain(self, path: Path, node: Node) -> Any:
        taste, most = self.manner.taste, _cost(path)
        if node.get("type") in ("integer", "number"):
            return draw_number(node, self.random, taste, most)
        if "pattern" not in node:
            return WORD
        if any(path[-len(keys) :] == keys for keys in SLOWEST):
            taste = TAME
        text = draw_text(node, self.random, taste, None if most is None else int(most))
        if text is None:
            message = f"no text for the pattern {node['pattern']} of {'.'.join(path)} is known"
            raise LookupError(message)
        return text

    def mend(self, content: Content) -> bool:
        """Redraws, adds or removes refused values until the scenario is accepted or shows a bug."""
        tries: dict[str, int] = {}
        for _ in range(150):
            try:
                scenario = read(_toml.document(content))
                scenario.begin()
                plan = scenario.effective
            except uplane.ScenarioError as error:
                count = tries[error.key] = tries.get(error.key, 0) + 1
                if not self._change(content, error.key.split("."), count):
                    return False
                connect(content, self.random)
            except uplane.SimulationBug:
                return True  # whoever tries it finds the bug
            else:
                if not _lighten(content, plan):
                    return not _is_flood(plan)
        return False

    def _change(self, content: Content, path: list[str], count: int) -> bool:
        place = at(path)
        is_wanted = place is not None and self.wanted[: len(place[0])] == place[0]
        is_wanted |= self.manner.is_long and path[-1] in BOUNDS
        if count <= (12 if is_wanted else 3) and self._draw_in(content, path):
            return True
        return not is_wanted and _take_out(content, path)

    def _draw_in(self, content: Any, path: list[str]) -> bool:
        """Puts a new value at the path, where something is around it; true when it could."""
        found = at(path)
        if found is None:
            return False
        around = _find(content, path[:-1])
        place, node = found
        wanted = self.wanted[len(place) :] if self.wanted[: len(place)] == place else None
        value = self.value(place, node, wanted or None)
        if isinstance(around, dict):
            around[path[-1]] = value
        elif isinstance(around, list) and int(path[-1]) < len(around):
            around[int(path[-1])] = value
        else:
            return False
        return True


def _surround_urgent(cell: Content) -> None:
    """Urgent blocks begin within blocks of a slot, for a bearer that has them, in one cell."""
    cell.update(mini_slots={"symbols": 14, "mapping": "A"}, bler="sinr")
    cell.setdefault("urgent", {})
    if not any(bearer.get("urgent") for bearer in cell.get("bearer", [])):
        cell["bearer"] = [{"name": "default", "urgent": True}]
    for key in ("secondary_carrier", "network", "handover", "rrc", "rrc_inactive", "downlink_sps"):
        cell.pop(key, None)


def _surround_duplication(cell: Content) -> None:
    """Copies go over two carriers, that have an uplink where they go up."""
    carriers = cell.setdefault("secondary_carrier", [{}])
    for bearer in cell["bearer"]:
        if bearer.get("duplication") or bearer.get("uplink_duplication"):
            keys = ("discard_timer", "aqm", "base", "uplink_gfbr", "uplink_mfbr")
            for key in (*keys, "allowed_serving_cells", "logical_channel_group"):
                bearer.pop(key, None)
        if bearer.get("uplink_duplication"):
            carriers[0].setdefault("uplink", {})
    others = ("ack_filter", "rrc_inactive")
    for key in ("mini_slots", "network", "handover", "drx", "urgent", "search_space", *others):
        cell.pop(key, None)


def _surround_serving_cells(cell: Content) -> None:
    """Several carriers with an uplink, whose use nothing else decides."""
    for carrier in cell.setdefault("secondary_carrier", [{}]):
        carrier.setdefault("uplink", {})
    for bearer in cell["bearer"]:
        bearer.pop("allowed_cg_list", None)
    for key in ("mini_slots", "network", "drx", "urgent", "search_space", "rrc_inactive"):
        cell.pop(key, None)


def _surround_en_dc(content: Content, wanted: Path) -> None:
    """Two cells that a UE can have at a time, with one bearer."""
    radio = content["radio"]
    alone = ("network", "handover", "rrc", "rrc_inactive", "ack_filter", "secondary_carrier")
    for cell in (radio["lte"], radio["nr"]):
        for key in (*alone, "urgent", "discard_timer", "bearer"):
            cell.pop(key, None)
    if wanted[:2] != ("radio", "en_dc") or wanted[2:3] == ("desired_buffer",):
        radio["en_dc"].pop("delivery_status_period", None)
    if wanted[2:3] in {("primary_path",), ("ul_data_split_threshold",), ("duplication",)}:
        radio["en_dc"].pop("bearer", None)
    for ue in content.get("ue", []):
        for key in ("downlink_sinr_db", "uplink_sinr_db", "downlink_sinrs", "uplink_sinrs"):
            ue.pop(key, None)


def _lighten(content: Content, plan: Content) -> bool:
    """Takes out what makes a run too long or too large; true when there was something."""
    if _slots(plan) > SLOTS:
        _slow_down(content["radio"])
    elif plan["bulk"] and _records_small_packets(plan):
        content["record"].update(packets=False, deliveries=False, headers=False, radio=False)
    else:
        return False
    return True


def _slots(plan: Content) -> float:
    """Returns the number of slots in a run."""
    length, duration = tti(plan["radio"]), TIMES.read(plan["duration"])
    assert duration is not None
    return float(duration / length) if length else 0


def _is_flood(plan: Content) -> bool:
    """Reports whether an endless sender on a fast path would fill the memory with packets."""
    radio = plan["radio"].get("fixed")
    rates = list(amounts([radio, plan["link"]], RATES))
    return bool(plan["bulk"]) and radio is not None and min(rates, default=FLOOD_BPS) >= FLOOD_BPS


def _records_small_packets(plan: Content) -> bool:
    """A row a packet of less than 256 B, at the rate of the radio: more than the memory holds."""
    clamp = (plan["gtpu"] or {}).get("mss_clamp")
    sizes = [clamp, *(tcp["mss"] for tcp in plan["tcp"].values())]
    is_small = any((SIZES.read(size or "") or SMALL) < SMALL for size in sizes)
    return is_small and (plan["record"]["packets"] or plan["record"]["deliveries"])


def tti(radio: Content) -> Fraction:
    """The nanoseconds of a TTI, which may be `1/7 ms`, or of a slot, the shorter one of both; zero
    where there are none.
    """
    lengths = []
    if cell := radio.get("lte"):
        count, _, unit = cell["tti"].partition(" ")
        lengths.append(Fraction(count) * TIMES.units[unit])
    if cell := radio.get("nr"):
        lengths.append(Fraction(15_000_000, cell["subcarrier_spacing_khz"]))
    return min(lengths, default=Fraction(0))


def _slow_down(radio: Content) -> None:
    """Slots of a millisecond."""
    if cell := radio.get("lte"):
        cell.pop("tti", None)
    if cell := radio.get("nr"):
        cell.update(subcarrier_spacing_khz=15, bandwidth_mhz=20, duplex="FDD")


def _rest(key: str, wanted: Path) -> Path | None:
    return wanted[1:] if wanted[:1] == (key,) else None


def _leads(node: Node, step: str) -> bool:
    if step.startswith("="):
        return step == f"={node['const']}" if "const" in node else node.get("type") == "boolean"
    return step in inside(node)


def _cost(path: Path) -> float | None:
    found = [keys for keys in COSTS if path[-len(keys) :] == keys]
    return COSTS[max(found, key=len)] if found else None


def _find(content: Any, path: list[str]) -> Any:
    for part in path:
        if isinstance(content, dict):
            content = content.get(part)
        elif isinstance(content, list) and part.isdigit() and int(part) < len(content):
            content = content[int(part)]
        else:
            return None
    return content


def _take_out(content: Any, path: list[str]) -> bool:
    """Removes the value at the path, or else the nearest section around it."""
    for length in range(len(path), 0, -1):
        around, key = _find(content, path[: length - 1]), path[length - 1]
        if isinstance(around, dict) and key in around:
            del around[key]
            return True
        if isinstance(around, list) and key.isdigit() and int(key) < len(around):
            del around[int(key)]
            return True
    return False
