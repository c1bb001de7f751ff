"""Recurrent blocks of Programs: StaticRNN over sequences of one length, DynamicRNN over a ragged batch, IfElse over
rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...core import unique_name
from ...core.dtype import VarType, to_vartype
from ...core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, describe, message
from ...core.mode import require_program
from ...ops.math import arithmetic as ops_math
from ...ops.math import compare
from ...ops.shape import fill
from ...static.program import nested_blocks
from ...static.program.block import Block
from ..support.arguments import check_name, check_variable, is_variable
from .control_flow import While
from .rank_table import (
    array_to_lod_tensor,
    current_block,
    lod_rank_table,
    lod_tensor_to_array,
    max_sequence_len,
    merge_lod_tensor,
    reorder_lod_tensor_by_rank,
    shrink_memory,
    split_lod_tensor,
)
from .tensor_array import array_read, array_write, create_array

__all__ = ["DynamicRNN", "IfElse", "StaticRNN", "reorder_lod_tensor_by_rank"]


class _Stage:
    """Tracks whether the block of a recurrent layer is not yet open, open or closed, and checks calls against it."""

    def __init__(self, name: str) -> None:
        require_program(f"{name}: builds a block of a Program; in imperative mode write a Python loop.")
        self.name = name
        self.stage = "before"

    def need(self, stage: str, call: str) -> None:
        """Raise unless the block is at this stage."""
        if self.stage != stage:
            where = {"inside": "inside of the block", "behind": "behind the block"}[stage]
            raise ArgumentValueError(
                message(f"{self.name}.{call}", "the call", f"made {self.stage} the block", f"one {where}")
            )


class StaticRNN:
    """A recurrent block over sequences of one length; the first axis of each input is time.

    Arguments:
        name: the prefix of the names of its Variables; generated where it is None.

    Raises:
        ModeError: in imperative mode.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [4, None, 3], 'float32')
    ...     rnn = fluid.layers.StaticRNN()
    ...     with rnn.step():
    ...         word = rnn.step_input(x)
    ...         total = rnn.memory(shape=[-1, 3], batch_ref=word)
    ...         new = total + word
    ...         rnn.update_memory(total, new)
    ...         rnn.step_output(new)
    ...     sums = rnn()
    ...     [out] = fluid.Executor(fluid.CPUPlace()).run(feed={'x': np.ones([4, 2, 3], 'float32')}, fetch_list=[sums])
    >>> out[:, 0, 0]
    array([1., 2., 3., 4.], dtype=float32)
    """

    def __init__(self, name: str | None = None) -> None:
        self._stage = _Stage("StaticRNN")
        check_name("StaticRNN", name)
        self._name = name or unique_name.generate("static_rnn")
        self._inputs: list[tuple[Any, Any]] = []  # (sequence outside of the block, its step inside)
        self._memories: list[list[Any]] = []  # [initial value outside of the block, value inside, next value inside]
        self._outputs: list[Any] = []
        self._length: int | None = None
        self._results: list[Any] = []

    @contextmanager
    def step(self) -> Iterator[None]:
        """Open the block of one time step: operators called inside of the `with` belong to it."""
        self._stage.stage = "inside"
        with nested_blocks.nested_block() as self._block:
            yield
        self._stage.stage = "behind"
        self._complete()

    def _around(self) -> Block:
        """Return the enclosing block."""
        parent = self._block.parent
        assert parent is not None
        return parent

    def step_input(self, x: Any) -> Any:
        """Return the current time step of a sequence.

        Arguments:
            x: a Variable [steps, ...].

        Returns:
            A Variable of shape x.shape[1:].

        Raises:
            ArgumentTypeError: x is not a Variable.
            ShapeError: x has another number of steps than an earlier input.
            ArgumentValueError: the call is made outside of the block.
        """
        self._stage.need("inside", "step_input")
        check_variable("StaticRNN.step_input", "x", x)
        if self._length is None:
            self._length = x.shape[0]
        elif x.shape[0] != -1 and self._length != x.shape[0]:
            got = f"{x.shape[0]} steps"
            raise ShapeError(message("StaticRNN.step_input", "x", got, f"{self._length}, as the first input has"))
        step = self._block.create_var(name=x.name, dtype=x.dtype, shape=x.shape[1:])
        step.is_data = True
        self._inputs.append((x, step))
        return step

    def memory(
        self,
        init: Any = None,
        shape: Any = None,
        batch_ref: Any = None,
        init_value: float = 0.0,
        init_batch_dim_idx: int = 0,
        ref_batch_dim_idx: int = 1,
    ) -> Any:
        """Create a state that is passed from one time step to the next.

        Arguments:
            init: its initial value, a Variable.
            shape: where `init` is None: the shape of the state, with -1 for the batch.
            batch_ref: where `init` is None: a step input; dimension `ref_batch_dim_idx` of its sequence is the batch.
            init_value: where `init` is None: the number that fills the initial state.
            init_batch_dim_idx: the index of the batch in `shape`.
            ref_batch_dim_idx: the index of the batch in the sequence.

        Returns:
            The state in the current time step, a Variable.

        Raises:
            ArgumentValueError: neither init nor both of shape and batch_ref are given, or the call is made outside of
                the block.
        """
        self._stage.need("inside", "memory")
        if init is None:
            if shape is None or batch_ref is None:
                needs = "both of them where init is None"
                raise ArgumentValueError(message("StaticRNN.memory", "shape and batch_ref", "None", needs))
            sequence = next((x for x, step in self._inputs if step is batch_ref), batch_ref)
            with outside(self._block):
                init = fill.fill_constant_batch_size_like.call(
                    sequence, value=float(init_value), shape=list(shape), dtype=int(sequence.dtype),
                    input_dim_idx=ref_batch_dim_idx, output_dim_idx=init_batch_dim_idx,
                )  # fmt: skip
        check_variable("StaticRNN.memory", "init", init)
        name = unique_name.generate(f"{self._name}@mem")
        state = self._block.create_var(name=name, dtype=init.dtype, shape=init.shape)
        state.is_data = True
        self._memories.append([init, state, None])
        return state

    def update_memory(self, mem: Any, var: Any) -> None:
        """Set the value of a state in the next time step.

        Arguments:
            mem: a state that `memory` returned.
            var: a Variable of the block.
        """
        self._stage.need("inside", "update_memory")
        check_variable("StaticRNN.update_memory", "var", var)
        for memory in self._memories:
            if memory[1] is mem:
                memory[2] = var
                return
        raise ArgumentValueError(message("StaticRNN.update_memory", "mem", describe(mem), "what memory() returned"))

    def step_output(self, o: Any) -> None:
        """Stack a Variable over all time steps into an output [steps, ...]."""
        self._stage.need("inside", "step_output")
        self._outputs.append(check_variable("StaticRNN.step_output", "o", o))

    def output(self, *outputs: Any) -> None:
        """Stack several Variables over all time steps."""
        for each in outputs:
            self.step_output(each)

    def __call__(self) -> Any:
        """Return the outputs, each [steps, ...]: one Variable, or a list of them."""
        self._stage.need("behind", "__call__")
        return self._results[0] if len(self._results) == 1 else self._results

    def _complete(self) -> None:
        """Append the `recurrent` operator that runs the block."""
        block, around = self._block, self._around()
        if not self._inputs:
            raise ArgumentValueError(message("StaticRNN", "the block", "no step_input", "at least one"))
        if any(new is None for _, _, new in self._memories):
            fix = "Call update_memory(mem, var) for each memory."
            raise ArgumentValueError(message("StaticRNN", "a memory", "no new value", "one in each step", fix))
        outputs, states = [], []
        for value in self._outputs:
            outputs.append(self._helper(value))
        for _, _, new in self._memories:
            states.append(self._helper(new))
        own = {step.name for _, step in self._inputs} | {state.name for _, state, _ in self._memories}
        read = [n for n in nested_blocks.reads_from_outside(block) if n not in own and n not in block.vars]
        for inner, value in zip(outputs, self._outputs, strict=True):
            outer = around.create_var(name=inner.name, dtype=value.dtype, shape=[self._length or -1, *value.shape])
            self._results.append(outer)
        inputs = {
            "inputs": [x for x, _ in self._inputs], "initial_states": [init for init, _, _ in self._memories],
            "parameters": [n for n in read if around.find(n) is not None],
        }  # fmt: skip
        attrs = {
            "has_states": bool(self._memories), "ex_states": [s.name for _, s, _ in self._memories],
            "states": [s.name for s in states], "sub_block": block,
        }  # fmt: skip
        scopes = around.create_var(type=VarType.STEP_SCOPES)
        around.append_op("recurrent", inputs, {"outputs": self._results, "step_scopes": scopes}, attrs)

    def _helper(self, value: Any) -> Any:
        """Copy a value into a new Variable of the block whose name starts with the name of this RNN."""
        result = self._block.create_var(name=unique_name.generate(f"{self._name}.tmp"), dtype=value.dtype)
        self._block.append_op("rnn_memory_helper", {"X": value}, {"Out": result}, {"dtype": int(value.dtype)})
        return result


@contextmanager
def outside(block: Block) -> Iterator[None]:
    """Append the operators called inside of the `with` to the enclosing block."""
    program = block.program
    before, program.current_block_idx = program.current_block_idx, block.parent_idx
    try:
        yield
    finally:
        program.current_block_idx = before


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
        self._stage = _Stage("DynamicRNN")
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


class IfElse:
    """Branches of a Program by row of a batch: one block computes the rows where a condition is true, one the others.

    Arguments:
        cond: a bool Variable [rows, 1].
        name: accepted for Fluid code, ignored.

    Raises:
        ModeError: in imperative mode.
        ArgumentTypeError: cond is not a Variable, or name is not a string.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [None, 1], 'float32')
    ...     choice = fluid.layers.IfElse(x > 0)
    ...     with choice.true_block():
    ...         choice.output(choice.input(x) * 10)
    ...     with choice.false_block():
    ...         choice.output(choice.input(x) - 1)
    ...     [y] = choice()
    ...     feed = {'x': np.array([[1], [-1], [2]], 'float32')}
    ...     fluid.Executor(fluid.CPUPlace()).run(feed=feed, fetch_list=[y])[0].ravel()
    array([10., -2., 20.], dtype=float32)
    """

    def __init__(self, cond: Any, name: str | None = None) -> None:
        require_program("IfElse: builds blocks of a Program; in imperative mode choose rows with where() and gather().")
        if not is_variable(cond):
            raise ArgumentTypeError(message("IfElse", "cond", describe(cond), "a bool Variable [rows, 1]"))
        check_name("IfElse", name)
        self._cond = cond
        self._split: dict[str, tuple[Any, Any]] = {}
        self._outputs: list[list[Any]] = [[], []]
        self._which: int | None = None

    @contextmanager
    def true_block(self) -> Iterator[None]:
        """Open the block for the rows where the condition is true."""
        with self._block_of(0):
            yield

    @contextmanager
    def false_block(self) -> Iterator[None]:
        """Open the block for the rows where the condition is false."""
        with self._block_of(1):
            yield

    @contextmanager
    def _block_of(self, which: int) -> Iterator[None]:
        """Open one of the two blocks; append it as a conditional operator at its end."""
        with nested_blocks.nested_block() as self._block:
            self._which = which
            yield
            self._which = None
        if not self._outputs[which]:
            raise ArgumentValueError(
                message("IfElse", f"the {'false' if which else 'true'} block", "no output", "output(...)")
            )
        nested_blocks.append_conditional([self._cond], self._block, is_scalar_condition=False)

    def input(self, x: Any) -> Any:
        """Return the rows of `x` that the open block computes."""
        if self._which is None:
            raise ArgumentValueError(message("IfElse.input", "the call", "made outside of a block", "one inside"))
        check_variable("IfElse.input", "x", x)
        if x.name not in self._split:
            with outside(self._block):
                self._split[x.name] = split_lod_tensor(x, self._cond)
        return self._split[x.name][self._which]

    def output(self, *outs: Any) -> None:
        """Set the results of the open block for its rows."""
        if self._which is None:
            raise ArgumentValueError(message("IfElse.output", "the call", "made outside of a block", "one inside"))
        around = self._block.parent
        assert around is not None
        for value in outs:
            check_variable("IfElse.output", "outs", value)
            target = around.create_var(name=unique_name.generate("ifelse_output"))
            target.set_meta(value.meta)
            self._block.append_op("assign", {"X": value}, {"Out": target})
            self._outputs[self._which].append(target)

    def __call__(self) -> list[Any]:
        """Return the merged outputs of both blocks, with the rows in the order of the condition."""
        yes, no = self._outputs
        if len(yes) != len(no):
            got = f"{len(yes)} and {len(no)} outputs"
            raise ArgumentValueError(message("IfElse", "the two blocks", got, "as many outputs"))
        return [merge_lod_tensor(t, f, self._cond, self._cond) for t, f in zip(yes, no, strict=True)]
