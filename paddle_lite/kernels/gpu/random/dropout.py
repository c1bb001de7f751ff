"""Device kernels of dropout: the hash of an element's position that the CPU uses (kernels/cpu/random/dropout.py), so the same mask."""

from __future__ import annotations

from ..device.kernel import device_function, device_kernel
from ..device.language import block, blocks, product32, thread, threads, uint32
from ..device.types import A, T, uint8

FACTOR1, FACTOR2 = 0x21F0AAAD, 0xD35A2D97


@device_function(value="int64")
def mixed(value):
    """Return the lowbias32 hash of 32 bits."""
    h = uint32(value ^ (value >> 16))
    h = product32(h, FACTOR1)
    h = uint32(h ^ (h >> 15))
    h = product32(h, FACTOR2)
    return uint32(h ^ (h >> 15))


@device_function(place="int64", low="int64", high="int64", threshold="int64")
def kept(place, low, high, threshold):
    """Return whether the element at a position is kept; low and high are the halves of the key of the call."""
    return mixed(uint32(mixed(uint32(place) ^ uint32(low)) + high)) >= threshold


@device_kernel(x="T[]", y="T[]", mask="uint8[]", key="int64[]", threshold="int64", scale="A", size="int64")
def dropped(x, y, mask, key, threshold, scale, size):
    low = key[0] & 0xFFFFFFFF
    high = (key[0] >> 32) & 0xFFFFFFFF
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        chosen = kept(i, low, high, threshold)
        mask[i] = uint8(chosen)
        y[i] = T(A(x[i]) * scale if chosen else A(0))


@device_kernel(d_out="T[]", mask="uint8[]", dx="T[]", scale="A", size="int64")
def masked(d_out, mask, dx, scale, size):
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        dx[i] = T(A(d_out[i]) * A(mask[i]) * scale)
