"""The order of the controls: important keys first.

In: the keys of the file. Out: the same keys, sections in the order radio, UEs, applications, links,
transport, whole scenario; in a section the keys that most change a result come first.
"""

from collections.abc import Sequence

__all__ = ["by_importance"]

SECTIONS = ("radio", "ue", "bulk", "download", "upload", "web", "voice", "ping", "program")
"""Sections before all others; `LAST` come after them."""
LAST = ("link", "gtpu", "tcp", "quic", "")
"""Sections after all others. The empty name is that of keys outside of all sections."""
KEYS = (
    "profile",
    "base",
    "duplex",
    "bandwidth",
    "bandwidth_mhz",
    "sr_period",
    "downlink_sinr_db",
    "uplink_sinr_db",
    "downlink_sinrs",
    "uplink_sinrs",
    "bler",
    "tti",
    "count",
    "file",
    "objects",
    "congestion_control",
    "rate",
    "delay",
    "queue",
)
"""Names of keys that come first in their section, in this order."""


def by_importance(paths: Sequence[str]) -> list[str]:
    """Returns the keys by importance; equally important keys stay in their order."""
    sections = list(dict.fromkeys(path.rpartition(".")[0] for path in paths))
    return sorted(
        paths,
        key=lambda path: (
            _section(path),
            sections.index(path.rpartition(".")[0]),
            _place(path.rpartition(".")[2], KEYS),
        ),
    )


def _section(path: str) -> int:
    name = path.partition(".")[0] if "." in path else ""
    if name in LAST:
        return len(SECTIONS) + 1 + LAST.index(name)
    return _place(name, SECTIONS)


def _place(name: str, order: Sequence[str]) -> int:
    return order.index(name) if name in order else len(order)
