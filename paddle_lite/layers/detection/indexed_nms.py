"""`fluid.contrib.layers.multiclass_nms2`: non-maximum suppression that says where boxes came from."""

from __future__ import annotations

from typing import Any

from ...core.typing import Variable
from ...ops.detection import select as ops
from ..support.arguments import check_int, check_number, check_variable, flag
from ..support.helper import LayerHelper
from .targets import constant

__all__ = ["multiclass_nms2"]


def multiclass_nms2(
    bboxes: Any,
    scores: Any,
    score_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    nms_threshold: float = 0.3,
    normalized: bool = True,
    nms_eta: float = 1.0,
    background_label: int = 0,
    return_index: bool = False,
    name: str | None = None,
) -> tuple[Variable, Variable]:
    """Apply non-maximum suppression to each class, as fluid.layers.multiclass_nms does, and tell the index of each box.

    Arguments:
        bboxes: [N, M, 4] as xmin, ymin, xmax, ymax; or [M, classes, 4], a box for each class, with a LoD of one level
            that separates the images.
        scores: [N, classes, M]; in the second form [M, classes].
        score_threshold: boxes with a score up to this are dropped.
        nms_top_k: the number of boxes of a class to consider, the best first; -1 for all.
        keep_top_k: the number of boxes of an image to keep, over all classes; -1 for all.
        nms_threshold: of two boxes of a class with an IoU above this only the better one is kept.
        normalized: whether boxes are fractions of the image. False: they are in pixels, and both ends belong to a box.
        nms_eta: a factor of `nms_threshold`, applied after each kept box while nms_threshold is above 0.5.
        background_label: the class to leave out; -1 for none.
        return_index: whether to return the indices, too.
        name: the prefix of the names of results.

    Returns:
        A Variable [n, 6]: class, score, xmin, ymin, xmax, ymax, with a LoD that separates the images; no rows where no
            box is kept. With `return_index` also an int32 Variable [n, 1]: the index of each box among those of all
            images.

    Raises:
        ArgumentTypeError: bboxes or scores is not a Variable, or a number has another type.
        ShapeError: the shapes do not fit.
        LoDError: bboxes of the second form has no LoD of one level.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     boxes = np.array([[[0, 0, 1, 1], [0, 0, 1, 0.9], [0.5, 0.5, 1, 1]]], 'float32')
    ...     scores = np.array([[[0.5, 0.75, 0.25]]], 'float32')
    ...     args = (fluid.dygraph.to_variable(a) for a in (boxes, scores))
    ...     kept, index = fluid.contrib.layers.multiclass_nms2(
    ...         *args, 0.1, -1, -1, background_label=-1, return_index=True)
    ...     index.numpy()
    array([[1],
           [2]], dtype=int32)
    """
    where = "multiclass_nms2"
    for key, value in (("bboxes", bboxes), ("scores", scores)):
        check_variable(where, key, value)
    kept, index = constant(
        *LayerHelper(where, name=name).run(
            ops.multiclass_nms2,
            bboxes,
            scores,
            score_threshold=check_number(where, "score_threshold", score_threshold),
            nms_top_k=check_int(where, "nms_top_k", nms_top_k),
            keep_top_k=check_int(where, "keep_top_k", keep_top_k),
            nms_threshold=check_number(where, "nms_threshold", nms_threshold),
            normalized=flag(where, "normalized", normalized),
            nms_eta=check_number(where, "nms_eta", nms_eta),
            background_label=check_int(where, "background_label", background_label),
        )
    )
    return (kept, index) if return_index else kept
