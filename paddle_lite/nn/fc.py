"""FC: the fully connected layer of Fluid before 1.7, which learns the size of its input from the first call."""

from __future__ import annotations

import math
from typing import Any

from ..core.errors import ArgumentValueError, ShapeError, message
from ..core.typing import Variable
from ..imperative.layer import Layer
from ..layers.support.activation_by_name import activate
from ..layers.support.arguments import check_variable
from ..ops.math import elementwise, matmul
from ..ops.shape import shape as shaping


class FC(Layer):
    """Compute act(X W + b), where X has been made a matrix.

    The parameters are made in the first call, whose input says how large they are: an optimizer gets them after it.
    `Linear` takes its place in new programs.

    Arguments:
        name_scope: a part of the names of the parameters.
        size: the number of columns of the result.
        num_flatten_dims: the number of dimensions of X that are its rows; the others are its columns.
        param_attr: of the weight [columns of X, size].
        bias_attr: of the bias [size]; False for none.
        act: the name of an activation, such as "relu".
        is_test: accepted for programs of that time, ignored.
        dtype: "float32" or "float64".

    Raises:
        ArgumentValueError: size or num_flatten_dims is less than 1.

    Shapes:
        X [rows ..., columns ...] -> Out [rows ..., size].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fc = fluid.dygraph.FC('fc', size=2)
    ...     fc(fluid.dygraph.to_variable(np.ones([3, 4, 5], 'float32'))).shape, fc.weight.shape
    ([3, 2], [20, 2])
    """

    def __init__(
        self,
        name_scope: str,
        size: int,
        num_flatten_dims: int = 1,
        param_attr: Any = None,
        bias_attr: Any = None,
        act: str | None = None,
        is_test: bool = False,
        dtype: Any = "float32",
    ) -> None:
        self._begin_before_1_7(name_scope)
        super().__init__(dtype=dtype)
        for name, number in (("size", size), ("num_flatten_dims", num_flatten_dims)):
            if number < 1:
                raise ArgumentValueError(message("FC", name, number, "1 or more"))
        self._size = size
        self._num_flatten_dims = num_flatten_dims
        self._param_attr = param_attr
        self._bias_attr = bias_attr
        self._act = act
        self.weight: Any = None
        self.bias: Any = None

    def _build_once(self, input: Variable) -> None:
        columns = self._columns(input)
        self.weight = self.create_parameter([columns, self._size], self._param_attr, dtype=self._dtype)
        self.bias = self.create_parameter([self._size], self._bias_attr, is_bias=True, dtype=self._dtype)

    def _columns(self, input: Variable) -> int:
        shape, rows = check_variable("FC", "input", input).shape, self._num_flatten_dims
        if len(shape) <= rows:
            raise ShapeError(message("FC", "input", f"shape {list(shape)}", f"more than {rows} dimensions"))
        return math.prod(shape[rows:])

    def forward(self, input: Variable) -> Variable:
        """Compute the layer, whose parameters the first call has made.

        Raises:
            ShapeError: `input` has no dimension for the columns.
        """
        columns = self._columns(input)
        flat = shaping.reshape2.call(input, shape=[-1, columns])[0]
        out = matmul.matmul.call(flat, self.weight)
        if self.bias is not None:
            out = elementwise.elementwise_add.call(out, self.bias, axis=1)
        out = shaping.reshape2.call(out, shape=[-1, *input.shape[1 : self._num_flatten_dims], self._size])[0]
        return activate(out, self._act)
