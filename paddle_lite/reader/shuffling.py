"""`shuffle`: shuffle samples within a window."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ..core.guarded import boundary
from .source import Reader, check_readers, opened


def shuffle(reader: Reader, buf_size: float) -> Reader:
    """Shuffle samples within consecutive windows of `buf_size` samples.

    The order comes from Python's `random` module: `random.seed(n)` makes it repeatable, and equal to PaddlePaddle's.

    Arguments:
        reader: the reader to shuffle.
        buf_size: the number of samples that are kept in memory and shuffled together; 1 or less keeps the order. A float
            such as 6e4 is rounded up; infinity shuffles all samples together.

    Returns:
        A reader of the same samples, none of which moves by more than `buf_size - 1` positions.

    Raises:
        ArgumentTypeError: `reader` is not a function.

    Example:
        >>> import random
        >>> import paddle_lite as paddle
        >>> random.seed(3)
        >>> list(paddle.reader.shuffle(lambda: range(10), 4)())
        [3, 0, 2, 1, 4, 5, 7, 6, 9, 8]
    """
    check_readers("shuffle", reader)
    size = None if math.isinf(buf_size) else max(math.ceil(buf_size), 1)

    @boundary
    def shuffled_reader() -> Iterator[Any]:
        with opened(reader) as (samples,):
            while window := list(islice(samples, size)):
                random.shuffle(window)
                yield from window

    return shuffled_reader
