"""Device kernels of tables: rows by their indices."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import block, blocks, thread, threads
from ..device.types import T
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
