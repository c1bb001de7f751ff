"""`firstn`: limit the number of samples."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from .source import Reader, check_readers, opened


def firstn(reader: Reader, n: int) -> Reader:
    """Stop a reader after its first `n` samples. Sample `n + 1` is never read.

    Arguments:
        reader: the reader to limit.
        n: the number of samples to keep; a negative number keeps all.

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

    def firstn_reader() -> Iterator[Any]:
        with opened(reader) as (samples,):
            yield from islice(samples, n if n >= 0 else None)

    return firstn_reader
