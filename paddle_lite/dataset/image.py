"""Decode, resize, crop and flip images for training, as `paddle.dataset.image` of Fluid does with OpenCV.

Pillow (the extra `image`) decodes instead of OpenCV. Colours are in the order blue, green, red, as in OpenCV. PNG files
decode to the same values, JPEG files to values that may differ by a few units; sizes change to OpenCV's values. An image
is an array of rows x columns x 3, or of rows x columns when it is grey.
"""

from __future__ import annotations

import io
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import ArgumentValueError, describe, message
from .archives import format_error, tar_files
from .resampling import CUBIC, check_image, resized

__all__ = [
    "batch_images_from_tar",
    "center_crop",
    "left_right_flip",
    "load_and_transform",
    "load_image",
    "load_image_bytes",
    "random_crop",
    "resize_short",
    "simple_transform",
    "to_chw",
]

Image = npt.NDArray[Any]


def pillow() -> Any:
    """Return the module `PIL.Image`; raise an error that names the extra where Pillow is not installed."""
    try:
        from PIL import Image as module
    except ImportError as error:
        raise ImportError(
            "paddle.dataset.image needs Pillow to decode and resize images: `pip install paddle_lite[image]`."
        ) from error
    return module


def batch_images_from_tar(
    data_file: str | os.PathLike[str], dataset_name: str, img2label: dict[str, int], num_per_batch: int = 1024
) -> str:
    """Write the labelled images of a tar archive to pickled batches, unless that was done before.

    Arguments:
        data_file: path of the archive; the batches go to the folder `<data_file>_batch/<dataset_name>/`.
        dataset_name: name of the folder of batches.
        img2label: dict from names of files in the archive to labels; images that it lacks are left out.
        num_per_batch: images in a batch, at least 1.

    Returns:
        The path of a text file with the path of a batch in each line. A batch is a dict with `data`, a list of the
            contents of image files in the order of the archive, and `label`, the list of their labels.

    Raises:
        ArgumentValueError: `num_per_batch` is below 1.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> paddle.dataset.image.batch_images_from_tar("102.tgz", "cats", {"jpg/1.jpg": 0})  # doctest: +SKIP
        '102.tgz_batch/cats.txt'
    """
    if num_per_batch < 1:
        where = "paddle.dataset.image.batch_images_from_tar"
        raise ArgumentValueError(message(where, "num_per_batch", describe(num_per_batch), "at least 1 image"))
    folder = Path(f"{os.fspath(data_file)}_batch", dataset_name)
    listing = folder.with_name(f"{dataset_name}.txt")
    if listing.exists():
        return str(listing)
    found = tar_files(data_file, "", "a tar archive of images")
    chosen = [(content, img2label[name]) for name, content in found if name in img2label]
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, start in enumerate(range(0, len(chosen), num_per_batch)):
        contents, labels = zip(*chosen[start : start + num_per_batch], strict=True)
        paths.append(folder / f"batch_{number}")
        paths[-1].write_bytes(pickle.dumps({"label": list(labels), "data": list(contents)}, protocol=2))
    listing.write_text("".join(f"{path.absolute()}\n" for path in paths))
    return str(listing)


def load_image_bytes(bytes: bytes, is_color: bool = True) -> Image:
    """Decode the content of an image file.

    Arguments:
        bytes: the content of the file.
        is_color: True decodes to blue, green, red; False decodes to grey.

    Returns:
        A uint8 array of rows x columns x 3, or of rows x columns when `is_color` is False.

    Raises:
        FileFormatError: the content is not an image that Pillow can decode.
        ImportError: Pillow is not installed.

    Example:
        >>> import paddle_lite as paddle
        >>> content = open("cat.png", "rb").read()  # doctest: +SKIP
        >>> paddle.dataset.image.load_image_bytes(content).shape  # doctest: +SKIP
        (480, 640, 3)
    """
    return _decoded(bytes, "the content", is_color)


def load_image(file: str | os.PathLike[str], is_color: bool = True) -> Image:
    """Decode an image file.

    Arguments:
        file: path of the file.
        is_color: True decodes to blue, green, red; False decodes to grey.

    Returns:
        A uint8 array of rows x columns x 3, or of rows x columns when `is_color` is False.

    Raises:
        FileFormatError: the file is not an image that Pillow can decode.
        ImportError: Pillow is not installed.
        OSError: the file cannot be read.

    Example:
        >>> import paddle_lite as paddle
        >>> paddle.dataset.image.load_image("cat.png").shape  # doctest: +SKIP
        (480, 640, 3)
    """
    return _decoded(Path(file).read_bytes(), file, is_color)


