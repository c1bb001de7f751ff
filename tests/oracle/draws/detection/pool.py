"""Random calls of the operators that pool regions of feature maps."""

import numpy as np

from tests.ops.row import Sample


def regions(d, attrs):
    """Regions of one or two images, some of them partly outside; every image has one at least."""
    images, rows, columns = d.int(1, 2), d.int(2, 9), d.int(2, 9)
    shape = (images, d.int(1, 3), rows, columns)
    x = np.array(d.order(int(np.prod(shape)))).reshape(shape).astype(d.one("float32", "float64")) / 50
    first, count = d.int(1, 3), d.int(1, 3)
    starts = [0, first, first + count][: images + 1]
    corner, extent = d.floats((starts[-1], 2), -2, 8), d.floats((starts[-1], 2), 0, 9)
    rois = np.concatenate([corner, corner + extent], 1).astype(x.dtype)
    sizes = {"pooled_height": d.int(1, 4), "pooled_width": d.int(1, 4), "spatial_scale": d.one(1.0, 0.5, 0.25)}
    return Sample({"X": x, "ROIs": rois}, dict(sizes, **attrs), lods={"ROIs": [starts]})


def by_channel(d):
    sample = regions(d, {"output_channels": d.int(2, 4)})
    x, attrs = sample.inputs["X"], sample.attrs
    channels = attrs["output_channels"] * attrs["pooled_height"] * attrs["pooled_width"]
    sample.inputs["X"] = d.floats((len(x), channels) + x.shape[2:], dtype=x.dtype.name)
    return sample


def precise(d):
    """Regions of some extent, with numbers in no order: the gradients of regions are sums of differences."""
    sample = regions(d, {})
    rois, x = sample.inputs["ROIs"], sample.inputs["X"]
    rois[:, 2:] += 1
    sample.inputs["X"] = d.floats(x.shape, -1, 1, x.dtype.name)
    return sample


CALLS = {
    "roi_pool": lambda d: regions(d, {}),
    "roi_align": lambda d: regions(d, {"sampling_ratio": d.one(-1, 1, 2, 3)}),
    "psroi_pool": by_channel,
    "prroi_pool": precise,
}
