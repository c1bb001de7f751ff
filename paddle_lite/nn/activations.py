"""Activations as Layers, under the names that paddle.nn gives them; ReLU, LogSoftmax and PRelu are in activation.py."""

from __future__ import annotations

from typing import Any

from ..imperative.layer import Layer
from ..ops.framework import registry


class _Activation(Layer):
    """A Layer without parameters that calls one operator."""

    _operator = ""

    def __init__(self, **attrs: Any) -> None:
        super().__init__()
        self._attrs = attrs

    def forward(self, input: Any) -> Any:
        return registry.get(self._operator)(input, **self._attrs)

    def extra_repr(self) -> str:
        """Its attributes, for printing."""
        return ", ".join(f"{name}={value}" for name, value in self._attrs.items())


class Sigmoid(_Activation):
    """1 / (1 + exp(-x)).

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Sigmoid()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([0.5], dtype=float32)
    """

    _operator = "sigmoid"


class LogSigmoid(_Activation):
    """Log(1 / (1 + exp(-x))).

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.LogSigmoid()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([-0.6931472], dtype=float32)
    """

    _operator = "logsigmoid"


class Tanh(_Activation):
    """Tanh(x).

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Tanh()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([0.], dtype=float32)
    """

    _operator = "tanh"


class Tanhshrink(_Activation):
    """x - tanh(x).

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Tanhshrink()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([0.], dtype=float32)
    """

    _operator = "tanh_shrink"


class ReLU6(_Activation):
    """x between 0 and 6: min(max(0, x), 6).

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.ReLU6()(paddle.imperative.to_variable(np.array([-1., 8.], 'float32'))).numpy()
    array([0., 6.], dtype=float32)
    """

    _operator = "relu6"


class LeakyReLU(_Activation):
    """x where it is positive, negative_slope * x elsewhere.

    Arguments:
        negative_slope: the slope below 0.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.LeakyReLU()(paddle.imperative.to_variable(np.array([-1., 2.], 'float32'))).numpy()
    array([-0.01,  2.  ], dtype=float32)
    """

    _operator = "leaky_relu"

    def __init__(self, negative_slope: float = 0.01) -> None:
        super().__init__(alpha=negative_slope)


class ELU(_Activation):
    """x where it is positive, alpha * (exp(x) - 1) elsewhere.

    Arguments:
        alpha: the limit far below 0 is -alpha.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.ELU()(paddle.imperative.to_variable(np.array([0., 2.], 'float32'))).numpy()
    array([0., 2.], dtype=float32)
    """

    _operator = "elu"

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__(alpha=alpha)


class SELU(_Activation):
    """Scale * x where x is positive, scale * alpha * (exp(x) - 1) elsewhere.

    Arguments:
        scale: the slope above 0.
        alpha: the limit far below 0 is -scale * alpha.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.SELU()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([0.], dtype=float32)
    """

    _operator = "selu"

    def __init__(self, scale: float = 1.0507009873554805, alpha: float = 1.6732632423543772) -> None:
        super().__init__(scale=scale, alpha=alpha)


class GELU(_Activation):
    """x times the probability that a standard normal number is below x.

    Arguments:
        approximate: the formula with tanh in place of the normal distribution.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.GELU()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([0.], dtype=float32)
    """

    _operator = "gelu"

    def __init__(self, approximate: bool = False) -> None:
        super().__init__(approximate=approximate)


class Swish(_Activation):
    """x * sigmoid(beta * x).

    Arguments:
        beta: the factor in the sigmoid.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Swish()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([0.], dtype=float32)
    """

    _operator = "swish"

    def __init__(self, beta: float = 1.0) -> None:
        super().__init__(beta=beta)


class Hardswish(_Activation):
    """x * min(max(0, x + 3), 6) / 6.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Hardswish()(paddle.imperative.to_variable(np.array([-3., 3.], 'float32'))).numpy()
    array([-0.,  3.], dtype=float32)
    """

    _operator = "hard_swish"


class Hardsigmoid(_Activation):
    """Slope * x + offset, between 0 and 1.

    Arguments:
        slope: the slope in the middle.
        offset: the value at 0.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Hardsigmoid()(paddle.imperative.to_variable(np.array([0., 9.], 'float32'))).numpy()
    array([0.5, 1. ], dtype=float32)
    """

    _operator = "hard_sigmoid"

    def __init__(self, slope: float = 0.1666667, offset: float = 0.5) -> None:
        super().__init__(slope=slope, offset=offset)


class Hardshrink(_Activation):
    """x where it is further than threshold from 0, else 0.

    Arguments:
        threshold: what is within it of 0 becomes 0.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Hardshrink()(paddle.imperative.to_variable(np.array([0.2, 2.], 'float32'))).numpy()
    array([0., 2.], dtype=float32)
    """

    _operator = "hard_shrink"

    def __init__(self, threshold: float = 0.5) -> None:
        super().__init__(threshold=threshold)


class Softshrink(_Activation):
    """x moved towards 0 by threshold, 0 where it would pass it.

    Arguments:
        threshold: how far x is moved towards 0.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Softshrink()(paddle.imperative.to_variable(np.array([0.2, 2.], 'float32'))).numpy()
    array([0. , 1.5], dtype=float32)
    """

    _operator = "softshrink"

    def __init__(self, threshold: float = 0.5) -> None:
        super().__init__(**{"lambda_": threshold})


class Softplus(_Activation):
    """Log(1 + exp(x)).

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Softplus()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([0.6931472], dtype=float32)
    """

    _operator = "softplus"


class Softsign(_Activation):
    """x / (1 + |x|).

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Softsign()(paddle.imperative.to_variable(np.array([1.], 'float32'))).numpy()
    array([0.5], dtype=float32)
    """

    _operator = "softsign"


class ThresholdedReLU(_Activation):
    """x where it is above threshold, else 0.

    Arguments:
        threshold: what is not above it becomes 0.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.ThresholdedReLU()(paddle.imperative.to_variable(np.array([1., 2.], 'float32'))).numpy()
    array([0., 2.], dtype=float32)
    """

    _operator = "thresholded_relu"

    def __init__(self, threshold: float = 1.0) -> None:
        super().__init__(threshold=threshold)


class Softmax(_Activation):
    """exp(x) over the sum of it along an axis.

    Arguments:
        axis: the axis.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Softmax()(paddle.imperative.to_variable(np.zeros([1, 2], 'float32'))).numpy()
    array([[0.5, 0.5]], dtype=float32)
    """

    _operator = "softmax"

    def __init__(self, axis: int = -1) -> None:
        super().__init__(axis=axis)


class Maxout(_Activation):
    """The largest of each group of channels of [N, C, H, W]: C / groups channels are left.

    Goodfellow et al., "Maxout networks", 2013.

    Arguments:
        groups: how many channels are one group.
        axis: the axis of the channels, 1 or 3.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Maxout(2)(paddle.imperative.to_variable(np.ones([1, 4, 2, 2], 'float32'))).shape
    [1, 2, 2, 2]
    """

    _operator = "maxout"

    def __init__(self, groups: int, axis: int = 1) -> None:
        super().__init__(groups=groups, axis=axis)
