"""Operators that generate, measure, encode and clip boxes [xmin, ymin, xmax, ymax]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.spec import Declaration, Floats, Ints, Required, op
from ..support.box_codes import decode_boxes, extents
from ..support.image_rows import image_of_rows, starts_of
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN

# --- boxes over a feature map -----------------------------------------------------------------------------------------------


def require_map(where: str, slot: str, meta: Any) -> None:
    """Raise unless the input is [N, C, H, W]."""
    require_floats(where, **{slot: meta})
    if len(meta.shape) != 4:
        raise ShapeError(message(where, f"Input({slot})", f"shape {list(meta.shape)}", "shape [N, C, H, W]"))


def require_positive(where: str, count: int | None = None, **lists: Sequence[float]) -> None:
    """Raise unless each list holds positive numbers, as many as `count` says (None: at least one)."""
    for name, values in lists.items():
        if not (values and min(values) > 0 and (count is None or len(values) == count)):
            needs = f"{'at least one' if count is None else count} positive numbers"
            raise ArgumentValueError(message(where, f"attribute '{name}'", list(values), needs))


def laid(Input: Meta, priors: int) -> tuple[Meta, Meta]:
    """Return the Metas of boxes and variances for `priors` boxes at each cell of a feature map."""
    return (Meta((*Input.shape[2:], priors, 4), Input.dtype),) * 2


def around(xp: Any, x: Any, y: Any, width: Any, height: Any) -> Any:
    """Return boxes [H, W, P, 4] around the centres x [W, P], y [H, P], with the widths and heights of P kinds."""
    x, y = x[None], y[:, None]
    edges = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    return xp.stack([xp.broadcast_to(edge, (y.shape[0], *x.shape[1:])) for edge in edges], -1)


def centres(xp: Any, size: int, step: float, offset: float) -> Any:
    """Return the coordinate [size, 1] of the middle of each cell."""
    return ((xp.arange(size, dtype="float64") + offset) * step)[:, None]


def repeated(xp: Any, variances: Sequence[float], boxes: Any) -> Any:
    """Return the variances, repeated for each box."""
    return xp.tile(xp.asarray(variances, boxes.dtype), (*boxes.shape[:-1], 1))


def steps_of(Input: Any, Image: Any, step_w: float, step_h: float) -> tuple[float, float]:
    """Return the distance between cells in the image; a step of 0 is computed from the sizes."""
    if step_w == 0 or step_h == 0:
        return Image.shape[3] / Input.shape[3], Image.shape[2] / Input.shape[2]
    return step_w, step_h


def with_flipped(aspect_ratios: Sequence[float], flip: bool) -> list[float]:
    """Return 1 and the ratios without duplicates, each followed by its inverse if `flip`."""
    ratios = [1.0]
    for ratio in aspect_ratios:
        if all(abs(ratio - known) >= 1e-6 for known in ratios):
            ratios += [ratio, 1 / ratio] if flip else [ratio]
    return ratios


def prior_sizes(min_sizes, max_sizes, aspect_ratios, flip, min_max_aspect_ratios_order):
    """Return the (width, height) of each box at one place, in order."""
    sizes = []
    for i, small in enumerate(min_sizes):
        shaped = [(small * sqrt(r), small / sqrt(r)) for r in with_flipped(aspect_ratios, flip)]
        between = [(sqrt(small * max_sizes[i]),) * 2] if max_sizes else []
        first = 1 if min_max_aspect_ratios_order else len(shaped)
        sizes += shaped[:first] + between + shaped[first:]
    return sizes


@op(
    "prior_box",
    inputs="Input Image",
    outputs="Boxes Variances",
    attrs={
        "min_sizes": Required("FLOATS"),
        "max_sizes": Floats([]),
        "aspect_ratios": Required("FLOATS"),
        "variances": Required("FLOATS"),
        "flip": True,
        "clip": True,
        "step_w": 0.0,
        "step_h": 0.0,
        "offset": 0.5,
        "min_max_aspect_ratios_order": False,
        "use_mkldnn": False,
        "use_quantizer": False,
    },
    lod=None,
    stopped="Boxes Variances",
)
class prior_box(Declaration):
    """Compute the default boxes of SSD (Liu et al. 2016) at each cell of a feature map, as fractions of the image.

    For each of min_sizes there is one box for each aspect ratio, and a square with the side sqrt(min_size * max_size).
    """

    def infer(Input, Image, *, min_sizes, max_sizes, aspect_ratios, variances, flip, min_max_aspect_ratios_order, **_):
        where = "prior_box"
        require_map(where, "Input", Input)
        require_map(where, "Image", Image)
        require_positive(where, min_sizes=min_sizes, aspect_ratios=aspect_ratios)
        require_positive(where, 4, variances=variances)
        if max_sizes and not (
            len(max_sizes) == len(min_sizes) and all(a < b for a, b in zip(min_sizes, max_sizes, strict=True))
        ):
            needs = f"for each of min_sizes {list(min_sizes)} a larger number"
            raise ArgumentValueError(message(where, "attribute 'max_sizes'", list(max_sizes), needs))
        sizes = prior_sizes(min_sizes, max_sizes, aspect_ratios, flip, min_max_aspect_ratios_order)
        return laid(Input, len(sizes))

    def reference(
        xp, Input, Image, *, min_sizes, max_sizes, aspect_ratios, variances, flip, clip, step_w, step_h, offset,
        min_max_aspect_ratios_order,
    ):  # fmt: skip
        (rows, columns), (high, wide) = Input.shape[2:], Image.shape[2:]
        step_w, step_h = steps_of(Input, Image, step_w, step_h)
        sizes = prior_sizes(min_sizes, max_sizes, aspect_ratios, flip, min_max_aspect_ratios_order)
        width, height = xp.asarray(sizes, "float64").T
        x, y = centres(xp, columns, step_w, offset), centres(xp, rows, step_h, offset)
        boxes = around(xp, x + xp.zeros(len(sizes)), y + xp.zeros(len(sizes)), width, height)
        boxes = boxes / xp.asarray([wide, high, wide, high])
        boxes = (xp.clip(boxes, 0, 1) if clip else boxes).astype(Input.dtype)
        return boxes, repeated(xp, variances, boxes)


@op(
    "density_prior_box",
    inputs="Input Image",
    outputs="Boxes Variances",
    attrs={
        "variances": Required("FLOATS"),
        "clip": True,
        "flatten_to_2d": False,
        "step_w": 0.0,
        "step_h": 0.0,
        "offset": 0.5,
        "fixed_sizes": Floats([]),
        "fixed_ratios": Floats([]),
        "densities": Ints([]),
    },
    lod=None,
    stopped="Boxes Variances",
)
class density_prior_box(Declaration):
    """Compute boxes at density * density places in each cell of a map, clipped to the image (Zhang et al. 2017).

    `densities` belong to `fixed_sizes`; there is a box of each size for each of `fixed_ratios`. Distances are whole
    pixels.
    """

    def infer(Input, Image, *, variances, flatten_to_2d, fixed_sizes, fixed_ratios, densities, **_):
        where = "density_prior_box"
        require_map(where, "Input", Input)
        require_map(where, "Image", Image)
        require_positive(where, 4, variances=variances)
        require_positive(where, fixed_sizes=fixed_sizes, fixed_ratios=fixed_ratios)
        require_positive(where, len(fixed_sizes), densities=densities)
        if any(-1 < n < m for n, m in zip(Image.shape[2:], Input.shape[2:], strict=True)):
            needs = f"an image no smaller than Input of shape {list(Input.shape)}"
            raise ShapeError(message(where, "Input(Image)", f"shape {list(Image.shape)}", needs))
        priors = len(fixed_ratios) * sum(d * d for d in densities)
        if not flatten_to_2d:
            return laid(Input, priors)
        rows, columns = Input.shape[2:]
        count = UNKNOWN if UNKNOWN in (rows, columns) else rows * columns * priors
        return (Meta((count, 4), Input.dtype),) * 2

    def reference(
        xp, Input, Image, *, variances, clip, flatten_to_2d, step_w, step_h, offset, fixed_sizes, fixed_ratios,
        densities,
    ):  # fmt: skip
        (rows, columns), (high, wide) = Input.shape[2:], Image.shape[2:]
        step_w, step_h = steps_of(Input, Image, step_w, step_h)
        step = int((step_w + step_h) / 2)
        kinds = [
            (j * (step // density), i * (step // density), step // density / 2, size * sqrt(r), size / sqrt(r))
            for size, density in zip(fixed_sizes, densities, strict=True)
            for r in fixed_ratios
            for i in range(density)
            for j in range(density)
        ]
        right, down, half, width, height = xp.asarray(kinds, "float64").T
        x = centres(xp, columns, step_w, offset) - step / 2 + half + right
        y = centres(xp, rows, step_h, offset) - step / 2 + half + down
        boxes = around(xp, x, y, width, height) / xp.asarray([wide, high, wide, high])
        low, high = (0, 1) if clip else (xp.asarray([0, 0, -np.inf, -np.inf]), xp.asarray([np.inf, np.inf, 1, 1]))
        boxes = xp.clip(boxes, low, high).astype(Input.dtype)
        boxes = boxes.reshape(-1, 4) if flatten_to_2d else boxes
        return boxes, repeated(xp, variances, boxes)


def away_from_zero(number: float) -> int:
    """Round numbers that are not negative to the nearest integer, halves up."""
    return int(number + 0.5)


@op(
    "anchor_generator",
    inputs="Input",
    outputs="Anchors Variances",
    attrs={
        "anchor_sizes": Required("FLOATS"),
        "aspect_ratios": Required("FLOATS"),
        "variances": Required("FLOATS"),
        "stride": Floats([16.0, 16.0]),
        "offset": 0.5,
    },
    lod=None,
    stopped="Anchors Variances",
)
class anchor_generator(Declaration):
    """Compute the anchors of Faster R-CNN (Ren et al. 2015) at each cell of a feature map, in pixels of the image.

    For each aspect ratio (height / width) there is one anchor of each size. Widths and heights count pixels: a box from
    0 to 15 is 16 wide.
    """

    def infer(Input, *, anchor_sizes, aspect_ratios, variances, stride, **_):
        where = "anchor_generator"
        require_map(where, "Input", Input)
        require_positive(where, anchor_sizes=anchor_sizes, aspect_ratios=aspect_ratios)
        require_positive(where, 4, variances=variances)
        require_positive(where, 2, stride=stride)
        return laid(Input, len(anchor_sizes) * len(aspect_ratios))

    def reference(xp, Input, *, anchor_sizes, aspect_ratios, variances, stride, offset):
        across, down = stride
        sizes = []
        for ratio in aspect_ratios:
            wide = away_from_zero(sqrt(across * down / ratio))
            high = away_from_zero(wide * ratio)
            sizes += [(size / across * wide - 1, size / down * high - 1) for size in anchor_sizes]
        width, height = xp.asarray(sizes, "float64").T
        x = xp.arange(Input.shape[3])[:, None] * across + offset * (across - 1) + xp.zeros(len(sizes))
        y = xp.arange(Input.shape[2])[:, None] * down + offset * (down - 1) + xp.zeros(len(sizes))
        anchors = around(xp, x, y, width, height).astype(Input.dtype)
        return anchors, repeated(xp, variances, anchors)


# --- boxes as they are ------------------------------------------------------------------------------------------------------


def coded(xp, target, prior, normalized):
    """Return the codes [N, M, 4] of targets [N, 1, 4] relative to priors [M, 4]."""
    wide, high = extents(prior, normalized)
    w, h = extents(target, normalized)
    x, y = (target[..., 0] + target[..., 2]) / 2, (target[..., 1] + target[..., 3]) / 2
    parts = (x - prior[..., 0] - wide / 2) / wide, (y - prior[..., 1] - high / 2) / high
    return xp.stack([*parts, xp.log(xp.abs(w / wide)), xp.log(xp.abs(h / high))], -1)


def _lod_of_rows(lods: Sequence[Any], ins: Any, outs: Any, attrs: Mapping[str, Any]) -> tuple[Any]:
    """Return the LoD of box_coder's result, whose rows are those of the targets, or those of the priors where axis 1 is decoded."""
    priors, _, targets = lods
    return (priors if attrs["code_type"] == "decode_center_size" and attrs["axis"] == 1 else targets,)


