"""Random calls of the operators that lay boxes over feature maps, and that measure, code and clip boxes."""

import numpy as np

from tests.ops.row import Sample

VARIANCES = [0.1, 0.1, 0.2, 0.25]


def boxes(d, count, size=1.0, dtype="float32"):
    corner, extent = d.floats((count, 2), 0, size / 2), d.floats((count, 2), size / 8, size / 2)
    return np.concatenate([corner, corner + extent], 1).astype(dtype)


def maps(d):
    dtype = d.one("float32", "float64")
    sizes = (1, 2, d.int(1, 5), d.int(1, 5)), (1, 3, d.int(20, 90), d.int(20, 90))
    return {slot: np.zeros(size, dtype) for slot, size in zip(("Input", "Image"), sizes)}


def prior_box(d):
    small = [float(d.int(2, 9)) for _ in range(d.int(1, 3))]
    attrs = {"min_sizes": small, "max_sizes": d.one([], [s + 4.5 for s in small]), "variances": VARIANCES}
    attrs.update(aspect_ratios=d.one([1.0], [2.0], [2.0, 0.5, 3.0]), flip=d.one(True, False), clip=d.one(True, False))
    attrs.update(step_w=d.one(0.0, 8.0), step_h=d.one(0.0, 6.5), offset=d.one(0.5, 0.25))
    return Sample(maps(d), dict(attrs, min_max_aspect_ratios_order=d.one(True, False)))


def density_prior_box(d):
    count = d.int(1, 3)
    attrs = {
        "fixed_sizes": [float(d.int(3, 30)) for _ in range(count)],
        "densities": [d.int(1, 4) for _ in range(count)],
    }
    attrs.update(fixed_ratios=d.one([1.0], [0.5, 2.0]), variances=VARIANCES, clip=d.one(True, False))
    attrs.update(step_w=d.one(0.0, 8.0), step_h=d.one(0.0, 6.5), flatten_to_2d=d.one(True, False))
    return Sample(maps(d), dict(attrs, offset=d.one(0.5, 0.25)))


def anchor_generator(d):
    attrs = {"anchor_sizes": d.one([32.0], [16.0, 100.0]), "aspect_ratios": d.one([1.0], [0.5, 1.0, 2.0], [1.3])}
    attrs.update(variances=VARIANCES, stride=d.one([16.0, 16.0], [8.0, 12.0]), offset=d.one(0.5, 0.0))
    return Sample({"Input": maps(d)["Input"]}, attrs)


def box_coder(d):
    """Not decoding of float64 by the attribute: real Paddle takes the bits of its float32 numbers for float64 ones."""
    rows, columns, normalized, axis = d.int(1, 4), d.int(1, 4), d.one(True, False), d.int(0, 1)
    decode, dtype = d.one(True, False), d.one("float32", "float64")
    priors = boxes(d, rows if decode and axis else columns, 1.0 if normalized else 30.0, dtype)
    target = (
        d.floats((rows, columns, 4), -1, 1, dtype) if decode else boxes(d, rows, 1.0 if normalized else 30.0, dtype)
    )
    inputs = {"PriorBox": priors, "TargetBox": target}
    attrs = {"code_type": "decode_center_size" if decode else "encode_center_size", "axis": axis}
    how = d.one("none", "attribute", "input")
    how = "none" if how == "attribute" and decode and dtype == "float64" else how
    if how == "input":
        inputs["PriorBoxVar"] = d.floats(priors.shape, 0.1, 0.3, dtype)
    return Sample(inputs, dict(attrs, box_normalized=normalized, variance=VARIANCES if how == "attribute" else []))


def box_decoder_and_assign(d):
    """Only float32: real Paddle cannot read `box_clip` otherwise."""
    rows, classes = d.int(1, 6), d.int(1, 4)
    inputs = {"PriorBox": boxes(d, rows, 30.0), "PriorBoxVar": d.floats((4,), 0.1, 1)}
    inputs["TargetBox"] = d.floats((rows, 4 * classes), -2, 3)
    inputs["BoxScore"] = d.floats((rows, classes), -1.5, 1)
    return Sample(inputs, {"box_clip": d.one(4.0, 0.5)})


def box_clip(d):
    info = np.stack([d.floats((2,), 5, 30), d.floats((2,), 5, 30), d.floats((2,), 0.5, 2)], 1)
    first = d.int(1, 3)
    return Sample({"Input": d.floats((first + 2, 4), -5, 40), "ImInfo": info}, lods={"Input": [[0, first, first + 2]]})


def iou_similarity(d):
    normalized, dtype = d.one(True, False), d.one("float32", "float64")
    x, y = (boxes(d, d.int(1, 6), 1.0 if normalized else 30.0, dtype) for _ in range(2))
    return Sample({"X": x, "Y": y}, {"box_normalized": normalized})


def polygon_box_transform(d):
    return Sample({"Input": d.floats((d.int(1, 2), 2 * d.int(1, 4), d.int(1, 4), d.int(1, 4)))})


CALLS = {
    "prior_box": prior_box,
    "density_prior_box": density_prior_box,
    "anchor_generator": anchor_generator,
    "box_coder": box_coder,
    "box_decoder_and_assign": box_decoder_and_assign,
    "box_clip": box_clip,
    "iou_similarity": iou_similarity,
    "polygon_box_transform": polygon_box_transform,
}
