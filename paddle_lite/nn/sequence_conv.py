"""sequence_conv as a layer."""

from __future__ import annotations

from typing import Any

from ..core.typing import Variable
from ..imperative.layer import Layer
from ..layers.math.elementwise import elementwise_add
from ..layers.support.activation_by_name import activate
from ..ops.sequence import sequence as ops


class SequenceConv(Layer):
    """Convolve each sequence along its steps; a window of `filter_size` steps lies around each step.

    Its weight `[filter_size * D, num_filters]` is made at the first call, for it takes D from the input. (1.8 offers this
    layer for static Programs only.)

    Arguments:
        name_scope: the first part of the parameters' names.
        num_filters: how many numbers come out for each step.
        filter_size: the number of steps in a window.
        filter_stride: must be 1.
        padding: accepted for Fluid code, ignored: steps outside of a sequence count as zeros.
        bias_attr: of the bias [num_filters]; False for none.
        param_attr: of the weight.
        act: name of an activation.

    Shapes:
        input [rows, D] with a LoD of one level -> [rows, num_filters] with that LoD.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> conv = paddle.fluid.dygraph.nn.SequenceConv('conv', num_filters=2)
    >>> x = paddle.fluid.create_lod_tensor(np.ones([3, 4], 'float32'), [[1, 2]], paddle.fluid.CPUPlace())
    >>> conv(paddle.imperative.to_variable(x)).shape, conv.weight.shape
    ([3, 2], [12, 2])
    """

    def __init__(
        self, name_scope: str, num_filters: int, filter_size: int = 3, filter_stride: int = 1, padding: Any = None,
        bias_attr: Any = None, param_attr: Any = None, act: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name_scope)
        self._num_filters, self._filter_size, self._filter_stride = num_filters, filter_size, filter_stride
        self._bias_attr, self._param_attr, self._act = bias_attr, param_attr, act
        self.weight: Any = None
        self.bias: Any = None

    def _build_once(self, input: Variable) -> None:
        shape = [self._filter_size * input.shape[-1], self._num_filters]
        self.weight = self.create_parameter(shape, self._param_attr, dtype=input.dtype)
        self.bias = self.create_parameter([self._num_filters], self._bias_attr, dtype=input.dtype, is_bias=True)

    def forward(self, input: Variable) -> Variable:
        attrs = {
            "contextLength": self._filter_size,
            "contextStart": -(self._filter_size // 2),
            "contextStride": self._filter_stride,
        }
        out = ops.sequence_conv.call(input, None, self.weight, **attrs)
        return activate(out if self.bias is None else elementwise_add(out, self.bias, axis=1), self._act)
