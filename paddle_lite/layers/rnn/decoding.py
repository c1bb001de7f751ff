"""Decoding step by step: `dynamic_decode`, beam search over a cell, and decoders that are told or draw the next input."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.mode import ByMode
from ...ops.framework import registry
from ...ops.math import arithmetic as ops_math
from ...ops.math import compare
from ...ops.shape import fill
from ...ops.support.nested_structure import flat, like, mapped
from ...static.program import program as programs
from ..control.control_flow import While
from ..control.recurrence import outside
from ..control.tensor_array import array_read, array_write, create_array, tensor_array_to_tensor
from ..math.arithmetic import cast
from ..math.reduce import reduce_all
from ..random.random import sampling_id
from ..shape.index import argmax, gather, gather_nd, topk
from ..shape.shape import concat, expand, reshape, stack, transpose, unsqueeze
from ..support.arguments import is_variable
from .beam import gather_tree

__all__ = [
    "BasicDecoder", "BeamSearchDecoder", "DecodeHelper", "Decoder", "GreedyEmbeddingHelper", "SampleEmbeddingHelper",
    "TrainingHelper", "dynamic_decode",
]  # fmt: skip

INFINITY = 1e9


def _constant(value: float, dtype: int, shape: list[int]) -> Any:
    return fill.fill_constant.call(shape=shape, value=float(value), dtype=int(dtype))


class Decoder:
    """Base of decoders, for `dynamic_decode`: `initialize` gives the first input, `step` makes one step."""

    def initialize(self, inits: Any) -> tuple[Any, Any, Any]:
        """(first inputs, first states, which are finished already, a bool Variable)."""
        raise NotImplementedError(f"{type(self).__name__}.initialize: a decoder says how it begins")

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """(outputs, new states, next inputs, which are finished now) of one step."""
        raise NotImplementedError(f"{type(self).__name__}.step: a decoder says what a step does")

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """(outputs, states) from those of all steps; called where it is written."""
        raise NotImplementedError(f"{type(self).__name__}.finalize")

    @property
    def tracks_own_finished(self) -> bool:
        """Whether `step` itself hands on what was finished before."""
        return False


class BeamSearchDecoder(Decoder):
    """Beam search with a cell: of all continuations of `beam_size` sequences the likeliest `beam_size` are followed.

    Arguments:
        cell: an RNNCell.
        start_token, end_token: the ids that a sequence begins and ends with.
        beam_size: how many sequences are followed.
        embedding_fn: from ids to the cell's input; the ids themselves where it is None.
        output_fn: from the cell's output to logits over the vocabulary.
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
        """Each row `beam_size` times: [N, ...] to [N * beam_size, ...], for what every step reads, such as encodings."""
        repeated = expand(unsqueeze(x, [1]), [1, beam_size, *[1] * (len(x.shape) - 1)])
        return reshape(repeated, [-1, *x.shape[1:]])

    def _split(self, x: Any) -> Any:
        """[N * beam_size, ...] to [N, beam_size, ...]."""
        return reshape(x, [-1, self.beam_size, *x.shape[1:]])

    def _merge(self, x: Any) -> Any:
        """[N, beam_size, ...] to [N * beam_size, ...]."""
        return reshape(x, [-1, *x.shape[2:]])

    def _tile(self, x: Any) -> Any:
        """[N, ...] to [N, beam_size, ...]."""
        return expand(unsqueeze(x, [1]), [1, self.beam_size, *[1] * (len(x.shape) - 1)])

    def initialize(self, initial_cell_states: Any) -> tuple[Any, Any, Any]:
        """(first inputs, states, nothing finished) from the cell's states before the first step."""
        first = flat(initial_cell_states)[0]
        beams = fill.fill_constant_batch_size_like.call

        def filled(value: float, dtype: int) -> Any:
            return beams(first, shape=[-1, self.beam_size], value=float(value), dtype=int(dtype))

        ids = filled(self.start_token, VarType.INT64)
        ones = beams(first, shape=[-1, 1], value=0.0, dtype=int(VarType.FP32))
        rest = beams(first, shape=[-1, max(self.beam_size - 1, 1)], value=-INFINITY, dtype=int(VarType.FP32))
        log_probs = concat([ones, rest], 1) if self.beam_size > 1 else ones
        finished = cast(filled(0, VarType.INT64), "bool")
        states = self.StateWrapper(
            mapped(self._tile, initial_cell_states), log_probs, finished, filled(0, VarType.INT64)
        )
        return (self.embedding_fn(ids) if self.embedding_fn else ids), states, finished

    def _gathered(self, x: Any, beams: Any, rows: Any) -> Any:
        """Of [N, beam_size, ...] the beams that are chosen for each sample."""
        where = stack([rows, beams], axis=2)
        if x.dtype == VarType.BOOL:
            return cast(gather_nd(cast(x, "int64"), where), "bool")
        return gather_nd(x, where)

    def _search(self, logits: Any, cell_states: Any, states: Any) -> tuple[Any, Any]:
        """The likeliest continuations of the beams of each sample."""
        kinds = logits.shape[-1]
        step = registry.get("log")(registry.get("softmax")(logits))
        finished = cast(states.finished, step.dtype)
        ended = _constant(-INFINITY, VarType.FP32, [kinds])
        only_end = registry.get("one_hot_v2")(
            _constant(self.end_token, VarType.INT64, [1]), depth=kinds, dtype=int(VarType.FP32)
        )
        ended = ended + reshape(only_end, [kinds]) * INFINITY
        kept = registry.get("elementwise_mul").call(step, finished * -1.0 + 1.0, axis=0)
        stopped = registry.get("elementwise_mul").call(expand(unsqueeze(finished, [2]), [1, 1, kinds]), ended, axis=2)
        total = registry.get("elementwise_add").call(kept + stopped, states.log_probs, axis=0)
        scores, places = topk(reshape(total, [-1, self.beam_size * kinds]), self.beam_size)
        size = _constant(kinds, VarType.INT64, [1])
        beams = registry.get("elementwise_floordiv").call(places, size)
        tokens = registry.get("elementwise_mod").call(places, size)
        rows = _rows_like(beams)
        found = mapped(lambda x: self._gathered(x, beams, rows), cell_states)
        finished_then = self._gathered(states.finished, beams, rows)
        lengths = self._gathered(states.lengths, beams, rows)
        lengths = lengths + cast(compare.logical_not.call(finished_then), lengths.dtype)
        end = compare.equal.call(tokens, _constant(self.end_token, VarType.INT64, [1]))
        now = compare.logical_or.call(finished_then, end)
        return self.OutputWrapper(scores, tokens, beams), self.StateWrapper(found, scores, now, lengths)

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """One step of the cell and of the search."""
        merged = mapped(self._merge, states.cell_states)
        outputs, new = self.cell(mapped(self._merge, inputs), merged, **kwargs)
        if self.output_fn is not None:
            outputs = self.output_fn(outputs)
        found, next_states = self._search(self._split(outputs), mapped(self._split, new), states)
        ids = found.predicted_ids
        ids.stop_gradient = True
        following = self.embedding_fn(ids) if self.embedding_fn else ids
        return found, next_states, following, next_states.finished

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """The sequences of ids, traced back along the beams: [steps, N, beam_size]."""
        return gather_tree(outputs.predicted_ids, outputs.parent_ids), final_states

    @property
    def tracks_own_finished(self) -> bool:
        """True: beams change their places."""
        return True


