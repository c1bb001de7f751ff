"""Deformable convolutions: each point of a window has an offset of its own."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.indexed import add_at
from ..framework.spec import Grad, Ints, OpDef, op
from ..support import window_sizes
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.windows import check_steps, with_attributes
from .conv import check_operands

ATTRS: dict[str, Any] = {
    "strides": Ints([1, 1]),
    "paddings": Ints([0, 0]),
    "dilations": Ints([1, 1]),
    "groups": 1,
    "deformable_groups": 1,
    "im2col_step": 64,
}
CORNERS = ((0, 0), (0, 1), (1, 0), (1, 1))
SOURCE = """

    Points between those of the image are means of the four around them, points outside are 0. Offset [N, groups of
    channels * points of a window * 2, height, width] has for each point how far it is moved down and to the right. On a CPU
    Paddle mixes up the images where `im2col_step` is above 1, and gives zeros where there are fewer images than that; here
    the attribute changes nothing.
    Source: Dai et al., "Deformable Convolutional Networks", 2017; Zhu et al., "Deformable ConvNets v2", 2018."""


def _infer(type: str, Input, Offset, Mask, Filter, *, strides, paddings, dilations, groups, deformable_groups) -> Meta:
    check_operands(type, Input, Filter, groups)
    given = {"Offset": Offset} if Mask is None else {"Offset": Offset, "Mask": Mask}
    require_floats(type, Input=Input, **given)
    check_steps(type, 2, strides=strides, dilations=dilations)
    if len(paddings) != 2 or min(paddings) < 0:
        needs = "[height, width], none below 0"
        raise ArgumentValueError(message(type, "attribute 'paddings'", list(paddings), needs))
    n, c, *size = Input.shape
    filters, channels, *window = Filter.shape
    if -1 not in (c, channels) and c != channels * groups:
        needs = f"{channels} * {groups}: channels of Filter {list(Filter.shape)} times groups"
        raise ShapeError(message(type, "Input(Input)", f"shape {list(Input.shape)}", needs))
    for name, count in (("groups", groups), ("deformable_groups", deformable_groups)):
        if count < 1 or any(m > 0 and m % count for m in (c, filters)):
            needs = f"a divisor of the {c} channels and of the {filters} filters"
            raise ShapeError(message(type, f"attribute '{name}'", count, needs))
    each = zip(size, window, strides, paddings, dilations, strict=True)
    out = [-1 if -1 in (m, k) else window_sizes.window_count(m, k, s, (p, p), d) for m, k, s, p, d in each]
    if any(m == 0 or m < -1 for m in out):
        needs = f"room for a window of {window}, {list(dilations)} apart"
        raise ShapeError(message(type, "Input(Input)", f"an image of {size}", needs, "Add padding."))
    points = -1 if -1 in window else deformable_groups * window[0] * window[1]
    require_shape(type, "Offset", Offset, (n, points if points == -1 else 2 * points, *out))
    if Mask is not None:
        require_shape(type, "Mask", Mask, (n, points, *out))
    return Meta((n, filters, *out), Input.dtype, Input.lod_level)


class Sampling:
    """The positions of the points of all windows: arrays [N, deformable group, point of a window, height, width].

    Attributes:
        corners: for each of the four neighbours (index into the plane, weight), the weight 0 where there is no neighbour.
        slopes: for each of them the derivatives of its weight by the vertical and the horizontal position of the point.
    """

    def __init__(self, xp: Any, Offset: Any, size, window, strides, paddings, dilations, groups: int) -> None:
        n, _, *out = Offset.shape
        height, width = size
        moved = Offset.reshape(n, groups, window[0] * window[1], 2, *out)
        rows, columns = (
            (xp.arange(o) * s - p).astype(Offset.dtype) for o, s, p in zip(out, strides, paddings, strict=True)
        )
        point = xp.arange(window[0] * window[1])
        down = (point // window[1] * dilations[0]).astype(Offset.dtype).reshape(-1, 1, 1)
        right = (point % window[1] * dilations[1]).astype(Offset.dtype).reshape(-1, 1, 1)
        y, x = moved[:, :, :, 0] + (down + rows[:, None]), moved[:, :, :, 1] + (right + columns)
        top, left = xp.floor(y), xp.floor(x)
        inside = (y > -1) & (x > -1) & (y < height) & (x < width)
        y, x = y - top, x - left
        self.shape = (n, groups, len(point), *out)
        self.corners, self.slopes = [], []
        for i, j in CORNERS:
            row, column = top + i, left + j
            there = (inside & (row >= 0) & (row < height) & (column >= 0) & (column < width)).astype(Offset.dtype)
            index = xp.clip(row, 0, height - 1) * width + xp.clip(column, 0, width - 1)
            weight_y, weight_x = (y if i else 1 - y), (x if j else 1 - x)
            self.corners.append((index.astype("int64"), weight_y * weight_x * there))
            self.slopes.append(((2 * i - 1) * weight_x * there, (2 * j - 1) * weight_y * there))

    def planes(self, image: Any) -> Any:
        """Return the image as [N, group, channels of it, points of a plane]."""
        return image.reshape(image.shape[0], self.shape[1], -1, image.shape[2] * image.shape[3])

    def at(self, xp: Any, planes: Any, index: Any) -> Any:
        """Return the values at one neighbour: [N, group, channels of it, *rest]."""
        flat = index.reshape(*self.shape[:2], 1, -1)
        return xp.take_along_axis(planes, flat, axis=3).reshape(*planes.shape[:3], *self.shape[2:])


def _columns(xp: Any, values: Any, groups: int, places: int) -> Any:
    """Return the sampled windows as matrices: [N, group, channels * points, places]."""
    return values.reshape(values.shape[0], groups, -1, places)


def _reference(xp, Input, Offset, Mask, Filter, *, strides, paddings, dilations, groups, deformable_groups):
    window, out = Filter.shape[2:], Offset.shape[2:]
    sampling = Sampling(xp, Offset, Input.shape[2:], window, strides, paddings, dilations, deformable_groups)
    planes, values = sampling.planes(Input), 0
    for index, weight in sampling.corners:
        values = values + sampling.at(xp, planes, index) * weight[:, :, None]
    if Mask is not None:
        values = values * Mask.reshape(sampling.shape)[:, :, None]
    filters = Filter.reshape(groups, Filter.shape[0] // groups, -1)
    return (filters @ _columns(xp, values, groups, out[0] * out[1])).reshape(len(Input), len(Filter), *out)


def _gradient(
    xp, Input, Offset, Mask, Filter, dOutput, *, strides, paddings, dilations, groups, deformable_groups
):  # fmt: skip
    window, places = Filter.shape[2:], Offset.shape[2] * Offset.shape[3]
    sampling = Sampling(xp, Offset, Input.shape[2:], window, strides, paddings, dilations, deformable_groups)
    planes = sampling.planes(Input)
    seen = [sampling.at(xp, planes, index) for index, _ in sampling.corners]
    sampled = sum(value * weight[:, :, None] for value, (_, weight) in zip(seen, sampling.corners, strict=True))
    mask = None if Mask is None else Mask.reshape(sampling.shape)[:, :, None]
    filters = Filter.reshape(groups, Filter.shape[0] // groups, -1)
    dy = dOutput.reshape(len(Input), groups, -1, places)
    values = _columns(xp, sampled if mask is None else sampled * mask, groups, places)
    d_filter = (dy @ values.swapaxes(2, 3)).sum(axis=0).reshape(Filter.shape)
    d_values = (filters.swapaxes(1, 2) @ dy).reshape(sampled.shape)
    d_mask = None if Mask is None else (d_values * sampled).sum(axis=2).reshape(Mask.shape)
    if mask is not None:
        d_values = d_values * mask
    moves = [
        sum((d_values * value).sum(axis=2) * slope[i] for value, slope in zip(seen, sampling.slopes, strict=True))
        for i in (0, 1)
    ]
    d_offset = xp.stack(moves, axis=3).reshape(Offset.shape)
    return _spread(xp, Input, sampling, d_values), d_offset, d_mask, d_filter


def _spread(xp: Any, Input: Any, sampling: Sampling, d_values: Any) -> Any:
    """Return the gradient of the image: the sum over all samples of each of its points."""
    planes = sampling.planes(xp.zeros(Input.shape, d_values.dtype))
    n, groups, channels, points = planes.shape
    flat, starts = planes.reshape(-1), xp.arange(n * groups * channels).reshape(n, groups, channels, 1) * points
    for index, weight in sampling.corners:
        place = starts + index.reshape(n, groups, 1, -1)
        add_at(xp, flat, place.reshape(-1), (d_values * weight[:, :, None]).reshape(-1))
    return flat.reshape(Input.shape)


PLACE = ("strides", "paddings", "dilations", "groups", "deformable_groups")


@with_attributes(PLACE)
def _unmasked(xp, Input, Offset, Filter, **attrs):
    return _reference(xp, Input, Offset, None, Filter, **attrs)


@with_attributes(PLACE)
def _unmasked_gradient(xp, Input, Offset, Filter, dOutput, **attrs):
    d_input, d_offset, _, d_filter = _gradient(xp, Input, Offset, None, Filter, dOutput, **attrs)
    return d_input, d_offset, d_filter


def _declare(type: str, slots: str, reference: Callable, gradient: Callable, doc: str) -> OpDef:
    def infer(*inputs, **attrs):
        given = dict(zip(slots.split(), inputs, strict=True))
        return _infer(type, given["Input"], given["Offset"], given.get("Mask"), given["Filter"], **attrs)

    gives = " ".join(f"{slot}@GRAD" for slot in slots.split())
    body = SimpleNamespace(
        __module__=__name__,
        __doc__=doc + SOURCE,
        infer=infer,
        reference=reference,
        grad=Grad(f"{slots} Output@GRAD", gives, gradient),
    )
    return op(type, inputs=slots, outputs="Output", attrs=ATTRS)(body)


deformable_conv = _declare(
    "deformable_conv",
    "Input Offset Mask Filter",
    _reference,
    _gradient,
    "Output = Input convolved with Filter, each point of a window moved by Offset and multiplied by Mask.",
)
deformable_conv_v1 = _declare(
    "deformable_conv_v1",
    "Input Offset Filter",
    _unmasked,
    _unmasked_gradient,
    "Output = Input convolved with Filter, each point of a window moved by Offset.",
)
