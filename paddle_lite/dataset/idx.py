"""Read the idx file format of MNIST: http://yann.lecun.com/exdb/mnist ("file formats for the database").

A file has two zero bytes, the type of the elements (8: unsigned byte), the rank, the size of each dimension as four
bytes (most significant first), and the elements in C order. The published files are compressed with gzip.
"""

from __future__ import annotations

import gzip
import math
import os
import struct
import zlib

import numpy as np
import numpy.typing as npt

from ..core.errors import FileFormatError

_UNSIGNED_BYTE = 0x08


def read_idx(path: str | os.PathLike[str], rank: int) -> npt.NDArray[np.uint8]:
    """Read a gzip-compressed idx file of unsigned bytes.

    Arguments:
        path: path of the file.
        rank: the rank that the array must have: 1 for labels, 3 for images.

    Returns:
        A read-only uint8 array of `rank` dimensions.

    Raises:
        FileFormatError: the file is truncated or has another format.
        OSError: the file cannot be read.
    """
    magic = _UNSIGNED_BYTE << 8 | rank
    header = 4 * (1 + rank)
    expected = f"a gzip-compressed idx file of unsigned bytes of rank {rank} (magic number {magic})"
    most = _MOST_TIMES * os.path.getsize(path) + header
    try:
        with gzip.open(path, "rb") as file:
            content = file.read(header)
            if len(content) == header:
                size = math.prod(struct.unpack_from(f">{rank}I", content, 4))
                if size > most:
                    raise FileFormatError(
                        f"{path} says that it holds {size} elements, but a gzip file of {os.path.getsize(path)} bytes "
                        f"holds {most} at most; expected {expected}. {_REMEDY}"
                    )
                content += file.read(size + 1)  # one more, to notice a longer file
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FileFormatError(f"{path}: {error}; expected {expected}. {_REMEDY}") from error
    if len(content) < header:
        raise FileFormatError(f"{path} holds {len(content)} bytes, less than a header; expected {expected}. {_REMEDY}")
    found, *shape = struct.unpack_from(f">{1 + rank}I", content)
    if found != magic:
        raise FileFormatError(f"{path} has magic number {found}; expected {expected}. {_REMEDY}")
    if len(content) - header != math.prod(shape):
        size, more = math.prod(shape), len(content) - header > math.prod(shape)
        raise FileFormatError(
            f"{path} holds {f'more than {size}' if more else len(content) - header} elements; expected {size}, for its header "
            f"says {shape}. {_REMEDY}"
        )
    return np.frombuffer(content, np.uint8, offset=header).reshape(shape)


_MOST_TIMES = 1032  # deflate makes no data smaller than by this factor
_REMEDY = "Delete the file to have it downloaded again, or replace it by the published one."
