"""`firstn`: limit the number of samples."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from ..core.guarded import boundary
from .source import Reader, check_readers, opened


def firstn(reader: Reader, n: float) -> Reader:
    """Stop a reader after its first `n` samples. Sample `n + 1` is never read.

    Arguments:
        reader: the reader to limit.
        n: the number of samples to keep, an int or a float such as 1e3; a negative number, or a fraction, keeps all.

    Returns:
        A reader of at most `n` samples.

    Raises:
        ArgumentTypeError: `reader` is not a function.

    Example:
        >>> import paddle_lite as paddle
        >>> list(paddle.reader.firstn(lambda: range(100), 3)())
        [0, 1, 2]
    """
    check_readers("firstn", reader)

    @boundary
    def firstn_reader() -> Iterator[Any]:
        with opened(reader) as (samples,):
            yield from islice(samples, int(n) if n >= 0 and n == int(n) else None)

    return firstn_reader
