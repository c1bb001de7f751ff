"""Tiles for `winograd`: extraction from images, transforms, and assembly.

The rows of a few rows of tiles are first laid out as planes, one for each row and column of a tile, in which the tiles
follow each other: a vector then holds the same point of 16 tiles, and a transform is a sum of vectors. A tile of m x m
outputs has m + 2 inputs in a row, of which the last two are the first two of the next tile. Rows are in m planes, where
the next tile is one row of tiles further on; columns are in m + 2 planes, since rows of tiles follow each other directly.

Rows of tiles are counted over all images: a block of them may start in one image and end in another. Images are flat; the
channels from `begin` to `end` are processed, counted from channel `start` of `all_channels`. `v`, `m` and `u` are flat as well: element
(point, row, column) is at `point * apart + row * pitch + column`.
"""

from paddle_lite.kernels.cpu.conv.winograd_transforms import (
    gradient4,
    input2,
    input4,
    kernel2,
    kernel4,
    kernel_gradient4,
    output2,
    output4,
)
from paddle_lite.kernels.numba_jit import inline, jit
from paddle_lite.kernels.simd import SIZE, clamp, deinterleave, interleave, load, load_first, store, store_first

__all__ = ["CUT", "FILTERS", "JOIN", "cut_gradients", "filter_gradients", "workspace_size"]


def workspace_size(rows: int, columns: int, side: int, vector: int) -> int:
    """Return the number of elements of the planes of some rows of tiles."""
    return side * (side + 2) * _plane(rows, columns, vector)


@inline
def _plane(rows, columns, vector):
    """Return the elements of a plane, with an extra row of tiles for those that extend below and whole vectors at the ends."""
    return ((rows + 1) * columns + 2 * vector + columns) // vector * vector


