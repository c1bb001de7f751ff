"""Oxford 102 flowers, photographs."""

from __future__ import annotations

import io
import tarfile
import weakref
from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, FileFormatError, describe, message
from ...dataset import flowers
from ...dataset.image import load_image_bytes
from ...reader.dataset import Dataset
from .utils import _check_exists_and_download

__all__ = ["Flowers"]

MODE_FLAG_MAP = {"train": flowers.TRAIN_FLAG, "test": flowers.TEST_FLAG, "valid": flowers.VALID_FLAG}


class Flowers(Dataset):
    """Photographs of 102 kinds of flowers: samples are (image, label). Pillow (the extra `image`) decodes them.

    Arguments:
        data_file: the tar archive of the images; None: the published one.
        label_file: the MATLAB file of the labels; None: the published one.
        setid_file: the MATLAB file of the parts; None: the published one.
        mode: "train" for 6149 images, "valid" or "test" for 1020.
        transform: a function of the image, uint8 rows x columns x 3 (red, green, blue), whose result takes its place. The
            label is int64 [1], from 1 to 102.
        download: whether the published files may be used, and downloaded.

    Raises:
        ArgumentValueError: `mode` is something else.
        MissingFileError: a path is missing or does not exist, and `download` is False.
        DownloadError: a published file is not on this machine and cannot be downloaded.
        FileFormatError: a file is truncated or has another format.

    >>> import paddle_lite as paddle
    >>> data = paddle.hapi.datasets.Flowers(mode='test')  # doctest: +SKIP
    >>> len(data), data[0][0].shape, data[0][1]  # doctest: +SKIP
    (1020, (523, 500, 3), array([1]))
    """

    def __init__(
        self,
        data_file: str | None = None,
        label_file: str | None = None,
        setid_file: str | None = None,
        mode: str = "train",
        transform: Callable[[np.ndarray], Any] | None = None,
        download: bool = True,
    ) -> None:
        if not isinstance(mode, str) or mode.lower() not in MODE_FLAG_MAP:
            raise ArgumentValueError(message("Flowers", "mode", describe(mode), "'train', 'valid' or 'test'"))
        self.flag, self.transform = MODE_FLAG_MAP[mode.lower()], transform
        given = (data_file, label_file, setid_file)
        self.data_file, self.label_file, self.setid_file = (
            _check_exists_and_download(path, url, md5, "flowers", download)
            for path, (url, md5) in zip(given, flowers.published_files(), strict=True)
        )
        self.labels = flowers.column(self.label_file, "imagelabels.mat", "labels")
        self.indexes = flowers.column(self.setid_file, "setid.mat", self.flag)
        self._lock = Lock()
        try:
            self.data_tar = tarfile.open(self.data_file)  # noqa: SIM115 - read again for each image
            weakref.finalize(self, self.data_tar.close)
            self.name2mem = {member.name: member for member in self.data_tar.getmembers()}
        except (tarfile.TarError, OSError, EOFError) as error:
            raise FileFormatError(
                f"{self.data_file}: {error}; expected 102flowers.tgz, a tar archive of images."
            ) from None

    def __getitem__(self, idx: int) -> tuple[Any, np.ndarray]:
        """Return an image and its label.

        Raises:
            FileFormatError: the archive lacks the image.
        """
        number = self.indexes[idx]
        name = f"jpg/image_{number:05d}.jpg"
        if name not in self.name2mem:
            raise FileFormatError(f"{self.data_file}: it holds no {name}; expected 102flowers.tgz.")
        with self._lock:  # threads of a DataLoader read one file
            file = self.data_tar.extractfile(self.name2mem[name])
            content = io.BytesIO(b"" if file is None else file.read())
        image: Any = np.ascontiguousarray(load_image_bytes(content.getvalue())[..., ::-1])
        return image if self.transform is None else self.transform(image), np.array([self.labels[number - 1]], np.int64)

    def __len__(self) -> int:
        """Return the number of images."""
        return len(self.indexes)
