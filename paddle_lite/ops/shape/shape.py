"""Operators that change the shape of an array or the order of its axes, join arrays, and cut pieces out of them.

An `XShape` output is an empty array of shape [0, *shape of X]: it tells the gradient X's shape.
"""

from __future__ import annotations

import builtins
from itertools import accumulate
from operator import itemgetter
from typing import Any

import numpy as np

from ...core.errors import ShapeError, message
from ..framework.fusion import CONCAT, split_parts
from ..framework.spec import MKLDNN, Declaration, Grad, Ints, Required, op
from ..framework.traits import Concat, Reshape, Slice, Split, Stack, Transpose, Unstack
from ..support.meta import Meta
from ..support.scalar_inputs import require_one_integer
from ..support.shape_rules import (
    UNKNOWN,
    axis_of,
    common_shape,
    flattened,
    infer_reshape,
    level_if,
    lod_of_concat,
    lod_of_split,
    lod_of_stack,
    remember,
    remembered,
    requested,
    requested_if_known,
    require_permutation,
    reshape_to,
    reshaped_shape,
    rows_kept,
    settled_as,
    split_sizes,
    squeezed_shape,
    unsqueezed_shape,
)
from ..support.slices import (
    bounds_of_slice,
    dropped_by_slice,
    ends_of_axes,
    infer_taken,
    lod_of_slice,
    scattered,
    taken,
    windows,
)

Span = builtins.slice  # below, `slice` is the operator
QUANTIZER = {"use_quantizer": False}


def back(xp, XShape, dOut):
    """Return the gradient of an operator that keeps the order of the elements."""
    return dOut.reshape(XShape.shape[1:])


def back_like(xp, X, dOut):
    return dOut.reshape(X.shape)


def forth(xp, dOut, ddX):
    """Return the gradient of `back`."""
    return ddX.reshape(dOut.shape)


def of_reshaping():
    """Return the gradient of an operator that keeps the order of the elements and has an XShape output."""
    double = Grad("Out@GRAD# X@GRAD@GRAD", "Out@GRAD@GRAD", forth)
    return Grad("XShape Out@GRAD", "X@GRAD", back, grad=double, view=Reshape("Out@GRAD", "X@GRAD"))


def of_plain_reshaping():
    """Return the gradient of one that has none."""
    return Grad("X# Out@GRAD", "X@GRAD", back_like, grad=Grad("Out@GRAD# X@GRAD@GRAD", "Out@GRAD@GRAD", forth))


# --- reshape ---------------------------------------------------------------------------------------------------------


@op(
    "reshape2",
    inputs="X Shape? ShapeTensor*?",
    outputs="Out XShape~",
    attrs={"shape": Ints([]), **QUANTIZER},
    lod=rows_kept,
    view=Reshape(),
    fed_as="Shape ShapeTensor",
)
class reshape2(Declaration):
    """The elements of X, in the same order, in another shape."""

    def infer(X, Shape, ShapeTensor, *, shape):
        return infer_reshape("reshape2", X, Shape, ShapeTensor, shape), remembered(X)

    def reference(xp, X, Shape, ShapeTensor, *, shape):
        return reshape_to("reshape2", X, requested(shape, Shape, ShapeTensor)), remember(xp, X)

    def settled(X, Shape, ShapeTensor, *, shape):
        return settled_as(reshaped_shape("reshape2", shape, X.shape), X) if Shape is ShapeTensor is None else None

    grad = of_reshaping()


@op(
    "reshape",
    inputs="X Shape? ShapeTensor*?",
    outputs="Out",
    attrs={"shape": Ints([])},
    lod=rows_kept,
    view=Reshape(),
    fed_as="Shape ShapeTensor",
)
class reshape(Declaration):
    """reshape2 without XShape, as older files have it."""

    def infer(X, Shape, ShapeTensor, *, shape):
        return infer_reshape("reshape", X, Shape, ShapeTensor, shape)

    def reference(xp, X, Shape, ShapeTensor, *, shape):
        return reshape_to("reshape", X, requested(shape, Shape, ShapeTensor))

    grad = of_plain_reshaping()


