"""Random calls of operators of shapes: reshaping, transposing, joining, cutting, repeating."""

import numpy as np

from tests.ops.row import Sample


def ints(*values):
    return np.array(values, "int32")


def several(values):
    """One array of one element for each number."""
    return [ints(v) for v in values]


def lods(d, x):
    return d.maybe_lod("X", len(x)) if x.ndim > 1 else {}


def reshape(d):
    """To dimensions in another order, some joined; one is -1, or 0 for the same as before."""
    x = d.array(d.shape())
    s = [x.shape[i] for i in d.order(x.ndim)]
    if len(s) > 1 and d.int(0, 1):
        s = [s[0] * s[1], *s[2:]]
    s = s + [1] * d.int(0, 1)
    named = [0 if i < x.ndim and x.shape[i] == n and d.int(0, 1) else n for i, n in enumerate(s)]
    if d.int(0, 1):
        named[d.int(0, len(s) - 1)] = -1
    how = d.one("attribute", "attribute", "Shape")
    if how == "Shape":
        return Sample({"X": x, "Shape": ints(*s)}, {"shape": named})
    return Sample({"X": x}, {"shape": named}, lods=lods(d, x))


def reshape2(d):
    """By a list of numbers too: `reshape` has no gradient then."""
    if d.int(0, 3):
        return reshape(d)
    x = d.array(d.shape())
    s = [x.shape[i] for i in d.order(x.ndim)]
    return Sample({"X": x, "ShapeTensor": several(s)}, {"shape": [-1] * len(s)})


def transpose(d, dtype=None):
    x = d.array(d.shape(1, 6), dtype)
    return Sample({"X": x}, {"axis": d.order(x.ndim)}, lods=lods(d, x))


def concat(d):
    s, dtype = list(d.shape()), d.one("float32", "float64", "int32", "int64")
    axis = d.int(0, len(s) - 1)
    parts = [d.array(s[:axis] + [d.int(1, 4)] + s[axis + 1 :], dtype) for _ in range(d.int(1, 4))]
    if d.int(0, 4) == 0:
        return Sample({"X": parts, "AxisTensor": ints(axis)}, {"axis": 0})
    lods = d.maybe_lod("X", s[0]) if axis else {}
    return Sample({"X": parts}, {"axis": axis - len(s) * d.int(0, 1)}, lods=lods)


def split(d):
    """Not by a negative axis, which real Paddle takes for a large one."""
    s = list(d.shape())
    axis, named = d.int(0, len(s) - 1), d.int(0, 2)
    sections = d.sizes(d.int(1, 4), 1, 3) if named else [d.int(1, 3)] * d.int(1, 4)
    s[axis] = sum(sections)
    inputs, attrs = {"X": d.array(s)}, {"axis": axis}
    if d.int(0, 4) == 0:
        inputs["AxisTensor"], attrs["axis"] = ints(axis), 0
    counts = {"Out": len(sections)}
    if not named:
        return Sample(inputs, dict(attrs, num=len(sections)), counts=counts)
    if d.int(0, 1):
        inputs["SectionsTensorList"], sections = several(sections), [-1] * len(sections)
    elif d.int(0, 1):
        sections[d.int(0, len(sections) - 1)] = -1
    return Sample(inputs, dict(attrs, sections=sections), counts=counts)


def unstack(d):
    x = d.array(d.shape())
    axis = d.int(-x.ndim, x.ndim - 1)
    return Sample({"X": x}, {"axis": axis, "num": x.shape[axis]}, counts={"Y": x.shape[axis]})


def stack(d):
    s, dtype = d.shape(1, 4, 3), d.one("float32", "float64", "int32", "int64")
    parts = [d.array(s, dtype) for _ in range(d.int(1, 4))]
    return Sample({"X": parts}, {"axis": d.int(-len(s) - 1, len(s))})


def squeeze(d):
    s = [d.one(1, 1, 2, 3) for _ in range(d.int(1, 5))]
    ones = [i - len(s) * d.int(0, 1) for i, n in enumerate(s) if n == 1]
    x = d.array(s)
    return Sample({"X": x}, {"axes": ones[: d.int(0, len(ones))] if max(s) > 1 else ones[:1]}, lods=lods(d, x))


def unsqueeze(d):
    x = d.array(d.shape(1, 3))
    axes, rank = [], x.ndim
    for _ in range(d.int(1, 3)):
        axes.append(d.int(-rank - 1, rank))
        rank += 1
    if d.int(0, 4) == 0:
        return Sample({"X": x, "AxesTensorList": several(axes)})
    return Sample({"X": x}, {"axes": axes}, lods=lods(d, x))


def flatten(d):
    x = d.array(d.shape(1, 5))
    return Sample({"X": x}, {"axis": d.int(0, x.ndim)}, lods=lods(d, x))


