"""The bilinear product of two vectors as a layer."""

from __future__ import annotations

from typing import Any

from ..core.typing import Variable
from ..imperative.layer import Layer
from ..imperative.layers.forms import also_before_1_7, size_of
from ..layers.nn.norm import UNNAMED
from ..layers.support.activation_by_name import activate
from ..layers.support.write_into import run
from ..ops.math import linalg


@also_before_1_7(
    "size / name act param_attr bias_attr",
    input1_dim=size_of(1),
    input2_dim=size_of(1, 1),
    output_dim=lambda given, inputs: given["size"],
)
class BilinearTensorProduct(Layer):
    """Compute act(x[n] @ weight[i] @ y[n] + bias[i]) for each of `output_dim` matrices.

    Source: Socher et al., "Reasoning With Neural Tensor Networks for Knowledge Base Completion", 2013.

    Arguments:
        input1_dim, input2_dim: the sizes of x[n] and y[n].
        output_dim: how many results there are for each n.
        name: kept for Fluid code.
        act: name of an activation.
        param_attr: of the weight, [output_dim, input1_dim, input2_dim].
        bias_attr: of the bias, [1, output_dim]; False for none.

    Shapes:
        x [N, input1_dim], y [N, input2_dim] -> [N, output_dim].

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> product = paddle.nn.BilinearTensorProduct(3, 4, 5)
    >>> x, y = (paddle.imperative.to_variable(np.ones([2, n], 'float32')) for n in (3, 4))
    >>> product(x, y).shape
    [2, 5]
    """

    def __init__(
        self,
        input1_dim: int,
        input2_dim: int,
        output_dim: int,
        name: str | None = None,
        act: str | None = None,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        self._act, self._name, self._param_attr, self._bias_attr = act, name, param_attr, bias_attr
        self._input1_dim, self._input2_dim, self._output_dim = input1_dim, input2_dim, output_dim
        self.weight = self.create_parameter([output_dim, input1_dim, input2_dim], param_attr, dtype=self._dtype)
        self.bias = self.create_parameter([1, output_dim], bias_attr, is_bias=True, dtype=self._dtype)

    def forward(self, x: Variable, y: Any) -> Variable:
        out = run(linalg.bilinear_tensor_product, x, y, self.weight, self.bias, key=UNNAMED)
        return activate(out, self._act)
