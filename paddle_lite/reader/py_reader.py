"""`fluid.layers.py_reader` and related functions: readers of a static Program in the form before DataLoader."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread
from typing import Any

from ..core import unique_name
from ..core.dtype import VarType, to_vartype
from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.mode import require_program
from ..static.program.program import default_main_program
from ..static.program.variable import Variable
from .columns import Column, columns_of
from .source import Reader
from .static_loader import LoaderQueue, StaticLoader

__all__ = ["create_py_reader_by_data", "double_buffer", "py_reader", "read_file"]


class ProgramReader:
    """The reader that `py_reader` returns; `read_file` creates its Variables.

    After that and after `start()`, each run of the Program takes the next batch, until it raises
    `fluid.core.EOFException`; `reset()` ends the epoch.

    Attributes:
        name: its name.
        type: VarType.READER.
        persistable, stop_gradient: True, like a Variable has them.
    """

    type = VarType.READER
    persistable = stop_gradient = True

    def __init__(
        self, where: str, name: str, columns: Sequence[Column], checked: Sequence[bool], capacity: Any
    ) -> None:
        self.name = name
        self._loader = StaticLoader(where, columns, capacity, iterable=False)
        self._checked = list(checked)
        self._variables: list[Variable] | None = None

    @property
    def queue(self) -> LoaderQueue:
        """The batches that wait. Without a generator a program pushes its own, `reader.queue.push([array, array])`, which runs await."""
        assert self._loader.queue is not None  # the loader is not iterable
        self._loader.queue.held = True
        return self._loader.queue

    @property
    def thread(self) -> Thread | None:
        """The thread that reads ahead; None before `start()`, and where a program pushes the batches."""
        channel = self.queue.channel
        return None if channel is None else channel.filler

    def variables(self) -> list[Variable]:
        """Return the Variables that it feeds; the first call creates them in the default main Program."""
        if self._variables is None:
            program = default_main_program()
            prefix = unique_name.generate("read_file")
            names = [unique_name.generate(f"{prefix}.tmp") for _ in self._checked]
            self._variables = [
                program.global_block().create_var(
                    name=name, shape=column.shape, dtype=column.dtype, lod_level=column.lod_level, stop_gradient=True,
                    need_check_feed=checked,
                )
                for name, column, checked in zip(names, self._loader.columns, self._checked, strict=True)
            ]  # fmt: skip
            self._loader.names = names
            program._readers.append(self._loader)
        return self._variables

    def decorate_sample_list_generator(self, reader: Reader, places: Any = None) -> None:
        """Read batches from a function that returns an iterable of lists of samples, such as `paddle.batch` makes.

        Arguments:
            reader: a function that returns an iterable of lists of samples.
            places: accepted for Fluid code, ignored: batches are on the device of the Executor.
        """
        self._loader.set_sample_list_generator(reader)

    def decorate_batch_generator(self, reader: Reader, places: Any = None) -> None:
        """Read batches from a function that returns an iterable of them.

        Arguments:
            reader: a function that returns an iterable of batches; a batch has an array for each Variable.
            places: accepted for Fluid code, ignored: batches are on the device of the Executor.
        """
        self._loader.set_batch_generator(reader)

    decorate_paddle_reader = decorate_sample_list_generator
    decorate_tensor_provider = decorate_batch_generator

    def start(self) -> None:
        """Start an epoch: a thread reads ahead from now on.

        Raises:
            ModeError: it was started before, or has no generator.
        """
        self._loader.start()

    def reset(self) -> None:
        """End the epoch and its thread, after the current sample of the generator."""
        self._loader.reset()

    def __repr__(self) -> str:
        columns = ", ".join(f"{list(c.shape)} {c.dtype.name.lower()}" for c in self._loader.columns)
        return f"<reader {self.name} of {columns}>"


def _named(where: str, name: str | None, use_double_buffer: bool) -> str:
    """Return the name of a new reader, as PaddlePaddle generates it; raise in imperative mode."""
    fix = "fluid.io.DataLoader.from_generator works in both."
    require_program(message(where, "the mode", "imperative mode", "static mode", fix))
    if name is None:
        names = [unique_name.generate(each) for each in ("lod_tensor_blocking_queue", "create_py_reader")]
        return unique_name.generate("double_buffer") if use_double_buffer else names[-1]
    return f"{name}_double_buffer" if use_double_buffer else f"{name}_reader"


def py_reader(
    capacity: int,
    shapes: Sequence[Sequence[int]],
    dtypes: Sequence[Any],
    lod_levels: Sequence[int] | None = None,
    name: str | None = None,
    use_double_buffer: bool = True,
) -> ProgramReader:
    """Make a reader that feeds the default main Program itself; `read_file` creates the Variables that it feeds.

    `fluid.io.DataLoader.from_generator` is the newer form.

    Arguments:
        capacity: the largest number of batches to read ahead.
        shapes: the shape of each Variable; -1 for any size.
        dtypes: the dtype of each Variable.
        lod_levels: the LoD level of each Variable; 0 where it is None.
        name: the name of the reader.
        use_double_buffer: accepted for Fluid code, ignored: a thread always reads ahead.

    Returns:
        A reader with start(), reset(), decorate_sample_list_generator() and decorate_batch_generator(); the last two
            set the generator and are also called decorate_paddle_reader and decorate_tensor_provider.

    Raises:
        ArgumentTypeError: `shapes`, `dtypes` or `lod_levels` is not a list.
        ArgumentValueError: they have different lengths, or `capacity` is not a positive int.
        ModeError: in imperative mode.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> main = fluid.Program()
    >>> with fluid.program_guard(main, fluid.Program()):
    ...     reader = fluid.layers.py_reader(2, shapes=[[-1, 2], [-1, 1]], dtypes=['float32', 'int64'])
    ...     image, label = fluid.layers.read_file(reader)
    ...     total = fluid.layers.reduce_sum(image)
    >>> def batches():
    ...     yield np.ones([3, 2], 'float32'), np.zeros([3, 1], 'int64')
    >>> reader.decorate_batch_generator(batches)
    >>> reader.start()
    >>> fluid.Executor(fluid.CPUPlace()).run(main, fetch_list=[total])
    [array([6.], dtype=float32)]
    >>> reader.reset()
    """
    where = "py_reader"
    levels = [0] * len(shapes) if lod_levels is None and isinstance(shapes, (list, tuple)) else lod_levels
    given: list[Any] = [shapes, dtypes, levels]
    for argument, each in zip(("shapes", "dtypes", "lod_levels"), given, strict=True):
        if not isinstance(each, (list, tuple)):
            raise ArgumentTypeError(message(where, argument, describe(each), "a list with one for each Variable"))
        if len(each) != len(shapes) or not each:
            needs = f"{len(shapes) or 'at least 1'}, one for each Variable"
            raise ArgumentValueError(message(where, argument, f"{len(each)} of them", needs))
    for shape in shapes:
        if not isinstance(shape, (list, tuple)):
            raise ArgumentTypeError(message(where, "shapes", describe(shape), "a list of sizes for each Variable"))
    columns = [
        Column("", tuple(-1 if n is None else int(n) for n in shape), to_vartype(dtype, where), level)
        for shape, dtype, level in zip(*given, strict=True)
    ]
    return ProgramReader(where, _named(where, name, use_double_buffer), columns, [False] * len(columns), capacity)


def create_py_reader_by_data(
    capacity: int, feed_list: Sequence[Any], name: str | None = None, use_double_buffer: bool = True
) -> ProgramReader:
    """Make a reader like that of `py_reader`, with the shapes and dtypes of given Variables.

    Arguments:
        capacity: the largest number of batches to read ahead.
        feed_list: data Variables. The reader does not feed them: `read_file` creates others with their shapes and
            dtypes.
        name: the name of the reader.
        use_double_buffer: accepted for Fluid code, ignored: a thread always reads ahead.

    Returns:
        A reader, as `py_reader` returns it.

    Raises:
        ArgumentTypeError: `feed_list` holds something other than Variables.
        ArgumentValueError: `feed_list` is empty, or `capacity` is not a positive int.
        ModeError: in imperative mode.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     image = fluid.data('image', [None, 784], 'float32')
    ...     reader = fluid.layers.create_py_reader_by_data(4, [image])
    ...     fluid.layers.read_file(reader).shape
    (-1, 784)
    """
    where = "create_py_reader_by_data"
    columns = columns_of(feed_list, where)
    if not columns:
        raise ArgumentValueError(message(where, "feed_list", "none", "at least one data Variable"))
    variables: list[Any] = list(feed_list) if isinstance(feed_list, (list, tuple)) else [feed_list]
    checked = [variable.need_check_feed for variable in variables]
    return ProgramReader(where, _named(where, name, use_double_buffer), columns, checked, capacity)


def read_file(reader: ProgramReader) -> Any:
    """Return the Variables of the default main Program that a reader feeds.

    Arguments:
        reader: a reader from `py_reader`, `create_py_reader_by_data` or `double_buffer`.

    Returns:
        A list of Variables, or the Variable if there is only one. Calls with the same reader return the same Variables.

    Raises:
        ArgumentTypeError: `reader` is not such a reader.
    """
    variables = _checked("read_file", reader).variables()
    return list(variables) if len(variables) > 1 else variables[0]


def double_buffer(reader: ProgramReader, place: Any = None, name: str | None = None) -> ProgramReader:
    """Return the reader unchanged: a thread always reads ahead.

    Arguments:
        reader: a reader from `py_reader` or `create_py_reader_by_data`.
        place, name: accepted for Fluid code, ignored.

    Returns:
        `reader`.

    Raises:
        ArgumentTypeError: `reader` is not such a reader.
    """
    return _checked("double_buffer", reader)


def _checked(where: str, reader: Any) -> ProgramReader:
    """Return `reader` if it is a ProgramReader; raise otherwise."""
    if not isinstance(reader, ProgramReader):
        needs = "what py_reader or create_py_reader_by_data returned"
        raise ArgumentTypeError(message(where, "reader", describe(reader), needs))
    return reader
