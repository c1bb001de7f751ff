"""Readers of arrays and text files: `np_array` and `text_file`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.guarded import boundary
from .source import Reader


def np_array(x: npt.ArrayLike) -> Reader:
    """Read an array along its first axis.

    Arguments:
        x: an array of rank 1 or more: a vector is read number by number, a matrix row by row (views, not copies). The
            one number of a rank-0 array is the only sample.

    Returns:
        A reader of what indexing the first axis gives.

    Example:
        >>> import paddle_lite as paddle
        >>> [row.tolist() for row in paddle.reader.creator.np_array([[1, 2], [3, 4]])()]
        [[1, 2], [3, 4]]
    """
    array = np.asarray(x)

    @boundary
    def array_reader() -> Iterator[Any]:
        yield from array if array.ndim else array.reshape(1)

    return array_reader


def text_file(path: str | os.PathLike[str]) -> Reader:
    """Read a text file line by line, without line ends. The file is UTF-8 and is opened in each epoch.

    Arguments:
        path: the file.

    Returns:
        A reader of strings.

    Raises:
        OSError: while reading, when the file cannot be opened.

    Example:
        >>> import os, tempfile
        >>> import paddle_lite as paddle
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "words.txt")
        ...     with open(path, "w") as file:
        ...         _ = file.write("to be\\nor not\\n")
        ...     list(paddle.reader.creator.text_file(path)())
        ['to be', 'or not']
    """

    @boundary
    def line_reader() -> Iterator[str]:
        with open(os.fspath(path), encoding="utf-8") as file:
            for line in file:
                yield line.removesuffix("\n")

    return line_reader
