"""What feature maps tell: how the channels of two go together, and where the strongest places of one are."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...ops.vision import feature_maps as ops
from ..support.arguments import check_variable, ints, whole

__all__ = ["fsp_matrix", "similarity_focus"]


def fsp_matrix(x: Any, y: Any) -> Any:
    """The mean over all places of x's channel i times y's channel j: the flow between two layers, for distillation.

    Yim et al., "A Gift from Knowledge Distillation: Fast Optimization, Network Minimization and Transfer Learning", 2017.

    Arguments:
        x: [N, C, H, W], float32 or float64.
        y: [N, D, H, W], of the dtype of `x`.

    Returns:
        A Variable [N, C, D].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[[[1., 2.]], [[0., 4.]]]]))
    ...     fluid.layers.fsp_matrix(x, x).numpy()
    array([[[2.5, 4. ],
            [4. , 8. ]]])
    """
    return ops.fsp.call(check_variable("fsp_matrix", "x", x), check_variable("fsp_matrix", "y", y))


def similarity_focus(input: Any, axis: int, indexes: Any, name: str | None = None) -> Any:
    """A mask of the strongest places: 1 along `axis` where one of the slices has them, 0 elsewhere.

    The strongest places of a slice are its largest element, then the largest one in another row and another column, and
    so on. He and Lin, "Pairwise Word Interaction Modeling with Deep Neural Networks", 2016.

    Arguments:
        input: 4 dimensions, float32 or float64.
        axis: the dimension that slices are taken along: 1, 2 or 3.
        indexes: which slices, a list of ints.
        name: kept for Fluid code.

    Returns:
        A Variable like `input`.

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
    chosen = ints(where, "indexes", indexes)
    x = check_variable(where, "input", input)
    return ops.similarity_focus.call(x, axis=whole(where, "axis", axis), indexes=chosen)