def _rows_like(beams: Any) -> Any:
    """For each entry of [N, beam_size] its row, int64."""
    ones = registry.get("fill_any_like")(beams, value=1.0, dtype=int(VarType.INT64))
    return registry.get("cumsum")(ones, axis=0) - 1


class DecodeHelper:
    """Base of what tells a BasicDecoder which ids a step gives and what the next input is."""

    def initialize(self) -> tuple[Any, Any]:
        """(first inputs, which are finished)."""
        raise NotImplementedError(f"{type(self).__name__}.initialize")

    def sample(self, time: Any, outputs: Any, states: Any) -> Any:
        """The ids that a step's outputs stand for."""
        raise NotImplementedError(f"{type(self).__name__}.sample")

    def next_inputs(self, time: Any, outputs: Any, states: Any, sample_ids: Any) -> tuple[Any, Any, Any]:
        """(which are finished, next inputs, states)."""
        raise NotImplementedError(f"{type(self).__name__}.next_inputs")


class TrainingHelper(DecodeHelper):
    """Gives the true sequence as inputs (teacher forcing).

    Arguments:
        inputs: a Variable [N, steps, ...], or a structure of such.
        sequence_length: the number of steps of each sample, int64 [N].
        time_major: whether the first dimension of the inputs is the steps.
    """

    def __init__(self, inputs: Any, sequence_length: Any, time_major: bool = False) -> None:
        self.sequence_length = sequence_length
        swapped = inputs if time_major else mapped(lambda x: transpose(x, [1, 0, *range(2, len(x.shape))]), inputs)

        def longer(x: Any) -> Any:
            one = registry.get("slice")(x, axes=[0], starts=[-1], ends=[10000000])
            return concat([x, registry.get("fill_zeros_like")(one)], 0)

        self._inputs = mapped(longer, swapped)  # the step behind the last is read once, and not used

    def initialize(self) -> tuple[Any, Any]:
        """The first step; sequences without any are finished."""
        zero = _constant(0, VarType.INT64, [1])
        finished = compare.equal.call(self.sequence_length, _constant(0, self.sequence_length.dtype, [1]))
        return mapped(lambda x: _step_of(x, zero), self._inputs), finished

    def sample(self, time: Any, outputs: Any, states: Any) -> Any:
        """The likeliest ids."""
        return argmax(outputs, axis=-1)

    def next_inputs(self, time: Any, outputs: Any, states: Any, sample_ids: Any) -> tuple[Any, Any, Any]:
        """The next step of the true sequence."""
        following = time + 1 if time.dtype == VarType.INT64 else cast(time, "int64") + 1
        finished = compare.less_equal.call(self.sequence_length, cast(following, self.sequence_length.dtype))
        return finished, mapped(lambda x: _step_of(x, following), self._inputs), states


