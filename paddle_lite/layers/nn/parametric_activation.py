"""Activations with parameters: limits, slopes and groups as arguments; prelu learns its slopes."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.nn import parametric_activation as ops
from ...params.initializer import Constant
from ..support.arguments import as_int, check_number, check_variable
from ..support.helper import LayerHelper

__all__ = [
    "brelu", "elu", "hard_sigmoid", "hard_swish", "maxout", "mish", "prelu", "relu6", "selu", "soft_relu", "stanh", "swish",
]  # fmt: skip


def relu6(x: Any, threshold: float = 6.0, name: str | None = None) -> Variable:
    """Limit x to the range from 0 to `threshold`.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        threshold: the upper limit.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or threshold is not a number.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([-1., 2., 9.], 'float32'))
    ...     fluid.layers.relu6(x).numpy()
    array([0., 2., 6.], dtype=float32)
    """
    return ops.relu6.call(x, threshold=check_number("relu6", "threshold", threshold))


def brelu(x: Any, t_min: float = 0.0, t_max: float = 24.0, name: str | None = None) -> Variable:
    """Limit x to the range from `t_min` to `t_max`.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        t_min, t_max: the lower and the upper limit.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or t_min or t_max is not a number.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([-1., 2., 9.], 'float32'))
    ...     fluid.layers.brelu(x, 1.0, 4.0).numpy()
    array([1., 2., 4.], dtype=float32)
    """
    return ops.brelu.call(x, t_min=check_number("brelu", "t_min", t_min), t_max=check_number("brelu", "t_max", t_max))


def hard_sigmoid(x: Any, slope: float = 0.2, offset: float = 0.5, name: str | None = None) -> Variable:
    """Compute slope * x + offset, limited to the range from 0 to 1: a piecewise linear sigmoid.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        slope: the slope; not 0.
        offset: the result for x = 0.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or slope or offset is not a number.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([-9., 0., 1.25], 'float32'))
    ...     fluid.layers.hard_sigmoid(x).numpy()
    array([0.  , 0.5 , 0.75], dtype=float32)
    """
    return ops.hard_sigmoid.call(
        x, slope=check_number("hard_sigmoid", "slope", slope), offset=check_number("hard_sigmoid", "offset", offset)
    )


def hard_swish(
    x: Any, threshold: float = 6.0, scale: float = 6.0, offset: float = 3.0, name: str | None = None
) -> Variable:
    """Compute x * min(max(x + offset, 0), threshold) / scale: a swish without exponentials.

    Source: Howard et al., "Searching for MobileNetV3", 2019.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        threshold, scale, offset: the numbers in the formula.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or threshold, scale or offset is not a number.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([-4., 1.5, 4.], 'float32'))
    ...     fluid.layers.hard_swish(x).numpy()
    array([-0.   ,  1.125,  4.   ], dtype=float32)
    """
    return ops.hard_swish.call(
        x,
        threshold=check_number("hard_swish", "threshold", threshold),
        scale=check_number("hard_swish", "scale", scale),
        offset=check_number("hard_swish", "offset", offset),
    )


def soft_relu(x: Any, threshold: float = 40.0, name: str | None = None) -> Variable:
    """Compute log(1 + exp(x)), with x limited to the range from -threshold to threshold.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        threshold: a number above 0.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or threshold is not a number.
        ArgumentValueError: threshold is not above 0.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0., 100.], 'float32'))
    ...     fluid.layers.soft_relu(x).numpy()
    array([ 0.6931472, 40.       ], dtype=float32)
    """
    threshold = check_number("soft_relu", "threshold", threshold)
    if not threshold > 0:
        raise ArgumentValueError(message("soft_relu", "threshold", threshold, "a number above 0"))
    return ops.soft_relu.call(x, threshold=threshold)


def elu(x: Any, alpha: float = 1.0, name: str | None = None) -> Variable:
    """Compute x where it is positive, alpha * (exp(x) - 1) elsewhere.

    Source: Clevert et al., "Fast and Accurate Deep Network Learning by Exponential Linear Units", 2015.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        alpha: the result tends to -alpha for x to minus infinity.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or alpha is not a number.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([-100., 2.], 'float32'))
    ...     fluid.layers.elu(x, alpha=0.5).numpy()
    array([-0.5,  2. ], dtype=float32)
    """
    return ops.elu.call(x, alpha=check_number("elu", "alpha", alpha))


def swish(x: Any, beta: float = 1.0, name: str | None = None) -> Variable:
    """Compute x * sigmoid(beta * x).

    Source: Ramachandran et al., "Searching for Activation Functions", 2017.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        beta: the factor in the sigmoid.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or beta is not a number.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0., 100.], 'float32'))
    ...     fluid.layers.swish(x).numpy()
    array([  0., 100.], dtype=float32)
    """
    return ops.swish.call(x, beta=check_number("swish", "beta", beta))


def stanh(x: Any, scale_a: float = 0.67, scale_b: float = 1.7159, name: str | None = None) -> Variable:
    """Compute scale_b * tanh(scale_a * x).

    Arguments:
        x: a Variable of any shape, float32 or float64.
        scale_a: the factor of x.
        scale_b: the factor of the result.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or scale_a or scale_b is not a number.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0., 100.], 'float32'))
    ...     fluid.layers.stanh(x, scale_b=2.0).numpy()
    array([0., 2.], dtype=float32)
    """
    return ops.stanh.call(
        x, scale_a=check_number("stanh", "scale_a", scale_a), scale_b=check_number("stanh", "scale_b", scale_b)
    )


def mish(x: Any, threshold: float = 20, name: str | None = None) -> Variable:
    """Compute x * tanh(log(1 + exp(x))).

    Source: Misra, "Mish: A Self Regularized Non-Monotonic Neural Activation Function", 2019.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        threshold: a number above 0: log(1 + exp(x)) is approximated by x above it, and by exp(x) below -threshold.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or threshold is not a number.
        ArgumentValueError: threshold is not above 0.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0., 100.], 'float32'))
    ...     fluid.layers.mish(x).numpy()
    array([  0., 100.], dtype=float32)
    """
    threshold = check_number("mish", "threshold", threshold)
    if not threshold > 0:
        raise ArgumentValueError(message("mish", "threshold", threshold, "a number above 0"))
    return ops.mish.call(x, threshold=threshold)


def selu(x: Any, scale: float | None = None, alpha: float | None = None, name: str | None = None) -> Variable:
    """Compute scale * x where x is positive, scale * alpha * (exp(x) - 1) elsewhere: it preserves mean 0 and variance
    1.

    Source: Klambauer et al., "Self-Normalizing Neural Networks", 2017.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        scale: 1.0507009873554805 where it is None.
        alpha: 1.6732632423543772 where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or scale or alpha is not a number.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0., 1.], 'float32'))
    ...     fluid.layers.selu(x, scale=2.0).numpy()
    array([0., 2.], dtype=float32)
    """
    given = {"scale": scale, "alpha": alpha}
    defaults = ops.selu.defaults()
    return ops.selu.call(x, **{k: defaults[k] if v is None else check_number("selu", k, v) for k, v in given.items()})


def maxout(x: Any, groups: int, name: str | None = None, axis: int = 1) -> Variable:
    """Compute the maximum over each group of `groups` consecutive channels.

    Source: Goodfellow et al., "Maxout Networks", 2013.

    Arguments:
        x: [N, C, H, W], or [N, H, W, C] with axis 3 or -1; float32 or float64.
        groups: the number of channels in a group: a divisor of C, at least 2.
        name: accepted for Fluid code, ignored.
        axis: the axis of the channels: 1, 3 or -1.

    Returns:
        A Variable of the shape of x with C / groups channels.

    Raises:
        ArgumentTypeError: x is not a Variable, or groups is not an int.
        ArgumentValueError: axis is not 1, 3 or -1, or groups is not a divisor of C.
        ShapeError: the rank of x is not 4.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1., 5., 3., 2.], 'float32').reshape(1, 4, 1, 1))
    ...     fluid.layers.maxout(x, groups=2).numpy().ravel()
    array([5., 3.], dtype=float32)
    """
    at = as_int(axis)
    if at not in (1, -1, 3):
        raise ArgumentValueError(message("maxout", "axis", repr(axis), "the dimension of the channels, 1, 3 or -1"))
    return ops.maxout.call(x, groups=groups, axis=3 if at == -1 else at)


def prelu(x: Variable, mode: str, param_attr: Any = None, name: str | None = None) -> Variable:
    """Compute x where it is positive, slope * x elsewhere; the slopes are a new parameter, initially 0.25.

    Source: He et al., "Delving Deep into Rectifiers", 2015.

    Arguments:
        x: a Variable, float32 or float64; [N, C, ...] unless the mode is "all".
        mode: "all" (one slope), "channel" (one for each channel) or "element" (one for each element of x[0]).
        param_attr: the ParamAttr of the slopes.
        name: the prefix of the parameter's name.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        ArgumentValueError: mode is unknown, or not "all" where x has rank 1.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[-1., 2.]], 'float32'))
    ...     fluid.layers.prelu(x, 'all').numpy()
    array([[-0.25,  2.  ]], dtype=float32)
    """
    sizes = list(check_variable("prelu", "x", x).shape)
    if mode not in ("all", "channel", "element"):
        raise ArgumentValueError(message("prelu", "mode", repr(mode), '"all", "channel" or "element"'))
    if mode != "all" and len(sizes) < 2:
        raise ArgumentValueError(message("prelu", "mode", repr(mode), f'"all" for x of shape {sizes}'))
    shape = {"all": [1], "channel": [1, *sizes[1:2], 1, 1], "element": [1, *sizes[1:]]}[mode]
    helper = LayerHelper("prelu", name=name)
    alpha = helper.create_parameter(param_attr, shape, x.dtype, default_initializer=Constant(0.25))
    return helper.run(ops.prelu, x, alpha, mode=mode)
