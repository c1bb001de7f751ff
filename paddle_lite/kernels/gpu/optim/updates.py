"""Device kernels of dense updates: one launch a parameter, which reads the rate and the powers of beta on the device."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import block, blocks, sqrt, thread, threads
from ..device.types import A, T


@device_kernel(param="T[]", grad="T[]", rate="T[]", out="T[]", size="int64")
def sgd_update(param, grad, rate, out, size):
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        out[i] = T(A(param[i]) - A(rate[0]) * A(grad[i]))


@device_kernel(
    param="T[]",
    grad="T[]",
    velocity="T[]",
    rate="T[]",
    out="T[]",
    velocity_out="T[]",
    mu="A",
    nesterov="int64",
    size="int64",
)
def momentum_update(param, grad, velocity, rate, out, velocity_out, mu, nesterov, size):
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        speed = mu * A(velocity[i]) + A(grad[i])
        direction = speed
        if nesterov > 0:
            direction = A(grad[i]) + mu * speed
        velocity_out[i] = T(speed)
        out[i] = T(A(param[i]) - A(rate[0]) * direction)


@device_kernel(
    param="T[]", grad="T[]", rate="T[]", moment1="T[]", moment2="T[]", power1="T[]", power2="T[]", out="T[]", moment1_out="T[]",
    moment2_out="T[]", power1_out="T[]", power2_out="T[]", beta1="A", beta2="A", epsilon="A", size="int64",
)  # fmt: skip
def adam_update(
    param, grad, rate, moment1, moment2, power1, power2, out, moment1_out, moment2_out, power1_out, power2_out, beta1, beta2,
    epsilon, size,
):  # fmt: skip
    one = A(1)
    step = A(rate[0]) * sqrt(one - A(power2[0])) / (one - A(power1[0]))
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        g = A(grad[i])
        first = beta1 * A(moment1[i]) + (one - beta1) * g
        second = beta2 * A(moment2[i]) + (one - beta2) * g * g
        moment1_out[i] = T(first)
        moment2_out[i] = T(second)
        out[i] = T(A(param[i]) - step * (first / (sqrt(second) + epsilon)))
    if block() == 0 and thread() == 0:
        power1_out[0] = T(beta1 * A(power1[0]))
        power2_out[0] = T(beta2 * A(power2[0]))
