"""Convolution in which each filter sees one channel: too little work for a product of matrices, so taps are added row by row.

All arrays are C-contiguous `[image, channel, row, column]`; filter k sees channel `k // (filters / channels)`.
"""

from paddle_lite.kernels.numba_jit import inline, jit

__all__ = ["depthwise", "depthwise_filter_grad", "depthwise_input_grad"]


@inline
def _first(offset, stride):
    """The first output position whose tap, at `position * stride + offset`, is not left of the input."""
    return 0 if offset >= 0 else (stride - 1 - offset) // stride


@inline
def _end(offset, stride, size, outputs):
    """The output position behind the last one whose tap is inside an input of `size` points."""
    return 0 if offset >= size else min(outputs, (size - 1 - offset) // stride + 1)


@jit
def depthwise(x, w, y, stride_h, stride_w, top, left, dilation_h, dilation_w):
    """y from x and w."""
    filters, per_channel = y.shape[1], y.shape[1] // x.shape[1]
    for n in range(y.shape[0]):
        for k in range(filters):
            plane, out = x[n, k // per_channel], y[n, k]
            out[:] = 0
            for i in range(w.shape[2]):
                down = i * dilation_h - top
                for j in range(w.shape[3]):
                    right = j * dilation_w - left
                    first, end = _first(right, stride_w), _end(right, stride_w, x.shape[3], y.shape[3])
                    tap = w[k, 0, i, j]
                    for r in range(_first(down, stride_h), _end(down, stride_h, x.shape[2], y.shape[2])):
                        if first < end:
                            row = plane[r * stride_h + down, first * stride_w + right :]
                            target = out[r, first:end]
                            if stride_w == 1:
                                for c in range(target.size):
                                    target[c] += tap * row[c]
                            else:
                                for c in range(target.size):
                                    target[c] += tap * row[c * stride_w]


@jit
def depthwise_input_grad(dy, w, dx, stride_h, stride_w, top, left, dilation_h, dilation_w):
    """dx from dy and w."""
    filters, per_channel = dy.shape[1], dy.shape[1] // dx.shape[1]
    dx[:] = 0
    for n in range(dy.shape[0]):
        for k in range(filters):
            plane, out = dx[n, k // per_channel], dy[n, k]
            for i in range(w.shape[2]):
                down = i * dilation_h - top
                for j in range(w.shape[3]):
                    right = j * dilation_w - left
                    first, end = _first(right, stride_w), _end(right, stride_w, dx.shape[3], dy.shape[3])
                    tap = w[k, 0, i, j]
                    for r in range(_first(down, stride_h), _end(down, stride_h, dx.shape[2], dy.shape[2])):
                        if first < end:
                            row = plane[r * stride_h + down, first * stride_w + right :]
                            source = out[r, first:end]
                            if stride_w == 1:
                                for c in range(source.size):
                                    row[c] += tap * source[c]
                            else:
                                for c in range(source.size):
                                    row[c * stride_w] += tap * source[c]


@jit(reassoc=True)
def depthwise_filter_grad(x, dy, dw, stride_h, stride_w, top, left, dilation_h, dilation_w):
    """dw from x and dy."""
    filters, per_channel = dy.shape[1], dy.shape[1] // x.shape[1]
    dw[:] = 0
    for n in range(dy.shape[0]):
        for k in range(filters):
            plane, out = x[n, k // per_channel], dy[n, k]
            for i in range(dw.shape[2]):
                down = i * dilation_h - top
                for j in range(dw.shape[3]):
                    right = j * dilation_w - left
                    first, end = _first(right, stride_w), _end(right, stride_w, x.shape[3], dy.shape[3])
                    total = dw[k, 0, i, j]
                    for r in range(_first(down, stride_h), _end(down, stride_h, x.shape[2], dy.shape[2])):
                        if first < end:
                            row = plane[r * stride_h + down, first * stride_w + right :]
                            source = out[r, first:end]
                            if stride_w == 1:
                                for c in range(source.size):
                                    total += source[c] * row[c]
                            else:
                                for c in range(source.size):
                                    total += source[c] * row[c * stride_w]
                    dw[k, 0, i, j] = total
