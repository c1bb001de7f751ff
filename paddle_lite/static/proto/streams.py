"""The binary files of variables of PaddlePaddle: one tensor, one SelectedRows, or several tensors in one file.

A tensor is: u32 version 0; u64 number of LoD levels, and for each level its size in bytes (u64) and its offsets (u64);
u32 version 0; i32 size of a TensorDesc message, and the message; the elements. A SelectedRows is: u32 version 0; u64
number of rows and their i64 indices; i64 height; then the second half of a tensor. A combined file is a sequence of
tensors without names. All numbers are little-endian.
"""

from __future__ import annotations

import contextlib
import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from ...core import lod as lods
from ...core.dtype import to_vartype
from ...core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    FileFormatError,
    LoDError,
    MissingFileError,
    describe,
    message,
)
from ...core.files.kinds import START, told_by
from ...core.files.reading import absent, reading
from ...core.files.saves import saving
from ...core.host import to_host
from ...core.selected_rows import SelectedRows

BF16 = 22
_DTYPES = {
    code: np.dtype(np.dtype(name).newbyteorder("<").str)
    for code, name in {
        0: "bool",
        1: "int16",
        2: "int32",
        3: "int64",
        4: "float16",
        5: "float32",
        6: "float64",
        20: "uint8",
        21: "int8",
        BF16: "uint16",
        23: "complex64",
        24: "complex128",
    }.items()
}
"""VarType.Type -> the dtype of the elements in a file; those from 22 on are newer than PaddlePaddle 1.8.5."""


class Stored(NamedTuple):
    """A tensor read from a file: its array, its LoD (`core.lod`) or None, and the `VarType` number of its dtype in the
    file.

    NumPy has no bfloat16: such elements (dtype 22) become a float32 array, which holds them exactly.
    """

    array: np.ndarray
    lod: lods.LoD | None
    dtype: int


def write_tensor(file: BinaryIO, array: Any, lod: lods.LoD | None = None, dtype: int | None = None) -> None:
    """Write a tensor at the current position of a file.

    Arguments:
        array: numbers of any shape.
        lod: the offsets of each level, or None.
        dtype: the `VarType` number of the dtype to write; that of the array where it is None. 22 rounds to bfloat16.

    Raises:
        DtypeError: the format has no such dtype.

    >>> import io
    >>> file = io.BytesIO()
    >>> write_tensor(file, np.float32([[1, 2]]), ((0, 1),))
    >>> read_tensor(Source(file))
    Stored(array=array([[1., 2.]], dtype=float32), lod=((0, 1),), dtype=5)
    """
    file.write(struct.pack("<IQ", 0, lods.level_of(lod)))
    for level in lod or ():
        file.write(struct.pack("<Q", 8 * len(level)))
        file.write(np.asarray(level, "<u8").tobytes())
    write_numbers(file, array, dtype)


def write_numbers(file: BinaryIO, array: Any, dtype: int | None = None) -> None:
    """Write the second half of a tensor: its TensorDesc and its elements."""
    from .messages import TensorDesc

    host = np.asarray(to_host(array))
    if dtype is None:
        dtype = _code_of(host.dtype)
    elif dtype not in _DTYPES:
        raise DtypeError(message("write_tensor", "dtype", dtype, f"one of {', '.join(map(str, _DTYPES))}"))
    numbers = _as_bfloat16(host) if dtype == BF16 else np.ascontiguousarray(host, _DTYPES[dtype])
    desc = TensorDesc(data_type=int(dtype), dims=host.shape).SerializeToString()
    file.write(struct.pack("<Ii", 0, len(desc)) + desc)
    file.write(numbers.reshape(-1).view(np.uint8).data)


def _code_of(dtype: np.dtype) -> int:
    """Return the VarType number of a dtype."""
    if dtype.kind == "c" and dtype.itemsize in (8, 16):
        return 23 if dtype.itemsize == 8 else 24
    return int(to_vartype(dtype.newbyteorder("="), "write_tensor"))


def _as_bfloat16(array: np.ndarray) -> np.ndarray:
    """Return the upper halves of float32 numbers, rounded to nearest, ties to even."""
    bits = np.ascontiguousarray(array, "<f4").view("<u4")
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    return np.where(np.isnan(array), np.uint32(0x7FC0), rounded).astype("<u2")


def write_selected_rows(file: BinaryIO, value: SelectedRows) -> None:
    """Write a SelectedRows at the current position of a file."""
    _write_rows(file, to_host(value.rows), value.values, value.height)


def _write_rows(file: BinaryIO, rows: Any, values: Any, height: int) -> None:
    file.write(struct.pack("<IQ", 0, len(rows)))
    file.write(np.asarray(rows, "<i8").tobytes())
    file.write(struct.pack("<q", height))
    write_numbers(file, values)


