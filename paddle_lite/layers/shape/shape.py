"""Reshape, transpose, join, split, slice and repeat Variables."""

from __future__ import annotations

from typing import Any

from ...core import result_names
from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.mode import ByMode
from ...core.typing import Variable
from ...ops.shape import fill, rearrange
from ...ops.shape import shape as ops
from ...static.operators.structural import definitions
from ..support.activation_by_name import activate
from ..support.arguments import (
    check_int,
    check_variable,
    int_input,
    int_list,
    is_array,
    is_int,
    is_variable,
    shape_inputs,
    variable_list,
    write_to_out,
)
from ..support.taken import check_inputs, check_kind, in_programs, inputs_taken

__all__ = [
    "concat", "expand", "flatten", "rank", "reshape", "shape", "size", "slice", "split", "squeeze", "stack", "strided_slice",
    "transpose", "unsqueeze", "unstack",
]  # fmt: skip


def reshape(
    x: Variable,
    shape: Any,
    actual_shape: Variable | None = None,
    act: str | None = None,
    inplace: bool = False,
    name: str | None = None,
) -> Variable:
    """Give the elements of x another shape; their order stays the same.

    Arguments:
        x: a Variable of any shape.
        shape: the sizes: a list of ints and Variables of one element, or an integer Variable. 0 copies the size of x at
            the same position; one size may be -1 and is computed from the others.
        actual_shape: an integer Variable with the sizes, used instead of `shape`; or None.
        act: the name of an activation to apply to the result, or None.
        inplace: whether x itself takes the new shape in a Program; in imperative mode x is never changed.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the dtype of x; with `inplace` in a Program, and without `act`, x.

    Raises:
        ArgumentTypeError: x is not a Variable, or shape has another form.
        ShapeError: the sizes hold more or fewer elements than x has.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([2, 3, 4], 'float32'))
    ...     fluid.layers.reshape(x, shape=[0, -1]).shape
    [2, 12]
    """
    sizes, tensor, tensors = shape_inputs("reshape", shape)
    if actual_shape is not None:
        tensor, tensors = check_variable("reshape", "actual_shape", actual_shape), None
    if not inplace:
        return activate(ops.reshape2.call(x, tensor, tensors, shape=sizes)[0], act)
    with result_names.results(result_names.current().key, ("XShape",)):
        result = ops.reshape2.call(x, tensor, tensors, shape=sizes)[0]
    return activate(_in_place(x, result), act)


_in_place = ByMode(imperative=lambda x, result: result, static=lambda x, result: write_to_out(result, x, "reshape"))


def transpose(x: Variable, perm: Any, name: str | None = None) -> Variable:
    """Permute the axes of x.

    Arguments:
        x: a Variable of any shape.
        perm: a list of ints: axis i of the result is axis `perm[i]` of x.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or perm is not a list of ints.
        ShapeError: perm does not name each axis of x once.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([2, 3, 4], 'float32'))
    ...     fluid.layers.transpose(x, perm=[1, 0, 2]).shape
    [3, 2, 4]
    """
    return ops.transpose2.call(x, axis=int_list("transpose", "perm", perm))[0]


def concat(input: Any, axis: Any = 0, name: str | None = None) -> Variable:
    """Concatenate Variables along an axis.

    Arguments:
        input: a list of Variables of one dtype, whose shapes differ along `axis` only; or an array of tensors.
        axis: an int or a Variable of one element; a negative one counts from the end.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of their dtype.

    Raises:
        ArgumentTypeError: input holds something other than Variables, or axis is not an int.
        ArgumentValueError: the list is empty.
        ShapeError: the shapes differ along another axis, or there is no such axis.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([2, 3], 'float32'))
    ...     fluid.layers.concat([x, x], axis=1).shape
    [2, 6]
    """
    if is_array(input):
        axis = check_int("concat", "axis", axis)
        return definitions["tensor_array_to_tensor"].call(input, axis=axis, use_stack=False)[0]
    axis, tensor = int_input("concat", "axis", axis)
    return ops.concat.call(variable_list("concat", "input", input), tensor, axis=axis)


