"""The first run of a Plan: it spares memory, although its kernels are not compiled yet."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.static import plan_of
from tests.static.passes import passes

STEPS, ROWS, WIDTH = 48, 64, 32
L = fluid.layers


@pytest.mark.parametrize("optimizer", [fluid.optimizer.SGD, fluid.optimizer.Adam])
def test_parameters_stay_where_they_are(optimizer: Any) -> None:
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup):
        loss = L.mean(L.fc(fluid.data("x", [None, 64]), 64))
        optimizer(0.1).minimize(loss)
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(startup, scope=scope)
    name = main.all_parameters()[0].name

    tensor = scope.find_var(name).get_tensor()
    place, before = tensor.array.ctypes.data, np.array(tensor)
    executor.run(main, {"x": np.ones((4, 64), "float32")}, [], scope=scope)
    assert tensor.array.ctypes.data == place
    assert not np.array_equal(np.array(tensor), before)


def held_by_the_first_run() -> tuple[int, np.ndarray]:
    """The most bytes that the first run of a recurrence holds, and the gradient of its weight."""
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        start = np.random.RandomState(0).uniform(-0.1, 0.1, (2 * WIDTH, WIDTH)).astype("float32")
        as_given = fluid.initializer.NumpyArrayInitializer(start)
        w = L.create_parameter([2 * WIDTH, WIDTH], "float32", default_initializer=as_given)
        h = L.fill_constant([ROWS, WIDTH], "float32", 0.0)
        for x_t in L.unstack(fluid.data("x", [STEPS, ROWS, WIDTH]), 0):
            h = L.tanh(L.matmul(L.concat([x_t, h], 1), w))
        [(_, gradient)] = fluid.backward.append_backward(L.mean(h))
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(startup, scope=scope)
    feed = {"x": np.random.RandomState(1).rand(STEPS, ROWS, WIDTH).astype("float32")}
    plan_of(main, ["x"], [gradient])._first_function(True)  # planning takes memory, too
    tracemalloc.start()
    [found] = executor.run(main, feed, [gradient], scope=scope)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak, found


def test_what_is_concatenated_in_each_step_is_not_held() -> None:
    with passes("none"):
        plain, right = held_by_the_first_run()
    with passes():
        held_by_the_first_run()  # compiles its kernels
        held, found = held_by_the_first_run()
    np.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-6)
    assert plain - held > STEPS * ROWS * WIDTH * 4  # half of what all steps concatenate
