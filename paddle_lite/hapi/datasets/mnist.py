"""MNIST, handwritten digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, describe, message
from ...dataset import mnist
from ...reader.dataset import Dataset
from .utils import _check_exists_and_download

__all__ = ["MNIST"]

_FILES = {
    "train": ((mnist.TRAIN_IMAGE_URL, mnist.TRAIN_IMAGE_MD5), (mnist.TRAIN_LABEL_URL, mnist.TRAIN_LABEL_MD5)),
    "test": ((mnist.TEST_IMAGE_URL, mnist.TEST_IMAGE_MD5), (mnist.TEST_LABEL_URL, mnist.TEST_LABEL_MD5)),
}


class MNIST(Dataset):
    """Handwritten digits: samples are (image, label), with values of the image from -1 to 1.

    Arguments:
        image_path: the gzip-compressed idx file of the images; None: the published one.
        label_path: that of the labels; None: the published one.
        chw_format: whether an image is float32 [1, rows, columns]; False: [rows * columns]. A label is int64 [1].
        mode: "train" for 60000 images or "test" for 10000.
        transform: a function of the image, whose result takes its place.
        download: whether the published files may be used, and downloaded.

    Attributes:
        images: the images, float32 [rows * columns] each, in a list.
        labels: the labels, int64 [1] each, in a list.

    Raises:
        ArgumentValueError: `mode` is something else.
        MissingFileError: a path is missing or does not exist, and `download` is False.
        DownloadError: a published file is not on this machine and cannot be downloaded.
        FileFormatError: a file is truncated or has another format.

    >>> import paddle_lite as paddle
    >>> data = paddle.hapi.datasets.MNIST(mode='test')  # doctest: +SKIP
    >>> len(data), data[0][0].shape, data[0][1]  # doctest: +SKIP
    (10000, (1, 28, 28), array([7]))
    """

    def __init__(
        self,
        image_path: str | None = None,
        label_path: str | None = None,
        chw_format: bool = True,
        mode: str = "train",
        transform: Callable[[np.ndarray], Any] | None = None,
        download: bool = True,
    ) -> None:
        if not isinstance(mode, str) or mode.lower() not in _FILES:
            raise ArgumentValueError(message("MNIST", "mode", describe(mode), "'train' or 'test'"))
        self.mode, self.chw_format, self.transform = mode.lower(), chw_format, transform
        (image_url, image_md5), (label_url, label_md5) = _FILES[self.mode]
        self.image_path = _check_exists_and_download(image_path, image_url, image_md5, "mnist", download)
        self.label_path = _check_exists_and_download(label_path, label_url, label_md5, "mnist", download)
        samples = list(mnist.reader_creator(self.image_path, self.label_path)())
        self.images = [image for image, _ in samples]
        self.labels = [np.array([label], np.int64) for _, label in samples]

    def __getitem__(self, idx: int) -> tuple[Any, np.ndarray]:
        """Return an image and its label."""
        image: Any = self.images[idx]
        if self.chw_format:
            image = image.reshape(1, 28, 28)
        return image if self.transform is None else self.transform(image), self.labels[idx]

    def __len__(self) -> int:
        """Return the number of images."""
        return len(self.labels)
