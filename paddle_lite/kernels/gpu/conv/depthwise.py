"""Device kernels of depthwise convolutions, each filter of which sees one channel: sums without columns."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import block, block_sum, thread, threads
from ..device.types import A, T, int32
from .columns import (
    APART_D,
    APART_H,
    APART_W,
    DEPTH,
    HEIGHT,
    OUT_D,
    OUT_H,
    OUT_W,
    PAD_D,
    PAD_H,
    PAD_W,
    STRIDE_D,
    STRIDE_H,
    STRIDE_W,
    WIDTH,
    WINDOW_D,
    WINDOW_H,
    WINDOW_W,
)  # fmt: skip


@device_kernel(x="T[]", w="T[]", out="T[]", g="int32[...]", filters="int64", each="int64")
def depthwise(x, w, out, g, filters, each):
    """Convolve; a block writes a plane of the result. `each` channel has so many of the filters."""
    places = g[OUT_D] * g[OUT_H] * g[OUT_W]
    taps = block() % filters * g[WINDOW_D] * g[WINDOW_H] * g[WINDOW_W]
    plane = block() // each
    for o in range(thread(), places, threads()):
        at = int32(o)
        first_x = at % g[OUT_W] * g[STRIDE_W] - g[PAD_W]
        first_y = at // g[OUT_W] % g[OUT_H] * g[STRIDE_H] - g[PAD_H]
        first_z = at // g[OUT_W] // g[OUT_H] * g[STRIDE_D] - g[PAD_D]
        total = A(0)
        for kz in range(g[WINDOW_D]):
            z = first_z + kz * g[APART_D]
            for ky in range(g[WINDOW_H]):
                y = first_y + ky * g[APART_H]
                if z >= 0 and z < g[DEPTH] and y >= 0 and y < g[HEIGHT]:
                    for kx in range(g[WINDOW_W]):
                        i = first_x + kx * g[APART_W]
                        if i >= 0 and i < g[WIDTH]:
                            seen = A(x[((plane * g[DEPTH] + z) * g[HEIGHT] + y) * g[WIDTH] + i])
                            total += seen * A(w[taps + (kz * g[WINDOW_H] + ky) * g[WINDOW_W] + kx])
        out[block() * places + o] = T(total)


@device_kernel(dy="T[]", w="T[]", dx="T[]", g="int32[...]", channels="int64", each="int64")
def depthwise_image_grad(dy, w, dx, g, channels, each):
    """Write the gradient of the images; a block writes a plane of them."""
    points = g[DEPTH] * g[HEIGHT] * g[WIDTH]
    for p in range(thread(), points, threads()):
        at = int32(p)
        i = at % g[WIDTH] + g[PAD_W]
        y = at // g[WIDTH] % g[HEIGHT] + g[PAD_H]
        z = at // g[WIDTH] // g[HEIGHT] + g[PAD_D]
        total = A(0)
        for kz in range(g[WINDOW_D]):
            oz = int32(z - kz * g[APART_D])
            for ky in range(g[WINDOW_H]):
                oy = int32(y - ky * g[APART_H])
                whole = oz >= 0 and oy >= 0 and oz % g[STRIDE_D] == 0 and oy % g[STRIDE_H] == 0
                if whole and oz // g[STRIDE_D] < g[OUT_D] and oy // g[STRIDE_H] < g[OUT_H]:
                    for kx in range(g[WINDOW_W]):
                        ox = int32(i - kx * g[APART_W])
                        if ox >= 0 and ox % g[STRIDE_W] == 0 and ox // g[STRIDE_W] < g[OUT_W]:
                            line = oz // g[STRIDE_D] * g[OUT_H] + oy // g[STRIDE_H]
                            for f in range(each):
                                plane = block() * each + f
                                tap = ((block() % channels * each + f) * g[WINDOW_D] + kz) * g[WINDOW_H] + ky
                                weight = A(w[tap * g[WINDOW_W] + kx])
                                place = (plane * g[OUT_D] * g[OUT_H] + line) * g[OUT_W] + ox // g[STRIDE_W]
                                total += weight * A(dy[place])
        dx[block() * points + p] = T(total)


@device_kernel(x="T[]", dy="T[]", dw="T[]", g="int32[...]", images="int64", filters="int64", each="int64")
def depthwise_filter_grad(x, dy, dw, g, images, filters, each):
    """Write the gradient of the filters; a block sums that of one tap over all images."""
    places = g[OUT_D] * g[OUT_H] * g[OUT_W]
    taps = g[WINDOW_D] * g[WINDOW_H] * g[WINDOW_W]
    tap = int32(block() % taps)
    k = block() // taps
    first_x = tap % g[WINDOW_W] * g[APART_W] - g[PAD_W]
    first_y = tap // g[WINDOW_W] % g[WINDOW_H] * g[APART_H] - g[PAD_H]
    first_z = tap // g[WINDOW_W] // g[WINDOW_H] * g[APART_D] - g[PAD_D]
    total = A(0)
    for o in range(thread(), places, threads()):
        at = int32(o)
        i = at % g[OUT_W] * g[STRIDE_W] + first_x
        y = at // g[OUT_W] % g[OUT_H] * g[STRIDE_H] + first_y
        z = at // g[OUT_W] // g[OUT_H] * g[STRIDE_D] + first_z
        if i >= 0 and i < g[WIDTH] and y >= 0 and y < g[HEIGHT] and z >= 0 and z < g[DEPTH]:
            for n in range(images):
                plane = (n * filters + k) // each
                seen = A(x[((plane * g[DEPTH] + z) * g[HEIGHT] + y) * g[WIDTH] + i])
                total += seen * A(dy[(n * filters + k) * places + o])
    total = yield from block_sum(total)
    if thread() == 0:
        dw[block()] = T(total)