@op(
    "box_coder",
    inputs="PriorBox PriorBoxVar? TargetBox",
    outputs="OutputBox",
    attrs={"code_type": "encode_center_size", "box_normalized": True, "axis": 0, "variance": Floats([])},
    lod=_lod_of_rows,
)
class box_coder(Declaration):
    """Encode boxes relative to prior boxes, or decode such codes to boxes.

    encode_center_size: TargetBox [N, 4] and PriorBox [M, 4] give [N, M, 4] of ((x - px) / pw, (y - py) / ph,
    log|w / pw|, log|h / ph|) / variance, where x and y are centres. decode_center_size is the inverse for TargetBox
    [N, M, 4]; the priors belong to its columns if `axis` is 0, to its rows if it is 1.
    """

    def infer(PriorBox, PriorBoxVar, TargetBox, *, code_type, axis, variance, **_):
        where = "box_coder"
        given = {"PriorBox": PriorBox, "TargetBox": TargetBox, "PriorBoxVar": PriorBoxVar}
        require_floats(where, **{k: v for k, v in given.items() if v is not None})
        require_shape(where, "PriorBox", PriorBox, (UNKNOWN, 4))
        if code_type not in ("encode_center_size", "decode_center_size"):
            needs = "'encode_center_size' or 'decode_center_size'"
            raise ArgumentValueError(message(where, "attribute 'code_type'", repr(code_type), needs))
        if axis not in (0, 1):
            raise ArgumentValueError(message(where, "attribute 'axis'", axis, "0 or 1"))
        if PriorBoxVar is not None:
            require_shape(where, "PriorBoxVar", PriorBoxVar, PriorBox.shape)
        elif len(variance) not in (0, 4):
            raise ArgumentValueError(message(where, "attribute 'variance'", list(variance), "4 numbers, or none"))
        count = PriorBox.shape[0]
        if code_type == "encode_center_size":
            require_shape(where, "TargetBox", TargetBox, (UNKNOWN, 4))
            return Meta((TargetBox.shape[0], count, 4), TargetBox.dtype, TargetBox.lod_level)
        require_shape(where, "TargetBox", TargetBox, (UNKNOWN, count, 4) if axis == 0 else (count, UNKNOWN, 4))
        return TargetBox

    def reference(xp, PriorBox, PriorBoxVar, TargetBox, *, code_type, box_normalized, axis, variance):
        if PriorBoxVar is None:
            PriorBoxVar = xp.asarray(variance or (1.0,) * 4, TargetBox.dtype)[None]
        if code_type == "encode_center_size":
            return coded(xp, TargetBox[:, None], PriorBox, box_normalized) / PriorBoxVar
        if axis == 1:
            PriorBox, PriorBoxVar = PriorBox[:, None], PriorBoxVar[:, None]
        return decode_boxes(xp, TargetBox * PriorBoxVar, PriorBox, box_normalized)


