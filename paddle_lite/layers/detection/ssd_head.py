"""The head of SSD: default boxes over feature maps, and convolutions that predict locations and classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..nn.conv import conv2d
from ..shape.shape import concat, flatten, reshape, transpose
from ..support.arguments import is_int
from .boxes import prior_box

__all__ = ["multi_box_head"]

VARIANCE = (0.1, 0.1, 0.2, 0.2)


def multi_box_head(
    inputs: Sequence[Any],
    image: Any,
    base_size: int,
    num_classes: int,
    aspect_ratios: Sequence[Any],
    min_ratio: int | None = None,
    max_ratio: int | None = None,
    min_sizes: Sequence[Any] | None = None,
    max_sizes: Sequence[Any] | None = None,
    steps: Sequence[float] | None = None,
    step_w: Sequence[float] | None = None,
    step_h: Sequence[float] | None = None,
    offset: float = 0.5,
    variance: Sequence[float] = VARIANCE,
    flip: bool = True,
    clip: bool = False,
    kernel_size: int = 1,
    pad: int = 0,
    stride: int = 1,
    name: str | None = None,
    min_max_aspect_ratios_order: bool = False,
) -> tuple[Any, Any, Any, Any]:
    """Compute the default boxes of several feature maps, and predict their locations and classes by convolutions.

    Source: Liu et al., "SSD: Single Shot MultiBox Detector", 2016.

    Arguments:
        inputs: the feature maps, each [N, C, H, W], from fine to coarse.
        image: the image [N, C, height, width]; only its size is used.
        base_size: the size of the image in pixels; min_ratio and max_ratio are percentages of it.
        num_classes: the number of classes with the background.
        aspect_ratios: width / height for each feature map: a number or a list of numbers.
        min_ratio, max_ratio: for three or more feature maps: the sizes of the boxes in percent of `base_size`, evenly
            spaced from the second to the last one; the first has 10 to 20 percent.
        min_sizes, max_sizes: the sizes in pixels for each feature map, used instead.
        steps, step_w, step_h: for each feature map the distance of positions in pixels, in both directions or in each.
        offset, variance, flip, clip, min_max_aspect_ratios_order: as in `layers.prior_box`.
        kernel_size, pad, stride: of the convolutions.
        name: accepted for Fluid code, ignored.

    Returns:
        (location codes [N, P, 4], class scores [N, P, num_classes], boxes [P, 4], their variances [P, 4]). As in
            Paddle, a single feature map has codes [N, P * 4], scores [N, P * num_classes] and boxes [H, W, P, 4].

    Raises:
        ArgumentTypeError: inputs is not a list of Variables, or an argument has not one value for each feature map.
        ArgumentValueError: max_ratio is too small, or a number is out of range.
        ShapeError: a feature map or the image has another rank.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     image = fluid.data('image', [None, 3, 32, 32])
    ...     features = [fluid.data(f'f{n}', [None, 8, n, n]) for n in (4, 2)]
    ...     made = fluid.layers.multi_box_head(features, image, 32, 5, [2., 2.], min_sizes=[8., 16.], max_sizes=[16., 24.])
    ...     [v.shape for v in made]
    [(-1, 80, 4), (-1, 80, 5), (80, 4), (80, 4)]
    """
    where = "multi_box_head"
    if not isinstance(inputs, (list, tuple)) or not inputs:
        raise ArgumentTypeError(message(where, "inputs", describe(inputs), "a list of feature maps"))
    count = len(inputs)
    if min_sizes is None and max_sizes is None and count > 2:
        min_sizes, max_sizes = _spread(count, base_size, min_ratio, max_ratio)
    widths = _one_each("steps", steps, count) if steps else _one_each("step_w", step_w, count, 0.0)
    heights = widths if steps else _one_each("step_h", step_h, count, 0.0)
    smallest, largest = (_one_each(n, v, count) for n, v in (("min_sizes", min_sizes), ("max_sizes", max_sizes)))
    ratios = _one_each("aspect_ratios", aspect_ratios, count)
    boxes: list[Any] = []
    variances: list[Any] = []
    moves: list[Any] = []
    scores: list[Any] = []
    for i, feature in enumerate(inputs):
        box, spread = prior_box(
            feature, image, _list(smallest[i]), _list(largest[i]), _list(ratios[i]), list(variance), flip, clip,
            [widths[i], heights[i]], offset, None, min_max_aspect_ratios_order,
        )  # fmt: skip
        boxes.append(box)
        variances.append(spread)
        for made, numbers in ((moves, 4), (scores, num_classes)):
            out = conv2d(feature, box.shape[2] * numbers, kernel_size, padding=pad, stride=stride)
            made.append(flatten(transpose(out, perm=[0, 2, 3, 1]), axis=1))
    if count == 1:
        return moves[0], scores[0], boxes[0], variances[0]
    flat = [(flatten(box, axis=3), flatten(spread, axis=3)) for box, spread in zip(boxes, variances, strict=True)]
    box, spread = (concat(list(parts)) for parts in zip(*flat, strict=True))
    box.stop_gradient = spread.stop_gradient = True
    moved = reshape(concat(moves, axis=1), shape=[0, -1, 4])
    return moved, reshape(concat(scores, axis=1), shape=[0, -1, num_classes]), box, spread


def _spread(count: int, base_size: int, min_ratio: Any, max_ratio: Any) -> tuple[list[float], list[float]]:
    """Return (the smallest, the largest) size of the boxes for each feature map."""
    for argument, value in (("min_ratio", min_ratio), ("max_ratio", max_ratio)):
        if not is_int(value):
            needs = "an int, percent of base_size; or give min_sizes and max_sizes"
            raise ArgumentTypeError(message("multi_box_head", argument, describe(value), needs))
    step = (max_ratio - min_ratio) // (count - 2)
    if step < 1:
        needs = f"at least min_ratio + {count - 2}, {min_ratio + count - 2}"
        raise ArgumentValueError(message("multi_box_head", "max_ratio", max_ratio, needs))
    starts = range(min_ratio, max_ratio + 1, step)[: count - 1]
    return (
        [base_size * 0.10, *(base_size * start / 100.0 for start in starts)],
        [base_size * 0.20, *(base_size * (start + step) / 100.0 for start in starts)],
    )


def _one_each(argument: str, values: Any, count: int, default: float | None = None) -> list[Any]:
    """Return a list with one value for each feature map."""
    if values is None and default is not None:
        return [default] * count
    if not isinstance(values, (list, tuple)) or len(values) != count:
        got = f"{len(values)} of them" if isinstance(values, (list, tuple)) else describe(values)
        raise ArgumentTypeError(
            message("multi_box_head", argument, got, f"a list of {count}, one for each feature map")
        )
    return list(values)


def _list(value: Any) -> list[Any]:
    """Return a list or tuple as a list, any other value as a list of one element."""
    return list(value) if isinstance(value, (list, tuple)) else [value]
