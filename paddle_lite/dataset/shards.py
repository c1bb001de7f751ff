"""Split a data set into files, and read the share of one trainer."""

from __future__ import annotations

import glob
import pickle
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import IO, Any

from ..core.errors import ArgumentValueError, describe, message
from ..core.files import pickled
from ..reader.source import Reader, check_readers, opened


def split(
    reader: Reader,
    line_count: int,
    suffix: str = "%05d.pickle",
    dumper: Callable[[list[Any], IO[bytes]], None] = pickle.dump,
) -> None:
    """Write the samples of a reader to numbered files.

    Arguments:
        reader: the reader to write.
        line_count: samples in each file, at least 1; the last file may have fewer.
        suffix: path of the files, with a `%d` for the number, which starts at 0.
        dumper: function called with a list of samples and a binary file to write them to.

    Returns:
        Nothing.

    Raises:
        ArgumentTypeError: `reader` is not callable.
        ArgumentValueError: `line_count` is below 1, or `suffix` has no place for a number.

    Example:
        >>> import os, tempfile
        >>> import paddle_lite as paddle
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     paddle.dataset.common.split(lambda: range(5), 2, suffix=os.path.join(folder, "%03d.pickle"))
        ...     sorted(os.listdir(folder))
        ['000.pickle', '001.pickle', '002.pickle']
    """
    where = "paddle.dataset.common.split"
    check_readers("split", reader)
    if line_count < 1:
        raise ArgumentValueError(message(where, "line_count", describe(line_count), "at least 1 sample in a file"))
    try:
        suffix % 0
    except TypeError:
        raise ArgumentValueError(message(where, "suffix", describe(suffix), "a %d for the number")) from None
    with opened(reader) as (samples,):
        for number in count():
            lines = list(islice(samples, line_count))
            if not lines:
                return
            with open(suffix % number, "wb") as file:
                dumper(lines, file)


def _samples(file: IO[bytes]) -> Any:
    return pickled.read(file, file.name, "one with other objects is read by loader=pickle.load, which may run code")


def cluster_files_reader(
    files_pattern: str,
    trainer_count: int,
    trainer_id: int,
    loader: Callable[[IO[bytes]], Any] = _samples,
) -> Reader:
    """Return a reader of one trainer's share of the files that `split` wrote.

    The files are sorted by name; a trainer reads every `trainer_count`-th of them, from number `trainer_id` on.

    The default loader reads pickles of arrays and plain values, and runs nothing that a file names. For files that you trust, with
    objects of your own classes, pass `loader=pickle.load`.

    Arguments:
        files_pattern: pattern of the paths of the files, in the syntax of `glob`.
        trainer_count: number of trainers that share the files.
        trainer_id: number of this trainer, from 0.
        loader: function called with a binary file that returns the samples of the file.

    Returns:
        A reader of the samples of this trainer's files. The files are searched again in each epoch.

    Raises:
        ArgumentValueError: `trainer_id` is not in 0 .. `trainer_count - 1`.
        FileFormatError: when a file is read, it is no pickle of arrays and plain values.

    Example:
        >>> import os, tempfile
        >>> import paddle_lite as paddle
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     paddle.dataset.common.split(lambda: range(5), 2, suffix=os.path.join(folder, "%03d.pickle"))
        ...     list(paddle.dataset.common.cluster_files_reader(os.path.join(folder, "*.pickle"), 2, 0)())
        [0, 1, 4]
    """
    if not 0 <= trainer_id < trainer_count:
        raise ArgumentValueError(
            message(
                "paddle.dataset.common.cluster_files_reader",
                "trainer_id",
                describe(trainer_id),
                f"0 .. {trainer_count - 1}, as trainer_count is {trainer_count}",
            )
        )

    def shard_reader() -> Iterator[Any]:
        for path in sorted(glob.glob(files_pattern))[trainer_id::trainer_count]:
            with open(path, "rb") as file:
                yield from loader(file)

    return shard_reader
