"""Sort elements, and find the distinct ones."""

from __future__ import annotations

from typing import Any

from ...core.calls.former import formerly
from ...core.dtype import to_vartype
from ...core.typing import Variable
from ...ops.shape import sort as ops
from ..support.taken import inputs_taken

__all__ = ["argsort", "unique", "unique_with_counts"]


@formerly("input axis name")
def argsort(input: Any, axis: int = -1, descending: bool = False, name: str | None = None) -> tuple[Variable, Variable]:
    """Sort a Variable along an axis.

    Arguments:
        input: a Variable of rank 1 or more.
        axis: an int; a negative one counts from the end.
        descending: sort from the largest to the smallest.
        name: accepted for Fluid code, ignored.

    Returns:
        (the sorted elements, their int64 indices); equal elements keep their order.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ShapeError: input has no such axis.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     values, indices = fluid.layers.argsort(fluid.dygraph.to_variable(np.array([3, 1, 2])))
    ...     values.numpy(), indices.numpy()
    (array([1, 2, 3]), array([1, 2, 0]))
    """
    inputs_taken("argsort", "input", input)
    return ops.argsort.call(input, axis=axis, descending=descending)


def unique(x: Variable, dtype: Any = "int32") -> tuple[Variable, Variable]:
    """Find the distinct values of a vector.

    Arguments:
        x: a Variable [n].
        dtype: the dtype of the indices, "int32" or "int64".

    Returns:
        (the values in the order of their first occurrence, for each element of `x` the index of its value).

    Raises:
        ArgumentTypeError: x is not a Variable.
        ShapeError: x is not a vector.
        DtypeError: dtype is not int32 or int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     values, index = fluid.layers.unique(fluid.dygraph.to_variable(np.array([3, 1, 3])))
    ...     values.numpy(), index.numpy()
    (array([3, 1]), array([0, 1, 0], dtype=int32))
    """
    inputs_taken("unique", "x", x)
    return ops.unique.call(x, dtype=int(to_vartype(dtype, "unique")))


def unique_with_counts(x: Variable, dtype: Any = "int32") -> tuple[Variable, Variable, Variable]:
    """Find the distinct values of a vector, and how often each occurs.

    Arguments:
        x: a Variable [n].
        dtype: the dtype of the indices and counts, "int32" or "int64".

    Returns:
        (values, index, counts): the first two as in `unique`; counts says how often each value occurs.

    Raises:
        ArgumentTypeError: x is not a Variable.
        ShapeError: x is not a vector.
        DtypeError: dtype is not int32 or int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     values, index, counts = fluid.layers.unique_with_counts(fluid.dygraph.to_variable(np.array([3, 1, 3])))
    ...     values.numpy(), counts.numpy()
    (array([3, 1]), array([2, 1], dtype=int32))
    """
    inputs_taken("unique_with_counts", "x", x)
    return ops.unique_with_counts.call(x, dtype=int(to_vartype(dtype, "unique_with_counts")))
