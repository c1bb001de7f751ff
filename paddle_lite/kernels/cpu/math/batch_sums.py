"""Gradients of small weights: sums over the batch, which hardly depend on how the batch is divided.

A gradient near zero is a difference of large terms, and rules such as Adagrad divide by its size: the rounding of the sum then
decides about the step. Eight rows of a batch are summed in float32, such blocks in float64, in registers. So trainers that divide
a batch among themselves take the steps of one process with all of it.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from paddle_lite.core.generated import define
from paddle_lite.kernels.array_pointers import array_at
from paddle_lite.kernels.cpu.math.register_blocks import Tile
from paddle_lite.kernels.numba_jit import Jitted, compile_source, inline
from paddle_lite.kernels.simd import SIZE

__all__ = ["FEWEST", "sums_of_batch"]

BLOCK = 8  # rows of a sum of float32
FEWEST = 4  # columns of either matrix: those of the left one are the rows of a tile
VECTORS = 2  # of a tile, whose float64 sums take half of the registers of AVX-512, and those of float32 a quarter


def sums_of_batch(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return x.T @ y by the kernel, for C-contiguous matrices of float32.

    Args:
        x: [rows, inner], y: [rows, columns]; inner and columns are at least FEWEST, rows 1.

    Example:
        >>> sums_of_batch(np.ones((3, 4), 'float32'), np.ones((3, 4), 'float32'))[0]
        array([3., 3., 3., 3.], dtype=float32)
    """
    rows, inner = x.shape
    columns = y.shape[1]
    out = np.empty((inner, columns), np.float32)
    _kernel()(out, id(x), id(y), rows, inner, columns)
    return out


@functools.cache
def _kernel() -> Jitted:
    """Return the kernel: a loop over tiles, the last of which overlaps the one before."""
    height, most = FEWEST, VECTORS
    lines = [
        "def batch_sums(out, x_at, y_at, rows, inner, columns):",
        "    x, y = array_at(x_at, rows * inner, out), array_at(y_at, rows * columns, out)",
        "    to, step = out.reshape(inner * columns), SIZE // out.itemsize",
        f"    for j in range(0, columns, {most} * step):",
        "        left = columns - j",
        f"        for tile in range(0, inner, {height}):",
        f"            i = min(tile, inner - {height})",
    ]
    scope: dict[str, Any] = {"array_at": array_at, "SIZE": SIZE}
    kinds = [(most, True), *((vectors, False) for vectors in range(most, 0, -1))]
    for vectors, whole in kinds:
        name = f"sums_{vectors}" + "_whole" * whole
        scope[name] = _tile(name, height, vectors, whole)
        fits = f"left >= {most} * step" if whole else f"left > {vectors - 1} * step"
        lines += [
            f"            {'if' if whole else 'elif'} {fits}:",
            f"                {name}(x, i, inner, y, j, columns, rows, to, i * columns + j, columns, left)",
        ]
    return compile_source("batch_sums", "\n".join(lines) + "\n", scope, in_vectors=True)


def _tile(name: str, rows: int, vectors: int, whole: bool) -> Tile:
    """Return a function that computes one tile: some rows of some vectors of columns; unless `whole`, the last may be partly used."""
    wide = f"{vectors} * (SIZE // y.itemsize)"
    text = f"""
def {name}(x, x_at, x_pitch, y, y_at, y_pitch, depth, to, to_at, to_pitch, left):
    for r in range({rows}):
        for c in range({wide if whole else f"min(left, {wide})"}):
            total = 0.0
            for k in range(0, depth, {BLOCK}):
                part = y[y_at] - y[y_at]
                for m in range(k, min(k + {BLOCK}, depth)):
                    part += x[x_at + m * x_pitch + r] * y[y_at + m * y_pitch + c]
                total += float(part)
            to[to_at + r * to_pitch + c] = total
"""
    helper = inline(define(f"sums of a batch, {name}", name, text.lstrip(), {"SIZE": SIZE}))
    return Tile(helper, "call_batch_sums", (rows, vectors, whole, BLOCK))
