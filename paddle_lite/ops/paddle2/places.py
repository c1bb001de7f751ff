"""Operators newer than PaddlePaddle 1.8.5 that write, take and rearrange elements.

Slots, attributes and results are those of PaddlePaddle 2.6.2.
"""

from __future__ import annotations

from typing import Any

from ...core.dtype import VarType, to_numpy
from ...core.errors import ArgumentValueError, IndexRangeError, ShapeError, message
from ...core.indexed import add_at
from ..framework.spec import Declaration, Floats, Grad, Ints, Longs, Required, op
from ..support.meta import Meta
from ..support.require import require_floats
from ..support.scalar_inputs import require_integer_numbers
from ..support.shape_rules import UNKNOWN, axis_of, requested
from ..support.slices import windows
from ..support.windows import scatter_windows
from ..support.windows import windows as sliding
from ..vision.channels import over, require_image, require_multiple, require_positive, times
from ..vision.patches import both_ways, check_windows, window_counts
from .manipulation import summed_to

# --- writing a part ---------------------------------------------------------------------------------------------------------

BOUNDS = "StartsTensorList*? EndsTensorList*? StepsTensorList*?"


def part(rank: int, axes: Any, starts: Any, ends: Any, steps: Any) -> Any:
    """Return what selects the part of an array that is written."""
    return windows(rank, axes, starts, ends, steps or [1] * len(starts))


def shown(shape: Any, decrease_axes: Any, none_axes: Any) -> list[int]:
    """Return the shape that a value is broadcast to: that of the part as Python's index shows it."""
    dims = [n for i, n in enumerate(shape) if i not in decrease_axes]
    for axis in sorted(none_axes):
        dims.insert(axis, 1)
    return dims


def require_rows(shape: Any, decrease_axes: Any) -> None:
    """Raise unless a part has one place along each axis that a number selects."""
    for axis in decrease_axes:
        if shape[axis] != 1:
            raise IndexRangeError(message("set_value", f"the place along axis {axis}", f"{shape[axis]} of them", "one"))


def fitting(value: Any, dims: list[int]) -> Any:
    """Return a value without leading dimensions of 1 beyond those that it is broadcast to."""
    more = max(value.ndim - len(dims), 0)
    if any(n != 1 for n in value.shape[:more]) or any(
        n not in (1, m) for n, m in zip(value.shape[more:][::-1], dims[::-1], strict=False)
    ):
        needs = f"one that is broadcast to the part, {dims}"
        raise ShapeError(message("set_value", "the value", f"shape {list(value.shape)}", needs))
    return value.reshape(value.shape[more:])