# --- transpose -------------------------------------------------------------------------------------------------------

TRANSPOSE = {"axis": Ints(), **MKLDNN, "data_format": "AnyLayout", **QUANTIZER}


def infer_transpose(where, X, axis):
    require_permutation(where, axis, len(X.shape))
    return Meta(tuple(X.shape[a] for a in axis), X.dtype)


def transposed(xp, X, *, axis):
    if not axis or min(axis) < 0:
        require_permutation("transpose2", axis, X.ndim)
    return X.transpose(axis)


def inverse(axis):
    order = [0] * len(axis)
    for place, a in enumerate(axis):
        order[a] = place
    return order


def untransposed(xp, XShape, dOut, *, axis):
    return dOut.transpose(inverse(axis))


def of_transposing(reads):
    again = Grad("X@GRAD@GRAD", "Out@GRAD@GRAD", transposed)
    view = Transpose(lambda attrs: inverse(attrs["axis"]), "Out@GRAD", "X@GRAD")
    return Grad(f"{reads} Out@GRAD", "X@GRAD", untransposed, grad=again, view=view)


@op("transpose2", inputs="X", outputs="Out XShape~", attrs=TRANSPOSE, lod=None, view=Transpose(itemgetter("axis")))
class transpose2(Declaration):
    """X with its axes in another order: axis i of the result is axis `axis[i]` of X."""

    def infer(X, *, axis):
        return infer_transpose("transpose2", X, axis), remembered(X)._replace(lod_level=0)

    def reference(xp, X, *, axis):
        return transposed(xp, X, axis=axis), remember(xp, X)

    def settled(X, *, axis):
        order, known = tuple(axis), remember(np, X)
        return lambda X: (X.transpose(order), known)

    grad = of_transposing("XShape")


@op("transpose", inputs="X", outputs="Out", attrs=TRANSPOSE, lod=None, view=Transpose(itemgetter("axis")))
class transpose(Declaration):
    """transpose2 without XShape, as older files have it."""

    def infer(X, *, axis):
        return infer_transpose("transpose", X, axis)

    reference = transposed
    grad = of_transposing("X#")


# --- concat, split, stack --------------------------------------------------------------------------------------------


def places(axis, sizes):
    """Return the indices of consecutive pieces of these sizes along an axis."""
    front = (Span(None),) * axis
    return [(*front, Span(e - n, e)) for n, e in zip(sizes, accumulate(sizes), strict=True)]


def pieces(array, axis, sizes):
    """Return views of consecutive pieces of these sizes along an axis."""
    return [array[each] for each in places(axis, sizes)]


@op(
    "concat",
    inputs="X* AxisTensor?",
    outputs="Out",
    attrs={**MKLDNN, "axis": 0, **QUANTIZER},
    lod=lod_of_concat,
    flops=0,
    algebra=Concat(),
    fuses=CONCAT,
)
class concat(Declaration):
    """The concatenation of the arrays of X along an axis."""

    def infer(X, AxisTensor, *, axis):
        if AxisTensor is not None:
            require_one_integer("concat", "AxisTensor", AxisTensor)
            axis = None
        if axis is None:
            return Meta((UNKNOWN,) * len(X[0].shape), X[0].dtype, X[0].lod_level)
        axis = axis_of("concat", axis, len(X[0].shape))
        out = common_shape("concat", X, axis)
        along = [m.shape[axis] for m in X]
        out[axis] = UNKNOWN if UNKNOWN in along else sum(along)
        return Meta(tuple(out), X[0].dtype, X[0].lod_level)

    def reference(xp, X, AxisTensor=None, *, axis):
        if AxisTensor is not None:
            axis = axis_of("concat", AxisTensor.item(), X[0].ndim)
            common_shape("concat", X, axis)
        return xp.concatenate(X, axis)

    def settled(X, AxisTensor, *, axis):
        return (lambda X: np.concatenate(X, axis)) if AxisTensor is None else None

    def gradient(xp, X, AxisTensor, dOut, *, axis):
        axis = requested([axis], AxisTensor)[0] % dOut.ndim
        return pieces(dOut, axis, [x.shape[axis] for x in X])

    def double(xp, AxisTensor, ddX, *, axis):
        return xp.concatenate(ddX, requested([axis], AxisTensor)[0])

    again = Grad("AxisTensor X@GRAD@GRAD", "Out@GRAD@GRAD", double)
    parts = split_parts("Out@GRAD", "X@GRAD", "X", "AxisTensor")
    grad = Grad("X# AxisTensor Out@GRAD", "X@GRAD", gradient, grad=again, fuses=parts)


