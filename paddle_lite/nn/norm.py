"""Normalisation layers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, describe, message
from ..core.mode import state
from ..core.typing import Variable
from ..imperative.layer import Layer
from ..imperative.layers.forms import also_before_1_7
from ..layers.support.activation_by_name import activate
from ..layers.support.write_into import run
from ..ops.nn import norm
from ..params.attr import ParamAttr
from ..params.initializer import Constant


@also_before_1_7()
class BatchNorm(Layer):
    """Normalise each channel over the batch, then scale and shift it.

    In training mode the batch's mean and variance are used and the running ones moved towards them,
    running = momentum * running + (1 - momentum) * batch; in evaluation mode the running ones are used.
    Source: Ioffe and Szegedy, "Batch Normalization", 2015.

    Arguments:
        num_channels: channels of the input.
        act: name of an activation.
        is_test: use the running statistics, in Programs; in imperative mode `eval()` says so, and this is ignored.
        momentum: of the running statistics.
        epsilon: added to the variance.
        param_attr, bias_attr: of scale and shift, [num_channels].
        data_layout: "NCHW" or "NHWC".
        moving_mean_name, moving_variance_name: names of the running statistics.
        use_global_stats: use the running statistics in training mode too.
        trainable_statistics: use the batch's statistics in evaluation mode too.
        in_place, do_model_average_for_mean_and_var: kept for Fluid code.

    The running statistics are parameters with `trainable=False`: `parameters()` and `state_dict()` hold them.

    Raises:
        ArgumentValueError: `param_attr` or `bias_attr` is False.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> bn = paddle.nn.BatchNorm(3)
    >>> bn(paddle.imperative.to_variable(np.ones([2, 3, 4, 4], 'float32'))).shape
    [2, 3, 4, 4]
    """

    _unless_given = {
        "momentum": 0.9,
        "epsilon": 1e-05,
        "data_layout": "NCHW",
        "use_global_stats": False,
        "trainable_statistics": False,
    }

    def __init__(
        self,
        num_channels: int,
        act: str | None = None,
        is_test: bool = False,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
        data_layout: str = "NCHW",
        in_place: bool = False,
        moving_mean_name: str | None = None,
        moving_variance_name: str | None = None,
        do_model_average_for_mean_and_var: bool = True,
        use_global_stats: bool = False,
        trainable_statistics: bool = False,
    ) -> None:
        super().__init__(dtype=dtype)
        self._act, self._param_attr, self._bias_attr = act, param_attr, bias_attr
        self._in_place, self._fuse_with_relu = in_place, False
        self._attrs: dict[str, Any] = {
            "momentum": momentum,
            "epsilon": epsilon,
            "data_layout": data_layout,
            "use_global_stats": use_global_stats,
            "trainable_statistics": trainable_statistics,
        }
        self._is_test = is_test
        for name, attr in (("param_attr", param_attr), ("bias_attr", bias_attr)):
            if attr is False:
                raise ArgumentValueError(
                    message("BatchNorm", name, attr, "scale and shift, which it cannot do without")
                )
        shape = [num_channels]
        self.weight = self.create_parameter(shape, param_attr, default_initializer=Constant(1.0), dtype=self._dtype)
        self.bias = self.create_parameter(shape, bias_attr, is_bias=True, dtype=self._dtype)
        averaged = do_model_average_for_mean_and_var
        self._mean = self._statistic(shape, moving_mean_name, 0.0, averaged)
        self._variance = self._statistic(shape, moving_variance_name, 1.0, averaged)

    def _statistic(self, shape: list[int], name: str | None, start: float, averaged: bool) -> Any:
        attr = ParamAttr(name=name, initializer=Constant(start), trainable=False, do_model_average=averaged)
        statistic = self.create_parameter(shape, attr, dtype=self._dtype)
        statistic.stop_gradient = True
        return statistic

    def forward(self, input: Variable) -> Variable:
        y, *_ = run(
            norm.batch_norm,
            input,
            self.weight,
            self.bias,
            self._mean,
            self._variance,
            carry={"MeanOut": self._mean, "VarianceOut": self._variance},
            order="SavedMean SavedVariance Y",
            is_test=state.mode.for_inference(self._is_test, self.training),
            **self._attrs,
        )
        return activate(y, self._act)


@also_before_1_7(
    "/ scale shift begin_norm_axis epsilon param_attr bias_attr act dtype",
    normalized_shape=lambda given, inputs: list(inputs[0].shape[given.get("begin_norm_axis", 1) :]),
)
class LayerNorm(Layer):
    """Normalise the trailing dimensions of each sample, then scale and shift.

    Source: Ba, Kiros and Hinton, "Layer Normalization", 2016.

    Arguments:
        normalized_shape: the trailing dimensions, or the size of the last one.
        scale, shift: whether there is a scale and a shift.
        epsilon: added to the variance.
        param_attr, bias_attr: of scale and shift, each of prod(normalized_shape) elements.
        act: name of an activation.

    Raises:
        ArgumentTypeError: `normalized_shape` is neither a size nor a list of sizes.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> ln = paddle.nn.LayerNorm(8)
    >>> ln(paddle.imperative.to_variable(np.ones([2, 3, 8], 'float32'))).shape
    [2, 3, 8]
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        scale: bool = True,
        shift: bool = True,
        epsilon: float = 1e-05,
        param_attr: Any = None,
        bias_attr: Any = None,
        act: str | None = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        shape = [normalized_shape] if isinstance(normalized_shape, int) else normalized_shape
        if not isinstance(shape, (list, tuple)) or not shape or not all(isinstance(n, int) for n in shape):
            raise ArgumentTypeError(message("LayerNorm", "normalized_shape", describe(normalized_shape), "sizes"))
        shape = list(shape)
        self._normalized_shape = shape
        self._epsilon, self._scale, self._shift = epsilon, scale, shift
        self._act, self._param_attr, self._bias_attr = act, param_attr, bias_attr
        size = [math.prod(shape)]
        self.weight = (
            self.create_parameter(size, param_attr, default_initializer=Constant(1.0), dtype=self._dtype)
            if scale
            else None
        )
        self.bias = self.create_parameter(size, bias_attr, is_bias=True, dtype=self._dtype) if shift else None

    def forward(self, input: Variable) -> Variable:
        tail = list(input.shape)[-len(self._normalized_shape) :]
        if tail != self._normalized_shape:
            raise ShapeError(
                message("LayerNorm", "Input", f"shape {input.shape}", f"trailing dimensions {self._normalized_shape}")
            )
        y, _, _ = run(
            norm.layer_norm,
            input,
            self.weight,
            self.bias,
            order="Mean Variance Y",
            epsilon=self._epsilon,
            begin_norm_axis=len(input.shape) - len(self._normalized_shape),
        )
        return activate(y, self._act)
