"""Products of concatenations in unrolled loops: the steps of the input at once, and only the gradients that are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.jit import declarative
from paddle_lite.static import default_main_program, default_startup_program, global_scope
from paddle_lite.static.plan.passes import concats
from tests.static.passes import passes
from tests.static.plan.running import agree, source

L = fluid.layers
STEPS, WIDTH, HIDDEN = 5, 4, 6
ALONE = ("concats", "all", "-fuse")


def weight(name: str, *shape: int) -> Any:
    return L.create_parameter(
        list(shape), "float32", name, default_initializer=fluid.initializer.Uniform(-0.3, 0.3, seed=len(name))
    )


def inputs(axis: int = 0, rows: int = -1) -> tuple[Any, Any]:
    shape = [STEPS, rows, WIDTH] if axis == 0 else [rows, STEPS, WIDTH]
    return fluid.data("x", shape), fluid.data("h", [rows, HIDDEN])


def feeds(rows: int, axis: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    shape = (STEPS, rows, WIDTH) if axis == 0 else (rows, STEPS, WIDTH)
    return {name: rng.standard_normal(s).astype("float32") for name, s in (("x", shape), ("h", (rows, HIDDEN)))}


def cell(
    x: Any, h: Any, w: Any, axis: int = 0, product: Callable = L.matmul, order: tuple[int, int] = (0, 1)
) -> list[Any]:
    """The states of a plain recurrent cell, h = tanh([x_t, h] w)."""
    states = []
    for x_t in L.unstack(x, axis=axis, num=STEPS):
        pair = [x_t, h]
        h = L.tanh(product(L.concat([pair[i] for i in order], axis=1), w))
        states.append(h)
    return states


def check(fetches: list[Any], feed: dict[str, np.ndarray], split: bool) -> str:
    text = source(fetches, "concats", list(feed))
    assert (text.count("product_of_steps("), text.count("= Factor(") > 0) == (split, split)
    fluid.Executor(fluid.CPUPlace()).run(default_startup_program())
    agree(feed, fetches, ALONE, rtol=1e-5, scope=global_scope())
    return text


@pytest.mark.parametrize("rows", [0, 1, 3, 300])
@pytest.mark.parametrize("axis", [0, 1])
def test_forward_alone(axis: int, rows: int) -> None:
    x, h = inputs(axis)
    states = cell(x, h, weight("w", WIDTH + HIDDEN, HIDDEN), axis)
    text = check([states[-1], states[1]], feeds(rows, axis), split=True)
    concats = [line.strip() for line in text.splitlines() if ", axis=1)" in line]
    assert len(concats) == STEPS and all(line.startswith("if len(") for line in concats)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("product", [L.mul, L.matmul])
@pytest.mark.parametrize("rows", [1, 3, 300])
def test_with_gradients(rows: int, product: Callable, order: tuple[int, int]) -> None:
    """Of the weight, and of the first state."""
    x, h = inputs()
    h.stop_gradient = False
    w = weight("w", WIDTH + HIDDEN, HIDDEN)
    states = cell(x, h, w, product=product, order=order)
    gradients = fluid.gradients(L.reduce_sum(L.square(L.concat(states))), [w, h])
    text = check([states[-1], *gradients], feeds(rows), split=True)
    assert "k" + "_grad(" not in text and text.count("transposed=True") == 1 and text.count("summed_products(") == 1


def test_with_gradients_of_the_input_nothing_is_saved() -> None:
    x, h = inputs()
    x.stop_gradient = h.stop_gradient = False
    w = weight("w", WIDTH + HIDDEN, HIDDEN)
    states = cell(x, h, w)
    gradients = fluid.gradients(L.reduce_sum(L.square(L.concat(states))), [w, x, h])
    check([states[-1], *gradients], feeds(3), split=False)


def test_two_weights_of_a_gru() -> None:
    x, h = inputs()
    gates, candidate = weight("gates", WIDTH + HIDDEN, 2 * HIDDEN), weight("c", WIDTH + HIDDEN, HIDDEN)
    states = []
    for x_t in L.unstack(x, num=STEPS):
        r, u = L.split(L.sigmoid(L.matmul(L.concat([x_t, h], 1), gates)), 2, dim=1)
        c = L.tanh(L.matmul(L.concat([x_t, L.elementwise_mul(r, h)], 1), candidate))
        h = L.elementwise_add(L.elementwise_mul(u, h), L.elementwise_mul(L.scale(u, -1.0, 1.0), c))
        states.append(h)
    loss = L.reduce_mean(L.square(L.stack(states)))
    fetches = [loss, *fluid.gradients(loss, [gates, candidate])]
    text = source(fetches, "concats", ["x", "h"])
    assert text.count("product_of_steps(") == text.count("summed_products(") == 2
    fluid.Executor(fluid.CPUPlace()).run(default_startup_program())
    agree(feeds(3), fetches, ALONE, rtol=1e-5, scope=global_scope())


def test_training_in_place() -> None:
    """The optimizer writes into the weight behind all that reads it."""
    x, h = inputs()
    loss = L.reduce_mean(L.square(L.stack(cell(x, h, weight("w", WIDTH + HIDDEN, HIDDEN)))))
    fluid.optimizer.SGD(0.5).minimize(loss)
    check([loss], feeds(3), split=True)
    agree([feeds(3)] * 4, [loss, "w"], ALONE, rtol=1e-5, scope=global_scope())


def test_a_concatenation_that_somebody_else_reads_is_made() -> None:
    x, h = inputs()
    w, joined = weight("w", WIDTH + HIDDEN, HIDDEN), []
    for x_t in L.unstack(x, num=STEPS):
        joined.append(L.concat([x_t, h], 1))
        h = L.tanh(L.matmul(joined[-1], w))
    check([h, joined[1]], feeds(3), split=True)  # the four others
    check([h, L.reduce_sum(L.stack(joined[:2]))], feeds(3), split=False)


def test_a_gradient_that_somebody_else_reads_is_computed() -> None:
    """That of a concatenation; and that of one step's weight."""
    x, h = inputs()
    w = weight("w", WIDTH + HIDDEN, HIDDEN)
    states = cell(x, h, w)
    [slope] = fluid.gradients(L.reduce_sum(L.square(L.concat(states))), [w])
    block = default_main_program().global_block()
    of_concat = [op for op in block.ops if op.type == "concat_grad"][-1].input("Out@GRAD")[0]
    total = next(op for op in block.ops if op.type == "sum" and slope.name in op.output_arg_names)
    check([slope, block.var(of_concat)], feeds(3), split=False)
    check([slope, block.var(total.input("X")[0])], feeds(3), split=False)
    check([slope], feeds(3), split=True)


