"""Random calls of ctc_align and warpctc. Labels are never the blank, for which real Paddle has no meaning."""

import numpy as np

from tests.ops.row import Sample


def offsets(lengths):
    return [[0] + [int(n) for n in np.cumsum(lengths)]]


def ctc_align(d):
    count, dtype = d.int(1, 4), d.one("int32", "int64")
    lengths = d.sizes(count, 0, 9)
    lengths[0] = max(lengths[0], 1)
    attrs = {"blank": d.int(0, 3), "merge_repeated": bool(d.int(0, 1))}
    if d.int(0, 1):
        shape = (count, max(lengths) + d.int(0, 2))
        attrs["padding_value"] = d.int(-1, 3)
        inputs = {"Input": d.indices(shape, 4, dtype), "InputLength": np.array(lengths, dtype)[:, None]}
        return Sample(inputs, attrs, outputs=["Output", "OutputLength"])
    return Sample(
        {"Input": d.indices((sum(lengths), 1), 4, dtype)}, attrs, lods={"Input": offsets(lengths)}, outputs=["Output"]
    )


def warpctc(d):
    count, classes, wide = d.int(1, 4), d.int(2, 6), d.one(1.0, 3.0, 10.0)
    steps, labels = d.sizes(count, 1, 10), d.sizes(count, 0, 5)
    labels[0] = max(labels[0], 1)
    attrs = {"blank": d.int(0, classes - 1), "norm_by_times": bool(d.int(0, 1))}
    padded = d.int(0, 1)
    values = d.indices((count, max(labels)) if padded else (sum(labels), 1), classes - 1, "int32")
    values = (values + (values >= attrs["blank"])).astype("int32")
    if not padded:
        inputs = {"Logits": d.floats((sum(steps), classes), -wide, wide), "Label": values}
        return Sample(inputs, attrs, lods={"Logits": offsets(steps), "Label": offsets(labels)})
    inputs = {
        "Logits": d.floats((max(steps), count, classes), -wide, wide),
        "Label": values,
        "LogitsLength": np.array(steps, "int64"),
        "LabelLength": np.array(labels, "int64"),
    }
    return Sample(inputs, attrs)


CALLS = {"ctc_align": ctc_align, "warpctc": warpctc}
TOLERANCE = (5e-5, 2e-5)
