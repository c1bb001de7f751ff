"""Products of two matrices, or with one of them transposed, by register tiles, or by BLAS where that is faster.

Products with a small matrix on the right are by tiles for every number of rows: a row of the result then depends on that row of
the left matrix alone, not on how many others a batch has, as it does with OpenBLAS. For few rows on the left and a transposed
matrix on the right, a kernel here computes dot products of rows.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from paddle_lite.core.generated import define
from paddle_lite.kernels.array_pointers import array_at
from paddle_lite.kernels.cpu.math.batch_sums import FEWEST as FEWEST_COLUMNS
from paddle_lite.kernels.cpu.math.batch_sums import sums_of_batch
from paddle_lite.kernels.cpu.math.block_products import WORK, multiply, multiply_contiguous, multiply_transposed
from paddle_lite.kernels.cpu.math.register_blocks import SMALLEST, Tile, Tiling, available, is_faster, tiling
from paddle_lite.kernels.numba_jit import Jitted, compile_source, inline
from paddle_lite.kernels.simd import SIZE, load, load_first, total, zeros
from paddle_lite.kernels.threads import blas_threads, by_one_blas_thread, parallel_for

__all__ = [
    "into",
    "is_small",
    "matmul",
    "product",
    "product_into",
    "product_with_transposed",
    "readable",
    "stacks_times",
    "suitable",
    "times",
    "times_transposed",
    "transposed_times",
]

FEWEST = 4  # the smallest number of rows for which BLAS is slower with a transposed matrix
LEAST = 1 << 21  # multiply-adds
COLUMNS = 64  # columns of the right matrix, and terms of a sum; with fewer, vectors are partly empty
ALONE = (
    1 << 13,
    1 << 24,
)  # multiply-adds of products for which BLAS wakes its threads, and which these hardly make faster

FLOAT32, FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)
LEAST_OF_STACK = 16  # rows and columns of a matrix of a stack
ROWS = 3  # the smallest number of rows that the kernel computes
NARROW = 8  # columns of a small matrix; with fewer, most of a vector is empty


def is_small(inner: int, columns: int) -> bool:
    """Return whether float32 products with a right matrix of this size are computed by the kernel for every number of rows.

    >>> is_small(64, 1), is_small(400, 400)
    (False, False)
    """
    return columns >= NARROW and inner * columns in tiling().small


def times(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return x.dot(y) of two matrices by the fastest method, which depends only on the sizes, so that runs are reproducible.

    Args:
        x: [rows, inner]. y: [inner, columns].

    Example:
        >>> times(np.ones((2, 3)), np.ones((3, 2)))
        array([[3., 3.],
               [3., 3.]])
    """
    rows, (inner, columns) = len(x), y.shape
    if is_small(inner, columns):
        if rows >= ROWS and x.shape[1] == inner and suitable(x, y):
            return product(x, y)
    elif y.size > SMALLEST and is_faster(rows, inner, columns) and x.shape[1] == inner and readable(x, y):
        return _by_tiles(x, y)
    return _by_blas(x, y)


