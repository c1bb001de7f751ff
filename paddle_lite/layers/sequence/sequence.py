"""Computations over the rows of each sequence: pooling, softmax, convolution; windows of ids and masks."""

from __future__ import annotations

from typing import Any

from ...core.dtype import VarType, to_vartype
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...ops.sequence import sequence as ops
from ...ops.sequence import sequence_ids as ids
from ..support.arguments import check_variable, is_variable, number, whole
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


def sequence_pool(input: Any, pool_type: str, is_test: bool = False, pad_value: float = 0.0) -> Any:
    """One row for each sequence of the last LoD level.

    Arguments:
        input: [rows, ...] with a LoD, float32 or float64.
        pool_type: "sum", "average", "sqrt" (the sum over the square root of the length), "max", "min", "first" or "last".
        is_test: kept for Fluid code; a Program carries it.
        pad_value: what an empty sequence gives.

    Returns:
        [sequences, ...] with the LoD levels above.

    Raises:
        LoDError: there is no LoD, or it does not cover the rows.
        ArgumentValueError: another `pool_type`.

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
    attrs: dict[str, Any] = {"pooltype": pool_type.upper(), "pad_value": number(where, "pad_value", pad_value)}
    carried = {"is_test": bool(is_test)}
    return run(ops.sequence_pool, check_variable(where, "input", input), carried=carried, **attrs)[0]


def sequence_first_step(input: Any) -> Any:
    """The first row of each sequence: sequence_pool of "first".

    Arguments:
        input: [rows, ...] with a LoD, float32 or float64.

    Returns:
        [sequences, ...], 0 for an empty sequence.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.arange(5, dtype='float32').reshape(5, 1), [[2, 3]], fluid.CPUPlace())
    ...     fluid.layers.sequence_first_step(fluid.dygraph.to_variable(x)).numpy().tolist()
    [[0.0], [2.0]]
    """
    return sequence_pool(input, "first")


def sequence_last_step(input: Any) -> Any:
    """The last row of each sequence: sequence_pool of "last".

    Arguments:
        input: [rows, ...] with a LoD, float32 or float64.

    Returns:
        [sequences, ...], 0 for an empty sequence.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.arange(5, dtype='float32').reshape(5, 1), [[2, 3]], fluid.CPUPlace())
    ...     fluid.layers.sequence_last_step(fluid.dygraph.to_variable(x)).numpy().tolist()
    [[1.0], [4.0]]
    """
    return sequence_pool(input, "last")


def sequence_softmax(input: Any, use_cudnn: bool = False, name: str | None = None) -> Any:
    """The softmax of the numbers of each sequence of the last LoD level.

    Arguments:
        input: [rows] or [rows, 1] with a LoD, float32 or float64.
        use_cudnn, name: kept for Fluid code.

    Returns:
        The shape and the LoD of the input; each sequence sums to 1.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.zeros([6, 1], 'float32'), [[2, 4]], fluid.CPUPlace())
    ...     fluid.layers.sequence_softmax(fluid.dygraph.to_variable(x)).numpy().ravel().tolist()
    [0.5, 0.5, 0.25, 0.25, 0.25, 0.25]
    """
    return ops.sequence_softmax.call(check_variable("sequence_softmax", "input", input))


def sequence_conv(
    input: Any,
    num_filters: int,
    filter_size: int = 3,
    filter_stride: int = 1,
    padding: bool = True,
    padding_start: int | None = None,
    bias_attr: Any = None,
    param_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
) -> Any:
    """A convolution along sequences: each row becomes a product of the rows in a window around it with new weights.

    Arguments:
        input: [rows, D] with a LoD of one level, float32 or float64.
        num_filters: how many numbers come out for each row.
        filter_size: how many rows a window has.
        filter_stride: 1; there is no other.
        padding: kept for Fluid code: outside of a sequence are zeros.
        padding_start: where the window of a row starts, counted from the row; -(filter_size // 2) unless given.
        bias_attr: of the bias, [num_filters]; False for none.
        param_attr: of the weights, [filter_size * D, num_filters].
        act: name of an activation.
        name: the parameters' names start with it.

    Returns:
        [rows, num_filters] with the LoD of the input.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.array([[1.], [2.], [5.]], 'float32'), [[2, 1]], fluid.CPUPlace())
    ...     w = fluid.ParamAttr(initializer=fluid.initializer.Constant(1.0))
    ...     fluid.layers.sequence_conv(fluid.dygraph.to_variable(x), 1, param_attr=w).numpy().tolist()
    [[3.0], [3.0], [5.0]]
    """
    where = "sequence_conv"
    width = check_variable(where, "input", input).shape[-1]
    size = whole(where, "filter_size", filter_size)
    if size < 1:
        raise ArgumentValueError(message(where, "filter_size", size, "1 or more"))
    start = -(size // 2) if padding_start is None else whole(where, "padding_start", padding_start)
    helper = LayerHelper("sequence_conv", bias_attr=True if bias_attr is None else bias_attr, act=act, name=name)
    weight = helper.create_parameter(
        param_attr, [size * width, whole(where, "num_filters", num_filters)], input.dtype
    )  # fmt: skip
    attrs = {
        "contextLength": size,
        "contextStart": start,
        "contextStride": whole(where, "filter_stride", filter_stride),
    }
    out = helper.run(ops.sequence_conv, input, None, weight, **attrs)
    return helper.append_activation(helper.append_bias_op(out))


def sequence_enumerate(input: Any, win_size: int, pad_value: int = 0, name: str | None = None) -> Any:
    """For each id of a sequence the ids from there on, as many as a window has.

    Arguments:
        input: ids [rows, 1] with a LoD of one level, int32 or int64.
        win_size: how many ids a window has, 2 or more.
        pad_value: the id behind the end of a sequence.
        name: kept for Fluid code.

    Returns:
        [rows, win_size] with the LoD of the input.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(fluid.create_lod_tensor([[1, 2, 3], [4]], [[3, 1]], fluid.CPUPlace()))
    ...     fluid.layers.sequence_enumerate(x, win_size=2).numpy().tolist()
    [[1, 2], [2, 3], [3, 0], [4, 0]]
    """
    where = "sequence_enumerate"
    attrs = {"win_size": whole(where, "win_size", win_size), "pad_value": whole(where, "pad_value", pad_value)}
    return ids.sequence_enumerate.call(check_variable(where, "input", input), **attrs)


def sequence_mask(x: Any, maxlen: Any = None, dtype: Any = "int64", name: str | None = None) -> Any:
    """Masks from lengths: 1 at the places below a length, 0 behind.

    Arguments:
        x: lengths of any shape.
        maxlen: how many places there are: an int, a Variable that holds one, or None for the largest of `x`.
        dtype: of the result.
        name: kept for Fluid code.

    Returns:
        The shape of `x`, then `maxlen`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.sequence_mask(fluid.dygraph.to_variable(np.array([1, 0, 3]))).numpy().tolist()
    [[1, 0, 0], [0, 0, 0], [1, 1, 1]]
    """
    where = "sequence_mask"
    tensor = maxlen if is_variable(maxlen) else None
    size = -1 if maxlen is None or tensor is not None else whole(where, "maxlen", maxlen)
    kind = dtype if isinstance(dtype, VarType) else to_vartype(dtype)
    return ids.sequence_mask.call(check_variable(where, "x", x), tensor, maxlen=size, out_dtype=int(kind))


def sequence_scatter(input: Any, index: Any, updates: Any, name: str | None = None) -> Any:
    """`input` with numbers added: those of sequence i in row i, at the columns that its ids name.

    Arguments:
        input: [N, D].
        index: ids of columns, [rows, 1] or [rows], int64, with a LoD of one level: a sequence for each row of `input`.
        updates: what is added, in the shape of `index` and with its LoD, of the dtype of `input`.
        name: kept for Fluid code.

    Returns:
        [N, D].

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
