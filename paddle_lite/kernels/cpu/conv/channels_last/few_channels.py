"""Convolutions of images with few channels, as the first ones of networks: sums of several positions and filters in registers.

The images are read as they come, with channels second: each input is spread over a vector and multiplied with neighbouring filters.
So neither the images nor the inputs of a window are rearranged. A sum adds the taps in the order of channels, rows and columns,
wherever its position is in a block.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from paddle_lite.kernels.cpu.conv.epilogue import Epilogue
from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.cpu.math.register_blocks import tiling
from paddle_lite.kernels.numba_jit import Inline, Jitted, compile_source, inline
from paddle_lite.kernels.simd import SIZE, clamp, lanes, load, load_first, store, store_first
from paddle_lite.kernels.threads import parallel_for

__all__ = ["fits", "forward", "laid_out"]

MOST_CHANNELS = 4
MOST_COLUMNS = 11  # of a window, which are written out
FEW_REGISTERS = 4
"""Positions of a block with the registers of AVX2.

Of 6 positions, whose sums fit into registers too, some are put into memory for the filters of a row of the window, and they take 1.3 to 2
times as long; so do two positions of two vectors and one of four, but for 32 filters.
"""


class Block(NamedTuple):
    """What has its sums in registers at a time: vectors of filters, and neighbouring positions of a row."""

    vectors: int
    positions: int


def fits(g: Geometry) -> bool:
    """Return whether this algorithm supports a convolution, and is the fastest."""
    return g.groups == 1 and g.channels <= MOST_CHANNELS and g.dilations == (1, 1) and g.kernel[1] <= MOST_COLUMNS


def _block(filters: int, dtype: np.dtype) -> Block:
    """Return the block for a number of filters."""
    tile, vectors = tiling(), -(-filters // lanes(dtype))
    vectors = -(-vectors // -(-vectors // tile.vectors))
    if tile.vectors == 1:
        return Block(1, FEW_REGISTERS)
    return Block(vectors, max(1, tile.vectors * tile.rows[-1] // vectors))


def laid_out(w: np.ndarray) -> np.ndarray:
    """Return filters [K, C, KH, KW] as the kernel reads them: [panel, tap, filter of the panel], flat, with zeros at the end."""
    wide = _block(len(w), w.dtype).vectors * lanes(w.dtype)
    panels = -(-len(w) // wide)
    matrix = np.zeros((panels * wide, w[0].size), w.dtype)
    matrix[: len(w)] = w.reshape(len(w), -1)
    return np.ascontiguousarray(matrix.reshape(panels, wide, -1).transpose(0, 2, 1)).reshape(-1)


def forward(
    g: Geometry, x: np.ndarray, w: np.ndarray, y: np.ndarray, added: np.ndarray | None, after: Epilogue
) -> None:
    """Compute y [N, OH, OW, K] from x [N, C, H, W] and filters as `laid_out` returns them.

    added: what is added to the results before the activation, like y; None for nothing.
    """
    sizes = g.channels, g.filters, g.height, g.width, g.out_height, g.out_width
    args = (*after.operands(x, w, y, added), *sizes, g.kernel[0], g.strides[0], g.pads[0], g.pads[2])
    block = _block(g.filters, x.dtype)
    whole = g.filters % (block.vectors * lanes(x.dtype)) == 0
    kernel = _kernel(block, whole, g.kernel[1], g.strides[1])
    parallel_for(kernel, g.batch * g.out_height, g.work, args)
    after.finish_rest(y)


@functools.cache
def _kernel(block: Block, whole: bool, kernel_w: int, stride_w: int) -> Jitted:
    """Return the kernel of some rows of outputs of all images; whole: whether the filters fill all vectors of all blocks."""
    given = """
                        x, at + first_column, w, w_at, bias, k, added, more, y, target, low, high, channels, filters, height,
                        width, kernel_h, i0, i1, """
    source = f"""
