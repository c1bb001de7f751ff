"""The transforms of Winograd's algorithms for 3x3 filters, on vectors over tiles or channels.

Each function reads its points from one array and writes them to another, `apart` between points. Two-dimensional
transforms are one-dimensional ones over columns, then over rows. With the points 0, 1, -1, 2, -2 and infinity (tiles of
4), or 0, 1, -1 and infinity (tiles of 2), the matrices are those of Lavin and Gray.
"""

from paddle_lite.kernels.numba_jit import inline
from paddle_lite.kernels.simd import load, store

__all__ = [
    "gradient4",
    "in4",
    "input2",
    "input4",
    "kernel2",
    "kernel4",
    "kernel_gradient4",
    "out4",
    "output2",
    "output4",
    "put36",
    "six",
]


@inline
def in4(a, b, c, d, e, f):
    """Transform six inputs to six points."""
    p, q = d - 4.0 * b, e - 4.0 * c
    r, s = 2.0 * (d - b), e - c
    return 4.0 * a - 5.0 * c + e, q + p, q - p, s + r, s - r, 4.0 * b - 5.0 * d + f


@inline
def out4(a, b, c, d, e, f):
    """Transform six points to four outputs."""
    p, q, r, s = b + c, b - c, d + e, d - e
    return a + p + r, q + 2.0 * s, p + 4.0 * r, q + 8.0 * s + f


@inline
def _kernel4(a, b, c):
    """Transform three taps to six points."""
    even, odd = (a + c) * (-1.0 / 6.0), b * (1.0 / 6.0)
    more_even, more_odd = a * (1.0 / 24.0) + c * (1.0 / 6.0), b * (1.0 / 12.0)
    return a * 0.25, even - odd, even + odd, more_even + more_odd, more_even - more_odd, c


@inline
def _gradient4(a, b, c, d):
    """Apply the transpose of `out4`."""
    p, q = a + c, b + d
    r, s = a + 4.0 * c, 2.0 * b + 8.0 * d
    return a, p + q, p - q, r + s, r - s, d


@inline
def _kernel_gradient4(a, b, c, d, e, f):
    """Apply the transpose of `_kernel4`."""
    p, q, r, s = b + c, c - b, d + e, d - e
    return (
        0.25 * a - (1.0 / 6.0) * p + (1.0 / 24.0) * r,
        (1.0 / 6.0) * q + (1.0 / 12.0) * s,
        f - (1.0 / 6.0) * p + (1.0 / 6.0) * r,
    )


@inline
def _column4(x, at, row, below):
    """Return the points of a column of a tile: rows of four planes, then of the first two of them one row of tiles on."""
    return in4(
        load(x, at), load(x, at + row), load(x, at + 2 * row), load(x, at + 3 * row),
        load(x, at + below), load(x, at + row + below),
    )  # fmt: skip


@inline
def put6(y, at, apart, a, b, c, d, e, f):
    """Store six vectors, `apart` between them."""
    store(y, at, a)
    store(y, at + apart, b)
    store(y, at + 2 * apart, c)
    store(y, at + 3 * apart, d)
    store(y, at + 4 * apart, e)
    store(y, at + 5 * apart, f)


@inline
def put36(y, to, apart, a, b, c, d, e, f):
    """Transform the rows of six transformed columns, and store the 36 points, `apart` between them."""
    put6(y, to, apart, *in4(a[0], b[0], c[0], d[0], e[0], f[0]))
    put6(y, to + 6 * apart, apart, *in4(a[1], b[1], c[1], d[1], e[1], f[1]))
    put6(y, to + 12 * apart, apart, *in4(a[2], b[2], c[2], d[2], e[2], f[2]))
    put6(y, to + 18 * apart, apart, *in4(a[3], b[3], c[3], d[3], e[3], f[3]))
    put6(y, to + 24 * apart, apart, *in4(a[4], b[4], c[4], d[4], e[4], f[4]))
    put6(y, to + 30 * apart, apart, *in4(a[5], b[5], c[5], d[5], e[5], f[5]))


