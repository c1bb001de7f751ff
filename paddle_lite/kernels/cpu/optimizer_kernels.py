"""Updates of many parameters in one call, in place.

`@update("adam")` takes the loop of one parameter: flat arrays of the parameter, its gradient and its accumulators in the
order of the operator's slots, the learning rate, and the operator's attributes as an array of the parameter's dtype.
`update_of("adam")` is the kernel that runs it over a list of parameters given as addresses (see array_of).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..array_of import array_of
from ..numba_jit import Jitted, compile_source, inline, jit

__all__ = ["SCALE", "squares_of", "update", "update_of"]

SCALE, LOW, HIGH, L2, L1 = range(5)  # the rows of `changes`

_updates: dict[str, tuple[Any, int]] = {}


def update(type: str) -> Callable[[Callable], Any]:
    """Register the loop of one parameter as the update of an operator."""

    def add(python: Any) -> Any:
        accumulators = python.__code__.co_argcount - len(("param", "grad", "rate", "numbers"))
        _updates[type] = (inline(python), accumulators)
        return _updates[type][0]

    return add


@functools.cache
def update_of(type: str) -> Jitted | None:
    """The kernel that updates many parameters; None for an operator that has no loop here.

    It is called as `f(objects, sizes, rates, numbers, changes, scratch)`:
        objects: int64 [2 + accumulators, parameters], the `id` of each parameter, gradient and accumulator; all of them
            C-contiguous arrays of one dtype T, and none sharing memory with another's.
        sizes: int64 of the same shape, their sizes.
        rates: T [parameters], the learning rates.
        numbers: T [attributes].
        changes: T [5, parameters], what to do to the gradients first (see `changed`), or [0, 0] for nothing.
        scratch: T, as large as the largest parameter where `changes` are given.
    """
    if type not in _updates:
        return None
    rule, accumulators = _updates[type]
    more = "".join(f"array_of(objects[{k}, i], sizes[{k}, i], scratch), " for k in range(2, 2 + accumulators))
    source = f"""\
def update_{type}(objects, sizes, rates, numbers, changes, scratch):
    for i in range(rates.size):
        param = array_of(objects[0, i], sizes[0, i], scratch)
        grad = array_of(objects[1, i], sizes[1, i], scratch)
        if changes.size:
            grad = changed(grad, param, changes[:, i], scratch)
        rule(param, grad, rates[i], {more}numbers)
"""
    return compile_source(f"update_{type}", source, {"array_of": array_of, "changed": changed, "rule": rule})


@inline
def changed(grad, param, change, scratch):
    """The gradient within bounds or times a factor, then with the gradients of L2 and L1 penalties; in `scratch`."""
    out = scratch[: param.size]
    scale, low, high, l2, l1 = change[SCALE], change[LOW], change[HIGH], change[L2], change[L1]
    if l1 == 0 and low == -np.inf and high == np.inf:
        for i in range(out.size):
            out[i] = scale * grad[i] + l2 * param[i]
    else:
        for i in range(out.size):
            g, p = scale * grad[i], param[i]
            g = low if g < low else g
            g = high if g > high else g
            sign = l1 if p > 0 else -l1
            out[i] = g + l2 * p + (sign if p != 0 else p)
    return out


@jit(reassoc=True)
def squares_of(objects, sizes, out, like):
    """out[i] = the sum of the squares of array i; objects, sizes: int64 [n], out: float64 [n]."""
    for i in range(out.size):
        array = array_of(objects[i], sizes[i], like)
        total = 0.0
        for first in range(0, array.size, 4096):
            part = array[first : first + 4096]
            subtotal = part.dtype.type(0)
            for j in range(part.size):
                subtotal += part[j] * part[j]
            total += subtotal
        out[i] = total


@update("sgd")
def sgd(param, grad, rate, numbers):
    for i in range(param.size):
        param[i] -= rate * grad[i]


@update("momentum")
def momentum(param, grad, rate, velocity, numbers):
    mu, use_nesterov = numbers[0], numbers[1]
    if use_nesterov != 0:
        for i in range(param.size):
            v = mu * velocity[i] + grad[i]
            velocity[i] = v
            param[i] -= rate * (grad[i] + mu * v)
    else:
        for i in range(param.size):
            v = mu * velocity[i] + grad[i]
            velocity[i] = v
            param[i] -= rate * v


@update("adam")
def adam(param, grad, rate, moment1, moment2, beta1_pow, beta2_pow, numbers):
    beta1, beta2, epsilon = numbers[0], numbers[1], numbers[2]
    one = param.dtype.type(1)
    step = rate * np.sqrt(one - beta2_pow[0]) / (one - beta1_pow[0])
    for i in range(param.size):
        m = beta1 * moment1[i] + (one - beta1) * grad[i]
        v = beta2 * moment2[i] + (one - beta2) * grad[i] * grad[i]
        moment1[i] = m
        moment2[i] = v
        param[i] -= step * (m / (np.sqrt(v) + epsilon))
    beta1_pow[0] *= beta1
    beta2_pow[0] *= beta2
