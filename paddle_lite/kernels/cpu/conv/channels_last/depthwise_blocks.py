"""Depthwise convolutions by small windows: blocks of outputs in registers, two rows of them at a time.

A block of one vector of channels is two rows by four columns of outputs. The filter's vectors stay in registers for a row of
blocks, and each input that a block reads is loaded once and multiplied with all taps that meet it. A sum adds the taps in the order
of their rows and columns, in a block of one row as in one of two, so the results do not depend on how rows are paired.
"""

from __future__ import annotations

import functools

from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.numba_jit import Inline, Jitted, compile_source, inline
from paddle_lite.kernels.simd import SIZE, clamp, load, load_first, store, store_first

__all__ = ["ROWS", "fits", "kernel"]

ROWS, COLUMNS = 2, 4  # outputs of a block
MOST_TAPS = 9  # whose vectors stay in registers beside the sums


def fits(g: Geometry) -> bool:
    """Return whether blocks compute a depthwise convolution."""
    taps = g.kernel[0] * g.kernel[1]
    return taps <= MOST_TAPS and g.dilations == (1, 1) and max(g.strides) <= 2


@functools.cache
def kernel(window: tuple[int, int], strides: tuple[int, int]) -> Jitted:
    """Return the kernel of some pairs of rows of outputs of all images, for a size of windows and strides."""
    filters = [f"f{k}" for k in range(window[0] * window[1])]
    reach = (COLUMNS - 1) * strides[1] + window[1]  # columns that a block reads
    arguments = f"""
                        x, start, {", ".join(filters)}, bias, c, added, more, y, target, low, high, channels, height, width,
                        out_width, h0, w0, count,
                    """
    source = f"""
def rows_of_blocks(
    first, last, x, w, bias, added, y, more, low, high, channels, height, width, out_height, out_width, top, left,
):
    step = SIZE // x.itemsize
    pairs = -(-out_height // {ROWS})
    for unit in range(first, last):
        image, row = unit // pairs, unit % pairs * {ROWS}
        rows, h0 = min({ROWS}, out_height - row), row * {strides[0]} - top
        at, to = (image * height + h0) * width * channels, (image * out_height + row) * out_width * channels
        for c in range(0, channels, step):
            count = min(step, channels - c)
            {"; ".join(f"{f} = load_first(w, {k} * channels + c, count)" for k, f in enumerate(filters))}
            p = 0
            while p < out_width:
                w0 = p * {strides[1]} - left
                start, target = at + w0 * channels + c, to + p * channels + c
                inside = w0 >= 0 and w0 + {reach} <= width and p + {COLUMNS} <= out_width
                if inside and rows == {ROWS} and count == step:
                    whole_block({arguments})
                    p += {COLUMNS}
                elif rows == {ROWS}:
                    narrow_block({arguments})
                    p += 1
                else:
                    single_block({arguments})
                    p += 1
"""
    scope = {
        "SIZE": SIZE, "load_first": load_first, "whole_block": _block(window, strides, ROWS, COLUMNS),
        "narrow_block": _block(window, strides, ROWS, 1), "single_block": _block(window, strides, 1, 1),
    }  # fmt: skip
    return compile_source("rows_of_blocks", source, scope, shared=True)


def _block(window: tuple[int, int], strides: tuple[int, int], rows: int, columns: int) -> Inline:
    """Return the function of a block; one of several columns has no inputs beside the image, and whole vectors of channels."""
    whole, taps = columns > 1, ", ".join(f"f{k}" for k in range(window[0] * window[1]))
    outputs = [(r, p) for r in range(rows) for p in range(columns)]
    read = range((columns - 1) * strides[1] + window[1])
    lines = [
        f"def block(x, at, {taps}, bias, c, added, more, y, to, low, high, channels, height, width, out_width, h0, w0, count):",
        f"    {' = '.join(f's{r}_{p}' for r, p in outputs)} = {_load('bias', 'c', 'count', whole)}",
    ]
    if not whole:
        lines += [f"    n{q} = count if 0 <= w0 + {q} < width else 0" for q in read]
    for h in range((rows - 1) * strides[0] + window[0]):
        lines += [f"    if 0 <= h0 + {h} < height:", f"        line = at + {h} * width * channels"]
        for q in read:
            lines.append(f"        v = {_load('x', f'line + {q} * channels', f'n{q}', whole)}")
            for r, p in outputs:
                i, j = h - r * strides[0], q - p * strides[1]
                if 0 <= i < window[0] and 0 <= j < window[1]:
                    lines.append(f"        s{r}_{p} = s{r}_{p} + f{i * window[1] + j} * v")
    for r, p in outputs:
        place, s = f"to + ({r} * out_width + {p}) * channels", f"s{r}_{p}"
        lines += ["    if more:", f"        {s} = {s} + {_load('added', place, 'count', whole)}"]
        value = f"clamp({s}, low, high)"
        lines.append(f"    store(y, {place}, {value})" if whole else f"    store_first(y, {place}, {value}, count)")
    scope = {"load": load, "load_first": load_first, "store": store, "store_first": store_first, "clamp": clamp}
    return inline(compile_source("block", "\n".join([*lines, ""]), scope).python)


def _load(array: str, at: str, count: str, whole: bool) -> str:
    return f"load({array}, {at})" if whole else f"load_first({array}, {at}, {count})"
