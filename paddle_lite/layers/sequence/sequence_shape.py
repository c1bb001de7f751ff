"""Rows of sequences repeated, joined, cut, padded, reversed; LoDs set anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...ops.sequence import sequence_shape as ops
from ..support.arguments import check_variable, ints, is_variable, variables, whole
from ..support.helper import LayerHelper

__all__ = [
    "lod_append",
    "lod_reset",
    "sequence_concat",
    "sequence_expand",
    "sequence_expand_as",
    "sequence_pad",
    "sequence_reshape",
    "sequence_reverse",
    "sequence_slice",
    "sequence_unpad",
]


def sequence_expand(x: Any, y: Any, ref_level: int = -1, name: str | None = None) -> Any:
    """Each sequence of `x` as often as the same sequence of a level of `y` has entries.

    Arguments:
        x: [rows, ...] with a LoD of one level, or without one: then each row stands for itself.
        y: a Variable with a LoD.
        ref_level: the level of `y` that tells how often; -1 for the last.
        name: kept for Fluid code.

    Returns:
        The repeated rows; with a LoD if `x` has one.

    Raises:
        LoDError: `y` has no LoD, or the numbers of sequences differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1.], [2.]], 'float32'))
    ...     y = fluid.create_lod_tensor(np.zeros([3, 1], 'float32'), [[2, 1]], fluid.CPUPlace())
    ...     fluid.layers.sequence_expand(x, fluid.dygraph.to_variable(y)).numpy().tolist()
    [[1.0], [1.0], [2.0]]
    """
    where = "sequence_expand"
    level = whole(where, "ref_level", ref_level)
    return ops.sequence_expand.call(check_variable(where, "x", x), check_variable(where, "y", y), ref_level=level)


def sequence_expand_as(x: Any, y: Any, name: str | None = None) -> Any:
    """Row i of `x` as often as sequence i of `y` has rows, with the LoD of `y`.

    Arguments:
        x: [sequences, ...].
        y: a Variable with a LoD of one level.
        name: kept for Fluid code.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1.], [2.]], 'float32'))
    ...     y = fluid.create_lod_tensor(np.zeros([3, 1], 'float32'), [[2, 1]], fluid.CPUPlace())
    ...     out = fluid.layers.sequence_expand_as(x, fluid.dygraph.to_variable(y))
    ...     out.numpy().tolist(), out.lod()
    ([[1.0], [1.0], [2.0]], [[0, 2, 3]])
    """
    where = "sequence_expand_as"
    return ops.sequence_expand_as.call(check_variable(where, "x", x), check_variable(where, "y", y))


def sequence_concat(input: Sequence[Any], name: str | None = None) -> Any:
    """Sequence i of all inputs, one behind the other.

    Arguments:
        input: a list of Variables [rows, ...] with LoDs of one level and as many sequences.
        name: kept for Fluid code.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     a = fluid.dygraph.to_variable(fluid.create_lod_tensor([[1, 2], [3]], [[2, 1]], fluid.CPUPlace()))
    ...     b = fluid.dygraph.to_variable(fluid.create_lod_tensor([[4], [5, 6]], [[1, 2]], fluid.CPUPlace()))
    ...     out = fluid.layers.sequence_concat([a, b])
    ...     out.numpy().ravel().tolist(), out.lod()
    ([1, 2, 4, 3, 5, 6], [[0, 3, 6]])
    """
    return ops.sequence_concat.call(variables("sequence_concat", "input", input))


def sequence_slice(input: Any, offset: Any, length: Any, name: str | None = None) -> Any:
    """Some rows of each sequence, one behind the other.

    Arguments:
        input: [rows, ...] with a LoD of one level.
        offset: int64 [sequences, 1], the first row to take of each sequence.
        length: int64 [sequences, 1], how many.
        name: kept for Fluid code.

    Raises:
        ArgumentValueError: a sequence has not that many rows.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(fluid.create_lod_tensor([[1, 2, 3], [4, 5]], [[3, 2]], fluid.CPUPlace()))
    ...     at, count = (fluid.dygraph.to_variable(np.array(n)) for n in ([[1], [0]], [[2], [1]]))
    ...     out = fluid.layers.sequence_slice(x, at, count)
    ...     out.numpy().ravel().tolist(), out.lod()
    ([2, 3, 4], [[0, 2, 3]])
    """
    named = (("input", input), ("offset", offset), ("length", length))
    return ops.sequence_slice.call(*[check_variable("sequence_slice", key, value) for key, value in named])


def sequence_pad(x: Any, pad_value: Any, maxlen: int | None = None, name: str | None = None) -> list[Any]:
    """Sequences of one length, filled up, and their lengths.

    Arguments:
        x: [rows, ...] of rank 2 or more with a LoD of one level.
        pad_value: a Variable with one number, or with a row, of the dtype of `x`.
        maxlen: the common length; the longest sequence's where it is None.
        name: kept for Fluid code.

    Returns:
        [[sequences, maxlen, ...], lengths int64 [sequences]]

    Raises:
        ArgumentValueError: a sequence is longer than `maxlen`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(fluid.create_lod_tensor([[1, 2, 3], [4]], [[3, 1]], fluid.CPUPlace()))
    ...     out, lengths = fluid.layers.sequence_pad(x, fluid.dygraph.to_variable(np.array([0])))
    ...     out.numpy()[..., 0].tolist(), lengths.numpy().tolist()
    ([[1, 2, 3], [4, 0, 0]], [3, 1])
    """
    where = "sequence_pad"
    length = -1 if maxlen is None else whole(where, "maxlen", maxlen)
    inputs = check_variable(where, "x", x), check_variable(where, "pad_value", pad_value)
    return list(ops.sequence_pad.call(*inputs, padded_length=length))


def sequence_unpad(x: Any, length: Any, name: str | None = None) -> Any:
    """The rows that count of sequences of one length: what sequence_pad was made from.

    Arguments:
        x: [sequences, steps, ...].
        length: int64 [sequences], how many rows count.
        name: kept for Fluid code.

    Returns:
        [rows, ...] with a LoD; [rows, 1] where `x` has two dimensions.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x, n = (fluid.dygraph.to_variable(np.array(a)) for a in ([[1, 2, 3], [4, 0, 0]], [3, 1]))
    ...     out = fluid.layers.sequence_unpad(x, n)
    ...     out.numpy().ravel().tolist(), out.lod()
    ([1, 2, 3, 4], [[0, 3, 4]])
    """
    where = "sequence_unpad"
    return ops.sequence_unpad.call(check_variable(where, "x", x), check_variable(where, "length", length))


def sequence_reshape(input: Any, new_dim: int) -> Any:
    """The numbers of each sequence in rows of another size.

    Arguments:
        input: [rows, D] with a LoD of one level.
        new_dim: the size of the new rows.

    Raises:
        ShapeError: the numbers of a sequence do not fill whole rows.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.ones([3, 4], 'float32'), [[1, 2]], fluid.CPUPlace())
    ...     out = fluid.layers.sequence_reshape(fluid.dygraph.to_variable(x), new_dim=2)
    ...     out.shape, out.lod()
    ([6, 2], [[0, 2, 6]])
    """
    where = "sequence_reshape"
    size = whole(where, "new_dim", new_dim)
    return ops.sequence_reshape.call(check_variable(where, "input", input), new_dim=size)


def sequence_reverse(x: Any, name: str | None = None) -> Any:
    """The rows of each sequence in the opposite order.

    Arguments:
        x: [rows, ...] of rank 2 or more with a LoD of one level.
        name: kept for Fluid code.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(fluid.create_lod_tensor([[1, 2, 3], [4, 5]], [[3, 2]], fluid.CPUPlace()))
    ...     fluid.layers.sequence_reverse(x).numpy().ravel().tolist()
    [3, 2, 1, 5, 4]
    """
    return ops.sequence_reverse.call(check_variable("sequence_reverse", "x", x))


def lod_reset(x: Any, y: Any = None, target_lod: Sequence[int] | None = None) -> Any:
    """`x` with another LoD.

    Arguments:
        x: [rows, ...].
        y: a Variable whose LoD is taken; without a LoD its numbers, int32, are the offsets.
        target_lod: offsets of one level, where `y` is None.

    Raises:
        LoDError: the offsets contradict each other or the rows.
        ArgumentValueError: neither is given.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([5, 1], 'float32'))
    ...     fluid.layers.lod_reset(x, target_lod=[0, 2, 5]).lod()
    [[0, 2, 5]]
    """
    where = "lod_reset"
    check_variable(where, "x", x)
    if y is not None:
        return ops.lod_reset.call(x, check_variable(where, "y", y))
    if target_lod is None:
        raise ArgumentValueError(message(where, "y and target_lod", "None", "one of them", "Give offsets: [0, 2, 5]."))
    return ops.lod_reset.call(x, None, target_lod=ints(where, "target_lod", target_lod))


def lod_append(x: Any, level: Any) -> Any:
    """`x` with one more LoD level, below those that it has.

    Arguments:
        x: [rows, ...].
        level: offsets of that level; or a Variable that holds them, int32, or whose LoD is taken instead.

    Raises:
        LoDError: the offsets contradict each other, the level above or the rows.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.ones([2, 1], 'float32'), [[1, 1]], fluid.CPUPlace())
    ...     fluid.layers.lod_append(fluid.dygraph.to_variable(x), [0, 1, 2]).lod()
    [[0, 1, 2], [0, 1, 2]]
    """
    where = "lod_append"
    check_variable(where, "x", x)
    helper = LayerHelper("lod_append")
    if is_variable(level):
        return helper.run(ops.lod_reset, x, level, append=True)
    if not isinstance(level, (list, tuple)):
        raise ArgumentTypeError(message(where, "level", describe(level), "a list of offsets, or a Variable"))
    return helper.run(ops.lod_reset, x, None, target_lod=ints(where, "level", level), append=True)
