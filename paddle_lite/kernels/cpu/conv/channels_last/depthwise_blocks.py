"""Depthwise convolutions by small windows: blocks of outputs in registers.

With many registers a block of one vector of channels is two rows by four columns of outputs. The filter's vectors stay in registers
for a row of blocks, and each input that a block reads is loaded once and multiplied with all taps that meet it. With few registers a
block is one row of four columns, which loads those of the filter's vectors that the next row of inputs meets; the blocks of all
channels follow one another, so that what they read lies side by side. A sum adds the taps in the order of their rows and columns, so
the results depend neither on how rows are paired nor on the registers.
"""

from __future__ import annotations

import functools

from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.cpu.math.register_blocks import few_registers
from paddle_lite.kernels.numba_jit import Inline, Jitted, compile_source, inline
from paddle_lite.kernels.simd import SIZE, clamp, load, load_first, store, store_first

__all__ = ["ROWS", "fits", "kernel"]

ROWS, COLUMNS = 2, 4  # outputs of a block; with few registers, of two blocks, one above the other
MOST_TAPS = 9  # whose vectors stay in registers beside the sums


def fits(g: Geometry) -> bool:
    """Return whether blocks compute a depthwise convolution."""
    taps = g.kernel[0] * g.kernel[1]
    return taps <= MOST_TAPS and g.dilations == (1, 1) and max(g.strides) <= 2


def kernel(window: tuple[int, int], strides: tuple[int, int]) -> Jitted:
    """Return the kernel of some pairs of rows of outputs of all images, for a size of windows and strides."""
    return _kernel(window, strides, few_registers())


@functools.cache
def _kernel(window: tuple[int, int], strides: tuple[int, int], few: bool) -> Jitted:
    reach = (COLUMNS - 1) * strides[1] + window[1]  # columns that a block reads
    source = f"""
def rows_of_blocks(
    first, last, x, w, bias, added, y, more, low, high, channels, height, width, out_height, out_width, top, left,
):
    step = SIZE // x.itemsize
    pairs = -(-out_height // {ROWS})
    for unit in range(first, last):
        image, row = unit // pairs, unit % pairs * {ROWS}
        rows = min({ROWS}, out_height - row)
{_by_positions(strides, reach) if few else _by_channels(window, strides, reach)}"""
    scope = {"SIZE": SIZE, "load_first": load_first, "single_block": _block(window, strides, 1, 1, few)}
    if few:
        scope["whole_block"] = _block(window, strides, 1, COLUMNS, few)
        scope["edge_block"] = _block(window, strides, 1, COLUMNS, few, edge=True)
    else:
        scope["whole_block"] = _block(window, strides, ROWS, COLUMNS, few)
        scope["narrow_block"] = _block(window, strides, ROWS, 1, few)
    return compile_source("rows_of_blocks", source, scope, shared=True)


_SIZES = "bias, c, added, more, y, target, low, high, channels, height, width, out_width, h0, w0, count"


def _by_channels(window: tuple[int, int], strides: tuple[int, int], reach: int) -> str:
    """Return the loops over vectors of channels, and over the blocks of a row for each of them, whose filters stay in registers."""
    filters = [f"f{k}" for k in range(window[0] * window[1])]
    arguments = f"x, start, {', '.join(filters)}, {_SIZES}"
    return f"""
        h0 = row * {strides[0]} - top
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


def _by_positions(strides: tuple[int, int], reach: int) -> str:
    """Return the loops over the blocks of a row, the last of which may overlap the one before, and over vectors of channels for each."""
    return f"""
        most = {COLUMNS} if out_width >= {COLUMNS} else 1
        for begin in range(0, out_width, most):
            p = min(begin, out_width - most)
            inside = p * {strides[1]} >= left and p * {strides[1]} - left + {reach} <= width
            for c in range(0, channels, step):
                count = min(step, channels - c)
                together = most if count == step else 1
                for q in range(p, p + most, together):
                    w0 = q * {strides[1]} - left
                    for r in range(rows):
                        h0 = (row + r) * {strides[0]} - top
                        start = ((image * height + h0) * width + w0) * channels + c
                        target = ((image * out_height + row + r) * out_width + q) * channels + c
                        if together == 1:
                            single_block(x, start, w, {_SIZES})
                        elif inside:
                            whole_block(x, start, w, {_SIZES})
                        else:
                            edge_block(x, start, w, {_SIZES})
"""


def _block(
    window: tuple[int, int], strides: tuple[int, int], rows: int, columns: int, by_row: bool, edge: bool = False
) -> Inline:
    """Return the function of a block; one of several columns has whole vectors of channels.

    by_row: whether it loads the vectors of the filter, those of a row before they are used. edge: whether a block of several columns may
    have inputs beside the image.
    """
    whole, filters = columns > 1, "w" if by_row else ", ".join(f"f{k}" for k in range(window[0] * window[1]))
    outputs = [(r, p) for r in range(rows) for p in range(columns)]
    read = range((columns - 1) * strides[1] + window[1])
    lines = [
        f"def block(x, at, {filters}, {_SIZES.replace('target', 'to')}):",
        f"    {' = '.join(f's{r}_{p}' for r, p in outputs)} = {_load('bias', 'c', 'count', whole)}",
    ]
    if not whole:
        lines += [f"    n{q} = count if 0 <= w0 + {q} < width else 0" for q in read]
    for h in range((rows - 1) * strides[0] + window[0]):
        lines += [f"    if 0 <= h0 + {h} < height:", f"        line = at + {h} * width * channels"]
        if by_row:
            taps = range(h * window[1], (h + 1) * window[1])
            lines += [f"        f{k} = {_load('w', f'{k} * channels + c', 'count', whole)}" for k in taps]
        for q in read:
            lines += [f"        if 0 <= w0 + {q} < width:"] * edge
            space = " " * (12 if edge else 8)
            lines.append(f"{space}v = {_load('x', f'line + {q} * channels', f'n{q}', whole)}")
            for r, p in outputs:
                i, j = h - r * strides[0], q - p * strides[1]
                if 0 <= i < window[0] and 0 <= j < window[1]:
                    lines.append(f"{space}s{r}_{p} = s{r}_{p} + f{i * window[1] + j} * v")
    for r, p in outputs:
        place, s = f"to + ({r} * out_width + {p}) * channels", f"s{r}_{p}"
        lines += ["    if more:", f"        {s} = {s} + {_load('added', place, 'count', whole)}"]
        value = f"clamp({s}, low, high)"
        lines.append(f"    store(y, {place}, {value})" if whole else f"    store_first(y, {place}, {value}, count)")
    scope = {"load": load, "load_first": load_first, "store": store, "store_first": store_first, "clamp": clamp}
    return inline(compile_source("block", "\n".join([*lines, ""]), scope).python)


def _load(array: str, at: str, count: str, whole: bool) -> str:
    return f"load({array}, {at})" if whole else f"load_first({array}, {at}, {count})"
