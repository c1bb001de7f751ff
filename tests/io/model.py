"""The network of the recorded files: adam_float and adam_noam in `data/`, made with PaddlePaddle 1.8.5."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np

from paddle_lite.fluid import layers
from paddle_lite.nn import BatchNorm, Conv2D, Embedding, Layer, Linear

DATA = pathlib.Path(__file__).parent / "data"


class Model(Layer):
    """A convolution, its statistics, a table of words, and a linear layer over both."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = Conv2D(1, 2, 3)
        self.bn = BatchNorm(2)
        self.emb = Embedding([5, 2])
        self.fc = Linear(10, 3)

    def forward(self, x: Any, i: Any) -> Any:
        image = layers.reshape(self.bn(self.conv(x)), [2, 8])
        return self.fc(layers.concat([image, self.emb(i)], axis=1))


def loss_of(model: Model, x: Any, i: Any) -> Any:
    """What the recorded training minimised."""
    return layers.mean(layers.square(model(x, i)))


def part(recorded: Any, kind: str) -> dict[str, np.ndarray]:
    """The recorded arrays of one kind, e.g. "param/", by name."""
    return {key[len(kind) :]: recorded[key] for key in recorded.files if key.startswith(kind)}