def _step_of(x: Any, at: Any) -> Any:
    """One step of [steps, N, ...]."""
    row = gather(x, at)
    return reshape(row, [-1, *x.shape[2:]])


class GreedyEmbeddingHelper(DecodeHelper):
    """Gives the likeliest id of each step, embedded, as the next input.

    Arguments:
        embedding_fn: from ids to the cell's input.
        start_tokens: the first ids, int64 [N].
        end_token: the id that a sequence ends with.
    """

    def __init__(self, embedding_fn: Callable[[Any], Any], start_tokens: Any, end_token: int) -> None:
        if not callable(embedding_fn):
            raise ArgumentTypeError(
                message(type(self).__name__, "embedding_fn", describe(embedding_fn), "a function of ids")
            )
        self.embedding_fn, self.start_tokens = embedding_fn, start_tokens
        self.end_token = _constant(end_token, VarType.INT64, [1])

    def initialize(self) -> tuple[Any, Any]:
        """The first ids, embedded; nothing is finished."""
        nothing = registry.get("fill_zeros_like")(self.start_tokens)
        return self.embedding_fn(self.start_tokens), cast(nothing, "bool")

    def sample(self, time: Any, outputs: Any, states: Any) -> Any:
        """The likeliest ids."""
        return argmax(outputs, axis=-1)

    def next_inputs(self, time: Any, outputs: Any, states: Any, sample_ids: Any) -> tuple[Any, Any, Any]:
        """The ids, embedded; a sequence with the end token is finished."""
        return compare.equal.call(sample_ids, self.end_token), self.embedding_fn(sample_ids), states


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """Gives an id drawn with the probabilities of each step, embedded, as the next input.

    Arguments:
        embedding_fn, start_tokens, end_token: as GreedyEmbeddingHelper has them.
        softmax_temperature: what logits are divided by; more of it draws more evenly.
        seed: of the draws.
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
        """Ids that are drawn."""
        logits = outputs if self.temperature is None else outputs * (1.0 / self.temperature)
        return cast(sampling_id(registry.get("softmax")(logits), seed=self.seed or 0), "int64")


class BasicDecoder(Decoder):
    """A cell whose inputs a helper gives.

    Arguments:
        cell: an RNNCell.
        helper: a DecodeHelper.
        output_fn: from the cell's output to what is sampled from.
    """

    OutputWrapper = namedtuple("OutputWrapper", ("cell_outputs", "sample_ids"))

    def __init__(self, cell: Any, helper: Any, output_fn: Callable[[Any], Any] | None = None) -> None:
        self.cell, self.helper, self.output_fn = cell, helper, output_fn

    def initialize(self, initial_cell_states: Any) -> tuple[Any, Any, Any]:
        """(the helper's first inputs, the cell's states, which are finished)."""
        inputs, finished = self.helper.initialize()
        return inputs, initial_cell_states, finished

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """One step of the cell, then the helper's choice."""
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
    """Make steps with a decoder until everything is finished.

    Arguments:
        decoder: a Decoder.
        inits: what its `initialize` gets.
        max_step_num: the number of the last step, counted from 0, at which decoding ends in any case.
        output_time_major: whether the first dimension of the outputs is the steps.
        impute_finished: keep the states of what is finished as they were.
        is_test: kept for Fluid code.
        return_length: return the lengths, too.
        kwargs: handed to the decoder at each step.

    Returns:
        (outputs of all steps, last states), and the number of steps of each sequence with `return_length`.
    """
    if not isinstance(decoder, Decoder):
        raise ArgumentTypeError(message("dynamic_decode", "decoder", describe(decoder), "a Decoder"))
    inputs, states, finished = decoder.initialize(inits)
    outputs, states, lengths = _loop(decoder, inputs, states, finished, max_step_num, impute_finished, kwargs)
    if type(decoder).finalize is not Decoder.finalize:
        outputs, states = decoder.finalize(outputs, states, lengths)
    if not output_time_major:
        outputs = mapped(lambda x: transpose(x, [1, 0, *range(2, len(x.shape))]), outputs)
    return (outputs, states, lengths) if return_length else (outputs, states)


