"""`layers.rnn` and `layers.birnn`: run a cell over padded sequences."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, ShapeError, describe, message
from ...core.mode import ByMode
from ...ops.math import elementwise
from ...ops.shape import shape
from ...ops.support.nested_structure import flatten, map_structure, pack_like
from ..control.static_rnn import StaticRNN
from ..sequence.sequence import sequence_mask
from ..shape.rearrange import reverse
from ..shape.shape import concat, stack, transpose
from ..support.arguments import is_variable

__all__ = ["birnn", "rnn"]


def rnn(
    cell: Any,
    inputs: Any,
    initial_states: Any = None,
    sequence_length: Any = None,
    time_major: bool = False,
    is_reverse: bool = False,
    **kwargs: Any,
) -> tuple[Any, Any]:
    """Run a cell over the time steps of its inputs.

    Arguments:
        cell: an RNNCell.
        inputs: a Variable [N, steps, ...], or [steps, N, ...] with `time_major`; or a nested structure of such
            Variables.
        initial_states: the states before the first step; zeros where it is None.
        sequence_length: the number of steps of each sample, an integer Variable [N]; the states of a sample do not
            change after its last step.
        time_major: whether the first two dimensions of inputs and outputs are [steps, N].
        is_reverse: whether to run from the last step to the first.
        kwargs: passed to the cell in each step.

    Returns:
        (the outputs of all steps in the layout of the inputs, the states after the last step).

    Raises:
        ArgumentTypeError: cell is not callable, or inputs or sequence_length holds something other than Variables.
        ShapeError: an input has rank 1, or sequence_length is not [N].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     x = fluid.data('x', [None, 7, 4], 'float32')
    ...     outputs, last = fluid.layers.rnn(fluid.layers.GRUCell(hidden_size=5), x)
    >>> outputs.shape, last.shape
    ((-1, 7, 5), (-1, 5))
    """
    if not callable(cell):
        raise ArgumentTypeError(message("rnn", "cell", describe(cell), "an RNNCell"))
    for leaf in flatten(inputs):
        if not is_variable(leaf):
            raise ArgumentTypeError(message("rnn", "inputs", describe(leaf), "Variables"))
        if len(leaf.shape) < 2:
            needs = "[steps, batch, ...]" if time_major else "[batch, steps, ...]"
            raise ShapeError(message("rnn", "inputs", f"shape {list(leaf.shape)}", needs))
    if sequence_length is not None:
        _require_lengths(sequence_length, flatten(inputs)[0].shape[1 if time_major else 0])
    if initial_states is None:
        initial_states = cell.get_initial_states(batch_ref=inputs, batch_dim_idx=1 if time_major else 0)
    if not time_major:
        inputs = map_structure(_swapped, inputs)
    outputs, states = _steps(cell, inputs, initial_states, sequence_length, is_reverse, kwargs)
    return outputs if time_major else map_structure(_swapped, outputs), states


def _require_lengths(lengths: Any, batch: int) -> None:
    """Raise unless the lengths are a Variable [N]."""
    if not is_variable(lengths):
        raise ArgumentTypeError(message("rnn", "sequence_length", describe(lengths), "a Variable of shape [batch]"))
    if len(lengths.shape) != 1 or (batch != lengths.shape[0] and -1 not in (batch, lengths.shape[0])):
        needs = f"shape {[batch]}, the steps of each sample of inputs"
        raise ShapeError(message("rnn", "sequence_length", f"shape {list(lengths.shape)}", needs))


def birnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    initial_states: Any = None,
    sequence_length: Any = None,
    time_major: bool = False,
    **kwargs: Any,
) -> tuple[Any, tuple[Any, Any]]:
    """Run one cell forwards and another one backwards over the time steps of the inputs.

    Arguments:
        cell_fw, cell_bw: RNNCells.
        inputs, sequence_length, time_major, kwargs: as in `rnn`.
        initial_states: (the initial states of cell_fw, those of cell_bw); zeros where it is None.

    Returns:
        (the outputs of both, concatenated along the last dimension; (last states of cell_fw, last states of cell_bw)).

    Raises:
        ArgumentTypeError: a cell is not callable, initial_states is not a pair, or inputs or sequence_length holds
            something other than Variables.
        ShapeError: an input has rank 1, or sequence_length is not [N].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     x = fluid.data('x', [None, 7, 4], 'float32')
    ...     outputs, _ = fluid.layers.birnn(fluid.layers.GRUCell(5), fluid.layers.GRUCell(5), x)
    >>> outputs.shape
    (-1, 7, 10)
    """
    if initial_states is not None and (not isinstance(initial_states, (list, tuple)) or len(initial_states) != 2):
        raise ArgumentTypeError(
            message("birnn", "initial_states", describe(initial_states), "a pair, one for each cell")
        )
    ahead, behind = (None, None) if initial_states is None else initial_states
    forth, last = rnn(cell_fw, inputs, ahead, sequence_length, time_major, **kwargs)
    back, first = rnn(cell_bw, inputs, behind, sequence_length, time_major, is_reverse=True, **kwargs)
    return map_structure(lambda a, b: concat([a, b], -1), forth, back), (last, first)


def _swapped(x: Any) -> Any:
    """Swap the first two dimensions."""
    return transpose(x, [1, 0, *range(2, len(x.shape))])


def _kept(new: Any, old: Any, mask: Any) -> Any:
    """Select the new state where the mask is 1 and the old state where it is 0."""
    multiply = elementwise.elementwise_mul.call
    return multiply(new, mask, axis=0) - multiply(old, mask - 1, axis=0)


def _in_program(cell: Any, inputs: Any, initial: Any, lengths: Any, is_reverse: bool, kwargs: Any) -> tuple[Any, Any]:
    """Build a StaticRNN that runs the cell."""
    mask = None
    if lengths is not None:
        first = flatten(inputs)[0]
        steps = shape.shape.call(first)
        mask = transpose(sequence_mask(lengths, maxlen=steps[0], dtype=flatten(initial)[0].dtype), [1, 0])
    if is_reverse:
        inputs = map_structure(lambda x: reverse(x, axis=[0]), inputs)
        mask = None if mask is None else reverse(mask, axis=[0])
    recurrence = StaticRNN()
    with recurrence.step():
        given = map_structure(recurrence.step_input, inputs)
        states = map_structure(lambda state: recurrence.memory(init=state), initial)
        copied = pack_like(states, iter(flatten(states)))
        outputs, new = cell(given, copied, **kwargs)
        if mask is not None:
            step_mask = recurrence.step_input(mask)
            new = map_structure(lambda n, o: _kept(n, o, step_mask), new, states)
        map_structure(recurrence.update_memory, states, new)
        map_structure(recurrence.step_output, outputs)
        map_structure(recurrence.step_output, new)
    found = recurrence()
    leaves = iter(found if isinstance(found, list) else [found])
    results = pack_like(outputs, leaves)
    last = map_structure(lambda x: x[-1], pack_like(new, leaves))
    if is_reverse:
        results = map_structure(lambda x: reverse(x, axis=[0]), results)
    return results, last


def _in_python(cell: Any, inputs: Any, states: Any, lengths: Any, is_reverse: bool, kwargs: Any) -> tuple[Any, Any]:
    """Run the cell in a Python loop (imperative mode)."""
    steps = flatten(inputs)[0].shape[0]
    mask = None
    if lengths is not None:
        mask = transpose(sequence_mask(lengths, maxlen=steps, dtype=flatten(states)[0].dtype), [1, 0])
    rows: list[Any] = [None] * steps
    for t in reversed(range(steps)) if is_reverse else range(steps):
        outputs, new = cell(map_structure(lambda x, t=t: x[t], inputs), states, **kwargs)
        if mask is not None:
            new = map_structure(lambda n, o, t=t: _kept(n, o, mask[t]), new, states)
        rows[t], states = outputs, new
    columns = zip(*(flatten(row) for row in rows), strict=True)
    return pack_like(rows[0], iter([stack(list(column)) for column in columns])), states


_steps = ByMode(imperative=_in_python, static=_in_program)