def cut(d, size):
    """(start, end) of at least one of `size`, either counted from the end, or beyond it."""
    start = d.int(0, size - 1)
    end = d.int(start + 1, size)
    beyond = end + d.int(1, 5) if end == size else end
    return d.one(start, start - size), d.one(end if end == size else end - size, end, beyond)


def cutting(d):
    x = d.array(d.shape())
    axes = sorted(d.some(x.ndim))
    pairs = [cut(d, x.shape[a]) for a in axes]
    return x, axes, [p[0] for p in pairs], [p[1] for p in pairs]


def sliced(d):
    x, axes, starts, ends = cutting(d)
    attrs = {"axes": axes, "starts": starts, "ends": ends}
    how = d.one("attribute", "attribute", "attribute", "tensor", "list")
    if how == "attribute":
        gone = [a for a, s in zip(axes, starts) if d.int(0, 1) and _one(x.shape[a], s, ends[axes.index(a)])]
        attrs.update({"decrease_axis": gone} if gone else {})
        return Sample({"Input": x}, attrs, lods=d.maybe_lod("Input", len(x)) if 0 not in axes and x.ndim > 1 else {})
    return Sample(dict({"Input": x}, **by_tensors(how, starts, ends)), open_(attrs))


def _one(size, start, end):
    """Whether one is left."""
    return len(range(size)[start:end]) == 1


def by_tensors(how, starts, ends):
    if how == "tensor":
        return {"StartsTensor": ints(*starts), "EndsTensor": ints(*ends)}
    return {"StartsTensorList": several(starts), "EndsTensorList": several(ends)}


def open_(attrs):
    """The same with starts and ends that come as tensors."""
    unknown = [-1] * len(attrs["axes"])
    return dict(attrs, starts=unknown, ends=unknown, infer_flags=unknown)


def strided_slice(d):
    """No gradient where dimensions go away: real Paddle has none. Backwards only by 1: by more real Paddle takes the
    wrong elements where the stride does not divide the length."""
    x, axes, starts, ends = cutting(d)
    strides = d.sizes(len(axes), 1, 3)
    for i, a in enumerate(axes):
        if d.int(0, 3) == 0:
            first = d.int(0, x.shape[a] - 1)
            starts[i], ends[i], strides[i] = first, d.int(-1, first - 1), -1
            ends[i] = ends[i] if ends[i] >= 0 else -x.shape[a] - 1
    attrs = {"axes": axes, "starts": starts, "ends": ends, "strides": strides, "infer_flags": [1] * len(axes)}
    how = d.one("attribute", "attribute", "attribute", "tensor", "list")
    if how == "attribute":
        gone = [
            a for a, s, e, by in zip(axes, starts, ends, strides) if d.int(0, 1) and by > 0 and _one(x.shape[a], s, e)
        ]
        attrs.update({"decrease_axis": gone} if gone else {})
        lods = d.maybe_lod("Input", len(x)) if 0 not in axes and x.ndim > 1 else {}
        return Sample({"Input": x}, attrs, lods=lods, grads=() if gone else None)
    inputs = dict({"Input": x}, **by_tensors(how, starts, ends))
    if how == "tensor" and d.int(0, 1):
        inputs["StridesTensor"] = ints(*strides)
    elif how == "list" and d.int(0, 1):
        inputs["StridesTensorList"] = several(strides)
    return Sample(inputs, open_(attrs))


def expand(d):
    x = d.array(d.shape(1, 5, 3))
    times = d.sizes(x.ndim, 1, 3)
    how = d.one("attribute", "attribute", "attribute", "ExpandTimes", "expand_times_tensor")
    if how == "attribute":
        return Sample({"X": x}, {"expand_times": times}, lods=lods(d, x) if times[0] == 1 else {})
    given = ints(*times) if how == "ExpandTimes" else several(times)
    return Sample({"X": x, how: given}, {"expand_times": [-1] * x.ndim})


def shape(d):
    return Sample({"Input": d.array(d.shape(1, 6))})


def size(d):
    s = d.shape(1, 5)
    return Sample({"Input": d.array(s if d.int(0, 5) else (0,) + s[1:], d.one("float32", "float64", "int32"))})


CALLS = {f.__name__: f for f in (concat, split, unstack, stack, strided_slice, expand, shape, size)}
CALLS.update(slice=sliced, reshape=reshape, reshape2=reshape2)
CALLS.update(transpose2=transpose, transpose=lambda d: transpose(d, d.one("float32", "float64")))
for name, call in (("squeeze", squeeze), ("unsqueeze", unsqueeze), ("flatten", flatten)):
    CALLS.update({name: call, name + "2": call})