def _one_step(
    decoder: Any, time: Any, inputs: Any, states: Any, finished: Any, lengths: Any, impute: bool, kwargs: Any
) -> tuple[Any, Any, Any, Any, Any]:
    """(outputs, states, inputs, finished, lengths) after one step."""
    outputs, new, following, now = decoder.step(time, inputs, states, **kwargs)
    if decoder.tracks_own_finished:
        return outputs, new, following, now, getattr(new, "lengths", lengths)
    counted = lengths + cast(compare.logical_not.call(finished), lengths.dtype)
    now = compare.logical_or.call(now, finished)
    if impute:
        new = mapped(lambda n, o: _held(n, o, finished), new, states)
    return outputs, new, following, now, counted


def _held(new: Any, old: Any, finished: Any) -> Any:
    """The old state where something is finished, else the new one."""
    if not is_variable(new) or new.dtype not in (VarType.FP32, VarType.FP64):
        return new
    mask = cast(finished, new.dtype)
    multiply = registry.get("elementwise_mul").call
    return multiply(new, mask * -1.0 + 1.0, axis=0) + multiply(old, mask, axis=0)


def _loop_in_python(
    decoder: Any, inputs: Any, states: Any, finished: Any, limit: Any, impute: bool, kwargs: Any
) -> tuple[Any, Any, Any]:
    lengths = cast(registry.get("fill_zeros_like")(cast(finished, "int64")), "int64")
    rows: list[Any] = []
    while not bool(finished.numpy().all()) and (limit is None or len(rows) <= limit):
        time = _constant(len(rows), VarType.INT64, [1])
        outputs, states, inputs, finished, lengths = _one_step(
            decoder, time, inputs, states, finished, lengths, impute, kwargs
        )
        rows.append(outputs)
    if not rows:
        raise ArgumentValueError(message("dynamic_decode", "the decoder", "finished before the first step", "a step"))
    columns = zip(*(flat(row) for row in rows), strict=True)
    return like(rows[0], iter([stack(list(column)) for column in columns])), states, lengths


def _loop_in_program(
    decoder: Any, inputs: Any, states: Any, finished: Any, limit: Any, impute: bool, kwargs: Any
) -> tuple[Any, Any, Any]:
    time = _constant(0, VarType.INT64, [1])
    going = compare.logical_not.call(reduce_all(finished))
    zeros = cast(registry.get("fill_zeros_like")(cast(finished, "int64")), "int64")
    carried = [*flat(inputs), *flat(states), finished, zeros]
    arrays = [create_array(v.dtype) for v in carried]
    for value, array in zip(carried, arrays, strict=True):
        array_write(value, time, array)
    made: list[Any] = []
    structure: Any = None
    loop = While(going)
    with loop.block():
        now = [array_read(array, time) for array in arrays]
        leaves = iter(now)
        given, held = like(inputs, leaves), like(states, leaves)
        before, counted = next(leaves), next(leaves)
        outputs, new, following, after, lengths = _one_step(decoder, time, given, held, before, counted, impute, kwargs)
        structure = outputs
        for leaf in flat(outputs):
            with outside(programs.default_main_program().current_block()):
                array = create_array(leaf.dtype)
            array_write(leaf, time, array)
            made.append(array)
        time.take(ops_math.increment.call(time, step=1.0))
        for value, array in zip([*flat(following), *flat(new), after, lengths], arrays, strict=True):
            array_write(value, time, array)
        more = compare.logical_not.call(reduce_all(after))
        if limit is not None:
            last = compare.less_equal.call(time, _constant(limit, VarType.INT64, [1]))
            more = compare.logical_and.call(more, last)
        going.take(more)
    found = like(structure, iter([tensor_array_to_tensor(array, axis=0, use_stack=True)[0] for array in made]))
    ends = [array_read(array, time) for array in arrays]
    leaves = iter(ends[len(flat(inputs)) :])
    return found, like(states, leaves), ends[-1]


_loop = ByMode(imperative=_loop_in_python, static=_loop_in_program)
