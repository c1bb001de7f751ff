"""Checked sizes of a convolution."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from paddle_lite.core.errors import ShapeError, message

__all__ = ["Geometry", "geometry"]


class Geometry(NamedTuple):
    """The sizes of a convolution; `channels` and `filters` are those of a group.

    `work` is the cost for `threads.parallel_for` of the convolution and of each of its gradients.
    """

    batch: int
    groups: int
    channels: int
    height: int
    width: int
    filters: int
    kernel: tuple[int, int]
    strides: tuple[int, int]
    pads: tuple[int, int, int, int]
    dilations: tuple[int, int]
    out_height: int
    out_width: int
    work: int

    @property
    def taps(self) -> int:
        """The number of terms of one output element."""
        return self.channels * self.kernel[0] * self.kernel[1]

    @property
    def outputs(self) -> int:
        """The number of positions of an output plane."""
        return self.out_height * self.out_width

    @property
    def products(self) -> int:
        """The number of multiplications of the direct algorithm."""
        return self.batch * self.groups * self.filters * self.outputs * self.taps

    @property
    def padded(self) -> tuple[int, int]:
        """The height and width with padding."""
        top, bottom, left, right = self.pads
        return self.height + top + bottom, self.width + left + right

    @property
    def depthwise(self) -> bool:
        """Whether each filter sees one of several channels."""
        return self.channels == 1 and self.groups > 1

    @property
    def mirrored(self) -> Geometry:
        """The convolution of the output gradients with mirrored filters that gives the input gradients.

        It exists only for stride 1 if no side is padded by more than the extent of the filter.
        """
        reach = [d * (k - 1) for d, k in zip(self.dilations, self.kernel)]
        top, bottom, left, right = self.pads
        return self._replace(
            channels=self.filters, filters=self.channels, height=self.out_height, width=self.out_width,
            pads=(reach[0] - top, reach[0] - bottom, reach[1] - left, reach[1] - right),
            out_height=self.height, out_width=self.width,
        )  # fmt: skip

    @property
    def has_mirror(self) -> bool:
        """Whether `mirrored` is a valid convolution."""
        return self.strides == (1, 1) and min(self.mirrored.pads) >= 0


@lru_cache(maxsize=1024)
def geometry(
    x_shape: tuple[int, ...],
    w_shape: tuple[int, ...],
    strides: tuple[int, int],
    pads: tuple[int, int, int, int],
    dilations: tuple[int, int],
    groups: int,
) -> Geometry:
    """Check the sizes and compute those of the output.

    Raises:
        ShapeError: channels, filters and groups disagree, or the window is larger than the padded image.
    """
    batch, channels, height, width = x_shape
    filters, group_channels, kernel_h, kernel_w = w_shape
    if channels != group_channels * groups or filters % groups:
        needs = f"[K, {channels} / groups, KH, KW] with K divisible by groups={groups}"
        raise ShapeError(message("conv2d", "Filter", f"shape {list(w_shape)}", needs))
    out_height = (height + pads[0] + pads[1] - dilations[0] * (kernel_h - 1) - 1) // strides[0] + 1
    out_width = (width + pads[2] + pads[3] - dilations[1] * (kernel_w - 1) - 1) // strides[1] + 1
    if out_height < 1 or out_width < 1:
        got = f"{kernel_h}x{kernel_w} taps {list(dilations)} apart"
        needs = f"a window inside of the image of {height}x{width} with paddings {list(pads)}"
        raise ShapeError(message("conv2d", "Filter", got, needs, "Pad the image, or take a smaller filter."))
    outputs = filters * out_height * out_width
    products = outputs * group_channels * kernel_h * kernel_w
    work = batch * (
        products // 12 + outputs + channels * height * width
    )  # twelve products cost as much as one addition
    return Geometry(
        batch, groups, group_channels, height, width, filters // groups, (kernel_h, kernel_w), strides, pads, dilations,
        out_height, out_width, work,
    )  # fmt: skip
