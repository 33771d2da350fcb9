"""Gives the sections of a drawn scenario names, and lets others refer to them.

In: a scenario with words in the place of names. Out: the same scenario; words that name something
are left as they are. Which words name which sections is the one thing that the schema does not say.
"""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from drawing.schema import Node, alternatives, inside, whole
from uplane import _core

__all__ = ["WORD", "Content", "applications", "connect"]

Content = dict[str, Any]
"""A scenario, or a part of one."""

WORD = "?"
"""Stands for a text without a pattern until it is a name."""


@cache
def applications() -> tuple[str, ...]:
    """The sections of applications: lists of what runs on a UE."""
    return tuple(
        key
        for key, node in whole()["properties"].items()
        if any({"ue", "start"} <= inside(item).keys() for item in _items(node))
    )


def _items(node: Node) -> Iterator[Node]:
    for alternative in alternatives(node):
        if "items" in alternative:
            yield from alternatives(alternative["items"])


def connect(content: Content, random: Random) -> None:
    """Names sections by their number, and words that stand for a section by one of these names."""
    if "title" in content:
        content["title"] = "drawn"
    for kind in ("ue", "link", *applications()):
        _name(kind, content.get(kind, []))
    _name_bearers(content.get("radio", {}), random)
    sets = list(content.get("tcp", {}))
    links = [link["name"] for link in content.get("link", [])]
    ues = [ue["name"] for ue in content.get("ue", [{"name": "ue"}])]
    for app in (app for kind in applications() for app in content.get(kind, [])):
        _refer(app, "ue", [*ues, "all"], random)
        _refer(app, "tcp", [*sets, "default"], random)
        _refer(app, "quic", [*content.get("quic", {}), "default"], random)
        if app.get("tcp") and app.get("quic"):
            del app[random.choice(["tcp", "quic"])]
        if links:
            _refer(app, "server_link", links, random)
        else:
            app.pop("server_link", None)
    for name, tcp in content.get("tcp", {}).items():
        built_in = _core.tcp_profiles()
        _refer(tcp, "base", [*built_in, *(other for other in sets if other < name)], random)
    if "gtpu" in content:
        _lay_tunnel(content["gtpu"], links, random)
        _stand_outside(content, links)


def _stand_outside(content: Content, links: list[str]) -> None:
    """No server inside the tunnel."""
    first = min(map(links.index, content["gtpu"].get("links", [])), default=len(links))
    for app in (app for kind in applications() for app in content.get(kind, [])):
        if "server_link" in app and links.index(app["server_link"]) > first:
            app["server_link"] = links[first]


def _name_bearers(radio: Content, random: Random) -> None:
    for cell in (cell for kind, cell in radio.items() if kind != "en_dc"):
        _reflect(cell.get("bearer", []))
        _name("bearer", cell.get("bearer", []))
        _ask(cell, random)
        _grant(cell, random)
        _keep_to_carriers(cell, random)


def _ask(cell: Content, random: Random) -> None:
    """Configurations of scheduling requests that bearers have, and a timer that serves one."""
    bearers = cell.get("bearer", [])
    _name("scheduling_request", cell.get("scheduling_request", []))
    names = [section["name"] for section in cell.get("scheduling_request", [])]
    for bearer in bearers:
        if names:
            _refer(bearer, "scheduling_request", names, random)
        else:
            bearer.pop("scheduling_request", None)
        if bearer.get("sr_delay_timer_applied"):
            cell.setdefault("sr_delay_timer", "40 ms")
    used = {bearer.get("scheduling_request") for bearer in bearers}
    if names:
        cell["scheduling_request"] = [it for it in cell["scheduling_request"] if it["name"] in used]
    if not any(bearer.get("sr_delay_timer_applied") for bearer in bearers):
        cell.pop("sr_delay_timer", None)


def _grant(cell: Content, random: Random) -> None:
    """Configured grants of a list, each for some bearer, or one alone."""
    bearers = cell.get("bearer", [])
    grants = cell.get("configured_grant_config", [])
    if grants and "mini_slots" not in cell and random.random() < 0.5:
        cell.pop("configured_grant", None)
    if "configured_grant" in cell or "mini_slots" in cell:
        cell.pop("configured_grant_config", None)
        grants = []
    _name("configured_grant_config", grants)
    _activate(grants)
    names = [grant["name"] for grant in grants]
    for bearer in bearers:
        if not names:
            bearer.pop("allowed_cg_list", None)
        elif "allowed_cg_list" in bearer and not set(bearer["allowed_cg_list"]) <= set(names):
            bearer["allowed_cg_list"] = random.sample(names, random.randint(0, len(names)))
    if names and bearers and all("allowed_cg_list" in bearer for bearer in bearers):
        bearers[0]["allowed_cg_list"] = names
        bearers[0].pop("configured_grant_allowed", None)


def _keep_to_carriers(cell: Content, random: Random) -> None:
    """Bearers keep to carriers with an uplink, each in a group of its own."""
    bearers = [it for it in cell.get("bearer", []) if "allowed_serving_cells" in it]
    others = enumerate(cell.get("secondary_carrier", []), start=1)
    carriers = [0, *(number for number, other in others if "uplink" in other)]
    for bearer in bearers:
        named = bearer["allowed_serving_cells"]
        if len(carriers) == 1:
            bearer.pop("allowed_serving_cells")
        elif not named or len(named) > len(set(named)) or not set(named) <= set(carriers):
            bearer["allowed_serving_cells"] = random.sample(carriers, random.randint(1, 2))
    if bearers:
        for bearer in cell["bearer"]:
            bearer.pop("logical_channel_group", None)


def _activate(grants: list[Content]) -> None:
    """Type 2 where a grant is released."""
    for grant in (it for it in grants if "release_after" in it):
        grant["type"] = 2
        grant.pop("offset", None)
        if grant.get("period") == "every_start":
            grant["period"] = 40


def _reflect(bearers: list[Content]) -> None:
    """Reflective QoS where a bearer has its timer: a dedicated one, with what says it."""
    if bearers and "rq_timer" in bearers[0]:
        bearers.insert(0, {})
    for bearer in (it for it in bearers if "rq_timer" in it):
        bearer.update(reflective=True, sdap_header="both")
        for packets in bearer.get("filter", []):
            packets.pop("direction", None)


def _name(kind: str, sections: list[Content]) -> None:
    for index, section in enumerate(sections):
        section["name"] = f"{kind}-{index}"


def _refer(section: Content, key: str, names: list[str], random: Random) -> None:
    if key in section and section[key] not in names:
        section[key] = random.choice(names)


def _lay_tunnel(tunnel: Content, links: list[str], random: Random) -> None:
    """Over links that are neighbours."""
    if not set(tunnel.get("links", [])) <= set(links):
        first = random.randrange(len(links)) if links else 0
        tunnel["links"] = links[first : first + random.choice([1, 2, 3])]
