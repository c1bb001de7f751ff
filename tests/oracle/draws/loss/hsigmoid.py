"""Random calls of hierarchical_sigmoid."""

import numpy as np

from tests.ops.row import Sample


def hierarchical_sigmoid(d):
    n, width, classes, dtype = d.int(1, 5), d.int(1, 6), d.int(2, 40), d.one("float32", "float64")
    custom = bool(d.int(0, 1))
    rows = d.int(1, 8) if custom else classes - 1
    inputs = {
        "X": d.floats((n, width), dtype=dtype),
        "W": d.floats((rows, width), -1.0, 1.0, dtype),
        "Label": d.indices((n, 1), classes, "int64"),
    }
    attrs = {"num_classes": classes}
    if custom:
        steps = d.int(1, 6)
        on = np.arange(steps) < np.array(d.sizes(n, 1, steps))[:, None]
        inputs["PathTable"] = np.where(on, d.indices((n, steps), rows, "int64"), -1)
        inputs["PathCode"] = np.where(on, d.indices((n, steps), 2, "int64"), -1)
        attrs["is_sparse"] = bool(d.int(0, 1))
    if d.int(0, 1):
        inputs["Bias"] = d.floats((rows, 1), -1.0, 1.0, dtype)
    return Sample(inputs, attrs)


CALLS = {"hierarchical_sigmoid": hierarchical_sigmoid}
