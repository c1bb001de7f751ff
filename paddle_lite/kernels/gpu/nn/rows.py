"""Device kernels over rows: a block computes a row (softmax, layer norm) or a channel (batch norm)."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import INFINITY, block, block_max, block_sum, blocks, exp, maximum, rsqrt, thread, threads
from ..device.types import A, T, U

FLOOR = -64.0  # Paddle clips smaller differences to the maximum to this


@device_kernel(x="T[]", out="T[]", width="int64")
def softmax_rows(x, out, width):
    row = block() * width
    most = A(-INFINITY)
    for i in range(thread(), width, threads()):
        most = maximum(most, A(x[row + i]))
    most = yield from block_max(most)
    total = A(0)
    for i in range(thread(), width, threads()):
        total += exp(maximum(A(x[row + i]) - most, A(FLOOR)))
    total = yield from block_sum(total)
    for i in range(thread(), width, threads()):
        out[row + i] = T(exp(maximum(A(x[row + i]) - most, A(FLOOR))) / total)


@device_kernel(out="T[]", d_out="T[]", dx="T[]", width="int64")
def softmax_rows_grad(out, d_out, dx, width):
    row = block() * width
    total = A(0)
    for i in range(thread(), width, threads()):
        total += A(out[row + i]) * A(d_out[row + i])
    total = yield from block_sum(total)
    for i in range(thread(), width, threads()):
        dx[row + i] = T((A(d_out[row + i]) - total) * A(out[row + i]))


@device_kernel(
    x="T[]", scale="T[]", bias="T[]", y="T[]", means="T[]", variances="T[]", width="int64", epsilon="A", scaled="int64",
    shifted="int64",
)  # fmt: skip
def layer_norm_rows(x, scale, bias, y, means, variances, width, epsilon, scaled, shifted):
    row = block() * width
    total = A(0)
    for i in range(thread(), width, threads()):
        total += A(x[row + i])
    total = yield from block_sum(total)
    mean = total / A(width)
    squares = A(0)
    for i in range(thread(), width, threads()):
        away = A(x[row + i]) - mean
        squares += away * away
    squares = yield from block_sum(squares)
    variance = squares / A(width)
    inverse = rsqrt(variance + epsilon)
    for i in range(thread(), width, threads()):
        value = (A(x[row + i]) - mean) * inverse
        if scaled > 0:
            value = value * A(scale[i])
        if shifted > 0:
            value = value + A(bias[i])
        y[row + i] = T(value)
    if thread() == 0:
        means[block()] = T(mean)
        variances[block()] = T(variance)


@device_kernel(
    x="T[]", scale="T[]", means="T[]", variances="T[]", dy="T[]", dx="T[]", width="int64", epsilon="A", scaled="int64"
)
def layer_norm_rows_grad(x, scale, means, variances, dy, dx, width, epsilon, scaled):
    row = block() * width
    mean = A(means[block()])
    inverse = rsqrt(A(variances[block()]) + epsilon)
    total = A(0)
    along = A(0)
    for i in range(thread(), width, threads()):
        g = A(dy[row + i])
        if scaled > 0:
            g = g * A(scale[i])
        total += g
        along += g * (A(x[row + i]) - mean) * inverse
    total = yield from block_sum(total)
    along = yield from block_sum(along)
    total = total / A(width)
    along = along / A(width)
    for i in range(thread(), width, threads()):
        g = A(dy[row + i])
        if scaled > 0:
            g = g * A(scale[i])
        dx[row + i] = T((g - total - (A(x[row + i]) - mean) * inverse * along) * inverse)


@device_kernel(
    x="T[]",
    means="T[]",
    variances="T[]",
    dy="T[]",
    d_scale="T[]",
    d_bias="T[]",
    rows="int64",
    width="int64",
    epsilon="A",
)
def layer_norm_columns_grad(x, means, variances, dy, d_scale, d_bias, rows, width, epsilon):
    """Sum the gradients of scale and bias; a thread sums a column, so that a warp reads neighbours."""
    for i in range(block() * threads() + thread(), width, blocks() * threads()):
        of_scale = A(0)
        of_bias = A(0)
        for r in range(rows):
            g = A(dy[r * width + i])
            of_bias += g
            of_scale += g * (A(x[r * width + i]) - A(means[r])) * rsqrt(A(variances[r]) + epsilon)
        d_scale[i] = T(of_scale)
        d_bias[i] = T(of_bias)


@device_kernel(x="T[]", means="U[]", variances="U[]", images="int64", channels="int64", plane="int64")
def channel_statistics(x, means, variances, images, channels, plane):
    """Write the mean and the variance of each channel of x [images, channels, plane]; a block computes a channel."""
    size = images * plane
    total = A(0)
    for i in range(thread(), size, threads()):
        total += A(x[(i // plane * channels + block()) * plane + i % plane])
    total = yield from block_sum(total)
    mean = total / A(size)
    squares = A(0)
    for i in range(thread(), size, threads()):
        away = A(x[(i // plane * channels + block()) * plane + i % plane]) - mean
        squares += away * away
    squares = yield from block_sum(squares)
    if thread() == 0:
        means[block()] = U(mean)
        variances[block()] = U(squares / A(size))


@device_kernel(
    x="T[]",
    means="U[]",
    inverses="U[]",
    scale="U[]",
    bias="U[]",
    y="T[]",
    channels="int64",
    plane="int64",
    size="int64",
)
def normalized_channels(x, means, inverses, scale, bias, y, channels, plane, size):
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        c = i // plane % channels
        y[i] = T((A(x[i]) - A(means[c])) * (A(inverses[c]) * A(scale[c])) + A(bias[c]))


@device_kernel(
    x="T[]",
    means="U[]",
    inverses="U[]",
    dy="T[]",
    d_scale="U[]",
    d_bias="U[]",
    images="int64",
    channels="int64",
    plane="int64",
)
def channel_sums_grad(x, means, inverses, dy, d_scale, d_bias, images, channels, plane):
    """Sum the gradients of scale and bias of each channel; a block computes a channel."""
    mean = A(means[block()])
    inverse = A(inverses[block()])
    of_scale = A(0)
    of_bias = A(0)
    for i in range(thread(), images * plane, threads()):
        at = (i // plane * channels + block()) * plane + i % plane
        g = A(dy[at])
        of_bias += g
        of_scale += g * (A(x[at]) - mean) * inverse
    of_scale = yield from block_sum(of_scale)
    of_bias = yield from block_sum(of_bias)
    if thread() == 0:
        d_scale[block()] = U(of_scale)
        d_bias[block()] = U(of_bias)


@device_kernel(
    x="T[]", means="U[]", inverses="U[]", scale="U[]", dy="T[]", d_scale="U[]", d_bias="U[]", dx="T[]", channels="int64",
    plane="int64", size="int64", fixed="int64",
)  # fmt: skip
def normalized_channels_grad(x, means, inverses, scale, dy, d_scale, d_bias, dx, channels, plane, size, fixed):
    count = A(size // channels)
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        c = i // plane % channels
        inverse = A(inverses[c])
        g = A(dy[i])
        if fixed == 0:
            g = g - A(d_bias[c]) / count - (A(x[i]) - A(means[c])) * inverse * A(d_scale[c]) / count
        dx[i] = T(g * A(scale[c]) * inverse)
