"""`batch`: group samples into lists."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ..core.errors import ArgumentValueError, describe, message
from ..core.guarded import boundary
from .source import Reader, check_readers, opened


def batch(reader: Reader, batch_size: int, drop_last: bool = False) -> Reader:
    """Group the samples of a reader into lists of `batch_size` samples.

    Arguments:
        reader: the reader to group.
        batch_size: the number of samples in a batch, at least 1; a float or a numeral is converted by `int`.
        drop_last: whether to drop the last batch if it is incomplete.

    Returns:
        A reader of lists.

    Raises:
        ArgumentValueError: `batch_size` is not a positive number.
        ArgumentTypeError: `reader` is not a function.

    Example:
        >>> import paddle_lite as paddle
        >>> def numbers():
        ...     yield from range(5)
        >>> list(paddle.batch(numbers, 2)())
        [[0, 1], [2, 3], [4]]
        >>> list(paddle.batch(numbers, 2, drop_last=True)())
        [[0, 1], [2, 3]]
    """
    check_readers("batch", reader)
    size = _positive(batch_size)

    @boundary
    def batch_reader() -> Iterator[list[Any]]:
        with opened(reader) as (samples,):
            while group := list(islice(samples, size)):
                if drop_last and len(group) < size:
                    return
                yield group

    return batch_reader


def _positive(batch_size: Any) -> int:
    """Return `batch_size` as an int; raise unless it is above 0."""
    try:
        size = int(batch_size)
    except (TypeError, ValueError, OverflowError):
        size = 0
    if not 0 < size <= sys.maxsize:
        needs = f"a positive integer, {sys.maxsize} at most"
        raise ArgumentValueError(message("paddle.batch", "batch_size", describe(batch_size), needs))
    return size
