"""DynamicRNN: a recurrent block of a Program over a ragged batch, without padding."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...core import unique_name
from ...core.dtype import VarType, to_vartype
from ...core.errors import ArgumentValueError, describe, message
from ...ops.math import arithmetic as ops_math
from ...ops.math import compare
from ...ops.shape import fill
from ..support.arguments import check_variable
from .block_stages import Stage, outside
from .control_flow import While
from .rank_table import (
    array_to_lod_tensor,
    current_block,
    lod_rank_table,
    lod_tensor_to_array,
    max_sequence_len,
    reorder_lod_tensor_by_rank,
    shrink_memory,
)
from .tensor_array import array_read, array_write, create_array

__all__ = ["DynamicRNN"]


class DynamicRNN:
    """A recurrent block over a ragged batch, without padding: in step t it computes the sequences that are longer than
    t.

    Arguments:
        name: the prefix of the names of its Variables; generated where it is None.

    Raises:
        ModeError: in imperative mode.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [None, 1], 'float32', lod_level=1)
    ...     rnn = fluid.layers.DynamicRNN()
    ...     with rnn.block():
    ...         word = rnn.step_input(x)
    ...         total = rnn.memory(shape=[1], value=0.0)
    ...         new = total + word
    ...         rnn.update_memory(total, new)
    ...         rnn.output(new)
    ...     sums = rnn()
    ...     batch = fluid.create_lod_tensor(np.ones([5, 1], 'float32'), [[2, 3]], fluid.CPUPlace())
    ...     [out] = fluid.Executor(fluid.CPUPlace()).run(feed={'x': batch}, fetch_list=[sums], return_numpy=False)
    >>> np.array(out).ravel(), out.recursive_sequence_lengths()
    (array([1., 2., 1., 2., 3.], dtype=float32), [[2, 3]])
    """

    def __init__(self, name: str | None = None) -> None:
        self._stage = Stage("DynamicRNN")
        self._name = name or unique_name.generate("dynamic_rnn")
        self._step: Any = None
        self._table: Any = None
        self._zero: Any = None
        self._inputs: list[tuple[Any, Any]] = []  # (array, step)
        self._memories: list[tuple[Any, Any]] = []  # (state of a step, its array)
        self._updates: list[tuple[Any, Any]] = []  # (new value, array)
        self._outputs: list[Any] = []  # arrays
        self._results: list[Any] = []

    @property
    def step_idx(self) -> Any:
        """The number of the current step, int64 [1]; to be read inside of the block."""
        return self._step

    @contextmanager
    def block(self) -> Iterator[None]:
        """Open the block of one time step: operators called inside of the `with` belong to it."""
        if self._stage.stage != "before":
            raise ArgumentValueError(message("DynamicRNN.block", "the block", "opened again", "one block"))
        int64 = int(VarType.INT64)
        self._step = fill.fill_constant.call(shape=[1], dtype=int64, value=0.0)
        self._step.stop_gradient = False
        self._going = current_block().create_var(
            name=unique_name.generate(f"{self._name}.tmp"), dtype="bool", shape=[1]
        )
        self._loop = While(self._going)
        self._stage.stage = "inside"
        with self._loop.block():
            self._block = current_block()
            yield
            self._finish()
        self._stage.stage = "behind"
        for array in self._outputs:
            self._results.append(array_to_lod_tensor(array, self._table))

    def _finish(self) -> None:
        """Append the end of the loop body: increment the step, store the new states, compute the loop condition."""
        if self._table is None:
            raise ArgumentValueError(message("DynamicRNN.block", "the block", "no step_input", "at least one"))
        self._step.take(ops_math.increment.call(self._step, step=1.0))
        for new, array in self._updates:
            array_write(new, self._step, array)
        self._going.take(compare.less_than.call(self._step, self._longest))

    def step_input(self, x: Any, level: int = 0) -> Any:
        """Return the current time step of a ragged batch.

        Arguments:
            x: a Variable with a LoD; the first input defines the lengths of the sequences.
            level: the level of the LoD that the time steps follow.

        Returns:
            The rows of this time step, one for each sequence that has it; the longest sequence first.

        Raises:
            ArgumentTypeError: x is not a Variable.
            ArgumentValueError: the call is made outside of the block.
        """
        self._stage.need("inside", "step_input")
        check_variable("DynamicRNN.step_input", "x", x)
        with outside(self._block):
            if self._table is None:
                self._table = lod_rank_table(x, level)
                self._longest = max_sequence_len(self._table)
                self._longest.stop_gradient = False
                self._going.take(compare.less_than.call(self._step, self._longest))
            array = lod_tensor_to_array(x, self._table)
        step = array_read(array, self._step)
        self._inputs.append((array, step))
        return step

    def static_input(self, x: Any) -> Any:
        """Return the part of a Variable that belongs to the sequences of the current time step.

        Arguments:
            x: a Variable that does not change over time, with one row or one sequence for each sequence of the batch.

        Returns:
            The rows or sequences of `x` in the order of the rank table.

        Raises:
            ArgumentTypeError: x is not a Variable.
            ArgumentValueError: the call is made outside of the block, or before step_input.
        """
        self._stage.need("inside", "static_input")
        check_variable("DynamicRNN.static_input", "x", x)
        self._need_input("static_input")
        with outside(self._block):
            ordered = reorder_lod_tensor_by_rank(x, self._table)
        return shrink_memory(ordered, self._step, self._table)

    def _need_input(self, call: str) -> None:
        """Raise unless step_input was called before."""
        if self._table is None:
            raise ArgumentValueError(
                message(f"DynamicRNN.{call}", "the call", "made before step_input", "one behind it")
            )

    def memory(
        self,
        init: Any = None,
        shape: Any = None,
        value: float = 0.0,
        need_reorder: bool = False,
        dtype: Any = "float32",
    ) -> Any:
        """Create a state that is passed from one time step to the next.

        Arguments:
            init: its initial value, a Variable with one row for each sequence.
            shape: where `init` is None: the shape of one row.
            value: where `init` is None: the number that fills the initial state.
            need_reorder: whether the rows of `init` are in the order of the batch rather than that of the rank table.
            dtype: where `init` is None: the dtype.

        Returns:
            The state in the current time step, one row for each sequence that has it.

        Raises:
            ArgumentValueError: neither init nor shape is given, or the call is made outside of the block or before
                step_input.
        """
        self._stage.need("inside", "memory")
        self._need_input("memory")
        with outside(self._block):
            if self._zero is None:
                self._zero = fill.fill_constant.call(shape=[1], dtype=int(VarType.INT64), value=0.0)
            if init is None:
                if shape is None:
                    raise ArgumentValueError(
                        message("DynamicRNN.memory", "shape", "None", "the shape of a row, or init")
                    )
                first = array_read(self._inputs[0][0], self._zero)
                init = fill.fill_constant_batch_size_like.call(
                    first, shape=[-1, *shape], value=float(value), dtype=int(to_vartype(dtype))
                )
                init.stop_gradient = False
            elif need_reorder:
                init = reorder_lod_tensor_by_rank(check_variable("DynamicRNN.memory", "init", init), self._table)
            array = array_write(check_variable("DynamicRNN.memory", "init", init), self._zero)
        state = shrink_memory(array_read(array, self._step), self._step, self._table)
        self._memories.append((state, array))
        return state

    def update_memory(self, ex_mem: Any, new_mem: Any) -> None:
        """Set the value of a state in the next time step.

        Arguments:
            ex_mem: a state that `memory` returned.
            new_mem: a Variable of the block.
        """
        self._stage.need("inside", "update_memory")
        check_variable("DynamicRNN.update_memory", "new_mem", new_mem)
        for state, array in self._memories:
            if state is ex_mem:
                self._updates.append((new_mem, array))
                return
        raise ArgumentValueError(
            message("DynamicRNN.update_memory", "ex_mem", describe(ex_mem), "what memory() returned")
        )

    def output(self, *outputs: Any) -> None:
        """Collect Variables over all time steps into ragged outputs."""
        self._stage.need("inside", "output")
        for value in outputs:
            check_variable("DynamicRNN.output", "outputs", value)
            with outside(self._block):
                array = create_array(value.dtype)
            array_write(value, self._step, array)
            self._outputs.append(array)

    def __call__(self) -> Any:
        """Return the outputs with the LoD of the first step input: one Variable, or a list of them."""
        self._stage.need("behind", "__call__")
        return self._results[0] if len(self._results) == 1 else self._results
