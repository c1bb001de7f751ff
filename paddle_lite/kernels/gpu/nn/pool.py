"""Device kernels of pooling over images [planes, depth, height, width]; 2-D images have a depth of 1.

Windows are given by their first points and ends along each dimension, so that adaptive and strided ones are alike. The
gradient is gathered: a thread owns a point of the image and looks at the windows around it, so that no sum depends on the
order of threads.
"""

from __future__ import annotations

from ..device.kernel import device_function, device_kernel
from ..device.language import INFINITY, block, blocks, maximum, minimum, thread, threads
from ..device.types import A, T, int64

LOWEST = -3.4028234663852886e38  # the maximum of an empty window


@device_function(
    x="T[]",
    base="int64",
    z0="int64",
    z1="int64",
    y0="int64",
    y1="int64",
    x0="int64",
    x1="int64",
    height="int64",
    width="int64",
)
def first_maximum(x, base, z0, z1, y0, y1, x0, x1, height, width):
    """Return where the first maximum of a window stands in its plane; -1 for no point. A NaN counts as the maximum."""
    best = A(-INFINITY)
    found = int64(-1)
    for z in range(z0, z1):
        for y in range(y0, y1):
            for i in range(x0, x1):
                at = (z * height + y) * width + i
                value = A(x[base + at])
                if found < 0 or value > best or (value != value and best == best):
                    best = value
                    found = at
    return found


@device_kernel(
    x="T[]", out="T[]", first="int64[]", end="int64[]", depth="int64", height="int64", width="int64", out_depth="int64",
    out_height="int64", out_width="int64", size="int64", largest="int64", area="A",
)  # fmt: skip
def pooled(x, out, first, end, depth, height, width, out_depth, out_height, out_width, size, largest, area):
    """Write the maximum (largest=1) or the average of each window; area is the divisor, 0 for the number of its points."""
    for o in range(block() * threads() + thread(), size, blocks() * threads()):
        ox = o % out_width
        oy = o // out_width % out_height
        oz = o // out_width // out_height % out_depth
        base = o // out_width // out_height // out_depth * depth * height * width
        z0 = maximum(first[oz], int64(0))
        z1 = minimum(end[oz], depth)
        y0 = maximum(first[out_depth + oy], int64(0))
        y1 = minimum(end[out_depth + oy], height)
        x0 = maximum(first[out_depth + out_height + ox], int64(0))
        x1 = minimum(end[out_depth + out_height + ox], width)
        if largest > 0:
            found = first_maximum(x, base, z0, z1, y0, y1, x0, x1, height, width)
            value = A(LOWEST)
            if found >= 0:
                value = A(x[base + found])
            out[o] = T(value)
        else:
            total = A(0)
            for z in range(z0, z1):
                for y in range(y0, y1):
                    for i in range(x0, x1):
                        total += A(x[base + (z * height + y) * width + i])
            divisor = area
            if area == A(0):
                divisor = A((z1 - z0) * (y1 - y0) * (x1 - x0))
            out[o] = T(total / divisor)


@device_kernel(
    x="T[]", d_out="T[]", dx="T[]", first="int64[]", end="int64[]", lowest="int64[]", highest="int64[]", depth="int64",
    height="int64", width="int64", out_depth="int64", out_height="int64", out_width="int64", size="int64", largest="int64", area="A",
)  # fmt: skip
def pooled_grad(
    x, d_out, dx, first, end, lowest, highest, depth, height, width, out_depth, out_height, out_width, size, largest, area
):  # fmt: skip
    """Write the gradient of each point from the windows lowest[p] <= w < highest[p] around it, along each dimension."""
    for p in range(block() * threads() + thread(), size, blocks() * threads()):
        px = p % width
        py = p // width % height
        pz = p // width // height % depth
        plane = p // width // height // depth
        base = plane * depth * height * width
        total = A(0)
        for oz in range(lowest[pz], highest[pz]):
            z0 = maximum(first[oz], int64(0))
            z1 = minimum(end[oz], depth)
            for oy in range(lowest[depth + py], highest[depth + py]):
                y0 = maximum(first[out_depth + oy], int64(0))
                y1 = minimum(end[out_depth + oy], height)
                for ox in range(lowest[depth + height + px], highest[depth + height + px]):
                    x0 = maximum(first[out_depth + out_height + ox], int64(0))
                    x1 = minimum(end[out_depth + out_height + ox], width)
                    g = A(d_out[((plane * out_depth + oz) * out_height + oy) * out_width + ox])
                    if largest > 0:
                        if base + first_maximum(x, base, z0, z1, y0, y1, x0, x1, height, width) == p:
                            total += g
                    elif area == A(0):
                        total += g / A((z1 - z0) * (y1 - y0) * (x1 - x0))
                    else:
                        total += g / area
        dx[p] = T(total)
