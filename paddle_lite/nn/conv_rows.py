"""row_conv as a layer."""

from __future__ import annotations

from typing import Any

from ..core.typing import Variable
from ..imperative.layer import Layer
from ..layers.sequence.row_conv import filter_shape
from ..layers.support.activation_by_name import activate
from ..ops.sequence import row_conv


class RowConv(Layer):
    """Sum each step of a sequence and the steps that follow it with learned weights.

    Its weight `[future_context_size + 1, D]` is made at the first call, for it takes D from the input. (1.8 offers this
    layer for static Programs only.) Source: Amodei et al., "Deep Speech 2", 2015.

    Arguments:
        name_scope: the first part of the weight's name.
        future_context_size: how many steps that follow count.
        param_attr: of the weight.
        act: name of an activation.

    Shapes:
        input [rows, D] with a LoD of one level, or [N, steps, D] -> the same.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> conv = paddle.fluid.dygraph.RowConv('ahead', future_context_size=2)
    >>> conv(paddle.imperative.to_variable(np.ones([2, 5, 3], 'float32'))).shape
    [2, 5, 3]
    >>> conv.weight.shape
    [3, 3]
    """

    def __init__(
        self, name_scope: str, future_context_size: int, param_attr: Any = None, act: str | None = None
    ) -> None:
        super().__init__(name_scope)
        self._future_context_size = future_context_size
        self._param_attr = param_attr
        self._act = act
        self.weight: Any = None

    def _build_once(self, input: Variable) -> None:
        shape = filter_shape("RowConv", self._future_context_size, input)
        self.weight = self.create_parameter(shape, self._param_attr, dtype=input.dtype)

    def forward(self, input: Variable) -> Variable:
        return activate(row_conv.row_conv.call(input, self.weight), self._act)