@op(
    "split",
    inputs="X AxisTensor? SectionsTensorList*?",
    outputs="Out*",
    attrs={"sections": Ints([]), "num": 0, "axis": 0},
    lod=lod_of_split,
    flops=0,
    algebra=Split(),
    fuses=split_parts("X", "Out", "Out", "AxisTensor SectionsTensorList"),
    fed_as="SectionsTensorList",
)
class split(Declaration):
    """X cut along an axis into `num` equal parts, or into parts of the sizes in `sections`."""

    def infer(X, AxisTensor, SectionsTensorList, *, sections, num, axis):
        sections = requested_if_known("split", sections, SectionsTensorList=SectionsTensorList)
        if AxisTensor is not None:
            require_one_integer("split", "AxisTensor", AxisTensor)
            axis = None
        if axis is None:
            return ([Meta((UNKNOWN,) * len(X.shape), X.dtype, X.lod_level)] * (len(sections) or num),)
        axis = axis_of("split", axis, len(X.shape))
        sizes = split_sizes("split", X.shape[axis], num, sections)
        level = level_if(axis != 0, X)
        return ([Meta((*X.shape[:axis], n, *X.shape[axis + 1 :]), X.dtype, level) for n in sizes],)

    def reference(xp, X, AxisTensor, SectionsTensorList, *, sections, num, axis):
        axis = axis_of("split", requested([axis], AxisTensor)[0], X.ndim)
        return pieces(X, axis, split_sizes("split", X.shape[axis], num, requested(sections, None, SectionsTensorList)))

    def settled(X, AxisTensor, SectionsTensorList, *, sections, num, axis):
        if AxisTensor is not None or SectionsTensorList is not None:
            return None
        axis = axis_of("split", axis, X.ndim)
        indices = places(axis, split_sizes("split", X.shape[axis], num, sections))
        return lambda X: [X[each] for each in indices]

    grad = Grad("Out@GRAD AxisTensor", "X@GRAD", via="concat", attrs=lambda a: {"axis": a["axis"]})


@op("stack", inputs="X*", outputs="Y", attrs={"axis": 0}, lod=lod_of_stack, flops=0, algebra=Stack())
class stack(Declaration):
    """The arrays of X, all of one shape, side by side along a new axis."""

    def infer(X, *, axis):
        axis = axis_of("stack", axis, len(X[0].shape) + 1)
        common = common_shape("stack", X)
        return Meta((*common[:axis], len(X), *common[axis:]), X[0].dtype, level_if(axis != 0, X[0]))

    def reference(xp, X, *, axis):
        return xp.stack(X, axis)

    def settled(X, *, axis):
        axis %= X[0].ndim + 1
        shape = (*X[0].shape[:axis], 1, *X[0].shape[axis:])
        return lambda X: np.concatenate([each.reshape(shape) for each in X], axis)

    def gradient(xp, dY, *, axis):
        return list(xp.moveaxis(dY, axis, 0))

    def double(xp, ddX, *, axis):
        return xp.stack(ddX, axis)

    again = Grad("X@GRAD@GRAD", "Y@GRAD@GRAD", double)
    grad = Grad("Y@GRAD", "X@GRAD", gradient, grad=again, view=Unstack("Y@GRAD", "X@GRAD"))


