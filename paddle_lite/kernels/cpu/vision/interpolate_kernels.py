"""CPU kernels of image interpolation: first along the height, one row at a time, then along the width.

The reference handles small images and all but floating images with channels first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....ops.support.interpolation_points import interpolation_taps, scaled_size
from ...numba_jit import jit
from ...registry import kernel
from ...threads import parallel_slices

_FEW = 2048  # elements of the result below which the reference is as fast


@kernel("nearest_interp", "bilinear_interp", "bicubic_interp")
def interp(X, OutSize, SizeTensor, Scale, *, reference, **attrs):
    size = _size(X, OutSize, SizeTensor, Scale, attrs)
    if size is None or len(X) * X.shape[1] * size[0] * size[1] < _FEW:
        return reference(X, OutSize, SizeTensor, Scale, **attrs)
    rows, columns = _tables(X.shape, size, X.dtype, attrs)
    planes = np.ascontiguousarray(X).reshape(-1, *X.shape[2:])
    out = np.empty((len(planes), *size), X.dtype)
    parallel_slices(_resize, (planes, *rows, *columns, out), (0, 5), 6 * out.size)
    return out.reshape(*X.shape[:2], *size)


@kernel("nearest_interp_grad", "bilinear_interp_grad", "bicubic_interp_grad")
def interp_grad(X, OutSize, SizeTensor, Scale, dOut, *, reference, **attrs):
    if len(X.shape) != 4 or attrs["data_layout"] != "NCHW" or dOut.dtype.char not in "fd" or dOut.size < _FEW:
        return reference(X, OutSize, SizeTensor, Scale, dOut, **attrs)
    rows, columns = _tables(X.shape, dOut.shape[2:], dOut.dtype, attrs)
    planes = np.ascontiguousarray(dOut).reshape(-1, *dOut.shape[2:])
    dx = np.zeros((len(planes), *X.shape[2:]), dOut.dtype)
    parallel_slices(_spread, (planes, *rows, *columns, dx), (0, 5), 8 * dOut.size)
    return dx.reshape(X.shape)


def _size(X: Any, OutSize: Any, SizeTensor: Any, Scale: Any, attrs: dict[str, Any]) -> tuple[int, int] | None:
    """Return the height and width that the attributes give; None if inputs give them, or if the reference handles the call."""
    if X.ndim != 4 or attrs["data_layout"] != "NCHW" or X.dtype.char not in "fd":
        return None
    if SizeTensor or OutSize is not None or Scale is not None:
        return None
    size = attrs["out_h"], attrs["out_w"]
    if attrs["scale"] > 0:
        size = scaled_size(X.shape[2], attrs["scale"]), scaled_size(X.shape[3], attrs["scale"])
    return size if min(size) > 0 else None


def _tables(shape: Any, size: Any, dtype: Any, attrs: dict[str, Any]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the indices and weights [taps, points] along the height, and along the width."""
    found = []
    for n, m in zip(shape[2:], size, strict=True):
        if n == m:
            each = [(np.arange(n), None)]
        else:
            each = interpolation_taps(
                np, n, m, dtype, attrs["interp_method"], attrs["align_corners"], attrs["align_mode"]
            )
        weights = [np.ones(m, dtype) if w is None else w.astype(dtype, copy=False) for _, w in each]
        found.append((np.stack([index for index, _ in each]), np.stack(weights)))
    return found


@jit(shared=True)
def _resize(x, row_index, row_weight, column_index, column_weight, out):
    """Interpolate each plane."""
    line = np.empty(x.shape[2], x.dtype)  # a row of the image
    for p in range(x.shape[0]):
        for i in range(out.shape[1]):
            source, weight = x[p, row_index[0, i]], row_weight[0, i]
            for k in range(line.size):
                line[k] = source[k] * weight
            for a in range(1, row_index.shape[0]):
                source, weight = x[p, row_index[a, i]], row_weight[a, i]
                for k in range(line.size):
                    line[k] += source[k] * weight
            target, index, weights = out[p, i], column_index[0], column_weight[0]
            for j in range(target.size):
                target[j] = line[index[j]] * weights[j]
            for b in range(1, column_index.shape[0]):
                index, weights = column_index[b], column_weight[b]
                for j in range(target.size):
                    target[j] += line[index[j]] * weights[j]


@jit(shared=True)
def _spread(dy, row_index, row_weight, column_index, column_weight, dx):
    """Add the transpose of `_resize` to `dx`."""
    line = np.empty(dx.shape[2], dy.dtype)
    for p in range(dy.shape[0]):
        for i in range(dy.shape[1]):
            line[:] = 0
            source = dy[p, i]
            for b in range(column_index.shape[0]):
                index, weights = column_index[b], column_weight[b]
                for j in range(source.size):
                    line[index[j]] += source[j] * weights[j]
            for a in range(row_index.shape[0]):
                target, weight = dx[p, row_index[a, i]], row_weight[a, i]
                for k in range(line.size):
                    target[k] += line[k] * weight
