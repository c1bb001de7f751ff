"""Activations as layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.typing import Variable
from ..imperative.layer import Layer
from ..imperative.layers.forms import also_before_1_7
from ..layers.nn.activation import log_softmax
from ..layers.support.arguments import is_int
from ..ops.nn import activation, parametric_activation
from ..params.initializer import Constant

MODES = ("all", "channel", "element")


@also_before_1_7(
    "mode / param_attr",
    words=MODES,
    channel=lambda given, inputs: inputs[0].shape[1] if given["mode"] == "channel" else None,
    input_shape=lambda given, inputs: list(inputs[0].shape),
)
class PRelu(Layer):
    """Keep positive elements and multiply the others by a learned slope; the initial slope is 1.

    Source: He et al., "Delving Deep into Rectifiers", 2015.

    Arguments:
        mode: "all" has one slope, "channel" one a channel, "element" one an element of x[0].
        channel: the channels of the input, for "channel".
        input_shape: the shape of the input, for "element"; its first size does not matter.
        param_attr: of the slopes.

    Raises:
        ArgumentValueError: `mode` is not "all", "channel" or "element".
        ArgumentTypeError: `channel` or `input_shape` does not fit the mode.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> slope = paddle.ParamAttr(initializer=paddle.initializer.Constant(0.5))
    >>> prelu = paddle.fluid.dygraph.PRelu('channel', channel=2, param_attr=slope)
    >>> prelu(paddle.imperative.to_variable(np.array([[[[-4.]], [[3.]]]], 'float32'))).numpy().ravel()
    array([-2.,  3.], dtype=float32)
    """

    def __init__(
        self,
        mode: str,
        channel: int | None = None,
        input_shape: Sequence[int] | None = None,
        param_attr: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(name_scope="prelu", dtype=dtype)
        if mode not in MODES:
            raise ArgumentValueError(message("PRelu", "mode", repr(mode), '"all", "channel" or "element"'))
        shape = [1]
        if mode == "channel":
            if not is_int(channel):
                raise ArgumentTypeError(message("PRelu", "channel", describe(channel), "an int, in mode 'channel'"))
            shape = [1, int(channel or 0), 1, 1]
        elif mode == "element":
            if not isinstance(input_shape, (list, tuple)):
                needs = "the shape of the input, in mode 'element'"
                raise ArgumentTypeError(message("PRelu", "input_shape", describe(input_shape), needs))
            shape = [1, *input_shape[1:]]
        self._mode, self._alpha_shape, self._param_attr = mode, shape, param_attr
        self.weight = self.create_parameter(shape, param_attr, default_initializer=Constant(1.0), dtype=self._dtype)

    def forward(self, input: Variable) -> Variable:
        return parametric_activation.prelu.call(input, self.weight, mode=self._mode)


class ReLU(Layer):
    """Set negative elements to 0.

    Arguments:
        inplace: kept for Paddle code; the input stays as it is.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.ReLU()(paddle.imperative.to_variable(np.array([-1., 2.], 'float32'))).numpy()
    array([0., 2.], dtype=float32)
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self._inplace = inplace

    def forward(self, input: Variable) -> Variable:
        return activation.relu.call(input)


class LogSoftmax(Layer):
    """Compute the logarithm of softmax along an axis.

    Arguments:
        axis: the axis; the last one where it is None.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.LogSoftmax()(paddle.imperative.to_variable(np.zeros([1, 2], 'float32'))).numpy()
    array([[-0.6931472, -0.6931472]], dtype=float32)
    """

    def __init__(self, axis: int | None = None) -> None:
        super().__init__()
        self._axis = -1 if axis is None else axis

    def forward(self, input: Variable) -> Variable:
        return log_softmax(input, self._axis)
