"""Decoding of sequences step by step, as Layers, also with a Transformer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...imperative.layer import Layer
from ...layers.rnn.beam_search_decoder import BeamSearchDecoder
from ...layers.rnn.decoding import dynamic_decode
from ...layers.shape.fill import ones_like
from ...layers.shape.shape import reshape, shape, squeeze, transpose
from ...ops.support.nested_structure import map_structure
from .cells import RNNCell

__all__ = ["DynamicDecode", "TransformerBeamSearchDecoder", "TransformerCell"]


class DynamicDecode(Layer):
    """Runs the steps of a decoder until all sequences are finished.

    Arguments:
        decoder: a Decoder, for example a BeamSearchDecoder.
        max_step_num: the number of the last step, counted from 0; None: no limit.
        output_time_major: whether the first two dimensions of the outputs are [steps, N].
        impute_finished: whether the states of finished sequences stay as they are.
        is_test: accepted for Fluid code.
        return_length: whether to return the lengths of the sequences, too.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> text, dygraph = paddle.hapi.text, paddle.fluid.dygraph
    >>> words, scores = dygraph.Embedding(size=[10, 4]), dygraph.Linear(3, 10)
    >>> decoder = text.BeamSearchDecoder(text.BasicGRUCell(4, 3), 0, 1, 2, embedding_fn=words, output_fn=scores)
    >>> ids, states = text.DynamicDecode(decoder, max_step_num=5)(dygraph.to_variable(np.zeros([2, 3], 'float32')))
    >>> ids.shape[0], ids.shape[2]
    (2, 2)
    """

    def __init__(
        self,
        decoder: Any,
        max_step_num: int | None = None,
        output_time_major: bool = False,
        impute_finished: bool = False,
        is_test: bool = False,
        return_length: bool = False,
    ) -> None:
        super().__init__()
        self.decoder, self.max_step_num, self.output_time_major = decoder, max_step_num, output_time_major
        self.impute_finished, self.is_test, self.return_length = impute_finished, is_test, return_length

    def forward(self, inits: Any = None, **kwargs: Any) -> tuple[Any, ...]:
        """Return (outputs of all steps, last states); with `return_length` also the number of steps of each sequence.

        Arguments:
            inits: the argument of `decoder.initialize`.
            kwargs: passed to the decoder in each step.
        """
        return dynamic_decode(
            self.decoder,
            inits,
            max_step_num=self.max_step_num,
            output_time_major=self.output_time_major,
            impute_finished=self.impute_finished,
            is_test=self.is_test,
            return_length=self.return_length,
            **kwargs,
        )


class TransformerCell(RNNCell):
    """A step of a TransformerDecoder: the inputs are (words, positions), the states the caches of its layers.

    Arguments:
        decoder: the TransformerDecoder.
        embedding_fn: a function of words and positions; None: the decoder takes them in the place of features.
        output_fn: a function of the decoder's features, for example the layer that makes logits; None: features.
    """

    def __init__(
        self,
        decoder: Any,
        embedding_fn: Callable[[Any, Any], Any] | None = None,
        output_fn: Callable[[Any], Any] | None = None,
    ) -> None:
        super().__init__()
        self.decoder, self.embedding_fn, self.output_fn = decoder, embedding_fn, output_fn

    def forward(
        self,
        inputs: Any,
        states: Any = None,
        enc_output: Any = None,
        trg_slf_attn_bias: Any = None,
        trg_src_attn_bias: Any = None,
        static_caches: Sequence[dict[str, Any]] = (),
    ) -> tuple[Any, Any]:
        """Return (outputs, the caches with the keys and values of this step).

        Arguments:
            inputs: (words, positions), int64 [N, 1] each.
            states: {"k": ..., "v": ...} for each layer, from `TransformerDecoder.prepare_incremental_cache`.
            enc_output: features of the encoder [N, others, d_model].
            trg_slf_attn_bias: ignored: a step attends to all earlier ones.
            trg_src_attn_bias: as `cross_attn_bias` for TransformerDecoder.
            static_caches: from `TransformerDecoder.prepare_static_cache`.
        """
        words, positions = inputs
        for cache, static_cache in zip(states or (), static_caches, strict=False):
            cache.update(static_cache)
        given = (words, positions) if self.embedding_fn is None else (self.embedding_fn(words, positions),)
        outputs = self.decoder(*given, enc_output, None, trg_src_attn_bias, states)
        if self.output_fn is not None:
            outputs = self.output_fn(outputs)
        return outputs, [{"k": cache["k"], "v": cache["v"]} for cache in states] if states else states

    @property
    def state_shape(self) -> list[dict[str, list[int]]]:
        """The shapes of the caches before the first step."""
        heads = self.decoder.n_head
        sizes = {"k": [heads, 0, self.decoder.d_key], "v": [heads, 0, self.decoder.d_value]}
        return [dict(sizes) for _ in range(self.decoder.n_layer)]


class TransformerBeamSearchDecoder(BeamSearchDecoder):
    """Beam search with a TransformerCell, whose states grow by one step in each step.

    Arguments:
        cell: the TransformerCell, whose outputs are logits.
        start_token, end_token: the ids that start and end a sequence.
        beam_size: the number of sequences to keep for each sample.
        var_dim_in_state: the dimension of the states that grows, counted from the batch: 2 for caches
            [N, heads, steps, size].
    """

    def __init__(self, cell: Any, start_token: int, end_token: int, beam_size: int, var_dim_in_state: int) -> None:
        super().__init__(cell, start_token, end_token, beam_size)
        self.var_dim_in_state = var_dim_in_state

    def _merge_batch_beams_with_var_dim(self, x: Any) -> Any:
        """Reshape a state [N, beam_size, ...] to [N * beam_size, ...].

        The dimension that grows is 0 before the first step, which `reshape` takes for "as it was": it comes to the front.
        """
        grows, rank = self.var_dim_in_state + 1, len(x.shape)
        front = transpose(x, [*range(grows, rank), *range(grows)])
        rows = shape(x)[0] * self.beam_size
        merged = reshape(front, [*[0] * (rank - grows), rows, *(int(size) for size in x.shape[2:grows])])
        return transpose(merged, [*range(rank - grows, rank - 1), *range(rank - grows)])

    def _split_batch_beams_with_var_dim(self, x: Any) -> Any:
        """Reshape a state [N * beam_size, ...] to [N, beam_size, ...]."""
        sizes: list[Any] = [int(size) for size in x.shape[1:]]
        sizes[self.var_dim_in_state - 1] = shape(x)[self.var_dim_in_state]
        return reshape(x, [-1, self.beam_size, *sizes])

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """Compute one step of the cell and of the search."""
        words = reshape(inputs, [-1, 1])
        positions = ones_like(words) * time
        merged = map_structure(self._merge_batch_beams_with_var_dim, states.cell_states)
        outputs, new = self.cell((words, positions), merged, **kwargs)
        logits = squeeze(outputs, [1]) if len(outputs.shape) == 3 else outputs
        found, next_states = self._beam_search_step(
            time=time,
            logits=self._split_batch_beams(logits),
            next_cell_states=map_structure(self._split_batch_beams_with_var_dim, new),
            beam_state=states,
        )
        found.predicted_ids.stop_gradient = True
        return found, next_states, found.predicted_ids, next_states.finished
