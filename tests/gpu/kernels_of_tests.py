"""Small device kernels that tests run and compile."""

from __future__ import annotations

from paddle_lite.kernels.gpu.device.kernel import device_function, device_kernel
from paddle_lite.kernels.gpu.device.language import (
    INFINITY,
    block,
    block_max,
    block_prefix,
    block_sum,
    blocks,
    exp,
    maximum,
    shared,
    thread,
    threads,
)  # fmt: skip
from paddle_lite.kernels.gpu.device.types import A, T, int64

HALF = 0.5


@device_function(x="A")
def halved(x):
    return x * HALF


@device_kernel(x="T[]", out="T[]", size="int64")
def halves(x, out, size):
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        out[i] = T(halved(A(x[i])))


@device_kernel(x="T[]", out="T[]", width="int64")
def softmax_rows(x, out, width):
    row = block() * width
    most = A(-INFINITY)
    for i in range(thread(), width, threads()):
        most = maximum(most, A(x[row + i]))
    most = yield from block_max(most)
    total = A(0)
    for i in range(thread(), width, threads()):
        total += exp(A(x[row + i]) - most)
    total = yield from block_sum(total)
    for i in range(thread(), width, threads()):
        out[row + i] = T(exp(A(x[row + i]) - most) / total)


@device_kernel(x="T[]", out="T[]", size="int64")
def reversed_tiles(x, out, size):
    """Reverse each tile of as many elements as a block has threads, through shared memory."""
    tile = shared(T, 1024)
    first = block() * threads()
    if first + thread() < size:
        tile[thread()] = x[first + thread()]
    yield
    last = minimum_of(threads(), size - first) - 1
    if thread() <= last:
        out[first + thread()] = tile[last - thread()]


@device_function(a="int64", b="int64")
def minimum_of(a, b):
    return a if a < b else b


@device_kernel(x="T[]", out="T[]")
def without_barrier(x, out):
    tile = shared(T, 1024)
    tile[thread()] = x[thread()]
    out[thread()] = tile[threads() - 1 - thread()]


@device_kernel(out="T[]")
def one_sided_barrier(out):
    if thread() < 3:
        yield
    out[thread()] = T(1)


@device_kernel(x="T[]", out="T[]")
def outside(x, out):
    out[thread()] = x[thread() + 1]


@device_kernel(out="int64[]")
def negative_quotient(out):
    out[thread()] = (thread() - 5) // 2


@device_kernel(counts="int64[]", out="int64[]", size="int64")
def offsets(counts, out, size):
    """Write the sum of the counts before each, for at most as many as a block has threads."""
    mine = int64(0)
    if thread() < size:
        mine = counts[thread()]
    before = yield from block_prefix(mine)
    if thread() < size:
        out[thread()] = before
