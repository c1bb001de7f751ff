"""Random calls of pooling with moved bins."""

import numpy as np

from tests.ops.row import Sample

TOLERANCE = (1e-4, 1e-5)


def deformable_psroi_pooling(d):
    """The gradient only where bins stay: real Paddle's is none of the moved ones. float64, for steps at the border."""
    images, high, wide, classes = d.int(1, 2), d.int(3, 8), d.int(3, 8), d.int(1, 2)
    counts, group, pooled = d.sizes(images, 1, 3), d.sizes(2, 1, 3), d.sizes(2, 1, 3)
    out, rois, still = classes * d.int(1, 2), sum(counts), d.one(True, False)
    part = [d.int(1, n) for n in pooled]
    corner = d.floats((rois, 2), 0, 4, "float64")
    boxes = np.concatenate([corner, corner + d.floats((rois, 2), 0, 5, "float64")], 1)
    inputs = {
        "Input": d.floats((images, out * group[0] * group[1], high, wide), dtype="float64"), "ROIs": boxes,
        "Trans": d.floats([rois, 2 * classes] + part, -1, 1, "float64"),
    }  # fmt: skip
    attrs = {
        "no_trans": still, "spatial_scale": d.one(1.0, 0.5, 0.75), "output_dim": out, "group_size": group,
        "pooled_height": pooled[0], "pooled_width": pooled[1], "part_size": part, "sample_per_part": d.int(1, 3),
        "trans_std": d.number(0, 0.5),
    }  # fmt: skip
    lods = {"ROIs": [[0] + np.cumsum(counts).tolist()]}
    return Sample(inputs, attrs, lods=lods, grads=("Input", "Trans") if still else ())


CALLS = {"deformable_psroi_pooling": deformable_psroi_pooling}