@op("unstack", inputs="X", outputs="Y*", attrs={"axis": 0, "num": Required("INT")}, lod=None, view=Unstack("X", "Y"))
class unstack(Declaration):
    """The slices of X along an axis, without that axis; `num` says how many there are."""

    def infer(X, *, axis, num):
        axis = axis_of("unstack", axis, len(X.shape))
        if num < 1 or X.shape[axis] not in (num, UNKNOWN):
            raise ShapeError(message("unstack", "attribute 'num'", num, f"{X.shape[axis]}, the size of axis {axis}"))
        return ([Meta((*X.shape[:axis], *X.shape[axis + 1 :]), X.dtype)] * num,)

    def reference(xp, X, *, axis, num):
        return list(xp.moveaxis(X, axis, 0))

    def settled(X, *, axis, num):
        order = (axis % X.ndim, *(a for a in range(X.ndim) if a != axis % X.ndim))
        return lambda X: list(X.transpose(order))

    def gradient(xp, dY, *, axis):
        return xp.stack(dY, axis)

    def double(xp, ddX, *, axis):
        return list(xp.moveaxis(ddX, axis, 0))

    grad = Grad("Y@GRAD", "X@GRAD", gradient, grad=Grad("X@GRAD@GRAD", "Y@GRAD@GRAD", double))


# --- axes of size 1 --------------------------------------------------------------------------------------------------


def infer_squeeze(where, X, axes):
    dims = squeezed_shape(where, axes, X.shape)
    kept = X.shape[:1] != (1,) if len(axes) == 0 else all(a % len(X.shape) != 0 for a in axes)
    return Meta(tuple(dims), X.dtype, level_if(kept, X))


@op("squeeze2", inputs="X", outputs="Out XShape~", attrs={"axes": Ints([])}, lod=rows_kept, view=Reshape())
class squeeze2(Declaration):
    """X without the given axes, which have size 1; without all axes of size 1 if none is given."""

    def infer(X, *, axes):
        return infer_squeeze("squeeze2", X, axes), remembered(X)

    def reference(xp, X, *, axes):
        return X.reshape(squeezed_shape("squeeze2", axes, X.shape)), remember(xp, X)

    def settled(X, *, axes):
        return settled_as(squeezed_shape("squeeze2", axes, X.shape), X)

    grad = of_reshaping()


@op("squeeze", inputs="X", outputs="Out", attrs={"axes": Ints([])}, lod=rows_kept, view=Reshape())
class squeeze(Declaration):
    """squeeze2 without XShape, as older files have it."""

    def infer(X, *, axes):
        return infer_squeeze("squeeze", X, axes)

    def reference(xp, X, *, axes):
        return X.reshape(squeezed_shape("squeeze", axes, X.shape))

    grad = of_plain_reshaping()


def infer_unsqueeze(where, X, axes, tensor, tensors):
    said = requested_if_known(where, axes, AxesTensor=tensor, AxesTensorList=tensors)
    if None in said:
        return Meta((UNKNOWN,) * (len(X.shape) + len(said)), X.dtype)
    dims = unsqueezed_shape(where, said, X.shape)
    return Meta(tuple(dims), X.dtype, level_if(dims[:1] == [*X.shape[:1]] and 0 not in said, X))


UNSQUEEZE = "X AxesTensor? AxesTensorList*?"
UNSQUEEZING: dict[str, Any] = {
    "attrs": {"axes": Ints([])},
    "lod": rows_kept,
    "view": Reshape(),
    "fed_as": "AxesTensor AxesTensorList",
}


@op("unsqueeze2", inputs=UNSQUEEZE, outputs="Out XShape~", **UNSQUEEZING)
class unsqueeze2(Declaration):
    """X with axes of size 1 inserted, one after the other in the given order."""

    def infer(X, AxesTensor, AxesTensorList, *, axes):
        return infer_unsqueeze("unsqueeze2", X, axes, AxesTensor, AxesTensorList), remembered(X)

    def reference(xp, X, AxesTensor, AxesTensorList, *, axes):
        return X.reshape(
            unsqueezed_shape("unsqueeze2", requested(axes, AxesTensor, AxesTensorList), X.shape)
        ), remember(xp, X)

    def settled(X, AxesTensor, AxesTensorList, *, axes):
        known = AxesTensor is AxesTensorList is None
        return settled_as(unsqueezed_shape("unsqueeze2", axes, X.shape), X) if known else None

    grad = of_reshaping()


