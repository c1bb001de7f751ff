"""`dynamic_decode`: runs the steps of a decoder until all sequences are finished."""

from __future__ import annotations

from typing import Any

from ...core import flags
from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.mode import ByMode
from ...ops.framework import registry
from ...ops.math import arithmetic as ops_math
from ...ops.math import compare
from ...ops.support.nested_structure import flatten, map_structure, pack_like
from ...static.plan.loops.runtime import MOST, too_many_rounds
from ...static.program import program as programs
from ..control.block_stages import outside
from ..control.control_flow import While
from ..control.tensor_array import array_read, array_write, create_array, tensor_array_to_tensor
from ..math.arithmetic import cast
from ..math.reduce import reduce_all
from ..shape.shape import stack, transpose
from ..support.arguments import check_int, is_variable
from .decoder import Decoder, constant

__all__ = ["dynamic_decode"]


def dynamic_decode(
    decoder: Any,
    inits: Any = None,
    max_step_num: int | None = None,
    output_time_major: bool = False,
    impute_finished: bool = False,
    is_test: bool = False,
    return_length: bool = False,
    **kwargs: Any,
) -> tuple:
    """Run the steps of a decoder until all sequences are finished.

    Arguments:
        decoder: a Decoder.
        inits: the argument of `decoder.initialize`.
        max_step_num: the number of the last step, counted from 0, after which decoding ends in any case; None for no
            limit.
        output_time_major: whether the first two dimensions of the outputs are [steps, N].
        impute_finished: whether to keep the states of finished sequences unchanged.
        is_test: accepted for Fluid code, ignored.
        return_length: whether to return the lengths of the sequences, too.
        kwargs: passed to the decoder in each step.

    Returns:
        (outputs of all steps, last states); with `return_length` also the number of steps of each sequence.

    Raises:
        ArgumentTypeError: decoder is not a Decoder, or max_step_num is not an int.
        LoopLimitError: it takes more steps than FLAGS_max_loop_iterations allows.
        ArgumentValueError: in imperative mode, if all sequences are finished before the first step.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> layers = fluid.layers
    >>> with fluid.dygraph.guard():
    ...     table = layers.create_parameter([5, 3], 'float32')
    ...     embed = lambda ids: layers.gather(table, ids)
    ...     starts = fluid.dygraph.to_variable(np.zeros(2, 'int64'))
    ...     helper = layers.GreedyEmbeddingHelper(embed, starts, end_token=1)
    ...     decoder = layers.BasicDecoder(layers.GRUCell(4), helper, lambda h: layers.fc(h, 5))
    ...     first = layers.zeros([2, 4], 'float32')
    ...     outputs, last = layers.dynamic_decode(decoder, first, max_step_num=0)
    ...     outputs.sample_ids.shape, last.shape
    ([2, 1], [2, 4])
    """
    if not isinstance(decoder, Decoder):
        raise ArgumentTypeError(message("dynamic_decode", "decoder", describe(decoder), "a Decoder"))
    if max_step_num is not None:
        max_step_num = check_int("dynamic_decode", "max_step_num", max_step_num)
    inputs, states, finished = decoder.initialize(inits)
    outputs, states, lengths = _loop(decoder, inputs, states, finished, max_step_num, impute_finished, kwargs)
    if type(decoder).finalize is not Decoder.finalize:
        outputs, states = decoder.finalize(outputs, states, lengths)
    if not output_time_major:
        outputs = map_structure(lambda x: transpose(x, [1, 0, *range(2, len(x.shape))]), outputs)
    return (outputs, states, lengths) if return_length else (outputs, states)


def _one_step(
    decoder: Any, time: Any, inputs: Any, states: Any, finished: Any, lengths: Any, impute: bool, kwargs: Any
) -> tuple[Any, Any, Any, Any, Any]:
    """Compute one step of the decoder; return (outputs, states, inputs, finished, lengths)."""
    outputs, new, following, now = decoder.step(time, inputs, states, **kwargs)
    if decoder.tracks_own_finished:
        return outputs, new, following, now, getattr(new, "lengths", lengths)
    counted = lengths + cast(compare.logical_not.call(finished), lengths.dtype)
    now = compare.logical_or.call(now, finished)
    if impute:
        new = map_structure(lambda n, o: _held(n, o, finished), new, states)
    return outputs, new, following, now, counted


