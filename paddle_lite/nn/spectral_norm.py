"""Spectral normalisation of a weight."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..core.errors import ArgumentValueError, message
from ..core.typing import Variable
from ..imperative.layer import Layer
from ..imperative.layers.forms import also_before_1_7
from ..ops.nn import lrn
from ..params.initializer import Normal


@also_before_1_7(weight_shape=lambda given, inputs: list(inputs[0].shape))
class SpectralNorm(Layer):
    """Divide a weight by its largest singular value, computed by power iteration.

    The vectors that the iteration starts from, `weight_u` and `weight_v`, are random and never change, as in Paddle 1.8.
    Source: Miyato et al., "Spectral Normalization for Generative Adversarial Networks", 2018.

    Arguments:
        weight_shape: shape of the weights that it is called with, 2 to 5 dimensions.
        dim: the dimension that becomes the rows of a matrix, 0 or 1 (the outputs: 0 for convolutions, 1 for Linear).
        power_iters: how many times to iterate, 0 or more.
        eps: added to the norms of the vectors.

    Raises:
        ArgumentValueError: `dim` is not 0 or 1.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> norm = paddle.nn.SpectralNorm([2, 8, 3, 3], power_iters=20)
    >>> weight = norm(paddle.imperative.to_variable(np.random.rand(2, 8, 3, 3).astype('float32')))
    >>> float(np.linalg.norm(weight.numpy().reshape(2, -1), 2).round(3))
    1.0
    """

    _unless_given = {"dim": 0, "power_iters": 1, "eps": 1e-12}

    def __init__(
        self,
        weight_shape: Sequence[int],
        dim: int = 0,
        power_iters: int = 1,
        eps: float = 1e-12,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        if dim not in (0, 1):
            raise ArgumentValueError(message("SpectralNorm", "dim", dim, "0 or 1"))
        self._weight_shape = weight_shape
        rows = weight_shape[dim]
        self._attrs = {"dim": dim, "power_iters": power_iters, "eps": eps}
        self.weight_u = self._vector(rows)
        self.weight_v = self._vector(math.prod(weight_shape) // rows)

    def _vector(self, size: int) -> Any:
        vector = self.create_parameter([size], default_initializer=Normal(0.0, 1.0), dtype=self._dtype)
        vector.stop_gradient = True
        return vector

    def forward(self, weight: Any) -> Variable:
        return lrn.spectral_norm.call(weight, self.weight_u, self.weight_v, **self._attrs)