@inline
def input4(x, plane, at, below, y, to, apart):
    """Transform tiles of 6x6 inputs to 36 points."""
    row = 6 * plane
    a, b = _column4(x, at, row, below), _column4(x, at + plane, row, below)
    c, d = _column4(x, at + 2 * plane, row, below), _column4(x, at + 3 * plane, row, below)
    e, f = _column4(x, at + 4 * plane, row, below), _column4(x, at + 5 * plane, row, below)
    put36(y, to, apart, a, b, c, d, e, f)


@inline
def six(x, at, apart):
    """Load six vectors, `apart` between them."""
    return (
        load(x, at), load(x, at + apart), load(x, at + 2 * apart), load(x, at + 3 * apart), load(x, at + 4 * apart),
        load(x, at + 5 * apart),
    )  # fmt: skip


@inline
def _put4(y, at, apart, a, b, c, d):
    store(y, at, a)
    store(y, at + apart, b)
    store(y, at + 2 * apart, c)
    store(y, at + 3 * apart, d)


@inline
def output4(x, at, apart, y, plane, to):
    """Transform 36 points to tiles of 4x4 outputs, in 16 planes."""
    row = 6 * apart
    a, b, c = out4(*six(x, at, row)), out4(*six(x, at + apart, row)), out4(*six(x, at + 2 * apart, row))
    at += 3 * apart
    d, e, f = out4(*six(x, at, row)), out4(*six(x, at + apart, row)), out4(*six(x, at + 2 * apart, row))
    _put4(y, to, plane, *out4(a[0], b[0], c[0], d[0], e[0], f[0]))
    _put4(y, to + 4 * plane, plane, *out4(a[1], b[1], c[1], d[1], e[1], f[1]))
    _put4(y, to + 8 * plane, plane, *out4(a[2], b[2], c[2], d[2], e[2], f[2]))
    _put4(y, to + 12 * plane, plane, *out4(a[3], b[3], c[3], d[3], e[3], f[3]))


@inline
def kernel4(x, tap, at, y, to, apart):
    """Transform 9 taps to 36 points."""
    a = _kernel4(load(x, at), load(x, at + 3 * tap), load(x, at + 6 * tap))
    b = _kernel4(load(x, at + tap), load(x, at + 4 * tap), load(x, at + 7 * tap))
    c = _kernel4(load(x, at + 2 * tap), load(x, at + 5 * tap), load(x, at + 8 * tap))
    put6(y, to, apart, *_kernel4(a[0], b[0], c[0]))
    put6(y, to + 6 * apart, apart, *_kernel4(a[1], b[1], c[1]))
    put6(y, to + 12 * apart, apart, *_kernel4(a[2], b[2], c[2]))
    put6(y, to + 18 * apart, apart, *_kernel4(a[3], b[3], c[3]))
    put6(y, to + 24 * apart, apart, *_kernel4(a[4], b[4], c[4]))
    put6(y, to + 30 * apart, apart, *_kernel4(a[5], b[5], c[5]))


@inline
def _gradient_column4(x, at, row):
    return _gradient4(load(x, at), load(x, at + row), load(x, at + 2 * row), load(x, at + 3 * row))


@inline
def gradient4(x, plane, at, y, to, apart):
    """Transform the gradients of tiles of 4x4 outputs, in planes like those of inputs, to 36 points."""
    row = 6 * plane
    a, b = _gradient_column4(x, at, row), _gradient_column4(x, at + plane, row)
    c, d = _gradient_column4(x, at + 2 * plane, row), _gradient_column4(x, at + 3 * plane, row)
    put6(y, to, apart, *_gradient4(a[0], b[0], c[0], d[0]))
    put6(y, to + 6 * apart, apart, *_gradient4(a[1], b[1], c[1], d[1]))
    put6(y, to + 12 * apart, apart, *_gradient4(a[2], b[2], c[2], d[2]))
    put6(y, to + 18 * apart, apart, *_gradient4(a[3], b[3], c[3], d[3]))
    put6(y, to + 24 * apart, apart, *_gradient4(a[4], b[4], c[4], d[4]))
    put6(y, to + 30 * apart, apart, *_gradient4(a[5], b[5], c[5], d[5]))


