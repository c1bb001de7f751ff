"""Transforms of brightness, contrast, saturation and hue. Images are blue, green, red, from 0 to 255."""

from __future__ import annotations

import random

import numpy as np

from ....core.errors import ArgumentValueError, ShapeError, describe, message
from .pipeline import Compose

__all__ = ["BrightnessTransform", "ColorJitter", "ContrastTransform", "HueTransform", "SaturationTransform"]


class _Change:
    """A change by a random factor around 1.

    Arguments:
        value: how far the factor may be from 1; 0 leaves images as they are.
    """

    _what = ""
    _most = np.inf

    def __init__(self, value: float) -> None:
        if not 0 <= value <= self._most:
            where = type(self).__name__
            needs = f"from 0 to {self._most}" if self._most < np.inf else "non-negative"
            raise ArgumentValueError(message(where, f"{self._what} value", describe(value), needs))
        self.value = value

    def __call__(self, img: np.ndarray) -> np.ndarray:
        """Return the changed image."""
        if self.value == 0:
            return img
        alpha = np.random.uniform(max(0, 1 - self.value), 1 + self.value)
        return self._changed(img.astype(np.float32), alpha).clip(0, 255).astype(img.dtype)

    def _changed(self, img: np.ndarray, alpha: float) -> np.ndarray:
        raise NotImplementedError


class BrightnessTransform(_Change):
    """Multiplies images by a random factor.

    Arguments:
        value: how far the factor may be from 1; 0 leaves images as they are.

    Raises:
        ArgumentValueError: `value` is negative.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import BrightnessTransform
    >>> BrightnessTransform(0.4)(np.zeros([1, 1, 3], 'uint8')).tolist()
    [[[0, 0, 0]]]
    """

    _what = "brightness"

    def _changed(self, img: np.ndarray, alpha: float) -> np.ndarray:
        return img * alpha


class ContrastTransform(_Change):
    """Moves images away from their mean grey, or to it, by a random factor.

    Arguments:
        value: how far the factor may be from 1; 0 leaves images as they are.

    Raises:
        ArgumentValueError: `value` is negative.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import ContrastTransform
    >>> ContrastTransform(0.4)(np.full([2, 2, 3], 7, 'float32')).round(3).tolist()[0]
    [[7.0, 7.0, 7.0], [7.0, 7.0, 7.0]]
    """

    _what = "contrast"

    def _changed(self, img: np.ndarray, alpha: float) -> np.ndarray:
        return img * alpha + grey(img).mean() * (1 - alpha)


class SaturationTransform(_Change):
    """Moves the pixels of images away from their grey, or to it, by a random factor.

    Arguments:
        value: how far the factor may be from 1; 0 leaves images as they are.

    Raises:
        ArgumentValueError: `value` is negative.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import SaturationTransform
    >>> SaturationTransform(0.4)(np.full([2, 2, 3], 7, 'float32')).round(3).tolist()[0]
    [[7.0, 7.0, 7.0], [7.0, 7.0, 7.0]]
    """

    _what = "saturation"

    def _changed(self, img: np.ndarray, alpha: float) -> np.ndarray:
        return img * alpha + grey(img)[..., np.newaxis] * (1 - alpha)


class HueTransform(_Change):
    """Turns the hue of images by a random part of the circle.

    Arguments:
        value: the largest part, from 0 to 0.5; 0 leaves images as they are.

    Raises:
        ArgumentValueError: `value` is something else.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import HueTransform
    >>> HueTransform(0.4)(np.full([1, 1, 3], 7, 'uint8')).tolist()
    [[[7, 7, 7]]]
    """

    _what = "hue"
    _most = 0.5

    def __call__(self, img: np.ndarray) -> np.ndarray:
        """Return the changed image; it is rounded to bytes."""
        if self.value == 0:
            return img
        hue, saturation, value = to_hsv(img.astype(np.uint8))
        turn = int(np.random.uniform(-self.value, self.value) * 255)
        return from_hsv((hue + turn) % 256, saturation, value).astype(img.dtype)


