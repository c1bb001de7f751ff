"""Activations as Layers, under the names that paddle.nn gives them; ReLU, LogSoftmax and PRelu are in activation.py."""

from __future__ import annotations

from typing import Any

from ..core.typing import Variable
from ..imperative.layer import Layer
from ..ops.framework import registry


class _Activation(Layer):
    """A Layer without parameters that calls one operator."""

    _operator = ""

    def __init__(self, **attrs: Any) -> None:
        super().__init__()
        self._attrs = attrs

    def forward(self, input: Variable) -> Variable:
        return registry.get(self._operator)(input, **self._attrs)

    def extra_repr(self) -> str:
        """Return its attributes as text, for printing."""
        return ", ".join(f"{name}={value}" for name, value in self._attrs.items())


class Sigmoid(_Activation):
    """Compute 1 / (1 + exp(-x)), element by element.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Sigmoid()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([0.5], dtype=float32)
    """

    _operator = "sigmoid"


class LogSigmoid(_Activation):
    """Compute log(1 / (1 + exp(-x))), element by element.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.LogSigmoid()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([-0.6931472], dtype=float32)
    """

    _operator = "logsigmoid"


class Tanh(_Activation):
    """Compute tanh(x), element by element.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Tanh()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([0.], dtype=float32)
    """

    _operator = "tanh"


class Tanhshrink(_Activation):
    """Compute x - tanh(x), element by element.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Tanhshrink()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([0.], dtype=float32)
    """

    _operator = "tanh_shrink"


class ReLU6(_Activation):
    """Clip elements to the range from 0 to 6: min(max(0, x), 6).

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.ReLU6()(paddle.imperative.to_variable(np.array([-1., 8.], 'float32'))).numpy()
    array([0., 6.], dtype=float32)
    """

    _operator = "relu6"


class LeakyReLU(_Activation):
    """Keep positive elements and multiply the others by negative_slope.

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
    """Keep positive elements and replace the others by alpha * (exp(x) - 1).

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
    """Compute scale * x for positive elements, scale * alpha * (exp(x) - 1) for the others.

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
    """Multiply x by the cumulative distribution function of the standard normal distribution at x.

    Arguments:
        approximate: use the approximation by tanh.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.GELU()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([0.], dtype=float32)
    """

    _operator = "gelu"

    def __init__(self, approximate: bool = False) -> None:
        super().__init__(approximate=approximate)


class Swish(_Activation):
    """Compute x * sigmoid(beta * x), element by element.

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
    """Compute x * min(max(0, x + 3), 6) / 6, element by element.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Hardswish()(paddle.imperative.to_variable(np.array([-3., 3.], 'float32'))).numpy()
    array([-0.,  3.], dtype=float32)
    """

    _operator = "hard_swish"


class Hardsigmoid(_Activation):
    """Clip slope * x + offset to the range from 0 to 1.

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
    """Set elements with |x| <= threshold to 0.

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
    """Shrink |x| by threshold; elements with |x| <= threshold become 0.

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
    """Compute log(1 + exp(x)), element by element.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Softplus()(paddle.imperative.to_variable(np.array([0.], 'float32'))).numpy()
    array([0.6931472], dtype=float32)
    """

    _operator = "softplus"


class Softsign(_Activation):
    """Compute x / (1 + |x|), element by element.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Softsign()(paddle.imperative.to_variable(np.array([1.], 'float32'))).numpy()
    array([0.5], dtype=float32)
    """

    _operator = "softsign"


class ThresholdedReLU(_Activation):
    """Set elements that are not above threshold to 0.

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
    """Compute exp(x) divided by its sum along an axis.

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
    """Take the maximum over each group of channels of [N, C, H, W]; the result has C / groups channels.

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
