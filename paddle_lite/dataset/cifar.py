"""CIFAR-10 and CIFAR-100: 60000 colour photographs of 32 x 32 in 10 or 100 classes, 10000 of them to test with.

A sample is `(image, label)`. The image is float32 of shape [3072] in [0, 1]: the 32 x 32 red values row by row, then
the green and the blue ones. The label is an int. The files are `cifar-10-python.tar.gz` and `cifar-100-python.tar.gz`:
pickles of dicts with `data`, a matrix of N x 3072 bytes, and `labels` or `fine_labels`. The pickles are read without
executing the code they may contain. Source: A. Krizhevsky, "Learning Multiple Layers of Features from Tiny Images",
2009.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.files import pickled
from ..reader.source import Reader
from .archives import REMEDY, Path, format_error, tar_files
from .common import download

__all__ = ["test10", "test100", "train10", "train100"]

Sample = tuple[npt.NDArray[np.float32], int]

URL_PREFIX = "https://dataset.bj.bcebos.com/cifar/"
CIFAR10_URL = URL_PREFIX + "cifar-10-python.tar.gz"
CIFAR10_MD5 = "c58f30108f718f92721af3b95e74349a"
CIFAR100_URL = URL_PREFIX + "cifar-100-python.tar.gz"
CIFAR100_MD5 = "eb9058c3a382ffc7106e4002c42a8d85"

_EXPECTED = "cifar-10-python.tar.gz or cifar-100-python.tar.gz, pickles of images and labels in a gzip-compressed tar"


def reader_creator(filename: Path, sub_name: str, cycle: bool = False) -> Reader:
    """Return a reader of the batches of an archive whose names contain `sub_name`, in the order of the archive.

    Arguments:
        filename: path of the archive.
        sub_name: part of the names of the batches.
        cycle: start again after the last image, endlessly.

    Returns:
        A reader of `(image, label)`: float32 of shape [3072] in [0, 1], and an int.

    Raises:
        FileFormatError: while reading, when the archive is truncated or has another format.
    """

    def cifar_reader() -> Iterator[Sample]:
        while True:
            for name, content in tar_files(filename, f".*{re.escape(sub_name)}", _EXPECTED):
                yield from _samples(filename, name, content)
            if not cycle:
                return

    return cifar_reader


def _samples(path: Path, name: str, content: bytes) -> Iterator[Sample]:
    """Yield the images and labels of one batch."""
    batch: Any = pickled.read(io.BytesIO(content), f"{path}: {name}", f"expected {_EXPECTED}. {REMEDY}")
    if not isinstance(batch, dict):
        raise format_error(path, f"{name} holds a {type(batch).__name__}, needs a dict", _EXPECTED)
    batch = {key.decode("latin-1") if isinstance(key, bytes) else key: value for key, value in batch.items()}
    images, labels = batch.get("data"), batch.get("labels", batch.get("fine_labels"))
    if not isinstance(images, np.ndarray) or images.ndim != 2 or not isinstance(labels, list):
        raise format_error(path, f"{name} lacks data (a matrix) or labels (a list)", _EXPECTED)
    if len(images) != len(labels):
        raise format_error(path, f"{name} holds {len(images)} images and {len(labels)} labels", _EXPECTED)
    for image, label in zip(images, labels, strict=True):
        yield (image / 255.0).astype(np.float32), int(label)


def train10(cycle: bool = False) -> Reader:
    """Return a reader of the 50000 training images of CIFAR-10.

    Arguments:
        cycle: start again after the last image, endlessly.

    Returns:
        A reader of `(image, label)`: float32 of shape [3072] in [0, 1], and an int from 0 to 9.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: while reading, when the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> image, label = next(iter(paddle.dataset.cifar.train10()()))  # doctest: +SKIP
        >>> image.shape, label  # doctest: +SKIP
        ((3072,), 6)
    """
    return reader_creator(download(CIFAR10_URL, "cifar", CIFAR10_MD5), "data_batch", cycle)


def test10(cycle: bool = False) -> Reader:
    """Return a reader of the 10000 test images of CIFAR-10.

    Arguments:
        cycle: start again after the last image, endlessly.

    Returns:
        A reader of `(image, label)`: float32 of shape [3072] in [0, 1], and an int from 0 to 9.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: while reading, when the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> image, label = next(iter(paddle.dataset.cifar.test10()()))  # doctest: +SKIP
        >>> image.shape, label  # doctest: +SKIP
        ((3072,), 3)
    """
    return reader_creator(download(CIFAR10_URL, "cifar", CIFAR10_MD5), "test_batch", cycle)


def train100() -> Reader:
    """Return a reader of the 50000 training images of CIFAR-100.

    Returns:
        A reader of `(image, label)`: float32 of shape [3072] in [0, 1], and an int from 0 to 99, the fine label.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: while reading, when the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> image, label = next(iter(paddle.dataset.cifar.train100()()))  # doctest: +SKIP
        >>> image.shape, label  # doctest: +SKIP
        ((3072,), 19)
    """
    return reader_creator(download(CIFAR100_URL, "cifar", CIFAR100_MD5), "train")


def test100() -> Reader:
    """Return a reader of the 10000 test images of CIFAR-100.

    Returns:
        A reader of `(image, label)`: float32 of shape [3072] in [0, 1], and an int from 0 to 99, the fine label.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: while reading, when the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> image, label = next(iter(paddle.dataset.cifar.test100()()))  # doctest: +SKIP
        >>> image.shape, label  # doctest: +SKIP
        ((3072,), 49)
    """
    return reader_creator(download(CIFAR100_URL, "cifar", CIFAR100_MD5), "test")


def fetch() -> None:
    """Download those of the two files that are not on this machine yet.

    Raises:
        DownloadError: a file is neither on this machine nor downloadable.
    """
    train10()
    train100()