class Source:
    """A binary file to read, with its name and size for errors.

    Arguments:
        file: a binary, seekable file; it is read from its start.
        name: its name in errors.
    """

    def __init__(self, file: BinaryIO, name: str = "stream") -> None:
        self.file = file
        self.name = name
        self.size = file.seek(0, os.SEEK_END)
        self.offset = 0
        file.seek(0)

    def left(self) -> int:
        """Return the number of bytes that have not been read."""
        return self.size - self.offset

    def complaint(self, got: str, needs: str) -> FileFormatError:
        """Return the error for invalid content at the current position."""
        fix = "It is truncated, or another program's file."
        if not self.offset:
            self.file.seek(0)
            fix = told_by(self.file.read(START), fix)
        return FileFormatError(message(self.name, f"byte {self.offset}", got, needs, fix))

    def need(self, count: int, what: str) -> None:
        """Raise unless `count` bytes are left; called before memory for them is allocated."""
        if count > self.left():
            raise self.complaint(f"{self.left()} bytes to the end", f"{count} bytes, {what}")

    def numbers(self, form: str, what: str) -> tuple[Any, ...]:
        """Read numbers in a format of `struct`."""
        count = struct.calcsize(form)
        self.need(count, what)
        return struct.unpack(form, self.bytes(count))

    def bytes(self, count: int) -> bytes:
        """Read bytes; call `need` first."""
        content = self.file.read(count)
        self.offset += len(content)
        return content

    def array(self, dtype: np.dtype, shape: Sequence[int], what: str) -> np.ndarray:
        """Read an array."""
        self.need(prod(shape) * dtype.itemsize, what)
        made = np.empty(tuple(shape), dtype)
        if self.file.readinto(made.reshape(-1).view(np.uint8).data) != made.nbytes:  # type: ignore[attr-defined]
            raise self.complaint("fewer bytes than the file had before", f"{made.nbytes} bytes, {what}")
        self.offset += made.nbytes
        return made

    def version(self, what: str) -> None:
        """Read a version number; raise unless it is 0, the only version."""
        (version,) = self.numbers("<I", f"the version of a {what}")
        if version != 0:
            self.offset -= 4
            start = " ".join(f"{byte:02x}" for byte in struct.pack("<I", version))
            raise self.complaint(f"the bytes {start}", f"00 00 00 00, with which a {what} begins")

    def end(self, what: str) -> None:
        """Raise unless everything has been read."""
        if self.left():
            raise FileFormatError(message(self.name, f"byte {self.offset}", f"{self.left()} more bytes", what))


