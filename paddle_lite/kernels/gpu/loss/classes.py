"""Device kernels of cross entropy of probabilities; Paddle takes 1e20 as -log(0)."""

from __future__ import annotations

from ..device.kernel import device_function, device_kernel
from ..device.language import INFINITY, block, blocks, log, thread, threads
from ..device.types import A, T
from ..support.index_checks import checked

LOG_OF_ZERO = 1e20


@device_kernel(
    x="T[]", labels="int64[]", loss="T[]", match="T[]", rows="int64", width="int64", ignored="int64", matched="int64",
    table="int64[]", row_of_table="int64",
)  # fmt: skip
def cross_entropy_rows(x, labels, loss, match, rows, width, ignored, matched, table, row_of_table):
    """Write -log of the probability of each row's label, 0 for an ignored one; and that probability, if `matched`."""
    for r in range(block() * threads() + thread(), rows, blocks() * threads()):
        value = A(0)
        p = A(0)
        if labels[r] != ignored:
            p = A(x[r * width + checked(labels[r], width, table, row_of_table)])
            value = A(LOG_OF_ZERO)
            if p != A(0):
                value = -log(p)
        loss[r] = T(value)
        if matched > 0:
            match[r] = T(p)


@device_function(d="A", p="A")
def over(d, p):
    """Return d / p: infinite for p = 0, but 0 if d is 0 as well."""
    found = A(0)
    if p != A(0):
        found = d / p
    elif d > A(0):
        found = A(INFINITY)
    elif d < A(0):
        found = A(-INFINITY)
    return found


@device_kernel(
    labels="int64[]", match="T[]", d_loss="T[]", dx="T[]", size="int64", width="int64", ignored="int64", matched="int64"
)
def cross_entropy_rows_grad(labels, match, d_loss, dx, size, width, ignored, matched):
    """Write the gradient of the probabilities; `match` holds those of the labels if `matched`, else all."""
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        r = i // width
        value = A(0)
        if labels[r] == i % width and labels[r] != ignored:
            p = A(match[r if matched > 0 else i])
            value = over(-A(d_loss[r]), p)
        dx[i] = T(value)
