"""Repeat, concatenate, slice, pad and reverse sequences; set their LoD."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtype import to_numpy
from ...core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, describe, message
from ...core.typing import Variable
from ...ops.sequence import sequence_shape as ops
from ..support.arguments import check_int, check_variable, int_list, is_variable, listed, variable_list
from ..support.helper import LayerHelper
from ..support.taken import inputs_taken, kind_taken, variable_taken

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


def sequence_expand(x: Variable, y: Variable, ref_level: int = -1, name: str | None = None) -> Variable:
    """Repeat sequence i of `x` as often as sequence i of a level of `y` has entries.

    Arguments:
        x: [rows, ...] with a LoD of one level; without a LoD each row is a sequence.
        y: a Variable with a LoD.
        ref_level: the level of the LoD of `y` to use; -1 for the last.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable with the repeated rows; it has a LoD if x has one.

    Raises:
        ArgumentTypeError: x or y is not a Variable, or ref_level is not an int.
        LoDError: y has no LoD, x has more than one level, or the numbers of sequences differ.
        ArgumentValueError: y has no such level.
        ShapeError: the rank of x is 1.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1.], [2.]], 'float32'))
    ...     y = fluid.create_lod_tensor(np.zeros([3, 1], 'float32'), [[2, 1]], fluid.CPUPlace())
    ...     fluid.layers.sequence_expand(x, fluid.dygraph.to_variable(y)).numpy().tolist()
    [[1.0], [1.0], [2.0]]
    """
    where = "sequence_expand"
    level = check_int(where, "ref_level", ref_level)
    return ops.sequence_expand.call(variable_taken(where, "x", x), check_variable(where, "y", y), ref_level=level)


def sequence_expand_as(x: Variable, y: Variable, name: str | None = None) -> Variable:
    """Repeat row i of `x` as often as sequence i of `y` has rows.

    Arguments:
        x: [sequences, ...].
        y: a Variable with a LoD of one level.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [rows, ...] with the LoD of y.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        LoDError: y has no LoD of one level, or another number of sequences than x has rows.
        ShapeError: the rank of x is 1.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1.], [2.]], 'float32'))
    ...     y = fluid.create_lod_tensor(np.zeros([3, 1], 'float32'), [[2, 1]], fluid.CPUPlace())
    ...     out = fluid.layers.sequence_expand_as(x, fluid.dygraph.to_variable(y))
    ...     out.numpy().tolist(), out.lod()
    ([[1.0], [1.0], [2.0]], [[0, 2, 3]])
    """
    where = "sequence_expand_as"
    return ops.sequence_expand_as.call(variable_taken(where, "x", x), check_variable(where, "y", y))


def sequence_concat(input: Sequence[Any], name: str | None = None) -> Variable:
    """Concatenate sequence i of all inputs, for each i.

    Arguments:
        input: a list of Variables [rows, ...] of one dtype, with LoDs of one level and equal numbers of sequences.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [rows, ...] with a LoD of one level.

    Raises:
        ArgumentTypeError: input holds something other than Variables.
        LoDError: an input has no LoD of one level, or the numbers of sequences differ.
        ShapeError: the shapes of the rows differ.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     a = fluid.dygraph.to_variable(fluid.create_lod_tensor([[1, 2], [3]], [[2, 1]], fluid.CPUPlace()))
    ...     b = fluid.dygraph.to_variable(fluid.create_lod_tensor([[4], [5, 6]], [[1, 2]], fluid.CPUPlace()))
    ...     out = fluid.layers.sequence_concat([a, b])
    ...     out.numpy().ravel().tolist(), out.lod()
    ([1, 2, 4, 3, 5, 6], [[0, 3, 6]])
    """
    kind_taken("sequence_concat", "input", input, list)
    values = variable_list("sequence_concat", "input", input)
    inputs_taken("sequence_concat", "input", *values)
    return ops.sequence_concat.call(values)


def sequence_slice(input: Any, offset: Any, length: Any, name: str | None = None) -> Variable:
    """Slice each sequence at its own offset and length.

    Arguments:
        input: [rows, ...] with a LoD of one level.
        offset: int64 [sequences, 1], the first row to keep of each sequence.
        length: int64 [sequences, 1], the number of rows to keep.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [rows, ...] with a LoD of one level.

    Raises:
        ArgumentTypeError: input, offset or length is not a Variable.
        ArgumentValueError: a slice is not inside of its sequence.
        LoDError: input has no LoD of one level.
        ShapeError: offset or length is not [sequences, 1].
        DtypeError: offset or length is not an integer Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(fluid.create_lod_tensor([[1, 2, 3], [4, 5]], [[3, 2]], fluid.CPUPlace()))
    ...     at, count = (fluid.dygraph.to_variable(np.array(n)) for n in ([[1], [0]], [[2], [1]]))
    ...     out = fluid.layers.sequence_slice(x, at, count)
    ...     out.numpy().ravel().tolist(), out.lod()
    ([2, 3, 4], [[0, 2, 3]])
    """
    named = (("input", input), ("offset", offset), ("length", length))
    inputs_taken("sequence_slice", "input", input)
    return ops.sequence_slice.call(*[check_variable("sequence_slice", key, value) for key, value in named])


def sequence_pad(x: Any, pad_value: Any, maxlen: int | None = None, name: str | None = None) -> list[Any]:
    """Pad the sequences to one length.

    Arguments:
        x: [rows, ...] of rank 2 or more with a LoD of one level.
        pad_value: a Variable with one number or one row, of the dtype of `x`.
        maxlen: the common length; the length of the longest sequence where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        [the padded sequences [sequences, maxlen, ...], their lengths int64 [sequences]].

    Raises:
        ArgumentTypeError: x or pad_value is not a Variable, or maxlen is not an int.
        ArgumentValueError: a sequence is longer than `maxlen`.
        LoDError: x has no LoD of one level.
        ShapeError: the rank of x is 1, or pad_value has another shape.
        DtypeError: pad_value has another dtype than x.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(fluid.create_lod_tensor([[1, 2, 3], [4]], [[3, 1]], fluid.CPUPlace()))
    ...     out, lengths = fluid.layers.sequence_pad(x, fluid.dygraph.to_variable(np.array([0])))
    ...     out.numpy()[..., 0].tolist(), lengths.numpy().tolist()
    ([[1, 2, 3], [4, 0, 0]], [3, 1])
    """
    where = "sequence_pad"
    length = -1 if maxlen is None else check_int(where, "maxlen", maxlen)
    inputs_taken(where, "x", x)
    inputs = check_variable(where, "x", x), check_variable(where, "pad_value", pad_value)
    return list(ops.sequence_pad.call(*inputs, padded_length=length))


def sequence_unpad(x: Variable, length: Variable, name: str | None = None) -> Variable:
    """Remove the padding of sequences: the inverse of sequence_pad.

    Arguments:
        x: [sequences, steps, ...].
        length: int64 [sequences], the number of rows to keep of each sequence.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [rows, ...] with a LoD; [rows, 1] where the rank of x is 2.

    Raises:
        ArgumentTypeError: x or length is not a Variable.
        ArgumentValueError: a length is out of range.
        ShapeError: the rank of x is 1, or length is not [sequences].
        DtypeError: length is not int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x, n = (fluid.dygraph.to_variable(np.array(a)) for a in ([[1, 2, 3], [4, 0, 0]], [3, 1]))
    ...     out = fluid.layers.sequence_unpad(x, n)
    ...     out.numpy().ravel().tolist(), out.lod()
    ([1, 2, 3, 4], [[0, 3, 4]])
    """
    where = "sequence_unpad"
    return ops.sequence_unpad.call(variable_taken(where, "x", x), check_variable(where, "length", length))


def sequence_reshape(input: Variable, new_dim: int) -> Variable:
    """Reshape the rows of each sequence to another size.

    Arguments:
        input: [rows, D] with a LoD of one level.
        new_dim: the size of the new rows.

    Returns:
        A Variable [rows, new_dim] with a LoD of one level.

    Raises:
        ArgumentTypeError: input is not a Variable, or new_dim is not an int.
        ArgumentValueError: new_dim is below 1.
        LoDError: input has no LoD of one level.
        ShapeError: the rank of input is not 2, or the elements of a sequence do not fill whole rows.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.ones([3, 4], 'float32'), [[1, 2]], fluid.CPUPlace())
    ...     out = fluid.layers.sequence_reshape(fluid.dygraph.to_variable(x), new_dim=2)
    ...     out.shape, out.lod()
    ([6, 2], [[0, 2, 6]])
    """
    where = "sequence_reshape"
    size = check_int(where, "new_dim", new_dim)
    return ops.sequence_reshape.call(variable_taken(where, "input", input), new_dim=size)


def sequence_reverse(x: Variable, name: str | None = None) -> Variable:
    """Reverse the rows of each sequence.

    Arguments:
        x: [rows, ...] of rank 2 or more with a LoD of one level.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape, dtype and LoD of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        LoDError: x has no LoD of one level.
        ShapeError: the rank of x is 1.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(fluid.create_lod_tensor([[1, 2, 3], [4, 5]], [[3, 2]], fluid.CPUPlace()))
    ...     fluid.layers.sequence_reverse(x).numpy().ravel().tolist()
    [3, 2, 1, 5, 4]
    """
    return ops.sequence_reverse.call(variable_taken("sequence_reverse", "x", x))


def lod_reset(x: Variable, y: Variable | None = None, target_lod: Sequence[int] | None = None) -> Variable:
    """Set the LoD of `x`.

    Arguments:
        x: [rows, ...].
        y: a Variable whose LoD is used; if it has none, its int32 elements are the offsets.
        target_lod: the offsets of one level, used where `y` is None.

    Returns:
        A Variable with the values of x and the new LoD.

    Raises:
        ArgumentTypeError: x or y is not a Variable, or target_lod is not a list of ints.
        ArgumentValueError: neither y nor target_lod is given.
        LoDError: the offsets are not ascending or do not fit the rows.
        DtypeError: y has no LoD and is not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([5, 1], 'float32'))
    ...     fluid.layers.lod_reset(x, target_lod=[0, 2, 5]).lod()
    [[0, 2, 5]]
    """
    where = "lod_reset"
    variable_taken(where, "x", x)
    if y is not None:
        return ops.lod_reset.call(x, check_variable(where, "y", y))
    if target_lod is None:
        raise ArgumentValueError(message(where, "y and target_lod", "None", "one of them", "Give offsets: [0, 2, 5]."))
    return ops.lod_reset.call(x, None, target_lod=int_list(where, "target_lod", target_lod))


def lod_append(x: Variable, level: Any) -> Variable:
    """Add a LoD level to `x` below the existing ones.

    Arguments:
        x: [rows, ...].
        level: the offsets of the level; or a Variable that holds them as int32, or whose LoD is used.

    Returns:
        A Variable with the values of x and the new LoD.

    Raises:
        ArgumentTypeError: x is not a Variable, or level is neither a list nor a Variable.
        DtypeError: x is neither float32, float64, int32 nor int64.
        LoDError: the offsets are not ascending, or do not fit the level above or the rows.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.ones([2, 1], 'float32'), [[1, 1]], fluid.CPUPlace())
    ...     fluid.layers.lod_append(fluid.dygraph.to_variable(x), [0, 1, 2]).lod()
    [[0, 1, 2], [0, 1, 2]]
    """
    where = "lod_append"
    if to_numpy(check_variable(where, "x", x).dtype).name not in ("float32", "float64", "int32", "int64"):
        needs = "float32, float64, int32 or int64"
        raise DtypeError(message(where, "x", f"dtype {to_numpy(x.dtype)}", needs, "Convert it with cast()."))
    helper = LayerHelper("lod_append")
    if is_variable(level):
        return helper.run(ops.lod_reset, x, level, append=True)
    if not isinstance(listed(level), (list, tuple)):
        raise ArgumentTypeError(message(where, "level", describe(level), "a list of offsets, or a Variable"))
    return helper.run(ops.lod_reset, x, None, target_lod=int_list(where, "level", level), append=True)
