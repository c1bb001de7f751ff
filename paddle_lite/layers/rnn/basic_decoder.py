"""BasicDecoder, and the helpers that choose the ids and the next input of its steps, for `dynamic_decode`."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, describe, message
from ...ops.framework import registry
from ...ops.math import compare
from ...ops.support.nested_structure import map_structure
from ..math.arithmetic import cast
from ..random.random import sampling_id
from ..shape.index import argmax, gather
from ..shape.shape import concat, reshape, transpose
from .decoder import Decoder, constant

__all__ = [
    "BasicDecoder", "DecodeHelper", "GreedyEmbeddingHelper", "SampleEmbeddingHelper", "TrainingHelper",
]  # fmt: skip


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
        zero = constant(0, VarType.INT64, [1])
        finished = compare.equal.call(self.sequence_length, constant(0, self.sequence_length.dtype, [1]))
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
        self.end_token = constant(end_token, VarType.INT64, [1])

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
