"""The fully connected layer."""

from __future__ import annotations

from math import prod
from typing import Any

from ...core.calls.former import formerly
from ...core.dtype import name_of, to_numpy
from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ...core.typing import Variable
from ...ops.math import arithmetic as ops_math
from ...ops.math.matmul import mul
from ..support.arguments import as_int
from ..support.helper import LayerHelper

__all__ = ["fc"]


@formerly("input size num_flatten_dims param_attr bias_attr act is_test name", gone="is_test")
def fc(
    input: Any,
    size: int,
    num_flatten_dims: int = 1,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
) -> Variable:
    """Compute a fully connected layer with new parameters: act(x W + b); for several inputs, act(x1 W1 + x2 W2 + ... +
    b).

    Arguments:
        input: a Variable [N, ...], float32 or float64, or a list of them; each input has its own weight.
        size: the number of outputs for each row, an int.
        num_flatten_dims: the number of leading dimensions to keep; the others are flattened. -1 keeps all but the last.
        param_attr: the ParamAttr of the weight [product of the flattened dimensions, size]; for several inputs a list,
            or one for all.
        bias_attr: the ParamAttr of the bias [size]; False for no bias.
        act: the name of an activation to apply to the result, or None.
        name: the prefix of the parameters' names.

    Returns:
        A Variable [*kept dimensions, size].

    Raises:
        ArgumentTypeError: input holds something other than Variables, or Variables of different dtypes.
        ArgumentValueError: size or num_flatten_dims is out of range, or param_attr is False.
        ShapeError: the size of one flattened dimension is unknown; where two are, they have to be 1 when the Program runs.
        DtypeError: input is not float32 or float64.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     image = fluid.data('image', [None, 1, 28, 28])
    ...     fluid.layers.fc(image, size=10, act='softmax').shape
    (-1, 10)
    """
    helper = LayerHelper("fc", input=input, param_attr=param_attr, bias_attr=bias_attr, act=act, name=name)
    width = as_int(size)
    if width is None or width < 1:
        raise ArgumentValueError(message("fc", "size", repr(size), "an int of 1 or more"))
    products = []
    dtype = helper.input_dtype()
    if to_numpy(dtype).kind != "f":
        fix = "Convert it: fluid.layers.cast(x, 'float32')."
        raise DtypeError(message("fc", "input", f"dtype {name_of(dtype)}", "float32 or float64", fix))
    for x, attr in helper.iter_inputs_and_params():
        dims = list(x.shape)
        kept = _kept(num_flatten_dims, dims)
        flat = prod(dims[kept:])  # two unknown sizes count as 1, as those of a picture that is pooled as a whole
        if flat < 1:
            raise ShapeError(message("fc", "input", f"shape {dims}", f"known sizes behind the first {kept} dimensions"))
        weight = helper.create_parameter(attr or False, [flat, width], dtype)
        if weight is None:
            raise ArgumentValueError(message("fc", "param_attr", "False", "a weight, which it cannot do without"))
        products.append(helper.run(mul, x, weight, x_num_col_dims=kept, y_num_col_dims=1))
    total = products[0] if len(products) == 1 else helper.run(ops_math.sum, products)
    return helper.append_activation(helper.append_bias_op(total, dim_start=kept))


def _kept(num_flatten_dims: Any, dims: list[int]) -> int:
    """Return how many dimensions stay in front of the flattened ones; raise unless one or more do, and one does not."""
    kept = as_int(num_flatten_dims)
    kept = len(dims) - 1 if kept == -1 else kept
    if kept is None or not 1 <= kept < len(dims):
        needs = f"1 to {len(dims) - 1}, or -1, for shape {dims}"
        raise ArgumentValueError(message("fc", "num_flatten_dims", repr(num_flatten_dims), needs))
    return kept
