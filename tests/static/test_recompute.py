"""Gradients with checkpoints: the same numbers from values that are computed a second time."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, MissingKeyError, ModeError
from paddle_lite.ops.framework.registry import get
from paddle_lite.static import append_backward

L = fluid.layers
X = np.random.RandomState(0).uniform(-1, 1, (6, 4)).astype("float32")


@pytest.fixture(autouse=True)
def programs() -> Iterator[None]:
    """Programs, names and a Scope of the test's own."""
    with (
        fluid.program_guard(fluid.Program(), fluid.Program()),
        fluid.unique_name.guard(),
        fluid.scope_guard(fluid.Scope()),
    ):
        yield


def weight(name: str, *shape: int) -> Any:
    start = np.random.RandomState(len(name) + shape[-1]).uniform(-1, 1, shape).astype("float32")
    return L.create_parameter(
        list(shape), "float32", name=name, default_initializer=fluid.initializer.NumpyArrayInitializer(start)
    )


def operators() -> list[Any]:
    return fluid.default_main_program().global_block().ops


def backward_reads() -> set[str]:
    """What operators of the backward pass read of the forward pass."""
    forward = {n for op in operators() if not op.attr("op_role") & 1 for n in op.output_arg_names}
    return {n for op in operators() if op.attr("op_role") & 1 for n in op.input_arg_names if n in forward}


def run(*fetch: Any) -> list[np.ndarray]:
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    return exe.run(feed={"x": X}, fetch_list=list(fetch))


def deep(checkpointed: bool) -> dict[str, np.ndarray]:
    """The gradients of a network of three layers."""
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        hidden, ends = fluid.data("x", [None, 4], "float32"), []
        for k in range(3):
            hidden = L.tanh(L.elementwise_add(L.mul(hidden, weight(f"w{k}", 4, 4)), weight(f"b{k}", 4)))
            ends.append(hidden)
        pairs = append_backward(L.mean(L.square(hidden)), checkpoints=ends[:2] if checkpointed else None)
        if checkpointed:
            assert backward_reads() >= {end.name for end in ends[:2]}
            assert not {n for n in backward_reads() if n.startswith(("mul_0", "mul_1", "elementwise_add_0"))}
            again = [op for op in operators() if op.output_arg_names[0].count("subprog")]
            assert [op.type for op in again] == ["mul", "mul"]
            assert {op.attr("op_role") for op in again} == {1}
        return dict(zip([p.name for p, _ in pairs], run(*[g for _, g in pairs]), strict=True))


def test_gradients_are_the_same() -> None:
    plain, again = deep(False), deep(True)
    assert list(plain) == list(again)
    for name, gradient in plain.items():
        np.testing.assert_array_equal(gradient, again[name], err_msg=name)


@pytest.mark.parametrize("implementation", ["downgrade_in_infer", "upscale_in_train"])
def test_dropout_drops_the_same_again(implementation: str) -> None:
    x, w = fluid.data("x", [None, 4], "float32"), weight("w", 4, 4)
    out, mask = get("dropout").call(L.mul(x, w), dropout_prob=0.5, dropout_implementation=implementation)[:2]
    end = L.square(L.square(out))
    [(_, gradient)] = append_backward(L.reduce_sum(end), checkpoints=[end])
    assert not any(n.startswith(("mul", "square_0")) or n == out.name for n in backward_reads())
    start, kept, slope = run(w, mask, gradient)
    factor = kept * (2.0 if implementation == "upscale_in_train" else 1.0)
    np.testing.assert_allclose(slope, X.T @ (4 * (X @ start * factor) ** 3 * factor), rtol=1e-4, atol=1e-5)


def test_statistics_move_once() -> None:
    def moved(checkpointed: bool) -> list[np.ndarray]:
        with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
            block = fluid.default_main_program().global_block()
            x, w = fluid.data("x", [None, 4], "float32"), weight("w", 4, 4)
            names = {
                "Scale": weight("s", 4),
                "Bias": weight("b", 4),
                "Mean": weight("m", 4),
                "Variance": weight("vv", 4),
            }
            made = {slot: block.create_var(name=slot) for slot in ("Y", "SavedMean", "SavedVariance")}
            own = {"MeanOut": names["Mean"], "VarianceOut": names["Variance"]}
            for kept in own.values():
                kept.stop_gradient, kept.trainable = True, False
            block.append_op("batch_norm", {"X": L.mul(x, w), **names}, {**made, **own})
            end = L.tanh(made["Y"])
            pairs = append_backward(L.mean(L.square(end)), checkpoints=[end] if checkpointed else None)
            return run(names["Mean"], names["Variance"], *[g for _, g in pairs])

    for plain, again in zip(moved(False), moved(True), strict=True):
        np.testing.assert_array_equal(plain, again)


