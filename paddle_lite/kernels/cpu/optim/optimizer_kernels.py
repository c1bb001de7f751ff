"""In-place updates of many parameters in one call.

`@update("adam")` registers the update loop of one parameter. Its arguments are: the parameter and its gradient, flat;
`scale` and `decay`, with which it reads an element of the gradient as `gradient(grad[i], param[i], scale, decay)`; the
learning rate; the accumulators in the order of the operator's slots, flat; and the operator's attributes in the order of
the declaration, as an array of the parameter's dtype. `update_of("adam")` is the kernel that runs it over a list of
parameters.

To be vectorised, a loop must take its constants from `numbers.dtype.type(1)` and the like, since a plain 1 would make it
compute in float64; and a sum over elements must be in a helper of its own, decorated with `@inline(reassoc=True)`.

Several threads share out the elements of all parameters, concatenated: a parameter on the border of two shares is split,
unless its loop sums over its elements.
"""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...array_pointers import array_at
from ...numba_jit import Jitted, compile_source, inline, jit
from ...threads import parallel_for, smallest_shared, thread_count

__all__ = ["kernel_of", "loop_of", "renewal_of", "span_loop_of", "splittable", "squares_of", "update", "update_of"]

SCALE, LOW, HIGH, L2, L1 = range(5)  # the rows of `changes`
BLOCK = 4096  # elements that are summed in their own dtype

_updates: dict[str, tuple[Any, tuple[str, ...]]] = {}
_whole: set[str] = set()  # updates that sum over the elements of a parameter, and cannot be split


def update(type: str, whole: bool = False) -> Callable[[Callable], Any]:
    """Register the loop of one parameter as the update of an operator; `whole` if it sums over the parameter's elements."""
    if whole:
        _whole.add(type)

    def add(python: Any) -> Any:
        names = python.__code__.co_varnames[: python.__code__.co_argcount]
        first = len(("param", "grad", "scale", "decay", "rate"))
        _updates[type] = (inline(python), names[first:-1])
        return _updates[type][0]

    return add


def loop_of(type: str) -> tuple[Any, tuple[str, ...]] | None:
    """Return the loop of one parameter and the names of its accumulators; None for an operator without a loop."""
    return _updates.get(type)


@functools.cache
def update_of(type: str) -> Callable[..., None] | None:
    """Return the function that updates many parameters; None for an operator without a loop.

    It is called as `f(objects, sizes, rates, numbers, changes, scratch)`:
        objects: int64 [2 + accumulators, parameters], the `id` of each parameter, gradient and accumulator (see
            array_at); all of them C-contiguous arrays of one dtype T, and none sharing memory with what is written.
        sizes: int64 of the same shape, their sizes.
        rates: T [parameters], the learning rates.
        numbers: T [attributes].
        changes: T [5, parameters], the changes to the gradients: scale, bounds, and coefficients of the penalties' gradients
            (its rows are those of params.gradients); or [0, 0] for none.
        scratch: T, as large as the largest parameter if `changes` has bounds or an L1 penalty.
    """
    if type not in _updates:
        return None
    kernel = kernel_of(type)

    def run(objects: Any, sizes: Any, rates: Any, numbers: Any, changes: Any, scratch: Any) -> None:
        if thread_count() == 1 or sizes[0].sum() * len(objects) < smallest_shared():
            kernel(objects, sizes, rates, numbers, changes, scratch)
            return
        begins = np.append(0, sizes[0].cumsum())
        elements, args = int(begins[-1]), (begins, objects, sizes, rates, numbers, changes)
        parallel_for(_shared_kernel(type), elements, elements * len(objects), args)
        renewal_of(type)(objects, sizes, rates, numbers)

    return run


def _changed(scratch: str) -> str:
    """Return source lines that apply the changes to the gradient of parameter i, with `scratch` as the buffer."""
    return f"""\
        scale, decay = rates.dtype.type(1), rates.dtype.type(0)
        if changes.size:
            scale, decay = changes[SCALE, i], changes[L2, i]
            if changes[L1, i] != 0 or changes[LOW, i] > -INF or changes[HIGH, i] < INF:
                grad = bounded(grad, param, changes[:, i], {scratch})
                scale = rates.dtype.type(1)"""


@functools.cache
def kernel_of(type: str) -> Jitted:
    """Return the kernel that updates whole parameters in one thread, with the arguments of `update_of`'s function."""
    rule, names_of_kept = _updates[type]
    more = "".join(f"array_at(objects[{k}, i], sizes[{k}, i], scratch), " for k in range(2, 2 + len(names_of_kept)))
    source = f"""\
def update_{type}(objects, sizes, rates, numbers, changes, scratch):
    for i in range(rates.size):
        param = array_at(objects[0, i], sizes[0, i], scratch)
        grad = array_at(objects[1, i], sizes[1, i], scratch)
{_changed("scratch")}
        rule(param, grad, scale, decay, rates[i], {more}numbers)
"""
    return compile_source(f"update_{type}", source, {**_NAMES, "rule": rule})


