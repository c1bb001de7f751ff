"""Functions on images: flips and sizes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....dataset.resampling import LINEAR, check_image, resized
from ....layers.support.arguments import is_int

__all__ = ["flip", "resize"]


def flip(image: np.ndarray, code: int) -> np.ndarray:
    """Return an image flipped.

    Arguments:
        image: rows x columns x channels, or rows x columns.
        code: 0 turns it upside down, above 0 swaps left and right, below 0 does both.

    Returns:
        A new ndarray. A single channel has no axis in it, as in OpenCV.

    >>> import numpy as np
    >>> flip(np.float32([[1, 2], [3, 4]]), 1).tolist()
    [[2.0, 1.0], [4.0, 3.0]]
    """
    check_image("flip", image)
    pixels = image[..., 0] if image.ndim == 3 and image.shape[2] == 1 else image
    if code <= 0:
        pixels = pixels[::-1]
    if code != 0:
        pixels = pixels[:, ::-1]
    return np.ascontiguousarray(pixels)


def resize(img: np.ndarray, size: Any, interpolation: Any = LINEAR) -> np.ndarray:
    """Return an image in another size.

    Arguments:
        img: rows x columns x channels, or rows x columns.
        size: (rows, columns); an int: of the shorter side, and the other one in proportion.
        interpolation: 0 nearest, 1 linear, 2 cubic, 3 area, 4 Lanczos: the numbers of OpenCV; of a list of them one is
            drawn.

    Returns:
        An ndarray of the same dtype; `img` itself where its shorter side has `size` pixels.

    >>> import numpy as np
    >>> resize(np.zeros([30, 40, 3], 'uint8'), 15).shape, resize(np.zeros([30, 40, 3], 'uint8'), (5, 6)).shape
    ((15, 20, 3), (5, 6, 3))
    """
    if isinstance(interpolation, Sequence):
        interpolation = random.choice(interpolation)
    if not is_int(size):
        height, width = size
        return resized(img, height, width, interpolation)
    check_image("resize", img)
    rows, columns = img.shape[:2]
    if min(rows, columns) == size:
        return img
    if columns < rows:
        return resized(img, int(size * rows / columns), size, interpolation)
    return resized(img, size, int(size * columns / rows), interpolation)