@op("unsqueeze", inputs=UNSQUEEZE, outputs="Out", **UNSQUEEZING)
class unsqueeze(Declaration):
    """unsqueeze2 without XShape, as older files have it."""

    def infer(X, AxesTensor, AxesTensorList, *, axes):
        return infer_unsqueeze("unsqueeze", X, axes, AxesTensor, AxesTensorList)

    def reference(xp, X, AxesTensor, AxesTensorList, *, axes):
        return X.reshape(unsqueezed_shape("unsqueeze", requested(axes, AxesTensor, AxesTensorList), X.shape))

    grad = of_plain_reshaping()


def infer_flatten(where, X, axis):
    kept = axis > 0 and all(n == 1 for n in X.shape[1:axis])
    return Meta(flattened(where, X.shape, axis), X.dtype, level_if(kept, X))


@op("flatten2", inputs="X", outputs="Out XShape~", attrs={"axis": 1}, lod=rows_kept, view=Reshape())
class flatten2(Declaration):
    """X as a matrix: the axes before `axis` become rows, the others columns."""

    def infer(X, *, axis):
        return infer_flatten("flatten2", X, axis), remembered(X)

    def reference(xp, X, *, axis):
        return X.reshape(flattened("flatten2", X.shape, axis)), remember(xp, X)

    def settled(X, *, axis):
        return settled_as(flattened("flatten2", X.shape, axis), X)

    grad = of_reshaping()


@op("flatten", inputs="X", outputs="Out", attrs={"axis": 1}, lod=rows_kept, view=Reshape())
class flatten(Declaration):
    """flatten2 without XShape, as older files have it."""

    def infer(X, *, axis):
        return infer_flatten("flatten", X, axis)

    def reference(xp, X, *, axis):
        return X.reshape(flattened("flatten", X.shape, axis))

    grad = of_plain_reshaping()


# --- slices ----------------------------------------------------------------------------------------------------------


BOUNDS = "StartsTensor? EndsTensor? StartsTensorList*? EndsTensorList*?"
SLICE = {"axes": Ints(), "starts": Ints([]), "ends": Ints([]), "infer_flags": Ints([]), "decrease_axis": Ints([])}


