"""`fluid.AsyncExecutor` of Fluid 1.3: trains by threads that read files, as `Executor.train_from_dataset` does since 1.5."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.place import Place
from ...static.execution.dataset_runs import Printed, run_streams
from ...static.execution.executor import Executor
from ...static.execution.plan_cache import fetch_names
from ...static.execution.scope import global_scope
from ...static.program.program import Program, default_main_program
from .description import DataFeedDesc
from .engine import NativeDataset


class AsyncExecutor:
    """Trains a Program by several threads, which read files and share the parameters.

    PaddlePaddle 1.6 and later do not have it.

    Arguments:
        place: fluid.CPUPlace(), or None for the same.
        run_mode: accepted for Fluid code, ignored.

    Raises:
        ArgumentTypeError: `place` is no Place.

    >>> import os, tempfile, paddle_lite.fluid as fluid
    >>> folder = tempfile.mkdtemp()
    >>> desc, data = os.path.join(folder, 'data.proto'), os.path.join(folder, 'part-0')
    >>> with open(desc, 'w') as file:
    ...     _ = file.write('name: "MultiSlotDataFeed" batch_size: 2 multi_slot_desc {slots {'
    ...                    'name: "x" type: "float" is_used: true}}')
    >>> with open(data, 'w') as file:
    ...     _ = file.write('1 0.5\\n2 1.5 4\\n')
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     x = fluid.layers.data('x', [1], 'float32', lod_level=1)
    ...     total = fluid.layers.sequence_pool(x, 'sum')
    ...     main = fluid.default_main_program()
    >>> executor = fluid.AsyncExecutor(fluid.CPUPlace())
    >>> executor.run(main, fluid.DataFeedDesc(desc), [data], 1, [total], debug=True)
    sequence_pool_0.tmp_0        lod: {}
        dim: 2, 1
        layout: NCHW
        dtype: float
        data: [0.5 5.5]
    <BLANKLINE>
    """

    def __init__(self, place: Place | None = None, run_mode: str = "") -> None:
        self._executor = Executor(place)
        self.place = self._executor.place

    def run(
        self,
        program: Program | None,
        data_feed: DataFeedDesc,
        filelist: str | Sequence[str],
        thread_num: int,
        fetch: Any,
        mode: str = "",
        debug: bool = False,
    ) -> None:
        """Run a Program for every batch of files.

        Arguments:
            program: the Program; None means the default main Program.
            data_feed: the description of the files.
            filelist: the path of a file, or a list of paths.
            thread_num: the number of threads; there are no more than files.
            fetch: Variables, or their names.
            mode: accepted for Fluid code, ignored.
            debug: whether to print the fetched Variables after every batch of the first thread.

        Raises:
            ArgumentTypeError, ArgumentValueError: an argument is wrong.
            MissingFileError, PipeCommandError, FileFormatError: a file cannot be read.
        """
        where = "AsyncExecutor.run"
        program = default_main_program() if program is None else program
        if not isinstance(program, Program):
            raise ArgumentTypeError(message(where, "program", describe(program), "a fluid.Program"))
        if not isinstance(data_feed, DataFeedDesc):
            raise ArgumentTypeError(message(where, "data_feed", describe(data_feed), "a fluid.DataFeedDesc"))
        if isinstance(thread_num, bool) or not isinstance(thread_num, int) or thread_num < 1:
            raise ArgumentValueError(
                message(where, "thread_num", describe(thread_num), "a number of threads, 1 or more")
            )
        data = NativeDataset()
        data.set_data_feed_desc(data_feed.proto_desc)
        data.set_filelist([filelist] if isinstance(filelist, str) else filelist)
        names = fetch_names(program, fetch, where) if debug else []
        streams = data.file_streams(min(thread_num, len(data.get_filelist())))
        run_streams(self._executor, program, streams, global_scope(), Printed(names, [""] * len(names), 1))
