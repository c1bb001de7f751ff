"""Computations over the rows of each sequence: pooling, softmax, convolution, windows of ids, masks."""

from __future__ import annotations

from typing import Any

from ...core.calls.former import formerly
from ...core.dtype import VarType, to_vartype
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.typing import Variable
from ...ops.sequence import sequence as ops
from ...ops.sequence import sequence_ids as ids
from ..support.arguments import check_int, check_number, check_variable, flag, is_variable
from ..support.helper import LayerHelper
from ..support.write_into import run

__all__ = [
    "sequence_conv",
    "sequence_enumerate",
    "sequence_first_step",
    "sequence_last_step",
    "sequence_mask",
    "sequence_pool",
    "sequence_scatter",
    "sequence_softmax",
]


def sequence_pool(input: Variable, pool_type: str, is_test: bool = False, pad_value: float = 0.0) -> Variable:
    """Reduce each sequence of the last LoD level to one row.

    Arguments:
        input: [rows, ...] with a LoD, float32 or float64.
        pool_type: "sum", "average", "sqrt" (the sum divided by the square root of the length), "max", "min", "first" or
            "last".
        is_test: accepted for Fluid code; stored in Programs, otherwise ignored.
        pad_value: the value of the row of an empty sequence.

    Returns:
        A Variable [sequences, ...] with the remaining LoD levels.

    Raises:
        ArgumentTypeError: input is not a Variable, pool_type is not a string, or pad_value is not a number.
        ArgumentValueError: pool_type is unknown.
        LoDError: input has no LoD, or the LoD does not fit the rows.
        ShapeError: the rank of input is 1.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.arange(5, dtype='float32').reshape(5, 1), [[2, 3]], fluid.CPUPlace())
    ...     x = fluid.dygraph.to_variable(x)
    ...     fluid.layers.sequence_pool(x, 'sum').numpy().tolist()
    [[1.0], [9.0]]
    """
    where = "sequence_pool"
    if not isinstance(pool_type, str):
        raise ArgumentTypeError(message(where, "pool_type", describe(pool_type), "a string such as 'sum'"))
    attrs: dict[str, Any] = {"pooltype": pool_type.upper(), "pad_value": check_number(where, "pad_value", pad_value)}
    carried = {"is_test": flag(where, "is_test", is_test)}
    return run(ops.sequence_pool, check_variable(where, "input", input), recorded=carried, **attrs)[0]


def sequence_first_step(input: Any) -> Variable:
    """Select the first row of each sequence: `sequence_pool` with "first".

    Arguments:
        input: [rows, ...] with a LoD, float32 or float64.

    Returns:
        A Variable [sequences, ...]; 0 for an empty sequence.

    Raises:
        ArgumentTypeError: input is not a Variable.
        LoDError: input has no LoD, or the LoD does not fit the rows.
        ShapeError: the rank of input is 1.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.arange(5, dtype='float32').reshape(5, 1), [[2, 3]], fluid.CPUPlace())
    ...     fluid.layers.sequence_first_step(fluid.dygraph.to_variable(x)).numpy().tolist()
    [[0.0], [2.0]]
    """
    return sequence_pool(input, "first")


def sequence_last_step(input: Any) -> Variable:
    """Select the last row of each sequence: `sequence_pool` with "last".

    Arguments:
        input: [rows, ...] with a LoD, float32 or float64.

    Returns:
        A Variable [sequences, ...]; 0 for an empty sequence.

    Raises:
        ArgumentTypeError: input is not a Variable.
        LoDError: input has no LoD, or the LoD does not fit the rows.
        ShapeError: the rank of input is 1.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.arange(5, dtype='float32').reshape(5, 1), [[2, 3]], fluid.CPUPlace())
    ...     fluid.layers.sequence_last_step(fluid.dygraph.to_variable(x)).numpy().tolist()
    [[1.0], [4.0]]
    """
    return sequence_pool(input, "last")


@formerly("input param_attr bias_attr use_cudnn", gone="param_attr bias_attr")
def sequence_softmax(input: Variable, use_cudnn: bool = False, name: str | None = None) -> Variable:
    """Compute the softmax over the elements of each sequence.

    Arguments:
        input: [rows] or [rows, 1] with a LoD of one level, float32 or float64.
        use_cudnn, name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and LoD of `input`; each sequence sums to 1.

    Raises:
        ArgumentTypeError: input is not a Variable.
        LoDError: input has no LoD, or the LoD does not fit the rows.
        ShapeError: input has another shape.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.zeros([6, 1], 'float32'), [[2, 4]], fluid.CPUPlace())
    ...     fluid.layers.sequence_softmax(fluid.dygraph.to_variable(x)).numpy().ravel().tolist()
    [0.5, 0.5, 0.25, 0.25, 0.25, 0.25]
    """
    return ops.sequence_softmax.call(check_variable("sequence_softmax", "input", input))


