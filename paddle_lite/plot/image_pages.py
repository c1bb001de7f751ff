"""`images` and `feature_maps`: pages of pictures that arrays hold."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from ..core.errors import IndexRangeError, ShapeError, message
from ..logs.numbers import as_array
from .figures import MARK, columns_for, new_figure, styled

__all__ = ["feature_maps", "images"]

PANEL = 1.15  # inches


def images(
    images: Any,
    titles: Sequence[str] | None = None,
    marked: Collection[int] = (),
    limit: int = 64,
    columns: int | None = None,
    title: str | None = None,
) -> Any:
    """Draw a page of images.

    Arguments:
        images: an array or Variable [n, height, width], or with 1, 3 or 4 channels in front of the height or behind the width.
            Floats are scaled together from the smallest to the largest number; uint8 as it is.
        titles: a text for each image.
        marked: the places of images whose titles and frames stand out.
        limit: the largest number of images that are drawn.
        columns: the number of images side by side.
        title: a title above all.

    Returns:
        A Figure of Matplotlib with `save(path)`.

    Raises:
        ShapeError: `images` has another shape, or `titles` another length.
        MissingPackageError: Matplotlib is not installed.

    >>> import numpy as np, paddle_lite as paddle
    >>> figure = paddle.plot.images(np.random.rand(6, 1, 8, 8), titles=list('abcdef'))
    >>> len(figure.axes)
    6
    """
    where = "plot.images"
    array = _channels_last(as_array(images, where, "images"), where)
    if titles is not None and len(titles) < len(array[:limit]):
        raise ShapeError(message(where, "titles", f"{len(titles)} texts", f"one for each of {len(array)} images"))
    low, high = (0, 255) if array.dtype == np.uint8 else (float(array.min(initial=0)), float(array.max(initial=0)))
    if array.shape[-1] > 1 and array.dtype != np.uint8:
        array = np.clip((array - low) / ((high - low) or 1), 0, 1)
    shown = array[:limit]
    with styled():
        figure, panels = _page(len(shown), columns, shown.shape[1:3], bool(titles), title)
        for place, (axes, image) in enumerate(zip(panels, shown, strict=True)):
            axes.imshow(image[..., 0] if image.shape[-1] == 1 else image, cmap="gray", vmin=low, vmax=high)
            if titles is not None:
                axes.set_title(titles[place], fontsize=8, color=MARK if place in marked else "#303030", pad=2)
            for spine in axes.spines.values():
                spine.set(visible=place in marked, color=MARK, linewidth=2)
    return figure


def feature_maps(
    values: Any, sample: int = 0, limit: int = 64, columns: int | None = None, title: str | None = "feature maps"
) -> Any:
    """Draw the channels of one sample, with one scale of colours; of values of both signs white is zero.

    Arguments:
        values: an array or Variable [n, channels, height, width] or [channels, height, width], such as the result of a convolution.
        sample: which of the n samples.
        limit: the largest number of channels that are drawn.
        columns: the number of channels side by side.
        title: a title above all.

    Returns:
        A Figure of Matplotlib with `save(path)`.

    Raises:
        ShapeError: `values` has another shape.
        IndexRangeError: there is no such sample.
        MissingPackageError: Matplotlib is not installed.

    >>> import numpy as np, paddle_lite as paddle
    >>> figure = paddle.plot.feature_maps(np.random.randn(2, 6, 10, 10))
    >>> len(figure.axes)    # and one for the scale
    7
    """
    where = "plot.feature_maps"
    array = as_array(values, where, "values")
    if array.ndim not in (3, 4) or 0 in array.shape:
        needs = "[channels, height, width], or the same with the number of samples in front"
        raise ShapeError(message(where, "values", f"shape {list(array.shape)}", needs))
    if array.ndim == 4:
        if not -len(array) <= sample < len(array):
            raise IndexRangeError(
                message(where, "sample", str(sample), f"less than {len(array)}, the number of samples")
            )
        array = array[sample]
    shown = array[:limit].astype(float)
    finite = shown[np.isfinite(shown)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    colors = "viridis"
    if low < 0 < high:
        colors, high = "RdBu_r", max(-low, high)
        low = -high
    with styled():
        figure, panels = _page(len(shown), columns, shown.shape[1:], True, title)
        for place, (axes, channel) in enumerate(zip(panels, shown, strict=True)):
            drawn = axes.imshow(channel, cmap=colors, vmin=low, vmax=high)
            axes.set_title(str(place), fontsize=8, color="#303030", pad=2)
            for spine in axes.spines.values():
                spine.set(visible=True, color="#b0b0b0", linewidth=0.5)
        figure.colorbar(drawn, ax=panels, label="value", fraction=0.05, aspect=30, pad=0.02)
    if len(array) > limit:
        figure.supxlabel(f"the first {limit} of {len(array)} channels", fontsize=9)
    return figure


def _page(
    count: int, columns: int | None, size: Sequence[int], titled: bool, title: str | None
) -> tuple[Any, list[Any]]:
    """Return a Figure and axes for `count` pictures of a size."""
    if not count:
        raise ShapeError(message("plot.images", "images", "no image", "at least one"))
    rows, across = columns_for(count, columns, 10)
    ratio = min(3.0, max(1 / 3, size[0] / size[1]))
    wide, tall = (PANEL, PANEL * ratio) if ratio >= 1 else (PANEL / ratio, PANEL)
    figure = new_figure(max(3.2, across * wide + 0.6), rows * (tall + 0.2 * titled) + 0.4 * bool(title) + 0.2)
    grid = list(figure.subplots(rows, across, squeeze=False).flat)
    for axes in grid[count:]:
        axes.remove()
    for axes in grid[:count]:
        axes.set(xticks=[], yticks=[])
    if title:
        figure.suptitle(title)
    return figure, grid[:count]


def _channels_last(array: np.ndarray, where: str) -> np.ndarray:
    """Return images as [n, height, width, channels]."""
    if array.ndim == 3:
        return array[..., None]
    if array.ndim == 4 and array.shape[1] in (1, 3, 4):
        return array.transpose(0, 2, 3, 1)
    if array.ndim == 4 and array.shape[3] in (1, 3, 4):
        return array
    needs = "[n, height, width], or with 1, 3 or 4 channels at place 1 or 3"
    raise ShapeError(message(where, "images", f"shape {list(array.shape)}", needs))
