"""Device kernels of sums into rows, and writes to them, by sorted row numbers; and of checks of indices."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import block, blocks, thread, threads
from ..device.types import A, T, int64
from .index_checks import checked


@device_kernel(rows="int64[]", order="int64[]", values="T[]", out="T[]", count="int64", width="int64")
def added_rows(rows, order, values, out, count, width):
    """Add values[order[i]] to row rows[i] of out: `rows` are sorted.

    The thread of the first of equal rows adds all of them, one after the other, so that the sum is the same in each run.
    """
    for e in range(block() * threads() + thread(), count * width, blocks() * threads()):
        first = e // width
        if first == 0 or rows[first] != rows[first - 1]:
            place = rows[first] * width + e % width
            total = A(out[place])
            i = first
            while i < count and rows[i] == rows[first]:
                total += A(values[order[i] * width + e % width])
                i += 1
            out[place] = T(total)


@device_kernel(rows="int64[]", order="int64[]", values="T[]", out="T[]", count="int64", width="int64")
def last_rows(rows, order, values, out, count, width):
    """Write to row rows[i] of out the last of its values[order[i]]: `rows` are sorted, and equal ones in their order."""
    for e in range(block() * threads() + thread(), count * width, blocks() * threads()):
        i = e // width
        if i == count - 1 or rows[i] != rows[i + 1]:
            out[rows[i] * width + e % width] = values[order[i] * width + e % width]


@device_kernel(rows="int64[]", order="int64[]", values="T[]", sums="T[]", count="int64", width="int64")
def merged_rows(rows, order, values, sums, count, width):
    """Write to row i of sums all values[order[...]] of row rows[i], for the first of equal rows; zeros for the others."""
    for e in range(block() * threads() + thread(), count * width, blocks() * threads()):
        first = e // width
        total = A(0)
        if first == 0 or rows[first] != rows[first - 1]:
            i = first
            while i < count and rows[i] == rows[first]:
                total += A(values[order[i] * width + e % width])
                i += 1
        sums[e] = T(total)


@device_kernel(rows="int64[]", values="T[]", out="T[]", count="int64", width="int64")
def first_rows(rows, values, out, count, width):
    """Write row i of values to row rows[i] of out, for the first of equal rows, which are sorted."""
    for e in range(block() * threads() + thread(), count * width, blocks() * threads()):
        i = e // width
        if i == 0 or rows[i] != rows[i - 1]:
            out[rows[i] * width + e % width] = values[e]


@device_kernel(index="T[]", size="int64", end="int64", table="int64[]", row="int64")
def checked_indices(index, size, end, table, row):
    """Note an index that is not from 0 to end - 1 in the table of checks."""
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        checked(int64(index[i]), end, table, row)
