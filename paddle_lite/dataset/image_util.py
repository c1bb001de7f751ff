"""Images of PaddlePaddle 0.10's tools, `paddle.utils.image_util`: channels first, resized by Pillow, mean subtracted.

What PaddlePaddle 1.8.5 computes on Python 3 is computed here. Its `crop_img`, `preprocess_img`, `load_meta` and
`decode_jpeg` fail there in every call, for they are of Python 2; here they do what their names say.
"""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import ArgumentValueError, MissingKeyError, ShapeError, message
from .image import pillow

__all__ = [
    "ImageTransformer",
    "crop_img",
    "decode_jpeg",
    "flip",
    "load_image",
    "load_meta",
    "oversample",
    "preprocess_img",
    "resize_image",
]

Array = npt.NDArray[Any]


def resize_image(img: Any, target_size: int) -> Any:
    """Resize an image of Pillow so that its shorter side is `target_size` pixels long.

    Arguments:
        img: a PIL.Image.
        target_size: the length.

    Returns:
        A PIL.Image.
    """
    scale = target_size / float(min(img.size))
    size = tuple(round(length * scale) for length in img.size)
    return img.resize(size, pillow().Resampling.LANCZOS)


def load_image(img_path: str | os.PathLike[str], is_color: bool = True) -> Any:
    """Open an image.

    Arguments:
        img_path: the path of the file.
        is_color: accepted for code of that time; the image has the channels of the file.

    Returns:
        A PIL.Image whose pixels are read.
    """
    img = pillow().open(img_path)
    img.load()
    return img


def flip(im: Array) -> Array:
    """Return an image from right to left.

    Arguments:
        im: [channels, height, width] or [height, width].

    Returns:
        A view of it.

    Raises:
        ShapeError: `im` has another rank.

    >>> import numpy as np
    >>> from paddle_lite.utils.image_util import flip
    >>> flip(np.array([[1, 2, 3]])).tolist()
    [[3, 2, 1]]
    """
    if im.ndim not in (2, 3):
        raise ShapeError(message("flip", "im", f"shape {im.shape}", "[channels, height, width] or [height, width]"))
    return im[..., ::-1]


def crop_img(im: Array, inner_size: int, color: bool = True, test: bool = True) -> Array:
    """Cut a square out of an image; an image that is smaller than that is put into the middle of zeros before.

    Arguments:
        im: [channels, height, width], or [height, width] where `color` is False.
        inner_size: the length of the square's sides.
        color: whether there are channels.
        test: take the middle; False takes any place, and flips half of the images.

    Returns:
        The square.

    Raises:
        ShapeError: `im` has another rank.

    >>> import numpy as np
    >>> from paddle_lite.utils.image_util import crop_img
    >>> crop_img(np.arange(12).reshape(3, 4), 2, color=False).tolist()
    [[1, 2], [5, 6]]
    """
    _need_rank("crop_img", im, color)
    height, width = (max(length, inner_size) for length in im.shape[-2:])
    top, left = (height - im.shape[-2]) // 2, (width - im.shape[-1]) // 2
    padded = np.zeros((*im.shape[:-2], height, width), im.dtype)
    padded[..., top : top + im.shape[-2], left : left + im.shape[-1]] = im
    if test:
        row, column = (height - inner_size) // 2, (width - inner_size) // 2
    else:
        row, column = (np.random.randint(0, length - inner_size + 1) for length in (height, width))
    cut = padded[..., row : row + inner_size, column : column + inner_size]
    return flip(cut) if not test and np.random.randint(2) == 0 else cut


def _need_rank(call: str, im: Array, color: bool) -> None:
    if im.ndim != (3 if color else 2):
        needs = "[channels, height, width]" if color else "[height, width]"
        raise ShapeError(message(call, "im", f"shape {im.shape}", needs, "color says whether there are channels."))


def decode_jpeg(jpeg_string: bytes) -> Array:
    """Return the pixels of a JPEG or other image.

    Arguments:
        jpeg_string: the content of the file, bytes.

    Returns:
        An array: [channels, height, width], or [height, width] of a grey image.
    """
    pixels = np.array(pillow().open(io.BytesIO(jpeg_string)))
    return pixels.transpose(2, 0, 1) if pixels.ndim == 3 else pixels


def preprocess_img(im: Array, img_mean: Array, crop_size: int, is_train: bool, color: bool = True) -> Array:
    """Cut a square out of an image, subtract a mean, and flatten it.

    Arguments:
        im: as of `crop_img`.
        img_mean: as many numbers as the square has, as `load_meta` returns them.
        crop_size: the length of the square's sides.
        is_train: take any place, and flip half of the images; False takes the middle.
        color: whether there are channels.

    Returns:
        A float32 array of one axis.

    Raises:
        ShapeError: `im` has another rank, or `img_mean` another number of elements.
    """
    cut = crop_img(im.astype("float32"), crop_size, color, test=not is_train).flatten()
    if np.size(img_mean) != cut.size:
        raise ShapeError(message("preprocess_img", "img_mean", f"{np.size(img_mean)} numbers", f"{cut.size}"))
    return cut - np.reshape(img_mean, -1).astype("float32")