def split(input: Variable, num_or_sections: Any, dim: Any = -1, name: str | None = None) -> list[Variable]:
    """Split a Variable into parts along an axis.

    Arguments:
        input: a Variable of rank 1 or more.
        num_or_sections: the number of equal parts; or a list of their sizes, one of which may be -1: it gets the
            remaining elements.
        dim: the axis, an int or a Variable of one element; a negative one counts from the end.
        name: accepted for Fluid code, ignored.

    Returns:
        A list of Variables of the dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or num_or_sections or dim has another form.
        ShapeError: there is no such axis, or the parts do not add up to its size.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([2, 9], 'float32'))
    ...     [part.shape for part in fluid.layers.split(x, num_or_sections=[2, 3, -1], dim=1)]
    [[2, 2], [2, 3], [2, 4]]
    """
    axis, tensor = int_input("split", "dim", dim)
    if axis < 0:  # Paddle's operator crashes on negative axes
        rank = len(check_variable("split", "input", input).shape)
        axis += rank if axis >= -rank else 0
    if is_int(num_or_sections):
        return ops.split.call(input, tensor, num=int(num_or_sections), axis=axis)
    if not isinstance(num_or_sections, (list, tuple)) or not num_or_sections:
        needs = "an int, or a list of ints and Variables"
        raise ArgumentTypeError(message("split", "num_or_sections", describe(num_or_sections), needs))
    sections, _, tensors = shape_inputs("split", num_or_sections, "num_or_sections")
    return ops.split.call(input, tensor, tensors, sections=sections, axis=axis)


def stack(x: Any, axis: int = 0) -> Variable:
    """Stack Variables of one shape along a new axis.

    Arguments:
        x: a list of Variables of one shape and dtype; or an array of tensors.
        axis: the position of the new axis; a negative one counts from the end of the result.

    Returns:
        A Variable of one rank more than the inputs.

    Raises:
        ArgumentTypeError: x holds something other than Variables, or axis is not an int.
        ArgumentValueError: the list is empty.
        ShapeError: the shapes differ, or there is no such position.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([2, 3], 'float32'))
    ...     fluid.layers.stack([x, x, x, x], axis=1).shape
    [2, 4, 3]
    """
    if is_array(x):
        return definitions["tensor_array_to_tensor"].call(x, axis=check_int("stack", "axis", axis), use_stack=True)[0]
    return ops.stack.call(variable_list("stack", "x", x), axis=axis)


def unstack(x: Variable, axis: int = 0, num: int | None = None) -> list[Variable]:
    """Split a Variable into its slices along an axis, and drop the axis.

    Arguments:
        x: a Variable of rank 1 or more.
        axis: an int; a negative one counts from the end.
        num: the number of slices; where it is given, it must equal the size of the axis.

    Returns:
        A list of Variables of one rank less than x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        ShapeError: x has no such axis, or `num` is not its size.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([2, 3], 'float32'))
    ...     [row.shape for row in fluid.layers.unstack(x)]
    [[3], [3]]
    """
    if num is None:
        shape = check_variable("unstack", "x", x).shape
        num = shape[axis] if -len(shape) <= axis < len(shape) else 0
    return ops.unstack.call(x, axis=axis, num=num)


def _check_squeezed(input: Any, axes: Any) -> None:
    check_inputs("squeeze", "input", input)
    check_kind("squeeze", "axes", axes, list)


_squeezed = in_programs(_check_squeezed)


