"""Transforms that move pixels or change the layout: sizes, crops, flips, axes, normalisation, noise."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, describe, message
from ....dataset.resampling import LARGEST, LINEAR
from ....layers.support.arguments import check_number, is_int
from .functional import flip, resize

__all__ = [
    "CenterCrop",
    "CenterCropResize",
    "GaussianNoise",
    "Normalize",
    "Permute",
    "RandomHorizontalFlip",
    "RandomResizedCrop",
    "RandomVerticalFlip",
    "Resize",
]


def _pair(where: str, name: str, size: Any) -> tuple[int, int]:
    """Return a size as (rows, columns); an int is both."""
    pair = (size, size) if is_int(size) else size
    if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not all(map(is_int, pair)):
        raise ArgumentTypeError(message(where, name, describe(size), "an int, or (rows, columns)"))
    if not all(1 <= n <= LARGEST for n in pair):
        raise ArgumentValueError(message(where, name, describe(size), f"sizes from 1 to {LARGEST}"))
    return int(pair[0]), int(pair[1])


def _with_channels(where: str, img: Any) -> None:
    """Raise unless an image is an array of three axes."""
    if not isinstance(img, np.ndarray) or img.ndim != 3:
        raise ShapeError(message(where, "img", describe(img), "an array of rows x columns x channels"))


class Resize:
    """Changes the size.

    Arguments:
        size: (rows, columns); an int: of the shorter side, and the other one in proportion.
        interpolation: 0 nearest, 1 linear, 2 cubic, 3 area, 4 Lanczos: the numbers of OpenCV; or a list to draw from.

    Raises:
        ArgumentTypeError: `size` is something else.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import Resize
    >>> Resize(8)(np.zeros([16, 32, 3], 'float32')).shape
    (8, 16, 3)
    """

    def __init__(self, size: Any, interpolation: Any = LINEAR) -> None:
        _pair("Resize", "size", size)
        self.size, self.interpolation = size, interpolation

    def __call__(self, img: np.ndarray) -> np.ndarray:
        """Return the image in the size."""
        return resize(img, self.size, self.interpolation)


class RandomResizedCrop:
    """Cuts out a part of random size and proportions, and changes its size.

    Arguments:
        output_size: (rows, columns) of the result; an int is both.
        scale: the range of the part's area, as a share of the image's.
        ratio: the range of the part's width divided by its height.
        interpolation: as for Resize.

    Raises:
        ArgumentValueError: a range is upside down.
        ArgumentTypeError: `output_size` is something else.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import RandomResizedCrop
    >>> RandomResizedCrop(8)(np.zeros([16, 32, 3], 'float32')).shape
    (8, 8, 3)
    """

    def __init__(
        self,
        output_size: Any,
        scale: Sequence[float] = (0.08, 1.0),
        ratio: Sequence[float] = (3.0 / 4, 4.0 / 3),
        interpolation: Any = LINEAR,
    ) -> None:
        self.output_size = _pair("RandomResizedCrop", "output_size", output_size)
        for name, limits in (("scale", scale), ("ratio", ratio)):
            if limits[0] > limits[1]:
                raise ArgumentValueError(message("RandomResizedCrop", name, describe(limits), "(least, most)"))
        self.scale, self.ratio, self.interpolation = scale, ratio, interpolation

    def _get_params(self, image: np.ndarray, attempts: int = 10) -> tuple[int, int, int, int]:
        """Return the left column, the upper row, the width and the height of the part."""
        height, width, _ = image.shape
        for _ in range(attempts):
            area = np.random.uniform(self.scale[0], self.scale[1]) * (height * width)
            aspect = math.exp(np.random.uniform(math.log(self.ratio[0]), math.log(self.ratio[1])))
            w, h = round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))
            if 0 < w <= width and 0 < h <= height:
                x = np.random.randint(0, width - w + 1)
                return x, np.random.randint(0, height - h + 1), w, h
        w, h = width, height
        if width / height < min(self.ratio):
            h = round(width / min(self.ratio))
        elif width / height > max(self.ratio):
            w = round(height * max(self.ratio))
        return (width - w) // 2, (height - h) // 2, w, h

    def __call__(self, img: np.ndarray) -> np.ndarray:
        """Return a part of the image in the size.

        Raises:
            ShapeError: `img` is no image with channels.
        """
        _with_channels("RandomResizedCrop", img)
        x, y, w, h = self._get_params(img)
        return resize(img[y : y + h, x : x + w], self.output_size, self.interpolation)


class CenterCropResize:
    """Cuts out the middle without a border, and changes its size.

    Arguments:
        size: (rows, columns) of the result; an int is both.
        crop_padding: how many pixels of `size + crop_padding` the border has.
        interpolation: as for Resize.

    Raises:
        ArgumentTypeError: `size` is something else.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import CenterCropResize
    >>> CenterCropResize(8)(np.zeros([16, 32, 3], 'float32')).shape
    (8, 8, 3)
    """

    def __init__(self, size: Any, crop_padding: int = 32, interpolation: Any = LINEAR) -> None:
        self.size = _pair("CenterCropResize", "size", size)
        self.crop_padding, self.interpolation = crop_padding, interpolation

    def _get_params(self, img: np.ndarray) -> tuple[int, int, int]:
        """Return the side of the middle, its upper row and its left column."""
        rows, columns = img.shape[:2]
        side = min(self.size)
        side = int(side / (side + self.crop_padding) * min(rows, columns))
        return side, (rows + 1 - side) // 2, (columns + 1 - side) // 2

    def __call__(self, img: np.ndarray) -> np.ndarray:
        """Return the middle of the image in the size.

        Raises:
            ShapeError: `img` is no image with channels.
        """
        _with_channels("CenterCropResize", img)
        side, row, column = self._get_params(img)
        return resize(img[row : row + side, column : column + side, :], self.size, self.interpolation)


class CenterCrop:
    """Cuts out the middle.

    Arguments:
        output_size: (rows, columns) of the result; an int is both.

    Raises:
        ArgumentTypeError: `output_size` is something else.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import CenterCrop
    >>> CenterCrop((2, 1))(np.arange(12).reshape(4, 3, 1))[..., 0].tolist()
    [[4], [7]]
    """

    def __init__(self, output_size: Any) -> None:
        self.output_size = _pair("CenterCrop", "output_size", output_size)

    def _get_params(self, img: np.ndarray) -> tuple[int, int]:
        """Return the upper row and the left column of the middle."""
        height, width = self.output_size
        rows, columns, _ = img.shape
        if height > rows or width > columns:
            needs = f"at least {height} x {width}, the output size"
            raise ShapeError(message("CenterCrop", "img", f"{rows} x {columns} pixels", needs, "Resize it before."))
        return round((rows - height) / 2.0), round((columns - width) / 2.0)

    def __call__(self, img: np.ndarray) -> np.ndarray:
        """Return the middle of the image.

        Raises:
            ShapeError: the image is smaller, or no image with channels.
        """
        _with_channels("CenterCrop", img)
        row, column = self._get_params(img)
        height, width = self.output_size
        return img[row : row + height, column : column + width]


class RandomHorizontalFlip:
    """Swaps left and right at random.

    Arguments:
        prob: the probability.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import RandomHorizontalFlip
    >>> RandomHorizontalFlip(1.0)(np.uint8([[1, 2, 3]])).tolist()
    [[3, 2, 1]]
    """

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = check_number("RandomHorizontalFlip", "prob", prob)

    def __call__(self, img: np.ndarray) -> np.ndarray:
        """Return the image, perhaps flipped."""
        return flip(img, code=1) if np.random.random() < self.prob else img


class RandomVerticalFlip:
    """Turns images upside down at random.

    Arguments:
        prob: the probability.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import RandomVerticalFlip
    >>> RandomVerticalFlip(1.0)(np.uint8([[1], [2]])).tolist()
    [[2], [1]]
    """

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = check_number("RandomVerticalFlip", "prob", prob)

    def __call__(self, img: np.ndarray) -> np.ndarray:
        """Return the image, perhaps flipped."""
        return flip(img, code=0) if np.random.random() < self.prob else img


class Normalize:
    """Subtracts a mean from each channel, and divides it by a deviation. The channels are the first axis.

    Arguments:
        mean: a number for each channel; one number: for three channels.
        std: the same.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import Normalize
    >>> Normalize(mean=[1.0, 2.0], std=[2.0, 4.0])(np.full([2, 1, 1], 6, 'float32')).tolist()
    [[[2.5]], [[1.0]]]
    """

    def __init__(self, mean: Any = 0.0, std: Any = 1.0) -> None:
        self.mean, self.std = (
            np.array([each] * 3 if isinstance(each, numbers.Real) else each, np.float32).reshape(-1, 1, 1)
            for each in (mean, std)
        )

    def __call__(self, img: np.ndarray) -> np.ndarray:
        """Return the normalised image, channels x rows x columns.

        Raises:
            ShapeError: it has another number of channels than there are means, or deviations.
        """
        try:
            return (img - self.mean) / self.std
        except ValueError:
            needs = f"channels x rows x columns, of {len(self.mean)} means and {len(self.std)} deviations"
            raise ShapeError(message("Normalize", "img", describe(img), needs)) from None


class Permute:
    """Makes channels the first axis, as networks need it.

    Arguments:
        mode: "CHW".
        to_rgb: whether to reverse the channels, from blue, green, red to red, green, blue.

    Raises:
        ArgumentValueError: `mode` is something else.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import Permute
    >>> Permute()(np.uint8([[[1, 2, 3]]])).tolist()
    [[[3]], [[2]], [[1]]]
    """

    def __init__(self, mode: str = "CHW", to_rgb: bool = True) -> None:
        if mode != "CHW":
            raise ArgumentValueError(message("Permute", "mode", describe(mode), "'CHW'"))
        self.mode, self.to_rgb = mode, to_rgb

    def __call__(self, img: np.ndarray) -> np.ndarray:
        """Return the image as channels x rows x columns.

        Raises:
            ShapeError: it is not rows x columns x channels.
        """
        _with_channels("Permute", img)
        return (img[..., ::-1] if self.to_rgb else img).transpose((2, 0, 1))


class GaussianNoise:
    """Adds noise of a normal distribution to each value, from 0 to 255.

    Arguments:
        mean: its mean, as a share of 255.
        std: its deviation, as a share of 255.

    Raises:
        ArgumentValueError: `std` is below 0.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import GaussianNoise
    >>> GaussianNoise(mean=0.1, std=0.0)(np.zeros([1, 1, 3], 'uint8')).tolist()
    [[[25, 25, 25]]]
    """

    def __init__(self, mean: float = 0.0, std: float = 1.0) -> None:
        self.mean, self.std = np.float32(float(mean)), np.float32(float(std))
        if not self.std >= 0:
            raise ArgumentValueError(message("GaussianNoise", "std", describe(std), "a number of 0 or more"))

    def __call__(self, img: np.ndarray) -> np.ndarray:
        """Return the image with noise."""
        noise = np.random.normal(self.mean, self.std, img.shape) * 255
        return np.clip(img + noise.astype(np.float32), 0, 255).astype(img.dtype)
