"""Fields of Protocol Buffers, as far as a trace of Perfetto needs them.

In: numbers and texts with the numbers of their fields. Out: bytes on the wire
(protobuf.dev/programming-guides/encoding). Left out: negative numbers, floats, and schemas: the
code that writes a field knows its type.
"""

__all__ = ["fixed", "message", "number", "text"]


def message(*fields: bytes) -> bytes:
    """Decodes the fields of a message."""
    return b"".join(fields)


def number(field: int, value: int) -> bytes:
    """Encodes a field with a non-negative integer."""
    return _varint(field << 3) + _varint(value)


def fixed(field: int, value: int) -> bytes:
    """Encodes a field of the type `fixed64`."""
    return _varint(field << 3 | 1) + value.to_bytes(8, "little")


def text(field: int, value: str | bytes) -> bytes:
    """Encodes a field with a text, or with the bytes of another message."""
    content = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    """Encodes an integer with seven bits a byte, lowest first; the top bit marks continuation."""
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)
