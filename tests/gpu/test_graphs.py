"""CUDA graphs of Plans, on a stand-in that replays what it has captured in the same memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.flags import set_flags
from paddle_lite.fluid import layers
from paddle_lite.kernels.cpu.random.random import manual_seed
from paddle_lite.kernels.gpu.graphs import capture
from paddle_lite.kernels.gpu.stand_in import StandIn
from paddle_lite.kernels.gpu.stand_in.streams import StandInError
from paddle_lite.static import plan_of
from paddle_lite.static.plan.captured import FLAG

from .on_stand_in import on_stand_in


@pytest.fixture
def gpu() -> Iterator[StandIn]:
    set_flags({FLAG: True})
    with on_stand_in(kernels=True, limited=True, most=400) as gpu:
        yield gpu
    set_flags({FLAG: False})


def dense(x: Any, label: Any) -> Any:
    hidden = layers.dropout(layers.fc(x, 8, act="relu"), 0.4)
    return layers.mean(layers.softmax_with_cross_entropy(layers.fc(layers.layer_norm(hidden), 3), label))


def convolution(x: Any, label: Any) -> Any:
    image = layers.reshape(x, [-1, 1, 4, 4])
    pooled = layers.pool2d(layers.batch_norm(layers.conv2d(image, 2, 3, padding=1), act="relu"), 2, pool_stride=2)
    return layers.mean(layers.softmax_with_cross_entropy(layers.fc(pooled, 3), label))


def words(x: Any, label: Any) -> Any:
    tables = [layers.embedding(label, [3, 4], is_sparse=sparse) for sparse in (False, True)]
    return layers.mean(layers.softmax_with_cross_entropy(layers.fc([*tables, x], 3), label))


def program(build: Callable[[Any, Any], Any], optimizer: Any) -> tuple[Any, Any, Any]:
    main, startup = fluid.Program(), fluid.Program()
    startup.random_seed = 5
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = build(fluid.data("x", [None, 16]), fluid.data("label", [None, 1], "int64"))
        optimizer().minimize(loss)
    return main, startup, loss


def batches(count: int, size: int = 5) -> list[dict[str, np.ndarray]]:
    rng = np.random.RandomState(0)
    return [
        {"x": rng.randn(size, 16).astype("float32"), "label": rng.randint(0, 3, (size, 1)).astype("int64")}
        for _ in range(count)
    ]


def curve(built: tuple[Any, Any, Any], place: Any, feeds: list[Any]) -> tuple[list[float], list[np.ndarray]]:
    main, startup, loss = built
    exe, scope = fluid.Executor(place), fluid.Scope()
    manual_seed(3)
    exe.run(startup, scope=scope)
    losses = [exe.run(main, feed, [loss], scope=scope)[0].item() for feed in feeds]
    return losses, [np.array(scope.find_var(each.name).get_tensor()) for each in main.all_parameters()]


def adam() -> Any:
    return fluid.optimizer.Adam(layers.exponential_decay(0.02, 2, 0.8))


def momentum() -> Any:
    return fluid.optimizer.Momentum(0.05, 0.9)


def lazy_adam() -> Any:
    return fluid.optimizer.Adam(0.05, lazy_mode=True)


@pytest.mark.parametrize(
    ("build", "optimizer"),
    [(dense, momentum), (convolution, adam), (words, lazy_adam)],
    ids=lambda each: each.__name__,
)
def test_replays_compute_what_runs_compute(gpu, build, optimizer):
    built, feeds = program(build, optimizer), batches(12)
    found = curve(built, fluid.CUDAPlace(0), feeds)
    plan = plan_of(built[0], feeds[0], [built[2]], place=fluid.CUDAPlace(0))
    assert plan.obstacles == [] and len(plan._replays._graphs) == 1
    set_flags({FLAG: False})
    expected = curve(built, fluid.CUDAPlace(0), feeds)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-6)
    for one, other in zip(found[1], expected[1], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-7)
    assert len(set(found[0])) == len(feeds)


def test_what_is_set_between_two_steps_is_read_by_the_next(gpu):
    built, feeds = program(convolution, momentum), batches(8)
    main, startup, loss = built
    found = []
    for on in (True, False):
        set_flags({FLAG: on})
        exe, scope = fluid.Executor(fluid.CUDAPlace(0)), fluid.Scope()
        exe.run(startup, scope=scope)
        losses = []
        for step, feed in enumerate(feeds):
            if step == 6:
                for parameter in main.all_parameters():
                    tensor = scope.find_var(parameter.name).get_tensor()
                    tensor.set(np.full(tensor.shape(), 0.1, "float32"), fluid.CPUPlace())
            losses.append(exe.run(main, feed, [loss], scope=scope)[0].item())
        found.append(losses)
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6)


def test_other_shapes_have_graphs_of_their_own_and_results_outlive_replays(gpu):
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [None, 4])
        y = layers.softmax(layers.matmul(x, x, transpose_y=True))
        exe, main = fluid.Executor(fluid.CUDAPlace(0)), fluid.default_main_program()
        found = []
        for step in range(14):
            value = np.random.RandomState(step).rand(2 + step % 2, 4).astype("float32")
            [got] = exe.run(main, {"x": value}, [y])
            e = np.exp(value @ value.T)
            found.append((got, e / e.sum(1, keepdims=True)))
        plan = plan_of(main, {"x": value}, [y], place=fluid.CUDAPlace(0))
    for got, want in found:
        np.testing.assert_allclose(got, want, rtol=1e-5)
    assert [replay.graph.launches for replay, *_ in plan._replays._graphs.values()] == [2, 2]


def test_a_plan_that_needs_the_host_says_what_does_and_runs_as_before(gpu):
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [None, 4])
        found = layers.where(x > 0.0)
        number = layers.fill_constant([1], "int64", 3)
        looped = layers.while_loop(lambda i: i < 5, lambda i: [i + 1], [number])[0]
        exe, main = fluid.Executor(fluid.CUDAPlace(0)), fluid.default_main_program()
        for _ in range(6):
            places, count = exe.run(main, {"x": np.eye(4, dtype="float32")}, [found, looped])
        plan = plan_of(main, ["x"], [found, looped], place=fluid.CUDAPlace(0))
    assert places.tolist() == [[i, i] for i in range(4)] and count.tolist() == [5]
    assert plan.obstacles[-1] == "shapes depend on values" and plan._replays._graphs == {}
    assert "while runs a block, whose condition the host reads" in plan.obstacles
    assert any(each.startswith("where_index may need the host") for each in plan.obstacles)


def test_without_the_flag_nothing_is_captured(gpu):
    set_flags({FLAG: False})
    built, feeds = program(dense, momentum), batches(8)
    curve(built, fluid.CUDAPlace(0), feeds)
    assert plan_of(built[0], feeds[0], [built[2]], place=fluid.CUDAPlace(0))._replays._graphs == {}


def test_the_stand_in_finds_what_a_capture_cannot_hold(gpu):
    x = gpu.asarray(np.ones(3, "float32"))
    for run in (lambda: x.sum().item(), lambda: gpu.asarray(np.ones(2)), lambda: gpu.unique(x), lambda: x[x > 0]):
        run()
        with pytest.raises(StandInError, match="captured"):
            capture(run, lambda result: None)
    new = x * 2
    with gpu.cuda.Stream(non_blocking=True), pytest.raises(StandInError, match="without a wait"):
        new + 1
