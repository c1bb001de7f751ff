"""Random calls of losses over classes."""

import numpy as np

from tests.ops.row import Sample


def probabilities(d, shape, axis=-1, dtype="float32"):
    p = d.floats(shape, 0.1, 1.0, "float64")
    return (p / p.sum(axis=axis, keepdims=True)).astype(dtype)


def drawn(d):
    """A shape, a dtype, and the class number that is ignored."""
    s = d.shape(1, 4, 5)
    return s, d.one("float32", "float64"), d.one(-100, -1, d.int(0, s[-1] - 1))


def chosen(d, shape, classes, ignored, some):
    """Class numbers, `some` of them the one that is ignored."""
    label = d.indices(shape, classes, "int64")
    return np.where(d.rng.rand(*shape) < 0.2, ignored, label) if some else label


def cross_entropy(d):
    s, dtype, ignored = drawn(d)
    s = s if len(s) > 1 else s + (d.int(1, 5),)
    x, attrs = probabilities(d, s, dtype=dtype), {"ignore_index": ignored}
    if d.int(0, 2) == 0:
        return Sample({"X": x, "Label": probabilities(d, s, dtype=dtype)}, dict(attrs, soft_label=True))
    label = chosen(d, d.one(s[:-1], s[:-1] + (1,)), s[-1], ignored, True)
    return Sample({"X": x, "Label": label}, attrs, lods=d.maybe_lod("X", s[0]))


def cross_entropy2(d):
    """XShape has no elements: it is not compared."""
    s, dtype, ignored = drawn(d)
    s = s if len(s) > 1 else s + (d.int(1, 5),)
    label = chosen(d, d.one(s[:-1], s[:-1] + (1,)), s[-1], ignored, True)
    inputs = {"X": probabilities(d, s, dtype=dtype), "Label": label}
    return Sample(inputs, {"ignore_index": ignored}, outputs=("Y", "MatchX"), lods=d.maybe_lod("X", s[0]))


def softmax_with_cross_entropy(d):
    """No gradient where a row is ignored: real Paddle's does not pass over it."""
    s, dtype, ignored = drawn(d)
    axis = d.int(-len(s), len(s) - 1)
    x, attrs = d.floats(s, dtype=dtype), {"axis": axis}
    if axis == -1:
        attrs["numeric_stable_mode"] = d.one(True, False)
    if d.int(0, 2) == 0:
        return Sample({"Logits": x, "Label": probabilities(d, s, axis, dtype)}, dict(attrs, soft_label=True))
    some, shape = d.int(0, 2) == 0, list(s)
    shape[axis] = 1
    inputs = {"Logits": x, "Label": chosen(d, shape, s[axis], ignored, some)}
    if some:
        attrs["ignore_index"] = ignored
    return Sample(
        inputs,
        attrs,
        grads=() if some else None,
        lods=d.maybe_lod("Logits", shape[0]) if len(s) > 1 and axis % len(s) else {},
    )


CALLS = {f.__name__: f for f in (cross_entropy, cross_entropy2, softmax_with_cross_entropy)}
