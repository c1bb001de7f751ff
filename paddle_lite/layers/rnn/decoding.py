"""Decoding step by step: `dynamic_decode`, beam search over a cell, and helpers that choose the next input."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

from ...core import flags
from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.mode import ByMode
from ...ops.framework import registry
from ...ops.math import arithmetic as ops_math
from ...ops.math import compare
from ...ops.shape import fill
from ...ops.support.nested_structure import flatten, map_structure, pack_like
from ...static.plan.loops.runtime import MOST, too_many_rounds
from ...static.program import program as programs
from ..control.block_stages import outside
from ..control.control_flow import While
from ..control.tensor_array import array_read, array_write, create_array, tensor_array_to_tensor
from ..math.arithmetic import cast
from ..math.reduce import reduce_all
from ..random.random import sampling_id
from ..shape.index import argmax, gather, gather_nd, topk
from ..shape.shape import concat, expand, reshape, shape, stack, transpose, unsqueeze
from ..support.arguments import check_int, is_variable
from .beam import gather_tree

__all__ = [
    "BasicDecoder", "BeamSearchDecoder", "DecodeHelper", "Decoder", "GreedyEmbeddingHelper", "SampleEmbeddingHelper",
    "TrainingHelper", "dynamic_decode",
]  # fmt: skip

INFINITY = 1e9


def _constant(value: float, dtype: int, shape: list[int]) -> Any:
    """Make a Variable that is filled with one number."""
    return fill.fill_constant.call(shape=shape, value=float(value), dtype=int(dtype))


class Decoder:
    """Base class of decoders for `dynamic_decode`: `initialize` gives the first input, `step` computes one step."""

    def initialize(self, inits: Any) -> tuple[Any, Any, Any]:
        """Return (first inputs, first states, a bool Variable that tells which sequences are finished)."""
        raise NotImplementedError(f"{type(self).__name__}.initialize: a decoder says how it begins")

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """Compute one step; return (outputs, new states, next inputs, which sequences are finished)."""
        raise NotImplementedError(f"{type(self).__name__}.step: a decoder says what a step does")

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Return (outputs, states) computed from the outputs of all steps; called only if a subclass defines it."""
        raise NotImplementedError(f"{type(self).__name__}.finalize")

    @property
    def tracks_own_finished(self) -> bool:
        """Whether `step` itself keeps finished sequences finished."""
        return False


def _sizes(x: Any, start: int) -> list[Any]:
    """Return the sizes of x from axis `start`: ints, and Variables where they are unknown."""
    return [shape(x)[axis] if size == -1 else size for axis, size in enumerate(x.shape) if axis >= start]


def _joined(x: Any) -> Any:
    """Reshape [N, beam_size, ...] to [N * beam_size, ...]."""
    return reshape(x, [-1, *_sizes(x, 2)])