def _decoded(content: bytes, name: str | os.PathLike[str], is_color: bool) -> Image:
    """Return the pixels of an image; `name` is the name of the image in errors."""
    module = pillow()
    try:
        with module.open(io.BytesIO(content)) as image:
            pixels = np.asarray(image.convert("RGB")) if is_color else _grey(image)
    except (OSError, SyntaxError, ValueError) as error:  # Pillow's own errors are OSErrors
        raise format_error(name, str(error), "an image that Pillow can decode, as JPEG or PNG") from error
    return np.ascontiguousarray(pixels[:, :, ::-1]) if is_color else pixels.copy()


def _grey(image: Any) -> Image:
    """Return the grey of a Pillow image as OpenCV decodes it."""
    image.draft("L", None)  # a JPEG file holds its grey apart from its colours
    if image.format != "PNG" or image.mode in ("1", "L", "LA"):
        return np.asarray(image.convert("L"))
    red, green, blue = np.moveaxis(np.asarray(image.convert("RGB"), np.int32), 2, 0)
    return ((9797 * red + 19234 * green + 3737 * blue) >> 15).astype(np.uint8)  # 0.299, 0.587, 0.114, as libpng


def resize_short(im: Image, size: int) -> Image:
    """Resize an image so that its shorter side has `size` pixels, by cubic interpolation.

    Arguments:
        im: array of rows x columns x 3, or of rows x columns; uint8 or floats.
        size: pixels of the shorter side of the result, at least 1.

    Returns:
        The resized image, of the same dtype; the longer side is rounded down to whole pixels.

    Raises:
        ArgumentTypeError, ArgumentValueError, DtypeError: `size` is below 1, or the image is empty or has another
            dtype or rank.

    Example:
        >>> import numpy as np
        >>> import paddle_lite as paddle
        >>> image = np.zeros([30, 40, 3], np.uint8)
        >>> paddle.dataset.image.resize_short(image, 15).shape  # doctest: +SKIP
        (15, 20, 3)
    """
    where = "paddle.dataset.image.resize_short"
    check_image(where, im)
    if size < 1:
        raise ArgumentValueError(message(where, "size", describe(size), "at least 1 pixel"))
    rows, columns = im.shape[:2]
    height, width = (size, size * columns // rows) if rows <= columns else (size * rows // columns, size)
    return resized(im, height, width, CUBIC)


def to_chw(im: Image, order: tuple[int, ...] = (2, 0, 1)) -> Image:
    """Transpose an image, by default from rows x columns x colours to colours x rows x columns.

    Arguments:
        im: array with as many axes as `order` has entries.
        order: the axes of `im` in their new order.

    Returns:
        A view of `im` with the axes in the new order.

    Raises:
        ArgumentValueError: the rank of `im` is not the length of `order`.

    Example:
        >>> import numpy as np
        >>> import paddle_lite as paddle
        >>> paddle.dataset.image.to_chw(np.zeros([4, 5, 3])).shape
        (3, 4, 5)
    """
    if im.ndim != len(order):
        needs = f"{len(order)} axes, as order has"
        raise ArgumentValueError(message("paddle.dataset.image.to_chw", "im", describe(im), needs))
    return im.transpose(order)


def _check_crop(call: str, im: Image, size: int) -> None:
    """Raise an error for a crop that is larger than the image."""
    if not 1 <= size <= min(im.shape[:2]):
        needs = f"1 .. {min(im.shape[:2])}, as the image has shape {list(im.shape)}"
        fix = "Resize it first: resize_short(im, size)."
        raise ArgumentValueError(message(f"paddle.dataset.image.{call}", "size", describe(size), needs, fix))


def center_crop(im: Image, size: int, is_color: bool = True) -> Image:
    """Crop `size` x `size` pixels at the centre of an image.

    Arguments:
        im: array of rows x columns x colours, or of rows x columns.
        size: rows and columns of the crop.
        is_color: accepted for Fluid code, ignored: the shape of `im` tells.

    Returns:
        A view of the pixels, `size` x `size` or `size` x `size` x colours.

    Raises:
        ArgumentValueError: `size` is below 1 or larger than the shorter side of the image.

    Example:
        >>> import numpy as np
        >>> import paddle_lite as paddle
        >>> paddle.dataset.image.center_crop(np.arange(16).reshape(4, 4), 2, is_color=False).tolist()
        [[5, 6], [9, 10]]
    """
    _check_crop("center_crop", im, size)
    row, column = ((side - size) // 2 for side in im.shape[:2])
    return im[row : row + size, column : column + size]


def random_crop(im: Image, size: int, is_color: bool = True) -> Image:
    """Crop `size` x `size` pixels at a random place of an image.

    NumPy's global generator draws first the row, then the column of the top left corner.

    Arguments:
        im: array of rows x columns x colours, or of rows x columns.
        size: rows and columns of the crop.
        is_color: accepted for Fluid code, ignored: the shape of `im` tells.

    Returns:
        A view of the pixels, `size` x `size` or `size` x `size` x colours.

    Raises:
        ArgumentValueError: `size` is below 1 or larger than the shorter side of the image.

    Example:
        >>> import numpy as np
        >>> import paddle_lite as paddle
        >>> paddle.dataset.image.random_crop(np.zeros([30, 40, 3]), 12).shape
        (12, 12, 3)
    """
    _check_crop("random_crop", im, size)
    row, column = (np.random.randint(0, side - size + 1) for side in im.shape[:2])
    return im[row : row + size, column : column + size]


def left_right_flip(im: Image, is_color: bool = True) -> Image:
    """Mirror an image: exchange left and right.

    Arguments:
        im: array of rows x columns x colours, or of rows x columns.
        is_color: accepted for Fluid code, ignored: the shape of `im` tells.

    Returns:
        A view of the mirrored pixels, of the shape of `im`.

    Example:
        >>> import numpy as np
        >>> import paddle_lite as paddle
        >>> paddle.dataset.image.left_right_flip(np.array([[1, 2], [3, 4]]), is_color=False).tolist()
        [[2, 1], [4, 3]]
    """
    return im[:, ::-1]


def simple_transform(
    im: Image, resize_size: int, crop_size: int, is_train: bool, is_color: bool = True, mean: Any = None
) -> npt.NDArray[np.float32]:
    """Resize and crop an image, to train also flip it at random, then subtract a mean.

    Arguments:
        im: uint8 array of rows x columns x 3, or of rows x columns.
        resize_size: pixels of the shorter side after resizing.
        crop_size: rows and columns of the result.
        is_train: True crops at a random place and flips with probability 1/2, drawn from NumPy's global generator;
            False crops the centre.
        is_color: True reads a `mean` of rank 1 as one number for each colour.
        mean: one number for each colour, or an array that broadcasts to the shape of the result, such as [127] for a
            grey image; None subtracts nothing.

    Returns:
        A float32 array of 3 x `crop_size` x `crop_size`, or of `crop_size` x `crop_size` for a grey image.

    Raises:
        ArgumentValueError: `im` is not an image, a size is below 1, the crop is larger than the resized image, or the
            shape of `mean` does not match.
        ImportError: Pillow is not installed.

    Example:
        >>> import numpy as np
        >>> import paddle_lite as paddle
        >>> image = np.zeros([30, 40, 3], np.uint8)
        >>> paddle.dataset.image.simple_transform(image, 16, 12, is_train=False).shape  # doctest: +SKIP
        (3, 12, 12)
    """
    im = resize_short(im, resize_size)
    if is_train:
        im = random_crop(im, crop_size)
        if np.random.randint(2) == 0:
            im = left_right_flip(im)
    else:
        im = center_crop(im, crop_size)
    result = np.array(to_chw(im) if im.ndim == 3 else im, dtype=np.float32, order="C")
    if mean is not None:
        shift = np.asarray(mean, dtype=np.float32)
        shift = shift[:, None, None] if shift.ndim == 1 and is_color else shift
        if not _broadcasts(shift.shape, result.shape):
            needs = f"a number for each colour, or a shape that broadcasts to {list(result.shape)}"
            raise ArgumentValueError(message("paddle.dataset.image", "mean", describe(np.asarray(mean)), needs))
        result -= shift
    return result


def _broadcasts(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Return whether an array of `shape` can be subtracted from one of `target` in place."""
    return len(shape) <= len(target) and all(size in (1, full) for size, full in zip(shape[::-1], target[::-1]))


def load_and_transform(
    filename: str | os.PathLike[str],
    resize_size: int,
    crop_size: int,
    is_train: bool,
    is_color: bool = True,
    mean: Any = None,
) -> npt.NDArray[np.float32]:
    """Decode an image file, then resize, crop, flip and subtract a mean as in `simple_transform`.

    Arguments:
        filename: path of the file.
        resize_size: pixels of the shorter side after resizing.
        crop_size: rows and columns of the result.
        is_train: True crops at a random place and flips with probability 1/2, drawn from NumPy's global generator;
            False crops the centre.
        is_color: True decodes to blue, green, red; False decodes to grey.
        mean: one number for each colour, or an array that broadcasts to the shape of the result, such as [127] for a
            grey image; None subtracts nothing.

    Returns:
        A float32 array of 3 x `crop_size` x `crop_size`, or of `crop_size` x `crop_size` when `is_color` is False.

    Raises:
        ArgumentValueError: a size is below 1, the crop is larger than the resized image, or the shape of `mean` does
            not match.
        FileFormatError: the file is not an image that Pillow can decode.
        ImportError: Pillow is not installed.
        OSError: the file cannot be read.

    Example:
        >>> import paddle_lite as paddle
        >>> image = paddle.dataset.image.load_and_transform("cat.png", 256, 224, is_train=False)  # doctest: +SKIP
        >>> image.shape  # doctest: +SKIP
        (3, 224, 224)
    """
    return simple_transform(load_image(filename, is_color), resize_size, crop_size, is_train, is_color, mean)