@inline
def _column_of_kernel4(x, at, row):
    return _kernel_gradient4(*six(x, at, row))


@inline
def _put3(y, at, apart, a, b, c):
    store(y, at, a)
    store(y, at + apart, b)
    store(y, at + 2 * apart, c)


@inline
def kernel_gradient4(x, at, apart, y, tap, to):
    """Transform 36 points to 9 taps."""
    row = 6 * apart
    a, b, c = (
        _column_of_kernel4(x, at, row), _column_of_kernel4(x, at + apart, row), _column_of_kernel4(x, at + 2 * apart, row)
    )  # fmt: skip
    at += 3 * apart
    d, e, f = (
        _column_of_kernel4(x, at, row), _column_of_kernel4(x, at + apart, row), _column_of_kernel4(x, at + 2 * apart, row)
    )  # fmt: skip
    _put3(y, to, tap, *_kernel_gradient4(a[0], b[0], c[0], d[0], e[0], f[0]))
    _put3(y, to + 3 * tap, tap, *_kernel_gradient4(a[1], b[1], c[1], d[1], e[1], f[1]))
    _put3(y, to + 6 * tap, tap, *_kernel_gradient4(a[2], b[2], c[2], d[2], e[2], f[2]))


@inline
def _in2(a, b, c, d):
    """Transform four inputs to four points."""
    return a - c, b + c, c - b, b - d


@inline
def _out2(a, b, c, d):
    """Transform four points to two outputs."""
    return a + b + c, b - c - d


@inline
def _kernel2(a, b, c):
    """Transform three taps to four points."""
    even, odd = 0.5 * (a + c), 0.5 * b
    return a, even + odd, even - odd, c


@inline
def _column2(x, at, row, below):
    return _in2(load(x, at), load(x, at + row), load(x, at + below), load(x, at + row + below))


@inline
def input2(x, plane, at, below, y, to, apart):
    """Transform tiles of 4x4 inputs to 16 points."""
    row = 4 * plane
    a, b = _column2(x, at, row, below), _column2(x, at + plane, row, below)
    c, d = _column2(x, at + 2 * plane, row, below), _column2(x, at + 3 * plane, row, below)
    _put4(y, to, apart, *_in2(a[0], b[0], c[0], d[0]))
    _put4(y, to + 4 * apart, apart, *_in2(a[1], b[1], c[1], d[1]))
    _put4(y, to + 8 * apart, apart, *_in2(a[2], b[2], c[2], d[2]))
    _put4(y, to + 12 * apart, apart, *_in2(a[3], b[3], c[3], d[3]))


@inline
def _four(x, at, apart):
    return load(x, at), load(x, at + apart), load(x, at + 2 * apart), load(x, at + 3 * apart)


@inline
def output2(x, at, apart, y, plane, to):
    """Transform 16 points to tiles of 2x2 outputs, in 4 planes."""
    row = 4 * apart
    a, b = _out2(*_four(x, at, row)), _out2(*_four(x, at + apart, row))
    c, d = _out2(*_four(x, at + 2 * apart, row)), _out2(*_four(x, at + 3 * apart, row))
    for r in range(2):
        e, f = _out2(a[r], b[r], c[r], d[r])
        store(y, to + 2 * r * plane, e)
        store(y, to + (2 * r + 1) * plane, f)


@inline
def kernel2(x, tap, at, y, to, apart):
    """Transform 9 taps to 16 points."""
    a = _kernel2(load(x, at), load(x, at + 3 * tap), load(x, at + 6 * tap))
    b = _kernel2(load(x, at + tap), load(x, at + 4 * tap), load(x, at + 7 * tap))
    c = _kernel2(load(x, at + 2 * tap), load(x, at + 5 * tap), load(x, at + 8 * tap))
    _put4(y, to, apart, *_kernel2(a[0], b[0], c[0]))
    _put4(y, to + 4 * apart, apart, *_kernel2(a[1], b[1], c[1]))
    _put4(y, to + 8 * apart, apart, *_kernel2(a[2], b[2], c[2]))
    _put4(y, to + 12 * apart, apart, *_kernel2(a[3], b[3], c[3]))
