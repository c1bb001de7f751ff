"""Spatial transformer: sampling grids of affine maps, and bilinear sampling."""

from __future__ import annotations

from typing import Any

from ...core.typing import Variable
from ...ops.vision import grid as ops
from ..support.arguments import check_variable, int_list, is_variable

__all__ = ["affine_grid", "grid_sampler"]


def affine_grid(theta: Variable, out_shape: Any, name: str | None = None) -> Variable:
    """Compute the positions of a regular grid under an affine map, for `grid_sampler`.

    The first point of the grid is (-1, -1), the last one (1, 1).

    Source: Jaderberg et al., "Spatial Transformer Networks", 2015.

    Arguments:
        theta: [N, 2, 3], float32 or float64: the matrices of the maps of (x, y, 1).
        out_shape: the shape [N, C, H, W] of the image to sample, H and W at least 2: a list of ints, or an int32
            Variable.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [N, H, W, 2] of positions (x, y).

    Raises:
        ArgumentTypeError: theta is not a Variable, or out_shape has another form.
        ShapeError: theta is not [N, 2, 3], or out_shape does not fit.
        DtypeError: theta is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     theta = fluid.dygraph.to_variable(np.array([[[2, 0, 1], [0, 1, 0]]], 'float32'))
    ...     fluid.layers.affine_grid(theta, [1, 3, 2, 2]).numpy()
    array([[[[-1., -1.],
             [ 3., -1.]],
    <BLANKLINE>
            [[-1.,  1.],
             [ 3.,  1.]]]], dtype=float32)
    """
    check_variable("affine_grid", "theta", theta)
    if is_variable(out_shape):
        return ops.affine_grid.call(theta, out_shape, output_shape=[])
    return ops.affine_grid.call(theta, None, output_shape=int_list("affine_grid", "out_shape", out_shape))


def grid_sampler(x: Variable, grid: Variable, name: str | None = None) -> Variable:
    """Sample an image at given positions by bilinear interpolation.

    Arguments:
        x: [N, C, H, W], float32 or float64.
        grid: [N, H, W, 2], of the dtype of `x`: positions (x, y), where -1 and 1 are the outermost columns and rows.
            The image is 0 outside.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x or grid is not a Variable.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     variable = fluid.dygraph.to_variable
    ...     x = variable(np.array([[[[1, 2], [3, 4]]]], 'float32'))
    ...     grid = variable(np.array([[[[-1, -1], [0, -1]], [[0, 0], [9, 9]]]], 'float32'))
    ...     fluid.layers.grid_sampler(x, grid).numpy()
    array([[[[1. , 1.5],
             [2.5, 0. ]]]], dtype=float32)
    """
    return ops.grid_sampler.call(
        check_variable("grid_sampler", "x", x),
        check_variable("grid_sampler", "grid", grid),
    )
