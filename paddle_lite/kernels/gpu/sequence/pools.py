"""Device kernels that compute over the rows of each sequence: pooling, softmax, windows of rows."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import INFINITY, block, block_max, block_sum, blocks, exp, maximum, sqrt, thread, threads
from ..device.types import A, T, int32, int64

SUM, AVERAGE, SQRT, FIRST, LAST, MAX, MIN = range(7)


@device_kernel(x="T[]", starts="int64[]", out="T[]", index="int32[]", width="int64", size="int64", how="int64", pad="A")
def pooled_sequences(x, starts, out, index, width, size, how, pad):
    """Write the pooled row of each sequence; `pad` for one without rows."""
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        first = starts[i // width]
        end = starts[i // width + 1]
        column = i % width
        found = first
        value = pad
        if first == end:
            found = int64(-1)
        elif how >= MAX:
            value = A(x[first * width + column])
            for row in range(first + 1, end):
                other = A(x[row * width + column])
                better = other > value
                if how == MIN:
                    better = other < value
                if better or (other != other and value == value):
                    value = other
                    found = int64(row)
        elif how == FIRST:
            value = A(x[first * width + column])
        elif how == LAST:
            value = A(x[(end - 1) * width + column])
        else:
            value = A(0)
            for row in range(first, end):
                value += A(x[row * width + column])
            if how == AVERAGE:
                value = value / A(end - first)
            elif how == SQRT:
                value = value / sqrt(A(end - first))
        out[i] = T(value)
        if how >= MAX:
            index[i] = int32(found)


@device_kernel(
    d_out="T[]", index="int32[]", starts="int64[]", sequence="int64[]", dx="T[]", width="int64", size="int64",
    how="int64",
)  # fmt: skip
def pooled_sequences_grad(d_out, index, starts, sequence, dx, width, size, how):
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        row = i // width
        s = sequence[row]
        value = A(d_out[s * width + i % width])
        if how == AVERAGE:
            value = value / A(starts[s + 1] - starts[s])
        elif how == SQRT:
            value = value / sqrt(A(starts[s + 1] - starts[s]))
        elif how == FIRST:
            value = value if row == starts[s] else A(0)
        elif how == LAST:
            value = value if row == starts[s + 1] - 1 else A(0)
        elif how >= MAX:
            value = value if index[s * width + i % width] == row else A(0)
        dx[i] = T(value)


@device_kernel(x="T[]", starts="int64[]", out="T[]")
def softmax_sequences(x, starts, out):
    """Write the softmax of each sequence of numbers; a block computes one."""
    first = starts[block()]
    end = starts[block() + 1]
    most = A(-INFINITY)
    for i in range(first + thread(), end, threads()):
        most = maximum(most, A(x[i]))
    most = yield from block_max(most)
    total = A(0)
    for i in range(first + thread(), end, threads()):
        total += exp(A(x[i]) - most)
    total = yield from block_sum(total)
    for i in range(first + thread(), end, threads()):
        out[i] = T(exp(A(x[i]) - most) / total)


@device_kernel(out="T[]", d_out="T[]", starts="int64[]", dx="T[]")
def softmax_sequences_grad(out, d_out, starts, dx):
    first = starts[block()]
    end = starts[block() + 1]
    total = A(0)
    for i in range(first + thread(), end, threads()):
        total += A(out[i]) * A(d_out[i])
    total = yield from block_sum(total)
    for i in range(first + thread(), end, threads()):
        dx[i] = T(A(out[i]) * (A(d_out[i]) - total))


@device_kernel(
    x="T[]", padding="T[]", starts="int64[]", sequence="int64[]", out="T[]", width="int64", size="int64", length="int64",
    begin="int64", padded="int64",
)  # fmt: skip
def sequence_windows(x, padding, starts, sequence, out, width, size, length, begin, padded):
    """Write, for each row, the `length` rows from the one `begin` behind it; rows outside of its sequence from `padding`."""
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        row = i // width // length
        first = starts[sequence[row]]
        end = starts[sequence[row] + 1]
        seen = row + begin + i // width % length
        value = T(0)
        if seen >= first and seen < end:
            value = x[seen * width + i % width]
        elif padded > 0:
            place = maximum(-begin, int64(0)) + seen - first
            if seen >= end:
                place = maximum(-begin, int64(0)) + seen - end
            value = padding[place * width + i % width]
        out[i] = value


@device_kernel(
    d_windows="T[]",
    starts="int64[]",
    sequence="int64[]",
    dx="T[]",
    width="int64",
    size="int64",
    length="int64",
    begin="int64",
)
def sequence_windows_grad(d_windows, starts, sequence, dx, width, size, length, begin):
    """Write the gradient of each row: the sum over the windows that it stands in."""
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        s = sequence[i // width]
        total = A(0)
        for place in range(length):
            row = i // width - begin - place
            if row >= starts[s] and row < starts[s + 1]:
                total += A(d_windows[(row * length + place) * width + i % width])
        dx[i] = T(total)


@device_kernel(
    d_windows="T[]", starts="int64[]", d_padding="T[]", sequences="int64", width="int64", size="int64", length="int64",
    begin="int64",
)  # fmt: skip
def sequence_padding_grad(d_windows, starts, d_padding, sequences, width, size, length, begin):
    """Write the gradient of each row of padding: the sum over the windows of all sequences that it stands in."""
    before = maximum(-begin, int64(0))
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        total = A(0)
        for s in range(sequences):
            seen = starts[s] + i // width - before
            if i // width >= before:
                seen = starts[s + 1] + i // width - before
            for place in range(length):
                row = seen - begin - place
                if row >= starts[s] and row < starts[s + 1]:
                    total += A(d_windows[(row * length + place) * width + i % width])
        d_padding[i] = T(total)
