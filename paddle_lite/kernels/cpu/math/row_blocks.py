"""Products of matrices with many rows: blocks of rows of the left matrix, each of which stays in the second-level cache.

Where panels are narrow, a product of panel after panel reads all rows of the left matrix for each, faster than caches that cores share
deliver them. Here, a part of the right matrix is packed at once, by panels. A thread copies a block of rows, those of a tile by columns
where these are in one piece, to memory of its own, and multiplies it with all panels. The sums are those of `block_products.py`, bit by bit.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from paddle_lite.kernels.array_pointers import array_at
from paddle_lite.kernels.cpu.math.packing import pack_columns, pack_rows
from paddle_lite.kernels.cpu.math.register_blocks import AT_ONCE, Tiling, panel_tile, tiling
from paddle_lite.kernels.cpu.support.scratch import scratch
from paddle_lite.kernels.numba_jit import Jitted, compile_source
from paddle_lite.kernels.simd import lanes, load, load_first, store
from paddle_lite.kernels.threads import Rooms, parallel_for, thread_count

__all__ = ["multiply_by_blocks", "pays"]

FEWEST = 768  # rows; with fewer, caches deliver the left matrix fast enough, and packing a large right one takes longer
FEWEST_BY_COLUMNS = 192  # rows of a left matrix whose columns are in one piece: it is copied in any case
PANELS = 1 << 21  # bytes of packed panels
TOGETHER = 4  # panels that are packed at once: a row's elements for all of them are in few cache lines, and in one page of memory
GAP = 16  # elements between rows of a block: rows apart by a power of two would map to the same cache sets
WORK = 24  # multiply-adds that take as long as an element of a sum of two arrays, the unit of `parallel_for`


def pays(x: np.ndarray, y: np.ndarray) -> bool:
    """Return whether a product x @ y is computed by blocks of rows: that of two matrices, the left one with many rows."""
    fewest = FEWEST if x.strides[-1] == x.itemsize else FEWEST_BY_COLUMNS
    return x.ndim == y.ndim == 2 and len(x) >= fewest and tiling().block > 0


def multiply_by_blocks(x: np.ndarray, y: np.ndarray, out: np.ndarray, added: bool) -> None:
    """Compute out = x @ y, or out += x @ y if `added`.

    Args:
        x: [rows, inner]. y: [inner, columns]. The elements of a row or of a column are side by side.
        out: [rows, columns], the elements of a row side by side. All have one dtype, float32 or float64.

    Example:
        >>> out = np.empty((200, 2))
        >>> multiply_by_blocks(np.ones((200, 5)), np.ones((5, 2)), out, added=False)
        >>> bool((out == 5).all())
        True
    """
    (rows, inner), columns, size, dtype = x.shape, y.shape[1], out.itemsize, out.dtype
    cut, step, threads = tiling(), lanes(dtype), thread_count()
    most, depth = cut.vectors * step, min(inner, AT_ONCE)
    x_turned, y_turned = (each.strides[1] != size and each.shape[1] > 1 for each in (x, y))
    x_pitch, y_pitch = x.strides[1 if x_turned else 0] // size, y.strides[1 if y_turned else 0] // size
    to_pitch = out.strides[0] // size
    wide = min(columns, max(1, PANELS // (depth * most * size)) * most)
    blocks = -(-rows * depth * size // cut.block)
    blocks = min(-(-blocks // threads) * threads, rows // cut.rows[-1])  # as many for each thread
    panels = scratch("packed panels", (-(-wide // step) * step * depth,), dtype)
    room = scratch("block of rows", (threads * -(-rows // blocks) * (depth + GAP),), dtype)
    rooms, pack = Rooms(threads, (1,)), _pack(step, most, y_turned)
    for k in range(0, inner, depth):
        left, terms = x[:, k : k + depth], min(depth, inner - k)
        for j in range(0, columns, wide):
            right, to = y[k : k + depth, j : j + wide], out[:, j : j + wide]
            width = to.shape[1]
            count = -(-width // most)
            parallel_for(pack, -(-count // TOGETHER), right.size, (panels, id(right), terms, width, y_pitch))
            kernel = _kernel(cut, width >= most, -(-(width % most) // step), step, x_turned)
            args = (
                panels,
                room,
                id(left),
                id(to),
                rows,
                terms,
                width,
                blocks,
                x_pitch,
                to_pitch,
                added or k > 0,
            )
            parallel_for(kernel, blocks * count, rows * right.size // WORK, args, rooms=rooms)


@functools.cache
def _pack(step: int, most: int, turned: bool) -> Jitted:
    """Return the kernel that packs a matrix by panels, TOGETHER of them in a unit.

    Args:
        step: the elements of a vector. most: the columns of a panel. turned: whether the elements of a column are side by side.
    """
    lines = [
        "def pack(first, last, room, y_at, depth, columns, pitch):",
        f"    y = array_at(y_at, {'columns' if turned else 'depth'} * pitch, room)",
        "    for unit in range(first, last):",
        f"        start, end = unit * {TOGETHER * most}, min((unit + 1) * {TOGETHER * most}, columns)",
    ]
    if turned:
        lines += [
            f"        for j in range(start, end, {most}):",
            f"            wide = min({most}, -(-(columns - j) // {step}) * {step})",
            "            pack_columns(room, y, j * pitch, pitch, depth, wide, columns - j, j * depth)",
        ]
    else:
        lines += [
            f"        whole = (end - start) // {most} * {most} + start",
            "        for k in range(depth):",
            f"            for j in range(start, whole, {most}):",
            f"                for v in range(0, {most}, {step}):",
            f"                    store(room, j * depth + k * {most} + v, load(y, k * pitch + j + v))",
            "        if whole < end:",
            f"            wide = -(-(end - whole) // {step}) * {step}",
            "            pack_rows(room, y, whole, pitch, depth, wide, end - whole, whole * depth)",
        ]
    scope = {
        "array_at": array_at,
        "load": load,
        "pack_rows": pack_rows,
        "pack_columns": pack_columns(step),
        "store": store,
    }
    return compile_source("pack", "\n".join(lines) + "\n", scope, shared=True, in_vectors=True)


@functools.cache
def _kernel(tiling: Tiling, panels: bool, rest: int, step: int, turned: bool) -> Jitted:
    """Return the kernel: a loop over units, the panels of one block of rows after those of another; in each a loop over tiles of rows.

    Args:
        panels: whether there are panels of `tiling.vectors` full vectors.
        rest: the number of vectors of the panel behind these, the last of which may be partly used; 0 for none.
        step: the elements of a vector.
        turned: whether the elements of a column of the left matrix are side by side. The rows of each tile are then copied by columns.
    """
    most = tiling.vectors
    lines = [
        "def product(first, last, y, room, x_at, to_at, rows, depth, columns, blocks, x_pitch, to_pitch, added):",
        f"    x, to = array_at(x_at, {'depth' if turned else 'rows'} * x_pitch, y), array_at(to_at, rows * to_pitch, y)",
        f"    panels, pitch, laid_out = -(-columns // {most * step}), depth + {GAP}, -1",
        "    for unit in range(first, last):",
        f"        block, j = unit // panels, unit % panels * {most * step}",
        "        start, end = rows * block // blocks, rows * (block + 1) // blocks",
        f"        tiles = -(-(end - start) // {tiling.rows[-1]})",
        "        if block != laid_out:",
        *_copy(turned, step),
        "            laid_out = block",
        "        left = columns - j",
        f"        wide, i = min({most}, -(-left // {step})) * {step}, start",
        "        for tile in range(tiles):",
        "            height = (end - i) // (tiles - tile)",
        "            x_from, to_from = (i - start) * pitch, i * to_pitch + j",
    ]
    scope: dict[str, Any] = {
        "array_at": array_at,
        "load": load,
        "load_first": load_first,
        "pack_rows": pack_rows,
        "store": store,
    }
    branch = "if"
    for vectors, whole in [(most, True)] * panels + [(rest, False)] * (rest > 0):
        fits = f"left >= {most * step}" if whole else f"left < {most * step}"
        for height in tiling.rows[1:]:
            name = f"block_{height}_{vectors}" + "_whole" * whole
            scope[name] = panel_tile(name, height, vectors, whole, False, turned)
            x_pitch = "height" if turned else "pitch"
            given = f"room, x_from, {x_pitch}, y, j * depth, wide, depth, to, to_from, to_pitch, left, added, to, tile"
            lines += [f"            {branch} {fits} and height == {height}:", f"                {name}({given})"]
            branch = "elif"
    lines.append("            i += height")
    return compile_source("product", "\n".join(lines) + "\n", scope, shared=True, in_vectors=True)


def _copy(turned: bool, step: int) -> list[str]:
    """Return the lines that copy a block of rows: row by row, or the rows of a tile column by column, some columns of all tiles at a time."""
    if not turned:
        return [
            "            for r in range(end - start):",
            "                pack_rows(room, x, (start + r) * x_pitch, 0, 1, depth, depth, r * pitch)",
        ]
    return [
        f"            for k in range(0, depth, {step}):",
        f"                i, some = start, min({step}, depth - k)",
        "                for tile in range(tiles):",
        "                    height = (end - i) // (tiles - tile)",
        "                    x_from, to_from = k * x_pitch + i, (i - start) * pitch + k * height",
        f"                    if i + {step} <= rows:",
        "                        for c in range(some):",
        "                            store(room, to_from + c * height, load(x, x_from + c * x_pitch))",
        "                    else:",
        "                        for c in range(some):",
        "                            store(room, to_from + c * height, load_first(x, x_from + c * x_pitch, rows - i))",
        "                    i += height",
    ]
