"""Layers that change the size of images."""

from __future__ import annotations

from typing import Any

from ..core.typing import Variable
from ..imperative.layer import Layer
from ..layers.vision.interpolate import resized


class UpSample(Layer):
    """Resize an image or a volume; the arguments are those of `image_resize`.

    Arguments:
        out_shape: the new [H, W] or [D, H, W]: ints and int32 Variables of one element, or one int32 Variable.
        scale: how many times as large the result is, where `out_shape` is None: a number, or a Variable of one element.
        resample: "BILINEAR", "NEAREST", "BICUBIC" or "TRILINEAR".
        actual_shape: an int32 Variable that holds the new size; it counts before the other two.
        align_corners: the corners of the result are those of the input.
        align_mode: 0 or 1; see `image_resize`.
        data_format: "NCHW" or "NHWC"; "NCDHW" or "NDHWC" for volumes.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> up = paddle.nn.UpSample(scale=2, resample='NEAREST', align_corners=False)
    >>> up(paddle.imperative.to_variable(np.array([[[[1, 2]]]], 'float32'))).numpy()
    array([[[[1., 1., 2., 2.],
             [1., 1., 2., 2.]]]], dtype=float32)
    """

    def __init__(
        self,
        out_shape: Any = None,
        scale: Any = None,
        resample: str = "BILINEAR",
        actual_shape: Any = None,
        align_corners: bool = True,
        align_mode: int = 1,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__()
        self._how = (out_shape, scale, resample, actual_shape, align_corners, align_mode, data_format)

    def forward(self, input: Variable) -> Variable:
        return resized("UpSample", input, *self._how)


Upsample = UpSample
