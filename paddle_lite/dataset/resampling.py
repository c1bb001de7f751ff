"""Sizes of images: what OpenCV's `resize` computes, for each of its interpolations.

A size changes along each axis by itself: a pixel of the result is a weighted sum of a few pixels of the image. The weights
are float32. Images of bytes are interpolated with weights of 11 bits, whose sums are rounded where OpenCV rounds them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, describe, message

NEAREST, LINEAR, CUBIC, AREA, LANCZOS = range(5)
"""The numbers of the interpolations, as `cv2.INTER_NEAREST` ... `cv2.INTER_LANCZOS4`."""

DTYPES = ("uint8", "uint16", "int16", "float32", "float64")

LARGEST = 2**31 - 1
"""The most rows, and columns, of an image in OpenCV."""

_BITS = 11  # of a weight in the interpolation of bytes

Taps = tuple[np.ndarray, np.ndarray]
"""(indices, weights) of the pixels that are summed, [size of the result, number of pixels]."""


def resized(image: np.ndarray, height: int, width: int, interpolation: int = LINEAR) -> np.ndarray:
    """Return an image in another size.

    Arguments:
        image: rows x columns, or rows x columns x channels; bytes, 16-bit integers or floats.
        height, width: the rows and columns of the result.
        interpolation: 0 nearest, 1 linear, 2 cubic, 3 area, 4 Lanczos: the numbers of OpenCV.

    Returns:
        An ndarray of the same dtype. A single channel has no axis in it, as in OpenCV.

    Raises:
        ArgumentTypeError, ArgumentValueError, DtypeError: an argument is something else.
    """
    check_image("resize", image)
    if not (1 <= height <= LARGEST and 1 <= width <= LARGEST) or 0 in image.shape:
        needs = f"from one row and column to {LARGEST}, of an image with pixels"
        raise ArgumentValueError(message("resize", "size", f"{height} x {width}", needs))
    if isinstance(interpolation, bool) or interpolation not in _TAPS:
        needs = "0 (nearest), 1 (linear), 2 (cubic), 3 (area) or 4 (Lanczos)"
        raise ArgumentValueError(message("resize", "interpolation", describe(interpolation), needs))
    pixels = image[..., 0] if image.ndim == 3 and image.shape[2] == 1 else image
    rows, columns = pixels.shape[:2]
    if (rows, columns) == (height, width):
        return pixels.copy()
    if interpolation in (LINEAR, AREA) and (rows, columns) == (2 * height, 2 * width):
        return _halved(pixels)
    if interpolation == NEAREST:
        return pixels[_nearest(rows, height)][:, _nearest(columns, width)]
    taps = _TAPS[interpolation]
    if interpolation == AREA and (rows < height or columns < width):
        taps = _linear_area
    add = _OF_BYTES.get(taps, _sums) if pixels.dtype == np.uint8 else _sums
    return add(pixels, taps(rows, height), taps(columns, width))


def check_image(where: str, image: Any) -> None:
    """Raise unless an image is an ndarray that OpenCV would take.

    Arguments:
        where: the call, for errors.
        image: the image.
    """
    needs = "rows x columns x channels, or rows x columns"
    if not isinstance(image, np.ndarray):
        raise ArgumentTypeError(message(where, "image", describe(image), f"an ndarray of {needs}"))
    if image.ndim not in (2, 3):
        raise ArgumentValueError(message(where, "image", describe(image), needs))
    if image.dtype.name not in DTYPES:
        fix = "Convert it before: image.astype('float32')."
        raise DtypeError(message(where, "image", describe(image), f"one of {', '.join(DTYPES)}", fix))


def _halved(pixels: np.ndarray) -> np.ndarray:
    """Return the means of squares of four pixels; integers are rounded up from .5, as in OpenCV."""
    wide = np.float64 if pixels.dtype == np.float64 else np.float32 if pixels.dtype.kind == "f" else np.int32
    values: Any = pixels.astype(wide)
    total = values[::2, ::2] + values[::2, 1::2] + values[1::2, ::2] + values[1::2, 1::2]
    return (total * wide(0.25) if pixels.dtype.kind == "f" else (total + 2) >> 2).astype(pixels.dtype)


def _sums(pixels: np.ndarray, along_rows: Taps, along_columns: Taps) -> np.ndarray:
    """Return the weighted sums of pixels along both axes."""
    exact = np.float64 if pixels.dtype == np.float64 else np.float32
    return _along_rows(_along_columns(pixels.astype(exact), *along_columns), *along_rows, pixels.dtype)


def _along_rows(wide: np.ndarray, indices: np.ndarray, weights: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return the weighted sums of rows of floats, rounded if the result is of integers."""
    shape = (-1, *[1] * (wide.ndim - 1))
    result = wide[indices[:, 0]] * weights[:, 0].reshape(shape)
    for k in range(1, indices.shape[1]):
        result = result + wide[indices[:, k]] * weights[:, k].reshape(shape)
    if dtype.kind == "f":
        return result.astype(dtype)
    limits = np.iinfo(dtype)
    return np.clip(np.rint(result), limits.min, limits.max).astype(dtype)


