"""Convolutions of channels-last images as products: the inputs of each output position times packed filters.

The inputs of a position, `[row of the window, column of the window, channel]`, are a row of the left matrix. For windows of
one point the images are this matrix; otherwise the rows of some positions are gathered in memory that stays in the cache.
Filters are packed into panels (`math/packed_matrix.py`). A tile of the product keeps its sums in registers, where bias,
another summand and limits are applied, too.

Work is cut into units: the filters of some panels at some positions.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from paddle_lite.kernels.cpu.conv.epilogue import Epilogue
from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.cpu.math.register_blocks import AT_ONCE, Tiling, panel_tile, tiling
from paddle_lite.kernels.cpu.support.scratch import scratch
from paddle_lite.kernels.numba_jit import Jitted, compile_source, inline
from paddle_lite.kernels.simd import SIZE, lanes, load, load_first, store, zeros
from paddle_lite.kernels.threads import Rooms, parallel_for, thread_count, threads_sharing

__all__ = ["classes", "clear", "copy", "forward", "matrices", "tile_lines"]

ROOM = 1 << 16  # elements of the left matrix and of the result of a unit: a quarter of a megabyte of float32
FINISH = "bias, y_from + j, k + some == depth, more, added, low, high"  # what finished tiles take in the kernel
FEWEST = 64  # positions of a unit, to amortise reading the filters


def matrices(w: np.ndarray, groups: int) -> list[np.ndarray]:
    """Return the right matrix of each group, [taps, filters], of filters [K, C / groups, KH, KW]."""
    each = w.reshape(groups, w.shape[0] // groups, *w.shape[1:])
    return [one.transpose(2, 3, 1, 0).reshape(-1, one.shape[0]) for one in each]


def forward(
    g: Geometry, x: np.ndarray, panels: list[np.ndarray], y: np.ndarray, added: np.ndarray | None, after: Epilogue
) -> None:
    """Compute y [N, OH, OW, K] from x [N, H, W, C].

    Args:
        g: the sizes.
        x: the images.
        panels: the matrix of each group, packed.
        y: the results.
        added: what is added to the results before the activation, like y; None for nothing.
        after: bias and activation.
    """
    kernel, pieces, spans, size, gathered = _cut(g, y.dtype, threads_sharing(g.work))
    flat, out, pixel = x.reshape(-1), y.reshape(-1), x.shape[3]
    count = thread_count() if gathered else 0
    source = scratch("conv columns", (count * (size * g.taps + 2 * SIZE),), x.dtype) if gathered else flat
    rooms = Rooms(count, (1,) * gathered)
    for group in range(g.groups):
        args = (
            flat, source, panels[group], after.bias, out if added is None else added.reshape(-1), out, spans, size,
            g.batch * g.outputs, group * g.channels, pixel, group * g.filters, y.shape[3], g.taps, g.filters, gathered,
            added is not None, after.low, after.high, g.out_height, g.out_width, g.height, g.width, g.channels,
            *g.kernel, *g.strides, g.pads[0], g.pads[2], *g.dilations,
        )  # fmt: skip
        parallel_for(kernel, pieces * spans, g.work // g.groups, args, rooms=rooms)
    after.finish_rest(y)


@functools.lru_cache(maxsize=1024)
def _cut(g: Geometry, dtype: np.dtype, threads: int) -> tuple[Jitted, int, int, int, bool]:
    """Return the kernel, the numbers of pieces of positions and of spans of panels, the positions of a piece, and whether
    inputs are gathered."""
    positions = g.batch * g.outputs
    gathered = g.kernel != (1, 1) or g.strides != (1, 1) or any(g.pads)
    pieces = -(-positions // max(FEWEST, ROOM // (g.taps + g.filters)))
    columns = -(-g.filters // (tiling().vectors * lanes(dtype)))
    spans = 1
    if threads > 1:
        if columns >= threads and g.filters >= positions:
            spans = threads
        else:
            pieces = -(-pieces // threads) * threads
    size = -(-positions // pieces)
    return _kernel(tiling(), *classes(g.filters, dtype)), -(-positions // size), spans, size, gathered


@inline
def copy(target, to, source, at, count):
    """Copy elements; the last vector may write beyond the end."""
    step = SIZE // source.itemsize
    whole = count // step * step
    for k in range(0, whole, step):
        store(target, to + k, load(source, at + k))
    if whole < count:
        store(target, to + whole, load_first(source, at + whole, count - whole))


@inline
def clear(target, to, count):
    """Set elements to 0; the last vector may write beyond the end."""
    for k in range(0, count, SIZE // target.itemsize):
        store(target, to + k, zeros(target))


@inline
def _gather(
    x, room, first, rows, x_from, pixel, out_height, out_width, height, width, channels, kernel_h, kernel_w,
    stride_h, stride_w, top, left, dilation_h, dilation_w,
):  # fmt: skip
    """Write the inputs of some positions; points of the padding are 0."""
    together = kernel_w if dilation_w == 1 and pixel == channels else 1  # points that lie side by side
    run, step, to = together * channels, SIZE // x.itemsize, 0
    most = (run + step - 1) // step * step  # what whole vectors copy
    image, row, column = first // (out_height * out_width), first // out_width % out_height, first % out_width
    for _ in range(rows):
        top_row, first_column = row * stride_h - top, column * stride_w - left
        for i in range(kernel_h):
            h = top_row + i * dilation_h
            line = (image * height + h) * width
            for j in range(0, kernel_w, together):
                w = first_column + j * dilation_w
                at = (line + w) * pixel + x_from
                if 0 <= h < height and w >= 0 and w + together <= width and at + most <= x.size:
                    for k in range(0, run, step):
                        store(room, to + k, load(x, at + k))
                else:
                    begin, end = max(0, -w), min(together, width - w)
                    if h < 0 or h >= height or begin >= end:
                        begin, end = 0, 0
                    clear(room, to, begin * channels)
                    copy(room, to + begin * channels, x, at + begin * pixel, (end - begin) * channels)
                    clear(room, to + end * channels, (together - end) * channels)
                to += run
        column += 1
        if column == out_width:
            column, row = 0, row + 1
            if row == out_height:
                row, image = 0, image + 1


@functools.cache
def _kernel(tiling: Tiling, panels: bool, rest: int) -> Jitted:
    """Return the kernel for one class of numbers of filters; panels, rest: as for `tile_lines`."""
    lines, scope = tile_lines(tiling, panels, rest, FINISH)
    head = [
        "def convolve(",
        "    first, last, x, source, w, bias, added, y, spans, size, positions, x_from, pixel, y_from, y_pitch, depth,",
        "    filters, gathered, more, low, high, out_height, out_width, height, width, channels, kernel_h, kernel_w,",
        "    stride_h, stride_w, top, left, dilation_h, dilation_w,",
        "):",
        "    step, w_from = SIZE // y.itemsize, 0",
        f"    panels = -(-filters // ({tiling.vectors} * step))",
        "    laid_out, pitch = -1, depth if gathered else pixel",
        "    for unit in range(first, last):",
        "        piece, span = unit // spans, unit % spans",
        "        position = piece * size",
        "        rows = min(size, positions - position)",
        "        if gathered and piece != laid_out:",
        "            gather(",
        "                x, source, position, rows, x_from, pixel, out_height, out_width, height, width, channels,",
        "                kernel_h, kernel_w, stride_h, stride_w, top, left, dilation_h, dilation_w,",
        "            )",
        "            laid_out = piece",
        "        begin, start = 0 if gathered else x_from + position * pixel, y_from + position * y_pitch",
        "        for panel in range(panels * span // spans, panels * (span + 1) // spans):",
        *lines,
    ]
    scope |= {"gather": _gather}
    return compile_source("convolve", "\n".join(head) + "\n", scope, shared=True)


def tile_lines(tiling: Tiling, panels: bool, rest: int, finish: str = "") -> tuple[list[str], dict[str, Any]]:
    """Return lines that compute the columns of a panel of a product, for the body of a loop in a kernel, and their globals.

    They read `panel`, `step`, the matrix `source` (its first element `begin`, `pitch` between rows, `rows`, `depth`), the
    panels `w` of `filters` columns (the first element `w_from`), and write `y` (`start`, `y_pitch`); they set `j`, the
    panel's first column, `remain`, the number of columns from there on, and `wide`, the width of the panel.

    Args:
        panels: whether there are panels of `tiling.vectors` full vectors.
        rest: the number of vectors of the panel behind these, the last of which may be partly used; 0 for none.
        finish: the arguments of finished tiles (`register_blocks.panel_tile`); "" for sums alone.
    """
    most, heights = tiling.vectors, (1, 2, *tiling.rows)
    scope: dict[str, Any] = {"SIZE": SIZE, "AT_ONCE": AT_ONCE}
    lines = [
        f"j = panel * {most} * step",
        "remain = filters - j",
        f"wide = min({most}, -(-remain // step)) * step",
        f"blocks = -(-rows // {heights[-1]})",
        "for k in range(0, depth, AT_ONCE):",
        "    some, at = min(AT_ONCE, depth - k), w_from + j * depth + k * wide",
        "    i = 0",
        "    for block in range(blocks):",
        "        tall = (rows - i) // (blocks - block)",
        "        x_at, to = begin + i * pitch + k, start + i * y_pitch + j",
    ]
    branch = "if"
    for vectors, whole in [(most, True)] * panels + [(rest, False)] * (rest > 0):
        fits = f"remain >= {most} * step" if whole else f"remain < {most} * step"
        for height in heights:
            name = f"tile_{height}_{vectors}" + "_whole" * whole
            scope[name] = panel_tile(name, height, vectors, whole, finish != "")
            given = f"source, x_at, pitch, w, at, wide, some, y, to, y_pitch, remain, k > 0, y, block{', ' * (finish != '')}{finish}"
            lines += [f"        {branch} {fits} and tall == {height}:", f"            {name}({given})"]
            branch = "elif"
    return [" " * 12 + line for line in [*lines, "        i += tall"]], scope


def classes(filters: int, dtype: Any) -> tuple[bool, int]:
    """Return whether there are panels of full vectors, and the number of vectors of a narrower one behind them."""
    width, step = tiling().vectors * lanes(dtype), lanes(dtype)
    return filters >= width, -(-(filters % width) // step)
