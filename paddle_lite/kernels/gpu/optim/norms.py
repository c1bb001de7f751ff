"""Device kernels of updates whose rate depends on norms of whole parameters: LARS and LAMB, of many parameters in each launch.

Each block sums a part of each parameter; the kernel that updates adds up the parts, in their order, so that all blocks get the same
norm.
"""

from __future__ import annotations

from ..device.kernel import device_function, device_kernel
from ..device.language import block, block_sum, blocks, sqrt, thread, threads
from ..device.types import A, T


@device_function(sums="A[]", first="int64", parts="int64")
def norm_of_parts(sums, first, parts):
    """Return the root of the sum of `parts` numbers."""
    total = A(0)
    for i in range(thread(), parts, threads()):
        total += sums[first + i]
    total = yield from block_sum(total)
    return sqrt(total)


@device_kernel(count="int64", sizes="int64[...]", arrays="T[][]", sums="A[]")
def squares_of_parts(count, sizes, arrays, sums):
    """Write the sum of the squares of each part: sums [count, blocks]."""
    for t in range(count):
        total = A(0)
        for i in range(block() * threads() + thread(), sizes[t], blocks() * threads()):
            total += A(arrays[t][i]) * A(arrays[t][i])
        total = yield from block_sum(total)
        if thread() == 0:
            sums[t * blocks() + block()] = total


@device_kernel(
    count="int64", sizes="int64[...]", rates="T[][]", param="T[][]", grad="T[][]", velocity="T[][]", param_new="T[][]",
    velocity_new="T[][]", of_param="A[]", of_grad="A[]", parts="int64", mu="A", coefficient="A", decay="A",
)  # fmt: skip
def lars_update(
    count, sizes, rates, param, grad, velocity, param_new, velocity_new, of_param, of_grad, parts, mu, coefficient, decay
):  # fmt: skip
    for t in range(count):
        weight = yield from norm_of_parts(of_param, t * parts, parts)
        slope = yield from norm_of_parts(of_grad, t * parts, parts)
        rate = A(rates[t][0])
        if weight > A(0) and slope > A(0):
            rate = rate * (coefficient * weight / (slope + decay * weight))
        for i in range(block() * threads() + thread(), sizes[t], blocks() * threads()):
            value = mu * A(velocity[t][i]) + rate * (A(grad[t][i]) + decay * A(param[t][i]))
            velocity_new[t][i] = T(value)
            param_new[t][i] = T(A(param[t][i]) - value)


@device_function(moment1="A", moment2="A", param="A", decay="A", epsilon="A")
def direction_of(moment1, moment2, param, decay, epsilon):
    """Return the direction of LAMB."""
    return moment1 / (sqrt(moment2) + epsilon) + decay * param


@device_kernel(
    count="int64", sizes="int64[...]", param="T[][]", grad="T[][]", moment1="T[][]", moment2="T[][]", moment1_new="T[][]",
    moment2_new="T[][]", of_param="A[]", of_direction="A[]", decay="A", beta1="A", beta2="A", epsilon="A",
)  # fmt: skip
def lamb_moments(
    count, sizes, param, grad, moment1, moment2, moment1_new, moment2_new, of_param, of_direction, decay, beta1, beta2, epsilon
):  # fmt: skip
    """Write the moments, and the sums of the squares of each part of the parameters and of the directions."""
    for t in range(count):
        weight = A(0)
        length = A(0)
        for i in range(block() * threads() + thread(), sizes[t], blocks() * threads()):
            p = A(param[t][i])
            g = A(grad[t][i])
            m = beta1 * A(moment1[t][i]) + (A(1) - beta1) * g
            v = beta2 * A(moment2[t][i]) + (A(1) - beta2) * g * g
            moment1_new[t][i] = T(m)
            moment2_new[t][i] = T(v)
            d = direction_of(m, v, p, decay, epsilon)
            weight += p * p
            length += d * d
        weight = yield from block_sum(weight)
        length = yield from block_sum(length)
        if thread() == 0:
            of_param[t * blocks() + block()] = weight
            of_direction[t * blocks() + block()] = length


@device_kernel(
    count="int64", sizes="int64[...]", rates="T[][]", param="T[][]", moment1="T[][]", moment2="T[][]", param_new="T[][]",
    of_param="A[]", of_direction="A[]", parts="int64", decay="A", epsilon="A",
)  # fmt: skip
def lamb_update(count, sizes, rates, param, moment1, moment2, param_new, of_param, of_direction, parts, decay, epsilon):
    for t in range(count):
        weight = yield from norm_of_parts(of_param, t * parts, parts)
        length = yield from norm_of_parts(of_direction, t * parts, parts)
        rate = A(rates[t][0])
        if weight > A(0) and length > A(0):
            rate = rate * (weight / length)
        for i in range(block() * threads() + thread(), sizes[t], blocks() * threads()):
            p = A(param[t][i])
            d = direction_of(A(moment1[t][i]), A(moment2[t][i]), p, decay, epsilon)
            param_new[t][i] = T(p - rate * d)
