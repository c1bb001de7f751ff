"""Calls with one input of another shape or dtype than the operator needs. Runs on Python 3.7 too, and damages the same there."""

import numpy as np

from tests.ops.row import Sample


def of_row(row):
    """[(number of the sample, what was done, Sample)]: each damage once for all samples with the same inputs given."""
    found, seen = [], set()
    for i, sample in enumerate(row.samples):
        given = frozenset(slot for slot, value in sample.inputs.items() if value is not None)
        for what, changed in damaged(sample):
            if (given, what) not in seen:
                seen.add((given, what))
                found.append((i, what, changed))
    return found


def damaged(sample):
    """[(what was done, Sample)]: each has one array of the sample changed in one way."""
    found = []
    for slot in sorted(sample.inputs):
        value = sample.inputs[slot]
        many = isinstance(value, (list, tuple))
        for i, array in enumerate(value if many else [value]):
            if not isinstance(array, np.ndarray):
                continue
            where = f"{slot}.{i}" if many else slot
            for what, other in changes(array):
                inputs = dict(sample.inputs)
                inputs[slot] = [other if j == i else a for j, a in enumerate(value)] if many else other
                changed = Sample(inputs, sample.attrs, sample.outputs, (), lods=sample.lods, counts=sample.counts)
                found.append((where + " " + what, changed))
    return found


def changes(array):
    """[(what was done, array)]: a dimension longer by one, of size 1, a rank lower and higher, another dtype."""
    found = []
    for axis, size in enumerate(array.shape):
        if size:
            found.append((f"longer in {axis}", array.take([*range(size), size - 1], axis)))
        if size > 1:
            found.append((f"of size 1 in {axis}", array.take([0], axis)))
    if array.ndim and len(array):
        found.append(("of lower rank", array[0] if array.ndim > 1 else array[0].reshape(())))
    found.append(("of higher rank", array[None]))
    kinds = {"f": ["int64", "float64" if array.dtype == np.float32 else "float32"], "i": ["float32"], "b": ["float32"]}
    found += [
        ("as " + name, np.nan_to_num(array).clip(-99, 99).astype(name)) for name in kinds.get(array.dtype.kind, [])
    ]
    return [(what, np.ascontiguousarray(other).reshape(other.shape)) for what, other in found]
