"""Device kernels of normalisation by groups of channels: a block computes a group of one image, or the sums of a channel.

A channel is a group of its own in instance normalisation. The gradient takes the normalised values from the input, or from
the result: (y - bias) / scale, and 0 where the scale is 0.
"""

from __future__ import annotations

from ..device.kernel import device_function, device_kernel
from ..device.language import block, block_sum, rsqrt, thread, threads
from ..device.types import A, T


@device_kernel(
    x="T[]", scale="T[]", bias="T[]", y="T[]", means="T[]", spreads="T[]", plane="int64", each="int64", groups="int64", epsilon="A",
    scaled="int64", shifted="int64", inverted="int64",
)  # fmt: skip
def normalized_groups(x, scale, bias, y, means, spreads, plane, each, groups, epsilon, scaled, shifted, inverted):
    """Normalise the `each` channels of a group; write the mean and the variance, or 1 / its root if `inverted`."""
    width = each * plane
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
    inverse = rsqrt(squares / A(width) + epsilon)
    for i in range(thread(), width, threads()):
        channel = block() % groups * each + i // plane
        value = (A(x[row + i]) - mean) * inverse
        if scaled > 0:
            value = value * A(scale[channel])
        if shifted > 0:
            value = value + A(bias[channel])
        y[row + i] = T(value)
    if thread() == 0:
        means[block()] = T(mean)
        spreads[block()] = T(inverse if inverted > 0 else squares / A(width))


@device_function(value="A", mean="A", inverse="A", factor="A", shift="A", of_result="int64")
def normal_value(value, mean, inverse, factor, shift, of_result):
    """Return the normalised value, from the input or from the result."""
    found = (value - mean) * inverse
    if of_result > 0:
        found = A(0) if factor == A(0) else (value - shift) / factor
    return found


@device_kernel(
    values="T[]", scale="T[]", bias="T[]", means="T[]", spreads="T[]", dy="T[]", dx="T[]", plane="int64", each="int64", groups="int64",
    epsilon="A", scaled="int64", shifted="int64", of_result="int64",
)  # fmt: skip
def normalized_groups_grad(
    values, scale, bias, means, spreads, dy, dx, plane, each, groups, epsilon, scaled, shifted, of_result
):
    width = each * plane
    row = block() * width
    mean = A(means[block()])
    inverse = A(spreads[block()])
    if of_result > 0:
        inverse = rsqrt(inverse + epsilon)
    total = A(0)
    along = A(0)
    for i in range(thread(), width, threads()):
        channel = block() % groups * each + i // plane
        factor = A(scale[channel]) if scaled > 0 else A(1)
        shift = A(bias[channel]) if shifted > 0 else A(0)
        g = A(dy[row + i]) * factor
        total += g
        along += g * normal_value(A(values[row + i]), mean, inverse, factor, shift, of_result)
    total = yield from block_sum(total)
    along = yield from block_sum(along)
    total = total / A(width)
    along = along / A(width)
    for i in range(thread(), width, threads()):
        channel = block() % groups * each + i // plane
        factor = A(scale[channel]) if scaled > 0 else A(1)
        shift = A(bias[channel]) if shifted > 0 else A(0)
        normal = normal_value(A(values[row + i]), mean, inverse, factor, shift, of_result)
        dx[row + i] = T((A(dy[row + i]) * factor - total - normal * along) * inverse)


@device_kernel(
    values="T[]", scale="T[]", bias="T[]", means="T[]", spreads="T[]", dy="T[]", d_scale="T[]", d_bias="T[]", plane="int64", each="int64",
    groups="int64", images="int64", epsilon="A", scaled="int64", shifted="int64", of_result="int64",
)  # fmt: skip
def group_channels_grad(
    values, scale, bias, means, spreads, dy, d_scale, d_bias, plane, each, groups, images, epsilon, scaled, shifted,
    of_result,
):  # fmt: skip
    """Sum the gradients of scale and bias; a block computes a channel."""
    factor = A(scale[block()]) if scaled > 0 else A(1)
    shift = A(bias[block()]) if shifted > 0 else A(0)
    of_scale = A(0)
    of_bias = A(0)
    for n in range(images):
        row = n * groups + block() // each
        inverse = A(spreads[row])
        if of_result > 0:
            inverse = rsqrt(inverse + epsilon)
        for i in range(thread(), plane, threads()):
            at = (n * groups * each + block()) * plane + i
            g = A(dy[at])
            of_bias += g
            of_scale += g * normal_value(A(values[at]), A(means[row]), inverse, factor, shift, of_result)
    of_scale = yield from block_sum(of_scale)
    of_bias = yield from block_sum(of_bias)
    if thread() == 0:
        d_scale[block()] = T(of_scale)
        d_bias[block()] = T(of_bias)