@op(
    "set_value",
    inputs=f"Input ValueTensor? {BOUNDS}",
    outputs="Out",
    attrs={
        "dtype": int(VarType.FP32), "axes": Longs([]), "starts": Longs([]), "ends": Longs([]), "steps": Longs([]),
        "decrease_axes": Longs([]), "none_axes": Longs([]), "shape": Longs([]), "values": Floats([]), "bool_values": Ints([]),
        "int32_values": Ints([]), "int64_values": Longs([]), "fp32_values": Floats([]), "fp64_values": Floats([]),
        "fp16_values": Floats([]),
    },
)  # fmt: skip
class set_value(Declaration):
    """Out = Input with a value in the place of Input[starts:ends:steps] along `axes`: what `x[:, 0] = value` means."""

    def infer(Input, ValueTensor, Starts, Ends, Steps, **_):
        if ValueTensor is not None and ValueTensor.dtype != Input.dtype:
            needs = f"{Input.dtype}, the dtype of Input"
            raise ArgumentValueError(message("set_value", "Input(ValueTensor)", f"dtype {ValueTensor.dtype}", needs))
        return Input

    def reference(
        xp, Input, ValueTensor, Starts, Ends, Steps, *, dtype, axes, starts, ends, steps, decrease_axes, none_axes, shape,
        values, bool_values, int32_values, int64_values, fp32_values, fp64_values, fp16_values,
    ):  # fmt: skip
        bounds = requested(starts, None, Starts), requested(ends, None, Ends), requested(steps, None, Steps)
        out, where = Input.copy(), part(Input.ndim, axes, *bounds)
        value = ValueTensor
        if value is None:
            each = (values, bool_values, int32_values, int64_values, fp32_values, fp64_values, fp16_values)
            found = next((list(v) for v in each if len(v)), [])
            value = xp.array(found, to_numpy(dtype)).reshape(shape).astype(Input.dtype)
        require_rows(out[where].shape, decrease_axes)
        dims = shown(out[where].shape, decrease_axes, none_axes)
        out[where] = xp.broadcast_to(fitting(value, dims), dims).reshape(out[where].shape)
        return out

    def gradient(
        xp, ValueTensor, Starts, Ends, Steps, dOut, *, axes, starts, ends, steps, decrease_axes, none_axes,
        need=(True, True),
    ):  # fmt: skip
        bounds = requested(starts, None, Starts), requested(ends, None, Ends), requested(steps, None, Steps)
        where = part(dOut.ndim, axes, *bounds)
        dinput = dvalue = None
        if need[0]:
            dinput = dOut.copy()
            dinput[where] = 0
        if need[1] and ValueTensor is not None:
            pulled = dOut[where]
            dims = shown(pulled.shape, decrease_axes, none_axes)
            short = ValueTensor.shape[max(len(ValueTensor.shape) - len(dims), 0) :]
            dvalue = summed_to(xp, pulled.reshape(dims), short).reshape(ValueTensor.shape)
        return dinput, dvalue

    grad = Grad(f"ValueTensor?# {BOUNDS} Out@GRAD", "Input@GRAD ValueTensor@GRAD", gradient)


# --- along an axis ------------------------------------------------------------------------------------------------------------


def along(xp: Any, Index: Any, axis: int) -> tuple:
    """Return a NumPy index that takes, at each place of Index, the element of that number along an axis."""
    places = [xp.arange(n).reshape([-1 if i == k else 1 for k in range(Index.ndim)]) for i, n in enumerate(Index.shape)]
    places[axis] = Index
    return tuple(places)


def require_index(where: str, Input: Any, Index: Any, axis: int) -> None:
    """Raise unless Index has the rank of Input, and beside an axis no more elements."""
    fits = len(Index.shape) == len(Input.shape) and all(
        i == axis or UNKNOWN in (n, m) or n <= m for i, (n, m) in enumerate(zip(Index.shape, Input.shape, strict=True))
    )
    if not fits:
        needs = f"the rank of Input, and no more elements than it has beside axis {axis}: {list(Input.shape)}"
        raise ShapeError(message(where, "Input(Index)", f"shape {list(Index.shape)}", needs))


@op("take_along_axis", inputs="Input Index", outputs="Result", attrs={"Axis": 0}, lod=None, flops=0)
class take_along_axis(Declaration):
    """Take the element Index[..., i, ...] along an axis of Input for each place of Index."""

    def infer(Input, Index, *, Axis):
        axis = axis_of("take_along_axis", Axis, len(Input.shape), "Axis")
        require_integer_numbers("take_along_axis", "Index", Index)
        require_index("take_along_axis", Input, Index, axis)
        return Meta(tuple(Index.shape), Input.dtype)

    def reference(xp, Input, Index, *, Axis):
        axis = Axis % Input.ndim
        if Index.size and not (0 <= int(Index.min()) and int(Index.max()) < Input.shape[axis]):
            got = f"{int(Index.min())} to {int(Index.max())}"
            needs = f"0 to {Input.shape[axis] - 1}, places of axis {axis}"
            raise ArgumentValueError(message("take_along_axis", "Input(Index)", got, needs))
        return Input[along(xp, Index, axis)]

    def gradient(xp, Input, Index, dResult, *, Axis):
        dx = xp.zeros(Input.shape, dResult.dtype)
        add_at(xp, dx, along(xp, Index, Axis % len(Input.shape)), dResult)
        return dx

    grad = Grad("Input# Index Result@GRAD", "Input@GRAD", gradient)


