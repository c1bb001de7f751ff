"""Device kernels of tables: rows by their indices, and sums of gradients by row, in the order in which rows were read."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import block, blocks, thread, threads
from ..device.types import A, T
from ..support.index_checks import checked


@device_kernel(
    table="T[]", ids="int64[]", out="T[]", height="int64", width="int64", size="int64", padding="int64", wrong="int64[]",
    row_of_wrong="int64",
)  # fmt: skip
def gathered_rows(table, ids, out, height, width, size, padding, wrong, row_of_wrong):
    """Write the row of each id; zeros for the id `padding`."""
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        value = T(0)
        if padding < 0 or ids[i // width] != padding:
            row = checked(ids[i // width], height, wrong, row_of_wrong)
            value = table[row * width + i % width]
        out[i] = value


@device_kernel(rows="int64[]", order="int64[]", values="T[]", out="T[]", places="int64[]", count="int64", width="int64")
def summed_rows(rows, order, values, out, places, count, width):
    """Add the values of equal rows to out[places[i]]: `rows` are sorted, and values[order[i]] belongs to rows[i].

    The block of the first of equal rows adds all of them, one after the other, so that the sum is the same in each run.
    """
    first = block()
    if first == 0 or rows[first] != rows[first - 1]:
        for column in range(thread(), width, threads()):
            total = A(0)
            i = first
            while i < count and rows[i] == rows[first]:
                total += A(values[order[i] * width + column])
                i += 1
            out[places[first] * width + column] = T(total)