class ColorJitter:
    """Changes brightness, contrast, saturation and hue at random, in an order that is drawn once.

    Arguments:
        brightness, contrast, saturation, hue: as for the four transforms; 0 leaves a property as it is.

    Raises:
        ArgumentValueError: one of them is out of its range.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import ColorJitter
    >>> ColorJitter(0.4, 0.4, 0.4, 0.1)(np.zeros([4, 4, 3], 'uint8')).shape
    (4, 4, 3)
    """

    def __init__(self, brightness: float = 0, contrast: float = 0, saturation: float = 0, hue: float = 0) -> None:
        kinds = (BrightnessTransform, ContrastTransform, SaturationTransform, HueTransform)
        values = (brightness, contrast, saturation, hue)
        chosen = [kind(value) for kind, value in zip(kinds, values, strict=True) if value != 0]
        random.shuffle(chosen)
        self.transforms = Compose(chosen)

    def __call__(self, img: np.ndarray) -> np.ndarray:
        """Return the changed image."""
        return self.transforms(img)


# --- colours, as OpenCV computes them -------------------------------------------------------------------------------------


def _check_colors(img: np.ndarray) -> None:
    """Raise unless an image has three channels."""
    if img.ndim != 3 or img.shape[2] != 3:
        fix = "Load images in colour; Permute is the last transform."
        raise ShapeError(message("transform of colours", "img", describe(img), "rows x columns x 3", fix))


def grey(img: np.ndarray) -> np.ndarray:
    """Return the grey of each pixel, float32 rows x columns.

    Arguments:
        img: blue, green, red: float32 rows x columns x 3.

    Raises:
        ShapeError: it has another shape.
    """
    _check_colors(img)
    blue, green, red = (np.float32(share) for share in (0.114, 0.587, 0.299))
    return img[..., 0] * blue + img[..., 1] * green + img[..., 2] * red


_SHIFT = 12
_VALUES = np.maximum(np.arange(256), 1)
_SATURATIONS = np.where(np.arange(256) > 0, np.rint((255 << _SHIFT) / _VALUES), 0).astype(np.int64)
_HUES = np.where(np.arange(256) > 0, np.rint((256 << _SHIFT) / (6.0 * _VALUES)), 0).astype(np.int64)


def to_hsv(img: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return hue, saturation and value of each pixel, integers from 0 to 255.

    Arguments:
        img: blue, green, red: uint8 rows x columns x 3.

    Raises:
        ShapeError: it has another shape.
    """
    _check_colors(img)
    blue, green, red = np.moveaxis(img.astype(np.int64), 2, 0)
    value = np.maximum(np.maximum(blue, green), red)
    spread = value - np.minimum(np.minimum(blue, green), red)
    half = 1 << (_SHIFT - 1)
    saturation = (spread * _SATURATIONS[value] + half) >> _SHIFT
    sixths = np.where(
        value == red,
        green - blue,
        np.where(value == green, blue - red + 2 * spread, red - green + 4 * spread),
    )
    hue = (sixths * _HUES[spread] + half) >> _SHIFT
    return np.where(hue < 0, hue + 256, hue).clip(0, 255), saturation, value


def from_hsv(hue: np.ndarray, saturation: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Return blue, green and red of pixels, uint8 rows x columns x 3.

    Arguments:
        hue, saturation, value: integers from 0 to 255, rows x columns.
    """
    place = hue.astype(np.float32) * np.float32(6.0 / 255)
    s, v = (each.astype(np.float32) * np.float32(1 / 255) for each in (saturation, value))
    sector = np.floor(place)
    rest = place - sector
    levels = np.stack([v, v * (1 - s), v * (1 - s * rest), v * (1 - s * (1 - rest))])
    which = _SECTORS[sector.astype(np.int64) % 6]
    colors = np.take_along_axis(levels, np.moveaxis(which, -1, 0), 0)
    return np.moveaxis(colors * np.float32(255), 0, -1).clip(0, 255).astype(np.uint8)


_SECTORS = np.array([[1, 3, 0], [1, 0, 2], [3, 0, 1], [0, 2, 1], [0, 1, 3], [2, 1, 0]])
