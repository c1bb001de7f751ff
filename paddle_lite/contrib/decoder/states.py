"""States of a decoder's cell: their first values, and where they are kept from step to step."""

from __future__ import annotations

from typing import Any

from ...core import unique_name
from ...core.dtype import VarType
from ...core.errors import ArgumentValueError, message
from ...layers.control.tensor_array import array_read, array_write
from ...layers.math.arithmetic import increment
from ...layers.shape.fill import fill_constant_batch_size_like
from ...layers.support.arguments import check_variable
from ...static.program.block import Block


class InitState:
    """The first value of a state.

    Arguments:
        init: the value, a Variable; or None, with `init_boot`.
        shape, value, dtype: of a state that starts with one number everywhere; shape has -1 in the place of the batch.
        init_boot: a Variable with the batch size of that state.
        need_reorder: whether the rows are to be sorted as the sequences are in training, which is so of everything computed from
            the batch.

    Raises:
        ArgumentValueError: neither init nor init_boot is given.
        ArgumentTypeError: init is no Variable.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     fluid.contrib.decoder.InitState(init_boot=fluid.data('x', [4, 3]), shape=[-1, 2]).value.shape
    (4, 2)
    """

    def __init__(
        self,
        init: Any = None,
        shape: Any = None,
        value: float = 0.0,
        init_boot: Any = None,
        need_reorder: bool = False,
        dtype: Any = "float32",
    ) -> None:
        if init is None and init_boot is None:
            fix = "init_boot says how large the batch is."
            raise ArgumentValueError(message("InitState", "init_boot", "None", "a Variable where init is None", fix))
        if init is None:
            init = fill_constant_batch_size_like(input=init_boot, value=value, shape=shape, dtype=dtype)
        self._init = check_variable("InitState", "init", init)
        self._need_reorder = need_reorder

    @property
    def value(self) -> Any:
        """The first value, a Variable."""
        return self._init

    @property
    def need_reorder(self) -> bool:
        """Whether the rows are sorted as the sequences are in training."""
        return self._need_reorder


class MemoryState:
    """A state that a DynamicRNN keeps, for training.

    Arguments:
        name: its name in the cell.
        rnn: the DynamicRNN.
        first: its InitState.
    """

    def __init__(self, name: str, rnn: Any, first: InitState) -> None:
        self._rnn = rnn
        self._state_mem = rnn.memory(init=first.value, need_reorder=first.need_reorder)

    def get_state(self) -> Any:
        """Return the state of the step before."""
        return self._state_mem

    def update_state(self, state: Any) -> None:
        """Set the state of this step."""
        self._rnn.update_memory(self._state_mem, state)


class ArrayState:
    """A state that an array of a loop keeps, for beam search.

    Arguments:
        name: its name in the cell.
        block: the block around the loop.
        first: its InitState.
    """

    def __init__(self, name: str, block: Block, first: InitState) -> None:
        array = unique_name.generate("array_state_array")
        counter = unique_name.generate("array_state_counter")
        dtype = first.value.dtype
        self._state_array = block.create_var(name=array, type=VarType.LOD_TENSOR_ARRAY, dtype=dtype)
        self._counter = block.create_var(name=counter, shape=[1], dtype="int64", stop_gradient=True)
        zero = {"shape": [1], "dtype": int(VarType.INT64), "value": 0.0, "force_cpu": True}
        block.append_op("fill_constant", {}, {"Out": self._counter}, zero)
        block.append_op("write_to_array", {"X": first.value, "I": self._counter}, {"Out": self._state_array})

    def get_state(self) -> Any:
        """Return the state of the step before."""
        return array_read(array=self._state_array, i=self._counter)

    def update_state(self, state: Any) -> None:
        """Set the state of this step."""
        increment(x=self._counter, value=1, in_place=True)
        array_write(x=state, i=self._counter, array=self._state_array)
