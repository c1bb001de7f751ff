"""Oxford 102 flowers: 8189 photographs of 102 kinds of flowers.

A sample is the result of the mapper for `(content of a JPEG file, label)`. The default mapper returns the pixels as
float32 of shape [150528] (3 x 224 x 224 in the order blue, green, red, minus the mean of each colour) and the label, an
int from 0 to 101. The files are `102flowers.tgz` with `jpg/image_00001.jpg` and so on, `imagelabels.mat` and
`setid.mat`. As in Fluid, the training set is the largest part, `tstid` (6149 images), and the test set is `trnid` (1020
images). Images are decoded by Pillow (the extra `image`), see `image`. Source: M.-E. Nilsback, A. Zisserman, "Automated
Flower Classification over a Large Number of Classes", ICVGIP 2008.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ..reader.mapping import map_readers
from ..reader.source import Reader
from ..reader.xmapping import xmap_readers
from .archives import format_error, tar_files
from .common import download
from .image import load_image_bytes, simple_transform
from .mat import read_mat

__all__ = ["test", "train", "valid"]

DATA_URL = "http://paddlemodels.bj.bcebos.com/flowers/102flowers.tgz"
LABEL_URL = "http://paddlemodels.bj.bcebos.com/flowers/imagelabels.mat"
SETID_URL = "http://paddlemodels.bj.bcebos.com/flowers/setid.mat"
DATA_MD5 = "52808999861908f626f3c1f4e79d11fa"
LABEL_MD5 = "e0620be6f572b9609742df49c70aed4d"
SETID_MD5 = "a5357ecc9cb78c4bef273ce3793fc85c"

TRAIN_FLAG = "tstid"
TEST_FLAG = "trnid"
VALID_FLAG = "valid"

Mapper = Callable[[tuple[bytes, int]], Any]

_MEAN = [103.94, 116.78, 123.68]
_EXPECTED = "102flowers.tgz, a gzip-compressed tar archive of images such as jpg/image_00001.jpg"
_MOST_THREADS = 4


def default_mapper(is_train: bool, sample: tuple[bytes, int]) -> tuple[Any, int]:
    """Return a sample for the content of an image file and its label.

    The image is resized to 256 and cropped to 224 x 224, when `is_train` at random and perhaps flipped; then the mean
    is subtracted and the array flattened.
    """
    content, label = sample
    return simple_transform(load_image_bytes(content), 256, 224, is_train, mean=_MEAN).flatten(), label


train_mapper: Mapper = partial(default_mapper, True)
test_mapper: Mapper = partial(default_mapper, False)


def column(path: str, name: str, matrix: str) -> list[int]:
    """Return the first row of a matrix of a MATLAB file."""
    expected = f"{name}, a MATLAB file of version 5 with the row {matrix}"
    found = read_mat(path, expected).get(matrix)
    if found is None or found.ndim != 2 or not len(found):
        raise format_error(path, f"it holds no row {matrix}", expected)
    return [int(number) for number in found[0]]


def reader_creator(
    data_file: str,
    label_file: str,
    setid_file: str,
    dataset_name: str,
    mapper: Mapper,
    buffered_size: int = 1024,
    use_xmap: bool = True,
    cycle: bool = False,
) -> Reader:
    """Return a reader of the images of one part, in the order of the archive.

    Arguments:
        data_file: path of the archive of images.
        label_file: path of the MATLAB file of labels, counted from 1.
        setid_file: path of the MATLAB file of the parts.
        dataset_name: name of the part in `setid_file`.
        mapper: function from `(content of a file, label)` to a sample.
        buffered_size: the most samples that wait before and after the mapper.
        use_xmap: call the mapper in up to four threads.
        cycle: start again after the last image, endlessly.

    Returns:
        A reader of the results of the mapper.

    Raises:
        FileFormatError: a file is truncated or has another format; for images, the error is raised while reading.
        ImportError: while reading, when Pillow is not installed.
    """
    labels = column(label_file, "imagelabels.mat", "labels")
    chosen = column(setid_file, "setid.mat", dataset_name)
    if not all(1 <= number <= len(labels) for number in chosen):
        raise format_error(
            setid_file, f"{dataset_name} has images beyond the {len(labels)} labels", "those of the labels"
        )
    label_of = {f"jpg/image_{number:05}.jpg": labels[number - 1] - 1 for number in chosen}

    def images() -> Iterator[tuple[bytes, int]]:
        while True:
            for name, content in tar_files(data_file, r"jpg/image_\d+\.jpg$", _EXPECTED):
                if name in label_of:
                    yield content, label_of[name]
            if not cycle:
                return

    if use_xmap:
        return xmap_readers(mapper, images, min(_MOST_THREADS, os.cpu_count() or 1), buffered_size, order=True)
    return map_readers(mapper, images)


def _part(name: str, mapper: Mapper, buffered_size: int, use_xmap: bool, cycle: bool) -> Reader:
    """Return a reader of one part of the published files."""
    paths = [download(url, "flowers", md5) for url, md5 in published_files()]
    return reader_creator(paths[0], paths[1], paths[2], name, mapper, buffered_size, use_xmap, cycle)


def published_files() -> list[tuple[str, str]]:
    """Return the URLs and checksums of the published files."""
    return [(DATA_URL, DATA_MD5), (LABEL_URL, LABEL_MD5), (SETID_URL, SETID_MD5)]


def train(
    mapper: Mapper = train_mapper, buffered_size: int = 1024, use_xmap: bool = True, cycle: bool = False
) -> Reader:
    """Return a reader of the 6149 training images.

    Arguments:
        mapper: function from `(content of a file, label)` to a sample.
        buffered_size: the most samples that wait before and after the mapper.
        use_xmap: call the mapper in up to four threads; the order of the samples stays that of the archive.
        cycle: start again after the last image, endlessly.

    Returns:
        A reader of the results of the mapper.

    Raises:
        DownloadError: a file is neither on this machine nor downloadable.
        FileFormatError: a file is truncated or has another format; for images, the error is raised while reading.
        ImportError: while reading, when Pillow is not installed.

    Example:
        >>> import paddle_lite as paddle
        >>> image, label = next(iter(paddle.dataset.flowers.train()()))  # doctest: +SKIP
        >>> image.shape  # doctest: +SKIP
        (150528,)
    """
    return _part(TRAIN_FLAG, mapper, buffered_size, use_xmap, cycle)


def test(mapper: Mapper = test_mapper, buffered_size: int = 1024, use_xmap: bool = True, cycle: bool = False) -> Reader:
    """Return a reader of the 1020 test images, cropped at their centres.

    Arguments:
        mapper: function from `(content of a file, label)` to a sample.
        buffered_size: the most samples that wait before and after the mapper.
        use_xmap: call the mapper in up to four threads; the order of the samples stays that of the archive.
        cycle: start again after the last image, endlessly.

    Returns:
        A reader of the results of the mapper.

    Raises:
        DownloadError: a file is neither on this machine nor downloadable.
        FileFormatError: a file is truncated or has another format; for images, the error is raised while reading.
        ImportError: while reading, when Pillow is not installed.

    Example:
        >>> import paddle_lite as paddle
        >>> image, label = next(iter(paddle.dataset.flowers.test()()))  # doctest: +SKIP
        >>> image.shape  # doctest: +SKIP
        (150528,)
    """
    return _part(TEST_FLAG, mapper, buffered_size, use_xmap, cycle)


def valid(mapper: Mapper = test_mapper, buffered_size: int = 1024, use_xmap: bool = True) -> Reader:
    """Return a reader of the 1020 validation images, cropped at their centres.

    Arguments:
        mapper: function from `(content of a file, label)` to a sample.
        buffered_size: the most samples that wait before and after the mapper.
        use_xmap: call the mapper in up to four threads; the order of the samples stays that of the archive.

    Returns:
        A reader of the results of the mapper.

    Raises:
        DownloadError: a file is neither on this machine nor downloadable.
        FileFormatError: a file is truncated or has another format; for images, the error is raised while reading.
        ImportError: while reading, when Pillow is not installed.

    Example:
        >>> import paddle_lite as paddle
        >>> image, label = next(iter(paddle.dataset.flowers.valid()()))  # doctest: +SKIP
        >>> image.shape  # doctest: +SKIP
        (150528,)
    """
    return _part(VALID_FLAG, mapper, buffered_size, use_xmap, cycle=False)


def fetch() -> None:
    """Download those of the three files that are not on this machine yet.

    Raises:
        DownloadError: a file is neither on this machine nor downloadable.
    """
    for url, md5 in published_files():
        download(url, "flowers", md5)
