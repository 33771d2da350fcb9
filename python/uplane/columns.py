"""Columns of a table of the simulator as plain lists, without a library for frames.

In: an object with an Arrow C stream. Out: lists of `int`, `float` and `str`; a missing value is
`None`. Source: the Arrow C data and C stream interfaces, version 1.

Left out: types that no table of the simulator has; they raise a `TypeError`.
"""

from collections.abc import Mapping, Sequence
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    byref,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_uint8,
    c_uint64,
    c_void_p,
    cast,
    py_object,
    pythonapi,
    string_at,
)
from itertools import pairwise
from typing import Any, Protocol

__all__ = ["HasArrow", "lists"]


class HasArrow(Protocol):
    """What gives its rows as an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with the stream."""


class _Schema(Structure):
    pass


_Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(_Schema))),
    ("dictionary", POINTER(_Schema)),
    ("release", CFUNCTYPE(None, POINTER(_Schema))),
    ("private", c_void_p),
]


class _Array(Structure):
    pass


_Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(_Array))),
    ("dictionary", POINTER(_Array)),
    ("release", CFUNCTYPE(None, POINTER(_Array))),
    ("private", c_void_p),
]


class _Stream(Structure):
    pass


_Stream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Schema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Array))),
    ("get_last_error", CFUNCTYPE(c_char_p, POINTER(_Stream))),
    ("release", CFUNCTYPE(None, POINTER(_Stream))),
    ("private", c_void_p),
]


def lists(table: HasArrow, wanted: Sequence[str], *, kind: str = "") -> dict[str, list[Any]]:
    """The columns of these names, in this order.

    Args:
        table: Gives its rows as an Arrow stream.
        wanted: Names of columns.
        kind: What all tables with the same columns are called: their schema is read once.

    Raises:
        KeyError: The table has no such column.
        TypeError: A column has a type that no table of the simulator has.
    """
    capsule = table.__arrow_c_stream__()
    stream = cast(_pointer(py_object(capsule), b"arrow_array_stream"), POINTER(_Stream)).contents
    schema = _SCHEMAS.get(kind) or _schema(stream)
    if kind:
        _SCHEMAS[kind] = schema
    chosen = [(*schema[name], list[Any]()) for name in wanted]
    batch = _Array()
    while True:
        _fill(stream, stream.get_next, batch)
        if not batch.release:
            return dict(zip(wanted, (column for _, _, column in chosen), strict=True))
        try:
            for place, form, column in chosen:
                column += _values(batch.children[place].contents, form)
        finally:
            batch.release(byref(batch))


Schema = Mapping[str, tuple[int, bytes]]
"""The place and the format of each column."""
_SCHEMAS: dict[str, Schema] = {}


def _schema(stream: _Stream) -> Schema:
    schema = _Schema()
    _fill(stream, stream.get_schema, schema)
    try:
        children = (schema.children[place].contents for place in range(schema.n_children))
        return {child.name.decode(): (place, child.format) for place, child in enumerate(children)}
    finally:
        schema.release(byref(schema))


def _fill(stream: _Stream, fill: Any, structure: Any) -> None:  # noqa: ANN401
    """Lets the stream fill a structure, which has to be given back."""
    if fill(byref(stream), byref(structure)):
        raise OSError(stream.get_last_error(byref(stream)))


def _values(array: Any, form: bytes) -> list[Any]:  # noqa: ANN401 - fields are made at run time
    length, offset = array.length, array.offset
    if form in _NUMBERS:
        values = _read(array.buffers[1], _NUMBERS[form], offset + length)[offset:]
    elif form in _OFFSETS:
        values = _texts(array, _OFFSETS[form])
    else:
        message = f"found an Arrow column of format {form.decode()}, expected a number or a text"
        raise TypeError(message)
    if not (array.null_count and array.buffers[0]):
        return values
    bits = _read(array.buffers[0], c_uint8, (offset + length + 7) // 8)
    valid = (bits[place >> 3] >> (place & 7) & 1 for place in range(offset, offset + length))
    return [value if is_there else None for value, is_there in zip(values, valid, strict=True)]


def _texts(array: Any, offset: Any) -> list[str]:  # noqa: ANN401
    """Few texts are different: each is decoded once."""
    ends = _read(array.buffers[1], offset, array.offset + array.length + 1)[array.offset :]
    content = string_at(array.buffers[2], ends[-1]) if ends[-1:] > [0] else b""
    known: dict[bytes, str] = {}
    found = []
    for start, end in pairwise(ends):
        part = content[start:end]
        if part not in known:
            known[part] = part.decode()
        found.append(known[part])
    return found


def _read(address: int | None, kind: Any, count: int) -> list[Any]:  # noqa: ANN401
    return list((kind * count).from_address(address)) if address and count else []


_pointer = pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [py_object, c_char_p]
_NUMBERS = {b"g": c_double, b"L": c_uint64}
_OFFSETS = {b"u": c_int32, b"U": c_int64}