@inline
def _pad_row(source, at, width, left, row):
    """Copy a row of an image into a zero-padded row."""
    for k in range(0, width, SIZE // source.itemsize):
        store(row, left + k, load_first(source, at + k, width - k))


@inline
def _row4(row, columns, planes, plane, to, wide):
    """Split a padded row into the planes of its columns modulo 4; with `wide` also the first two of the next tile."""
    step = SIZE // row.itemsize
    for k in range(0, columns, step):
        at = 4 * k
        even, odd = deinterleave(load(row, at), load(row, at + step))
        more_even, more_odd = deinterleave(load(row, at + 2 * step), load(row, at + 3 * step))
        zeroth, second = deinterleave(even, more_even)
        first, third = deinterleave(odd, more_odd)
        store(planes, to + k, zeroth)
        store(planes, to + plane + k, first)
        store(planes, to + 2 * plane + k, second)
        store(planes, to + 3 * plane + k, third)
        if wide:
            at += 4
            even, odd = deinterleave(load(row, at), load(row, at + step))
            more_even, more_odd = deinterleave(load(row, at + 2 * step), load(row, at + 3 * step))
            zeroth, second = deinterleave(even, more_even)
            first, third = deinterleave(odd, more_odd)
            store(planes, to + 4 * plane + k, zeroth)
            store(planes, to + 5 * plane + k, first)


@inline
def _row2(row, columns, planes, plane, to):
    """Split a padded row into the planes of its columns modulo 2, and of the first two of the next tile."""
    step = SIZE // row.itemsize
    for k in range(0, columns, step):
        zeroth, first = deinterleave(load(row, 2 * k), load(row, 2 * k + step))
        store(planes, to + k, zeroth)
        store(planes, to + plane + k, first)
        zeroth, first = deinterleave(load(row, 2 * k + 2), load(row, 2 * k + 2 + step))
        store(planes, to + 2 * plane + k, zeroth)
        store(planes, to + 3 * plane + k, first)


@jit(shared=True, in_vectors=True)
def _cut4(
    begin, end, x, all_channels, start, height, width, top, left, rows, columns, first, count, planes, row, v, apart, pitch,
):  # fmt: skip
    """Compute v[point, channel, tile] by tiles of 4x4."""
    step = SIZE // x.itemsize
    plane = _plane(count, columns, step)
    for c in range(begin, end):
        done = 0
        while done < count:  # the rows of tiles of one image
            image, tile_row = (first + done) // rows, (first + done) % rows
            some = min(count - done, rows - tile_row)
            at = (image * all_channels + start + c) * height * width
            for r in range(4 * some + 2):
                h = 4 * tile_row + r - top
                inside = width if 0 <= h < height else 0
                _pad_row(x, at + max(min(h, height - 1), 0) * width, inside, left, row)
                if inside == 0:
                    row[left : left + width] = 0
                _row4(row, columns, planes, plane, (r % 4) * 6 * plane + r // 4 * columns, True)
            to = c * pitch + done * columns
            for t in range(0, some * columns, step):
                input4(planes, plane, t, columns, v, to + t, apart)
            done += some


@jit(shared=True, in_vectors=True)
def _cut2(
    begin, end, x, all_channels, start, height, width, top, left, rows, columns, first, count, planes, row, v, apart, pitch,
):  # fmt: skip
    """Compute v[point, channel, tile] by tiles of 2x2."""
    step = SIZE // x.itemsize
    plane = _plane(count, columns, step)
    for c in range(begin, end):
        done = 0
        while done < count:
            image, tile_row = (first + done) // rows, (first + done) % rows
            some = min(count - done, rows - tile_row)
            at = (image * all_channels + start + c) * height * width
            for r in range(2 * some + 2):
                h = 2 * tile_row + r - top
                inside = width if 0 <= h < height else 0
                _pad_row(x, at + max(min(h, height - 1), 0) * width, inside, left, row)
                if inside == 0:
                    row[left : left + width] = 0
                _row2(row, columns, planes, plane, (r % 2) * 4 * plane + r // 2 * columns)
            to = c * pitch + done * columns
            for t in range(0, some * columns, step):
                input2(planes, plane, t, columns, v, to + t, apart)
            done += some


@jit(shared=True, in_vectors=True)
def cut_gradients(
    begin, end, dy, all_channels, start, height, width, rows, columns, first, count, planes, row, d, apart, pitch
):
    """Compute d[point, filter, tile] of the gradients of 4x4 outputs, 0 outside the image."""
    step = SIZE // dy.itemsize
    plane = _plane(count, columns, step)
    for c in range(begin, end):
        done = 0
        while done < count:
            image, tile_row = (first + done) // rows, (first + done) % rows
            some = min(count - done, rows - tile_row)
            at = (image * all_channels + start + c) * height * width
            row[: 4 * columns + 4 * step] = 0  # clear what `_cut4` left beyond the shorter rows
            for r in range(4 * some):
                h = 4 * tile_row + r
                if h < height:
                    _pad_row(dy, at + h * width, width, 0, row)
                else:
                    row[:width] = 0
                _row4(row, columns, planes, plane, (r % 4) * 6 * plane + r // 4 * columns, False)
            to = c * pitch + done * columns
            for t in range(0, some * columns, step):
                gradient4(planes, plane, t, d, to + t, apart)
            done += some
            row[: 4 * columns + 4 * step] = 0


@inline
def _put(y, at, vector, left):
    """Store a vector, or its first elements where no more are left; a mask takes some ten cycles with AVX2."""
    if left >= SIZE // y.itemsize:
        store(y, at, vector)
    elif left > 0:
        store_first(y, at, vector, left)


@jit(shared=True, in_vectors=True)
def _join4(
    begin, end, m, apart, pitch, y, all_filters, start, height, width, rows, columns, first, count, planes, bias, low, high,
):  # fmt: skip
    """Compute y from m[point, filter, tile] by tiles of 4x4, with bias, clamped to [low, high]."""
    step = SIZE // m.itemsize
    plane = _plane(count, columns, step)
    for k in range(begin, end):
        for t in range(0, count * columns, step):
            output4(m, k * pitch + t, apart, planes, plane, t)
        for done in range(count):
            image, tile_row = (first + done) // rows, (first + done) % rows
            at = ((image * all_filters + start + k) * height + 4 * tile_row) * width
            for r in range(min(4, height - 4 * tile_row)):
                for q in range(0, columns, step):
                    seen = 4 * r * plane + done * columns + q
                    a, b = load(planes, seen), load(planes, seen + plane)
                    c, d = load(planes, seen + 2 * plane), load(planes, seen + 3 * plane)
                    (e, f), (g, h) = interleave(a, c), interleave(b, d)
                    (a, b), (c, d) = interleave(e, g), interleave(f, h)
                    to, left = at + r * width + 4 * q, width - 4 * q
                    add = bias[start + k]
                    _put(y, to, clamp(a + add, low, high), left)
                    _put(y, to + step, clamp(b + add, low, high), left - step)
                    _put(y, to + 2 * step, clamp(c + add, low, high), left - 2 * step)
                    _put(y, to + 3 * step, clamp(d + add, low, high), left - 3 * step)


@jit(shared=True, in_vectors=True)
def _join2(
    begin, end, m, apart, pitch, y, all_filters, start, height, width, rows, columns, first, count, planes, bias, low, high,
):  # fmt: skip
    """Compute y from m[point, filter, tile] by tiles of 2x2, with bias, clamped to [low, high]."""
    step = SIZE // m.itemsize
    plane = _plane(count, columns, step)
    for k in range(begin, end):
        for t in range(0, count * columns, step):
            output2(m, k * pitch + t, apart, planes, plane, t)
        for done in range(count):
            image, tile_row = (first + done) // rows, (first + done) % rows
            at = ((image * all_filters + start + k) * height + 2 * tile_row) * width
            for r in range(min(2, height - 2 * tile_row)):
                for q in range(0, columns, step):
                    seen = 2 * r * plane + done * columns + q
                    a, b = interleave(load(planes, seen), load(planes, seen + plane))
                    to, left, add = at + r * width + 2 * q, width - 2 * q, bias[start + k]
                    _put(y, to, clamp(a + add, low, high), left)
                    _put(y, to + step, clamp(b + add, low, high), left - step)


@inline
def _taps(w, k, turned, row, channels):
    """Write the taps of filter k as rows, so that a vector holds 16 channels; return the distance between rows."""
    apart = channels + SIZE // w.itemsize
    for c in range(channels):
        taps = w[c, k] if turned else w[k, c]
        for t in range(9):
            row[t * apart + c] = taps[8 - t] if turned else taps[t]
    return apart


@jit(shared=True)
def _filters4(first, last, w, turned, u, apart, row):
    """Compute u[point, filter, channel] of some filters of w [filter, channel, tap].

    If `turned`, w is [channel, filter, tap] with reversed taps.
    """
    channels = w.shape[0] if turned else w.shape[1]
    for k in range(first, last):
        tap = _taps(w, k, turned, row, channels)
        for c in range(0, channels, SIZE // w.itemsize):
            kernel4(row, tap, c, u, k * channels + c, apart)
    row[:] = 0


@jit(shared=True)
def _filters2(first, last, w, turned, u, apart, row):
    """Compute `_filters4` for tiles of 2x2."""
    channels = w.shape[0] if turned else w.shape[1]
    for k in range(first, last):
        tap = _taps(w, k, turned, row, channels)
        for c in range(0, channels, SIZE // w.itemsize):
            kernel2(row, tap, c, u, k * channels + c, apart)
    row[:] = 0


@jit(shared=True)
def filter_gradients(first, last, total, apart, dw, row):
    """Compute some filters of dw [filter, channel, tap] from the sums [point, filter, channel] of tiles of 4x4."""
    channels = dw.shape[1]
    tap = channels + SIZE // total.itemsize
    for k in range(first, last):
        for c in range(0, channels, SIZE // total.itemsize):
            kernel_gradient4(total, k * channels + c, apart, row, tap, c)
        for c in range(channels):
            for t in range(9):
                dw[k, c, t] = row[t * tap + c]
    row[:] = 0


CUT = {4: _cut4, 2: _cut2}
JOIN = {4: _join4, 2: _join2}
FILTERS = {4: _filters4, 2: _filters2}
