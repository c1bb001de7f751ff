"""Decoding of YOLOv3 outputs, and non-maximum suppression (NMS)."""

from __future__ import annotations

from typing import Any

from ...core.calls.former import formerly
from ...core.typing import Variable
from ...ops.detection import select as ops
from ..support.arguments import check_number, int_list

__all__ = ["locality_aware_nms", "matrix_nms", "multiclass_nms", "yolo_box"]


@formerly("x img_size anchors class_num conf_thresh downsample_ratio name")
def yolo_box(
    x: Any,
    img_size: Any,
    anchors: Any,
    class_num: int,
    conf_thresh: float,
    downsample_ratio: int,
    clip_bbox: bool = True,
    name: str | None = None,
    scale_x_y: float = 1.0,
) -> tuple[Variable, Variable]:
    """Decode the output of YOLOv3 to boxes and scores.

    At column i of W and row j of H, an anchor (aw, ah) gives the center ((i + sigmoid(x)) / W, (j + sigmoid(y)) / H)
    and the size (exp(w) * aw / (W * downsample_ratio), exp(h) * ah / (H * downsample_ratio)), in fractions of the
    image. PaddlePaddle 1.8 uses H in the place of W; the results are equal for square feature maps.

    Source: Redmon and Farhadi, "YOLOv3: An Incremental Improvement", 2018.

    Arguments:
        x: [N, A * (5 + class_num), H, W]: for each anchor x, y, w, h, confidence, and the score of each class.
        img_size: int32 [N, 2]: height and width of each image.
        anchors: width and height of A anchors in one flat list, in pixels of the network's input.
        class_num: the number of classes.
        conf_thresh: boxes with a lower confidence are set to 0, with their scores.
        downsample_ratio: the size of a position in pixels of the network's input.
        clip_bbox: whether to clip the boxes to the image.
        name: accepted for Fluid code, ignored.
        scale_x_y: the factor by which the sigmoids of x and y are scaled around 0.5.

    Returns:
        (boxes [N, A * H * W, 4] as xmin, ymin, xmax, ymax in pixels, scores [N, A * H * W, class_num]: confidence times
            the sigmoid of the class score).

    Raises:
        ArgumentTypeError: x or img_size is not a Variable, or a number has another type.
        ArgumentValueError: anchors is empty or of odd length, or class_num is below 1.
        ShapeError: the shapes do not fit.
        DtypeError: img_size is not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([1, 6, 1, 1], 'float32'))
    ...     size = fluid.dygraph.to_variable(np.array([[64, 64]], 'int32'))
    ...     boxes, scores = fluid.layers.yolo_box(x, size, [16, 8], 1, 0.01, 32)
    ...     boxes.numpy(), scores.numpy()
    (array([[[16., 24., 48., 40.]]], dtype=float32), array([[[0.25]]], dtype=float32))
    """
    where = "yolo_box"
    return ops.yolo_box.call(
        x,
        img_size,
        anchors=int_list(where, "anchors", anchors),
        class_num=class_num,
        conf_thresh=check_number(where, "conf_thresh", conf_thresh),
        downsample_ratio=downsample_ratio,
        clip_bbox=clip_bbox,
        scale_x_y=check_number(where, "scale_x_y", scale_x_y),
    )


