"""Composite networks made of functions of `layers`: the module `fluid.nets`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, describe, message
from .core.missing import missing_names as _missing_names
from .core.typing import Variable
from .layers.math.arithmetic import scale
from .layers.math.elementwise import elementwise_mul
from .layers.math.matmul import matmul
from .layers.nn.activation import sigmoid
from .layers.nn.conv import conv2d
from .layers.nn.dense import fc
from .layers.nn.norm import batch_norm
from .layers.nn.pool import pool2d
from .layers.random.random import dropout
from .layers.sequence.sequence import sequence_conv, sequence_pool
from .layers.shape.shape import reshape, split, transpose
from .layers.support.arguments import check_variable

__all__ = ["glu", "img_conv_group", "scaled_dot_product_attention", "sequence_conv_pool", "simple_img_conv_pool"]
__getattr__ = _missing_names(__name__)


def simple_img_conv_pool(
    input: Any,
    num_filters: int,
    filter_size: int | Sequence[int],
    pool_size: int | Sequence[int],
    pool_stride: int | Sequence[int],
    pool_padding: int | Sequence[int] = 0,
    pool_type: str = "max",
    global_pooling: bool = False,
    conv_stride: int | Sequence[int] = 1,
    conv_padding: Any = 0,
    conv_dilation: int | Sequence[int] = 1,
    conv_groups: int = 1,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: str | None = None,
    use_cudnn: bool = True,
) -> Variable:
    """Apply a convolution over images, then pooling.

    Arguments:
        input: [N, C, H, W], float32 or float64.
        num_filters, filter_size, conv_stride, conv_padding, conv_dilation, conv_groups: as in `layers.conv2d`.
        pool_size, pool_stride, pool_padding, pool_type, global_pooling: as in `layers.pool2d`.
        param_attr, bias_attr: the ParamAttrs of the convolution's filter and bias.
        act: the name of the activation between the two, or None.
        use_cudnn: as in `layers.conv2d`.

    Returns:
        A Variable [N, num_filters, pooled height, pooled width].

    Raises:
        ArgumentTypeError, ArgumentValueError, ShapeError, DtypeError: as in `layers.conv2d` and `layers.pool2d`.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     image = fluid.data('image', [None, 1, 28, 28])
    ...     fluid.nets.simple_img_conv_pool(image, 20, 5, pool_size=2, pool_stride=2, act='relu').shape
    (-1, 20, 12, 12)
    """
    out = conv2d(
        input, num_filters, filter_size, conv_stride, conv_padding, conv_dilation, conv_groups, param_attr, bias_attr,
        use_cudnn, act,
    )  # fmt: skip
    return pool2d(out, pool_size, pool_type, pool_stride, pool_padding, global_pooling, use_cudnn)


def img_conv_group(
    input: Any,
    conv_num_filter: Sequence[int],
    pool_size: int | Sequence[int],
    conv_padding: Any = 1,
    conv_filter_size: Any = 3,
    conv_act: str | None = None,
    param_attr: Any = None,
    conv_with_batchnorm: Any = False,
    conv_batchnorm_drop_rate: Any = 0.0,
    pool_stride: int | Sequence[int] = 1,
    pool_type: str = "max",
    use_cudnn: bool = True,
) -> Variable:
    """Apply convolutions over images one after the other, optionally each with batch_norm and dropout, then pooling.

    Arguments:
        input: [N, C, H, W], float32 or float64.
        conv_num_filter: a list with the number of filters of each convolution.
        pool_size, pool_stride, pool_type: as in `layers.pool2d`.
        conv_padding, conv_filter_size, param_attr, conv_with_batchnorm, conv_batchnorm_drop_rate: for each convolution
            a list of values, or one value for all. Dropout follows batch_norm where the rate is not 0.
        conv_act: the name of the activation of each convolution, applied after batch_norm where there is one; or None.
        use_cudnn: as in `layers.conv2d`.

    Returns:
        A Variable [N, conv_num_filter[-1], pooled height, pooled width].

    Raises:
        ArgumentTypeError: conv_num_filter is not a list; otherwise as in `layers.conv2d` and `layers.pool2d`.
        ArgumentValueError: a list has not one value for each convolution; otherwise as in `layers.conv2d` and
            `layers.pool2d`.
        ShapeError, DtypeError: as in `layers.conv2d` and `layers.pool2d`.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     image = fluid.data('image', [None, 1, 28, 28])
    ...     fluid.nets.img_conv_group(image, [3, 3], pool_size=2, conv_act='relu', pool_stride=2).shape
    (-1, 3, 14, 14)
    """
    if not isinstance(conv_num_filter, (list, tuple)) or not conv_num_filter:
        got = describe(conv_num_filter)
        raise ArgumentTypeError(message("img_conv_group", "conv_num_filter", got, "a list of numbers of filters"))
    count = len(conv_num_filter)
    paddings = _each("conv_padding", conv_padding, count)
    sizes = _each("conv_filter_size", conv_filter_size, count)
    attrs = _each("param_attr", param_attr, count)
    normal = _each("conv_with_batchnorm", conv_with_batchnorm, count)
    rates = _each("conv_batchnorm_drop_rate", conv_batchnorm_drop_rate, count)
    out = input
    for i, filters in enumerate(conv_num_filter):
        act = None if normal[i] else conv_act
        out = conv2d(out, filters, sizes[i], padding=paddings[i], param_attr=attrs[i], act=act, use_cudnn=use_cudnn)
        if normal[i]:
            out = batch_norm(out, act=conv_act)
            if abs(rates[i]) > 1e-5:
                out = dropout(out, dropout_prob=rates[i])
    return pool2d(out, pool_size, pool_type, pool_stride, use_cudnn=use_cudnn)


def _each(argument: str, value: Any, count: int) -> list[Any]:
    """Return a list with one value for each convolution."""
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise ArgumentValueError(
            message("img_conv_group", argument, f"{len(value)} of them", f"{count}, or one for all")
        )
    return list(value)


def sequence_conv_pool(
    input: Any,
    num_filters: int,
    filter_size: int,
    param_attr: Any = None,
    act: str | None = "sigmoid",
    pool_type: str = "max",
    bias_attr: Any = None,
) -> Variable:
    """Apply a convolution along sequences, then pool each sequence to one row.

    Arguments:
        input: [rows, D] with a LoD of one level, float32 or float64.
        num_filters, filter_size, param_attr, bias_attr: as in `layers.sequence_conv`.
        act: the name of the activation between the two, or None.
        pool_type: as in `layers.sequence_pool`.

    Returns:
        A Variable [sequences, num_filters].

    Raises:
        ArgumentTypeError, ArgumentValueError, LoDError, DtypeError: as in `layers.sequence_conv` and
            `layers.sequence_pool`.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     words = fluid.data('words', [None, 16], lod_level=1)
    ...     fluid.nets.sequence_conv_pool(words, num_filters=8, filter_size=3).shape
    (-1, 8)
    """
    out = sequence_conv(input, num_filters, filter_size, param_attr=param_attr, bias_attr=bias_attr, act=act)
    return sequence_pool(out, pool_type)


def glu(input: Any, dim: int = -1) -> Variable:
    """Compute a gated linear unit: the first half of the input times the sigmoid of the second half.

    Source: Dauphin et al., "Language Modeling with Gated Convolutional Networks", 2016.

    Arguments:
        input: a Variable whose size along `dim` is even, float32 or float64.
        dim: the axis to split.

    Returns:
        A Variable of the shape of `input` with half the size along `dim`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ShapeError: there is no such axis, or its size is odd.
        DtypeError: input is not float32 or float64.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     fluid.nets.glu(fluid.data('x', [None, 6, 3, 9]), dim=1).shape
    (-1, 3, 3, 9)
    """
    value, gate = split(input, num_or_sections=2, dim=dim)
    return elementwise_mul(x=value, y=sigmoid(gate))


def scaled_dot_product_attention(
    queries: Any, keys: Any, values: Any, num_heads: int = 1, dropout_rate: float = 0.0
) -> Variable:
    """Compute attention, softmax(queries keys^T / sqrt(head size)) values; several heads have projections with new
    parameters.

    Source: Vaswani et al., "Attention Is All You Need", 2017.

    Arguments:
        queries: [N, L, D], float32 or float64.
        keys: [N, M, D], of the dtype of queries.
        values: [N, M, V], of the dtype of queries.
        num_heads: the number of heads that the projected queries, keys and values are split into; one head has no
            projections.
        dropout_rate: the probability of dropout of the attention weights.

    Returns:
        A Variable [N, L, V].

    Raises:
        ArgumentTypeError: queries, keys or values is not a Variable.
        ShapeError: the shapes do not fit together, or num_heads does not divide the sizes.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     q, kv = fluid.data('q', [None, 5, 8]), fluid.data('kv', [None, 7, 8])
    ...     fluid.nets.scaled_dot_product_attention(q, kv, kv, num_heads=2).shape
    (-1, 5, 8)
    """
    _check_attention(queries, keys, values, num_heads)
    if num_heads > 1:
        queries, keys, values = (fc(x, x.shape[-1], num_flatten_dims=2) for x in (queries, keys, values))
    q, k, v = (_heads(x, num_heads) for x in (queries, keys, values))
    product = matmul(scale(q, scale=(queries.shape[-1] // num_heads) ** -0.5), k, transpose_y=True)
    weights = reshape(reshape(product, shape=[-1, product.shape[-1]], act="softmax"), shape=_sizes(product))
    if dropout_rate:
        weights = dropout(weights, dropout_prob=dropout_rate, is_test=False)
    context = matmul(weights, v)
    if num_heads == 1:
        return context
    context = transpose(context, perm=[0, 2, 1, 3])
    *front, heads, size = _sizes(context)
    return reshape(context, shape=[*front, heads * size])


def _check_attention(queries: Any, keys: Any, values: Any, num_heads: int) -> None:
    """Raise unless the shapes fit together and num_heads divides the sizes."""
    where = "scaled_dot_product_attention"
    named = {"queries": queries, "keys": keys, "values": values}
    for name, value in named.items():
        if len(check_variable(where, name, value).shape) != 3:
            raise ShapeError(message(where, name, f"shape {list(value.shape)}", "[N, length, size]"))
    if queries.shape[-1] != keys.shape[-1]:
        raise ShapeError(message(where, "keys", f"size {keys.shape[-1]}", f"the size of queries, {queries.shape[-1]}"))
    if keys.shape[-2] != values.shape[-2]:
        needs = f"as many as keys, {keys.shape[-2]}"
        raise ShapeError(message(where, "values", f"{values.shape[-2]} of them", needs))
    for name in ("keys", "values"):
        size = named[name].shape[-1]
        if size % num_heads:
            raise ShapeError(message(where, "num_heads", num_heads, f"a divisor of the size of {name}, {size}"))


def _sizes(x: Any) -> list[int]:
    """Return the shape of a Variable as a list of ints."""
    return [int(n) for n in x.shape]


def _heads(x: Any, count: int) -> Any:
    """Split the heads: [N, length, size] to [N, count, length, size / count]."""
    if count == 1:
        return x
    *front, size = _sizes(x)
    return transpose(reshape(x, shape=[*front, count, size // count]), perm=[0, 2, 1, 3])
