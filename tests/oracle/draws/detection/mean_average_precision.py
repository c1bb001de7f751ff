"""Random calls of the operator that says how well boxes were found."""

import numpy as np

from tests.ops.row import Sample


def _boxes(d, classes, images, more, dtype):
    """Boxes of random classes, with `more` in between, and the LoD of their images."""
    counts = [d.int(0, 4) for _ in range(images)]
    n = sum(counts)
    corner, size = (d.indices((n, 2), 5, "int64") for _ in range(2))
    box = np.concatenate([corner, corner + size + 1], 1) / 8.0
    columns = [d.indices((n, 1), classes, "int64"), *more(n), box]
    return np.concatenate(columns, 1).astype(dtype), [[0, *np.cumsum(counts).tolist()]]


def detection_map(d):
    """No two scores alike, so that Paddle sorts the boxes in one way only."""
    classes, images, dtype, hard = d.int(2, 4), d.int(1, 3), d.one("float32", "float64"), d.one(True, False)
    found, of_found = _boxes(d, classes, images, lambda n: [np.array(d.order(n)).reshape(n, 1) / 32.0], dtype)
    true, of_true = _boxes(d, classes, images, lambda n: [d.indices((n, 1), 2, "int64")] if hard else [], dtype)
    attrs = {"class_num": classes, "background_label": d.int(-1, 1), "overlap_threshold": d.one(0.1, 0.3, 0.5)}
    attrs.update(evaluate_difficult=d.one(True, False), ap_type=d.one("integral", "11point"))
    inputs = {"DetectRes": found, "Label": true, "HasState": None, "PosCount": None, "TruePos": None, "FalsePos": None}
    return Sample(inputs, attrs, lods={"DetectRes": of_found, "Label": of_true}, dynamic=True)


CALLS = {"detection_map": detection_map}
