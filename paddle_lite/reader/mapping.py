"""`map_readers`: apply a function to samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..core.errors import ArgumentValueError
from ..core.guarded import boundary
from .source import Reader, check_readers, opened


def map_readers(func: Callable[..., Any], *readers: Reader) -> Reader:
    """Call a function with one sample of each reader, and yield its results; stop with the shortest reader.

    Arguments:
        func: called with as many arguments as there are readers.
        *readers: the readers of the arguments, at least one.

    Returns:
        A reader of the results.

    Raises:
        ArgumentValueError: there are no `readers`.
        ArgumentTypeError: one of `readers` is not a function.

    Example:
        >>> import paddle_lite as paddle
        >>> list(paddle.reader.map_readers(lambda a, b: a * b, lambda: [1, 2, 3], lambda: [4, 5])())
        [4, 10]
    """
    check_readers("map_readers", *readers)
    if not readers:
        raise ArgumentValueError("paddle.reader.map_readers: got no readers, needs at least one after func.")

    @boundary
    def mapped_reader() -> Iterator[Any]:
        with opened(*readers) as columns:
            for each in zip(*columns, strict=False):  # a StopIteration of `func` is an error, not the end
                yield func(*each)

    return mapped_reader
