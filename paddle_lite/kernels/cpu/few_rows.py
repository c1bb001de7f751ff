"""Matrix products with few rows on the left, as in recurrent cells: BLAS packs the other matrix anew at each call.

With so few rows that costs as much as the product itself. Here the sums of up to five rows and four vectors of columns stay in
registers while the rows of the right matrix go by, read from where they are; the columns that come next are fetched meanwhile.
The product with a transposed matrix walks along the rows of both. The order of the sums depends on nothing but the sizes.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np

from paddle_lite.core.generated import define
from paddle_lite.kernels.array_of import array_of
from paddle_lite.kernels.numba_jit import Inline, Jitted, compile_source, inline, jit_disabled
from paddle_lite.kernels.simd import SIZE, load, load_first, prefetch, store, store_first, total, zeros
from paddle_lite.kernels.threads import thread_count

__all__ = ["blocks_product", "few", "has_registers", "product", "product_with_transposed", "suits", "times", "times_transposed"]

FEWEST, MOST = 4, 32  # rows for which BLAS is slower
LEAST = 1 << 21  # products of numbers: up to a million BLAS does not pack, and compiling has to be earned back
COLUMNS = 64  # of the right matrix, and elements that are summed up: with fewer, vectors are filled in part
ROWS = (3, 4, 5)  # of a block; every number of rows from 3 on is a sum of these, as equal as can be
VECTORS = 4
AT_ONCE = 1024  # rows of the right matrix for which a block's columns stay in the second-level cache


def times(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x.dot(y) of two matrices, by whichever way is the fastest; the sizes alone decide, so that runs repeat.

    Args:
        x: [rows, inner]. y: [inner, columns].

    Example:
        >>> times(np.ones((2, 3)), np.ones((3, 2)))
        array([[3., 3.],
               [3., 3.]])
    """
    if len(x) <= MOST and suits(x, y) and x.shape[1] == len(y):
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

    >>> few(20, 400, 800), few(64, 400, 800)
    (True, False)
    """
    return FEWEST <= rows <= MOST and rows * inner * columns >= LEAST and min(inner, columns) >= COLUMNS


def suits(x: np.ndarray, y: np.ndarray) -> bool:
    """Whether two matrices, the left one of few rows, are such that the kernels are faster."""
    return (
        few(len(x), *y.shape)
        and x.dtype is y.dtype
        and x.dtype == np.float32  # of float64 BLAS is as fast from 20 rows on
        and x.flags.c_contiguous
        and y.flags.c_contiguous
        and thread_count() == 1
        and has_registers()
    )


@functools.cache
def has_registers() -> bool:
    """Whether kernels are compiled, for a processor that has the registers for a block: 32 of a whole vector."""
    if jit_disabled():
        return False
    return bool(importlib.import_module("llvmlite.binding").get_host_cpu_features().get("avx512f", False))


def product(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x @ y by the kernel: C-contiguous matrices of one dtype, float32 or float64, x of 3 rows or more."""
    rows, inner = x.shape
    columns = y.shape[1]
    out = np.empty((rows, columns), x.dtype)
    blocks_product(False)(out, id(x), id(y), id(out), rows, inner, columns, 0)
    return out


def product_with_transposed(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x @ y.T by the kernel: matrices as in `product`, y of 4 rows or more."""
    rows, inner = x.shape
    columns = y.shape[0]
    out = np.empty((rows, columns), x.dtype)
    _product_with_transposed()(out, id(x), id(y), rows, inner, columns)
    return out


@functools.cache
def blocks_product(packed: bool) -> Jitted:
    """The kernel `product(out, x_at, y_at, start_at, rows, inner, columns, added)`: out = x @ y, `added` to the start.

    Columns by the panel, in each all blocks of rows.

    Args:
        packed: the right matrix is there panel by panel (`packed_factor.py`), not row by row.
    """
    lines = [
        "def product(out, x_at, y_at, start_at, rows, inner, columns, added):",
        "    step = SIZE // out.itemsize",
        f"    size = {'-(-columns // step) * step' if packed else 'columns'} * inner",
        "    x, y = array_of(x_at, rows * inner, out), array_of(y_at, size, out)",
        "    start, to = array_of(start_at, rows * columns, out), out.reshape(rows * columns)",
        f"    blocks = -(-rows // {ROWS[-1]})",
        "    for k in range(0, inner, AT_ONCE):",
        "        depth, more, sums = min(AT_ONCE, inner - k), k > 0 or added != 0, to if k > 0 else start",
        "        j = 0",
        "        while j < columns:",
        "            left = columns - j",
        f"            wide = {VECTORS} if left >= {VECTORS} * step else 2 if left >= 2 * step else 1",
        "            i = 0",
        f"            pitch, panel = {'wide * step, j * inner + k * wide * step' if packed else 'columns, k * columns + j'}",
        "            for block in range(blocks):",
        "                height = (rows - i) // (blocks - block)",
        "                x_from, to_from = i * inner + k, i * columns + j",
    ]
    scope: dict[str, Any] = {"SIZE": SIZE, "AT_ONCE": AT_ONCE, "array_of": array_of}
    branch = "if"
    for vectors in (VECTORS, 2, 1):
        for height in ROWS:
            name = f"block_{height}_{vectors}"
            scope[name] = _block(name, height, vectors, packed)
            lines += [
                f"                {branch} wide == {vectors} and height == {height}:",
                f"                    {name}(x, x_from, inner, y, panel, pitch, depth, to, to_from, columns, left, more, sums)",
            ]
            branch = "elif"
    lines += ["                i += height", "            j += wide * step"]
    return compile_source("product", "\n".join(lines) + "\n", scope)


def _block(name: str, rows: int, vectors: int, packed: bool) -> Inline:
    """Some rows of some vectors of columns: the last vector may be filled in part where it is the only one."""
    places = [(r, v) for r in range(rows) for v in range(vectors)]
    masked = vectors == 1
    lines = [
        f"def {name}(x, x_at, x_pitch, y, y_at, y_pitch, depth, to, to_at, to_pitch, left, more, sums):",
        "    step = SIZE // y.itemsize",
        *(f"    s{r}_{v} = zeros(y)" for r, v in places),
        "    if more:",
    ]
    for r, v in places:
        at = f"to_at + {r} * to_pitch + {v} * step"
        lines.append(f"        s{r}_{v} = " + (f"load_first(sums, {at}, left)" if masked else f"load(sums, {at})"))
    lines += ["    for k in range(depth):", "        at = y_at + k * y_pitch"]
    if masked:
        lines.append("        y0 = load_first(y, at, left)")
    else:
        lines += [f"        y{v} = load(y, at + {v} * step)" for v in range(vectors)]
    if vectors == VECTORS and not packed:
        lines += [f"        prefetch(y, at + {vectors + v} * step)" for v in range(vectors)]
    for r in range(rows):
        lines.append(f"        a = x[x_at + {r} * x_pitch + k]")
        lines += [f"        s{r}_{v} = s{r}_{v} + a * y{v}" for v in range(vectors)]
    for r, v in places:
        at = f"to_at + {r} * to_pitch + {v} * step, s{r}_{v}"
        lines.append(f"    store_first(to, {at}, left)" if masked else f"    store(to, {at})")
    scope = {"SIZE": SIZE, "load": load, "load_first": load_first, "store": store, "store_first": store_first}
    scope |= {"prefetch": prefetch, "zeros": zeros}
    return inline(define(f"product of few rows, {name}", name, "\n".join(lines) + "\n", scope))


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