class SpanLoop(NamedTuple):
    """Source lines that update the elements `start` to `end` of parameter i, in `param`, by their gradient, in `grad`.

    Scalar accumulators, the powers of beta, are copied, so that each span starts with their old values.

    made: the lines before the loop over the parameters. body: those that update.
    """

    made: str
    body: str

    def run(self, deeper: int = 0) -> str:
        """Return the lines that update, indented by so many more spaces."""
        return textwrap.indent(self.body, " " * deeper)


def span_loop_of(type: str, scratch: str) -> tuple[SpanLoop, dict[str, Any]]:
    """Return the lines that update a span with the loop of an operator, and the names in them.

    Arguments:
        scratch: the expression for a buffer of the span's size, for changes with bounds.
    """
    rule, names_of_kept = _updates[type]
    each = _accumulators(names_of_kept)
    powers = [name for name in names_of_kept if name.endswith("_pow")]
    made = "".join(f"    {name} = np.empty(1, rates.dtype)\n" for name in powers)
    copies = "".join(f"        {name}[0] = {each[name]}[0]\n" for name in powers)
    spans = "".join(f"{name}, " if name in powers else f"{text}[start:end], " for name, text in each.items())
    body = f"{_changed(scratch)}\n{copies}        rule(param, grad, scale, decay, rates[i], {spans}numbers)\n"
    return SpanLoop(made, body), {**_NAMES, "rule": rule, "np": np}


def _accumulators(names: Sequence[str]) -> dict[str, str]:
    """Return the expression for each accumulator of parameter i."""
    return {name: f"array_at(objects[{k}, i], sizes[{k}, i], rates)" for k, name in enumerate(names, 2)}


def splittable(type: str) -> bool:
    """Return whether an operator has a loop that can run over a part of a parameter."""
    return type in _updates and type not in _whole


@functools.cache
def _shared_kernel(type: str) -> Jitted:
    """Return the kernel for a span of the elements of all parameters; `renewal_of` is called after all spans.

    begins: the offset of each parameter among the elements; an unsplittable one belongs to the span in which it begins.
    """
    loop, names = span_loop_of(type, "np.empty(param.size, rates.dtype)")
    whole = type in _whole
    source = f"""\
def share_{type}(first, last, begins, objects, sizes, rates, numbers, changes):
{loop.made}    for i in range(rates.size):
        start, end = max(first - begins[i], 0), {"sizes[0, i]" if whole else "min(last - begins[i], sizes[0, i])"}
        if start >= end or begins[i] >= last{" or start > 0" * whole}:
            continue
        param = array_at(objects[0, i], sizes[0, i], rates)[start:end]
        grad = array_at(objects[1, i], sizes[1, i], rates)[start:end]
{loop.run()}"""
    return compile_source(f"share_{type}", source, names, shared=True)


@functools.cache
def renewal_of(type: str) -> Jitted:
    """Return the kernel that updates scalar accumulators after all spans of all parameters have been."""
    rule, names_of_kept = _updates[type]
    powers = [name for name in names_of_kept if name.endswith("_pow")]
    each = _accumulators(names_of_kept)
    empty = "".join(f"{text}, " if name in powers else f"{text}[:0], " for name, text in each.items())
    source = f"""\
def renew_{type}(objects, sizes, rates, numbers):
    one, zero = rates.dtype.type(1), rates.dtype.type(0)
    for i in range({"rates.size" if powers else 0}):
        param = array_at(objects[0, i], sizes[0, i], rates)[:0]
        rule(param, param, one, zero, rates[i], {empty}numbers)
"""
    return compile_source(f"renew_{type}", source, {**_NAMES, "rule": rule, "np": np})


@inline
def bounded(grad, param, change, scratch):
    """Return the scaled and clipped gradient plus the gradient of an L1 penalty, in `scratch`."""
    out = scratch[: param.size]
    scale, low, high, l1 = change[SCALE], change[LOW], change[HIGH], change[L1]
    for i in range(out.size):
        g, p = scale * grad[i], param[i]
        g = low if g < low else g
        g = high if g > high else g
        sign = l1 if p > 0 else -l1
        out[i] = g + (sign if p != 0 else p)
    return out


