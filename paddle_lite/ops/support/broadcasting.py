"""Broadcasting of elementwise operators: Paddle's `axis` rule in terms of NumPy's, and its transpose in gradients."""

from __future__ import annotations

from typing import Any

from ...core.errors import ShapeError, message

Shape = tuple[int, ...]


def aligned_shapes(where: str, x: Shape, y: Shape, axis: int) -> tuple[Shape, Shape]:
    """Return the shapes of X and Y, the smaller one padded with 1s so that it starts at `axis` of the larger one."""
    if axis == -1 or len(x) == len(y):
        return x, y
    large, small = (x, y) if len(x) > len(y) else (y, x)
    if not -1 <= axis < len(large):
        needs = f"-1, or 0 to {len(large) - 1} for shapes {list(x)} and {list(y)}"
        raise ShapeError(message(where, "attribute 'axis'", axis, needs))
    while len(small) > 1 and axis + len(small) > len(large) and small[-1] == 1:
        small = small[:-1]
    trailing = len(large) - axis - len(small)
    if trailing < 0:
        needs = f"an axis at which shape {list(small)} fits into {list(large)}"
        raise ShapeError(message(where, "attribute 'axis'", axis, needs))
    small = (1,) * axis + small + (1,) * trailing
    return (large, small) if len(x) > len(y) else (small, large)


def broadcast_shape(where: str, x: Shape, y: Shape, axis: int) -> Shape:
    """Return the broadcast shape, -1 for unknown dimensions; raise if the shapes of X and Y do not match."""
    x, y = aligned_shapes(where, tuple(x), tuple(y), axis)
    rank = max(len(x), len(y))
    a, b = (1,) * (rank - len(x)) + x, (1,) * (rank - len(y)) + y
    out = []
    for i, (m, n) in enumerate(zip(a, b)):
        if m != n and 1 not in (m, n) and -1 not in (m, n):
            got, needs = f"{n} (shape {list(b)})", f"{m} or 1, to fit X of shape {list(a)}"
            fix = "Reshape it, or say with `axis` where its dimensions belong."
            raise ShapeError(message(where, f"Input(Y) at dimension {i}", got, needs, fix))
        out.append(n if m == 1 else m if n == 1 else max(m, n))
    return tuple(out)


def align_operand(array: Any, other: Any, axis: int) -> Any:
    """Return an operand reshaped so that NumPy broadcasts it against the other one as `axis` demands."""
    if axis == -1 or array.ndim == other.ndim:
        return array
    return array.reshape(aligned_shapes("elementwise", array.shape, other.shape, axis)[0])


def unbroadcast(gradient: Any, like: Any, other: Any, axis: int) -> Any:
    """Return the gradient of a broadcast operand: summed over the dimensions that were broadcast."""
    if gradient.shape == like.shape:
        return gradient
    shape = aligned_shapes("elementwise", like.shape, other.shape, axis)[0]
    shape = (1,) * (gradient.ndim - len(shape)) + shape
    axes = tuple(i for i, (n, m) in enumerate(zip(shape, gradient.shape)) if n != m)
    total = gradient.sum(axis=axes, dtype=gradient.dtype) if axes else gradient
    return total.reshape(like.shape)
