"""Products of several matrices with the same matrix, which is packed once into the layout that the kernel reads.

A BLAS packs its right matrix at each call, which for a recurrent cell takes as long as the product. The layout is that of
K. Goto and R. van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34 (2008): panels of a few
columns, each with its rows one after another, so that the kernel reads memory sequentially and from aligned addresses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..support.cache_lines import at_line
from .block_products import multiply_panels
from .gemm import suitable, times, times_transposed
from .register_blocks import is_faster, panel_width

__all__ = ["Factor", "pack"]

SMALLEST = 1 << 13  # elements of a factor; below it packing is hardly ever worthwhile
EARNED = 128  # rows of all products together from which on packing and transposing are worthwhile


class Factor:
    """The right factor of several products: `factor(x)` returns x @ matrix, `factor(x, start)` start + x @ matrix.

    `factor.into(x, out)` writes x @ matrix into an array.

    Args:
        matrix: [inner, columns]; with `transposed` [columns, inner], and the products are x @ matrix.T. It must not change
            between the first product and the last one.
        uses: the approximate number of products.
        transposed: whether the products use the transposed matrix.

    Example:
        >>> double = Factor(2 * np.eye(3), uses=10)
        >>> double(np.ones((2, 3)), np.ones((2, 3)))
        array([[3., 3., 3.],
               [3., 3., 3.]])
    """

    __slots__ = ("inner", "matrix", "packed", "plain", "suited", "transposed", "uses")

    def __init__(self, matrix: np.ndarray, uses: int, transposed: bool = False) -> None:
        self.matrix, self.uses, self.transposed = matrix, uses, transposed
        self.inner = max(1, matrix.shape[1] if transposed else matrix.shape[0])
        self.packed: np.ndarray | None = None
        self.plain: np.ndarray | None = None
        self.suited = matrix.size >= SMALLEST and suitable(matrix)

    def __call__(self, x: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
        if self.suited and self._suits(x) and (start is None or self._begins(start, x)):
            return self._product(x, start)
        out = self._otherwise(x)
        if start is not None:
            out += start
        return out

    def into(self, x: np.ndarray, out: np.ndarray) -> None:
        """Compute out = x @ matrix; out must be C-contiguous and have the matrix's dtype, as for numpy.dot."""
        if self.suited and self._suits(x) and self._begins(out, x):
            multiply_panels(x, self._panels(), out.shape[1], out)
        else:
            np.dot(x, self._plain(), out)

    def contiguous(self) -> np.ndarray:
        """Return the matrix that products are computed with, C-contiguous."""
        return np.ascontiguousarray(self._plain())

    def _suits(self, x: np.ndarray) -> bool:
        """Return whether packing is worthwhile for matrices like x."""
        rows, columns = len(x), self.matrix.size // self.inner
        earned = rows * self.uses >= EARNED and is_faster(rows, self.inner, columns)
        return earned and x.shape[1] == self.inner and _alike(x, self.matrix)

    def _begins(self, start: np.ndarray, x: np.ndarray) -> bool:
        """Return whether an array has the shape, dtype and layout of products with x."""
        return _alike(start, x) and start.shape == (len(x), self.matrix.size // self.inner)

    def _product(self, x: np.ndarray, start: np.ndarray | None) -> np.ndarray:
        """Return x @ matrix, plus `start` if it is given, by the kernel."""
        columns = self.matrix.size // self.inner
        out = np.empty((len(x), columns), x.dtype)
        multiply_panels(x, self._panels(), columns, out, start)
        return out

    def _panels(self) -> np.ndarray:
        if self.packed is None:
            self.packed = pack(self.matrix.T if self.transposed else self.matrix)
        return self.packed

    def _plain(self) -> np.ndarray:
        """Return the matrix for BLAS, copied if it is transposed, since OpenBLAS transposes slowly for few rows."""
        if self.plain is None:
            self.plain = np.ascontiguousarray(self.matrix.T) if self.transposed else self.matrix
        return self.plain

    def _otherwise(self, x: np.ndarray) -> np.ndarray:
        """Return x @ matrix without packing."""
        if not self.transposed:
            return times(x, self.matrix)
        if self.plain is None and self.suited and len(x) * self.uses < EARNED:
            return times_transposed(x, self.matrix)
        return times(x, self._plain())


def _alike(x: np.ndarray, y: np.ndarray) -> bool:
    return x.dtype is y.dtype and x.flags.c_contiguous


def pack(matrix: Any) -> np.ndarray:
    """Return a matrix packed into panels; the last vector of columns is padded with zeros.

    Args:
        matrix: float32 or float64, [inner, columns].

    Example:
        >>> pack(np.arange(6.0).reshape(2, 3))[:11]
        array([0., 1., 2., 0., 0., 0., 0., 0., 3., 4., 5.])
    """
    inner, columns = matrix.shape
    width = panel_width(columns, matrix.dtype)
    count = columns // width
    end = count * width
    rest = columns - end
    last = panel_width(rest, matrix.dtype)
    out = at_line(((end + last) * inner,), matrix.dtype)
    out[: end * inner].reshape(count, inner, width)[:] = matrix[:, :end].reshape(inner, count, width).swapaxes(0, 1)
    if rest:
        panel = out[end * inner :].reshape(inner, last)
        panel[:, :rest] = matrix[:, end:]
        panel[:, rest:] = 0
    return out
