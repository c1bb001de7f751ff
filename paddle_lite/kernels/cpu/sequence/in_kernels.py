"""Functions over the rows of each sequence for kernels that run the steps of a loop.

All take flat arrays of rows [rows, width]; `offsets` say where the rows of each of the first `count` sequences begin.
"""

from __future__ import annotations

import functools

import numpy as np

from ...numba_jit import Jitted, compile_source, jit
from ..vecmath import exp

SHARES = {
    "all": "of = one",
    "mean": "of = one / to.dtype.type(end - begin)",
    "sqrt": "of = one / np.sqrt(to.dtype.type(end - begin))",
    "first": "of = one if row == begin else one - one",
    "last": "of = one if row == end - 1 else one - one",
}
"""The share of a row -> the line that computes it."""


def of_sequences(how: str, share: str) -> Jitted:
    """Return the function of an operator: `f(given ..., to, offsets, count, width)`.

    Arguments:
        how, share: as of `OfSequences`.
    """
    return {"softmax": softmax, "softmax back": softmax_back}.get(how) or _by_share(how, share)


@functools.cache
def _by_share(how: str, share: str) -> Jitted:
    """Return the function of rows that are repeated, or added up, with these shares."""
    total = how == "total"
    to, given, sign = ("s", "row", "+=") if total else ("row", "s", "=")
    zeros = ["        for j in range(width):", "            to[s * width + j] = 0"]
    lines = [
        f"def {how}_{share}(given, to, offsets, count, width):",
        "    one = to.dtype.type(1)",
        "    for s in range(count):",
        "        begin, end = offsets[s], offsets[s + 1]",
        *(zeros if total else []),
        "        for row in range(begin, end):",
        f"            {SHARES[share]}",
        "            for j in range(width):",
        f"                to[{to} * width + j] {sign} given[{given} * width + j] * of",
    ]
    return compile_source(f"{how}_{share}", "\n".join(lines) + "\n", {"np": np})


@jit(reassoc=True)
def softmax(given, to, offsets, count, width):
    """Compute the softmax of the numbers of each sequence."""
    for s in range(count):
        begin, end = offsets[s], offsets[s + 1]
        if begin == end:
            continue
        most = given[begin]
        for i in range(begin, end):
            most = max(most, given[i])
        total = most - most
        for i in range(begin, end):
            to[i] = exp(given[i] - most)
            total += to[i]
        for i in range(begin, end):
            to[i] = to[i] / total


@jit(reassoc=True)
def softmax_back(out, arriving, to, offsets, count, width):
    """Compute the gradient of `softmax` from its result and what arrives."""
    for s in range(count):
        begin, end = offsets[s], offsets[s + 1]
        total = to.dtype.type(0)
        for i in range(begin, end):
            total += out[i] * arriving[i]
        for i in range(begin, end):
            to[i] = out[i] * (arriving[i] - total)
