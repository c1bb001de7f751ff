"""Random calls of operators that move whole rows of sequences."""

import numpy as np

from tests.ops.row import Sample
from tests.oracle.draws.sequence.sequence import offsets, ragged


def rows(d, count, low=1):
    """Rows of numbers of one of the dtypes; inner dimensions from `low` on."""
    return d.array((count, *d.shape(low, 2, 3)))


def sequence_expand(d):
    """Each row or sequence of X is repeated; something is left over."""
    times = ragged(d, 4)
    upper = d.int(0, 2) == 0
    below = d.sizes(sum(times), 1, 3) if upper else None
    lod = [offsets(times), offsets(below)] if upper else [offsets(times)]
    lods = {"Y": lod}
    count = len(times)
    if d.int(0, 1):
        lengths = d.sizes(count, 1, 3)
        lods["X"], count = [offsets(lengths)], sum(lengths)
    attrs = {"ref_level": 0 if upper else d.one(-1, 0)}
    return Sample({"X": rows(d, count), "Y": d.floats((lod[-1][-1], 1))}, attrs, lods=lods)


def sequence_expand_as(d):
    times = ragged(d, 4)
    return Sample({"X": rows(d, len(times)), "Y": d.floats((sum(times), 1))}, lods={"Y": [offsets(times)]})


def sequence_concat(d):
    """Two to four inputs, none of them without rows."""
    count, dtype, inner = d.int(1, 4), d.one("float32", "float64", "int32", "int64"), d.shape(1, 2, 3)
    each = [d.sizes(count, 0, 3) for _ in range(d.int(2, 4))]
    each = [lengths if sum(lengths) else [*lengths[:-1], 1] for lengths in each]
    arrays = [d.array((sum(lengths), *inner), dtype) for lengths in each]
    return Sample({"X": arrays}, lods={"X": [[offsets(lengths)] for lengths in each]})


def sequence_slice(d):
    lengths = ragged(d, 5, empty=False)
    starts = [d.int(0, n - 1) for n in lengths]
    counts = [d.int(0, n - a) for n, a in zip(lengths, starts)]
    counts[0] = max(counts[0], 1)
    inputs = {
        "X": rows(d, sum(lengths)),
        "Offset": np.array(starts).reshape(-1, 1),
        "Length": np.array(counts).reshape(-1, 1),
    }
    return Sample(inputs, lods={"X": [offsets(lengths)]})


def sequence_pad(d):
    lengths = ragged(d)
    x = rows(d, sum(lengths))
    value = d.array(x.shape[1:] if d.int(0, 1) else (1,), x.dtype.name)
    length = d.one(-1, max(lengths), max(lengths) + 2)
    return Sample({"X": x, "PadValue": value}, {"padded_length": length}, lods={"X": [offsets(lengths)]}, grads=("X",))


def sequence_unpad(d):
    """Something is left."""
    x = rows(d, d.int(1, 4), low=1)
    lengths = d.sizes(x.shape[0], 0, x.shape[1])
    lengths[0] = max(lengths[0], 1)
    return Sample({"X": x, "Length": np.array(lengths)})


def sequence_reshape(d):
    width, factor = d.int(1, 3), d.int(1, 3)
    lengths = [n * factor for n in ragged(d, 3)]
    new = d.one(width * factor, width, 1)
    return Sample({"X": d.array((sum(lengths), width))}, {"new_dim": new}, lods={"X": [offsets(lengths)]})


def sequence_reverse(d):
    lengths = ragged(d)
    return Sample({"X": rows(d, sum(lengths))}, lods={"X": [offsets(lengths)]})


def lod_reset(d):
    """By the LoD of Y, by its numbers, or by the attribute, which may be appended."""
    lengths = ragged(d)
    x, way = rows(d, sum(lengths)), d.int(0, 3)
    lods = {"X": [offsets(lengths)]} if d.int(0, 1) else {}
    if way == 0:
        return Sample({"X": x, "Y": d.floats((sum(lengths), 1))}, lods={**lods, "Y": d.lod(sum(lengths))}, grads=("X",))
    new = d.lod(sum(lengths))[0]
    if way == 1:
        return Sample({"X": x, "Y": np.array(new, "int32")}, lods=lods, grads=("X",))
    if way == 2 and lods:
        return Sample({"X": x}, {"target_lod": list(range(sum(lengths) + 1)), "append": True}, lods=lods)
    return Sample({"X": x}, {"target_lod": new}, lods=lods)


CALLS = {
    "sequence_expand": sequence_expand, "sequence_expand_as": sequence_expand_as, "sequence_concat": sequence_concat,
    "sequence_slice": sequence_slice, "sequence_pad": sequence_pad, "sequence_unpad": sequence_unpad,
    "sequence_reshape": sequence_reshape, "sequence_reverse": sequence_reverse, "lod_reset": lod_reset,
}  # fmt: skip
