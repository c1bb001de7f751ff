"""Boxes matched with boxes, and what was matched handed out."""

from __future__ import annotations

from typing import Any

from ...ops.detection import match as ops
from ..support.arguments import number

__all__ = ["bipartite_match", "target_assign"]


def bipartite_match(
    dist_matrix: Any, match_type: str | None = None, dist_threshold: float | None = None, name: str | None = None
) -> tuple:
    """Match each column (a prior box) with a row (a true box): the most alike pair first, every row and column once.

    Arguments:
        dist_matrix: [rows, columns], how alike the two are, e.g. of iou_similarity. With a LoD of one level the rows of
            each image are matched with all columns; without, there is one image. Below 1e-6 nothing matches.
        match_type: "bipartite" (also None), or "per_prediction": each column that is left then takes its most alike row.
        dist_threshold: how alike the two must be for that, 0.5 if None.
        name: kept for Fluid code.

    Returns:
        (for each image and column the row, counted inside of the image, int32 [images, columns], -1 for none; how alike
        the two are, 0 for none).

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     alike = fluid.dygraph.to_variable(np.array([[0.8, 0.9, 0.6], [0.5, 0.7, 0.1]], 'float32'))
    ...     rows, best = fluid.layers.bipartite_match(alike)
    ...     rows.numpy(), best.numpy()
    (array([[ 1,  0, -1]], dtype=int32), array([[0.5, 0.9, 0. ]], dtype=float32))
    """
    threshold = 0.5 if dist_threshold is None else number("bipartite_match", "dist_threshold", dist_threshold)
    return ops.bipartite_match.call(dist_matrix, match_type=match_type or "bipartite", dist_threshold=threshold)


def target_assign(
    input: Any,
    matched_indices: Any,
    negative_indices: Any = None,
    mismatch_value: int | None = None,
    name: str | None = None,
) -> tuple:
    """Targets for each column (a prior box) by what bipartite_match found, and how much each weighs.

    Arguments:
        input: [rows, P, K] with a LoD of one level, the rows of each image. Column j takes entry j % P.
        matched_indices: int32 [images, columns]: rows counted inside of an image; -1 for none.
        negative_indices: int32 [rows, 1] with a LoD: columns of each image that count as examples of nothing.
        mismatch_value: the target where there is no match, 0 if None.
        name: kept for Fluid code.

    Returns:
        (targets [images, columns, K], weights float32 [images, columns, 1]: 1 where matched or negative, else 0).

    Raises:
        LoDError: there is no LoD, or one of another number of images.
        IndexRangeError: an image has no such row, or there is no such column.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     labels = Variable(np.array([[[5]], [[6]]], 'int32'), lod=((0, 2),))
    ...     rows = fluid.dygraph.to_variable(np.array([[1, -1, 0]], 'int32'))
    ...     targets, weights = fluid.layers.target_assign(labels, rows)
    ...     targets.numpy()[0, :, 0], weights.numpy()[0, :, 0]
    (array([6, 0, 5], dtype=int32), array([1., 0., 1.], dtype=float32))
    """
    value = 0 if mismatch_value is None else mismatch_value
    return ops.target_assign.call(input, matched_indices, negative_indices, mismatch_value=value)