def _held(new: Any, old: Any, finished: Any) -> Any:
    """Select the old state of finished sequences and the new state of the others."""
    if not is_variable(new) or new.dtype not in (VarType.FP32, VarType.FP64):
        return new
    mask = cast(finished, new.dtype)
    multiply = registry.get("elementwise_mul").call
    return multiply(new, mask * -1.0 + 1.0, axis=0) + multiply(old, mask, axis=0)


def _loop_in_python(
    decoder: Any, inputs: Any, states: Any, finished: Any, limit: Any, impute: bool, kwargs: Any
) -> tuple[Any, Any, Any]:
    """Run the steps in a Python loop (imperative mode)."""
    lengths = cast(registry.get("fill_zeros_like")(cast(finished, "int64")), "int64")
    rows: list[Any] = []
    most = flags.value(MOST)
    while not bool(finished.numpy().all()) and (limit is None or len(rows) <= limit):
        if 0 < most <= len(rows):
            too_many_rounds(most, "dynamic_decode", "the decoder", "sequences that are not finished")
        time = constant(len(rows), VarType.INT64, [1])
        outputs, states, inputs, finished, lengths = _one_step(
            decoder, time, inputs, states, finished, lengths, impute, kwargs
        )
        rows.append(outputs)
    if not rows:
        raise ArgumentValueError(message("dynamic_decode", "the decoder", "finished before the first step", "a step"))
    columns = zip(*(flatten(row) for row in rows), strict=True)
    return pack_like(rows[0], iter([stack(list(column)) for column in columns])), states, lengths


def _loop_in_program(
    decoder: Any, inputs: Any, states: Any, finished: Any, limit: Any, impute: bool, kwargs: Any
) -> tuple[Any, Any, Any]:
    """Build a while loop of a Program that runs the steps."""
    time = constant(0, VarType.INT64, [1])
    going = compare.logical_not.call(reduce_all(finished))
    zeros = cast(registry.get("fill_zeros_like")(cast(finished, "int64")), "int64")
    carried = [*flatten(inputs), *flatten(states), finished, zeros]
    arrays = [create_array(v.dtype) for v in carried]
    for value, array in zip(carried, arrays, strict=True):
        array_write(value, time, array)
    made: list[Any] = []
    structure: Any = None
    loop = While(going)
    with loop.block():
        now = [array_read(array, time) for array in arrays]
        leaves = iter(now)
        given, held = pack_like(inputs, leaves), pack_like(states, leaves)
        before, counted = next(leaves), next(leaves)
        outputs, new, following, after, lengths = _one_step(decoder, time, given, held, before, counted, impute, kwargs)
        structure = outputs
        for leaf in flatten(outputs):
            with outside(programs.default_main_program().current_block()):
                array = create_array(leaf.dtype)
            array_write(leaf, time, array)
            made.append(array)
        time.take(ops_math.increment.call(time, step=1.0))
        for value, array in zip([*flatten(following), *flatten(new), after, lengths], arrays, strict=True):
            array_write(value, time, array)
        more = compare.logical_not.call(reduce_all(after))
        if limit is not None:
            last = compare.less_equal.call(time, constant(limit, VarType.INT64, [1]))
            more = compare.logical_and.call(more, last)
        going.take(more)
    found = pack_like(structure, iter([tensor_array_to_tensor(array, axis=0, use_stack=True)[0] for array in made]))
    ends = [array_read(array, time) for array in arrays]
    leaves = iter(ends[len(flatten(inputs)) :])
    return found, pack_like(states, leaves), ends[-1]


_loop = ByMode(imperative=_loop_in_python, static=_loop_in_program)