def squeeze(input: Variable, axes: Any, name: str | None = None) -> Variable:
    """Drop axes of size 1.

    Arguments:
        input: a Variable of any shape.
        axes: the axes to drop, a list of ints; [] drops every axis of size 1. Negative ones count from the end.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or axes is not a list of ints.
        ShapeError: there is no such axis, or its size is not 1.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([1, 3, 1], 'float32'))
    ...     fluid.layers.squeeze(x, axes=[0]).shape
    [3, 1]
    """
    _squeezed(input, axes)
    return ops.squeeze2.call(input, axes=int_list("squeeze", "axes", axes))[0]


def unsqueeze(input: Variable, axes: Any, name: str | None = None) -> Variable:
    """Insert axes of size 1.

    Arguments:
        input: a Variable of any shape.
        axes: the positions, applied one after the other to the shape so far: an int, a list of ints and Variables of
            one element, or an integer Variable. Negative ones count from the end.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or axes has another form.
        ShapeError: there is no such position.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([3, 4], 'float32'))
    ...     fluid.layers.unsqueeze(x, axes=[0, 2]).shape
    [1, 3, 1, 4]
    """
    places, tensor, tensors = shape_inputs("unsqueeze", [axes] if is_int(axes) else axes, "axes")
    return ops.unsqueeze2.call(input, tensor, tensors, axes=[] if tensors else places)[0]


def slice(input: Any, axes: Any, starts: Any, ends: Any) -> Variable:
    """Slice a Variable along some of its axes: input[start:end] for each.

    Arguments:
        input: a Variable of rank 1 or more.
        axes: the axes to slice, a list of ints.
        starts: the first index to keep, for each of the axes: a list of ints and Variables of one element, or an
            integer Variable. Negative ones count from the end; ones out of range are clamped.
        ends: the index after the last one to keep, in the same forms.

    Returns:
        A Variable of the dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or axes, starts or ends has another form.
        ShapeError: no elements are left, there is no such axis, or starts or ends has another length than axes.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(12).reshape(3, 4))
    ...     fluid.layers.slice(x, axes=[0, 1], starts=[1, -3], ends=[3, 100]).numpy()
    array([[ 5,  6,  7],
           [ 9, 10, 11]])
    """
    axes, flags = int_list("slice", "axes", axes), _flags("slice", axes, starts, ends)
    starts, first, firsts = shape_inputs("slice", starts, "starts")
    ends, last, lasts = shape_inputs("slice", ends, "ends")
    return ops.slice.call(input, first, last, firsts, lasts, axes=axes, starts=starts, ends=ends, infer_flags=flags)


def _flags(where: str, axes: Any, *bounds: Any) -> list[int]:
    """Return the attribute `infer_flags`: for each axis -1 if a Variable gives one of its bounds, else 1."""
    if any(map(is_variable, bounds)):
        return [-1] * len(int_list(where, "axes", axes))
    columns = zip(*(b if isinstance(b, (list, tuple)) else () for b in bounds), strict=False)
    return [-1 if any(map(is_variable, column)) else 1 for column in columns]


def strided_slice(input: Any, axes: Any, starts: Any, ends: Any, strides: Any) -> Variable:
    """Slice a Variable with steps along some of its axes: input[start:end:stride] for each, as Python slices a list.

    Arguments:
        input: a Variable of rank 1 or more.
        axes: the axes to slice, a list of ints.
        starts: the first index to keep, for each of the axes: a list of ints and Variables of one element, or an
            integer Variable. Negative ones count from the end; ones out of range are clamped.
        ends: the index after the last one to keep, in the same forms; with a negative stride -size - 1 stands for the
            position before index 0.
        strides: the steps, in the same forms; negative ones go backwards.

    Returns:
        A Variable of the dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or axes, starts, ends or strides has another form.
        ArgumentValueError: a stride is 0.
        ShapeError: no elements are left, there is no such axis, or a list has another length than axes.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(6))
    ...     fluid.layers.strided_slice(x, axes=[0], starts=[5], ends=[0], strides=[-2]).numpy()
    array([5, 3, 1])
    """
    inputs_taken("strided_slice", "input", input)
    where = "strided_slice"
    axes, flags = int_list(where, "axes", axes), _flags(where, axes, starts, ends, strides)
    starts, first, firsts = shape_inputs(where, starts, "starts")
    ends, last, lasts = shape_inputs(where, ends, "ends")
    strides, step, steps = shape_inputs(where, strides, "strides")
    tensors = (first, last, step, firsts, lasts, steps)
    return ops.strided_slice.call(
        input, *tensors, axes=axes, starts=starts, ends=ends, strides=strides, infer_flags=flags
    )


