"""Pooling of regions whose bins are moved by learned offsets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ShapeError, describe, message
from ...core.typing import Variable
from ...ops.detection import deformable_pool as ops
from ..support.arguments import check_int, check_number, check_variable, flag, int_list
from ..support.helper import LayerHelper

__all__ = ["deformable_roi_pooling"]


def deformable_roi_pooling(
    input: Any,
    rois: Any,
    trans: Any,
    no_trans: bool = False,
    spatial_scale: float = 1.0,
    group_size: Sequence[int] = [1, 1],
    pooled_height: int = 1,
    pooled_width: int = 1,
    part_size: Sequence[int] | None = None,
    sample_per_part: int = 1,
    trans_std: float = 0.1,
    position_sensitive: bool = False,
    name: str | None = None,
) -> Variable:
    """Compute the mean of sampling points in each bin of regions of feature maps; the bins are moved by offsets.

    Source: Dai et al., "Deformable convolutional networks", 2017.

    Arguments:
        input: feature maps [N, C, H, W].
        rois: boxes [R, 4] as xmin, ymin, xmax, ymax in the image, of the dtype of `input`, with a LoD of one level: one
            sequence of rows for each of the N images.
        trans: the offsets [R, 2 * classes, *part_size], across and then down, in parts of the size of a region.
        no_trans: whether bins stay where they are.
        spatial_scale: the size of the feature map divided by that of the image.
        group_size: the numbers of groups of channels along the height and the width.
        pooled_height: the number of bins along the height.
        pooled_width: the number of bins along the width.
        part_size: the numbers of offsets along the height and the width; None for one of each bin.
        sample_per_part: the number of points of a bin along the height, and along the width.
        trans_std: the factor of the offsets.
        position_sensitive: whether each bin has its own channels: the result has C / (pooled_height * pooled_width).
        name: the prefix of the result's name.

    Returns:
        A Variable [R, C or less, pooled_height, pooled_width]; 0 for bins outside of the feature map.

    Raises:
        ArgumentTypeError: an input is not a Variable, or a number or list has another type.
        LoDError: rois has no LoD with N images.
        ArgumentValueError: a number is out of range.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     maps = Variable(np.arange(16, dtype='float32').reshape(1, 1, 4, 4))
    ...     regions = Variable(np.array([[0, 0, 3, 1]], 'float32'), lod=((0, 1),))
    ...     moved = Variable(np.full((1, 2, 1, 2), 0.5, 'float32'))
    ...     fluid.layers.deformable_roi_pooling(maps, regions, moved, pooled_width=2, trans_std=0.5).numpy()
    array([[[[0.5, 2.5]]]], dtype=float32)
    """
    where = "deformable_roi_pooling"
    for key, value in (("input", input), ("rois", rois), ("trans", trans)):
        check_variable(where, key, value)
    for key, sizes in (("group_size", group_size), ("part_size", part_size)):
        if not isinstance(sizes, (list, tuple)) and (sizes is not None or key == "group_size"):
            raise ArgumentTypeError(message(where, key, describe(sizes), "a list of two ints"))
    pooled = check_int(where, "pooled_height", pooled_height), check_int(where, "pooled_width", pooled_width)
    channels = input.shape[1]
    if position_sensitive:
        if channels % (pooled[0] * pooled[1]):
            needs = f"a multiple of {pooled[0] * pooled[1]}, the number of bins"
            raise ShapeError(message(where, "input", f"{channels} channels", needs))
        channels //= pooled[0] * pooled[1]
    helper = LayerHelper(where, name=name)
    made = helper.run(
        ops.deformable_psroi_pooling, input, rois, trans, order="Output",
        no_trans=flag(where, "no_trans", no_trans),
        spatial_scale=check_number(where, "spatial_scale", spatial_scale),
        output_dim=channels,
        group_size=int_list(where, "group_size", list(group_size)),
        pooled_height=pooled[0],
        pooled_width=pooled[1],
        part_size=list(pooled) if part_size is None else int_list(where, "part_size", list(part_size)),
        sample_per_part=check_int(where, "sample_per_part", sample_per_part),
        trans_std=check_number(where, "trans_std", trans_std),
    )  # fmt: skip
    return made[1]
