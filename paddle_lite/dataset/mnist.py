"""MNIST, handwritten digits: 60000 training images and 10000 test images (LeCun, Cortes, Burges, 1998).

A sample is `(image, label)`: 784 pixels row by row, float32 from -1 (paper) to 1 (ink), and the digit as an int.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ..core.errors import FileFormatError
from ..reader.source import Reader
from .common import download
from .idx import read_idx

__all__ = ["test", "train"]

Sample = tuple[npt.NDArray[np.float32], int]

URL_PREFIX = "https://dataset.bj.bcebos.com/mnist/"
TEST_IMAGE_URL = URL_PREFIX + "t10k-images-idx3-ubyte.gz"
TEST_IMAGE_MD5 = "9fb629c4189551a2d022fa330f9573f3"
TEST_LABEL_URL = URL_PREFIX + "t10k-labels-idx1-ubyte.gz"
TEST_LABEL_MD5 = "ec29112dd5afa0611ce80d1b7f02629c"
TRAIN_IMAGE_URL = URL_PREFIX + "train-images-idx3-ubyte.gz"
TRAIN_IMAGE_MD5 = "f68b3c2dcbeaaa9fbdd348bbdeb94873"
TRAIN_LABEL_URL = URL_PREFIX + "train-labels-idx1-ubyte.gz"
TRAIN_LABEL_MD5 = "d53e105ee54ea40749a09fcbcd1e9432"

_CHUNK_ROWS = 128  # images converted at a time; a sample is a view that keeps its chunk (400 KB) in memory


def train() -> Reader:
    """Return a reader of the 60000 training images, in the order of the file.

    Returns:
        A reader of `(image, label)`: float32 of shape [784] in [-1, 1], and an int from 0 to 9.

    Raises:
        DownloadError: a file is neither on this machine nor downloadable.
        FileFormatError: while reading, when a file is truncated or not MNIST.

    Example:
        >>> import paddle_lite as paddle
        >>> image, label = next(iter(paddle.dataset.mnist.train()()))  # doctest: +SKIP
        >>> image.shape, label  # doctest: +SKIP
        ((784,), 5)
    """
    return reader_creator(
        download(TRAIN_IMAGE_URL, "mnist", TRAIN_IMAGE_MD5), download(TRAIN_LABEL_URL, "mnist", TRAIN_LABEL_MD5)
    )


def test() -> Reader:
    """Return a reader of the 10000 test images, in the order of the file.

    Returns:
        A reader of `(image, label)`: float32 of shape [784] in [-1, 1], and an int from 0 to 9.

    Raises:
        DownloadError: a file is neither on this machine nor downloadable.
        FileFormatError: while reading, when a file is truncated or not MNIST.

    Example:
        >>> import paddle_lite as paddle
        >>> image, label = next(iter(paddle.dataset.mnist.test()()))  # doctest: +SKIP
        >>> image.shape, label  # doctest: +SKIP
        ((784,), 7)
    """
    return reader_creator(
        download(TEST_IMAGE_URL, "mnist", TEST_IMAGE_MD5), download(TEST_LABEL_URL, "mnist", TEST_LABEL_MD5)
    )


def fetch() -> None:
    """Download those of the four files that are not on this machine yet.

    Raises:
        DownloadError: a file is neither on this machine nor downloadable.
    """
    train()
    test()


def reader_creator(
    image_filename: str | os.PathLike[str], label_filename: str | os.PathLike[str], buffer_size: int = _CHUNK_ROWS
) -> Reader:
    """Return a reader of a pair of idx files in the format of MNIST, for example of Fashion-MNIST.

    Arguments:
        image_filename: path of a gzip-compressed idx file of images, N x rows x columns.
        label_filename: path of a gzip-compressed idx file of N labels.
        buffer_size: number of images converted to float32 at a time.

    Returns:
        A reader of `(image, label)`: float32 of shape [rows * columns] in [-1, 1], and an int.

    Raises:
        FileFormatError: while reading, when a file is truncated or has another format, or the numbers of images and
            labels differ.
    """

    def idx_reader() -> Iterator[Sample]:
        images, labels = read_idx(image_filename, rank=3), read_idx(label_filename, rank=1)
        if len(images) != len(labels):
            raise FileFormatError(
                f"{image_filename} holds {len(images)} images, {label_filename} holds {len(labels)} labels; expected "
                "as many labels as images. Put the two files of one data set in place."
            )
        shades = np.arange(256, dtype=np.float32) / np.float32(255) * np.float32(2) - np.float32(1)
        rows = images.reshape(len(images), -1)
        for start in range(0, len(rows), buffer_size):
            chunk = slice(start, start + buffer_size)
            yield from zip(shades[rows[chunk]], labels[chunk].tolist(), strict=True)

    return idx_reader