def _check_expanded(x: Any) -> None:
    check_inputs("expand", "x", x)
    if is_variable(x) and x.dtype == VarType.BOOL and x.stop_gradient:
        fix = "Set x.stop_gradient = False, as PaddlePaddle 1.8.5 wants it."
        raise ArgumentValueError(
            message("expand", "x", "dtype bool with stop_gradient", "it without stop_gradient", fix)
        )


_expanded = in_programs(_check_expanded)


def expand(x: Any, expand_times: Any, name: str | None = None) -> Variable:
    """Repeat x along its axes.

    Arguments:
        x: a Variable of rank 1 or more.
        expand_times: how often to repeat along each axis: a list of ints and Variables of one element, or an integer
            Variable.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the dtype of x; each size is multiplied by its number of repetitions.

    Raises:
        ArgumentTypeError: x is not a Variable, or expand_times has another form.
        ShapeError: expand_times has not one number of at least 1 for each axis.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 2.]], 'float32'))
    ...     fluid.layers.expand(x, expand_times=[2, 2]).numpy()
    array([[1., 2., 1., 2.],
           [1., 2., 1., 2.]], dtype=float32)
    """
    times, tensor, tensors = shape_inputs("expand", expand_times, "expand_times")
    _expanded(x)
    return rearrange.expand.call(x, tensor, tensors, expand_times=times)


def shape(input: Variable) -> Variable:
    """Return the shape of a Variable as an int32 Variable.

    Arguments:
        input: a Variable of any shape.

    Returns:
        An int32 Variable [rank].

    Raises:
        ArgumentTypeError: input is not a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.shape(fluid.dygraph.to_variable(np.zeros([2, 3], 'float32'))).numpy()
    array([2, 3], dtype=int32)
    """
    inputs_taken("shape", "input", input)
    return ops.shape.call(input)


def size(input: Variable) -> Variable:
    """Return the number of elements of a Variable.

    Arguments:
        input: a Variable of any shape.

    Returns:
        An int64 Variable [1].

    Raises:
        ArgumentTypeError: input is not a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.size(fluid.dygraph.to_variable(np.zeros([2, 3], 'float32'))).numpy()
    array([6])
    """
    return ops.size.call(check_variable("size", "input", input))


def rank(input: Variable) -> Variable:
    """Return the rank of a Variable: its number of dimensions.

    Arguments:
        input: a Variable of any shape.

    Returns:
        An int32 Variable of shape [].

    Raises:
        ArgumentTypeError: input is not a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.rank(fluid.dygraph.to_variable(np.zeros([2, 3], 'float32'))).numpy()
    array(2, dtype=int32)
    """
    count = len(check_variable("rank", "input", input).shape)
    return fill.assign_value.call(shape=[], dtype=int(VarType.INT32), int32_values=[count])


def flatten(x: Variable, axis: int = 1, name: str | None = None) -> Variable:
    """Flatten x to a matrix.

    Arguments:
        x: a Variable of any shape.
        axis: the dimensions before it become the rows, the others the columns; from 0 to the rank of x.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [rows, columns] of the dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        ShapeError: axis is out of range.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([2, 3, 4], 'float32'))
    ...     fluid.layers.flatten(x, axis=2).shape
    [6, 4]
    """
    inputs_taken("flatten", "x", x)
    return ops.flatten2.call(x, axis=axis)[0]
