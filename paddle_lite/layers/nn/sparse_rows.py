"""Operations on SelectedRows, the gradients of sparse embeddings."""

from __future__ import annotations

from ...core.typing import Variable
from ...ops.nn import sparse_rows as ops
from ..support.arguments import check_variable

__all__ = ["get_tensor_from_selected_rows", "merge_selected_rows"]


def merge_selected_rows(x: Variable, name: str | None = None) -> Variable:
    """Merge duplicate rows of SelectedRows: sort the rows, and add the values of equal ones.

    Arguments:
        x: a Variable that holds SelectedRows.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable that holds SelectedRows of the same height.

    Raises:
        ArgumentTypeError: x is not a Variable that holds SelectedRows.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.core.selected_rows import SelectedRows
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     x = Variable(SelectedRows(np.array([2, 0, 2]), np.array([[1.], [2.], [3.]], 'float32'), height=4))
    ...     merged = fluid.layers.merge_selected_rows(x)
    ...     merged.array.rows, fluid.layers.get_tensor_from_selected_rows(merged).numpy()
    (array([0, 2]), array([[2.],
           [4.]], dtype=float32))
    """
    return ops.merge_selected_rows.call(check_variable("merge_selected_rows", "x", x))


def get_tensor_from_selected_rows(x: Variable, name: str | None = None) -> Variable:
    """Return the values of SelectedRows as a dense Variable.

    Arguments:
        x: a Variable that holds SelectedRows.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [rows, ...].

    Raises:
        ArgumentTypeError: x is not a Variable that holds SelectedRows.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.core.selected_rows import SelectedRows
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     x = Variable(SelectedRows(np.array([2, 0]), np.array([[1.], [2.]], 'float32'), height=4))
    ...     fluid.layers.get_tensor_from_selected_rows(x).numpy()
    array([[1.],
           [2.]], dtype=float32)
    """
    return ops.get_tensor_from_selected_rows.call(check_variable("get_tensor_from_selected_rows", "x", x))