def _along_columns(pixels: np.ndarray, indices: np.ndarray, weights: np.ndarray) -> np.ndarray:
    shape = (1, -1, *[1] * (pixels.ndim - 2))
    result = pixels[:, indices[:, 0]] * weights[:, 0].reshape(shape)
    for k in range(1, indices.shape[1]):
        result = result + pixels[:, indices[:, k]] * weights[:, k].reshape(shape)
    return result


def _whole(weights: np.ndarray) -> np.ndarray:
    """Return float weights as integers of 11 bits."""
    return np.rint(weights * np.float32(1 << _BITS)).astype(np.int32)


def _linear_sums_of_bytes(pixels: np.ndarray, along_rows: Taps, along_columns: Taps) -> np.ndarray:
    """Return the sums of bytes for two taps an axis: bits are dropped after each product."""
    (rows, row_weights), (columns, column_weights) = along_rows, along_columns
    wide = _along_columns(pixels.astype(np.int32), columns, _whole(column_weights)) >> 4
    by_row = _whole(row_weights)
    shape = (-1, *[1] * (wide.ndim - 1))
    result = np.full((1,) * wide.ndim, 2, np.int32)
    for k in range(rows.shape[1]):
        result = result + ((wide[rows[:, k]] * by_row[:, k].reshape(shape)) >> 16)
    return np.clip(result >> 2, 0, 255).astype(np.uint8)


def _cubic_sums_of_bytes(pixels: np.ndarray, along_rows: Taps, along_columns: Taps) -> np.ndarray:
    """Return the sums of bytes for four taps an axis: in integers along the columns, in float32 along the rows.

    OpenCV adds eight numbers of a row at a time; what is left of the row it adds in integers.
    """
    (rows, row_weights), (columns, column_weights) = along_rows, along_columns
    wide = _along_columns(pixels.astype(np.int32), columns, _whole(column_weights))
    flat = wide.reshape(len(wide), -1)
    by_row = _whole(row_weights)
    eights = flat.shape[1] // 8 * 8
    numbers, shares = flat[:, :eights].astype(np.float32), by_row.astype(np.float32) * np.float32(2.0 ** (-2 * _BITS))
    first, second, third, fourth = (numbers[rows[:, k]] * shares[:, k, None] for k in range(4))
    result = np.rint(first + (second + (third + fourth)))
    rest = _integer_sums(flat[:, eights:], rows, by_row)
    return np.clip(np.concatenate([result, rest], 1), 0, 255).astype(np.uint8).reshape(len(rows), *wide.shape[1:])


def _lanczos_sums_of_bytes(pixels: np.ndarray, along_rows: Taps, along_columns: Taps) -> np.ndarray:
    """Return the sums of bytes for eight taps an axis, in integers."""
    (rows, row_weights), (columns, column_weights) = along_rows, along_columns
    wide = _along_columns(pixels.astype(np.int32), columns, _whole(column_weights))
    return np.clip(_integer_sums(wide, rows, _whole(row_weights)), 0, 255).astype(np.uint8)


def _integer_sums(wide: np.ndarray, rows: np.ndarray, by_row: np.ndarray) -> np.ndarray:
    """Return the weighted sums of rows, of which both axes had weights of 11 bits; halves are rounded up."""
    shape = (-1, *[1] * (wide.ndim - 1))
    result = np.full((1,) * wide.ndim, 1 << (2 * _BITS - 1), np.int64)
    for k in range(rows.shape[1]):
        result = result + wide[rows[:, k]].astype(np.int64) * by_row[:, k].reshape(shape)
    return result >> (2 * _BITS)


