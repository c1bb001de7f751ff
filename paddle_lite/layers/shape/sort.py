"""Elements in order, and equal ones."""

from __future__ import annotations

from typing import Any

from ...core.dtype import to_vartype
from ...ops.shape import sort as ops

__all__ = ["argsort", "unique", "unique_with_counts"]


def argsort(input: Any, axis: int = -1, descending: bool = False, name: str | None = None) -> tuple:
    """A Variable sorted along an axis.

    Arguments:
        input: a Variable.
        axis: negative ones count from the end.
        descending: the largest first.
        name: kept for Fluid code.

    Returns:
        (the elements in order, their int64 indices); equal elements stay in their order.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     values, indices = fluid.layers.argsort(fluid.dygraph.to_variable(np.array([3, 1, 2])))
    ...     values.numpy(), indices.numpy()
    (array([1, 2, 3]), array([1, 2, 0]))
    """
    return ops.argsort.call(input, axis=axis, descending=descending)


def unique(x: Any, dtype: Any = "int32") -> tuple:
    """Each value once.

    Arguments:
        x: [n].
        dtype: "int32" or "int64", the dtype of the indices.

    Returns:
        (the values in the order of first occurrence, for each element of `x` where its value stands among them).

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     values, index = fluid.layers.unique(fluid.dygraph.to_variable(np.array([3, 1, 3])))
    ...     values.numpy(), index.numpy()
    (array([3, 1]), array([0, 1, 0], dtype=int32))
    """
    return ops.unique.call(x, dtype=int(to_vartype(dtype, "unique")))


def unique_with_counts(x: Any, dtype: Any = "int32") -> tuple:
    """Each value once, and how often it occurs.

    Arguments:
        x: [n].
        dtype: "int32" or "int64", the dtype of indices and counts.

    Returns:
        (values, index, counts): as of unique, and how often each value occurs.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     values, index, counts = fluid.layers.unique_with_counts(fluid.dygraph.to_variable(np.array([3, 1, 3])))
    ...     values.numpy(), counts.numpy()
    (array([3, 1]), array([2, 1], dtype=int32))
    """
    return ops.unique_with_counts.call(x, dtype=int(to_vartype(dtype, "unique_with_counts")))
