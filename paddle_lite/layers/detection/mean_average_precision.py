"""Mean average precision (mAP) of detected boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.detection import mean_average_precision as ops
from ..support.arguments import check_int, check_number, check_variable
from ..support.helper import LayerHelper


def detection_map(
    detect_res: Variable,
    label: Variable,
    class_num: int,
    background_label: int = 0,
    overlap_threshold: float = 0.3,
    evaluate_difficult: bool = True,
    has_state: Any = None,
    input_states: Sequence[Any] | None = None,
    out_states: Sequence[Any] | None = None,
    ap_version: str = "integral",
) -> Variable:
    """Compute the mean average precision over the classes of detected boxes; `fluid.metrics.DetectionMAP` accumulates
    it.

    Arguments:
        detect_res: [M, 6] floats with a LoD of one level, one sequence for each image: class, score and box.
        label: [N, 6] with a LoD: class, 1 for a difficult box, and box; or [N, 5] without the second.
        class_num: the number of classes with the background.
        background_label: as in Paddle, a class with exactly this number of true boxes is left out.
        overlap_threshold: a detected box is correct if its IoU with a true box of its class is above this.
        evaluate_difficult: whether to count difficult boxes.
        has_state: int32 [1]: not 0 if `input_states` are to be added.
        input_states: the previous counts: int32 [class_num, 1], and two Variables [n, 2] with a LoD by class.
        out_states: Variables to write the new counts into; pass those of `input_states` to accumulate.
        ap_version: "integral" or "11point".

    Returns:
        A Variable [1].

    Raises:
        ArgumentTypeError: detect_res or label is not a Variable, or a number has another type.
        ArgumentValueError: there are not three states, or `ap_version` or `class_num` is not supported.
        LoDError: detect_res or label has no LoD, or they have different numbers of images.
        IndexRangeError: a class is not below class_num.
        ShapeError: the shapes do not fit.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.layers.detection.mean_average_precision import detection_map
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     found = fluid.data('found', [None, 6], 'float32', lod_level=1)
    ...     label = fluid.data('label', [None, 5], 'float32', lod_level=1)
    ...     mean, exe = detection_map(found, label, class_num=2), fluid.Executor()
    ...     box = np.array([[1, .9, .1, .1, .5, .5]], 'float32')
    ...     feed = {'found': fluid.create_lod_tensor(box, [[1]], fluid.CPUPlace()),
    ...             'label': fluid.create_lod_tensor(box[:, [0, 2, 3, 4, 5]], [[1]], fluid.CPUPlace())}
    ...     exe.run(feed=feed, fetch_list=[mean])
    [array([1.], dtype=float32)]
    """
    where = "detection_map"
    check_variable(where, "detect_res", detect_res)
    check_variable(where, "label", label)
    before = [None] * 3 if input_states is None else list(input_states)
    after = () if out_states is None else tuple(out_states)
    for argument, states in (("input_states", before), ("out_states", after or before)):
        if len(states) != 3:
            needs = "three: counts of true boxes, and what was right and wrong"
            raise ArgumentValueError(message(where, argument, f"{len(states)} Variables", needs))
    slots = ("AccumPosCount", "AccumTruePos", "AccumFalsePos")
    return LayerHelper(where).run(
        ops.detection_map, detect_res, label, has_state, *before, carry=dict(zip(slots, after, strict=False)), order="MAP",
        class_num=check_int(where, "class_num", class_num), background_label=background_label, ap_type=ap_version,
        overlap_threshold=check_number(where, "overlap_threshold", overlap_threshold), evaluate_difficult=evaluate_difficult,
    )[3]  # fmt: skip