# --- which pixels, and their weights ------------------------------------------------------------------------------------


def _scale(size: int, wanted: int) -> float:
    """Return how many pixels a pixel of the result stands for, with OpenCV's rounding."""
    return 1.0 / (wanted / size)


def _nearest(size: int, wanted: int) -> np.ndarray:
    return np.minimum(np.floor(np.arange(wanted) * _scale(size, wanted)).astype(np.int64), size - 1)


def _pair(size: int, first: np.ndarray, share: np.ndarray) -> Taps:
    """Return the taps of two neighbours, where `share` is the weight of the second one."""
    share = share.astype(np.float32)
    indices = np.clip(np.stack([first, first + 1], 1), 0, size - 1)
    return indices, np.stack([np.float32(1) - share, share], 1)


def _linear(size: int, wanted: int) -> Taps:
    place = ((np.arange(wanted) + 0.5) * _scale(size, wanted) - 0.5).astype(np.float32)
    first = np.floor(place).astype(np.int64)
    return _pair(size, first, place - first.astype(np.float32))


def _linear_area(size: int, wanted: int) -> Taps:
    """Return the taps of the interpolation by areas where an axis grows."""
    number = np.arange(wanted)
    first = np.floor(number * _scale(size, wanted)).astype(np.int64)
    share = ((number + 1) - (first + 1) * (wanted / size)).astype(np.float32)
    return _pair(size, first, np.where(share <= 0, 0, share - np.floor(share)))


def _around(size: int, wanted: int, count: int, weights: Callable[[np.ndarray], np.ndarray]) -> Taps:
    """Return the taps of `count` pixels around a place, with weights of the distance from the pixel before it."""
    place = ((np.arange(wanted) + 0.5) * _scale(size, wanted) - 0.5).astype(np.float32)
    first = np.floor(place).astype(np.int64)
    indices = np.clip(first[:, None] + np.arange(count) - (count // 2 - 1), 0, size - 1)
    return indices, weights(place - first.astype(np.float32))


def _cubic(size: int, wanted: int) -> Taps:
    def weights(x: np.ndarray) -> np.ndarray:
        a = np.float32(-0.75)
        near, far, back = x + 1, 1 - x, x
        w0 = ((a * near - 5 * a) * near + 8 * a) * near - 4 * a
        w1 = ((a + 2) * back - (a + 3)) * back * back + 1
        w2 = ((a + 2) * far - (a + 3)) * far * far + 1
        return np.stack([w0, w1, w2, 1 - w0 - w1 - w2], 1).astype(np.float32)

    return _around(size, wanted, 4, weights)


def _lanczos(size: int, wanted: int) -> Taps:
    def weights(x: np.ndarray) -> np.ndarray:
        distance = x[:, None].astype(np.float64) + 3 - np.arange(8)
        shares = np.sinc(distance) * np.sinc(distance / 4)
        return (shares / shares.sum(1, keepdims=True)).astype(np.float32)

    return _around(size, wanted, 8, weights)


def _area(size: int, wanted: int) -> Taps:
    """Return the taps of the mean of the area that a pixel of a smaller result covers."""
    scale = _scale(size, wanted)
    start = np.arange(wanted) * scale
    end = np.minimum(start + scale, size)
    count = int(np.ceil(scale)) + 1
    indices = np.floor(start + 1e-9).astype(np.int64)[:, None] + np.arange(count)
    covered = np.minimum(end[:, None], indices + 1) - np.maximum(start[:, None], indices)
    covered = np.where(covered > 1e-3, covered, 0)
    weights = covered / covered.sum(1, keepdims=True)
    return np.minimum(indices, size - 1), weights.astype(np.float32)


_TAPS: dict[int, Any] = {NEAREST: None, LINEAR: _linear, CUBIC: _cubic, AREA: _area, LANCZOS: _lanczos}
_OF_BYTES = {
    _linear: _linear_sums_of_bytes,
    _linear_area: _linear_sums_of_bytes,
    _cubic: _cubic_sums_of_bytes,
    _lanczos: _lanczos_sums_of_bytes,
}
