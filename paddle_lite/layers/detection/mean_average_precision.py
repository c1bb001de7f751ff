"""How well boxes were found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, message
from ...ops.detection import mean_average_precision as ops
from ..support.arguments import check_variable, number, whole
from ..support.helper import LayerHelper


def detection_map(
    detect_res: Any,
    label: Any,
    class_num: int,
    background_label: int = 0,
    overlap_threshold: float = 0.3,
    evaluate_difficult: bool = True,
    has_state: Any = None,
    input_states: Sequence[Any] | None = None,
    out_states: Sequence[Any] | None = None,
    ap_version: str = "integral",
) -> Any:
    """The mean over the classes of the average precision of boxes that were found. `fluid.metrics.DetectionMAP` adds up.

    Arguments:
        detect_res: [M, 6] floats with a LoD of one level, the images: class, score, and the box, 4 numbers.
        label: [N, 6] with a LoD too: class, 1 if the box is difficult, and the box; or [N, 5] without the second.
        class_num: how many classes there are, the background included.
        background_label: as in Paddle, a class with exactly so many true boxes does not count.
        overlap_threshold: a found box is right if it overlaps a true one of its class by more.
        evaluate_difficult: whether difficult boxes count.
        has_state: int32 [1]: not 0 if `input_states` count.
        input_states: what was counted before: int32 [class_num, 1], and two of [., 2] with a LoD by class.
        out_states: Variables that take what is counted now: those of `input_states`, to add up.
        ap_version: "integral" or "11point".

    Returns:
        A Variable of shape [1].

    Raises:
        ArgumentValueError: there are not three states; `ap_version` or `class_num` is none that there is.
        LoDError: boxes have no LoD, or not the same number of images.

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
        class_num=whole(where, "class_num", class_num), background_label=background_label, ap_type=ap_version,
        overlap_threshold=number(where, "overlap_threshold", overlap_threshold), evaluate_difficult=evaluate_difficult,
    )[3]  # fmt: skip
