"""Gradients of a forward pass outside of the branch that differentiates it: equal to those of a loss beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid

layers = fluid.layers


def plain(x: Any, w: Any) -> Any:
    return layers.tanh(layers.matmul(x, w))


def loop(x: Any, w: Any) -> Any:
    count = layers.fill_constant([1], "int64", 0)
    three = layers.fill_constant([1], "int64", 3)
    three.stop_gradient = True
    step = lambda i, h: [i + 1, layers.tanh(layers.matmul(h, w))]  # noqa: E731
    return layers.while_loop(lambda i, h: layers.less_than(i, three), step, [count, layers.scale(x, 1.0)])[1]


def branch(x: Any, w: Any) -> Any:
    small = layers.less_than(layers.reduce_sum(x), layers.fill_constant([1], "float32", 100.0))
    return layers.cond(small, lambda: layers.matmul(x, w), lambda: layers.scale(x, 2.0))


def recurrence(x: Any, w: Any) -> Any:
    rnn, columns = layers.StaticRNN(), layers.unsqueeze(x, [2])
    with rnn.step():
        row = rnn.step_input(columns)
        memory = rnn.memory(shape=[-1, 1], batch_ref=row)
        both = layers.matmul(layers.concat([row, memory], 1), w)
        rnn.update_memory(memory, layers.slice(both, [1], [0], [1]))
        rnn.step_output(both)
    return rnn()


def normalized(x: Any, w: Any) -> Any:
    return layers.exp(layers.batch_norm(layers.matmul(x, w)))


def trained(forward: Callable[[Any, Any], Any], place: str) -> list[np.ndarray]:
    """Return the weight after each of three steps; the second one skips the branch, if there is one."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        x, flag = fluid.data("x", [None, 2], "float32"), fluid.data("flag", [1], "float32")
        x.stop_gradient = False
        attr = fluid.ParamAttr(
            "w", fluid.initializer.NumpyArrayInitializer(np.array([[0.5, 0.2], [-0.4, 0.3]], "float32"))
        )
        result = forward(x, layers.create_parameter([2, 2], "float32", attr=attr))
        loss = layers.mean(layers.square(result)) if place != "branch" else None
        optimizer = fluid.optimizer.Momentum(0.3, 0.9)
        if place == "beside":
            optimizer.minimize(loss)
        else:
            pred = layers.less_than(layers.fill_constant([1], "float32", 0.0), flag)

            def update() -> None:
                optimizer.minimize(layers.mean(layers.square(result)) if loss is None else loss)

            layers.cond(pred, update, None)
    assert main.lint() == []
    exe, scope, found = fluid.Executor(fluid.CPUPlace()), fluid.Scope(), []
    inputs = np.array([[1, 2], [3, -4], [0.5, 1]], "float32") * 0.3
    with fluid.scope_guard(scope):
        exe.run(startup)
        for flag in (1.0, -1.0, 1.0):
            if place == "beside" and flag < 0:
                found.append(found[-1])
                continue
            exe.run(main, feed={"x": inputs, "flag": np.array([flag], "float32")})
            found.append(np.array(scope.find_var("w").get_tensor()))
    return found


@pytest.mark.parametrize("forward", [plain, loop, branch, recurrence, normalized], ids=lambda f: f.__name__)
@pytest.mark.parametrize("place", ["branch", "outside"])
def test_training_in_a_branch_equals_training_beside_it(forward: Callable[[Any, Any], Any], place: str) -> None:
    wanted = trained(forward, "beside")
    assert not np.allclose(wanted[0], wanted[2])
    np.testing.assert_allclose(trained(forward, place), wanted, rtol=1e-5, atol=1e-6)


def test_a_second_optimizer_sees_what_the_first_has_changed() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        flag = fluid.data("flag", [1], "bool")
        start = fluid.initializer.Constant(3.0)
        w = layers.create_parameter([1], "float32", attr=fluid.ParamAttr("w", start))
        loss = layers.mean(layers.square(w))

        def two() -> None:
            fluid.optimizer.SGD(0.25).minimize(loss)  # 3 - 0.25 * 6
            fluid.optimizer.SGD(0.25).minimize(layers.mean(layers.square(w)))  # 1.5 - 0.25 * 3

        layers.cond(flag, two, None)
        exe = fluid.Executor(fluid.CPUPlace())
        with fluid.scope_guard(fluid.Scope()):
            exe.run(fluid.default_startup_program())
            assert exe.run(feed={"flag": np.array([True])}, fetch_list=[w])[0].tolist() == [0.75]


def test_gradients_of_targets_in_a_branch() -> None:
    with fluid.program_guard(fluid.Program()):
        x, flag = fluid.data("x", [2], "float32"), fluid.data("flag", [1], "bool")
        x.stop_gradient = False
        squared = layers.square(x)

        def slope() -> Any:
            [found] = fluid.gradients(layers.reduce_sum(layers.scale(squared, 3.0)), x)
            return found

        out = layers.cond(flag, slope, lambda: x)
        exe = fluid.Executor(fluid.CPUPlace())
        feed = {"x": np.array([1, -2], "float32")}
        assert exe.run(feed={**feed, "flag": np.array([True])}, fetch_list=[out])[0].tolist() == [6, -12]
        assert exe.run(feed={**feed, "flag": np.array([False])}, fetch_list=[out])[0].tolist() == [1, -2]


def trained_in_a_loop(inside: bool) -> list[float]:
    """Return a weight after three rounds of a While that minimizes the square of it times data."""
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = layers.scale(fluid.data("x", [1]), 1.0)
        w = layers.create_parameter([1], "float32", attr=fluid.ParamAttr("w", fluid.initializer.Constant(1.0)))

        def loss() -> Any:
            return layers.mean(layers.square(x * w))

        before = None if inside else loss()
        i, n = layers.fill_constant([1], "int64", 0), layers.fill_constant([1], "int64", 3)
        going = layers.less_than(i, n)
        while_ = layers.While(going)
        with while_.block():
            fluid.optimizer.SGD(0.25).minimize(loss() if before is None else before)
            layers.increment(i)
            layers.less_than(i, n, cond=going)
        exe = fluid.Executor(fluid.CPUPlace())
        with fluid.scope_guard(fluid.Scope()):
            exe.run(fluid.default_startup_program())
            return exe.run(feed={"x": np.array([1], "float32")}, fetch_list=[w])[0].tolist()


def test_minimizing_in_a_loop_needs_its_forward_pass_in_the_loop() -> None:
    assert trained_in_a_loop(inside=True) == [0.125]
    with pytest.raises(RuntimeError, match=r"append_backward in a While: loss got .* Move the forward pass into"):
        trained_in_a_loop(inside=False)
