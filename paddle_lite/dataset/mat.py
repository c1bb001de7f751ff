"""Read the numeric matrices of MATLAB files of version 5.

A file has a header of 128 bytes, followed by elements. An element is a tag (a type and a length, of four bytes each, or
of two bytes each when the data have at most four bytes) and the data, padded to a multiple of 8 bytes. A variable is an
element, possibly compressed, that consists of elements: flags, dimensions, name and the numbers in column-major order.
Format: https://www.mathworks.com/help/pdf_doc/matlab/matfile_format.pdf.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from math import prod

import numpy as np
import numpy.typing as npt

from .archives import format_error, reading

_NUMBERS = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_INT32, _MATRIX, _COMPRESSED = 5, 14, 15
_HEADER = 128
_VERSION = {b"\x00\x01IM": "<", b"\x01\x00MI": ">"}


def read_mat(path: str | os.PathLike[str], expected: str) -> dict[str, npt.NDArray]:
    """Return the numeric matrices of a MATLAB file by their names.

    Arguments:
        path: path of the file.
        expected: the expected content, for errors.

    Returns:
        A dict from names to arrays.

    Raises:
        FileFormatError: the file is truncated or has another format.
    """
    with open(os.fspath(path), "rb") as file:
        content = file.read()
    order = _VERSION.get(content[_HEADER - 4 : _HEADER])
    if order is None:
        raise format_error(path, "it has no header of a MATLAB file of version 5", expected)
    found: dict[str, npt.NDArray] = {}
    with reading(path, expected):
        try:
            for kind, data in _elements(content[_HEADER:], order):
                if kind == _COMPRESSED:
                    ((kind, data),) = _elements(zlib.decompress(data), order)
                if kind == _MATRIX:
                    found.update(_matrix(data, order))
        except (struct.error, ValueError) as error:
            raise EOFError(f"truncated, or no variable: {error}") from error
    return found


def _elements(data: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    """Yield the type and the data of each element."""
    place = 0
    while place < len(data):
        kind, size = struct.unpack_from(order + "II", data, place)
        start = place + 8
        if kind >> 16:
            kind, size, start = kind & 0xFFFF, kind >> 16, place + 4
        if start + size > len(data):
            raise EOFError(f"an element of {size} bytes has only {len(data) - start}")
        yield kind, data[start : start + size]
        place = start + size if kind == _COMPRESSED else start + size + (-(start + size) % 8)


def _matrix(data: bytes, order: str) -> Iterator[tuple[str, npt.NDArray]]:
    """Yield the name and the numbers of a variable; yield nothing when it is not a numeric matrix."""
    _, (kind, shape), (_, name), (number, numbers), *_ = _elements(data, order)
    if kind == _INT32 and number in _NUMBERS:
        dimensions = np.frombuffer(shape, order + "i4").tolist()
        array = np.frombuffer(numbers, order + _NUMBERS[number])
        if array.size != prod(dimensions):
            raise EOFError(f"{array.size} numbers for a matrix of shape {dimensions}")
        yield name.decode("latin-1"), array.reshape(dimensions, order="F")