def read_tensor(source: Source) -> Stored:
    """Read a tensor at the current position.

    Raises:
        FileFormatError: the file is truncated, or there is no tensor.
    """
    source.version("tensor")
    (count,) = source.numbers("<Q", "the number of LoD levels")
    if 8 * count > source.left():
        raise source.complaint(f"{count} LoD levels", f"no more than fit into the {source.left()} bytes that are left")
    levels = []
    for depth in range(count):
        (size,) = source.numbers("<Q", f"the size of LoD level {depth}")
        if size % 8:
            raise source.complaint(f"a LoD level of {size} bytes", "offsets of 8 bytes each")
        levels.append(source.array(np.dtype("<u8"), [size // 8], f"the offsets of LoD level {depth}").tolist())
    array, dtype = read_numbers(source)
    try:
        lod = lods.from_offsets(levels, array.shape[0] if array.ndim else 0)
    except LoDError as error:
        raise FileFormatError(f"{source.name}: {error}") from None
    return Stored(array, lod, dtype)


def read_numbers(source: Source) -> tuple[np.ndarray, int]:
    """Read the second half of a tensor; return (array, VarType number of the dtype)."""
    from .messages import DecodeError, TensorDesc

    source.version("tensor's numbers")
    (size,) = source.numbers("<i", "the size of a TensorDesc")
    if not 0 < size <= source.left():
        raise source.complaint(f"a TensorDesc of {size} bytes", f"1 or more, of which {source.left()} are left")
    try:
        desc = TensorDesc.FromString(source.bytes(size))
    except DecodeError:
        desc = TensorDesc()
    if not desc.IsInitialized():
        source.offset -= size
        raise source.complaint(f"{size} bytes that are none", "a TensorDesc message: a dtype and a shape")
    if desc.data_type not in _DTYPES:
        raise source.complaint(f"a tensor of type {desc.data_type}", f"one of {', '.join(map(str, _DTYPES))}")
    shape = list(desc.dims)
    if any(dim < 0 for dim in shape):
        raise source.complaint(f"the shape {shape}", "sizes of 0 or more")
    dtype = _DTYPES[desc.data_type]
    array = source.array(dtype, shape, f"{dtype.name} numbers of shape {shape}")
    if desc.data_type == BF16:
        return (array.astype("<u4") << np.uint32(16)).view("<f4").astype(np.float32), BF16
    return array.astype(np.dtype(dtype.type), copy=False), desc.data_type


def read_selected_rows(source: Source) -> SelectedRows:
    """Read a SelectedRows at the current position; one without rows has all those of its values, as a server of 1.8.5 writes a table.

    Raises:
        FileFormatError: the file is truncated, or there is no SelectedRows.
    """
    source.version("SelectedRows")
    (count,) = source.numbers("<Q", "the number of rows")
    rows = source.array(np.dtype("<i8"), [count], f"the numbers of {count} rows").astype(np.int64, copy=False)
    (height,) = source.numbers("<q", "the height of the table")
    values, _ = read_numbers(source)
    if count and (not values.ndim or len(values) != count):
        raise FileFormatError(message(source.name, "values", f"shape {list(values.shape)}", f"{count} rows"))
    if not count and values.ndim:
        rows = np.arange(len(values))
    return SelectedRows(rows, values, height)


@contextlib.contextmanager
def _open(path: str | os.PathLike[str], what: str) -> Iterator[BinaryIO]:
    """Open a file for reading; raise a MissingFileError if it does not exist."""
    try:
        with reading(path) as file:
            yield file
    except (FileNotFoundError, NotADirectoryError):
        raise MissingFileError(f"{os.fspath(path)}: {absent(path)}, from which {what} should be read.") from None


def save_tensor(
    path: str | os.PathLike[str], array: Any, lod: lods.LoD | None = None, dtype: int | None = None
) -> None:
    """Write a file with one tensor atomically; the arguments are those of `write_tensor`.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), 'fc_0.w_0')
    >>> save_tensor(path, np.float32([1, 2]))
    >>> load_tensor(path).array
    array([1., 2.], dtype=float32)
    """
    folder, name = os.path.split(os.fspath(path))
    with saving(folder) as opened, opened(name) as file:
        write_tensor(file, array, lod, dtype)


def load_tensor(path: str | os.PathLike[str]) -> Stored:
    """Read a file with one tensor.

    Raises:
        MissingFileError: the file does not exist.
        FileFormatError: the file is truncated, or holds no tensor or several ones.
    """
    with _open(path, "a tensor") as file:
        source = Source(file, os.fspath(path))
        stored = read_tensor(source)
        source.end("the end of the file: it holds more than one tensor, and is read by naming all its variables")
        return stored


def save_selected_rows(path: str | os.PathLike[str], value: SelectedRows) -> None:
    """Write a file with one SelectedRows atomically."""
    if not isinstance(value, SelectedRows):
        raise ArgumentTypeError(message("save_selected_rows", "value", describe(value), "a SelectedRows"))
    folder, name = os.path.split(os.fspath(path))
    with saving(folder) as opened, opened(name) as file:
        write_selected_rows(file, value)


def save_table(path: str | os.PathLike[str], array: Any) -> None:
    """Write a file with a whole table atomically, as a server of 1.8.5 writes it: a SelectedRows that lists no rows."""
    folder, name = os.path.split(os.fspath(path))
    with saving(folder) as opened, opened(name) as file:
        _write_rows(file, np.zeros(0, np.int64), array, len(array))


def load_selected_rows(path: str | os.PathLike[str]) -> SelectedRows:
    """Read a file with one SelectedRows; the errors are those of `load_tensor`."""
    with _open(path, "a SelectedRows") as file:
        source = Source(file, os.fspath(path))
        value = read_selected_rows(source)
        source.end("the end of the file")
        return value


def save_combined(path: str | os.PathLike[str], tensors: Iterable[tuple[Any, lods.LoD | None]]) -> None:
    """Write several tensors to one file atomically.

    Arguments:
        tensors: (array, LoD or None) of each. The file has no names; Fluid writes them sorted by name.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), 'params')
    >>> save_combined(path, [(np.zeros(2), None), (np.ones(3), None)])
    >>> load_combined(path, ['a', 'b'])['b'].array
    array([1., 1., 1.])
    """
    folder, name = os.path.split(os.fspath(path))
    with saving(folder) as opened, opened(name) as file:
        for each in tensors:
            write_tensor(file, each[0], each[1])


def load_combined(path: str | os.PathLike[str], names: Sequence[str]) -> dict[str, Stored]:
    """Read the tensors of a combined file by name.

    Arguments:
        names: the names of all tensors of the file, in their order.

    Raises:
        ArgumentValueError: a name occurs twice.
        MissingFileError: the file does not exist.
        FileFormatError: the file is truncated, or holds other things than tensors, or another number of them.
    """
    if len(set(names)) != len(names):
        raise ArgumentValueError(message("load_combined", "names", f"{len(names)} with repetitions", "each name once"))
    with _open(path, "tensors") as file:
        return read_combined(Source(file, os.fspath(path)), names)


def read_combined(source: Source, names: Sequence[str]) -> dict[str, Stored]:
    """Read the tensors of a whole source by name, as `load_combined` does."""
    found = {}
    for at, name in enumerate(names):
        if not source.left():
            got = f"the end of the file after {at} tensors"
            raise FileFormatError(message(source.name, f"variable {name}", got, f"{len(names)}, one for each name"))
        found[name] = read_tensor(source)
    source.end(f"the end of the file after {len(names)} tensors, one for each name")
    return found
