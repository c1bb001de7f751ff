"""Random calls of the operators that say what a detector of two stages should learn; none of them draws at random."""

import numpy as np

from tests.ops.row import Sample


def boxes(d, count, size=30.0, dtype="float32"):
    corner = d.floats((count, 2), 0, size)
    return np.concatenate([corner, corner + d.floats((count, 2), size / 4, size / 2)], 1).astype(dtype)


def true(d, dtype):
    """True boxes of two images, the first of each image no crowd."""
    first, count = d.int(1, 3), d.int(1, 3)
    crowd = d.bits((first + count, 1), "int32")
    crowd[[0, first]] = 0
    info = np.array([[50, 55, 1], [45, 40, d.one(1, 2, 1.5)]], dtype)
    return {"GtBoxes": boxes(d, first + count, 25.0, dtype), "IsCrowd": crowd, "ImInfo": info}, [
        [0, first, first + count]
    ]


def rpn_target_assign(d):
    dtype = d.one("float32", "float64")
    inputs, lod = true(d, dtype)
    inputs["Anchor"] = boxes(d, d.int(6, 20), dtype=dtype)
    attrs = {"rpn_straddle_thresh": d.one(-1.0, 0.0, 3.0), "use_random": False, "rpn_fg_fraction": d.one(0.25, 0.5)}
    attrs.update(rpn_batch_size_per_im=d.one(4, 9, 256), rpn_positive_overlap=d.one(0.3, 0.6))
    attrs["rpn_negative_overlap"] = d.one(0.1, 0.3)
    return Sample(inputs, attrs, lods={"GtBoxes": lod, "IsCrowd": lod}, dynamic=True)


def generate_proposal_labels(d):
    """Two images, in a cascade or not."""
    dtype, cascade = d.one("float32", "float64"), d.one(True, False)
    inputs, lod = true(d, dtype)
    first, count, classes = d.int(1, 6), d.int(1, 6), d.int(2, 4)
    inputs["RpnRois"] = boxes(d, first + count, dtype=dtype)
    inputs["GtClasses"] = d.indices((len(inputs["GtBoxes"]), 1), classes - 1, "int32") + np.int32(1)
    attrs = {"batch_size_per_im": d.one(4, 9, 256), "fg_fraction": d.one(0.25, 0.5), "use_random": False}
    attrs.update(fg_thresh=d.one(0.3, 0.5), bg_thresh_hi=d.one(0.3, 0.5), bg_thresh_lo=d.one(0.0, 0.1))
    attrs.update(bbox_reg_weights=d.one([0.1, 0.1, 0.2, 0.2], [1.0, 2.0, 3.0, 4.0]), class_nums=classes)
    attrs.update(is_cascade_rcnn=cascade, is_cls_agnostic=d.one(True, False))
    lods = {"RpnRois": [[0, first, first + count]], "GtBoxes": lod, "IsCrowd": lod, "GtClasses": lod}
    return Sample(inputs, attrs, lods=lods, dynamic=True)


CALLS = {"rpn_target_assign": rpn_target_assign, "generate_proposal_labels": generate_proposal_labels}
