"""BeamSearchDecoder: beam search over a cell, for `dynamic_decode`."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentValueError, describe, message
from ...ops.framework import registry
from ...ops.math import compare
from ...ops.shape import fill
from ...ops.support.nested_structure import flatten, map_structure
from ..math.arithmetic import cast
from ..shape.index import gather_nd, topk
from ..shape.shape import concat, expand, reshape, shape, stack, unsqueeze
from .beam import gather_tree
from .decoder import Decoder, constant

__all__ = ["BeamSearchDecoder"]

INFINITY = 1e9


def _sizes(x: Any, start: int) -> list[Any]:
    """Return the sizes of x from axis `start`: ints, and Variables where they are unknown."""
    return [shape(x)[axis] if size == -1 else size for axis, size in enumerate(x.shape) if axis >= start]


def _repeated(x: Any, beam_size: int) -> Any:
    """Repeat [N, ...] to [N, beam_size, ...]."""
    return expand(unsqueeze(x, [1]), [1, beam_size, *[1] * (len(x.shape) - 1)])


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
        return _joined(_repeated(x, beam_size))

    def _split_batch_beams(self, x: Any) -> Any:
        """Reshape [N * beam_size, ...] to [N, beam_size, ...]."""
        return reshape(x, [-1, self.beam_size, *_sizes(x, 1)])

    def _merge_batch_beams(self, x: Any) -> Any:
        """Reshape [N, beam_size, ...] to [N * beam_size, ...]."""
        return _joined(x)

    def _expand_to_beam_size(self, x: Any) -> Any:
        """Repeat [N, ...] to [N, beam_size, ...]."""
        return _repeated(x, self.beam_size)

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
        ended = constant(-INFINITY, VarType.FP32, [kinds])
        only_end = registry.get("one_hot_v2")(
            constant(self.end_token, VarType.INT64, [1]), depth=kinds, dtype=int(VarType.FP32)
        )
        ended = ended + reshape(only_end, [kinds]) * INFINITY
        kept = registry.get("elementwise_mul").call(step, finished * -1.0 + 1.0, axis=0)
        stopped = registry.get("elementwise_mul").call(expand(unsqueeze(finished, [2]), [1, 1, kinds]), ended, axis=2)
        total = registry.get("elementwise_add").call(kept + stopped, beam_state.log_probs, axis=0)
        scores, places = topk(reshape(total, [-1, self.beam_size * kinds]), self.beam_size)
        size = constant(kinds, VarType.INT64, [1])
        beams = registry.get("elementwise_floordiv").call(places, size)
        tokens = registry.get("elementwise_mod").call(places, size)
        rows = _rows_like(beams)
        found = map_structure(lambda x: self._gather(x, beams, rows), next_cell_states)
        finished_then = self._gather(beam_state.finished, beams, rows)
        lengths = self._gather(beam_state.lengths, beams, rows)
        lengths = lengths + cast(compare.logical_not.call(finished_then), lengths.dtype)
        end = compare.equal.call(tokens, constant(self.end_token, VarType.INT64, [1]))
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
