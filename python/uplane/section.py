"""Base of the typed builder's sections: their conversion to TOML.

In: frozen dataclasses, generated from the schema into `uplane.build`. Out: the text that
`uplane.loads` reads. A field that is `None` is left out, so the schema's default holds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar

from uplane import _toml

__all__ = ["Section", "TopSection"]


class Section:
    """One section of a scenario."""

    KIND: ClassVar[str | None] = None
    """The key that tells this section from its alternatives: `geran` in `[radio.geran]`."""

    def values(self) -> dict[str, Any]:
        """Returns the keys that were given, as plain values."""
        given = {
            field.name: _plain(value)
            for field in fields(self)  # type: ignore[arg-type] # each subclass is a dataclass
            if (value := getattr(self, field.name)) is not None
        }
        return given if self.KIND is None else {self.KIND: given}


class TopSection(Section):
    """The root section: a complete scenario."""

    def to_toml(self) -> str:
        """Returns the scenario as TOML text."""
        return _toml.document(self.values())


def _plain(value: object) -> object:
    match value:
        case Section():
            return value.values()
        case str():
            return value
        case Mapping():
            return {key: _plain(item) for key, item in value.items()}
        case Sequence():
            return _together(value) or [_plain(item) for item in value]
        case _:
            return value


def _together(items: Sequence[object]) -> dict[str, Any]:
    """Alternatives that stand side by side, as one table; nothing for a list of others."""
    kinds = [item for item in items if isinstance(item, Section) and item.KIND is not None]
    if len(kinds) < len(items):
        return {}
    return {key: value for item in kinds for key, value in item.values().items()}
