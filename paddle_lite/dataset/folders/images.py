"""Images of a folder for each class, in batches of files: `paddle.utils.preprocess_img`."""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import ArgumentValueError, message
from ..image import pillow
from ..image_util import crop_img, resize_image
from ..preprocess_util import Label, get_label_set_from_dir, list_images, save_file
from .batches import Dataset, DatasetCreater

__all__ = ["DiskImage", "ImageClassificationDatasetCreater"]


class DiskImage:
    """An image in a file, which is read when it is needed.

    Arguments:
        path: the file.
        target_size: how long its shorter side is to be, in pixels.
    """

    def __init__(self, path: str, target_size: int) -> None:
        self.path, self.target_size = path, target_size
        self.img: Any = None

    def read_image(self) -> None:
        """Read the file, once, and resize the image."""
        if self.img is None:
            image = pillow().open(self.path)
            image.load()
            self.img = resize_image(image, self.target_size)

    def convert_to_array(self) -> npt.NDArray[Any]:
        """Return the pixels, [channels, height, width], or [height, width] of a grey image."""
        self.read_image()
        pixels = np.array(self.img)
        return pixels.transpose(2, 0, 1) if pixels.ndim == 3 else pixels

    def convert_to_paddle_format(self) -> bytes:
        """Return the image as a JPEG file, bytes."""
        self.read_image()
        file = io.BytesIO()
        self.img.save(file, "jpeg")
        return file.getvalue()


class ImageClassificationDatasetCreater(DatasetCreater):
    """Makes batches of images: each class is a folder of images in the folders `train` and `test`.

    Arguments:
        data_path: the folder; the batches go into its folder `batches`.
        target_size: how long the shorter sides of images are to be, in pixels.
        color: whether the images have three channels.
    """

    def __init__(self, data_path: str, target_size: int, color: bool = True) -> None:
        super().__init__(data_path)
        self.target_size, self.color = target_size, color
        self.keys = ["images", "labels"]
        self.permute_key = "labels"

    def create_meta_file(self, data: Dataset) -> None:
        """Write the mean of the images' middles, their size and the number of classes into the file `meta_filename`."""
        total = np.zeros((3,) * bool(self.color) + (self.target_size, self.target_size), "int64")
        for image, _ in data.data:
            total += crop_img(image.convert_to_array(), self.target_size, self.color)
        meta = {
            "data_mean": (total // max(len(data.data), 1)).astype("int32").flatten(), "image_size": self.target_size,
            "mean_image_size": self.target_size, "num_classes": len({label.label for _, label in data.data}),
            "color": self.color,
        }  # fmt: skip
        save_file(meta, os.path.join(self.output_path, self.meta_filename))

    def create_dataset_from_list(self, path: str) -> tuple[Dataset, dict[str, int]]:
        """Return the Dataset of a file with a path of an image and the number of its class on each line, and the classes.

        Raises:
            ArgumentValueError: a line is something else.
        """
        data, classes = [], dict[str, int]()
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                name, _, label = line.strip().rpartition(" ") if "\t" not in line else line.strip().rpartition("\t")
                if not name or not label.isdecimal():
                    got = f"{line.strip()!r} on line {number}"
                    raise ArgumentValueError(message("create_dataset_from_list", "path", got, "a path and a number"))
                data.append((DiskImage(name.strip(), self.target_size), Label(int(label), label)))
                classes[label] = int(label)
        return Dataset(data, self.keys), classes

    def create_dataset_from_dir(self, path: str) -> tuple[Dataset, dict[str, int]]:
        """Return the Dataset of a folder with a folder for each class, in an order of chance, and the classes."""
        classes = get_label_set_from_dir(path)
        data = [
            (DiskImage(image, self.target_size), Label(number, name))
            for name, number in classes.items()
            for image in list_images(os.path.join(path, name))
        ]
        made = Dataset(data, self.keys)
        made.uniform_permute()
        return made, classes
