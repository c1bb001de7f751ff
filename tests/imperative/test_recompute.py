"""recompute: the same losses, gradients and statistics, by values that are computed a second time."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core import mode
from paddle_lite.core.errors import ArgumentTypeError, GraphError, ModeError
from paddle_lite.core.place import CPUPlace
from paddle_lite.fluid.dygraph import Linear, recompute, to_variable
from paddle_lite.kernels.cpu.random.random import manual_seed
from paddle_lite.static.mode.static_mode import static_mode

L = fluid.layers
X = np.random.RandomState(0).uniform(-1, 1, (6, 4)).astype("float32")


class Block(fluid.dygraph.Layer):
    """Everything that could differ at a second call: dropout, drawn noise, running statistics."""

    def __init__(self) -> None:
        super().__init__()
        self.inner, self.outer = Linear(4, 8, act="tanh"), Linear(8, 4)
        self.norm = fluid.dygraph.BatchNorm(8)

    def forward(self, x: Any, noise: float = 0.0) -> Any:
        hidden = L.dropout(self.norm(self.inner(x)), 0.5)
        if noise:
            hidden = hidden * L.uniform_random([6, 8], min=1 - noise, max=1 + noise)
        return x + self.outer(hidden)


def trained(call: Callable[..., Any]) -> list[np.ndarray]:
    """The losses, the gradients of the first step, and what training leaves."""
    manual_seed(3)
    found = []
    with fluid.dygraph.guard(), fluid.unique_name.guard():
        fluid.default_startup_program().random_seed = fluid.default_main_program().random_seed = 7
        blocks = fluid.dygraph.LayerList([Block() for _ in range(3)])
        fluid.default_main_program().random_seed = 0  # dropout draws from the generator
        optimizer = fluid.optimizer.Adam(0.01, parameter_list=blocks.parameters())
        for step in range(3):
            x = to_variable(X)
            x.stop_gradient = False
            hidden = L.scale(x, 2.0)
            for block in blocks:
                hidden = call(block, hidden, noise=0.1)
            loss = L.mean(L.square(hidden))
            loss.backward()
            if step == 0:
                found += [x.gradient(), *(p.gradient() for p in blocks.parameters() if p.trainable)]
            optimizer.minimize(loss)
            blocks.clear_gradients()
            found.append(loss.numpy())
        found += [p.numpy() for p in blocks.parameters()]
        found.append(L.uniform_random([4]).numpy())  # the generator is where it would be
    return found


def test_training_is_the_same_to_the_bit() -> None:
    plain, again = trained(lambda f, *x, **more: f(*x, **more)), trained(recompute)
    assert len(plain) == len(again) == 1 + 3 * 6 + 3 + 3 * 8 + 1
    for one, other in zip(plain, again, strict=True):
        np.testing.assert_array_equal(one, other)


def test_inner_values_are_not_held() -> None:
    def held(call: Callable[..., Any]) -> int:
        with fluid.dygraph.guard():
            layers = [Linear(256, 256, act="tanh") for _ in range(12)]

            def part(start: int) -> Callable[[Any], Any]:
                def run(x: Any) -> Any:
                    for layer in layers[start : start + 4]:
                        x = layer(x)
                    return x

                return run

            tracemalloc.start()
            hidden = to_variable(np.ones((512, 256), "float32"))
            for start in (0, 4, 8):
                hidden = call(part(start), hidden)
            kept = tracemalloc.get_traced_memory()[0]
            loss = L.mean(hidden)
            loss.backward()
            tracemalloc.stop()
            assert all(layer.weight.gradient() is not None for layer in layers)
            return kept

    state = 512 * 256 * 4
    held(recompute)  # imports what the first call needs
    assert held(recompute) < 5 * state < 12 * state < held(lambda f, x: f(x))


def test_several_results_and_tensors_from_around() -> None:
    with fluid.dygraph.guard():
        w, x = to_variable(X * 0.5), to_variable(X)
        w.stop_gradient = x.stop_gradient = False
        around = L.tanh(w)

        def function(x: Any) -> dict[str, Any]:
            product = x * around
            return {"one": L.square(product), "more": [product, x], "text": "kept"}

        found = recompute(function, x)
        assert found["text"] == "kept" and found["more"][1] is x
        L.reduce_sum(found["one"] + 3.0 * found["more"][0]).backward(retain_graph=True)
        x_grad, w_grad = x.gradient(), w.gradient()
        x.clear_gradient()
        w.clear_gradient()
        plain = function(x)
        L.reduce_sum(plain["one"] + 3.0 * plain["more"][0]).backward()
        np.testing.assert_array_equal(x_grad, x.gradient())
        np.testing.assert_array_equal(w_grad, w.gradient())


def test_only_one_of_several_results_is_used() -> None:
    with fluid.dygraph.guard():
        x = to_variable(X)
        x.stop_gradient = False
        _, used = recompute(lambda x: (L.exp(x), L.square(x)), x)
        L.reduce_sum(used).backward()
        np.testing.assert_allclose(x.gradient(), 2 * X, rtol=1e-6)


def test_calls_inside_of_calls_and_a_kept_tape() -> None:
    with fluid.dygraph.guard():
        x = to_variable(X)
        x.stop_gradient = False
        y = recompute(lambda x: L.square(recompute(lambda x: L.tanh(recompute(L.square, x)), x)), x)
        loss = L.reduce_sum(y)
        loss.backward(retain_graph=True)
        first = x.gradient()
        x.clear_gradient()
        loss.backward()
        np.testing.assert_array_equal(first, x.gradient())
        inner = np.tanh(X.astype("float64") ** 2)
        np.testing.assert_allclose(first, 2 * inner * (1 - inner**2) * 2 * X, rtol=1e-4, atol=1e-6)


def test_nothing_is_recorded_without_gradients() -> None:
    with fluid.dygraph.guard():
        assert recompute(L.square, to_variable(X)).stop_gradient
        x = to_variable(X)
        x.stop_gradient = False
        with fluid.dygraph.no_grad():
            assert recompute(L.square, x).node is None
        assert recompute(lambda x: 3, x) == 3


def test_wrong_calls_are_named() -> None:
    with (
        mode.switched(static_mode, CPUPlace(), None),
        pytest.raises(ModeError, match="recompute: needs imperative mode"),
    ):
        recompute(L.square, None)
    with fluid.dygraph.guard():
        with pytest.raises(ArgumentTypeError, match="recompute: function got int 3, needs a function or a Layer"):
            recompute(3)  # type: ignore[arg-type]
        x, calls = to_variable(X), []
        x.stop_gradient = False

        def changing(x: Any) -> Any:
            calls.append(1)
            return (L.square(x), L.exp(x)) if len(calls) == 1 else L.square(x)

        loss = L.reduce_sum(recompute(changing, x)[0])
        with pytest.raises(
            GraphError, match="has returned 2 Variables with a gradient, and 1 when it was called again"
        ):
            loss.backward()
        y = recompute(L.square, x)
        with pytest.raises(GraphError, match="nor through recompute"):
            fluid.dygraph.grad(y, x, create_graph=True)
