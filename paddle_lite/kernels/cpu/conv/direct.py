"""Direct convolution: some filters at a time, with their sums over all taps in registers.

It serves for few channels, where gathering columns would cost more than the product saves, and for strides, where
gathering is slow. Planes are laid out as in `planes`, so that taps are offsets; the planes of an image's channels follow
each other. The outputs of a few rows are summed in working memory, from which whole rows are copied to the result.
Several threads share out these pieces of a few rows, counted over all groups and images. Gradients of filters are sums of blocks of
pieces, whatever the number of threads.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from paddle_lite.kernels.cpu.conv.epilogue import Epilogue, epilogue
from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.cpu.conv.planes import fill, finish_rows, layout, positions_of, spread_rows, workspace
from paddle_lite.kernels.cpu.math.register_blocks import few_registers
from paddle_lite.kernels.cpu.support.scratch import scratch
from paddle_lite.kernels.numba_jit import inline, jit
from paddle_lite.kernels.simd import SIZE, lanes, load, load_halves, store, total, zeros
from paddle_lite.kernels.threads import Rooms, parallel_for, threads_sharing

__all__ = ["computed_filters", "filter_grad", "forward", "input_grad", "pitch"]

FILTERS = 8  # filters at a time: with AVX-512, 16 sums and their operands fit into the registers
AT_ONCE = 1 << 14  # sums that are computed before they are copied to the result: 64 KB of float32
FOUR, SIX = 4, 6  # filters and taps whose gradients are summed at a time; also the sizes of smaller blocks of filters
TWO, THREE = 2, 3  # filters and taps whose gradients are summed at a time with few registers
BLOCKS, PIECES = 16, 4  # of a gradient's sum: the most blocks, each a sum of its own, and the fewest pieces of a block
AT_ONCE_OF_GRADIENT = 1 << 10  # positions of such a sum: those of four filters fill half of the first-level cache


def forward(g: Geometry, x: np.ndarray, w: np.ndarray, y: np.ndarray, epilogue: Epilogue) -> None:
    """Compute y from x and w."""
    vector = lanes(x.dtype)
    p = layout(g, vector)
    matrices = w.reshape(g.groups, g.filters, g.taps)
    filters = computed_filters(g)
    if filters > g.filters and g.filters < FILTERS:
        matrices = np.concatenate([matrices, np.zeros((g.groups, filters - g.filters, g.taps), x.dtype)], 1)
    across, row_pitch = _cut_of_rows(g, vector)
    rows = max(1, min(g.out_height, AT_ONCE // (matrices.shape[1] * row_pitch)))
    threads = threads_sharing(g.work)
    if threads > 1:
        pieces = g.batch * g.groups * -(-g.out_height // rows)
        rows = max(1, rows * min(pieces, threads) // threads)
    sums_pitch = (-(-positions_of(rows, row_pitch, g.out_width) // vector) + 2) * vector
    room, sums, count = workspace(p, g.channels, matrices.shape[1] * sums_pitch, x.dtype)
    args = (
        x.reshape(-1), g.groups, g.channels, g.height, g.width, matrices, y.reshape(-1), g.filters,
        g.out_height, g.out_width, epilogue.bias, epilogue.low, epilogue.high, _offsets(g, vector), room, sums, rows,
        sums_pitch, p.top, p.left, *g.strides, p.phase, p.pitch, across, few_registers(),
    )  # fmt: skip
    parallel_for(_forward, g.batch * g.groups * -(-g.out_height // rows), g.work, args, rooms=Rooms(count, (14, 15)))
    epilogue.finish_rest(y)


def input_grad(g: Geometry, dy: np.ndarray, w: np.ndarray, dx: np.ndarray) -> None:
    """Compute dx from dy and w by a convolution with mirrored filters; the geometry must have a mirror."""
    m = g.mirrored
    turned = np.empty((g.groups * m.filters, m.channels, *g.kernel), w.dtype)
    mirror_filters(w.reshape(g.groups, g.filters, g.channels, -1), turned.reshape(g.groups, m.filters, m.channels, -1))
    forward(m, dy, turned, dx, epilogue(None, None, g.groups * m.filters, dy.dtype))


def filter_grad(g: Geometry, x: np.ndarray, dy: np.ndarray, dw: np.ndarray) -> None:
    """Compute dw from x and dy."""
    vector = lanes(x.dtype)
    p = layout(g, vector)
    offsets = _offsets(g, vector)
    some_filters, some_taps = (TWO, THREE) if few_registers() else (FOUR, SIX)
    offsets = np.append(offsets, np.repeat(offsets[-1:], -offsets.size % some_taps))
    filters = -(-g.filters // some_filters) * some_filters
    rows = max(1, min(g.out_height, AT_ONCE_OF_GRADIENT // p.pitch))
    pieces = g.batch * g.groups * -(-g.out_height // rows)
    blocks = max(1, min(BLOCKS, pieces // PIECES))
    gradients = scratch("conv part", (blocks, g.groups, filters, offsets.size), x.dtype)
    sums_pitch = (-(-positions_of(rows, p.pitch, g.out_width) // vector) + 2) * vector
    room, sums, count = workspace(p, g.channels, filters * sums_pitch, x.dtype)
    args = (
        x.reshape(-1), pieces, g.groups, g.channels, g.height, g.width, dy.reshape(-1), g.filters, g.out_height, g.out_width,
        gradients, offsets, room, sums, rows, sums_pitch, p.top, p.left, *g.strides, p.phase, p.pitch,
        few_registers(),
    )  # fmt: skip
    parallel_for(_filter_grad, blocks, g.work, args, rooms=Rooms(count, (12, 13)))
    whole = gradients.sum(0) if blocks > 1 else gradients[0]
    dw.reshape(g.groups, g.filters, g.taps)[...] = whole[:, : g.filters, : g.taps]


def computed_filters(g: Geometry) -> int:
    """Return the number of filters of a group that `forward` computes: a multiple of eight, or of four if few are left."""
    return -(-g.filters // FOUR) * FOUR if (g.filters - 1) % FILTERS < FOUR else -(-g.filters // FILTERS) * FILTERS


def pitch(g: Geometry, vector: int, forward: bool) -> int:
    """Return the number of positions that are computed for one output row, or for the gradients of filters; vector: its elements."""
    return _cut_of_rows(g, vector)[1] if forward else layout(g, 1).pitch


def _cut_of_rows(g: Geometry, vector: int) -> tuple[int, int]:
    """Return by how many halves of vectors a row of outputs is computed, and the positions from one row to the next.

    The first is 0 where vectors cross the ends of rows, since that makes fewer of them, or since a vector is one register.
    """
    positions, half = layout(g, vector).pitch, vector // 2
    across = -(-g.out_width // half)
    return (across, across * half) if few_registers() and across * half < positions else (0, positions)


@lru_cache(maxsize=1024)
def _offsets(g: Geometry, vector: int) -> np.ndarray:
    """Return the offsets of the taps of all channels."""
    p = layout(g, vector)
    offsets = (np.arange(g.channels)[:, None] * p.whole + p.offsets).reshape(-1)
    offsets.flags.writeable = False
    return offsets


@jit
def mirror_filters(w, turned):
    """Compute turned[group, channel, filter, -tap] from w[group, filter, channel, tap]."""
    last = w.shape[3] - 1
    for g in range(w.shape[0]):
        for c in range(w.shape[2]):
            for k in range(w.shape[1]):
                source, target = w[g, k, c], turned[g, c, k]
                for t in range(source.size):
                    target[t] = source[last - t]


@inline
def _eight(w, k):
    """Return the rows of eight filters."""
    return w[k], w[k + 1], w[k + 2], w[k + 3], w[k + 4], w[k + 5], w[k + 6], w[k + 7]


@inline
def _two_vectors(x, at, offsets, w, k, sums, to, pitch):
    """Compute 32 outputs (of float32) of filters k to k + 7, whose taps are rows of w."""
    step = SIZE // x.itemsize
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = zeros(x)
    b0 = b1 = b2 = b3 = b4 = b5 = b6 = b7 = zeros(x)
    w0, w1, w2, w3, w4, w5, w6, w7 = _eight(w, k)
    for t in range(offsets.size):
        a, b = load(x, at + offsets[t]), load(x, at + offsets[t] + step)
        a0, b0 = a0 + w0[t] * a, b0 + w0[t] * b
        a1, b1 = a1 + w1[t] * a, b1 + w1[t] * b
        a2, b2 = a2 + w2[t] * a, b2 + w2[t] * b
        a3, b3 = a3 + w3[t] * a, b3 + w3[t] * b
        a4, b4 = a4 + w4[t] * a, b4 + w4[t] * b
        a5, b5 = a5 + w5[t] * a, b5 + w5[t] * b
        a6, b6 = a6 + w6[t] * a, b6 + w6[t] * b
        a7, b7 = a7 + w7[t] * a, b7 + w7[t] * b
    _put_four(sums, to, pitch, a0, a1, a2, a3)
    _put_four(sums, to + 4 * pitch, pitch, a4, a5, a6, a7)
    _put_four(sums, to + step, pitch, b0, b1, b2, b3)
    _put_four(sums, to + 4 * pitch + step, pitch, b4, b5, b6, b7)


@inline
def _one_vector(x, at, offsets, w, k, sums, to, pitch):
    """Compute 16 outputs (of float32) of filters k to k + 7."""
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = zeros(x)
    w0, w1, w2, w3, w4, w5, w6, w7 = _eight(w, k)
    for t in range(offsets.size):
        a = load(x, at + offsets[t])
        a0, a1, a2, a3 = a0 + w0[t] * a, a1 + w1[t] * a, a2 + w2[t] * a, a3 + w3[t] * a
        a4, a5, a6, a7 = a4 + w4[t] * a, a5 + w5[t] * a, a6 + w6[t] * a, a7 + w7[t] * a
    _put_four(sums, to, pitch, a0, a1, a2, a3)
    _put_four(sums, to + 4 * pitch, pitch, a4, a5, a6, a7)


@inline
def _four_filters(x, at, offsets, w, k, sums, to, pitch, vectors):
    """Compute one or two vectors of outputs of filters k to k + 3."""
    step = SIZE // x.itemsize
    a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = zeros(x)
    w0, w1, w2, w3 = w[k], w[k + 1], w[k + 2], w[k + 3]
    for t in range(offsets.size):
        a, b = load(x, at + offsets[t]), load(x, at + offsets[t] + step)
        a0, a1, a2, a3 = a0 + w0[t] * a, a1 + w1[t] * a, a2 + w2[t] * a, a3 + w3[t] * a
        b0, b1, b2, b3 = b0 + w0[t] * b, b1 + w1[t] * b, b2 + w2[t] * b, b3 + w3[t] * b
    _put_four(sums, to, pitch, a0, a1, a2, a3)
    if vectors == 2:
        _put_four(sums, to + step, pitch, b0, b1, b2, b3)


@inline
def _four_of_few(x, at, other, offsets, w, k, sums, to, pitch):
    """Compute two times 8 outputs (of float32) of filters k to k + 3."""
    a0 = a1 = a2 = a3 = zeros(x)
    w0, w1, w2, w3 = w[k], w[k + 1], w[k + 2], w[k + 3]
    for t in range(offsets.size):
        a = load_halves(x, at + offsets[t], other + offsets[t])
        a0, a1, a2, a3 = a0 + w0[t] * a, a1 + w1[t] * a, a2 + w2[t] * a, a3 + w3[t] * a
    _put_four(sums, to, pitch, a0, a1, a2, a3)


@inline
def _six_of_few(x, at, other, offsets, w, k, sums, to, pitch):
    """Compute two times 8 outputs (of float32) of filters k to k + 5."""
    a0 = a1 = a2 = a3 = a4 = a5 = zeros(x)
    w0, w1, w2, w3, w4, w5 = w[k], w[k + 1], w[k + 2], w[k + 3], w[k + 4], w[k + 5]
    for t in range(offsets.size):
        a = load_halves(x, at + offsets[t], other + offsets[t])
        a0, a1, a2, a3 = a0 + w0[t] * a, a1 + w1[t] * a, a2 + w2[t] * a, a3 + w3[t] * a
        a4, a5 = a4 + w4[t] * a, a5 + w5[t] * a
    _put_four(sums, to, pitch, a0, a1, a2, a3)
    store(sums, to + 4 * pitch, a4)
    store(sums, to + 5 * pitch, a5)


@inline
def _put_four(sums, to, pitch, a, b, c, d):
    """Store the sums of four filters in four rows."""
    store(sums, to, a)
    store(sums, to + pitch, b)
    store(sums, to + 2 * pitch, c)
    store(sums, to + 3 * pitch, d)


@inline
def _rows_of_few(x, offsets, w, first, positions, sums, sums_pitch, pitch, across):
    """Compute all filters' outputs of some rows where eight sums of vectors are too many for the registers.

    across: the halves of vectors of a row; 0 where vectors cross the ends of rows.
    """
    step, filters = SIZE // x.itemsize, w.shape[0]
    half = step // 2
    for p in range(0, positions, step):
        at, other = first + p, first + p + half
        if across > 0:
            at = first + p // half // across * pitch + p // half % across * half
            other = first + (p // half + 1) // across * pitch + (p // half + 1) % across * half
        k = 0
        while k < filters:  # the last block may overlap the previous one
            left = filters - k
            if left > FILTERS or FOUR < left <= SIX:
                k = min(k, filters - SIX)
                _six_of_few(x, at, other, offsets, w, k, sums, k * sums_pitch + p, sums_pitch)
                k += SIX
            else:
                k = min(k, filters - FOUR)
                _four_of_few(x, at, other, offsets, w, k, sums, k * sums_pitch + p, sums_pitch)
                k += FOUR


@inline
def _rows(x, offsets, w, first, positions, sums, sums_pitch):
    """Compute all filters' outputs of some rows.

    The filters are the inner loop, so that their common inputs stay in the first-level cache.
    """
    step = SIZE // x.itemsize
    filters = w.shape[0]
    for p in range(0, positions, 2 * step):
        vectors = 2 if p + step < positions else 1
        for block in range(0, filters, FILTERS):
            if filters - block <= FOUR:  # the last block may overlap the previous one
                k = filters - FOUR
                _four_filters(x, first + p, offsets, w, k, sums, k * sums_pitch + p, sums_pitch, vectors)
                continue
            k = min(block, filters - FILTERS)
            if vectors == 2:
                _two_vectors(x, first + p, offsets, w, k, sums, k * sums_pitch + p, sums_pitch)
            else:
                _one_vector(x, first + p, offsets, w, k, sums, k * sums_pitch + p, sums_pitch)


@jit(shared=True, in_vectors=True)
def _forward(
    first, last, x, groups, channels, height, width, w, y, filters, out_height, out_width, bias, low, high,
    offsets, room, sums, rows, sums_pitch, top, left, stride_h, stride_w, phase, pitch, across, few,
):  # fmt: skip
    """Compute some pieces of `rows` output rows of y from x, both flat.

    w is [group, filter, tap], padded to a multiple of four or eight filters. across: as for `_rows_of_few`.
    """
    row_pitch = across * (SIZE // x.itemsize // 2) if across > 0 else pitch
    pieces, laid_out = (out_height + rows - 1) // rows, -1
    for piece in range(first, last):
        image, row = piece // pieces, piece % pieces * rows  # image: a group of an image
        g, count = image % groups, min(rows, out_height - row)
        if image != laid_out:
            for c in range(channels):
                start, to = (image * channels + c) * height * width, c * stride_h * stride_w * phase
                fill(x, start, height, width, room, to, top, left, stride_h, stride_w, phase, pitch)
            laid_out = image
        positions = (count - 1) * row_pitch + out_width
        if few:
            _rows_of_few(room, offsets, w[g], row * pitch, positions, sums, sums_pitch, pitch, across)
        else:
            _rows(room, offsets, w[g], row * pitch, positions, sums, sums_pitch)
        for k in range(filters):
            to = (image * filters + k) * out_height * out_width + row * out_width
            finish_rows(sums, k * sums_pitch, row_pitch, y, to, count, out_width, bias[g * filters + k], low, high)


@inline
def _six_taps(x, at, offsets, t, dy, d, dy_pitch, positions, dw):
    """Add the terms of some positions to the gradients of taps t to t + 5 of four filters, whose dy starts at d."""
    step = SIZE // x.itemsize
    a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = c0 = c1 = c2 = c3 = zeros(x)
    e0 = e1 = e2 = e3 = f0 = f1 = f2 = f3 = g0 = g1 = g2 = g3 = zeros(x)
    o0, o1, o2 = at + offsets[t], at + offsets[t + 1], at + offsets[t + 2]
    o3, o4, o5 = at + offsets[t + 3], at + offsets[t + 4], at + offsets[t + 5]
    for p in range(0, positions, step):
        d0, d1 = load(dy, d + p), load(dy, d + dy_pitch + p)
        d2, d3 = load(dy, d + 2 * dy_pitch + p), load(dy, d + 3 * dy_pitch + p)
        a, b, c = load(x, o0 + p), load(x, o1 + p), load(x, o2 + p)
        a0, a1, a2, a3 = a0 + d0 * a, a1 + d1 * a, a2 + d2 * a, a3 + d3 * a
        b0, b1, b2, b3 = b0 + d0 * b, b1 + d1 * b, b2 + d2 * b, b3 + d3 * b
        c0, c1, c2, c3 = c0 + d0 * c, c1 + d1 * c, c2 + d2 * c, c3 + d3 * c
        a, b, c = load(x, o3 + p), load(x, o4 + p), load(x, o5 + p)
        e0, e1, e2, e3 = e0 + d0 * a, e1 + d1 * a, e2 + d2 * a, e3 + d3 * a
        f0, f1, f2, f3 = f0 + d0 * b, f1 + d1 * b, f2 + d2 * b, f3 + d3 * b
        g0, g1, g2, g3 = g0 + d0 * c, g1 + d1 * c, g2 + d2 * c, g3 + d3 * c
    _sum_up(dw, 0, a0, a1, a2, a3)
    _sum_up(dw, 1, b0, b1, b2, b3)
    _sum_up(dw, 2, c0, c1, c2, c3)
    _sum_up(dw, 3, e0, e1, e2, e3)
    _sum_up(dw, 4, f0, f1, f2, f3)
    _sum_up(dw, 5, g0, g1, g2, g3)


@inline
def _three_taps(x, at, offsets, t, dy, d, dy_pitch, positions, dw):
    """Add the terms of some positions to the gradients of taps t to t + 2 of two filters, whose dy starts at d."""
    a0 = a1 = b0 = b1 = c0 = c1 = zeros(x)
    one, two, three = at + offsets[t], at + offsets[t + 1], at + offsets[t + 2]
    for p in range(0, positions, SIZE // x.itemsize):
        d0, d1 = load(dy, d + p), load(dy, d + dy_pitch + p)
        a, b, c = load(x, one + p), load(x, two + p), load(x, three + p)
        a0, a1, b0, b1, c0, c1 = a0 + d0 * a, a1 + d1 * a, b0 + d0 * b, b1 + d1 * b, c0 + d0 * c, c1 + d1 * c
    dw[0, 0] += total(a0)
    dw[1, 0] += total(a1)
    dw[0, 1] += total(b0)
    dw[1, 1] += total(b1)
    dw[0, 2] += total(c0)
    dw[1, 2] += total(c1)


@inline
def _sum_up(dw, t, a, b, c, d):
    """Add the sums of a tap to the gradients of four filters."""
    dw[0, t] += total(a)
    dw[1, t] += total(b)
    dw[2, t] += total(c)
    dw[3, t] += total(d)


@jit(shared=True, in_vectors=True)
def _filter_grad(
    first, last, x, pieces, groups, channels, height, width, dy, filters, out_height, out_width, dw,
    offsets, room, sums, rows, sums_pitch, top, left, stride_h, stride_w, phase, pitch, few,
):  # fmt: skip
    """Compute some blocks of dw [block, group, filter, tap] from x and the pieces of dy.

    Each block is the sum over as many pieces. The filters of dw are a multiple of four, its taps of six; with few registers, of two and three.
    sums: working memory for some rows of dy, initially 0.
    """
    of_image, blocks = (out_height + rows - 1) // rows, dw.shape[0]
    for block in range(first, last):
        dw[block] = 0
        laid_out = -1
        for piece in range(pieces * block // blocks, pieces * (block + 1) // blocks):
            image, row = piece // of_image, piece % of_image * rows  # image: a group of an image
            if image != laid_out:
                for c in range(channels):
                    start, to = (image * channels + c) * height * width, c * stride_h * stride_w * phase
                    fill(x, start, height, width, room, to, top, left, stride_h, stride_w, phase, pitch)
                laid_out = image
            count = min(rows, out_height - row)
            positions = (count - 1) * pitch + out_width
            for k in range(filters):
                start = (image * filters + k) * out_height * out_width + row * out_width
                spread_rows(dy, start, count, out_width, sums, k * sums_pitch, pitch)
                store(sums, k * sums_pitch + positions, zeros(sums))  # for the vector that extends beyond the end
            if few:
                for k in range(0, dw.shape[2], TWO):
                    for t in range(0, offsets.size, THREE):
                        part = dw[block, image % groups, k : k + TWO, t : t + THREE]
                        _three_taps(room, row * pitch, offsets, t, sums, k * sums_pitch, sums_pitch, positions, part)
                continue
            for k in range(0, dw.shape[2], FOUR):
                for t in range(0, offsets.size, SIX):
                    part = dw[block, image % groups, k : k + FOUR, t : t + SIX]
                    _six_taps(room, row * pitch, offsets, t, sums, k * sums_pitch, sums_pitch, positions, part)