def load_meta(meta_path: str | os.PathLike[str], mean_img_size: int, crop_size: int, color: bool = True) -> Array:
    """Return the middle of the mean of a data set's images, which a file of `np.savez` holds as data_mean.

    Arguments:
        meta_path: the file.
        mean_img_size: the length of the mean's sides.
        crop_size: the length of the middle's sides.
        color: whether there are three channels.

    Returns:
        A float32 array of one axis.

    Raises:
        MissingKeyError: the file has no data_mean.
        ShapeError: the mean has another number of elements.
    """
    with np.load(meta_path) as stored:
        if "data_mean" not in stored:
            raise MissingKeyError(message("load_meta", "meta_path", f"arrays {sorted(stored)}", "an array data_mean"))
        mean = stored["data_mean"]
    shape = (3,) * color + (mean_img_size, mean_img_size)
    if mean.size != np.prod(shape):
        needs = f"{np.prod(shape)} numbers, for shape {shape}"
        raise ShapeError(message("load_meta", "data_mean", f"{mean.size} numbers", needs))
    return crop_img(mean.reshape(shape), crop_size, color).flatten().astype("float32")


def oversample(img: Sequence[Array], crop_dims: Sequence[int]) -> Array:
    """Cut ten rectangles out of each image: the four corners and the middle, and these from right to left.

    Arguments:
        img: images of one size, [height, width, channels].
        crop_dims: height and width of the rectangles.

    Returns:
        A float32 array of shape [10 * images, height, width, channels].

    Raises:
        ShapeError: an image is smaller than a rectangle.

    >>> import numpy as np
    >>> from paddle_lite.utils.image_util import oversample
    >>> oversample([np.arange(9.).reshape(3, 3, 1)], (1, 1)).ravel().tolist()
    [0.0, 2.0, 6.0, 8.0, 4.0, 0.0, 2.0, 6.0, 8.0, 4.0]
    """
    height, width = (int(length) for length in crop_dims)
    rows, columns = img[0].shape[:2]
    if height > rows or width > columns:
        needs = f"at most {(rows, columns)}, the size of the images"
        raise ShapeError(message("oversample", "crop_dims", f"{(height, width)}", needs))
    places = [(row, column) for row in (0, rows - height) for column in (0, columns - width)]
    places.append(((rows - height) // 2, (columns - width) // 2))
    cut = [[each[row : row + height, column : column + width] for row, column in places] for each in img]
    halves = [[*five, *(rectangle[:, ::-1] for rectangle in five)] for five in cut]
    return np.array(halves, "float32").reshape(-1, height, width, img[0].shape[-1])


class ImageTransformer:
    """Puts the axes and channels of images into another order, and subtracts a mean.

    Arguments:
        transpose: the order of the axes, such as (2, 0, 1).
        channel_swap: the order of the first axis after that, such as (2, 1, 0).
        mean: a number for each channel, or an array as large as an image.
        is_color: whether images have channels.

    Raises:
        ArgumentValueError: an order has another length than it needs.

    >>> import numpy as np
    >>> from paddle_lite.utils.image_util import ImageTransformer
    >>> change = ImageTransformer(transpose=(2, 0, 1), channel_swap=(2, 1, 0), mean=np.array([1., 2., 3.]))
    >>> change.transformer(np.array([[[10., 20., 30.]]])).ravel().tolist()
    [29.0, 18.0, 7.0]
    """

    transpose: Any = None
    channel_swap: Any = None
    mean: Any = None

    def __init__(
        self, transpose: Any = None, channel_swap: Any = None, mean: Array | None = None, is_color: bool = True
    ) -> None:
        self.is_color = is_color
        self.set_transpose(transpose)
        self.set_channel_swap(channel_swap)
        self.set_mean(mean)

    def set_transpose(self, order: Sequence[int] | None) -> None:
        """Set the order of the axes; None keeps it."""
        if order is not None and self.is_color and len(order) != 3:
            raise ArgumentValueError(message("ImageTransformer", "transpose", f"{order}", "the order of three axes"))
        self.transpose = order

    def set_channel_swap(self, order: Sequence[int] | None) -> None:
        """Set the order of the channels; None keeps it."""
        if order is not None and self.is_color and len(order) != 3:
            raise ArgumentValueError(
                message("ImageTransformer", "channel_swap", f"{order}", "the order of three channels")
            )
        self.channel_swap = order

    def set_mean(self, mean: Array | None) -> None:
        """Set what is subtracted; None subtracts nothing."""
        self.mean = mean if mean is None or mean.ndim != 1 else mean[:, np.newaxis, np.newaxis]

    def transformer(self, data: Array) -> Array:
        """Return an image transformed; as in PaddlePaddle, without `channel_swap` the mean is subtracted from `data` itself."""
        if self.transpose is not None:
            data = data.transpose(self.transpose)
        if self.channel_swap is not None:
            data = data[list(self.channel_swap)]
        if self.mean is not None:
            data -= self.mean
        return data
