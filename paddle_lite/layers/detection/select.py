"""What a detector says as boxes, and the best of them."""

from __future__ import annotations

from typing import Any

from ...ops.detection import select as ops
from ..support.arguments import ints, number

__all__ = ["locality_aware_nms", "matrix_nms", "multiclass_nms", "yolo_box"]


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
) -> tuple:
    """The boxes and scores that the output of YOLOv3 stands for (Redmon and Farhadi 2018, "YOLOv3").

    At column i of W and row j of H an anchor (aw, ah) gives the centre ((i + sigmoid(x)) / W, (j + sigmoid(y)) / H) and the
    size (exp(w) * aw / (W * downsample_ratio), exp(h) * ah / (H * downsample_ratio)), as fractions of the image.
    PaddlePaddle 1.8 takes H for W, too; the two agree for square maps.

    Arguments:
        x: [N, A * (5 + class_num), H, W]: for each anchor x, y, w, h, confidence, and the score of each class.
        img_size: int32 [N, 2]: height and width of each image.
        anchors: width and height of each of A anchors, in one list, in pixels of the network's input.
        class_num: how many classes there are.
        conf_thresh: boxes of less confidence become 0, with their scores.
        downsample_ratio: how many pixels of the network's input a place stands for.
        clip_bbox: cut the boxes at the image.
        name: kept for Fluid code.
        scale_x_y: the sigmoids of x and y are stretched around 0.5 by this.

    Returns:
        (boxes [N, A * H * W, 4] as xmin, ymin, xmax, ymax in pixels, scores [N, A * H * W, class_num]: confidence times
        sigmoid of the class score).

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
        anchors=ints(where, "anchors", anchors),
        class_num=class_num,
        conf_thresh=number(where, "conf_thresh", conf_thresh),
        downsample_ratio=downsample_ratio,
        clip_bbox=clip_bbox,
        scale_x_y=number(where, "scale_x_y", scale_x_y),
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
) -> Any:
    """Of boxes of one class that cover each other the one with the best score (non-maximum suppression).

    Arguments:
        bboxes: [N, M, 4] as xmin, ymin, xmax, ymax; or [M, classes, 4], a box for each class, with a LoD of one level that
            tells which rows belong to which image. In the first form 8, 16, 24 or 32 numbers are polygons x, y, x, y, ...
        scores: [N, classes, M], or [M, classes].
        score_threshold: boxes with a score up to this are left out.
        nms_top_k: how many boxes of a class are looked at, the best first; -1 for all.
        keep_top_k: how many boxes of an image are kept, of all classes; -1 for all.
        nms_threshold: boxes that share more than this, as a fraction of the area that they cover together, do not both stay.
        normalized: boxes are fractions; False: they count pixels, and both ends belong to a box.
        nms_eta: below 1 `nms_threshold` is multiplied by it after each box that is kept, while it is above 0.5.
        background_label: the class that is left out; -1 for none.
        name: kept for Fluid code.

    Returns:
        [kept, 6]: class, score, xmin, ymin, xmax, ymax, with a LoD that tells the images apart; by class, the best first (in
        the second form in the order of `bboxes`). [[-1]] where nothing is kept at all.

    Raises:
        LoDError: `bboxes` of the second form has no LoD of one level.

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
        score_threshold=number(where, "score_threshold", score_threshold),
        nms_top_k=nms_top_k,
        keep_top_k=keep_top_k,
        nms_threshold=number(where, "nms_threshold", nms_threshold),
        normalized=normalized,
        nms_eta=number(where, "nms_eta", nms_eta),
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
) -> Any:
    """multiclass_nms of one class, after neighbours that cover each other were merged (Zhou et al. 2017, "EAST").

    Each box is merged into the one before where they share more than `nms_threshold`: their mean, weighted by their scores,
    with the sum of these as its score.

    Arguments:
        bboxes: [N, M, 4] as xmin, ymin, xmax, ymax; 8, 16, 24 or 32 numbers are polygons x, y, x, y, ...
        scores: [N, 1, M]
        score_threshold: as in multiclass_nms, like the following.
        nms_top_k: how many boxes are looked at, the best first; -1 for all.
        keep_top_k: how many boxes of an image are kept; -1 for all.
        nms_threshold: boxes that share more than this, as a fraction of the area that they cover together, do not both stay.
        normalized: boxes are fractions; False: they count pixels, and both ends belong to a box.
        nms_eta: below 1 `nms_threshold` is multiplied by it after each box that is kept, while it is above 0.5.
        background_label: 0 leaves out the only class.
        name: kept for Fluid code.

    Returns:
        [kept, 6] or [kept, 2 + numbers of a polygon]: class, score, box, the best first, with a LoD that tells the images
        apart. [[-1]] where nothing is kept at all.

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
        score_threshold=number(where, "score_threshold", score_threshold),
        nms_top_k=nms_top_k,
        keep_top_k=keep_top_k,
        nms_threshold=number(where, "nms_threshold", nms_threshold),
        normalized=normalized,
        nms_eta=number(where, "nms_eta", nms_eta),
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
    """Boxes with scores that fade by what better boxes of their class cover of them (Wang et al. 2020, "SOLOv2").

    With s the shared over the covered area of a box and a better one, and m the largest such number of the better one
    itself, a score is multiplied by the least (1 - s) / (1 - m), or exp((m^2 - s^2) * gaussian_sigma).

    Arguments:
        bboxes: [N, M, 4] as xmin, ymin, xmax, ymax.
        scores: [N, classes, M]
        score_threshold: boxes with a score up to this are left out.
        post_threshold: and those whose score fades to this.
        nms_top_k: how many boxes of a class are looked at, the best first; -1 for all.
        keep_top_k: how many boxes of an image are kept, of all classes; -1 for all.
        use_gaussian: take the second formula.
        gaussian_sigma: how fast scores fade there.
        background_label: the class that is left out; -1 for none.
        normalized: boxes are fractions; False: they count pixels, and both ends belong to a box.
        return_index: tell where each row came from, too.
        name: kept for Fluid code.

    Returns:
        [kept, 6]: class, faded score, xmin, ymin, xmax, ymax, the best of each image first, with a LoD that tells the
        images apart. With `return_index` (kept, int32 [kept, 1]: which box of all images).

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
        score_threshold=number(where, "score_threshold", score_threshold),
        post_threshold=number(where, "post_threshold", post_threshold),
        nms_top_k=nms_top_k,
        keep_top_k=keep_top_k,
        use_gaussian=use_gaussian,
        gaussian_sigma=number(where, "gaussian_sigma", gaussian_sigma),
        background_label=background_label,
        normalized=normalized,
    )
    return (kept, index) if return_index else kept