@op(
    "slice",
    inputs=f"Input {BOUNDS}",
    outputs="Out",
    attrs=SLICE,
    lod=lod_of_slice,
    view=Slice(bounds_of_slice, dropped_by_slice, "Input"),
    gathers="Input",
    fed_as="StartsTensor EndsTensor StartsTensorList EndsTensorList",
)
class slice(Declaration):
    """start:end of each of `axes` of Input, negative numbers counted from the end; without the axes in `decrease_axis`."""

    def infer(Input, Starts, Ends, StartsList, EndsList, *, axes, starts, ends, infer_flags, decrease_axis):
        where = "slice"
        bounds = (
            requested_if_known(where, starts, StartsTensor=Starts, StartsTensorList=StartsList),
            requested_if_known(where, ends, EndsTensor=Ends, EndsTensorList=EndsList),
        )
        return infer_taken(where, Input, axes, bounds, infer_flags, decrease_axis)

    def reference(xp, Input, Starts, Ends, StartsList, EndsList, *, axes, starts, ends, infer_flags, decrease_axis):
        return taken(
            "slice",
            Input,
            axes,
            (requested(starts, Starts, StartsList), requested(ends, Ends, EndsList)),
            decrease_axis,
        )

    def settled(Input, Starts, Ends, StartsList, EndsList, *, axes, starts, ends, infer_flags, decrease_axis):
        if not (Starts is Ends is StartsList is EndsList is None):
            return None
        out = taken("slice", Input, axes, (starts, ends), decrease_axis)
        index, shape = windows(Input.ndim, axes, starts, ends_of_axes(axes, starts, ends, decrease_axis)), out.shape
        return (lambda Input: Input[index].reshape(shape)) if decrease_axis else lambda Input: Input[index]

    def gradient(xp, Input, Starts, Ends, StartsList, EndsList, dOut, *, axes, starts, ends, decrease_axis):
        starts, ends = requested(starts, Starts, StartsList), requested(ends, Ends, EndsList)
        ends = ends_of_axes(axes, starts, ends, decrease_axis)
        return scattered(xp, Input, windows(len(Input.shape), axes, starts, ends), dOut)

    def double(xp, Starts, Ends, StartsList, EndsList, dOut, ddX, *, axes, starts, ends, decrease_axis):
        starts, ends = requested(starts, Starts, StartsList), requested(ends, Ends, EndsList)
        ends = ends_of_axes(axes, starts, ends, decrease_axis)
        return ddX[windows(ddX.ndim, axes, starts, ends)].reshape(dOut.shape)

    grad = Grad(f"Input# {BOUNDS} Out@GRAD", "Input@GRAD", gradient,
                grad=Grad(f"{BOUNDS} Out@GRAD# Input@GRAD@GRAD", "Out@GRAD@GRAD", double))  # fmt: skip


STRIDES = "StartsTensor? EndsTensor? StridesTensor? StartsTensorList*? EndsTensorList*? StridesTensorList*?"


@op(
    "strided_slice",
    inputs=f"Input {STRIDES}",
    outputs="Out",
    attrs={**SLICE, "strides": Ints([])},
    lod=lod_of_slice,
    flops=0,
    gathers="Input",
)
class strided_slice(Declaration):
    """start:end:stride of each of `axes` of Input, as Python slices a sequence: a negative stride goes backwards."""

    def infer(Input, S, E, D, SList, EList, DList, *, axes, starts, ends, strides, infer_flags, decrease_axis):
        where = "strided_slice"
        bounds = (
            requested_if_known(where, starts, StartsTensor=S, StartsTensorList=SList),
            requested_if_known(where, ends, EndsTensor=E, EndsTensorList=EList),
            requested_if_known(where, strides, StridesTensor=D, StridesTensorList=DList),
        )
        return infer_taken(where, Input, axes, bounds, infer_flags, decrease_axis)

    def reference(xp, Input, S, E, D, SList, EList, DList, *, axes, starts, ends, strides, infer_flags, decrease_axis):
        bounds = requested(starts, S, SList), requested(ends, E, EList), requested(strides, D, DList)
        return taken("strided_slice", Input, axes, bounds, decrease_axis)

    def gradient(xp, Input, S, E, D, SList, EList, DList, dOut, *, axes, starts, ends, strides, decrease_axis):
        starts, ends = requested(starts, S, SList), requested(ends, E, EList)
        strides, ends = requested(strides, D, DList), ends_of_axes(axes, starts, ends, decrease_axis)
        return scattered(xp, Input, windows(len(Input.shape), axes, starts, ends, strides), dOut)

    grad = Grad(f"Input# {STRIDES} Out@GRAD", "Input@GRAD", gradient)


# --- shape, size -----------------------------------------------------------------------------------------------------


@op("shape", inputs="Input", outputs="Out", lod=None, flops=0, speculatable=True)
class shape(Declaration):
    """The size of each dimension of Input, int32."""

    def infer(Input):
        return Meta((len(Input.shape),), np.dtype("int32"))

    def reference(xp, Input):
        return xp.asarray(Input.shape, "int32")


@op("size", inputs="Input", outputs="Out", lod=None, flops=0)
class size(Declaration):
    """The number of elements of Input, int64 [1]."""

    def infer(Input):
        return Meta((1,), np.dtype("int64"))

    def reference(xp, Input):
        return xp.asarray([Input.size], "int64")
