"""Operators that rearrange, select and join."""

from __future__ import annotations

from typing import Any

from paddle_lite import fluid, tensor

from ..builder import Builder, Choices, NoFit

L = fluid.layers
WEIGHTS = {
    "slices": 2, "views": 3, "transposed": 2, "split": 2, "concat": 3, "stacked": 2, "gathered": 2, "expanded": 2, "padded": 1,
    "chosen": 2, "scattered": 1,
}  # fmt: skip


def slices(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c, 2)
    axis = c.int(1, x.rank - 1)
    size = x.shape[axis]
    if size < 1:
        raise NoFit
    start = c.int(-size, size - 1)
    first = start % size
    end = c.one(10_000, c.int(first + 1, size))
    b.call(f"slice {axis} {start}:{end}", lambda x: L.slice(x, [axis], [start], [end]), x)


def views(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c, 2)
    name = c.one("unsqueeze", "squeeze", "flatten", "reshape", "zeros", "there_and_back")
    if name == "unsqueeze":
        axis = c.int(1, x.rank)
        b.call(f"unsqueeze {axis}", lambda x: L.unsqueeze(x, [axis]), x)
    elif name == "squeeze":
        ones = [k for k, n in enumerate(x.shape) if n == 1 and k]
        if not ones or x.rank < 2:
            raise NoFit
        axis = c.one(*ones)
        b.call(f"squeeze {axis}", lambda x: L.squeeze(x, [axis]), x)
    elif name == "flatten":
        b.call("flatten", lambda x: L.flatten(x, 1), x)
    elif name == "zeros":
        shape = [0] * (x.rank - 1) + [x.shape[-1]]
        b.call(f"reshape {shape}", lambda x: L.reshape(x, shape), x)
    elif name == "reshape":
        rest = 1
        for n in x.shape[1:]:
            rest *= n
        if rest <= 0:
            raise NoFit
        halves = [0, 2, rest // 2] if rest % 2 == 0 else [0, rest, 1]
        b.call(f"reshape {halves}", lambda x: L.reshape(x, halves), x)
    else:
        b.call(name, lambda x: L.squeeze(L.unsqueeze(x, [1]), [1]), x)


def transposed(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c, 2)
    order = list(range(1, x.rank))
    shift = c.int(0, len(order) - 1)
    order = [0, *order[shift:], *order[:shift]]
    if c.int(0, 2) == 0:
        order = order[1:] + order[:1]
        back = [order.index(k) for k in range(x.rank)]
        [y] = b.call(f"transpose {order}", lambda x: L.transpose(x, order), x, rows="")
        [y] = b.call("tanh", L.tanh, y, bends=True)
        b.call(f"transpose {back}", lambda x: L.transpose(x, back), y, rows=x.rows)
    else:
        b.call(f"transpose {order}", lambda x: L.transpose(x, order), x)


def split(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c, 2)
    size = x.shape[-1]
    if size < 2:
        raise NoFit
    parts: Any = 2 if size % 2 == 0 and c.flag() else [1, size - 1]
    b.call(f"split {parts}", lambda x: L.split(x, parts, -1), x)


def concat(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c)
    axis = c.int(0, x.rank - 1)
    alike = [
        y
        for y in b.values
        if y.dtype == x.dtype
        and y.rank == x.rank
        and all(m == n and (m > 0 or x.rows == y.rows) for k, (m, n) in enumerate(zip(x.shape, y.shape)) if k != axis)
        and (axis == 0 or y.rows == x.rows)
    ]
    more = [c.one(*alike) for _ in range(c.int(1, 2))]
    if sum(v.shape[axis] for v in (x, *more)) > 40 or (axis == 0 and (x.ragged or any(v.ragged for v in more))):
        raise NoFit
    rows = None
    if axis == 0 and any(v.rows for v in (x, *more)):
        rows = "+".join(sorted(v.rows or str(v.shape[0]) for v in (x, *more)))
    b.call(f"concat {axis}", lambda *each: L.concat(list(each), axis), x, *more, rows=rows)


def stacked(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c, 1, 3)
    alike = [y for y in b.values if (y.shape, y.dtype, y.rows) == (x.shape, x.dtype, x.rows)]
    other, axis = c.one(*alike), c.int(1, x.rank)
    if c.flag():
        b.call(f"stack {axis}", lambda x, y: L.stack([x, y], axis), x, other)
    elif x.rank > 1 and 0 < x.shape[-1] < 5:
        b.call("unstack", lambda x: L.unstack(x, -1), x)
    else:
        raise NoFit


def gathered(b: Builder, c: Choices, _: Any) -> None:
    index = b.pick(c, lambda v: v.high > 0 and v.dtype in ("int32", "int64"))
    table = b.parameter(7, 4)
    if c.flag():
        b.call("gather", lambda t, i: L.gather(t, L.reshape(i, [-1])), table, index, rows=index.rows)
    else:
        b.call("gather_nd", lambda t, i: L.gather_nd(t, i), table, index, rows=index.rows)


def expanded(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c, 2, 4)
    times = [1] + [c.int(1, 2) for _ in range(x.rank - 1)]
    b.call(f"expand {times}", lambda x: L.expand(x, times), x)


def padded(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c, 2, 4)
    sizes = [0, 0] + [c.int(0, 2) for _ in range(2 * x.rank - 2)]
    b.call(f"pad {sizes}", lambda x: L.pad(x, sizes, 0.5), x)


def chosen(b: Builder, c: Choices, _: Any) -> None:
    """Where one is smaller, the one; else the other."""
    x = b.floating(c)
    alike = [y for y in b.values if (y.shape, y.dtype, y.rows) == (x.shape, x.dtype, x.rows)]
    y = c.one(*alike)
    b.call("where", _where, x, y)


def _where(x: Any, y: Any) -> Any:
    return tensor.where(x < y, L.scale(x, 2.0), y)


def scattered(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype == b.dtype and v.rank == 2 and v.shape[1] == 4 and v.rows == "batch")
    index = b.pick(c, lambda v: v.high > 0 and v.rows == "batch" and v.dtype == "int64")
    if c.flag():
        b.call("scatter_nd_add", lambda t, i, u: L.scatter_nd_add(t, i, u), b.parameter(7, 4), index, x, rows="")
    else:
        b.call(
            "scatter add",
            lambda t, i, u: L.scatter(t, L.reshape(i, [-1]), u, overwrite=False),
            b.parameter(7, 4),
            index,
            x,
            rows="",
        )
