"""PASCAL VOC 2012, segmentation: photographs, with the number of the class of each pixel.

A sample is `(image, label)`: uint8 of shape [height, width, 3] in the order red, green, blue, and uint8 of shape [height,
width], 0 for the background, 1 to 20 for a class and 255 for pixels that count for nothing. The file is
`VOCtrainval_11-May-2012.tar`. Images are decoded by Pillow (the extra `image`). As in Fluid, `train` reads the images of
both parts, and `test` those of the part for training. Source: M. Everingham and others, "The PASCAL Visual Object Classes
Challenge 2012".
"""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..reader.source import Reader
from .archives import format_error, reading
from .common import download
from .image import pillow

__all__ = ["test", "train", "val"]

VOC_URL = "http://host.robots.ox.ac.uk/pascal/VOC/voc2012/VOCtrainval_11-May-2012.tar"
VOC_MD5 = "6cd6e144f989b92b3379bac3b3de84fd"
SET_FILE = "VOCdevkit/VOC2012/ImageSets/Segmentation/{}.txt"
DATA_FILE = "VOCdevkit/VOC2012/JPEGImages/{}.jpg"
LABEL_FILE = "VOCdevkit/VOC2012/SegmentationClass/{}.png"
CACHE_DIR = "voc2012"

_EXPECTED = "VOCtrainval_11-May-2012.tar, a tar archive of lists, images and classes of pixels"


def reader_creator(filename: str | os.PathLike[str], sub_name: str) -> Reader:
    """Return a reader of the images of one part, in the order of its list.

    Arguments:
        filename: the path of the archive.
        sub_name: "train", "val" or "trainval".

    Returns:
        A reader of samples `(image, label)`.

    Raises:
        FileFormatError: while reading, when the archive lacks a file or has another format.
        ImportError: while reading, when Pillow is not installed.
    """

    def images() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        with reading(filename, _EXPECTED), tarfile.open(filename) as archive:
            members = {member.name: member for member in archive}

            def content(name: str) -> bytes:
                file = archive.extractfile(members[name]) if name in members else None
                if file is None:
                    raise format_error(filename, f"it holds no file {name}", _EXPECTED)
                return file.read()

            for name in content(SET_FILE.format(sub_name)).decode().split():
                image, label = (_pixels(content(path.format(name))) for path in (DATA_FILE, LABEL_FILE))
                yield image, label

    return images


def _pixels(content: bytes) -> Any:
    """Return the pixels of an image file; of one with a palette their numbers in it."""
    return np.array(pillow().open(io.BytesIO(content)))


def _part(name: str) -> Reader:
    return reader_creator(download(VOC_URL, CACHE_DIR, VOC_MD5), name)


def train() -> Reader:
    """Return a reader of the 2913 images of both parts, `trainval`.

    Returns:
        A reader of samples `(image, label)`.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError, ImportError: while reading; see `reader_creator`.

    Example:
        >>> import paddle_lite as paddle
        >>> image, label = next(iter(paddle.dataset.voc2012.train()()))  # doctest: +SKIP
        >>> image.shape, label.shape  # doctest: +SKIP
        ((281, 500, 3), (281, 500))
    """
    return _part("trainval")


def test() -> Reader:
    """Return a reader of the 1464 images of the part for training, `train`, as Fluid does.

    Returns:
        A reader of samples `(image, label)`.

    Raises:
        DownloadError, FileFormatError, ImportError: as `train`.
    """
    return _part("train")


def val() -> Reader:
    """Return a reader of the 1449 images of the part for validation, `val`.

    Returns:
        A reader of samples `(image, label)`.

    Raises:
        DownloadError, FileFormatError, ImportError: as `train`.
    """
    return _part("val")
