"""Device kernels of losses over classes; a block computes a row."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import INFINITY, block, block_max, block_sum, exp, log, maximum, thread, threads
from ..device.types import A, T
from ..nn.rows import FLOOR
from ..support.index_checks import checked


@device_kernel(
    x="T[]",
    labels="int64[]",
    out="T[]",
    loss="T[]",
    width="int64",
    ignored="int64",
    table="int64[]",
    row_of_table="int64",
)
def softmax_cross_entropy_rows(x, labels, out, loss, width, ignored, table, row_of_table):
    """Write the softmax of each row, and -log of that of its label; 0 for an ignored label."""
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
    if thread() == 0:
        value = A(0)
        if labels[block()] != ignored:
            label = checked(labels[block()], width, table, row_of_table)
            value = log(total) - maximum(A(x[row + label]) - most, A(FLOOR))
        loss[block()] = T(value)


@device_kernel(labels="int64[]", out="T[]", d_loss="T[]", dx="T[]", width="int64", ignored="int64")
def softmax_cross_entropy_rows_grad(labels, out, d_loss, dx, width, ignored):
    row = block() * width
    label = labels[block()]
    g = A(0)
    if label != ignored:
        g = A(d_loss[block()])
    for i in range(thread(), width, threads()):
        value = A(out[row + i]) * g
        if i == label:
            value = value - g
        dx[row + i] = T(value)