@op("diagonal", inputs="Input", outputs="Out", attrs={"offset": 0, "axis1": 0, "axis2": 1}, lod=None, flops=0)
class diagonal(Declaration):
    """Return the diagonals of the matrices that two axes of Input span, as the last dimension of Out."""

    def infer(Input, *, offset, axis1, axis2):
        rank = len(Input.shape)
        axes = [axis_of("diagonal", a, rank, name) for a, name in ((axis1, "axis1"), (axis2, "axis2"))]
        if axes[0] == axes[1]:
            raise ArgumentValueError(message("diagonal", "attribute 'axis2'", axis2, "another axis than axis1"))
        rows, columns = (Input.shape[a] for a in axes)
        length = UNKNOWN if UNKNOWN in (rows, columns) else max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
        return Meta((*(n for i, n in enumerate(Input.shape) if i not in axes), length), Input.dtype)

    def reference(xp, Input, *, offset, axis1, axis2):
        return xp.ascontiguousarray(xp.diagonal(Input, offset, axis1, axis2))

    def gradient(xp, Input, dOut, *, offset, axis1, axis2):
        dx = xp.zeros(Input.shape, dOut.dtype)
        turned = xp.moveaxis(dx, (axis1, axis2), (-2, -1))
        at = xp.arange(dOut.shape[-1])
        turned[..., at - min(offset, 0), at + max(offset, 0)] = dOut
        return dx

    grad = Grad("Input# Out@GRAD", "Input@GRAD", gradient)


# --- channels of images -------------------------------------------------------------------------------------------------------


def _first(array: Any, data_format: str) -> Any:
    """Return images with their channels in front."""
    return array.transpose(0, 3, 1, 2) if data_format == "NHWC" else array


def _as_given(xp: Any, array: Any, data_format: str) -> Any:
    return xp.ascontiguousarray(array.transpose(0, 2, 3, 1) if data_format == "NHWC" else array)


def _require_images(where: str, X: Any, data_format: str, name: str, number: int) -> tuple[int, ...]:
    """Return the axes of channels, rows and columns; raise unless the input is images, and the number positive."""
    require_image(where, X)
    require_floats(where, X=X)
    require_positive(where, name, number)
    if data_format not in ("NCHW", "NHWC"):
        raise ArgumentValueError(message(where, "attribute 'data_format'", repr(data_format), "NCHW or NHWC"))
    return (1, 2, 3) if data_format == "NCHW" else (3, 1, 2)


