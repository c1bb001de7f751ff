"""Parts of kernels that write a part of a matrix anew, so that a product reads it in one piece."""

from __future__ import annotations

import functools

from paddle_lite.core.generated import define
from paddle_lite.kernels.cpu.math.register_blocks import Tile
from paddle_lite.kernels.numba_jit import Inline, inline
from paddle_lite.kernels.simd import SIZE, load, load_first, store

__all__ = ["pack_columns", "pack_rows", "square"]


@inline
def pack_rows(room, y, at, pitch, depth, wide, left, to):
    """Write the columns of a panel of y, whose rows lie apart, to `room` from the element `to` on, one row after another."""
    step = SIZE // y.itemsize
    whole = min(left, wide) // step * step
    for k in range(depth):
        for v in range(0, whole, step):
            store(room, to + k * wide + v, load(y, at + k * pitch + v))
        if whole < wide:
            store(room, to + k * wide + whole, load_first(y, at + k * pitch + whole, left - whole))


@functools.cache
def pack_columns(step: int) -> Inline:
    """Return a function as `pack_rows` for a matrix whose columns lie apart in memory, each in one piece; step: elements of a vector."""
    lines = [
        "def pack_columns(room, y, at, pitch, depth, wide, left, to):",
        f"    for v in range(0, wide, {step}):",
        f"        for k in range(0, depth, {step}):",
        f"            square(y, at + v * pitch + k, pitch, left - v, depth - k, room, to + k * wide + v, wide, {step})",
    ]
    return inline(
        define("part of a product, pack_columns", "pack_columns", "\n".join(lines) + "\n", {"square": square()})
    )


@functools.cache
def square() -> Tile:
    """Return a function that transposes a square of as many rows and columns as a vector has elements, or a part of one.

    Its arguments are x, the index of its first element, the elements between its rows, its rows and columns; the same of `to`, and
    how many elements of its rows are written: where x has fewer rows, its last one again.
    """
    text = """
def square(x, x_at, x_pitch, rows, columns, to, to_at, to_pitch, filled):
    step = SIZE // x.itemsize
    for c in range(min(columns, step)):
        for r in range(min(filled, step)):
            to[to_at + c * to_pitch + r] = x[x_at + min(r, rows - 1) * x_pitch + c]
"""
    helper = inline(define("part of a product, square", "square", text.lstrip(), {"SIZE": SIZE}))
    return Tile(helper, "call_square", ())
