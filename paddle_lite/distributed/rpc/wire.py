"""Messages of PaddlePaddle 1.8.5's parameter servers: Protocol Buffers with the values as their last field.

A message is a header of some 50 bytes and the memory of an array. It is written by hand, so that the array is copied once,
and so that it lies at a multiple of 8 bytes, where the receiver can compute with it; the schema is `VariableMessage` of the package `sendrecv`:

    1 varname string     2 type enum          3 data_type enum     4 dims int64*       5 lod_level int64    6 lod {1 int64*}*
    7 slr_height int64   8 serialized bytes   9 rows bytes        10 out_varname      11 profile           12 trainer_id
    13 table_name
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from ...core.dtype import VarType, to_numpy, to_vartype
from ...core.errors import PeerError, message
from ...core.selected_rows import UNBOUNDED, SelectedRows

SERVICE = "sendrecv.SendRecvService"
WITHOUT_BARRIER = "@WITHOUT_BARRIER@RECV"
"""What trainers append to the name of a variable that they ask for in any phase."""
BATCH_BARRIER, FETCH_BARRIER, COMPLETE = "BATCH_BARRIER@RECV", "FETCH_BARRIER@RECV", "COMPLETE@RECV"
LOD_TENSOR, SELECTED_ROWS = 0, 1
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
DIMS = 4  # the number of the field of the dimensions
ALIGNED = 8
MAX_RANK = 16
KEPT = 4096  # headers that are kept
NUMBERS = (*range(VarType.BOOL, VarType.FP64 + 1), VarType.UINT8, VarType.INT8)
DTYPES = {int(code): to_numpy(VarType(code)) for code in NUMBERS}


@dataclass
class Message:
    """A message.

    Attributes:
        name: of the variable, or of a barrier.
        value: an array, SelectedRows, or None.
        out_name: the name under which the receiver of a reply keeps the value.
        trainer_id: the trainer that sends it.
        table: the table of a look-up.
    """

    name: str = ""
    value: Any = None
    out_name: str = ""
    trainer_id: int = 0
    table: str = ""

    def encoded(self) -> bytes:
        """Return the message as bytes."""
        return b"".join(self.parts())

    def parts(self) -> list[Any]:
        """Return the message as bytes and buffers, which are not copied."""
        value = self.value
        if value is None:
            return [_header(self.name, self.out_name, self.table, self.trainer_id)]
        rows = value.rows if isinstance(value, SelectedRows) else None
        array: Any = np.ascontiguousarray(value if rows is None else value.values)
        height = None if rows is None else value.height
        header = _header(self.name, self.out_name, self.table, self.trainer_id, array.dtype, array.shape, height)
        parts = [header, memoryview(array).cast("B") if array.size else b""]
        if rows is not None:
            listed: Any = np.ascontiguousarray(rows, "<i8")
            parts += [_bytes(9, listed.nbytes), memoryview(listed).cast("B") if listed.size else b""]
        return parts


def decode(data: Any) -> Message:
    """Return the message that bytes hold; its value is a view of them.

    Raises:
        PeerError: the bytes are no such message, or a size in it does not fit.
    """
    if not data:
        return Message()
    fields, dims = _read_fields(memoryview(data))
    value = _array(fields, dims) if dims else None
    return Message(_text_of(fields, 1), value, _text_of(fields, 10), _number_of(fields, 12), _text_of(fields, 13))


def join(messages: Iterable[Sequence[Any]]) -> bytes:
    """Return messages, each as its parts, in one: each begins at a multiple of ALIGNED, behind its length as int64."""
    parts: list[Any] = []
    for each in messages:
        length = sum(map(len, each))
        parts += [length.to_bytes(ALIGNED, "little"), *each, bytes(-length % ALIGNED)]
    return b"".join(parts)


def split(data: Any) -> list[memoryview]:
    """Return the messages in what `join` has made.

    Raises:
        PeerError: a length in it does not fit.
    """
    view, at, found = memoryview(data), 0, []
    while at < len(view):
        length = int.from_bytes(view[at : at + ALIGNED], "little")
        at += ALIGNED
        if length > len(view) - at:
            raise _wrong(f"a message of {length} bytes, {max(len(view) - at, 0)} left", "its bytes")
        found.append(view[at : at + length])
        at += length + -length % ALIGNED
    return found


# --- writing --------------------------------------------------------------------------------------------------------------


def _varint(value: int) -> bytes:
    """Return a number in base 128, as two's complement of 64 bits if it is negative."""
    value &= (1 << 64) - 1
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)


def _tag(number: int, kind: int) -> bytes:
    return _varint(number << 3 | kind)


def _number(number: int, value: int) -> bytes:
    return _tag(number, VARINT) + _varint(value) if value else b""


def _aligning(number: int, value: int, others: int) -> bytes:
    """Return a field of an int that, with so many other bytes, ends at a multiple of ALIGNED.

    Zeros as the highest digits make it longer, which all readers of Protocol Buffers accept.
    """
    plain = _number(number, value)
    if (others + len(plain)) % ALIGNED == 0:
        return plain
    field = bytearray(plain or _tag(number, VARINT) + b"\0")
    missing = -(others + len(field)) % ALIGNED
    if missing:
        field[-1] |= 128
        field += b"\x80" * (missing - 1) + b"\0"
    return bytes(field)


def _bytes(number: int, length: int) -> bytes:
    """Return what precedes a field of bytes."""
    return _tag(number, BYTES) + _varint(length)


def _text(number: int, text: str) -> bytes:
    encoded = text.encode()
    return _bytes(number, len(encoded)) + encoded if encoded else b""


