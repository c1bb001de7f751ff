"""The 1797 handwritten digits of scikit-learn, in the format of MNIST; they need no download.

Each image is enlarged to 20 x 20 pixels and placed in a field of 28 x 28 so that its centre of mass is in the middle,
as in MNIST. A sample is the same as in `mnist`: 784 pixels row by row, float32 from -1 (paper) to 1 (ink), and the
digit as an int. Every fifth image is in the test set. Source: E. Alpaydin, C. Kaynak, "Optical Recognition of
Handwritten Digits", UCI Machine Learning Repository, 1998.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..reader.source import Reader

__all__ = ["test", "train"]

Images = npt.NDArray[np.float32]
Sample = tuple[Images, int]

_FIELD = 28
_DIGIT = 20
_MARGIN = (_FIELD - _DIGIT) // 2
_BRIGHTEST = 16.0  # scikit-learn's pixels count the ink in blocks of 4 x 4
_TEST_EVERY = 5


def train() -> Reader:
    """Return a reader of the 1438 images that are not in the test set.

    Returns:
        A reader of `(image, label)`: float32 of shape [784] in [-1, 1], and an int from 0 to 9.

    Raises:
        ImportError: scikit-learn is not installed.

    Example:
        >>> import paddle_lite as paddle
        >>> image, label = next(iter(paddle.dataset.digits.train()()))  # doctest: +SKIP
        >>> image.shape, label  # doctest: +SKIP
        ((784,), 0)
    """
    return _reader(testing=False)


def test() -> Reader:
    """Return a reader of the test set: every fifth image, 359 in all.

    Returns:
        A reader of `(image, label)`: float32 of shape [784] in [-1, 1], and an int from 0 to 9.

    Raises:
        ImportError: scikit-learn is not installed.

    Example:
        >>> import paddle_lite as paddle
        >>> image, label = next(iter(paddle.dataset.digits.test()()))  # doctest: +SKIP
        >>> image.shape, label  # doctest: +SKIP
        ((784,), 4)
    """
    return _reader(testing=True)


def enlarge(ink: npt.ArrayLike) -> Images:
    """Convert small images to the format of MNIST.

    Arguments:
        ink: N x rows x columns, from 0 (paper) to 1 (ink).

    Returns:
        N x 28 x 28, float32 from -1 (paper) to 1 (ink): each image enlarged to 20 x 20 by bilinear interpolation and
        moved by whole pixels, at most 4, until its centre of mass is within half a pixel of the middle.

    Example:
        >>> import numpy as np
        >>> import paddle_lite as paddle
        >>> paddle.dataset.digits.enlarge(np.ones([1, 8, 8]))[0, 14, ::4].tolist()
        [-1.0, 1.0, 1.0, 1.0, 1.0, 1.0, -1.0]
    """
    small = np.asarray(ink, dtype=np.float32)
    large = (_bilinear(small.shape[1]) @ small @ _bilinear(small.shape[2]).T).astype(np.float32)
    field = np.full((len(large), _FIELD, _FIELD), -1.0, dtype=np.float32)
    for canvas, image, (row, column) in zip(field, large, _corners(large), strict=True):
        canvas[row : row + _DIGIT, column : column + _DIGIT] = 2 * image - 1
    return field


def _bilinear(size: int) -> Images:
    """Return the `_DIGIT` x `size` matrix that interpolates linearly between the centres of `size` pixels."""
    position = np.clip((np.arange(_DIGIT) + 0.5) * size / _DIGIT - 0.5, 0, size - 1)
    weight: Images = np.maximum(0, 1 - np.abs(position[:, None] - np.arange(size))).astype(np.float32)
    return weight


def _corners(images: Images) -> npt.NDArray[np.int64]:
    """Return the row and column of the field where each image starts so that its ink is centred, N x 2."""
    total = np.maximum(images.sum(axis=(1, 2)), np.finfo(np.float32).tiny)
    offset = np.arange(_DIGIT) - (_DIGIT - 1) / 2
    rows = images.sum(axis=2) @ offset / total
    columns = images.sum(axis=1) @ offset / total
    shift = np.rint(np.stack([rows, columns], axis=1)).astype(np.int64)
    corner: npt.NDArray[np.int64] = _MARGIN - np.clip(shift, -_MARGIN, _MARGIN)
    return corner


@lru_cache(maxsize=1)
def _digits() -> tuple[Images, npt.NDArray[np.int64]]:
    """Return all images, N x 784, and their labels."""
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        raise ImportError(
            "paddle.dataset.digits needs scikit-learn, which brings the images: `pip install paddle_lite[demo]`."
        ) from error
    bunch = load_digits()
    return enlarge(bunch.images / _BRIGHTEST).reshape(-1, _FIELD * _FIELD), bunch.target


def _reader(testing: bool) -> Reader:
    """Return a reader of copies of the samples, so that changing a sample in place does not affect later epochs."""
    images, labels = _digits()
    chosen = (np.arange(len(images)) % _TEST_EVERY == _TEST_EVERY - 1) == testing

    def digits_reader() -> Iterator[Sample]:
        yield from zip(images[chosen], labels[chosen].tolist(), strict=True)

    return digits_reader