def _unshuffled(xp: Any, X: Any, r: int, data_format: str) -> Any:
    n, c, h, w = _first(X, data_format).shape
    parts = _first(X, data_format).reshape(n, c, h // r, r, w // r, r).transpose(0, 1, 3, 5, 2, 4)
    return _as_given(xp, parts.reshape(n, c * r * r, h // r, w // r), data_format)


def _shuffled(xp: Any, X: Any, r: int, data_format: str) -> Any:
    n, c, h, w = _first(X, data_format).shape
    parts = _first(X, data_format).reshape(n, c // (r * r), r, r, h, w).transpose(0, 1, 4, 2, 5, 3)
    return _as_given(xp, parts.reshape(n, c // (r * r), h * r, w * r), data_format)


IMAGES = {"downscale_factor": 1, "data_format": "NCHW"}


@op("pixel_unshuffle", inputs="X", outputs="Out", attrs=IMAGES, lod=None, flops=0)
class pixel_unshuffle(Declaration):
    """Rearrange [N, C, H r, W r] to [N, C r r, H, W]: what pixel_shuffle undoes."""

    def infer(X, *, downscale_factor, data_format):
        axes = _require_images("pixel_unshuffle", X, data_format, "downscale_factor", downscale_factor)
        for axis, what in zip(axes[1:], ("rows", "columns"), strict=True):
            require_multiple("pixel_unshuffle", X, axis, downscale_factor, what)
        shape = list(X.shape)
        shape[axes[0]] = times(shape[axes[0]], downscale_factor**2)
        for axis in axes[1:]:
            shape[axis] = over(shape[axis], downscale_factor)
        return Meta(tuple(shape), X.dtype)

    def reference(xp, X, *, downscale_factor, data_format):
        return _unshuffled(xp, X, downscale_factor, data_format)

    def gradient(xp, dOut, *, downscale_factor, data_format):
        return _shuffled(xp, dOut, downscale_factor, data_format)

    grad = Grad("Out@GRAD", "X@GRAD", gradient)


def _grouped(xp: Any, X: Any, groups: int, data_format: str) -> Any:
    n, c, h, w = _first(X, data_format).shape
    parts = _first(X, data_format).reshape(n, groups, c // groups, h, w).transpose(0, 2, 1, 3, 4)
    return _as_given(xp, parts.reshape(n, c, h, w), data_format)


@op(
    "channel_shuffle",
    inputs="X",
    outputs="Out",
    attrs={"groups": Required("INT"), "data_format": "NCHW"},
    lod=None,
    flops=0,
)
class channel_shuffle(Declaration):
    """Take the channels of images group by group in turn.

    Zhang et al., "ShuffleNet: An Extremely Efficient Convolutional Neural Network for Mobile Devices", 2018.
    """

    def infer(X, *, groups, data_format):
        axes = _require_images("channel_shuffle", X, data_format, "groups", groups)
        require_multiple("channel_shuffle", X, axes[0], groups, "channels")
        return Meta(tuple(X.shape), X.dtype)

    def reference(xp, X, *, groups, data_format):
        return _grouped(xp, X, groups, data_format)

    def gradient(xp, dOut, *, groups, data_format):
        return _grouped(xp, dOut, dOut.shape[1 if data_format == "NCHW" else 3] // groups, data_format)

    grad = Grad("Out@GRAD", "X@GRAD", gradient)


FOLD = ("output_sizes", "kernel_sizes", "strides", "paddings", "dilations")


@op("fold", inputs="X", outputs="Y", attrs={name: Required("INTS") for name in FOLD}, lod=None)
class fold(Declaration):
    """Add windows up into images [N, C, *output_sizes]: the transpose of unfold, from X [N, C kh kw, windows]."""

    def infer(X, *, output_sizes, kernel_sizes, strides, paddings, dilations):
        require_floats("fold", X=X)
        if len(X.shape) != 3:
            raise ShapeError(message("fold", "Input(X)", f"shape {list(X.shape)}", "[N, C kh kw, windows]"))
        taken = {"kernel_sizes": kernel_sizes, "strides": strides, "paddings": paddings, "dilations": dilations}
        check_windows("fold", Meta((1, 1, *output_sizes), X.dtype), **taken)
        require_multiple("fold", X, 1, kernel_sizes[0] * kernel_sizes[1], "channels")
        down, across = window_counts(output_sizes, **taken)
        if X.shape[2] not in (UNKNOWN, down * across):
            needs = f"{down} * {across} windows, those of {list(output_sizes)}"
            raise ShapeError(message("fold", "Input(X)", f"{X.shape[2]} windows", needs))
        return Meta((X.shape[0], over(X.shape[1], kernel_sizes[0] * kernel_sizes[1]), *output_sizes), X.dtype)

    def reference(xp, X, *, output_sizes, kernel_sizes, strides, paddings, dilations):
        counts = window_counts(output_sizes, kernel_sizes, strides, paddings, dilations)
        each = X.reshape(len(X), X.shape[1] // (kernel_sizes[0] * kernel_sizes[1]), *kernel_sizes, *counts)
        return xp.ascontiguousarray(scatter_windows(xp, each, output_sizes, strides, both_ways(paddings), dilations))

    def gradient(xp, X, dY, *, output_sizes, kernel_sizes, strides, paddings, dilations):
        each = sliding(xp, dY, kernel_sizes, strides, both_ways(paddings), dilations)
        return xp.array(each, order="C").reshape(X.shape)

    grad = Grad("X# Y@GRAD", "X@GRAD", gradient)