def test_random_operators_run_once() -> None:
    x, w = fluid.data("x", [None, 4], "float32"), weight("w", 4, 4)
    noise = L.uniform_random([6, 4], min=0.5, max=1.0)
    noise.stop_gradient = True
    end = L.tanh(L.elementwise_mul(L.mul(x, w), noise))
    [(_, gradient)] = append_backward(L.reduce_sum(end), checkpoints=[end])
    assert [op.type for op in operators()].count("uniform_random") == 1
    start, drawn, slope = run(w, noise, gradient)
    inner = X @ start * drawn
    np.testing.assert_allclose(slope, X.T @ ((1 - np.tanh(inner) ** 2) * drawn), rtol=1e-4, atol=1e-5)


def test_what_is_overwritten_is_not_computed_again() -> None:
    """A second run of the square would read another count."""
    count = L.fill_constant([1], "float32", 2.0)
    w = weight("w", 1)
    product = L.elementwise_mul(w, count)
    L.increment(count, 5.0)
    end = L.square(L.elementwise_mul(product, product))
    [(_, gradient)] = append_backward(L.mean(end), checkpoints=[end])
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    start, slope = exe.run(fetch_list=[w, gradient])
    np.testing.assert_allclose(slope, 4 * (2 * start) ** 3 * 2, rtol=1e-5)


def test_the_optimizer_trains_alike() -> None:
    def trained(wrap: bool) -> np.ndarray:
        with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
            hidden = L.tanh(L.mul(fluid.data("x", [None, 4], "float32"), weight("w", 4, 4)))
            optimizer: Any = fluid.optimizer.Adam(0.1)
            if wrap:
                optimizer = fluid.optimizer.RecomputeOptimizer(optimizer)
                optimizer._set_checkpoints([hidden])
            made, pairs = optimizer.minimize(L.mean(L.square(L.mul(hidden, weight("u", 4, 1)))))
            assert [op.type for op in made] == ["adam", "adam"]
            assert len(optimizer.get_opti_var_name_list()) == 8
            assert [p.name for p, _ in pairs] == ["w", "u"]
            exe = fluid.Executor(fluid.CPUPlace())
            exe.run(fluid.default_startup_program())
            for _ in range(3):
                exe.run(feed={"x": X})
            return exe.run(feed={"x": X}, fetch_list=["w"])[0]

    np.testing.assert_array_equal(trained(False), trained(True))


def test_wrong_calls_are_named() -> None:
    with pytest.raises(ArgumentTypeError, match="RecomputeOptimizer: optimizer got int 3, needs an optimizer"):
        fluid.optimizer.RecomputeOptimizer(3)
    loss = L.mean(weight("w", 4))
    optimizer = fluid.optimizer.RecomputeOptimizer(fluid.optimizer.SGD(0.1))
    with pytest.raises(ModeError, match=r"no checkpoints. Call _set_checkpoints before"):
        optimizer.minimize(loss)
    with pytest.raises(ArgumentTypeError, match="checkpoints got str 'w', needs a list"):
        optimizer._set_checkpoints("w")
    with pytest.raises(NotImplementedError, match=r"RecomputeOptimizer.load"):
        optimizer.load({})
    with pytest.raises(MissingKeyError, match="'nobody'"):
        append_backward(loss, checkpoints=["nobody"])


def test_checkpoints_save_memory_in_later_runs() -> None:
    """The passes of later runs do not take what is computed again for what was computed before."""
    x = fluid.data("x", [256, 64])
    hidden, marks = x, []
    for k in range(8):
        for half in range(2):
            hidden = L.tanh(L.matmul(hidden, weight(f"w{k}{half}", 64, 64)))
        marks.append(hidden)
    loss, feed = L.mean(hidden), {"x": np.ones((256, 64), "float32")}
    plain = fluid.default_main_program().clone()
    append_backward(loss, checkpoints=marks)
    with fluid.program_guard(plain):
        append_backward(plain.global_block().var(loss.name))
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(fluid.default_startup_program())

    def peaks(program: Any) -> list[int]:
        gradients = [f"{p.name}@GRAD" for p in program.all_parameters()]
        found = []
        for _ in range(3):
            tracemalloc.start()
            executor.run(program, feed, [loss.name, *gradients])
            found.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        return found

    state = 256 * 64 * 4
    later = zip(peaks(fluid.default_main_program())[1:], peaks(plain)[1:], strict=True)
    for held, whole in later:  # the first run plans, which takes memory, too
        assert whole - held > 4 * state  # of 8 states between checkpoints
