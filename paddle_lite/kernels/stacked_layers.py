"""Layers of one recurrent network with all weights in one vector, as cuDNN has them; dropout between the layers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from zlib import crc32

from .cpu.random import random as draw


class Sizes(NamedTuple):
    """What the attributes say: features that come in, hidden state, layers, directions."""

    input: int
    hidden: int
    layers: int
    ways: int

    @property
    def scans(self) -> Iterator[tuple[int, int, int]]:
        """(number, features that come in, direction) of each pass over the steps: layer by layer, forwards first."""
        for layer in range(self.layers):
            for way in range(self.ways):
                yield layer * self.ways + way, self.input if layer == 0 else self.hidden * self.ways, way

    @property
    def weights(self) -> int:
        """How many numbers W has."""
        return sum(4 * self.hidden * (features + self.hidden + 2) for _, features, _ in self.scans)


def weights_of(W: Any, sizes: Sizes) -> list[tuple[Any, Any, Any]]:
    """For each pass the weights of the input [4 * H, features], of the state [4 * H, H], and both biases [2, 4 * H].

    cuDNN's order: the weights of all passes first, then their biases; each has the gates i, f, g, o.
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


def scales_of(xp: Any, Input: Any, W: Any, sizes: Sizes, p: float, is_test: bool, seed: int) -> list[Any]:
    """What dropout multiplies the input of each layer by: 0, or 1 / (1 - p) for what is kept; 1 for nothing to do.

    Without a seed the numbers of the call itself are the seed, so that its gradient draws the same again.
    """
    if is_test or p == 0 or sizes.layers == 1:
        return [1] * sizes.layers
    start = seed if seed > 0 else crc32(repr((float(W.sum()), float(Input.sum()))).encode()) % (2**31 - 2) + 1
    shape = (*Input.shape[:2], sizes.hidden * sizes.ways)
    masks = [xp.asarray(draw.dropout_mask(shape, p, start + layer)) for layer in range(1, sizes.layers)]
    return [1, *(mask.astype(Input.dtype) / xp.asarray(1 - p or 1, dtype=Input.dtype) for mask in masks)]
