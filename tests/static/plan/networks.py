"""Small Programs drawn at random, out of operators that are joined into kernels and some that are not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from paddle_lite import fluid

L = fluid.layers

UNARY: dict[str, Callable[[Any], Any]] = {
    "tanh": L.tanh, "sigmoid": L.sigmoid, "relu": L.relu, "square": lambda x: L.square(L.tanh(x)), "gelu": L.gelu,
    "leaky_relu": lambda x: L.leaky_relu(x, 0.1), "exp": lambda x: L.exp(L.scale(L.tanh(x), 0.5)), "softplus": L.softplus,
    "scale": lambda x: L.scale(x, 0.5, 0.25), "scale_first": lambda x: L.scale(x, -1.5, 1.0, bias_after_scale=False),
    "assign": L.assign, "cast": lambda x: L.cast(L.cast(x, "float64"), x.dtype), "abs": L.abs,
    "softmax": L.softmax, "clip": lambda x: L.clip(x, -0.5, 0.5),
}  # fmt: skip
BINARY = {
    "add": L.elementwise_add, "sub": L.elementwise_sub, "mul": L.elementwise_mul, "max": L.elementwise_max,
    "min": L.elementwise_min, "div": lambda x, y, **more: L.elementwise_div(x, L.scale(L.square(y), 1.0, 1.0), **more),
}  # fmt: skip
VIEWS = {
    "slice": lambda x: L.slice(x, [len(x.shape) - 1], [0], [max(1, x.shape[-1] // 2)]),
    "slice_end": lambda x: L.slice(x, [len(x.shape) - 1], [-1], [100]),
    "there_and_back": lambda x: L.squeeze(L.unsqueeze(x, [1]), [1]),
    "flat": lambda x: L.flatten(x, 1),
    "transposed_twice": lambda x: L.transpose(L.transpose(x, _turned(x)), _turned(x)),
    "reshape": lambda x: L.reshape(L.reshape(x, [-1, x.shape[-1]]), [-1, *x.shape[1:]]),
}
INPUTS = {"a": [-1, 4], "b": [-1, 8], "c": [-1, 3, 4], "d": [-1, 1], "e": [4], "f": [3], "g": [1]}


def _turned(x: Any) -> list[int]:
    return [*range(len(x.shape) - 2), len(x.shape) - 1, len(x.shape) - 2]


def inputs(dtype: str) -> dict[str, Any]:
    """The Variables that are fed."""
    found = {}
    for name, shape in INPUTS.items():
        found[name] = fluid.data(name, shape, dtype)
        found[name].stop_gradient = False
    return found


def feed(dtype: str, batch: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Numbers for them; some arrays are not contiguous, which is nothing special to feed."""
    rng = np.random.default_rng(seed)
    arrays = {}
    for k, (name, shape) in enumerate(INPUTS.items()):
        sizes = [batch if n < 0 else n for n in shape]
        array = rng.standard_normal([*sizes[:-1], sizes[-1] * 2]).astype(dtype)[..., ::2]
        arrays[name] = array if k % 2 else array.copy()
    return arrays


def axes(x: Any, y: Any) -> list[int]:
    """The values of `axis` with which y broadcasts into x."""
    spare = len(x.shape) - len(y.shape)

    def fits(axis: int) -> bool:
        return all(n in (1, m) for m, n in zip(x.shape[axis:], y.shape))

    return [axis for axis in range(spare + 1) if fits(axis)] + ([-1] if spare >= 0 and fits(spare) else [])


@st.composite
def steps(draw: Any) -> list[tuple]:
    """What to append, told by numbers that stand for Variables."""
    kinds = (
        ["unary"] * 4
        + ["binary"] * 4
        + ["sum", "layer_norm", "reduce", "split", "concat", "again", "mean_of", "mul", "mul", "view", "view"]
    )
    number = st.integers(0, 30)
    return draw(st.lists(st.tuples(st.sampled_from(kinds), number, number, number), min_size=2, max_size=12))


def built(plan: Sequence[tuple], dtype: str = "float32") -> tuple[dict[str, Any], list[Any]]:
    """The inputs, and all Variables that are made of them."""
    given = inputs(dtype)
    return given, appended(plan, given)


def appended(plan: Sequence[tuple], given: dict[str, Any]) -> list[Any]:
    """All Variables that are made of some."""
    have = list(given.values())
    for kind, i, j, k in plan:
        have += _appended(kind, have[-1 - i % min(len(have), 9)], have, j, k)
    return have[len(given) :]


def _appended(kind: str, x: Any, have: list[Any], j: int, k: int) -> list[Any]:
    rank = len(x.shape)
    if kind == "unary":
        return [list(UNARY.values())[j % len(UNARY)](x)]
    if kind == "binary":
        fitting = [(y, axis) for y in have for axis in axes(x, y)]
        y, axis = fitting[j % len(fitting)]
        return [list(BINARY.values())[k % len(BINARY)](x, y, axis=axis)]
    if kind == "sum":
        alike = [y for y in have if y.shape == x.shape]
        return [L.sum([x, alike[j % len(alike)], *([alike[k % len(alike)]] if k % 2 else [])])]
    if kind == "layer_norm":
        if rank < 2 or min(x.shape[1:]) < 2:
            return [L.scale(x, 2.0)]
        return [L.layer_norm(x, scale=bool(j % 2), shift=bool(k % 2), begin_norm_axis=1 + (j + k) % (rank - 1))]
    if kind == "reduce":
        if rank < 2:
            return [L.reduce_sum(x)]
        dims = list(range(1 + j % (rank - 1), rank))
        return [(L.reduce_mean if k % 2 else L.reduce_sum)(x, dims, keep_dim=bool(j % 3))]
    if kind == "split":
        return L.split(x, 2, -1) if rank > 1 and x.shape[-1] % 2 == 0 else [L.tanh(x)]
    if kind == "concat":
        alike = [y for y in have if y.shape == x.shape]
        return [L.tanh(L.concat([x, alike[j % len(alike)]], -1)) if rank > 1 and x.shape[-1] < 9 else L.tanh(x)]
    if kind == "again":  # a Variable that is written twice; who has read it before reads the old value
        y = L.tanh(x)
        return [y, L.scale(y, 0.5), L.assign(L.square(y), y)]
    if kind == "mul":
        return [_product(x, k)] if rank == 2 and x.shape[1] in (4, 8) else [L.tanh(x)]
    if kind == "view":
        return [list(VIEWS.values())[j % len(VIEWS)](x) if rank > 1 else L.assign(x)]
    return [L.mean(x)]


def _product(x: Any, k: int) -> Any:
    """Of x and one of few weights, so that some are multiplied several times."""
    wide = (4, 8)[k % 2]
    name = f"weight_{x.shape[1]}_{wide}_{x.dtype}"
    start = fluid.initializer.Uniform(-0.5, 0.5, seed=7)
    known = fluid.default_main_program().global_block().vars.get(name)
    weight = (
        known if known is not None else L.create_parameter([x.shape[1], wide], x.dtype, name, default_initializer=start)
    )
    return (L.mul if k % 3 else L.matmul)(x, weight)


def gradients(made: Sequence[Any], given: dict[str, Any]) -> list[Any]:
    """Those of the sum of the last results, with respect to the inputs that have one."""
    loss = L.sum([L.reduce_sum(L.square(v)) for v in made[-3:]])
    return [g for g in fluid.gradients(loss, list(given.values())) if g is not None]
