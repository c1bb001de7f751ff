"""Linear: a fully connected layer."""

from __future__ import annotations

from typing import Any

from ..core.typing import Variable
from ..imperative.layer import Layer
from ..layers.support.activation_by_name import activate
from ..ops.math import elementwise, matmul


class Linear(Layer):
    """Compute act(X W + b): a fully connected layer.

    Arguments:
        input_dim: size of the last dimension of X.
        output_dim: size of the last dimension of Out.
        param_attr: of the weight, [input_dim, output_dim].
        bias_attr: of the bias, [output_dim]; False for none.
        act: name of an activation, e.g. "relu".
        dtype: "float32" or "float64".

    Shapes:
        X [..., input_dim] -> Out [..., output_dim].

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> fc = paddle.nn.Linear(4, 2)
    >>> fc(paddle.imperative.to_variable(np.ones([3, 4], 'float32'))).shape
    [3, 2]
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        act: str | None = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        self._act = act
        self.weight = self.create_parameter([input_dim, output_dim], param_attr, dtype=self._dtype)
        self.bias = self.create_parameter([output_dim], bias_attr, is_bias=True, dtype=self._dtype)

    def forward(self, input: Variable) -> Variable:
        out = matmul.matmul.call(input, self.weight)
        bias = self.bias
        if bias is not None:
            out = elementwise.elementwise_add.call(out, bias, axis=len(input.shape) - 1)
        return out if self._act is None else activate(out, self._act)
