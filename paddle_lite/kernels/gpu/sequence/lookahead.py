"""Device kernels of row_conv: sums over the rows that follow within a sequence, with a weight for each row and feature."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import block, blocks, minimum, thread, threads
from ..device.types import A, T


@device_kernel(
    x="T[]", weights="T[]", starts="int64[]", sequence="int64[]", out="T[]", size="int64", width="int64", length="int64", way="int64"
)  # fmt: skip
def weighted_rows(x, weights, starts, sequence, out, size, width, length, way):
    """Write the sum of x[row + way * w] * weights[w] over the rows of the sequence; the way is 1, or -1 for gradients."""
    for e in range(block() * threads() + thread(), size, blocks() * threads()):
        row = e // width
        total = A(0)
        for w in range(length):
            seen = row + way * w
            if seen >= starts[sequence[row]] and seen < starts[sequence[row] + 1]:
                total += A(x[seen * width + e % width]) * A(weights[w * width + e % width])
        out[e] = T(total)


@device_kernel(
    x="T[]", d_out="T[]", starts="int64[]", sequence="int64[]", sums="A[]", size="int64", rows="int64", width="int64", length="int64",
    each="int64",
)  # fmt: skip
def weighted_rows_grad(x, d_out, starts, sequence, sums, size, rows, width, length, each):
    """Write to sums [parts, length, width] the gradient of the weights from `each` rows a part."""
    for e in range(block() * threads() + thread(), size, blocks() * threads()):
        w = e // width % length
        first = e // width // length * each
        total = A(0)
        for row in range(first, minimum(first + each, rows - w)):
            if row + w < starts[sequence[row] + 1]:
                total += A(x[(row + w) * width + e % width]) * A(d_out[row * width + e % width])
        sums[e] = total
