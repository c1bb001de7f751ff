"""`fluid.DatasetFactory`, and the data sets that read their files in each pass."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.text import closest
from .base import DatasetBase
from .in_memory import InMemoryDataset


class QueueDataset(DatasetBase):
    """A data set that reads its files in each pass: threads take one file after another.

    >>> import os, tempfile, paddle_lite.fluid as fluid
    >>> path = os.path.join(tempfile.mkdtemp(), 'part-0')
    >>> with open(path, 'w') as file:
    ...     _ = file.write('1 0.5\\n1 1.5\\n1 4\\n')
    >>> main, startup = fluid.Program(), fluid.Program()
    >>> with fluid.program_guard(main, startup):
    ...     x = fluid.data('x', [None, 1], 'float32')
    ...     total = fluid.layers.reduce_sum(x)
    >>> data = fluid.DatasetFactory().create_dataset('QueueDataset')
    >>> data.set_use_var([x])
    >>> data.set_batch_size(2)
    >>> data.set_filelist([path])
    >>> exe = fluid.Executor(fluid.CPUPlace())
    >>> exe.infer_from_dataset(main, data, fetch_list=[total], fetch_info=['sum'], print_period=1)
    sum    reduce_sum_0.tmp_0        lod: {}
        dim: 1
        layout: NCHW
        dtype: float
        data: [2]
    <BLANKLINE>
    sum    reduce_sum_0.tmp_0        lod: {}
        dim: 1
        layout: NCHW
        dtype: float
        data: [4]
    <BLANKLINE>
    """


class FileInstantDataset(DatasetBase):
    """A data set that reads its files in each pass, as QueueDataset does, under another name in its description."""

    _name = "MultiSlotFileInstantDataFeed"


class BoxPSDataset(InMemoryDataset):
    """A data set in memory with the calls of jobs with BoxPS servers, which have nothing to do in one process."""

    _name = "PaddleBoxDataFeed"

    def set_date(self, date: str) -> None:
        """Check a date, year, month and day as YYYYMMDD; nothing depends on it.

        Raises:
            ArgumentValueError: it has another form.
        """
        if len(str(date)) != 8 or not str(date).isdigit():
            raise ArgumentValueError(
                message("BoxPSDataset.set_date", "date", repr(date), "YYYYMMDD, such as '20190930'")
            )

    def begin_pass(self) -> None:
        """Do nothing: there are no servers that prepare a pass."""

    def end_pass(self, need_save_delta: bool) -> None:
        """Do nothing: there are no servers that keep what a pass has learnt."""


KINDS: dict[str, type[DatasetBase]] = {
    kind.__name__: kind for kind in (QueueDataset, InMemoryDataset, FileInstantDataset, BoxPSDataset)
}


class DatasetFactory:
    """Makes data sets by the names of their classes.

    >>> import paddle_lite.fluid as fluid
    >>> type(fluid.DatasetFactory().create_dataset('InMemoryDataset')).__name__
    'InMemoryDataset'
    """

    def create_dataset(self, datafeed_class: str = "QueueDataset") -> Any:
        """Return a new data set.

        Arguments:
            datafeed_class: QueueDataset, InMemoryDataset, FileInstantDataset or BoxPSDataset.

        Raises:
            ArgumentValueError: there is no such class.
        """
        kind = KINDS.get(datafeed_class) if isinstance(datafeed_class, str) else None
        if kind is None:
            close = closest(str(datafeed_class), KINDS)
            fix = f"Did you mean {close!r}?" if close else ""
            got = repr(datafeed_class)
            raise ArgumentValueError(
                message("create_dataset", "datafeed_class", got, f"one of {', '.join(KINDS)}", fix)
            )
        return kind()