@inline
def gradient(g, p, scale, decay):
    """Return an element of the scaled gradient plus the gradient of an L2 penalty (none for decay 0, even if p is infinite)."""
    return scale * g + (decay * p if decay != 0 else decay)


@inline(reassoc=True)
def block_squares(grad, param, scale, decay):
    """Return the sum of the squares of a gradient's elements, in their dtype."""
    total = grad.dtype.type(0)
    for i in range(grad.size):
        g = gradient(grad[i], param[i], scale, decay)
        total += g * g
    return total


@inline
def squares(grad, param, scale, decay):
    """Return the sum of the squares of a gradient's elements, float64."""
    total = 0.0
    for first in range(0, grad.size, BLOCK):
        part = slice(first, first + BLOCK)
        total += block_squares(grad[part], param[part], scale, decay)
    return total


def squares_of(objects: Any, sizes: Any, out: Any, like: Any) -> None:
    """Compute out[i], the sum of squares of array i, of like's dtype; objects, sizes: int64 [n], out: float64 [n]."""
    if thread_count() == 1:
        _squares_of(0, out.size, objects, sizes, out, like)
    else:
        parallel_for(_squares_of, out.size, int(sizes.sum()), (objects, sizes, out, like))


@jit(shared=True)
def _squares_of(first, last, objects, sizes, out, like):
    for i in range(first, last):
        array = array_at(objects[i], sizes[i], like)
        out[i] = squares(array, array, like.dtype.type(1), like.dtype.type(0))


_NAMES: dict[str, Any] = {"SCALE": SCALE, "LOW": LOW, "HIGH": HIGH, "L2": L2, "L1": L1, "INF": np.inf}
_NAMES |= {"array_at": array_at, "bounded": bounded}


@update("sgd")
def sgd(param, grad, scale, decay, rate, numbers):
    for i in range(param.size):
        param[i] -= rate * gradient(grad[i], param[i], scale, decay)


@update("momentum")
def momentum(param, grad, scale, decay, rate, velocity, numbers):
    mu, use_nesterov = numbers[0], numbers[1] != 0
    for i in range(param.size):
        g = gradient(grad[i], param[i], scale, decay)
        v = mu * velocity[i] + g
        velocity[i] = v
        param[i] -= rate * (g + mu * v if use_nesterov else v)


@update("lars_momentum", whole=True)
def lars_momentum(param, grad, scale, decay, rate, velocity, numbers):
    mu, coefficient, weight_decay = numbers[0], numbers[1], numbers[2]
    one, zero = numbers.dtype.type(1), numbers.dtype.type(0)
    weight = np.sqrt(squares(param, param, one, zero))
    slope = np.sqrt(squares(grad, param, scale, decay))
    local = rate
    if weight > 0 and slope > 0:
        local = numbers.dtype.type(rate * (coefficient * weight / (slope + weight_decay * weight)))
    for i in range(param.size):
        g = gradient(grad[i], param[i], scale, decay)
        v = mu * velocity[i] + local * (g + weight_decay * param[i])
        velocity[i] = v
        param[i] -= v


@update("adam")
def adam(param, grad, scale, decay, rate, moment1, moment2, beta1_pow, beta2_pow, numbers):
    beta1, beta2, epsilon = numbers[0], numbers[1], numbers[2]
    one = numbers.dtype.type(1)
    step = rate * np.sqrt(one - beta2_pow[0]) / (one - beta1_pow[0])
    for i in range(param.size):
        g = gradient(grad[i], param[i], scale, decay)
        m = beta1 * moment1[i] + (one - beta1) * g
        v = beta2 * moment2[i] + (one - beta2) * g * g
        moment1[i] = m
        moment2[i] = v
        param[i] -= step * (m / (np.sqrt(v) + epsilon))
    beta1_pow[0] *= beta1
    beta2_pow[0] *= beta2


@update("adagrad")
def adagrad(param, grad, scale, decay, rate, moment, numbers):
    epsilon = numbers[0]
    for i in range(param.size):
        g = gradient(grad[i], param[i], scale, decay)
        m = moment[i] + g * g
        moment[i] = m
        param[i] -= rate * g / (np.sqrt(m) + epsilon)


@update("decayed_adagrad")
def decayed_adagrad(param, grad, scale, decay, rate, moment, numbers):
    kept, epsilon = numbers[0], numbers[1]
    one = numbers.dtype.type(1)
    for i in range(param.size):
        g = gradient(grad[i], param[i], scale, decay)
        m = kept * moment[i] + (one - kept) * g * g
        moment[i] = m
        param[i] -= rate * g / (np.sqrt(m) + epsilon)


