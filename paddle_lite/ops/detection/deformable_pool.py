"""Pooling of regions whose bins are moved by learned offsets."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.indexed import add_at
from ..framework.spec import Declaration, Grad, Ints, Required, op
from ..support.image_rows import image_of_rows, starts_of
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from .boxes import require_map, require_positive

WHERE = "deformable_psroi_pooling"
SMALLEST = 0.1
"""The least height and width of a region in the map."""


class Points(NamedTuple):
    """The sampled points of a pooling; all arrays broadcast to [regions, channels, height, width, samples, samples].

    image, channel, y, x: the position of each point in the map. inside: whether the point counts. trans: the flat index
    of the element of Trans that moves it horizontally; the one that moves it vertically is `below` further on. high,
    wide: the size of its region.
    """

    image: Any
    channel: Any
    y: Any
    x: Any
    inside: Any
    trans: Any
    below: int
    high: Any
    wide: Any


def _grid(xp: Any, *sizes: int) -> list[Any]:
    """Return the index along each of six dimensions, shaped for broadcasting."""
    return [xp.arange(n).reshape([-1 if i == j else 1 for j in range(len(sizes))]) for i, n in enumerate(sizes)]


def _span(xp: Any, first: Any, last: Any, scale: Any) -> tuple[Any, Any]:
    """Return the start and the length of regions along one dimension, [regions, 1, 1, 1, 1, 1]."""
    half = xp.asarray(0.5, dtype=first.dtype)
    low, high = (xp.copysign(xp.floor(xp.abs(edge) + half), edge) for edge in (first, last))  # halves away from 0
    start = low * scale - half
    length = xp.maximum((high + 1) * scale - half - start, xp.asarray(SMALLEST, dtype=first.dtype))
    return start.reshape(-1, 1, 1, 1, 1, 1), length.reshape(-1, 1, 1, 1, 1, 1)


def _points(xp: Any, Input: Any, ROIs: Any, Trans: Any, lod: Any, a: dict[str, Any]) -> Points:
    """Return the points of all bins, from the attributes `a`."""
    kind, (rows, columns), count = Input.dtype, Input.shape[2:], a["sample_per_part"]
    pooled, group, part = (a["pooled_height"], a["pooled_width"]), a["group_size"], a["part_size"]
    regions, channels, down, across, of_y, of_x = _grid(xp, len(ROIs), a["output_dim"], *pooled, count, count)
    scale = xp.asarray(a["spatial_scale"], dtype=kind)
    left, wide = _span(xp, ROIs[:, 0], ROIs[:, 2], scale)
    top, high = _span(xp, ROIs[:, 1], ROIs[:, 3], scale)
    classes = 1 if a["no_trans"] else Trans.shape[1] // 2
    class_ = channels // (a["output_dim"] // classes)
    cell = down * part[0] // pooled[0], across * part[1] // pooled[1]
    below = part[0] * part[1]
    trans = ((regions * classes + class_) * 2 * part[0] + cell[0]) * part[1] + cell[1]
    offsets = [xp.zeros((), kind)] * 2
    if not a["no_trans"]:
        flat, std = Trans.reshape(-1), xp.asarray(a["trans_std"], dtype=kind)
        offsets = [flat[trans] * std, flat[trans + below] * std]
    bin_x, bin_y = wide / xp.asarray(pooled[1], dtype=kind), high / xp.asarray(pooled[0], dtype=kind)
    x = across * bin_x + left + offsets[0] * wide + of_x * (bin_x / xp.asarray(count, dtype=kind))
    y = down * bin_y + top + offsets[1] * high + of_y * (bin_y / xp.asarray(count, dtype=kind))
    x, y = x.astype(kind), y.astype(kind)
    inside = (x >= -0.5) & (x <= columns - 0.5) & (y >= -0.5) & (y <= rows - 0.5)
    groups = (
        xp.minimum(down * group[0] // pooled[0], group[0] - 1),
        xp.minimum(across * group[1] // pooled[1], group[1] - 1),
    )
    channel = (channels * group[0] + groups[0]) * group[1] + groups[1]
    images = image_of_rows(starts_of(WHERE, "ROIs", lod, len(ROIs), len(Input)))
    image = xp.asarray(images, dtype="int64").reshape(-1, 1, 1, 1, 1, 1)
    x, y = xp.clip(x, 0, columns - 1), xp.clip(y, 0, rows - 1)
    return Points(image, channel, y, x, inside, trans, below, high, wide)


def _corners(xp: Any, p: Points) -> tuple[list[tuple[Any, Any, Any]], Any, Any]:
    """Return (row, column, weight) of the four places around each point, and its distance from the first one, down and across."""
    y0, x0 = xp.floor(p.y), xp.floor(p.x)
    dy, dx = p.y - y0, p.x - x0
    rows, columns = ((low.astype("int64"), xp.ceil(at).astype("int64")) for low, at in ((y0, p.y), (x0, p.x)))
    corners = [
        (rows[0], columns[0], (1 - dy) * (1 - dx)), (rows[0], columns[1], (1 - dy) * dx),
        (rows[1], columns[0], dy * (1 - dx)), (rows[1], columns[1], dy * dx),
    ]  # fmt: skip
    return corners, dy, dx


ATTRS: dict[str, Any] = {
    "no_trans": Required("BOOLEAN"), "spatial_scale": Required("FLOAT"), "output_dim": Required("INT"), "group_size": Ints(),
    "pooled_height": Required("INT"), "pooled_width": Required("INT"), "part_size": Ints(), "sample_per_part": Required("INT"),
    "trans_std": Required("FLOAT"),
}  # fmt: skip


@op(
    "deformable_psroi_pooling",
    inputs="Input ROIs Trans",
    outputs="TopCount Output",
    attrs=ATTRS,
    lod=None,
    needs_lod="ROIs",
)
class deformable_psroi_pooling(Declaration):
    """Average sampled points in each bin of each region: Output [regions, output_dim, pooled_height, pooled_width].

    Unless no_trans, each bin is moved horizontally and vertically by an element of Trans [regions, 2 * classes,
    *part_size] times trans_std and the size of the region. A bin has sample_per_part^2 points, each interpolated
    bilinearly in a channel of Input [N, output_dim * group_size[0] * group_size[1], H, W] that depends on the bin.
    TopCount counts the points inside of the map. (Dai et al., "Deformable convolutional networks", 2017.)
    """

    def infer(
        Input, ROIs, Trans, *, no_trans, output_dim, group_size, pooled_height, pooled_width, part_size, sample_per_part,
        spatial_scale, **_,
    ):  # fmt: skip
        require_map(WHERE, "Input", Input)
        require_floats(WHERE, Input=Input, ROIs=ROIs, Trans=Trans)
        require_shape(WHERE, "ROIs", ROIs, (UNKNOWN, 4))
        for name, sizes in (("group_size", group_size), ("part_size", part_size)):
            if len(sizes) != 2:
                raise ArgumentValueError(message(WHERE, f"attribute '{name}'", list(sizes), "two sizes"))
        require_positive(
            WHERE, spatial_scale=[spatial_scale], pooled_height=[pooled_height], pooled_width=[pooled_width],
            output_dim=[output_dim], sample_per_part=[sample_per_part], group_size=group_size, part_size=part_size,
        )  # fmt: skip
        require_shape(WHERE, "Trans", Trans, (ROIs.shape[0], UNKNOWN, UNKNOWN, UNKNOWN))
        if any(0 <= n < size for n, size in zip(Trans.shape[2:], part_size, strict=True)):
            needs = f"at least {list(part_size)}, the attribute 'part_size', in the last dimensions"
            raise ShapeError(message(WHERE, "Input(Trans)", f"shape {list(Trans.shape)}", needs))
        pairs = Trans.shape[1]
        if not no_trans and pairs != UNKNOWN and (pairs < 2 or pairs % 2 or output_dim % (pairs // 2)):
            needs = f"two for each class, which divide the {output_dim} channels of attribute 'output_dim'"
            raise ShapeError(message(WHERE, "Input(Trans)", f"{pairs} channels", needs))
        channels = output_dim * group_size[0] * group_size[1]
        require_shape(WHERE, "Input", Input, (UNKNOWN, channels, UNKNOWN, UNKNOWN))
        out = Meta((ROIs.shape[0], output_dim, pooled_height, pooled_width), Input.dtype)
        return out, out

    def reference(
        xp, Input, ROIs, Trans, *, lod, no_trans, spatial_scale, output_dim, group_size, pooled_height, pooled_width,
        part_size, sample_per_part, trans_std,
    ):  # fmt: skip
        attrs = _collected(
            no_trans, spatial_scale, output_dim, group_size, pooled_height, pooled_width, part_size, sample_per_part, trans_std
        )  # fmt: skip
        p = _points(xp, Input, ROIs, Trans, lod, attrs)
        corners, _, _ = _corners(xp, p)
        values = sum(Input[p.image, p.channel, row, column] * weight for row, column, weight in corners)
        count = xp.broadcast_to(p.inside, values.shape).sum(axis=(4, 5)).astype(Input.dtype)
        total = xp.where(p.inside, values, xp.zeros((), Input.dtype)).sum(axis=(4, 5))
        return count, total / xp.maximum(count, 1)

    def gradient(
        xp, Input, ROIs, Trans, TopCount, dOutput, *, lod, no_trans, spatial_scale, output_dim, group_size, pooled_height,
        pooled_width, part_size, sample_per_part, trans_std, need=(True, True),
    ):  # fmt: skip
        attrs = _collected(
            no_trans, spatial_scale, output_dim, group_size, pooled_height, pooled_width, part_size, sample_per_part, trans_std
        )  # fmt: skip
        p = _points(xp, Input, ROIs, Trans, lod, attrs)
        corners, dy, dx = _corners(xp, p)
        share = (dOutput / xp.maximum(TopCount, 1))[..., None, None]
        share = xp.where(p.inside, share, xp.zeros((), dOutput.dtype))
        dinput = dtrans = None
        if need[0]:
            dinput = xp.zeros(Input.shape, dOutput.dtype)
            for row, column, weight in corners:
                at = xp.broadcast_arrays(p.image, p.channel, row, column)
                add_at(xp, dinput, tuple(at), xp.broadcast_to(share * weight, at[0].shape))
        if need[1]:
            dtrans = xp.zeros(Trans.size, dOutput.dtype)
            if not no_trans:
                a, b, c, d = (Input[p.image, p.channel, row, column] for row, column, _ in corners)
                std = xp.asarray(trans_std, dtype=Input.dtype)
                slopes = ((d - c) * dy + (b - a) * (1 - dy)) * p.wide, ((d - b) * dx + (c - a) * (1 - dx)) * p.high
                for i, slope in enumerate(slopes):
                    each = (share * slope * std).sum(axis=(4, 5), keepdims=True)
                    add_at(xp, dtrans, xp.broadcast_to(p.trans + i * p.below, each.shape), each)
            dtrans = dtrans.reshape(Trans.shape)
        return dinput, dtrans

    grad = Grad("Input ROIs Trans TopCount Output@GRAD", "Input@GRAD Trans@GRAD", gradient)


def _collected(*values: Any) -> dict[str, Any]:
    return dict(zip(ATTRS, values, strict=True))
