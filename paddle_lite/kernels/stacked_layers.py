"""Multi-layer recurrent networks with all weights in one vector, in cuDNN's layout, and dropout between the layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from zlib import crc32

from .cpu.random import random as draw

KEPT = {"LSTM": (1, 1, 1, 4), "GRU": (1, 1, 3), "RNN_TANH": (1,), "RNN_RELU": (1,)}
"""Mode -> what a layer in one direction keeps of a step for the gradient, in sizes of the state: the state; of an LSTM the cell, its
tanh and the gates i, f, g, o; of a GRU what the state gives the candidate, and the gates r, z, n."""


class Sizes(NamedTuple):
    """The sizes that the attributes give: input features, hidden state, layers, directions."""

    input: int
    hidden: int
    layers: int
    ways: int

    @classmethod
    def of(cls, attrs: Mapping[str, Any]) -> Sizes:
        """Return the sizes that attributes of cudnn_lstm or rnn give."""
        ways = 2 if attrs["is_bidirec"] else 1
        return cls(attrs["input_size"], attrs["hidden_size"], attrs["num_layers"], ways)

    @property
    def scans(self) -> Iterator[tuple[int, int, int]]:
        """(index, input features, direction) of each pass over the steps: layer by layer, the forward direction first."""
        for layer in range(self.layers):
            for way in range(self.ways):
                yield layer * self.ways + way, self.input if layer == 0 else self.hidden * self.ways, way

    @property
    def weights(self) -> int:
        """The number of elements of W."""
        first, others = (
            self.input,
            (self.layers - 1) * self.hidden * self.ways,
        )  # the features of one pass of each layer
        return 4 * self.hidden * self.ways * (first + others + self.layers * (self.hidden + 2))


def split_weights(W: Any, sizes: Sizes) -> list[tuple[Any, Any, Any]]:
    """Return, for each pass, the input weights [4 * H, features], the state weights [4 * H, H] and both biases [2, 4 * H].

    The order is cuDNN's: the weights of all passes, then their biases; each has the gates i, f, g, o.
    """
    four, place, matrices = 4 * sizes.hidden, 0, []
    for _, features, _ in sizes.scans:
        parts = []
        for columns in (features, sizes.hidden):
            parts.append(W[place : place + four * columns].reshape(four, columns))
            place += four * columns
        matrices.append(parts)
    biases = W[place:].reshape(len(matrices), 2, four)
    return [(of_input, of_state, biases[k]) for k, (of_input, of_state) in enumerate(matrices)]


def dropout_scales(xp: Any, Input: Any, W: Any, sizes: Sizes, p: float, is_test: bool, seed: int) -> list[Any]:
    """Return the dropout factors of each layer's input: 0, or 1 / (1 - p) for kept elements; 1 if nothing is dropped.

    Without a seed, the seed is derived from the values of the inputs, so that the gradient draws the same mask again.
    """
    if is_test or p == 0 or sizes.layers == 1:
        return [1] * sizes.layers
    start = seed if seed > 0 else crc32(repr((float(W.sum()), float(Input.sum()))).encode()) % (2**31 - 2) + 1
    shape = (*Input.shape[:2], sizes.hidden * sizes.ways)
    masks = [xp.asarray(draw.dropout_mask(shape, p, start + layer)) for layer in range(1, sizes.layers)]
    return [1, *(mask.astype(Input.dtype) / xp.asarray(1 - p or 1, dtype=Input.dtype) for mask in masks)]