@op(
    "box_decoder_and_assign",
    inputs="PriorBox PriorBoxVar? TargetBox BoxScore",
    outputs="DecodeBox OutputAssignBox",
    attrs={"box_clip": 4.1350002},
    lod=lambda lods, ins, outs, attrs: (lods[2], lods[0]),
)
class box_decoder_and_assign(Declaration):
    """Decode the codes of a box for each class, and select in each row the box of the class with the highest score.

    PriorBox [N, 4] in pixels, PriorBoxVar [4] and TargetBox [N, classes * 4] are as in box_coder; the logarithms of
    sizes are at most `box_clip`. Class 0 is the background: OutputAssignBox [N, 4] is the box of the best other class
    in BoxScore [N, classes], or the prior box if there is no other class.
    """

    def infer(PriorBox, PriorBoxVar, TargetBox, BoxScore, **_):
        where = "box_decoder_and_assign"
        given = {"PriorBox": PriorBox, "TargetBox": TargetBox, "BoxScore": BoxScore, "PriorBoxVar": PriorBoxVar}
        require_floats(where, **{k: v for k, v in given.items() if v is not None})
        require_shape(where, "PriorBox", PriorBox, (UNKNOWN, 4))
        if PriorBoxVar is not None:
            require_shape(where, "PriorBoxVar", PriorBoxVar, (4,))
        rows = PriorBox.shape[0]
        require_shape(where, "BoxScore", BoxScore, (rows, UNKNOWN))
        classes = BoxScore.shape[1]
        require_shape(where, "TargetBox", TargetBox, (rows, UNKNOWN if classes == UNKNOWN else 4 * classes))
        return TargetBox, PriorBox

    def reference(xp, PriorBox, PriorBoxVar, TargetBox, BoxScore, *, box_clip):
        rows, classes = BoxScore.shape
        codes = TargetBox.reshape(rows, classes, 4)
        codes = codes if PriorBoxVar is None else codes * PriorBoxVar
        codes = xp.concatenate([codes[..., :2], xp.minimum(codes[..., 2:], box_clip)], -1)
        boxes = decode_boxes(xp, codes, PriorBox[:, None], False)
        if classes < 2:
            return boxes.reshape(TargetBox.shape), PriorBox.copy()
        best = BoxScore[:, 1:].argmax(1) + 1
        assigned = xp.where((BoxScore[:, 1:].max(1) > -1)[:, None], boxes[xp.arange(rows), best], PriorBox)
        return boxes.reshape(TargetBox.shape), assigned