@update("adamax")
def adamax(param, grad, scale, decay, rate, moment, inf_norm, beta1_pow, numbers):
    beta1, beta2, epsilon = numbers[0], numbers[1], numbers[2]
    one = numbers.dtype.type(1)
    step = rate / (one - beta1_pow[0])
    for i in range(param.size):
        g = gradient(grad[i], param[i], scale, decay)
        m = beta1 * moment[i] + (one - beta1) * g
        size, before = abs(g), beta2 * inf_norm[i] + epsilon
        largest = before if before > size else size
        moment[i] = m
        inf_norm[i] = largest
        param[i] -= step * m / largest
    beta1_pow[0] *= beta1


@update("adadelta")
def adadelta(param, grad, scale, decay, rate, squared_grad, squared_update, numbers):
    rho, epsilon = numbers[0], numbers[1]
    one = numbers.dtype.type(1)
    for i in range(param.size):
        g = gradient(grad[i], param[i], scale, decay)
        squares = rho * squared_grad[i] + (one - rho) * g * g
        change = np.sqrt((squared_update[i] + epsilon) / (squares + epsilon)) * g
        updates = rho * squared_update[i] + (one - rho) * change * change
        squared_grad[i] = squares
        squared_update[i] = updates
        param[i] -= np.sqrt((updates + epsilon) / (squares + epsilon)) * g


@update("rmsprop")
def rmsprop(param, grad, scale, decay, rate, mean_square, mean_grad, moment, numbers):
    epsilon, kept, mu, centered = numbers[0], numbers[1], numbers[2], numbers[3] != 0
    one = numbers.dtype.type(1)
    for i in range(param.size):
        g = gradient(grad[i], param[i], scale, decay)
        square = kept * mean_square[i] + (one - kept) * g * g
        mean_square[i] = square
        if centered:
            mean = kept * mean_grad[i] + (one - kept) * g
            mean_grad[i] = mean
            square -= mean * mean
        m = mu * moment[i] + rate * g / np.sqrt(square + epsilon)
        moment[i] = m
        param[i] -= m


@inline
def power(x, exponent):
    """Return x ** exponent, by a square root if possible."""
    return np.sqrt(x) if exponent == 0.5 else x**exponent


@update("ftrl")
def ftrl(param, grad, scale, decay, rate, squared, linear, numbers):
    l1, l2, exponent = numbers[0], numbers[1], -numbers[2]
    zero = numbers.dtype.type(0)
    for i in range(param.size):
        g = gradient(grad[i], param[i], scale, decay)
        square = squared[i] + g * g
        root = power(square, exponent)
        total = linear[i] + g - (root - power(squared[i], exponent)) / rate * param[i]
        squared[i] = square
        linear[i] = total
        divisor = root / rate + (l2 + l2)
        if abs(total) > l1:
            param[i] = ((l1 if total > 0 else -l1) - total) / divisor
        else:
            param[i] = zero


@inline(reassoc=True)
def lamb_moments(param, grad, scale, decay, moment1, moment2, numbers, rest1, rest2):
    """Update the moments and return the sum of the squares of the update direction.

    rest1, rest2: 1 - beta; if computed here, reassociation would expand the products, which loses digits.
    """
    weight_decay, beta1, beta2, epsilon = numbers[0], numbers[1], numbers[2], numbers[3]
    total = numbers.dtype.type(0)
    for i in range(param.size):
        g = gradient(grad[i], param[i], scale, decay)
        m = beta1 * moment1[i] + rest1 * g
        v = beta2 * moment2[i] + rest2 * g * g
        moment1[i] = m
        moment2[i] = v
        r = m / (np.sqrt(v) + epsilon) + weight_decay * param[i]
        total += r * r
    return total


@update("lamb", whole=True)
def lamb(param, grad, scale, decay, rate, moment1, moment2, beta1_pow, beta2_pow, numbers):
    weight_decay, epsilon = numbers[0], numbers[3]
    one, zero = numbers.dtype.type(1), numbers.dtype.type(0)
    rest1, rest2 = one - numbers[1], one - numbers[2]
    length = 0.0
    for first in range(0, param.size, BLOCK):
        part = slice(first, first + BLOCK)
        p, g, m, v = param[part], grad[part], moment1[part], moment2[part]
        length += lamb_moments(p, g, scale, decay, m, v, numbers, rest1, rest2)
    length = np.sqrt(length)
    weight = np.sqrt(squares(param, param, one, zero))
    step = rate
    if weight > 0 and length > 0:
        step = numbers.dtype.type(rate * (weight / length))
    for i in range(param.size):
        param[i] -= step * (moment1[i] / (np.sqrt(moment2[i]) + epsilon) + weight_decay * param[i])
