"""Normalisation layers that look at each image on its own."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentValueError, message
from ..core.typing import Variable
from ..imperative.layer import Layer
from ..imperative.layers.forms import also_before_1_7, size_of
from ..layers.support.activation_by_name import activate
from ..layers.support.write_into import run
from ..ops.nn import group_norm
from ..params.initializer import Constant


class InstanceNorm(Layer):
    """Normalise each channel of each image, then scale and shift it.

    Source: Ulyanov, Vedaldi and Lempitsky, "Instance Normalization", 2016.

    Arguments:
        num_channels: channels of the input, [N, C], [N, C, L], [N, C, H, W] or [N, C, D, H, W].
        epsilon: added to the variance, at most 0.001.
        param_attr, bias_attr: of scale (at first 1) and shift (at first 0), [num_channels]; both are always there.

    Raises:
        ArgumentValueError: `param_attr` or `bias_attr` is False.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> norm = paddle.fluid.dygraph.InstanceNorm(3)
    >>> norm(paddle.imperative.to_variable(np.ones([2, 3, 4, 4], 'float32'))).shape
    [2, 3, 4, 4]
    """

    def __init__(
        self,
        num_channels: int,
        epsilon: float = 1e-05,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        for name, attr in (("param_attr", param_attr), ("bias_attr", bias_attr)):
            if attr is False:
                needs = "scale and shift, which it cannot do without"
                raise ArgumentValueError(message("InstanceNorm", name, attr, needs))
        self._epsilon, self._param_attr, self._bias_attr = epsilon, param_attr, bias_attr
        self.scale = self.create_parameter(
            [num_channels], param_attr, default_initializer=Constant(1.0), dtype=self._dtype
        )
        self.bias = self.create_parameter([num_channels], bias_attr, is_bias=True, dtype=self._dtype)

    def forward(self, input: Variable) -> Variable:
        order = "SavedMean SavedVariance Y"
        return run(group_norm.instance_norm, input, self.scale, self.bias, order=order, epsilon=self._epsilon)[0]


@also_before_1_7(channels=size_of(1))
class GroupNorm(Layer):
    """Normalise each group of channels of each image, then scale and shift each channel.

    Source: Wu and He, "Group Normalization", 2018.

    Arguments:
        channels: channels of the input.
        groups: number of groups, a divisor of the channels.
        epsilon: added to the variance.
        param_attr, bias_attr: of scale (at first 1) and shift (at first 0), [channels]. As in Paddle there is none where
            the attribute is None or False; ask for one with an attribute, for example `ParamAttr()`.
        act: name of an activation.
        data_layout: "NCHW" or "NHWC".

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> norm = paddle.nn.GroupNorm(channels=8, groups=4)
    >>> norm(paddle.imperative.to_variable(np.ones([2, 8, 4, 4], 'float32'))).shape
    [2, 8, 4, 4]
    """

    _unless_given = {"groups": 1, "epsilon": 1e-05, "data_layout": "NCHW"}

    def __init__(
        self,
        channels: int,
        groups: int,
        epsilon: float = 1e-05,
        param_attr: Any = None,
        bias_attr: Any = None,
        act: str | None = None,
        data_layout: str = "NCHW",
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        self._act, self._channels, self._param_attr, self._bias_attr = act, channels, param_attr, bias_attr
        self._attrs: dict[str, Any] = {"groups": groups, "epsilon": epsilon, "data_layout": data_layout}
        self.weight = self.bias = None
        if param_attr:
            self.weight = self.create_parameter(
                [channels], param_attr, default_initializer=Constant(1.0), dtype=self._dtype
            )
        if bias_attr:
            self.bias = self.create_parameter([channels], bias_attr, is_bias=True, dtype=self._dtype)

    def forward(self, input: Variable) -> Variable:
        y, *_ = run(group_norm.group_norm, input, self.weight, self.bias, order="Mean Variance Y", **self._attrs)
        return activate(y, self._act)
