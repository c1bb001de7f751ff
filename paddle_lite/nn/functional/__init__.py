"""`paddle.nn.functional`: functions without parameters, under the 2.0-alpha names."""

from ...layers.activation import (
    gelu,
    hard_shrink,
    leaky_relu,
    log_softmax,
    logsigmoid,
    relu,
    sigmoid,
    softmax,
    softplus,
    softshrink,
    softsign,
    tanh_shrink,
    thresholded_relu,
)
from ...layers.loss import cross_entropy, softmax_with_cross_entropy, square_error_cost
from ...layers.pool import adaptive_pool2d, pool2d
from ...layers.random import dropout

__all__ = [
    "adaptive_pool2d",
    "cross_entropy",
    "dropout",
    "gelu",
    "hard_shrink",
    "leaky_relu",
    "log_softmax",
    "logsigmoid",
    "pool2d",
    "relu",
    "sigmoid",
    "softmax",
    "softmax_with_cross_entropy",
    "softplus",
    "softshrink",
    "softsign",
    "square_error_cost",
    "tanh_shrink",
    "thresholded_relu",
]
