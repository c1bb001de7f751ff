"""Device kernels of windows over images [planes, depth, height, width]; 2-D images have a depth of 1.

A block writes one row or one plane, so that only the place in it is taken apart into coordinates, by divisions of 32 bits. Each
gradient is gathered by who owns it: no sum depends on the order of threads.
"""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import block, thread, threads
from ..device.types import A, T, int32

DEPTH, HEIGHT, WIDTH, OUT_D, OUT_H, OUT_W, WINDOW_D, WINDOW_H, WINDOW_W = range(9)  # the numbers of a geometry
STRIDE_D, STRIDE_H, STRIDE_W, PAD_D, PAD_H, PAD_W, APART_D, APART_H, APART_W = range(9, 18)


@device_kernel(x="T[]", columns="T[]", g="int32[...]", images="int64", channels="int64", together="int64")
def window_columns(x, columns, g, images, channels, together):
    """Write what each tap of the windows sees: rows (image, channel, tap), or (channel, tap, image) if `together`."""
    taps = g[WINDOW_D] * g[WINDOW_H] * g[WINDOW_W]
    places = g[OUT_D] * g[OUT_H] * g[OUT_W]
    tap = int32(block() % taps)
    plane = block() // taps
    row = block()
    if together > 0:
        row = (plane % channels * taps + tap) * images + plane // channels
    first_x = tap % g[WINDOW_W] * g[APART_W] - g[PAD_W]
    first_y = tap // g[WINDOW_W] % g[WINDOW_H] * g[APART_H] - g[PAD_H]
    first_z = tap // g[WINDOW_W] // g[WINDOW_H] * g[APART_D] - g[PAD_D]
    for o in range(thread(), places, threads()):
        at = int32(o)
        i = at % g[OUT_W] * g[STRIDE_W] + first_x
        y = at // g[OUT_W] % g[OUT_H] * g[STRIDE_H] + first_y
        z = at // g[OUT_W] // g[OUT_H] * g[STRIDE_D] + first_z
        value = T(0)
        if i >= 0 and i < g[WIDTH] and y >= 0 and y < g[HEIGHT] and z >= 0 and z < g[DEPTH]:
            value = x[((plane * g[DEPTH] + z) * g[HEIGHT] + y) * g[WIDTH] + i]
        columns[row * places + o] = value


@device_kernel(columns="T[]", dx="T[]", g="int32[...]")
def image_of_columns(columns, dx, g):
    """Write the sum of the columns of (image, channel, tap) that see each point of an image; a block writes a plane."""
    points = g[DEPTH] * g[HEIGHT] * g[WIDTH]
    for p in range(thread(), points, threads()):
        at = int32(p)
        i = at % g[WIDTH] + g[PAD_W]
        y = at // g[WIDTH] % g[HEIGHT] + g[PAD_H]
        z = at // g[WIDTH] // g[HEIGHT] + g[PAD_D]
        total = A(0)
        for kz in range(g[WINDOW_D]):
            oz = int32(z - kz * g[APART_D])
            if oz >= 0 and oz % g[STRIDE_D] == 0 and oz // g[STRIDE_D] < g[OUT_D]:
                for ky in range(g[WINDOW_H]):
                    oy = int32(y - ky * g[APART_H])
                    if oy >= 0 and oy % g[STRIDE_H] == 0 and oy // g[STRIDE_H] < g[OUT_H]:
                        for kx in range(g[WINDOW_W]):
                            ox = int32(i - kx * g[APART_W])
                            if ox >= 0 and ox % g[STRIDE_W] == 0 and ox // g[STRIDE_W] < g[OUT_W]:
                                row = ((block() * g[WINDOW_D] + kz) * g[WINDOW_H] + ky) * g[WINDOW_W] + kx
                                place = (oz // g[STRIDE_D] * g[OUT_H] + oy // g[STRIDE_H]) * g[OUT_W] + ox // g[
                                    STRIDE_W
                                ]
                                total += A(columns[row * g[OUT_D] * g[OUT_H] * g[OUT_W] + place])
        dx[block() * points + p] = T(total)
