"""Window arithmetic of convolution and pooling: paddings, dilations and output sizes."""

from __future__ import annotations

from collections.abc import Sequence

Sizes = tuple[int, ...]


def padding_pairs(paddings: Sequence[int], dims: int) -> list[tuple[int, int]]:
    """Return (before, after) for each dimension from Paddle's `paddings`: one number for each dimension, or two."""
    if len(paddings) == dims:
        return [(int(p), int(p)) for p in paddings]
    return [(int(paddings[2 * i]), int(paddings[2 * i + 1])) for i in range(dims)]


def resolve_paddings(
    size: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    paddings: Sequence[int],
    algorithm: str = "EXPLICIT",
    dilations: Sequence[int] | None = None,
) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the paddings of each dimension, and the dilations, for a `padding_algorithm`.

    "SAME" pads so that a window starts at each multiple of the stride, and ignores dilations, as Paddle does; "VALID" does
    not pad.
    """
    dims = len(size)
    dilations = [1] * dims if dilations is None else [int(d) for d in dilations]
    if algorithm == "SAME":
        pads = []
        for n, k, s in zip(size, window, strides, strict=True):
            total = max((-(-n // s) - 1) * s + k - n, 0)
            pads.append((total // 2, total - total // 2))
        return pads, [1] * dims
    if algorithm == "VALID":
        return [(0, 0)] * dims, dilations
    return padding_pairs(paddings, dims), dilations


def window_count(n: int, window: int, stride: int, pads: tuple[int, int], dilation: int = 1, ceil: bool = False) -> int:
    """Return the number of windows that fit into n elements with padding; -1 if n is unknown."""
    if n < 0:
        return -1
    room = n + pads[0] + pads[1] - (dilation * (window - 1) + 1)
    return (room + stride - 1) // stride + 1 if ceil else room // stride + 1


def transposed_sizes(
    size: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    paddings: Sequence[int],
    algorithm: str,
    dilations: Sequence[int],
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Return (paddings, dilations, smallest output size) of a transposed convolution over an image of `size`.

    The output size is -1 where the size of the image or of the window is unknown; it may be increased by less than a stride.
    """
    pads, dilations = resolve_paddings(size, window, strides, paddings, algorithm, dilations)
    each = zip(size, window, strides, pads, dilations, strict=True)
    return pads, dilations, [(n - 1) * s - sum(p) + d * (k - 1) + 1 if min(n, k) >= 0 else -1 for n, k, s, p, d in each]


def pooling_sizes(
    size: Sizes,
    ksize: Sequence[int],
    global_pooling: bool,
    strides: Sequence[int],
    paddings: Sequence[int],
    adaptive: bool,
    ceil_mode: bool,
    algorithm: str,
) -> tuple[list[int], list[tuple[int, int]], list[int]]:
    """Return (window, paddings, output size) of a pooling over an image of `size`.

    A window that is larger than the padded image by less than a stride is placed once, and covers all of it.
    """
    if global_pooling:
        return list(size), [(0, 0)] * len(size), [1] * len(size)
    if adaptive:
        return list(ksize), [(0, 0)] * len(size), list(ksize)
    pads, _ = resolve_paddings(size, ksize, strides, paddings, algorithm)
    each = list(zip(size, ksize, strides, pads, strict=True))
    out = [window_count(n, k, s, p, ceil=ceil_mode) for n, k, s, p in each]
    covering = [n > 0 and -s < n + sum(p) - k < 0 for n, k, s, p in each]
    return list(ksize), pads, [max(o, 1) if covers else o for o, covers in zip(out, covering)]
