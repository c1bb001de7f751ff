"""Activations."""

from ...layers.activation import (
    erf,
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

__all__ = [
    "erf",
    "gelu",
    "hard_shrink",
    "leaky_relu",
    "log_softmax",
    "logsigmoid",
    "relu",
    "sigmoid",
    "softmax",
    "softplus",
    "softshrink",
    "softsign",
    "tanh_shrink",
    "thresholded_relu",
]
