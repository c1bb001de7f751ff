"""Channel correlations of two feature maps (FSP matrix), and masks of their strongest positions."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...core.typing import Variable
from ...ops.vision import feature_maps as ops
from ..support.arguments import check_int, check_variable, int_list

__all__ = ["fsp_matrix", "similarity_focus"]


def fsp_matrix(x: Variable, y: Variable) -> Variable:
    """Compute the FSP matrix of two layers: the mean over all positions of channel i of x times channel j of y.

    Source: Yim et al., "A Gift from Knowledge Distillation: Fast Optimization, Network Minimization and Transfer
    Learning", 2017.

    Arguments:
        x: [N, C, H, W], float32 or float64.
        y: [N, D, H, W], of the dtype of `x`.

    Returns:
        A Variable [N, C, D].

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the rank is not 4, or N, H or W differs.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[[[1., 2.]], [[0., 4.]]]]))
    ...     fluid.layers.fsp_matrix(x, x).numpy()
    array([[[2.5, 4. ],
            [4. , 8. ]]])
    """
    return ops.fsp.call(check_variable("fsp_matrix", "x", x), check_variable("fsp_matrix", "y", y))


def similarity_focus(input: Variable, axis: int, indexes: Any, name: str | None = None) -> Variable:
    """Compute a mask of the strongest positions of selected slices: 1 along `axis` at these positions, 0 elsewhere.

    The strongest positions of a slice are its largest element, then the largest one in another row and column, and so
    on.

    Source: He and Lin, "Pairwise Word Interaction Modeling with Deep Neural Networks", 2016.

    Arguments:
        input: a Variable of rank 4, float32 or float64.
        axis: the axis that slices are taken along: 1, 2 or 3.
        indexes: the indices of the slices, a list of ints.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, axis is not an int, or indexes is not a list of ints.
        ArgumentValueError: axis is not 1, 2 or 3, or indexes is empty or out of range.
        ShapeError: the rank of input is not 4.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[[[0.8, 0.1], [0.9, 0.2]]]]))
    ...     fluid.layers.similarity_focus(x, axis=1, indexes=[0]).numpy()
    array([[[[0., 1.],
             [1., 0.]]]])
    """
    where = "similarity_focus"
    if not isinstance(indexes, (list, tuple)):
        raise ArgumentTypeError(message(where, "indexes", describe(indexes), "a list of ints"))
    chosen = int_list(where, "indexes", indexes)
    x = check_variable(where, "input", input)
    return ops.similarity_focus.call(x, axis=check_int(where, "axis", axis), indexes=chosen)
