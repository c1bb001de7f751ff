"""Products of matrices by register tiles, which the threads of a team share.

A result is computed in units: some rows of the columns of one panel. The right matrix is read in place, which is fastest for few
rows; or the thread that computes a unit first packs the panel into memory of its own, which stays in the second-level cache; or
it has been packed before (`packed_matrix.py`). Each sum is made in the order of its terms by one thread, so that the bits of a
result depend neither on the number of threads nor on how the right matrix is read.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from paddle_lite.kernels.array_pointers import array_at
from paddle_lite.kernels.cpu.math.packing import pack_columns, pack_rows, square
from paddle_lite.kernels.cpu.math.register_blocks import (
    AT_ONCE,
    Tile,
    Tiling,
    panel_tile,
    prefetching_tile,
    tile,
    tiling,
)
from paddle_lite.kernels.cpu.math.row_blocks import multiply_by_blocks, pays
from paddle_lite.kernels.cpu.support.scratch import scratch
from paddle_lite.kernels.numba_jit import Jitted, compile_source
from paddle_lite.kernels.simd import SIZE, lanes
from paddle_lite.kernels.threads import NO_ROOMS, Rooms, parallel_for, thread_count

__all__ = [
    "WORK",
    "multiply",
    "multiply_contiguous",
    "multiply_panels",
    "multiply_transposed",
    "product_in_kernels",
    "transpose",
]

IN_PLACE, PACKING, PACKED = "in place", "packing", "packed"  # how the right matrix is read
CACHED = 1 << 14  # elements of a right matrix that stays in the first-level cache, so that packing does not pay
ALONE = 1 << 20  # multiply-adds that are never shared
FEW = 12  # rows of a unit; with more, no tile has the least number of rows
LEAST_ROWS = 60  # of a unit whose panel is packed
PARTS = 4  # units for each thread, so that one that is held up leaves some to others
WORK = 24  # multiply-adds that take as long as an element of a sum of two arrays, the unit of `parallel_for`
MOST_TERMS = 256  # of products of stacks whose transposed left matrices are read in place
TURNED = 1 << 19  # elements of transposed left matrices that are there at once
TERMS_AT_ONCE, ROWS_AT_ONCE = 1024, 64  # of one of them, at least; the number of terms is a multiple of this one

_LIKE = {np.dtype(dtype): np.empty(0, dtype) for dtype in (np.float32, np.float64)}


def multiply(x: np.ndarray, y: np.ndarray, out: np.ndarray, added: bool = False) -> None:
    """Compute out = x @ y, or out += x @ y if `added`.

    Args:
        x: [rows, inner] or a stack of such matrices; 3 rows or more, the elements of a row side by side.
        y: [inner, columns] or a stack, the elements of a row or of a column side by side.
        out: [rows, columns] or a stack, the elements of a row side by side. All have one dtype, float32 or float64.

    Example:
        >>> out = np.empty((3, 2))
        >>> multiply(np.ones((3, 5)), np.ones((2, 5)).T, out)
        >>> bool((out == 5).all())
        True
    """
    if pays(x, y):
        multiply_by_blocks(x, y, out, added)
    else:
        _multiply(x, y, out, added, False)


def _multiply(x: np.ndarray, y: np.ndarray, out: np.ndarray, added: bool, by_columns: bool) -> None:
    """Compute out = x @ y, or out += x @ y if `added`; by_columns: whether the elements of a column of x are side by side."""
    size, (rows, inner), columns = out.itemsize, x.shape[-2:], y.shape[-1]
    turned = y.strides[-1] != size and columns > 1
    x_pitch = x.strides[-1 if by_columns else -2] // size
    y_pitch, to_pitch = y.strides[-1 if turned else -2] // size, out.strides[-2] // size
    stack, aparts = 1, [0, 0, 0]
    if out.ndim == 3:
        stack = len(out)
        aparts = [each.strides[0] // size if each.ndim == 3 else 0 for each in (x, y, out)]
    _run(
        PACKING if turned else _how(rows, inner, columns), x, y, out, out, stack, rows, inner, columns,
        (x_pitch, y_pitch, to_pitch), aparts, added, turned, by_columns,
    )  # fmt: skip


def multiply_contiguous(x: np.ndarray, y: np.ndarray, out: np.ndarray, rows: int, inner: int, columns: int) -> None:
    """Compute out = x @ y, as `multiply` does, for C-contiguous matrices of these sizes."""
    how = _how(rows, inner, columns)
    if how is IN_PLACE and rows * inner * columns < ALONE:
        kernel, panels, _ = _kernel_for(how, rows < FEW, columns, out.dtype, False)
        like, at = _LIKE[out.dtype], id(out)
        kernel(
            0, panels, like, like, id(x), id(y), at, at, 1, rows, inner, columns, 1, inner, columns, columns, 0, 0, 0, False, False
        )  # fmt: skip
    else:
        _run(how, x, y, out, out, 1, rows, inner, columns, (inner, columns, columns), (0, 0, 0), False, False)


def multiply_panels(
    x: np.ndarray, panels: np.ndarray, columns: int, out: np.ndarray, start: np.ndarray | None = None
) -> None:
    """Compute out = x @ y, or out = start + x @ y.

    Args:
        x: [rows, inner], C-contiguous. panels: y as packed by `packed_matrix.pack`. columns: the columns of y.
        out, start: [rows, columns], C-contiguous.
    """
    rows, inner = x.shape
    begin = out if start is None else start
    pitches = inner, 0, columns
    _run(
        PACKED, x, panels, begin, out, 1, rows, inner, columns, pitches, (0, 0, 0), start is not None, False
    )  # fmt: skip


def multiply_transposed(x: np.ndarray, y: np.ndarray, out: np.ndarray, added: bool = False) -> None:
    """Compute out = x.T @ y, or out += x.T @ y if `added`, or the same of each matrix of stacks.

    Args:
        x: [inner, rows] or a stack of such matrices; 3 rows or more, the elements of a row side by side.
        y, out: as for `multiply`.

    Example:
        >>> out = np.empty((3, 2))
        >>> multiply_transposed(np.ones((5, 3)), np.ones((5, 2)), out)
        >>> bool((out == 5).all())
        True
    """
    if pays(x.swapaxes(-1, -2), y):
        multiply_by_blocks(x.T, y, out, added)
        return
    *stack, inner, rows = x.shape
    if stack and inner <= MOST_TERMS:
        _multiply(x.swapaxes(-1, -2), y, out, added, True)
        return
    some = max(1, TURNED // (inner * rows))  # matrices
    if stack and stack[0] > some:
        for k in range(0, stack[0], some):
            right = y[k : k + some] if y.ndim == 3 else y
            multiply_transposed(x[k : k + some], right, out[k : k + some], added)
        return
    terms = _at_once(TURNED // (prod(stack) * rows), TERMS_AT_ONCE)
    pieces = -(-rows // _at_once(TURNED // (prod(stack) * min(inner, terms)), ROWS_AT_ONCE))
    for top, end in pairwise(rows * k // pieces for k in range(pieces + 1)):
        for first in range(0, inner, terms):
            part = x[..., first : first + terms, top:end]
            pitch = -(-part.shape[-2] // 32) * 32 + 16  # rows apart by a power of two would map to the same cache sets
            turned = scratch("product transposed", (*stack, part.shape[-1], pitch), x.dtype)[..., : part.shape[-2]]
            transpose(part, turned)
            multiply(turned, y[..., first : first + terms, :], out[..., top:end, :], added or first > 0)


def _at_once(count: int, step: int) -> int:
    """Return the largest multiple of `step` that is at most `count`; `step`, if there is none."""
    return max(step, count // step * step)


def transpose(x: np.ndarray, out: np.ndarray) -> None:
    """Compute out = x.T, or the same of each matrix of stacks.

    Args:
        x: [rows, columns] or a stack of such matrices, the elements of a row side by side.
        out: [columns, rows] or a stack, likewise, of the same dtype, float32 or float64.

    Example:
        >>> out = np.empty((3, 2))
        >>> transpose(np.arange(6.0).reshape(2, 3), out)
        >>> out[2].tolist()
        [2.0, 5.0]
    """
    rows, columns = x.shape[-2:]
    n, size = lanes(x.dtype), x.itemsize
    stack, x_apart, to_apart = 1, 0, 0
    if x.ndim == 3:
        stack, x_apart, to_apart = len(x), x.strides[0] // size, out.strides[0] // size
    pitches = x.strides[-2] // size, out.strides[-2] // size
    args = _LIKE[x.dtype], id(x), id(out), stack, rows, columns, *pitches, x_apart, to_apart
    parallel_for(_transpose(n), stack * -(-columns // n), x.size, args)


def _how(rows: int, inner: int, columns: int) -> str:
    """Return how the right matrix is read, if its rows are in one piece."""
    return PACKING if rows >= tiling().packing and inner * columns > CACHED else IN_PLACE


def _run(
    how: str, x: np.ndarray, y: np.ndarray, begin: np.ndarray, out: np.ndarray, stack: int, rows: int, inner: int,
    columns: int, pitches: tuple[int, int, int], aparts: Sequence[int], added: bool, turned: bool, by_columns: bool = False,
) -> None:  # fmt: skip
    """Compute out = x @ y, or begin + x @ y if `added`."""
    threads, dtype = thread_count(), out.dtype
    kernel, panels, width = _kernel_for(how, rows < FEW, columns, dtype, by_columns)
    units, pieces, room, rooms = stack * panels, 1, _LIKE[dtype], NO_ROOMS
    if how == PACKING:
        room = scratch("product panels", (threads * width * min(inner, AT_ONCE),), dtype)
        rooms = Rooms(threads, (1,))
    if threads > 1:
        pieces = max(1, min(-(-PARTS * threads // max(1, units)), rows // (LEAST_ROWS if how == PACKING else 3)))
        kernel, _, _ = _kernel_for(how, rows // pieces < FEW, columns, dtype, by_columns)
    parallel_for(
        kernel, units * pieces, stack * rows * inner * columns // WORK,
        (
            _LIKE[dtype], room, id(x), id(y), id(begin), id(out), stack, rows, inner, columns, pieces, *pitches,
            *aparts, added, turned,
        ),
        rooms=rooms,
    )  # fmt: skip


@functools.lru_cache(maxsize=4096)
def _kernel_for(how: str, few: bool, columns: int, dtype: np.dtype, by_columns: bool) -> tuple[Jitted, int, int]:
    """Return the kernel for products with that many columns, the number of panels, and the width of the widest; `few`: of units with few rows."""
    cut, step = tiling(), lanes(dtype)
    panels, left = divmod(columns, cut.vectors * step)
    rest = -(-left // step)
    return (
        _kernel(how, few, cut, panels > 0, rest, step, by_columns),
        panels + (rest > 0),
        (cut.vectors if panels else rest) * step,
    )


@functools.cache
def _kernel(how: str, few: bool, tiling: Tiling, panels: bool, rest: int, step: int, by_columns: bool) -> Jitted:
    """Return a kernel: a loop over units, in each over parts of the sums, and in these over tiles of rows.

    A kernel holds the tiles of one class of widths and heights only, since compiling those of all takes four times as long.

    Args:
        how: how the right matrix is read.
        few: whether the rows of a unit may be fewer than FEW.
        panels: whether there are panels of `tiling.vectors` full vectors.
        rest: the number of vectors of the panel behind these, the last of which may be partly used; 0 for none.
        step: the elements of a vector.
        by_columns: whether the elements of a column of x are side by side.
    """
    lines = [
        "def product(",
        "    first, last, like, room, x_at, y_at, begin_at, to_at, stack, rows, inner, columns, pieces, x_pitch, y_pitch,",
        "    to_pitch, x_apart, y_apart, to_apart, added, turned,",
        "):",
        f"    x = array_at(x_at, (stack - 1) * x_apart + {'inner' if by_columns else 'rows'} * x_pitch, like)",
        "    to_size = (stack - 1) * to_apart + rows * to_pitch",
        "    y = array_at(y_at, (stack - 1) * y_apart + " + _SIZES[how] + ", like)",
        "    begin, to = array_at(begin_at, to_size, like), array_at(to_at, to_size, like)",
    ]
    units, scope = _units(how, tiling, panels, rest, step, tiling.rows if few else tiling.rows[1:], by_columns)
    scope |= {"array_at": array_at, "pack_rows": pack_rows, "pack_columns": pack_columns(step)}
    return compile_source("product", "\n".join([*lines, *units]) + "\n", scope, shared=True, in_vectors=True)


def product_in_kernels(columns: int, itemsize: int) -> Jitted:
    """Return a function for kernels that computes to = x @ y, or to = begin + x @ y where `added` is true, in tiles.

    Its arguments are x [rows, inner], y [inner, columns], begin and to [rows, columns], contiguous and flat, rows, inner, columns and
    added. There may be any number of rows.

    Arguments:
        columns: the columns of y, of which the function depends on some properties only. itemsize: of an element.
    """
    step = SIZE // itemsize
    panels, left = divmod(columns, tiling().vectors * step)
    return _product_in_kernels(tiling(), panels > 0, -(-left // step), step)


@functools.cache
def _product_in_kernels(tiling: Tiling, panels: bool, rest: int, step: int) -> Jitted:
    lines = [
        "def product(x, y, begin, to, rows, inner, columns, added):",
        "    x_pitch, y_pitch, to_pitch, x_apart, y_apart, to_apart = inner, columns, columns, 0, 0, 0",
        f"    first, last, pieces = 0, -(-columns // {tiling.vectors * step}), 1",
    ]
    units, scope = _units(IN_PLACE, tiling, panels, rest, step, range(1, tiling.rows[-1] + 1))
    return compile_source("product", "\n".join([*lines, *units]) + "\n", scope)


def _units(
    how: str, tiling: Tiling, panels: bool, rest: int, step: int, heights: Iterable[int], by_columns: bool = False
) -> tuple[list[str], dict[str, Any]]:
    """Return the lines of a loop over units, and the globals of the tiles.

    Args:
        how, tiling, panels, rest, step, by_columns: as for `_kernel`. heights: the numbers of rows of a tile.
    """
    most = tiling.vectors
    lines = [
        f"    panels, laid_out = -(-columns // {most * step}), -1",
        "    for unit in range(first, last):",
        "        which, piece = unit // pieces, unit % pieces",
        f"        matrix, j = which // panels, which % panels * {most * step}",
        "        left, row, end = columns - j, rows * piece // pieces, rows * (piece + 1) // pieces",
        f"        wide = min({most}, -(-left // {step})) * {step}",
        f"        for k in range(0, inner, {AT_ONCE}):",
        f"            depth, more, sums = min({AT_ONCE}, inner - k), k > 0 or added, to if k > 0 else begin",
        *_PANELS[how],
        f"            blocks, i = -(-(end - row) // {tiling.rows[-1]}), row",
        "            for block in range(blocks):",
        "                height = (end - i) // (blocks - block)",
        f"                x_from = matrix * x_apart + {'k * x_pitch + i' if by_columns else 'i * x_pitch + k'}",
        "                to_from = matrix * to_apart + i * to_pitch + j",
    ]
    scope: dict[str, Any] = {}
    branch = "if"
    for vectors, whole in [(most, True)] * panels + [(rest, False)] * (rest > 0):
        fits = f"left >= {most * step}" if whole else f"left < {most * step}"
        for height in heights:
            name = f"block_{height}_{vectors}" + "_whole" * whole
            scope[name] = _tile_for(how, name, height, vectors, whole, by_columns)
            right = "room, 0, wide" if how == PACKING else "y, panel, pitch"
            part = ", block" if how == PACKED else ""
            lines += [
                f"                {branch} {fits} and height == {height}:",
                f"                    {name}(x, x_from, x_pitch, {right}, depth, to, to_from, to_pitch, left, more, sums{part})",
            ]
            branch = "elif"
    return [*lines, "                i += height"], scope


_SIZES = {
    IN_PLACE: "inner * y_pitch",
    PACKING: "(columns if turned else inner) * y_pitch",
    PACKED: "inner * columns",
}
_PANELS = {
    IN_PLACE: ["            pitch, panel = y_pitch, matrix * y_apart + k * y_pitch + j"],
    PACKED: ["            pitch, panel = wide, j * inner + k * wide"],
    PACKING: [
        "            if which != laid_out or inner > depth:",
        "                if turned:",
        "                    pack_columns(room, y, matrix * y_apart + j * y_pitch + k, y_pitch, depth, wide, left, 0)",
        "                else:",
        "                    pack_rows(room, y, matrix * y_apart + k * y_pitch + j, y_pitch, depth, wide, left, 0)",
        "                laid_out = which",
    ],
}


def _tile_for(how: str, name: str, rows: int, vectors: int, whole: bool, by_columns: bool) -> Tile:
    """Return the function of a tile."""
    if how == PACKED:
        return panel_tile(name, rows, vectors, whole, False)
    of = prefetching_tile if how == IN_PLACE and whole else tile
    return of(name, rows, vectors, whole, by_columns)


@functools.cache
def _transpose(step: int) -> Jitted:
    """Return the kernel of `transpose`: units of columns of x, as many as a vector has elements."""
    lines = [
        "def transpose(first, last, like, x_at, to_at, stack, rows, columns, pitch, to_pitch, x_apart, to_apart):",
        "    x = array_at(x_at, (stack - 1) * x_apart + rows * pitch, like)",
        "    to = array_at(to_at, (stack - 1) * to_apart + columns * to_pitch, like)",
        f"    each = -(-columns // {step})",
        "    for unit in range(first, last):",
        f"        matrix, j = unit // each, unit % each * {step}",
        "        x_from, to_from = matrix * x_apart + j, matrix * to_apart + j * to_pitch",
        f"        for i in range(0, rows, {step}):",
        "            square(x, x_from + i * pitch, pitch, rows - i, columns - j, to, to_from + i, to_pitch, rows - i)",
    ]
    scope = {"array_at": array_at, "square": square()}
    return compile_source("transpose", "\n".join(lines) + "\n", scope, shared=True, in_vectors=True)