def multiclass_nms(
    bboxes: Any,
    scores: Any,
    score_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    nms_threshold: float = 0.3,
    normalized: bool = True,
    nms_eta: float = 1.0,
    background_label: int = 0,
    name: str | None = None,
) -> Variable:
    """Apply non-maximum suppression to each class: of overlapping boxes only the one with the best score is kept.

    Arguments:
        bboxes: [N, M, 4] as xmin, ymin, xmax, ymax; or [M, classes, 4], a box for each class, with a LoD of one level
            that separates the images. In the first form, 8, 16, 24 or 32 numbers are polygons x, y, x, y, ...
        scores: [N, classes, M]; in the second form [M, classes].
        score_threshold: boxes with a score up to this are dropped.
        nms_top_k: the number of boxes of a class to consider, the best first; -1 for all.
        keep_top_k: the number of boxes of an image to keep, over all classes; -1 for all.
        nms_threshold: of two boxes of a class with an IoU above this only the better one is kept.
        normalized: whether boxes are fractions of the image. False: they are in pixels, and both ends belong to a box.
        nms_eta: a factor of `nms_threshold`, applied after each kept box while nms_threshold is above 0.5; 1.0 for
            none.
        background_label: the class to leave out; -1 for none.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [n, 6]: class, score, xmin, ymin, xmax, ymax, with a LoD that separates the images; sorted by class,
            the best first (in the second form in the order of `bboxes`). [[-1]] where no box is kept.

    Raises:
        ArgumentTypeError: bboxes or scores is not a Variable, or a number has another type.
        ShapeError: the shapes do not fit.
        LoDError: bboxes of the second form has no LoD of one level.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     boxes = np.array([[[0, 0, 1, 1], [0, 0, 1, 0.9], [0.5, 0.5, 1, 1]]], 'float32')
    ...     scores = np.array([[[0.5, 0.75, 0.25]]], 'float32')
    ...     args = (fluid.dygraph.to_variable(a) for a in (boxes, scores))
    ...     kept = fluid.layers.multiclass_nms(*args, 0.1, -1, -1, background_label=-1)
    ...     kept.numpy(), kept.lod()
    (array([[0.  , 0.75, 0.  , 0.  , 1.  , 0.9 ],
           [0.  , 0.25, 0.5 , 0.5 , 1.  , 1.  ]], dtype=float32), [[0, 2]])
    """
    where = "multiclass_nms"
    return ops.multiclass_nms.call(
        bboxes,
        scores,
        score_threshold=check_number(where, "score_threshold", score_threshold),
        nms_top_k=nms_top_k,
        keep_top_k=keep_top_k,
        nms_threshold=check_number(where, "nms_threshold", nms_threshold),
        normalized=normalized,
        nms_eta=check_number(where, "nms_eta", nms_eta),
        background_label=background_label,
    )


def locality_aware_nms(
    bboxes: Any,
    scores: Any,
    score_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    nms_threshold: float = 0.3,
    normalized: bool = True,
    nms_eta: float = 1.0,
    background_label: int = -1,
    name: str | None = None,
) -> Variable:
    """Merge consecutive overlapping boxes of one class, then apply non-maximum suppression.

    A box whose IoU with the previous one is above `nms_threshold` is merged into it: the result is their mean weighted
    by the scores, and has the sum of the scores.

    Source: Zhou et al., "EAST: An Efficient and Accurate Scene Text Detector", 2017.

    Arguments:
        bboxes: [N, M, 4] as xmin, ymin, xmax, ymax; 8, 16, 24 or 32 numbers are polygons x, y, x, y, ...
        scores: [N, 1, M].
        score_threshold: boxes with a score up to this are dropped.
        nms_top_k: the number of boxes to consider, the best first; -1 for all.
        keep_top_k: the number of boxes of an image to keep; -1 for all.
        nms_threshold: of two boxes of a class with an IoU above this only the better one is kept.
        normalized: whether boxes are fractions of the image. False: they are in pixels, and both ends belong to a box.
        nms_eta: a factor of `nms_threshold`, applied after each kept box while nms_threshold is above 0.5; 1.0 for
            none.
        background_label: 0 leaves out the only class; -1 for none.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [n, 6], or [n, 2 + numbers of a polygon]: class, score, box; the best first, with a LoD that
            separates the images. [[-1]] where no box is kept.

    Raises:
        ArgumentTypeError: bboxes or scores is not a Variable, or a number has another type.
        ShapeError: the shapes do not fit.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     boxes = fluid.dygraph.to_variable(np.array([[[0, 0, 1, 1], [0, 0, 1, 0.5]]], 'float32'))
    ...     scores = fluid.dygraph.to_variable(np.array([[[0.75, 0.25]]], 'float32'))
    ...     fluid.layers.locality_aware_nms(boxes, scores, 0.1, -1, -1).numpy()
    array([[0.   , 1.   , 0.   , 0.   , 1.   , 0.875]], dtype=float32)
    """
    where = "locality_aware_nms"
    return ops.locality_aware_nms.call(
        bboxes,
        scores,
        score_threshold=check_number(where, "score_threshold", score_threshold),
        nms_top_k=nms_top_k,
        keep_top_k=keep_top_k,
        nms_threshold=check_number(where, "nms_threshold", nms_threshold),
        normalized=normalized,
        nms_eta=check_number(where, "nms_eta", nms_eta),
        background_label=background_label,
    )