def other_axis(x_t: Any, h: Any, w: Any) -> Any:
    return L.matmul(L.concat([x_t, x_t], 0), w)


def three(x_t: Any, h: Any, w: Any) -> Any:
    return L.matmul(L.concat([x_t, h, x_t], 1), w)


def scaled(x_t: Any, h: Any, w: Any) -> Any:
    return L.matmul(L.concat([x_t, h], 1), w, alpha=0.5)


@pytest.mark.parametrize(
    ("product", "inner"), [(other_axis, WIDTH), (three, 2 * WIDTH + HIDDEN), (scaled, WIDTH + HIDDEN)]
)
def test_other_products_are_left_alone(product: Callable, inner: int) -> None:
    x, h = inputs()
    w = weight("w", inner, HIDDEN)
    results = [L.reduce_sum(product(x_t, h, w)) for x_t in L.unstack(x, num=STEPS)]
    check([L.sum(results)], feeds(3), split=False)


def test_few_steps_and_other_arrays_are_left_alone() -> None:
    x, h = inputs()
    w = weight("w", WIDTH + HIDDEN, HIDDEN)
    for x_t in L.unstack(x, num=STEPS)[:3]:
        h = L.tanh(L.matmul(L.concat([x_t, h], 1), w))
    for number in range(STEPS):
        h = L.tanh(L.matmul(L.concat([fluid.data(f"x{number}", [-1, WIDTH]), h], 1), w))
    rng = np.random.default_rng(1)
    more = {f"x{number}": rng.standard_normal((3, WIDTH)).astype("float32") for number in range(STEPS)}
    check([h], feeds(3) | more, split=False)