class BeamSearchDecoder(Decoder):
    """Beam search with a cell: each step keeps the `beam_size` most probable continuations of the current sequences.

    Arguments:
        cell: an RNNCell.
        start_token, end_token: the ids that start and end a sequence.
        beam_size: the number of sequences to keep for each sample.
        embedding_fn: a function from ids to the cell's input; None: the ids are the input.
        output_fn: a function from the cell's output to logits over the vocabulary; None: the output is the logits.

    Raises:
        ArgumentValueError: beam_size is not an int of at least 1.
    """

    OutputWrapper = namedtuple("OutputWrapper", ("scores", "predicted_ids", "parent_ids"))
    StateWrapper = namedtuple("StateWrapper", ("cell_states", "log_probs", "finished", "lengths"))

    def __init__(
        self,
        cell: Any,
        start_token: int,
        end_token: int,
        beam_size: int,
        embedding_fn: Callable[[Any], Any] | None = None,
        output_fn: Callable[[Any], Any] | None = None,
    ) -> None:
        if isinstance(beam_size, bool) or not isinstance(beam_size, int) or beam_size < 1:
            raise ArgumentValueError(message("BeamSearchDecoder", "beam_size", describe(beam_size), "1 or more"))
        self.cell = cell
        self.embedding_fn, self.output_fn = embedding_fn, output_fn
        self.start_token, self.end_token, self.beam_size = start_token, end_token, beam_size

    @staticmethod
    def tile_beam_merge_with_batch(x: Any, beam_size: int) -> Any:
        """Repeat each row `beam_size` times, [N, ...] to [N * beam_size, ...]; use it for inputs of each step, such as
        encodings.
        """
        repeated = expand(unsqueeze(x, [1]), [1, beam_size, *[1] * (len(x.shape) - 1)])
        return _joined(repeated)

    def _split_batch_beams(self, x: Any) -> Any:
        """Reshape [N * beam_size, ...] to [N, beam_size, ...]."""
        return reshape(x, [-1, self.beam_size, *_sizes(x, 1)])

    def _merge_batch_beams(self, x: Any) -> Any:
        """Reshape [N, beam_size, ...] to [N * beam_size, ...]."""
        return _joined(x)

    def _expand_to_beam_size(self, x: Any) -> Any:
        """Repeat [N, ...] to [N, beam_size, ...]."""
        return expand(unsqueeze(x, [1]), [1, self.beam_size, *[1] * (len(x.shape) - 1)])

    def initialize(self, initial_cell_states: Any) -> tuple[Any, Any, Any]:
        """Return (first inputs, first states, which beams are finished: none) from the initial states of the cell."""
        first = flatten(initial_cell_states)[0]
        beams = fill.fill_constant_batch_size_like.call

        def filled(value: float, dtype: int) -> Any:
            return beams(first, shape=[-1, self.beam_size], value=float(value), dtype=int(dtype))

        ids = filled(self.start_token, VarType.INT64)
        ones = beams(first, shape=[-1, 1], value=0.0, dtype=int(VarType.FP32))
        rest = beams(first, shape=[-1, max(self.beam_size - 1, 1)], value=-INFINITY, dtype=int(VarType.FP32))
        log_probs = concat([ones, rest], 1) if self.beam_size > 1 else ones
        finished = cast(filled(0, VarType.INT64), "bool")
        states = self.StateWrapper(
            map_structure(self._expand_to_beam_size, initial_cell_states), log_probs, finished, filled(0, VarType.INT64)
        )
        return (self.embedding_fn(ids) if self.embedding_fn else ids), states, finished

    def _gather(self, x: Any, beams: Any, rows: Any) -> Any:
        """Gather the chosen beams of each sample out of [N, beam_size, ...]."""
        where = stack([rows, beams], axis=2)
        if x.dtype == VarType.BOOL:
            return cast(gather_nd(cast(x, "int64"), where), "bool")
        return gather_nd(x, where)

    def _beam_search_step(self, time: Any, logits: Any, next_cell_states: Any, beam_state: Any) -> tuple[Any, Any]:
        """Select the most probable continuations of the beams of each sample."""
        kinds = logits.shape[-1]
        step = registry.get("log")(registry.get("softmax")(logits))
        finished = cast(beam_state.finished, step.dtype)
        ended = _constant(-INFINITY, VarType.FP32, [kinds])
        only_end = registry.get("one_hot_v2")(
            _constant(self.end_token, VarType.INT64, [1]), depth=kinds, dtype=int(VarType.FP32)
        )
        ended = ended + reshape(only_end, [kinds]) * INFINITY
        kept = registry.get("elementwise_mul").call(step, finished * -1.0 + 1.0, axis=0)
        stopped = registry.get("elementwise_mul").call(expand(unsqueeze(finished, [2]), [1, 1, kinds]), ended, axis=2)
        total = registry.get("elementwise_add").call(kept + stopped, beam_state.log_probs, axis=0)
        scores, places = topk(reshape(total, [-1, self.beam_size * kinds]), self.beam_size)
        size = _constant(kinds, VarType.INT64, [1])
        beams = registry.get("elementwise_floordiv").call(places, size)
        tokens = registry.get("elementwise_mod").call(places, size)
        rows = _rows_like(beams)
        found = map_structure(lambda x: self._gather(x, beams, rows), next_cell_states)
        finished_then = self._gather(beam_state.finished, beams, rows)
        lengths = self._gather(beam_state.lengths, beams, rows)
        lengths = lengths + cast(compare.logical_not.call(finished_then), lengths.dtype)
        end = compare.equal.call(tokens, _constant(self.end_token, VarType.INT64, [1]))
        now = compare.logical_or.call(finished_then, end)
        return self.OutputWrapper(scores, tokens, beams), self.StateWrapper(found, scores, now, lengths)

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """Compute one step of the cell and of the search."""
        merged = map_structure(self._merge_batch_beams, states.cell_states)
        outputs, new = self.cell(map_structure(self._merge_batch_beams, inputs), merged, **kwargs)
        if self.output_fn is not None:
            outputs = self.output_fn(outputs)
        logits, cell_states = self._split_batch_beams(outputs), map_structure(self._split_batch_beams, new)
        found, next_states = self._beam_search_step(time, logits, cell_states, states)
        ids = found.predicted_ids
        ids.stop_gradient = True
        following = self.embedding_fn(ids) if self.embedding_fn else ids
        return found, next_states, following, next_states.finished

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Return (the sequences of ids traced back along the beams [steps, N, beam_size], the last states)."""
        return gather_tree(outputs.predicted_ids, outputs.parent_ids), final_states

    @property
    def tracks_own_finished(self) -> bool:
        """True: `step` reorders the beams together with their finished flags."""
        return True


def _rows_like(beams: Any) -> Any:
    """Return the row index of each entry of [N, beam_size], int64."""
    ones = registry.get("fill_any_like")(beams, value=1.0, dtype=int(VarType.INT64))
    return registry.get("cumsum")(ones, axis=0) - 1


class DecodeHelper:
    """Base class of the helpers of BasicDecoder: they choose the ids of a step and the next input."""

    def initialize(self) -> tuple[Any, Any]:
        """Return (first inputs, which sequences are finished)."""
        raise NotImplementedError(f"{type(self).__name__}.initialize")

    def sample(self, time: Any, outputs: Any, states: Any) -> Any:
        """Return the ids chosen from the outputs of a step."""
        raise NotImplementedError(f"{type(self).__name__}.sample")

    def next_inputs(self, time: Any, outputs: Any, states: Any, sample_ids: Any) -> tuple[Any, Any, Any]:
        """Return (which sequences are finished, next inputs, states)."""
        raise NotImplementedError(f"{type(self).__name__}.next_inputs")


class TrainingHelper(DecodeHelper):
    """A helper whose next input is the true sequence (teacher forcing).

    Arguments:
        inputs: a Variable [N, steps, ...], or a structure of such Variables.
        sequence_length: the number of steps of each sample, int64 [N].
        time_major: whether the first two dimensions are [steps, N].
    """

    def __init__(self, inputs: Any, sequence_length: Any, time_major: bool = False) -> None:
        self.sequence_length = sequence_length
        swapped = (
            inputs if time_major else map_structure(lambda x: transpose(x, [1, 0, *range(2, len(x.shape))]), inputs)
        )

        def longer(x: Any) -> Any:
            one = registry.get("slice")(x, axes=[0], starts=[-1], ends=[10000000])
            return concat([x, registry.get("fill_zeros_like")(one)], 0)

        # next_inputs reads one step of padding after the last step
        self._inputs = map_structure(longer, swapped)

    def initialize(self) -> tuple[Any, Any]:
        """Return the first step; sequences of length 0 are finished."""
        zero = _constant(0, VarType.INT64, [1])
        finished = compare.equal.call(self.sequence_length, _constant(0, self.sequence_length.dtype, [1]))
        return map_structure(lambda x: _step_of(x, zero), self._inputs), finished

    def sample(self, time: Any, outputs: Any, states: Any) -> Any:
        """Return the most probable ids."""
        return argmax(outputs, axis=-1)

    def next_inputs(self, time: Any, outputs: Any, states: Any, sample_ids: Any) -> tuple[Any, Any, Any]:
        """Return the next step of the true sequence."""
        following = time + 1 if time.dtype == VarType.INT64 else cast(time, "int64") + 1
        finished = compare.less_equal.call(self.sequence_length, cast(following, self.sequence_length.dtype))
        return finished, map_structure(lambda x: _step_of(x, following), self._inputs), states


def _step_of(x: Any, at: Any) -> Any:
    """Return one step of [steps, N, ...]."""
    row = gather(x, at)
    return reshape(row, [-1, *x.shape[2:]])


class GreedyEmbeddingHelper(DecodeHelper):
    """A helper whose next input is the embedding of the most probable id.

    Arguments:
        embedding_fn: a function from ids to the cell's input.
        start_tokens: the first ids, int64 [N].
        end_token: the id that ends a sequence.

    Raises:
        ArgumentTypeError: embedding_fn is not callable.
    """

    def __init__(self, embedding_fn: Callable[[Any], Any], start_tokens: Any, end_token: int) -> None:
        if not callable(embedding_fn):
            raise ArgumentTypeError(
                message(type(self).__name__, "embedding_fn", describe(embedding_fn), "a function of ids")
            )
        self.embedding_fn, self.start_tokens = embedding_fn, start_tokens
        self.end_token = _constant(end_token, VarType.INT64, [1])

    def initialize(self) -> tuple[Any, Any]:
        """Return the embedding of the first ids; no sequence is finished."""
        nothing = registry.get("fill_zeros_like")(self.start_tokens)
        return self.embedding_fn(self.start_tokens), cast(nothing, "bool")

    def sample(self, time: Any, outputs: Any, states: Any) -> Any:
        """Return the most probable ids."""
        return argmax(outputs, axis=-1)

    def next_inputs(self, time: Any, outputs: Any, states: Any, sample_ids: Any) -> tuple[Any, Any, Any]:
        """Return the embedding of the ids; sequences with the end token are finished."""
        return compare.equal.call(sample_ids, self.end_token), self.embedding_fn(sample_ids), states


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """A helper whose next input is the embedding of an id sampled with the probabilities of the step.

    Arguments:
        embedding_fn, start_tokens, end_token: as in GreedyEmbeddingHelper.
        softmax_temperature: the divisor of the logits; a larger one makes the distribution more uniform. None for 1.
        seed: the seed of the generator.

    Raises:
        ArgumentTypeError: embedding_fn is not callable.
    """

    def __init__(
        self,
        embedding_fn: Callable[[Any], Any],
        start_tokens: Any,
        end_token: int,
        softmax_temperature: float | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(embedding_fn, start_tokens, end_token)
        self.temperature, self.seed = softmax_temperature, seed

    def sample(self, time: Any, outputs: Any, states: Any) -> Any:
        """Return sampled ids."""
        logits = outputs if self.temperature is None else outputs * (1.0 / self.temperature)
        return cast(sampling_id(registry.get("softmax")(logits), seed=self.seed or 0), "int64")


class BasicDecoder(Decoder):
    """A decoder that runs a cell; a helper chooses the ids and the next input.

    Arguments:
        cell: an RNNCell.
        helper: a DecodeHelper.
        output_fn: a function from the cell's output to the logits that the helper samples from; None: the output is the
            logits.
    """

    OutputWrapper = namedtuple("OutputWrapper", ("cell_outputs", "sample_ids"))

    def __init__(self, cell: Any, helper: Any, output_fn: Callable[[Any], Any] | None = None) -> None:
        self.cell, self.helper, self.output_fn = cell, helper, output_fn

    def initialize(self, initial_cell_states: Any) -> tuple[Any, Any, Any]:
        """Return (the first inputs of the helper, the states of the cell, which sequences are finished)."""
        inputs, finished = self.helper.initialize()
        return inputs, initial_cell_states, finished

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """Compute one step of the cell and let the helper choose the next input."""
        outputs, new = self.cell(inputs, states, **kwargs)
        if self.output_fn is not None:
            outputs = self.output_fn(outputs)
        ids = self.helper.sample(time=time, outputs=outputs, states=new)
        ids.stop_gradient = True
        finished, following, after = self.helper.next_inputs(time=time, outputs=outputs, states=new, sample_ids=ids)
        return self.OutputWrapper(outputs, ids), after, following, finished


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
        time = _constant(len(rows), VarType.INT64, [1])
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
    time = _constant(0, VarType.INT64, [1])
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
            last = compare.less_equal.call(time, _constant(limit, VarType.INT64, [1]))
            more = compare.logical_and.call(more, last)
        going.take(more)
    found = pack_like(structure, iter([tensor_array_to_tensor(array, axis=0, use_stack=True)[0] for array in made]))
    ends = [array_read(array, time) for array in arrays]
    leaves = iter(ends[len(flatten(inputs)) :])
    return found, pack_like(states, leaves), ends[-1]


_loop = ByMode(imperative=_loop_in_python, static=_loop_in_program)