def matrix_nms(
    bboxes: Any,
    scores: Any,
    score_threshold: float,
    post_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    use_gaussian: bool = False,
    gaussian_sigma: float = 2.0,
    background_label: int = 0,
    normalized: bool = True,
    return_index: bool = False,
    name: str | None = None,
) -> Any:
    """Reduce the score of each box by its overlap with better boxes of its class (matrix NMS).

    s is the IoU of a box and a better one, m the largest IoU of that better box with boxes better than itself. The
    score is multiplied by the smallest (1 - s) / (1 - m), or exp((m^2 - s^2) * gaussian_sigma) with use_gaussian.

    Source: Wang et al., "SOLOv2: Dynamic and Fast Instance Segmentation", 2020.

    Arguments:
        bboxes: [N, M, 4] as xmin, ymin, xmax, ymax.
        scores: [N, classes, M].
        score_threshold: boxes with a score up to this are dropped.
        post_threshold: boxes whose reduced score is not above this are dropped, too.
        nms_top_k: the number of boxes of a class to consider, the best first; -1 for all.
        keep_top_k: the number of boxes of an image to keep, over all classes; -1 for all.
        use_gaussian: whether to use the second formula.
        gaussian_sigma: the number in the second formula.
        background_label: the class to leave out; -1 for none.
        normalized: whether boxes are fractions of the image. False: they are in pixels, and both ends belong to a box.
        return_index: whether to return the index of each box, too.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [n, 6]: class, reduced score, xmin, ymin, xmax, ymax, the best of each image first, with a LoD that
            separates the images. With `return_index` (this Variable, int32 [n, 1]: the index of each box among those of
            all images).

    Raises:
        ArgumentTypeError: bboxes or scores is not a Variable, or a number has another type.
        ShapeError: the shapes do not fit.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     boxes = fluid.dygraph.to_variable(np.array([[[0, 0, 1, 1], [0, 0, 1, 0.75]]], 'float32'))
    ...     scores = fluid.dygraph.to_variable(np.array([[[0.5, 0.75]]], 'float32'))
    ...     fluid.layers.matrix_nms(boxes, scores, 0.1, 0.1, -1, -1, background_label=-1).numpy()
    array([[0.   , 0.75 , 0.   , 0.   , 1.   , 0.75 ],
           [0.   , 0.125, 0.   , 0.   , 1.   , 1.   ]], dtype=float32)
    """
    where = "matrix_nms"
    kept, index = ops.matrix_nms.call(
        bboxes,
        scores,
        score_threshold=check_number(where, "score_threshold", score_threshold),
        post_threshold=check_number(where, "post_threshold", post_threshold),
        nms_top_k=nms_top_k,
        keep_top_k=keep_top_k,
        use_gaussian=use_gaussian,
        gaussian_sigma=check_number(where, "gaussian_sigma", gaussian_sigma),
        background_label=background_label,
        normalized=normalized,
    )
    return (kept, index) if bool(return_index) else kept