@op("box_clip", inputs="Input ImInfo", outputs="Output", needs_lod="Input")
class box_clip(Declaration):
    """Clip the boxes of images to the image; ImInfo holds height and width, both to be divided by scale, and scale."""

    def infer(Input, ImInfo):
        where = "box_clip"
        require_floats(where, Input=Input, ImInfo=ImInfo)
        require_shape(where, "Input", Input, (*Input.shape[:-1], 4))
        require_shape(where, "ImInfo", ImInfo, (UNKNOWN, 3))
        return Input

    def reference(xp, Input, ImInfo, *, lod):
        images = image_of_rows(starts_of("box_clip", "Input", lod, len(Input), len(ImInfo)))
        size = xp.floor(ImInfo[:, :2] / ImInfo[:, 2:] + 0.5) - 1
        limits = size[xp.asarray(images, "int64")][:, [1, 0, 1, 0]]
        limits = limits.reshape(len(Input), *(1,) * (Input.ndim - 2), 4)
        return xp.maximum(xp.minimum(Input, limits), xp.zeros((), Input.dtype))


@op("iou_similarity", inputs="X Y", outputs="Out", attrs={"box_normalized": True})
class iou_similarity(Declaration):
    """Compute the intersection over union of the boxes X [N, 4] and Y [M, 4]: [N, M]."""

    def infer(X, Y, **_):
        require_floats("iou_similarity", X=X, Y=Y)
        require_shape("iou_similarity", "X", X, (UNKNOWN, 4))
        require_shape("iou_similarity", "Y", Y, (UNKNOWN, 4))
        return Meta((X.shape[0], Y.shape[0]), X.dtype, X.lod_level)

    def reference(xp, X, Y, *, box_normalized):
        X = X[:, None]
        low, high = xp.maximum(X[..., :2], Y[:, :2]), xp.minimum(X[..., 2:], Y[:, 2:])
        wide, tall = extents(xp.concatenate([low, high], -1), box_normalized)
        shared = xp.maximum(wide, 0) * xp.maximum(tall, 0)
        areas = [w * h for w, h in (extents(X, box_normalized), extents(Y, box_normalized))]
        return shared / (areas[0] + areas[1] - shared)


@op("polygon_box_transform", inputs="Input", outputs="Output")
class polygon_box_transform(Declaration):
    """Convert offsets [N, channels, H, W] at each place of a map to coordinates in an image that is 4 times as large.

    Even channels become 4 * column - offset, odd ones 4 * row - offset.
    """

    def infer(Input):
        require_map("polygon_box_transform", "Input", Input)
        if Input.shape[1] != UNKNOWN and Input.shape[1] % 2:
            got, needs = f"{Input.shape[1]} channels", "an even number of them, x and y in turn"
            raise ShapeError(message("polygon_box_transform", "Input(Input)", got, needs))
        return Input

    def reference(xp, Input):
        rows, columns = Input.shape[2:]
        out = xp.empty(Input.shape, Input.dtype)
        out[:, ::2] = 4 * xp.arange(columns, dtype=Input.dtype) - Input[:, ::2]
        out[:, 1::2] = 4 * xp.arange(rows, dtype=Input.dtype)[:, None] - Input[:, 1::2]
        return out
