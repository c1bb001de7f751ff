"""StaticRNN: a recurrent block of a Program over sequences of one length."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...core import unique_name
from ...core.dtype import VarType
from ...core.errors import ArgumentValueError, ShapeError, describe, message
from ...ops.shape import fill
from ...static.program import nested_blocks
from ...static.program.block import Block
from ..support.arguments import check_name, check_variable
from .block_stages import Stage, outside

__all__ = ["StaticRNN"]


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
        self._stage = Stage("StaticRNN")
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
        if not self._results:
            fix = "Call step_output(o) or output(...) in the block."
            raise ArgumentValueError(message("StaticRNN", "the block", "no output", "at least one", fix))
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