def test_other_shapes_than_the_program_says_fail_as_they_did() -> None:
    x, h = inputs()
    states = cell(x, h, weight("w", WIDTH + HIDDEN, HIDDEN))
    fluid.Executor(fluid.CPUPlace()).run(default_startup_program())
    wrong = {"x": feeds(3)["x"], "h": feeds(2)["h"]}
    agree([feeds(3), wrong, feeds(4)], [states[-1]], ALONE, scope=global_scope())


def test_a_declared_cell() -> None:
    """Forward and backward run as two functions."""

    class Cell(fluid.dygraph.Layer):
        def __init__(self) -> None:
            super().__init__()
            start = fluid.initializer.Uniform(-0.3, 0.3, seed=5)
            self.w = self.create_parameter([WIDTH + HIDDEN, HIDDEN], fluid.ParamAttr(initializer=start), "float32")

        @declarative
        def forward(self, x: Any, h: Any) -> Any:
            return L.reduce_sum(L.square(L.stack(cell(x, h, self.w))))

    found = []
    with fluid.dygraph.guard():
        for which in ("none", "all"):
            with passes(which, 0):
                model = Cell()
                for _ in range(3):
                    model.clear_gradients()
                    loss = model(*(fluid.dygraph.to_variable(v) for v in feeds(3).values()))
                    loss.backward()
                found.append((loss.numpy(), model.w.gradient()))
    for plain, split in zip(*found, strict=True):
        np.testing.assert_allclose(split, plain, rtol=1e-5)


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
def test_large_steps_are_multiplied_some_at_a_time(axis: int, backwards: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 5 steps two are held, freed before the next are made; a step that is read again does not make them twice."""
    monkeypatch.setattr(concats, "ROWS_AT_ONCE", 2 * 3)
    monkeypatch.setattr(concats, "LARGEST_PRODUCT", 0)
    x, h = inputs(axis, rows=3)
    w = weight("w", WIDTH + HIDDEN, HIDDEN)
    x_t = L.unstack(x, axis=axis, num=STEPS)
    for step in [*(x_t[::-1] if backwards else x_t), x_t[1]]:
        h = L.tanh(L.matmul(L.concat([step, h], axis=1), w))
    fetches = [h, *fluid.gradients(L.reduce_sum(L.square(h)), [w])]
    text = source(fetches, "concats", ["x", "h"])
    assert text.count("product_of_steps(") == 3 and text.count("= Factor(") == 2
    made = [number for number, each in enumerate(text.splitlines()) if "product_of_steps(" in each]
    assert ("[:, 2:4]" if axis else "[2:4]") in text
    freed = [number for number, each in enumerate(text.splitlines()) if re.search(r"del .*\bs\d", each)]
    assert any(made[0] < number < made[2] for number in freed)
    fluid.Executor(fluid.CPUPlace()).run(default_startup_program())
    agree(feeds(3, axis), fetches, ALONE, rtol=1e-5, scope=global_scope())


def test_small_steps_stay_whole() -> None:
    """They may run as a chain, which reads the products of all steps from one array."""
    x, h = inputs(rows=500)
    text = source([cell(x, h, weight("w", WIDTH + HIDDEN, HIDDEN))[-1]], "concats", ["x", "h"])
    assert text.count("product_of_steps(") == 1