def times_transposed(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return x.dot(y.T) of two matrices by the fastest method.

    Args:
        x: [rows, inner]. y: [columns, inner].

    Example:
        >>> times_transposed(np.ones((2, 3)), np.ones((2, 3)))
        array([[3., 3.],
               [3., 3.]])
    """
    rows, (columns, inner) = len(x), y.shape
    if is_small(inner, columns):
        if rows >= ROWS and x.shape[1] == inner and suitable(x, y):
            return product(x, np.ascontiguousarray(y.T)) if y.size <= tiling().copied else _by_tiles(x, y.T)
        return _by_blas(x, y.T)
    if FEWEST <= rows <= tiling().transposed and x.dtype is FLOAT32:
        few = rows * y.size >= LEAST and min(y.shape) >= COLUMNS
        if few and x.shape[1] == inner and suitable(x, y):
            return product_with_transposed(x, y)
    elif is_faster(rows, inner, columns) and x.shape[1] == inner and readable(x, y):
        return _by_tiles(x, y.T)
    return _by_blas(x, y.T)


def transposed_times(x: np.ndarray, y: np.ndarray, to: np.ndarray | None = None) -> np.ndarray:
    """Return x.T.dot(y) of two matrices by the fastest method: the gradient of a weight.

    Args:
        x: [rows, inner]. y: [rows, columns]. to: [inner, columns], C-contiguous, where large products of its dtype are written.

    Example:
        >>> transposed_times(np.ones((2, 3)), np.ones((2, 3)))[0]
        array([2., 2., 2.])
    """
    rows, inner = x.shape
    if is_small(inner, y.shape[1]):
        if inner >= FEWEST_COLUMNS and rows == len(y) and 0 < rows <= tiling().batch and suitable(x, y):
            return sums_of_batch(x, y)
    elif is_faster(inner, rows, y.shape[1]) and rows == len(y) and readable(x, y):
        return _by_tiles(x.T, y, to)
    return _by_blas(x.T, y, to)


def stacks_times(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return np.matmul(x, y) by the fastest method.

    Args:
        x: [stack, rows, inner] or [rows, inner]. y: [stack, inner, columns] or [inner, columns]. A stack of one matrix stands
            for as many as the other has.

    Example:
        >>> stacks_times(np.ones((2, 3, 4)), np.ones((4, 5))).shape
        (2, 3, 5)
    """
    if x.ndim == y.ndim == 2:
        return times(x, y)
    stack = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    out = np.empty((*stack, x.shape[-2], y.shape[-1]), np.result_type(x, y))
    matmul(x, y, out)
    return out


def matmul(x: np.ndarray, y: np.ndarray, out: np.ndarray, added: bool = False) -> None:
    """Compute np.matmul(x, y, out=out) by the fastest method.

    Args:
        x, y: as for `stacks_times`, one of both a stack. out: [stack, rows, columns]. added: whether the product is added to what `out` holds.

    Example:
        >>> out = np.empty((2, 3, 4))
        >>> matmul(np.ones((3, 5)), np.ones((2, 5, 4)), out)
        >>> bool((out == 5).all())
        True
    """
    (rows, inner), columns = x.shape[-2:], y.shape[-1]
    large = min(rows, columns) >= LEAST_OF_STACK and inner * rows * columns >= LEAST_OF_STACK**3
    stacks = {len(each) for each in (x, y, out) if each.ndim == 3}
    fits = len(stacks) == 1 and y.shape[-2] == inner and out.shape[1:] == (rows, columns)
    if large and fits and out.strides[2] == out.itemsize and out.dtype is x.dtype and readable(x, y):
        into(x, y, out, added)
    elif added:
        out += np.matmul(x, y)
    else:
        np.matmul(x, y, out=out)


def into(x: np.ndarray, y: np.ndarray, out: np.ndarray, added: bool = False) -> None:
    """Compute out = x @ y by tiles, or add this, for `readable` matrices or stacks of them, x with 3 rows or more."""
    if x.strides[-1] == x.itemsize:
        multiply(x, y, out, added)
    else:
        multiply_transposed(x.swapaxes(-1, -2), y, out, added)


def product_into(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    """Compute np.dot(x, y, out) of two matrices by tiles, or by BLAS where that is faster.

    Args:
        x: [rows, inner]. y: [inner, columns]. out: [rows, columns], C-contiguous and of the dtype of the product.

    Example:
        >>> out = np.empty((2, 4))
        >>> product_into(np.ones((2, 3)), np.ones((3, 4)), out)
        >>> bool((out == 3).all())
        True
    """
    (rows, inner), columns = x.shape, y.shape[1]
    if is_faster(rows, inner, columns) and inner == len(y) and readable(x, y):
        into(x, y, out)
    else:
        np.dot(x, y, out)


def _by_tiles(x: np.ndarray, y: np.ndarray, to: np.ndarray | None = None) -> np.ndarray:
    """Return x.dot(y) of `readable` matrices, in `to` if its dtype is theirs."""
    out = np.empty((len(x), y.shape[1]), x.dtype) if to is None or to.dtype != x.dtype else to
    into(x, y, out)
    return out


def _by_blas(x: np.ndarray, y: np.ndarray, to: np.ndarray | None = None) -> np.ndarray:
    """Return x.dot(y), in `to` if its dtype is theirs; threads of BLAS share it out only if it takes long enough."""
    out = None if to is None or not to.dtype == x.dtype == y.dtype else to
    if blas_threads() > 1 and ALONE[0] < len(x) * y.size < ALONE[1]:
        return by_one_blas_thread(x.dot, y, out)
    return x.dot(y, out)


def readable(x: np.ndarray, y: np.ndarray) -> bool:
    """Return whether register tiles can read matrices, or stacks of them: of one dtype, with rows or columns in one piece."""
    dtype = x.dtype
    if dtype is not y.dtype or (dtype is not FLOAT32 and dtype is not FLOAT64):
        return False
    size = dtype.itemsize
    return size in x.strides[-2:] and size in y.strides[-2:] and x.flags.aligned and y.flags.aligned and available()


def suitable(*matrices: np.ndarray) -> bool:
    """Return whether the kernels for few rows and small matrices can multiply such matrices: C-contiguous ones of float32."""
    for matrix in matrices:
        if matrix.dtype != FLOAT32 or not matrix.flags.c_contiguous:
            return False
    return available()


def product(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return x @ y by the kernel, for C-contiguous matrices of one dtype, float32 or float64, x with 3 rows or more."""
    rows, inner = x.shape
    columns = y.shape[1]
    out = np.empty((rows, columns), x.dtype)
    multiply_contiguous(x, y, out, rows, inner, columns)
    return out


def product_with_transposed(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return x @ y.T by the kernel, for matrices as in `product`, y with 4 rows or more."""
    rows, inner = x.shape
    columns = y.shape[0]
    out = np.empty((rows, columns), x.dtype)
    kernel, most = _product_with_transposed(tiling()), tiling().vectors
    args = out, id(x), id(y), rows, inner, columns
    parallel_for(kernel, -(-columns // most), rows * inner * columns // WORK, args)
    return out


@functools.cache
def _product_with_transposed(tiling: Tiling) -> Jitted:
    """Return the kernel, which computes some columns of the result at a time; the last may overlap the previous ones."""
    most = tiling.vectors
    lines = [
        "def product_with_transposed(start, stop, out, x_at, y_at, rows, inner, columns):",
        "    x, y = array_at(x_at, rows * inner, out), array_at(y_at, inner * columns, out)",
        "    to = out.reshape(rows * columns)",
        f"    blocks = -(-rows // {tiling.rows[-1]})",
        "    for j in range(start, stop):",
        f"        first = min(j * {most}, columns - {most})",
        "        i = 0",
        "        for block in range(blocks):",
        "            height = (rows - i) // (blocks - block)",
        "            where = i * inner, first * inner, i * columns + first",
    ]
    scope: dict[str, Any] = {"array_at": array_at}
    for height in tiling.rows:
        name = f"dots_{height}"
        scope[name] = _dots(name, height, most)
        lines += [
            f"            {'if' if height == tiling.rows[0] else 'elif'} height == {height}:",
            f"                {name}(x, where[0], y, where[1], inner, to, where[2], columns)",
        ]
    lines += ["            i += height"]
    return compile_source("product_with_transposed", "\n".join(lines) + "\n", scope, shared=True, in_vectors=True)


def _dots(name: str, rows: int, columns: int) -> Tile:
    """Return a function that computes the dot products of some rows of x and of y."""
    places = [(r, c) for r in range(rows) for c in range(columns)]
    lines = [
        f"def {name}(x, x_at, y, y_at, inner, to, to_at, to_pitch):",
        "    step = SIZE // y.itemsize",
        "    whole = inner // step * step",
        *(f"    s{r}_{c} = zeros(y)" for r, c in places),
    ]
    for head, how, count in (
        ("    for k in range(0, whole, step):", "load", ""),
        ("    if whole < inner:", "load_first", ", inner - whole"),
    ):
        lines += [head] + (["        k = whole"] if count else [])
        lines += [f"        y{c} = {how}(y, y_at + {c} * inner + k{count})" for c in range(columns)]
        for r in range(rows):
            lines.append(f"        a = {how}(x, x_at + {r} * inner + k{count})")
            lines += [f"        s{r}_{c} = s{r}_{c} + a * y{c}" for c in range(columns)]
    lines += [f"    to[to_at + {r} * to_pitch + {c}] = total(s{r}_{c})" for r, c in places]
    scope = {"SIZE": SIZE, "load": load, "load_first": load_first, "total": total, "zeros": zeros}
    helper = inline(define(f"product of few rows, {name}", name, "\n".join(lines) + "\n", scope))
    return Tile(helper, "call_dots", (rows, columns))
