"""Packs fields of given widths in bits, the most significant bit first.

In: values with widths. Out: whole bytes, with zeros behind the last field.
"""

__all__ = ["pack"]

Field = tuple[int, int]
"""A value, and how many bits it has."""


def pack(*fields: Field) -> bytes:
    """Packs fields into bytes.

    Raises:
        ValueError: A value does not fit its field: the facts of a capture contradict each other.
    """
    bits, total = 0, 0
    for value, width in fields:
        if not 0 <= value < 1 << width:
            message = f"{value} in a field of {width} bits"
            raise ValueError(message)
        bits, total = bits << width | value, total + width
    return (bits << -total % 8).to_bytes((total + 7) // 8)