def _numbers(number: int, values: Sequence[int]) -> bytes:
    packed = b"".join(map(_varint, values))
    return _bytes(number, len(packed)) + packed if packed else b""


@lru_cache(maxsize=KEPT)
def _header(
    name: str,
    out_name: str,
    table: str,
    trainer_id: int,
    dtype: Any = None,
    shape: Sequence[int] = (),
    height: int | None = None,
) -> bytes:
    """Return what precedes the memory of an array, or a message without one; a job sends the same ones in each step.

    Arguments:
        name, out_name, table, trainer_id: the fields of the message.
        dtype, shape: of the array; None for a message without one.
        height: of the table, if the array holds rows of one.
    """
    texts = _text(1, name) + _text(10, out_name) + _text(13, table)
    if dtype is None:
        return texts + _number(12, trainer_id)
    kind = _number(2, LOD_TENSOR if height is None else SELECTED_ROWS) + _number(3, int(to_vartype(dtype)))
    before = texts + kind + _numbers(4, shape) + _number(7, height or 0)
    last = _bytes(8, prod(shape) * dtype.itemsize)
    return before + _aligning(12, trainer_id, len(before) + len(last)) + last


# --- reading --------------------------------------------------------------------------------------------------------------


def _wrong(got: Any, needs: str) -> PeerError:
    fix = "The sender is no trainer or server of PaddlePaddle 1.8, or the connection is damaged."
    return PeerError(message("a message of a peer", "content", got, needs, fix))


def _read_varint(data: memoryview, at: int) -> tuple[int, int]:
    if at < len(data) and data[at] < 128:  # as nearly all are
        return data[at], at + 1
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise _wrong("a number without its end", "a number of at most ten bytes")
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (1 << 64) - 1, at
        shift += 7


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def _read_fields(data: memoryview) -> tuple[dict[int, Any], list[int]]:
    """Return the fields by their number, each an int or bytes, and the dimensions."""
    fields: dict[int, Any] = {}
    dims: list[int] = []
    at, end = 0, len(data)
    while at < end:
        key, at = _read_varint(data, at)
        kind, number = key & 7, key >> 3
        value: Any
        if kind == BYTES:
            length, at = _read_varint(data, at)
            if length > end - at:
                raise _wrong(f"a field of {length} bytes, {end - at} left", "its bytes")
            value = data[at : at + length]
            at += length
        elif kind == VARINT:
            value, at = _read_varint(data, at)
        elif kind in (FIXED32, FIXED64):
            at += 4 if kind == FIXED32 else 8
            if at > end:
                raise _wrong("a number without its end", "all of its bytes")
            continue
        else:
            raise _wrong(f"wire type {kind}", "0, 1, 2 or 5")
        if number == DIMS:
            _add_dims(dims, value)
        else:
            fields[number] = value
    return fields, dims


def _add_dims(dims: list[int], value: Any) -> None:
    """Append a dimension, or those that are packed in bytes."""
    if isinstance(value, int):
        dims.append(_signed(value))
    else:
        at = 0
        while at < len(value) and len(dims) <= MAX_RANK:
            size, at = _read_varint(value, at)
            dims.append(_signed(size))
    if len(dims) > MAX_RANK:
        raise _wrong(f"{len(dims)} dimensions", f"at most {MAX_RANK}")


def _number_of(fields: dict[int, Any], number: int) -> int:
    """Return a field that is an int; 0 if it is missing."""
    value = fields.get(number, 0)
    if not isinstance(value, int):
        raise _wrong(f"bytes in field {number}", "an int")
    return _signed(value)


def _bytes_of(fields: dict[int, Any], number: int) -> Any:
    """Return a field of bytes; no bytes if it is missing."""
    value = fields.get(number, b"")
    if isinstance(value, int):
        raise _wrong(f"an int in field {number}", "bytes")
    return value


def _text_of(fields: dict[int, Any], number: int) -> str:
    """Return a field that is a text; "" if it is missing."""
    if number not in fields:
        return ""
    try:
        return str(_bytes_of(fields, number), "utf-8")
    except UnicodeDecodeError:
        raise _wrong(f"a name in field {number} that is no UTF-8", "UTF-8") from None


def _array(fields: dict[int, Any], dims: list[int]) -> Any:
    """Return the array or the SelectedRows of a message."""
    data = _bytes_of(fields, 8)
    dtype = DTYPES.get(_number_of(fields, 3))
    if dtype is None:
        raise _wrong(f"data type {_number_of(fields, 3)}", "one of BOOL to FP64")
    if min(dims) < 0 or prod(dims) * dtype.itemsize != len(data):
        raise _wrong(f"{len(data)} bytes for {dtype} {dims}", "as many as the shape needs")
    try:
        array = np.frombuffer(data, dtype).reshape(dims)
    except ValueError:  # without elements, but of a size that no array has
        raise _wrong(f"the shape {dims}", "a shape of an array") from None
    if _number_of(fields, 2) != SELECTED_ROWS:
        return array
    height, listed = _number_of(fields, 7), _bytes_of(fields, 9)
    if len(listed) != 8 * dims[0]:
        raise _wrong(f"{len(listed)} bytes of rows for {dims[0]} rows", "8 for each")
    rows = np.frombuffer(listed, "<i8")
    if len(rows) and height != UNBOUNDED and not (0 <= rows.min() and rows.max() < height):
        raise _wrong(f"rows {rows.min()} to {rows.max()}", f"rows of a table of {height}")
    return SelectedRows(rows, array, height)
