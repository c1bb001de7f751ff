"""In-place updates by means of several gradients, as a parameter server makes them: sum, scale and update in one pass.

The gradients are added a block at a time, and the loop of optimizer_kernels runs over the block while it is in the cache.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ...array_pointers import array_at
from ...numba_jit import Jitted, compile_source, inline
from ...threads import parallel_for
from .optimizer_kernels import BLOCK, renewal_of, span_loop_of, splittable

__all__ = ["summed_update_of"]


@inline
def set_to(out, term):
    for k in range(out.size):
        out[k] = term[k]


@inline
def add_to(out, term):
    for k in range(out.size):
        out[k] += term[k]


@inline
def multiply(out, factor):
    for k in range(out.size):
        out[k] *= factor


@functools.cache
def summed_update_of(type: str) -> Callable[..., None] | None:
    """Return the function that updates many parameters by sums of gradients.

    None for an operator without a loop, and for one that sums over the elements of a parameter.

    It is called as `f(objects, sizes, terms, counts, means, rates, numbers, changes)`:
        objects, sizes, rates, numbers, changes: as for `update_of`; the gradients (row 1 of objects) are not read.
        terms: int64 [n, parameters], the `id` of each gradient, of the parameter's size.
        counts: int64 [parameters], how many of the n terms of a parameter are added.
        means: T [parameters], what each sum is multiplied by.
    """
    if not splittable(type):
        return None
    renew = renewal_of(type)
    kernel = _kernel_of(type)

    def run(
        objects: Any, sizes: Any, terms: Any, counts: Any, means: Any, rates: Any, numbers: Any, changes: Any
    ) -> None:
        begins = np.append(0, sizes[0].cumsum())
        elements = int(begins[-1])
        work = elements * (len(objects) - 1 + len(terms))
        args = (begins, objects, sizes, terms, counts, means, rates, numbers, changes)
        parallel_for(kernel, elements, work, args)
        renew(objects, sizes, rates, numbers)

    return run


@functools.cache
def _kernel_of(type: str) -> Jitted:
    """Return the kernel for a span of the elements of all parameters, concatenated."""
    loop, names = span_loop_of(type, "np.empty(param.size, rates.dtype)")
    source = f"""\
def sum_{type}(first, last, begins, objects, sizes, terms, counts, means, rates, numbers, changes):
    sums = np.empty(BLOCK, rates.dtype)
{loop.made}    for i in range(rates.size):
        past = min(last - begins[i], sizes[0, i])
        for start in range(max(first - begins[i], 0), past, BLOCK):
            end = min(start + BLOCK, past)
            param = array_at(objects[0, i], sizes[0, i], rates)[start:end]
            grad = sums[: end - start]
            set_to(grad, array_at(terms[0, i], sizes[0, i], rates)[start:end])
            for k in range(1, counts[i]):
                add_to(grad, array_at(terms[k, i], sizes[0, i], rates)[start:end])
            if means[i] != 1:
                multiply(grad, means[i])
{loop.run(4)}"""
    helpers = {"add_to": add_to, "array_at": array_at, "multiply": multiply, "set_to": set_to, "BLOCK": BLOCK, "np": np}
    return compile_source(f"sum_{type}", source, {**names, **helpers}, shared=True)
