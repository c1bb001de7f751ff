"""`attention`: how much each position looks at each other one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.errors import IndexRangeError, ShapeError, message
from ..logs.numbers import as_array
from .figures import columns_for, new_figure, styled

__all__ = ["attention"]

WHERE = "plot.attention"
WORDS = 60
"""The largest number of words that are written at an axis."""


def attention(
    weights: Any,
    queries: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    sample: int = 0,
    columns: int | None = None,
    title: str | None = "attention",
) -> Any:
    """Draw the weights of attention: a row for each query, a column for each key, a panel for each head.

    Arguments:
        weights: an array or Variable [queries, keys], [heads, queries, keys] or [n, heads, queries, keys].
        queries, keys: the words at the rows and columns; of padded weights only the parts of these words are drawn. `keys` is
            `queries` where there are as many of both, if None.
        sample: which of the n samples.
        columns: the number of heads side by side.
        title: a title above all.

    Returns:
        A Figure of Matplotlib with `save(path)`.

    Raises:
        ShapeError: `weights` has another shape, or there are more words than positions, or none.
        IndexRangeError: there is no such sample.
        MissingPackageError: Matplotlib is not installed.

    >>> import numpy as np, paddle_lite as paddle
    >>> weights = np.random.dirichlet(np.ones(3), size=[2, 3])
    >>> figure = paddle.plot.attention(weights, ['the', 'cat', 'sat'])
    >>> figure.axes[1].get_title()
    'head 1'
    """
    array = as_array(weights, WHERE, "weights").astype(float)
    if array.ndim not in (2, 3, 4) or 0 in array.shape:
        needs = "[queries, keys], [heads, queries, keys] or [n, heads, queries, keys]"
        raise ShapeError(message(WHERE, "weights", f"shape {list(array.shape)}", needs))
    if array.ndim == 4:
        if not -len(array) <= sample < len(array):
            raise IndexRangeError(
                message(WHERE, "sample", str(sample), f"less than {len(array)}, the number of samples")
            )
        array = array[sample]
    heads = array[None] if array.ndim == 2 else array
    if keys is None and queries is not None and heads.shape[1] == heads.shape[2]:
        keys = queries
    for name, words, place in (("queries", queries, 1), ("keys", keys, 2)):
        if words is not None and not 1 <= len(words) <= heads.shape[place]:
            needs = f"from 1 to {heads.shape[place]}, as `weights` has"
            raise ShapeError(message(WHERE, name, f"{len(words)} words", needs))
    heads = heads[:, : len(queries) if queries is not None else None, : len(keys) if keys is not None else None]
    rows, across = columns_for(len(heads), columns, 4)
    wide, tall = (min(7.0, max(2.4, 0.3 * n)) for n in (heads.shape[2], heads.shape[1]))
    with styled():
        figure = new_figure(across * wide + 1.8, rows * (tall + 0.9) + 0.3)
        grid = list(figure.subplots(rows, across, squeeze=False).flat)
        for axes in grid[len(heads) :]:
            axes.remove()
        for number, (axes, head) in enumerate(zip(grid, heads, strict=False)):
            drawn = axes.imshow(head, cmap="viridis", vmin=0, vmax=float(np.nanmax(heads)), aspect="auto")
            _words(axes.xaxis, keys, "key")
            _words(axes.yaxis, queries, "query")
            axes.tick_params(axis="x", rotation=90 if keys is not None else 0)
            if len(heads) > 1:
                axes.set_title(f"head {number}")
            axes.label_outer()
        figure.colorbar(drawn, ax=grid[: len(heads)], label="weight", fraction=0.05, aspect=30, pad=0.02)
        if title:
            figure.suptitle(title)
    return figure


def _words(axis: Any, words: Sequence[str] | None, label: str) -> None:
    axis.set_label_text(label)
    if words is not None and len(words) <= WORDS:
        axis.set_ticks(range(len(words)), labels=list(words), fontsize=8)
    else:
        axis.get_major_locator().set_params(integer=True)