def rows_of_outputs(
    first, last, x, w, bias, added, y, more, low, high, channels, filters, height, width, out_height, out_width, kernel_h,
    stride_h, top, left,
):
    wide = {block.vectors} * (SIZE // x.itemsize)
    inner = min(out_width, -(-left // {stride_w}))
    outer = max(inner, min(out_width, (width - {kernel_w} + left) // {stride_w} + 1)) if width + left >= {kernel_w} else inner
    for unit in range(first, last):
        image, row = unit // out_height, unit % out_height
        h0 = row * stride_h - top
        i0, i1 = max(0, -h0), min(kernel_h, height - h0)
        at = (image * channels * height + h0) * width
        for k in range(0, filters, wide):
            w_at, p = k * channels * kernel_h * {kernel_w}, 0
            while p < out_width:
                if inner <= p < outer and outer - inner >= {block.positions}:
                    p = min(p, outer - {block.positions})
                    first_column, target = p * {stride_w} - left, (unit * out_width + p) * filters + k
                    block({given} 0, {kernel_w})
                    p += {block.positions}
                else:
                    first_column, target = p * {stride_w} - left, (unit * out_width + p) * filters + k
                    single({given} max(0, -first_column), min({kernel_w}, width - first_column))
                    p += 1
"""
    scope = {
        "SIZE": SIZE, "block": _sums(block, whole, kernel_w, stride_w),
        "single": _sums(Block(block.vectors, 1), whole, kernel_w, stride_w),
    }  # fmt: skip
    return compile_source("rows_of_outputs", source, scope, shared=True)


def _sums(block: Block, whole: bool, kernel_w: int, stride_w: int) -> Inline:
    """Return the function of a block of positions; the taps of a single position have columns j0 to j1.

    Vectors that may be partly empty are stored under a mask, which takes some ten cycles with AVX2.
    """
    vectors, positions = range(block.vectors), range(block.positions)
    single = block.positions == 1
    lines = [
        "def block(x, at, w, w_at, bias, k, added, more, y, to, low, high, channels, filters, height, width, kernel_h, i0, i1, j0, j1):",
        f"    step, pitch = SIZE // x.itemsize, {block.vectors} * (SIZE // x.itemsize)",
    ]
    for v in vectors:
        start = (
            f"load(bias, k + {v} * step)" if whole else f"load_first(bias, k + {v} * step, filters - k - {v} * step)"
        )
        lines.append(f"    {' = '.join(f's{p}_{v}' for p in positions)} = {start}")
    lines += ["    for c in range(channels):", "        for i in range(i0, i1):"]
    lines += [f"            line, tap = at + (c * height + i) * width, w_at + (c * kernel_h + i) * {kernel_w} * pitch"]
    body, indent = range(1) if single else range(kernel_w), " " * 12
    if single:
        lines.append("            for j in range(j0, j1):")
        indent += "    "
    for j in body:
        column = "j" if single else str(j)
        lines += [f"{indent}f{v} = load(w, tap + {column} * pitch + {v} * step)" for v in vectors]
        for p in positions:
            lines.append(f"{indent}a = x[line + {column} + {p * stride_w}]")
            lines += [f"{indent}s{p}_{v} = s{p}_{v} + f{v} * a" for v in vectors]
    for v in vectors:
        lines += [f"    left = filters - k - {v} * step", "    if left > 0:"]
        for p in positions:
            place, s = f"to + {p} * filters + {v} * step", f"s{p}_{v}"
            other = f"load(added, {place})" if whole else f"load_first(added, {place}, left)"
            result = f"y, {place}, clamp({s}, low, high)"
            lines += ["        if more:", f"            {s} = {s} + {other}"]
            lines.append(f"        store({result})" if whole else f"        store_first({result}, left)")
    scope = {"SIZE": SIZE, "load": load, "load_first": load_first}
    scope |= {"store": store, "store_first": store_first, "clamp": clamp}
    return inline(compile_source("block", "\n".join([*lines, ""]), scope).python)
