"""Matrix products with few rows on the left, as in recurrent cells: BLAS lays the other matrix out anew at each call.

With so few rows that costs as much as the product itself, which `register_blocks.py` makes without. The product with a transposed
matrix walks along the rows of both. The order of the sums depends on nothing but the sizes.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from paddle_lite.core.generated import define
from paddle_lite.kernels.array_of import array_of
from paddle_lite.kernels.cpu.register_blocks import ROWS, VECTORS, blocks_alone, multiply
from paddle_lite.kernels.numba_jit import Inline, Jitted, compile_source, inline
from paddle_lite.kernels.simd import SIZE, load, load_first, total, zeros

__all__ = ["few", "product", "product_with_transposed", "suits", "times", "times_transposed"]

FEWEST, MOST = 4, 32  # rows for which BLAS is slower
MORE, SMALL = 128, 1 << 18  # and rows up to which it is where the other matrix, of so many elements, stays in the cache
LEAST = 1 << 21  # products of numbers: up to a million BLAS does not pack, and compiling has to be earned back
COLUMNS = 64  # of the right matrix, and elements that are summed up: with fewer, vectors are filled in part


def times(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x.dot(y) of two matrices, by whichever way is the fastest; the sizes alone decide, so that runs repeat.

    Args:
        x: [rows, inner]. y: [inner, columns].

    Example:
        >>> times(np.ones((2, 3)), np.ones((3, 2)))
        array([[3., 3.],
               [3., 3.]])
    """
    if len(x) <= MORE and suits(x, y) and x.shape[1] == len(y):
        return product(x, y)
    return x.dot(y)


def times_transposed(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x.dot(y.T) of two matrices, by whichever way is the fastest.

    Args:
        x: [rows, inner]. y: [columns, inner].

    Example:
        >>> times_transposed(np.ones((2, 3)), np.ones((2, 3)))
        array([[3., 3.],
               [3., 3.]])
    """
    if len(x) <= MOST and suits(x, y) and x.shape[1] == y.shape[1]:
        return product_with_transposed(x, y)
    return x.dot(y.T)


def few(rows: int, inner: int, columns: int) -> bool:
    """Whether a matrix has so few rows, and the other one is so large, that BLAS is slower.

    >>> few(20, 400, 800), few(64, 400, 800), few(64, 400, 400)
    (True, False, True)
    """
    if not FEWEST <= rows <= (MOST if inner * columns > SMALL else MORE):
        return False
    return rows * inner * columns >= LEAST and min(inner, columns) >= COLUMNS


def suits(x: np.ndarray, y: np.ndarray) -> bool:
    """Whether two matrices, the left one of few rows, are such that the kernels are faster."""
    return (
        few(len(x), *y.shape)
        and x.dtype is y.dtype
        and x.dtype == np.float32  # of float64 BLAS is as fast from 20 rows on
        and x.flags.c_contiguous
        and y.flags.c_contiguous
        and blocks_alone()
    )


def product(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x @ y by the kernel: C-contiguous matrices of one dtype, float32 or float64, x of 3 rows or more."""
    out = np.empty((len(x), y.shape[1]), x.dtype)
    multiply(x, y, out)
    return out


def product_with_transposed(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x @ y.T by the kernel: matrices as in `product`, y of 4 rows or more."""
    rows, inner = x.shape
    columns = y.shape[0]
    out = np.empty((rows, columns), x.dtype)
    _product_with_transposed()(out, id(x), id(y), rows, inner, columns)
    return out


@functools.cache
def _product_with_transposed() -> Jitted:
    """The kernel: four columns of the result at a time; the last four may overlap those before."""
    lines = [
        "def product_with_transposed(out, x_at, y_at, rows, inner, columns):",
        "    x, y = array_of(x_at, rows * inner, out), array_of(y_at, inner * columns, out)",
        "    to = out.reshape(rows * columns)",
        f"    blocks = -(-rows // {ROWS[-1]})",
        f"    for j in range(0, columns, {VECTORS}):",
        f"        first = min(j, columns - {VECTORS})",
        "        i = 0",
        "        for block in range(blocks):",
        "            height = (rows - i) // (blocks - block)",
        "            where = i * inner, first * inner, i * columns + first",
    ]
    scope: dict[str, Any] = {"array_of": array_of}
    for height in ROWS:
        name = f"dots_{height}"
        scope[name] = _dots(name, height)
        lines += [
            f"            {'if' if height == ROWS[0] else 'elif'} height == {height}:",
            f"                {name}(x, where[0], y, where[1], inner, to, where[2], columns)",
        ]
    lines += ["            i += height"]
    return compile_source("product_with_transposed", "\n".join(lines) + "\n", scope)


def _dots(name: str, rows: int) -> Inline:
    """The products of some rows with some rows."""
    places = [(r, c) for r in range(rows) for c in range(VECTORS)]
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
        lines += [f"        y{c} = {how}(y, y_at + {c} * inner + k{count})" for c in range(VECTORS)]
        for r in range(rows):
            lines.append(f"        a = {how}(x, x_at + {r} * inner + k{count})")
            lines += [f"        s{r}_{c} = s{r}_{c} + a * y{c}" for c in range(VECTORS)]
    lines += [f"    to[to_at + {r} * to_pitch + {c}] = total(s{r}_{c})" for r, c in places]
    scope = {"SIZE": SIZE, "load": load, "load_first": load_first, "total": total, "zeros": zeros}
    return inline(define(f"product of few rows, {name}", name, "\n".join(lines) + "\n", scope))