@formerly("input num_filters filter_size filter_stride padding bias_attr param_attr act name")
def sequence_conv(
    input: Variable,
    num_filters: int,
    filter_size: int = 3,
    filter_stride: int = 1,
    padding: bool = True,
    padding_start: int | None = None,
    bias_attr: Any = None,
    param_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
) -> Variable:
    """Compute a convolution along each sequence: the product of the rows in a window around each row with new weights.

    Arguments:
        input: [rows, D] with a LoD of one level, float32 or float64.
        num_filters: the number of outputs for each row.
        filter_size: the number of rows in a window.
        filter_stride: must be 1.
        padding: accepted for Fluid code, ignored: rows outside of a sequence count as zeros.
        padding_start: the first row of the window relative to the current row; -(filter_size // 2) where it is None.
        bias_attr: the ParamAttr of the bias [num_filters]; False for no bias.
        param_attr: the ParamAttr of the weights [filter_size * D, num_filters].
        act: the name of an activation to apply to the result, or None.
        name: the prefix of the parameters' names.

    Returns:
        A Variable [rows, num_filters] with the LoD of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or a number is not an int.
        ArgumentValueError: filter_size is below 1, or padding_start or filter_stride is out of range.
        LoDError: input has no LoD of one level.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.array([[1.], [2.], [5.]], 'float32'), [[2, 1]], fluid.CPUPlace())
    ...     w = fluid.ParamAttr(initializer=fluid.initializer.Constant(1.0))
    ...     fluid.layers.sequence_conv(fluid.dygraph.to_variable(x), 1, param_attr=w).numpy().tolist()
    [[3.0], [3.0], [5.0]]
    """
    where = "sequence_conv"
    width = check_variable(where, "input", input).shape[-1]
    size = check_int(where, "filter_size", filter_size)
    if size < 1:
        raise ArgumentValueError(message(where, "filter_size", size, "1 or more"))
    start = -(size // 2) if padding_start is None else check_int(where, "padding_start", padding_start)
    helper = LayerHelper("sequence_conv", bias_attr=True if bias_attr is None else bias_attr, act=act, name=name)
    weight = helper.create_parameter(
        param_attr, [size * width, check_int(where, "num_filters", num_filters)], input.dtype
    )  # fmt: skip
    attrs = {
        "contextLength": size,
        "contextStart": start,
        "contextStride": check_int(where, "filter_stride", filter_stride),
    }
    out = helper.run(ops.sequence_conv, input, None, weight, **attrs)
    return helper.append_activation(helper.append_bias_op(out))


def sequence_enumerate(input: Variable, win_size: int, pad_value: int = 0, name: str | None = None) -> Variable:
    """Return for each position of a sequence the window of ids that starts there.

    Arguments:
        input: ids [rows, 1] with a LoD of one level, int32 or int64.
        win_size: the number of ids in a window, at least 2.
        pad_value: the id after the end of a sequence.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [rows, win_size] with the LoD of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or win_size or pad_value is not an int.
        ArgumentValueError: win_size is below 2.
        LoDError: input has no LoD of one level.
        ShapeError: input is not [rows, 1].
        DtypeError: input is not int32 or int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(fluid.create_lod_tensor([[1, 2, 3], [4]], [[3, 1]], fluid.CPUPlace()))
    ...     fluid.layers.sequence_enumerate(x, win_size=2).numpy().tolist()
    [[1, 2], [2, 3], [3, 0], [4, 0]]
    """
    where = "sequence_enumerate"
    attrs = {"win_size": check_int(where, "win_size", win_size), "pad_value": check_int(where, "pad_value", pad_value)}
    return ids.sequence_enumerate.call(check_variable(where, "input", input), **attrs)


def sequence_mask(x: Variable, maxlen: Any = None, dtype: Any = "int64", name: str | None = None) -> Variable:
    """Convert lengths to masks: 1 at the positions below the length, 0 elsewhere.

    Arguments:
        x: lengths, int64 or int32, of any shape.
        maxlen: the number of positions: an int, an int Variable of one element, or None for the maximum of `x`.
        dtype: the dtype of the result.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [*x.shape, maxlen].

    Raises:
        ArgumentTypeError: x is not a Variable, or maxlen is neither an int nor a Variable.
        ArgumentValueError: maxlen is below 1.
        DtypeError: maxlen is a Variable but not an integer one.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.sequence_mask(fluid.dygraph.to_variable(np.array([1, 0, 3]))).numpy().tolist()
    [[1, 0, 0], [0, 0, 0], [1, 1, 1]]
    """
    where = "sequence_mask"
    tensor = maxlen if is_variable(maxlen) else None
    size = -1 if maxlen is None or tensor is not None else check_int(where, "maxlen", maxlen)
    kind = dtype if isinstance(dtype, VarType) else to_vartype(dtype)
    return ids.sequence_mask.call(check_variable(where, "x", x), tensor, maxlen=size, out_dtype=int(kind))


def sequence_scatter(input: Any, index: Any, updates: Any, name: str | None = None) -> Variable:
    """Add the updates of sequence i to row i of `input`, at the columns that the ids of the sequence name.

    Arguments:
        input: [N, D], or of higher rank: the elements of a row are its columns, in their order in memory.
        index: ids of columns, int64 [rows, 1] or [rows] with a LoD of one level: one sequence for each row of `input`.
        updates: the numbers to add, of the shape and LoD of `index` and the dtype of `input`.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape of `input`.

    Raises:
        ArgumentTypeError: input, index or updates is not a Variable.
        IndexRangeError: an id is not a column.
        LoDError: index or updates has no LoD, or they differ.
        ShapeError: the shapes do not fit.
        DtypeError: updates has another dtype than input.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([2, 3], 'float32'))
    ...     at = fluid.dygraph.to_variable(fluid.create_lod_tensor([[0, 2], [1]], [[2, 1]], fluid.CPUPlace()))
    ...     more = np.array([[5.], [6.], [7.]], 'float32')
    ...     more = fluid.dygraph.to_variable(fluid.create_lod_tensor(more, [[2, 1]], fluid.CPUPlace()))
    ...     fluid.layers.sequence_scatter(x, at, more).numpy().tolist()
    [[5.0, 0.0, 6.0], [0.0, 7.0, 0.0]]
    """
    named = (("input", input), ("index", index), ("updates", updates))
    return ids.sequence_scatter.call(*[check_variable("sequence_scatter", key, value) for key, value in named])
