"""Matching of prior boxes with true boxes, and the targets that result."""

from __future__ import annotations

from typing import Any

from ...core.typing import Variable
from ...ops.detection import match as ops
from ..support.arguments import check_number

__all__ = ["bipartite_match", "target_assign"]


def bipartite_match(
    dist_matrix: Any, match_type: str | None = None, dist_threshold: float | None = None, name: str | None = None
) -> tuple[Variable, Variable]:
    """Match columns (prior boxes) with rows (true boxes) greedily: the most similar pair first, each row and column
    once.

    Arguments:
        dist_matrix: [rows, columns], the similarity of each pair, for example from iou_similarity. With a LoD of one
            level, the rows of each image are matched with all columns; without it there is one image. Similarities
            below 1e-6 do not match.
        match_type: "bipartite" (the default), or "per_prediction": afterwards each unmatched column is matched with its
            most similar row.
        dist_threshold: the smallest similarity of these additional matches, 0.5 where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        (the row of each column, counted inside of its image, int32 [images, columns], -1 for no match; their
            similarity, 0 for no match).

    Raises:
        ArgumentTypeError: dist_matrix is not a Variable, or dist_threshold is not a number.
        ArgumentValueError: match_type is unknown.
        ShapeError: the rank is not 2.
        DtypeError: dist_matrix is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     alike = fluid.dygraph.to_variable(np.array([[0.8, 0.9, 0.6], [0.5, 0.7, 0.1]], 'float32'))
    ...     rows, best = fluid.layers.bipartite_match(alike)
    ...     rows.numpy(), best.numpy()
    (array([[ 1,  0, -1]], dtype=int32), array([[0.5, 0.9, 0. ]], dtype=float32))
    """
    threshold = 0.5 if dist_threshold is None else check_number("bipartite_match", "dist_threshold", dist_threshold)
    return ops.bipartite_match.call(
        dist_matrix, match_type="bipartite" if match_type is None else match_type, dist_threshold=threshold
    )


def target_assign(
    input: Any,
    matched_indices: Any,
    negative_indices: Any = None,
    mismatch_value: int | None = None,
    name: str | None = None,
) -> tuple[Variable, Variable]:
    """Assign targets and weights to each column (prior box) by the matches of bipartite_match.

    Arguments:
        input: [rows, P, K] with a LoD of one level: the rows of each image. Column j takes entry j % P of its row.
        matched_indices: int32 [images, columns]: rows counted inside of an image; -1 for no match.
        negative_indices: int32 [rows, 1] with a LoD: the columns of each image that are negative examples.
        mismatch_value: the target of columns without a match, 0 where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        (targets [images, columns, K], weights float32 [images, columns, 1]: 1 where matched or negative, else 0).

    Raises:
        ArgumentTypeError: input or matched_indices is not a Variable.
        LoDError: input has no LoD of one level, or another number of images.
        IndexRangeError: there is no such row or column.
        ShapeError: the shapes do not fit.
        DtypeError: matched_indices or negative_indices is not int32.

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
