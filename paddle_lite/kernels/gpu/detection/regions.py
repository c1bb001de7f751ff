"""Device kernels of regions of maps divided into bins; a thread computes one number, so that no two add to one."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import block, blocks, minimum, thread, threads
from ..device.types import A, T, int64


@device_kernel(weights="T[]", firsts="int64[]", ends="int64[]", count="int64", size="int64")
def weight_spans(weights, firsts, ends, count, size):
    """Write the first place of each bin whose weight is not 0, and the end of the last one; the size and 0 if there is none."""
    for e in range(block() * threads() + thread(), count, blocks() * threads()):
        first = size
        end = int64(0)
        for place in range(size):
            if A(weights[e * size + place]) != A(0):
                first = minimum(first, int64(place))
                end = place + 1
        firsts[e] = first
        ends[e] = end


@device_kernel(
    x="T[]", images="int64[]", down="T[]", tops="int64[]", bottoms="int64[]", across="T[]", lefts="int64[]", rights="int64[]",
    out="T[]", size="int64", channels="int64", height="int64", width="int64", high="int64", wide="int64",
)  # fmt: skip
def mean_of_bins(x, images, down, tops, bottoms, across, lefts, rights, out, size, channels, height, width, high, wide):
    """Write the mean of each bin: out [regions, channels, high, wide] from x [N, channels, height, width]."""
    for e in range(block() * threads() + thread(), size, blocks() * threads()):
        region = e // wide // high // channels
        i = region * high + e // wide % high
        j = region * wide + e % wide
        plane = (images[region] * channels + e // wide // high % channels) * height
        total = A(0)
        for row in range(tops[i], bottoms[i]):
            line = A(0)
            for column in range(lefts[j], rights[j]):
                line += A(x[(plane + row) * width + column]) * A(across[j * width + column])
            total += line * A(down[i * height + row])
        out[e] = T(total)


@device_kernel(
    d_out="T[]", starts="int64[]", down="T[]", tops="int64[]", bottoms="int64[]", across="T[]", lefts="int64[]", rights="int64[]",
    dx="T[]", size="int64", channels="int64", height="int64", width="int64", high="int64", wide="int64",
)  # fmt: skip
def mean_of_bins_grad(d_out, starts, down, tops, bottoms, across, lefts, rights, dx, size, channels, height, width, high, wide):  # fmt: skip
    """Write the gradient of each place: the sum over the bins that it is in, of the regions starts[n] to starts[n + 1] - 1."""
    for e in range(block() * threads() + thread(), size, blocks() * threads()):
        column = e % width
        row = e // width % height
        channel = e // width // height % channels
        image = e // width // height // channels
        total = A(0)
        for region in range(starts[image], starts[image + 1]):
            for bin in range(high):
                i = region * high + bin
                if row >= tops[i] and row < bottoms[i]:
                    line = A(0)
                    for other in range(wide):
                        j = region * wide + other
                        if column >= lefts[j] and column < rights[j]:
                            given = ((region * channels + channel) * high + bin) * wide + other
                            line += A(d_out[given]) * A(across[j * width + column])
                    total += line * A(down[i * height + row])
        dx[e] = T(total)


@device_kernel(
    x="T[]", images="int64[]", tops="int64[]", bottoms="int64[]", lefts="int64[]", rights="int64[]", out="T[]", best="int64[]",
    size="int64", channels="int64", height="int64", width="int64", high="int64", wide="int64",
)  # fmt: skip
def largest_of_bins(x, images, tops, bottoms, lefts, rights, out, best, size, channels, height, width, high, wide):
    """Write the largest number of each bin, and its place in the map; 0 and -1 for an empty one."""
    for e in range(block() * threads() + thread(), size, blocks() * threads()):
        region = e // wide // high // channels
        i = region * high + e // wide % high
        j = region * wide + e % wide
        plane = (images[region] * channels + e // wide // high % channels) * height * width
        place = int64(-1)
        most = A(0)
        for row in range(tops[i], bottoms[i]):
            for column in range(lefts[j], rights[j]):
                value = A(x[plane + row * width + column])
                if place < 0 or (most == most and (value > most or value != value)):  # NaN stays
                    place = row * width + column
                    most = value
        out[e] = T(most)
        best[e] = place
