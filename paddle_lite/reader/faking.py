"""`Fake`: repeat one sample."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, repeat
from typing import Any

from ..core.errors import ArgumentValueError
from ..core.guarded import boundary
from .source import Reader, check_readers, opened


class Fake:
    """Repeat the first sample of a reader, to measure training without the cost of reading.

    The sample is read once for each `Fake` object, when the first epoch starts.

    Example:
        >>> import paddle_lite as paddle
        >>> list(paddle.reader.Fake()(lambda: [7, 8, 9], 4)())
        [7, 7, 7, 7]
    """

    def __init__(self) -> None:
        self._kept: list[Any] = []

    def __call__(self, reader: Reader, data_num: int) -> Reader:
        """Return a reader that yields the first sample of `reader` `data_num` times in each epoch.

        Arguments:
            reader: the reader to take the sample from.
            data_num: the number of samples in an epoch.

        Returns:
            A reader of `data_num` times the same object.

        Raises:
            ArgumentTypeError: `reader` is not a function.
            ArgumentValueError: while reading, when `reader` has no sample.
        """
        check_readers("Fake", reader)

        @boundary
        def fake_reader() -> Iterator[Any]:
            if not self._kept:
                with opened(reader) as (samples,):
                    self._kept.extend(islice(samples, 1))
            if not self._kept:
                raise ArgumentValueError("paddle.reader.Fake: reader has no sample, needs at least one to repeat.")
            yield from repeat(self._kept[0], data_num)

        return fake_reader
