"""The LoD of box_coder: that of the targets, but of the priors where they are the rows, as in PaddlePaddle 1.8.5."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.fluid import layers

PRIORS, TARGETS = [[2, 4]], [[1, 5]]


def fed(array: np.ndarray, lengths: list[list[int]] | None) -> Any:
    return fluid.create_lod_tensor(array, lengths, fluid.CPUPlace()) if lengths else array


# (code_type, axis, whether the priors have a LoD, whether the targets do, what comes out of 1.8.5)
CASES = [
    ("decode_center_size", 0, True, False, []),
    ("decode_center_size", 0, False, True, TARGETS),
    ("decode_center_size", 0, True, True, TARGETS),
    ("decode_center_size", 1, False, False, []),
    ("decode_center_size", 1, True, False, PRIORS),
    ("decode_center_size", 1, False, True, []),
    ("decode_center_size", 1, True, True, PRIORS),
    ("encode_center_size", 0, True, False, []),
    ("encode_center_size", 0, True, True, TARGETS),
]


@pytest.mark.parametrize("kind, axis, priors, targets, lengths", CASES)
def test_lod(kind: str, axis: int, priors: bool, targets: bool, lengths: list[list[int]]) -> None:
    random = np.random.RandomState(0)
    boxes = random.rand(6, 4).astype("float32") + np.array([0, 0, 1, 1], "float32")
    codes = random.rand(*((6, 6, 4) if kind == "decode_center_size" else (6, 4))).astype("float32")
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        prior = fluid.data("prior", [None, 4], lod_level=1)
        target = fluid.data("target", [None, *codes.shape[1:]], lod_level=1)
        out = layers.box_coder(prior, [0.1, 0.1, 0.2, 0.2], target, kind, False, axis=axis)
    feed = {"prior": fed(boxes, PRIORS if priors else None), "target": fed(codes, TARGETS if targets else None)}
    [found] = fluid.Executor(fluid.CPUPlace()).run(main, feed, [out], return_numpy=False)
    assert found.recursive_sequence_lengths() == lengths


def test_boxes_of_proposals_are_told_apart_by_image() -> None:
    """The head of Faster R-CNN: proposals of two images, decoded by rows, suppressed for each image."""
    random = np.random.RandomState(1)
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        rois = fluid.data("rois", [None, 4], lod_level=1)
        codes, scores = fluid.data("codes", [None, 3, 4]), fluid.data("scores", [None, 3])
        boxes = layers.box_coder(rois, [0.1, 0.1, 0.2, 0.2], codes, "decode_center_size", False, axis=1)
        kept = layers.multiclass_nms(boxes, scores, 0.1, 10, 4, 0.5, normalized=False)
    corners = random.rand(6, 4).astype("float32") * 8 + np.array([0, 0, 9, 9], "float32")
    feed = {
        "rois": fed(corners, PRIORS),
        "codes": random.rand(6, 3, 4).astype("float32") / 9,
        "scores": random.rand(6, 3).astype("float32"),
    }
    [found] = fluid.Executor(fluid.CPUPlace()).run(main, feed, [kept], return_numpy=False)
    [counts] = found.recursive_sequence_lengths()
    assert len(counts) == 2 and sum(counts) == found.shape()[0] and max(counts) <= 4
