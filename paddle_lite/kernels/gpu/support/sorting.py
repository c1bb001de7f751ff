"""Device kernels that sort row numbers, equal ones in their order, without a wait for the device: a bitonic sort (Batcher, 1968).

CuPy's sorts wait for the device, so that neither the host could run ahead nor a CUDA graph hold them.
"""

from __future__ import annotations

from typing import Any

from ...registry import array_module
from ..device.kernel import device_function, device_kernel, launch
from ..device.language import block, blocks, minimum, shared, thread, threads
from ..device.types import int64
from .shape import MOST_THREADS, blocks_for, threads_for

SPAN = 1024  # numbers that a block sorts in shared memory
LAST = 2**63 - 1  # stands behind all others


@device_kernel(rows="int64[]", keys="int64[]", count="int64", size="int64")
def keyed_rows(rows, keys, count, size):
    """Write keys in the order of the rows, and of their positions where they are equal; behind `count` keys the last one."""
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        key = int64(LAST)
        if i < count:
            key = rows[i] * count + i
        keys[i] = key


@device_function(keys="int64[]", first="int64", second="int64", rising="bool")
def exchanged(keys, first, second, rising):
    """Exchange two keys if they are not in their order."""
    a = keys[first]
    b = keys[second]
    if (a > b) == rising:
        keys[first] = b
        keys[second] = a


@device_kernel(keys="int64[]", size="int64", run="int64", apart="int64")
def exchanged_pairs(keys, size, run, apart):
    """Exchange keys that are `apart` in runs of `run` keys, which rise and fall in turn."""
    for e in range(block() * threads() + thread(), size // 2, blocks() * threads()):
        first = e // apart * 2 * apart + e % apart
        exchanged(keys, first, first + apart, first // run % 2 == 0)


@device_kernel(keys="int64[]", span="int64", run="int64", last="int64")
def exchanged_spans(keys, span, run, last):
    """Do so for all distances within a span of keys, for runs of `run` keys, twice as many, ..., and `last`."""
    part = shared(int64, SPAN)
    begin = block() * span
    for i in range(thread(), span, threads()):
        part[i] = keys[begin + i]
    yield
    while run <= last:
        apart = minimum(run, span) // 2
        while apart > 0:
            for e in range(thread(), span // 2, threads()):
                first = e // apart * 2 * apart + e % apart
                exchanged(part, first, first + apart, (begin + first) // run % 2 == 0)
            yield
            apart = apart // 2
        run = run * 2
    for i in range(thread(), span, threads()):
        keys[begin + i] = part[i]


@device_kernel(keys="int64[]", rows="int64[]", order="int64[]", count="int64")
def rows_of_keys(keys, rows, order, count):
    """Write the row and the position of each key."""
    for i in range(block() * threads() + thread(), count, blocks() * threads()):
        rows[i] = keys[i] // count
        order[i] = keys[i] % count


def sorted_rows(rows: Any) -> tuple[Any, Any]:
    """Return row numbers, int64 [n] of at least 0, in rising order, and their positions, those of equal ones rising."""
    xp, count = array_module("gpu"), rows.size
    size = 1 << max(1, (count - 1).bit_length())
    keys, span = xp.empty(size, "int64"), min(size, SPAN)
    launch(keyed_rows, blocks_for(size), MOST_THREADS, rows, keys, count, size)
    spans = size // span, threads_for(span // 2)
    launch(exchanged_spans, *spans, keys, span, 2, span)
    run = 2 * span
    while run <= size:
        apart = run // 2
        while apart >= span:
            launch(exchanged_pairs, blocks_for(size // 2), MOST_THREADS, keys, size, run, apart)
            apart //= 2
        launch(exchanged_spans, *spans, keys, span, run, run)
        run *= 2
    found, order = xp.empty(count, "int64"), xp.empty(count, "int64")
    launch(rows_of_keys, blocks_for(count), MOST_THREADS, keys, found, order, count)
    return found, order


__all__ = ["sorted_rows"]
